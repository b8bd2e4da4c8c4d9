//! The decisions of `infra/deploy` and `infra/destroy`, with an `aws` that answers as an account would.
//!
//! The deployed test covers the template itself.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops where it is")]

use std::env;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

const AGENTS: &str = "renju-arena-dev-AgentsTable-1A2B";
const GAMES: &str = "renju-arena-dev-GamesTable-3C4D";

/// An AWS account, as files that the `aws` in `tests/infra/bin` reads.
struct Account(PathBuf);

/// Output and calls of a script.
struct Ran {
    is_ok: bool,
    printed: String,
    /// Both outputs.
    said: String,
    /// The commands it called.
    calls: Vec<String>,
}

impl Account {
    /// A new account: a small quota and nothing deployed.
    fn fresh() -> Account {
        static ACCOUNTS: AtomicU32 = AtomicU32::new(0);
        let number = ACCOUNTS.fetch_add(1, Ordering::Relaxed);
        let home = env::temp_dir().join(format!("arena-infra-{}-{number}", std::process::id()));
        let _ = fs::remove_dir_all(&home);
        fs::create_dir_all(&home).unwrap();
        Account(home)
            .with("cli", "2.31.0")
            .with("region", "eu-central-1")
            .with("account", "123456789012")
            .with("quota", "10")
    }

    fn with(self, file: &str, text: &str) -> Account {
        self.set(file, text);
        self
    }

    fn set(&self, file: &str, text: &str) -> &Account {
        fs::write(self.0.join(file), format!("{text}\n")).unwrap();
        self
    }

    fn without(self, file: &str) -> Account {
        fs::remove_file(self.0.join(file)).unwrap();
        self
    }

    fn run(&self, script: &str, arguments: &[&str], answer: &str) -> Ran {
        let bin = root().join("tests/infra/bin");
        let path = env::join_paths(
            std::iter::once(bin).chain(env::split_paths(&env::var_os("PATH").unwrap())),
        );
        let _ = fs::remove_file(self.0.join("calls"));
        let mut child = Command::new(root().join("infra").join(script))
            .args(arguments)
            .env("PATH", path.unwrap())
            .env("ACCOUNT", &self.0)
            .env("CARGO_TARGET_DIR", self.0.join("target"))
            .env_remove("AWS_REGION")
            .env_remove("AWS_DEFAULT_REGION")
            .env_remove("AWS_ENDPOINT_URL")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A script that fails early does not read it.
        let _ = child.stdin.take().unwrap().write_all(answer.as_bytes());
        let output = child.wait_with_output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let calls = fs::read_to_string(self.0.join("calls")).unwrap_or_default();
        Ran {
            is_ok: output.status.success(),
            printed: text(&output.stdout),
            said: text(&output.stdout) + &text(&output.stderr),
            calls: calls.lines().map(str::to_owned).collect(),
        }
    }

    fn deploy(&self, arguments: &[&str]) -> Ran {
        self.run("deploy", arguments, "")
    }
}

impl Drop for Account {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Ran {
    /// The place of the first call that begins like this.
    #[track_caller]
    fn called(&self, start: &str) -> usize {
        let found = self.calls.iter().position(|call| call.starts_with(start));
        found.unwrap_or_else(|| panic!("{start} was not called: {:#?}\n{}", self.calls, self.said))
    }

    fn has_called(&self, start: &str) -> bool {
        self.calls.iter().any(|call| call.starts_with(start))
    }

    /// The parameters that CloudFormation got.
    #[track_caller]
    fn parameters(&self) -> Vec<&str> {
        self.calls[self.called("aws cloudformation deploy")].split(' ').collect()
    }

    /// The values of a parameter in all deployments of the arena's stack, in order.
    fn values(&self, parameter: &str) -> Vec<&str> {
        let arenas = |call: &&String| {
            call.starts_with("aws cloudformation deploy --stack-name renju-arena-")
        };
        let words = self.calls.iter().filter(arenas).flat_map(|call| call.split(' '));
        words.filter_map(|word| word.strip_prefix(parameter)?.strip_prefix('=')).collect()
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

#[test]
fn a_new_account_gets_an_arena_without_reserved_concurrency() {
    let account = Account::fresh();
    let ran = account.deploy(&["dev"]);
    assert!(ran.is_ok, "{}", ran.said);
    for parameter in ["RegisterConcurrency=0", "Protection=false", "Architecture=arm64"] {
        assert!(ran.parameters().contains(&parameter), "{parameter}: {:?}", ran.parameters());
    }
    assert!(ran.said.contains("may run 10 functions at once"), "{}", ran.said);
    let checks = ["aws sts", "aws lambda get-account", "aws cloudformation desc", "aws dynamodb"];
    for check in checks {
        assert!(ran.called(check) < ran.called("cargo lambda build"), "{check}");
    }
    ran.called("smoke https://api.");
}

#[test]
fn every_function_is_built_packed_and_uploaded() {
    let account = Account::fresh();
    let ran = account.deploy(&["dev", "Architecture=x86_64"]);
    assert!(ran.is_ok, "{}", ran.said);
    let build = &ran.calls[ran.called("cargo lambda build")];
    assert!(build.contains("--profile lambda --locked --x86-64"), "{build}");
    for entry in fs::read_dir(root().join("functions")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(build.contains(&format!(" -p arena-{name} ")), "{build}");
        let zip = account.0.join(format!("target/bootstraps/zips/{name}.zip"));
        assert_eq!(fs::read_to_string(&zip).unwrap().trim(), format!("arena-{name}"));
        ran.called(&format!("aws s3 cp --only-show-errors {}", zip.display()));
    }
    let canary = account.0.join("target/bootstraps/zips/canary.zip");
    assert!(fs::read(canary).unwrap().starts_with(b"PK"));
}

#[test]
fn where_the_quota_allows_it_register_has_its_share_and_prod_is_protected() {
    let account = Account::fresh().with("quota", "1000");
    let ran = account.deploy(&["prod"]);
    assert!(ran.is_ok, "{}", ran.said);
    for parameter in ["RegisterConcurrency=5", "Protection=true"] {
        assert!(ran.parameters().contains(&parameter), "{:?}", ran.parameters());
    }
}

#[test]
fn only_the_first_deployment_chooses_a_reserve() {
    let account = Account::fresh().with("quota", "1000").with("state", "UPDATE_COMPLETE");
    for (reserved, passed) in [("0", None), ("7", Some("7"))] {
        let ran = account.set("reserved", reserved).deploy(&["dev"]);
        assert!(ran.is_ok, "{}", ran.said);
        assert_eq!(ran.values("RegisterConcurrency").first().copied(), passed);
        assert_eq!(ran.said.contains("RegisterConcurrency=5"), reserved == "0", "{}", ran.said);
    }
    let ran = account.set("quota", "10").deploy(&["dev"]);
    assert_eq!(ran.values("RegisterConcurrency"), ["0"], "7 no longer fit: {}", ran.said);
}

#[test]
fn a_front_is_trusted_before_all_others_are_refused() {
    let account = Account::fresh();
    let first = account.deploy(&["dev", "--front", "FrontRequests=3000"]);
    assert!(first.is_ok, "{}", first.said);
    let sent = fs::read_to_string(account.0.join("front-parameters")).unwrap();
    let sent: Vec<String> = serde_json::from_str(&sent).unwrap();
    let sent = |name: &str| sent.iter().find_map(|one| one.strip_prefix(name)?.strip_prefix('='));
    assert_eq!(sent("Origin"), Some("api.execute-api.eu-central-1.amazonaws.com"));
    assert_eq!(sent("FrontRequests"), Some("3000"));
    let (secret, digest) = (sent("Secret").unwrap(), sent("Digest").unwrap());
    assert_eq!((secret.len(), digest.len()), (64, 64));
    assert!(first.calls.iter().all(|call| !call.contains(secret)), "{:#?}", first.calls);
    assert_eq!(first.values("OriginDigests"), [digest]);
    assert_eq!(first.values("PublicUrl"), ["https://front.cloudfront.net"]);
    first.called("smoke https://front.cloudfront.net");

    // The secret stays, and an ordinary deployment does not touch the front.
    let again = account.deploy(&["dev", "--front"]);
    assert_eq!(again.values("OriginDigests"), [digest], "{}", again.said);
    let ordinary = account.deploy(&["dev"]);
    assert!(
        ordinary.is_ok
            && !ordinary.has_called("aws cloudformation deploy --stack-name renju-front")
    );
    assert!(ordinary.values("OriginDigests").is_empty());

    // While the secret is replaced, the functions accept both.
    let replaced = account.deploy(&["dev", "--front", "--new-secret"]);
    assert!(replaced.is_ok, "{}", replaced.said);
    let new = fs::read_to_string(account.0.join("digest")).unwrap();
    let new = new.trim();
    assert_ne!(new, digest);
    assert_eq!(replaced.values("OriginDigests"), [&format!("{new},{digest}"), new]);
    let both =
        replaced.called("aws cloudformation deploy --stack-name renju-front-dev-eu-central-1");
    assert!(
        replaced.calls[..both].iter().any(|call| call.contains(&format!("OriginDigests={new},")))
    );
}

#[test]
fn options_of_the_front_need_the_front() {
    for option in ["FrontRequests=3000", "--new-secret"] {
        let ran = Account::fresh().deploy(&["dev", option]);
        assert!(!ran.is_ok && ran.said.contains("--front") && ran.calls.is_empty(), "{}", ran.said);
    }
}

#[test]
fn old_versions_go_but_none_that_an_alias_or_a_stage_uses() {
    let objects = |n: u32| format!("2026-01-{n:02}T00:00:00Z\tv{n}-arm64/move.zip\n");
    let listed: String = (1..=13).map(objects).collect();
    let account = Account::fresh()
        .with("versions", "$LATEST\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10")
        .with("aliases", r#"[["10", {"AdditionalVersionWeights": {"2": 0.1}}], ["4", null]]"#)
        .with("running", "v13-arm64\tv2-arm64")
        .with("objects", &format!("{listed}2025-01-01T00:00:00Z\ttemplates/abc.template"));
    let ran = account.deploy(&["dev"]);
    assert!(ran.is_ok, "{}", ran.said);
    let url = "https://api.execute-api.eu-central-1.amazonaws.com\n";
    assert_eq!(ran.printed, url, "other programs read the address");
    let removed = |start: &str| -> Vec<&str> {
        ran.calls.iter().filter_map(|call| call.strip_prefix(start)).collect()
    };
    let versions =
        removed("aws lambda delete-function --function-name renju-arena-dev-move --qualifier ");
    assert_eq!(versions, ["1", "3", "5"]);
    let code = removed(
        "aws s3 rm --only-show-errors --recursive s3://renju-arena-123456789012-eu-central-1/",
    );
    assert_eq!(code, ["v3-arm64/", "v1-arm64/"]);
}

#[test]
fn nothing_is_removed_if_it_is_not_known_what_is_in_use() {
    let listed: String =
        (1..=13).map(|n| format!("2026-01-{n:02}T00:00:00Z\tv{n}-arm64/move.zip\n")).collect();
    let account = Account::fresh().with("versions", "1\n2\n3\n4\n5\n6\n7").with("objects", &listed);
    let ran = account.deploy(&["dev"]);
    assert!(ran.is_ok, "{}", ran.said);
    assert!(!ran.has_called("aws lambda delete-function") && !ran.has_called("aws s3 rm"));
}

#[test]
fn the_pepper_is_on_no_command_line() {
    let account = Account::fresh();
    let ran = account.deploy(&["dev"]);
    let pepper = fs::read_to_string(account.0.join("pepper")).unwrap();
    assert_eq!(pepper.len(), 64, "{}", ran.said);
    assert!(ran.calls.iter().all(|call| !call.contains(&pepper)), "{:#?}", ran.calls);
    let file = ran.calls[ran.called("aws ssm put-parameter")].split("file://").nth(1).unwrap();
    assert!(!Path::new(file).exists());
    let again = account.deploy(&["dev"]);
    assert!(again.is_ok && !again.has_called("aws ssm put-parameter"), "{}", again.said);
}

#[test]
fn a_failed_first_deployment_is_cleared_away() {
    for state in ["ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "CREATE_FAILED"] {
        let account = Account::fresh()
            .with("state", state)
            .with("tables", &format!("{AGENTS}\n{GAMES}\nrenju-arena-dev-2-AgentsTable-5E6F"))
            .with("items", "0");
        let ran = account.deploy(&["dev"]);
        assert!(ran.is_ok, "{}", ran.said);
        let (deleted, deployed) = (
            ran.called("aws cloudformation delete-stack"),
            ran.called("aws cloudformation deploy"),
        );
        assert!(deleted < deployed);
        for table in [AGENTS, GAMES] {
            assert!(
                ran.called(&format!("aws dynamodb delete-table --table-name {table}")) < deployed
            );
        }
        let left = fs::read_to_string(account.0.join("tables")).unwrap();
        assert_eq!(left.trim(), "renju-arena-dev-2-AgentsTable-5E6F", "another stage's table");
    }
}

#[test]
fn tables_with_data_are_never_deleted_by_a_deployment() {
    let account = Account::fresh().with("tables", AGENTS).with("items", "1");
    let ran = account.deploy(&["dev"]);
    assert!(!ran.is_ok);
    for word in [AGENTS, "infra/destroy dev", "--beside"] {
        assert!(ran.said.contains(word), "{word}: {}", ran.said);
    }
    let beside = account.deploy(&["dev", "--beside"]);
    assert!(beside.is_ok, "{}", beside.said);
    for ran in [ran, beside] {
        assert!(!ran.has_called("aws dynamodb delete-table"), "{:#?}", ran.calls);
    }
}

#[test]
fn what_cannot_be_deployed_is_refused_before_the_build_with_the_next_step() {
    for (account, argument, said) in [
        (Account::fresh().with("cli", "1.46.2"), "dev", "getting-started-install"),
        (Account::fresh().with("region", ""), "dev", "export AWS_REGION="),
        (Account::fresh().without("account"), "dev", "aws sso login"),
        (Account::fresh(), "Dev_1", "is no name of a stage"),
        (
            Account::fresh().with("state", "UPDATE_ROLLBACK_FAILED"),
            "dev",
            "continue-update-rollback",
        ),
        (Account::fresh().with("state", "UPDATE_IN_PROGRESS"), "dev", "another deployment"),
        (Account::fresh().with("state", "DELETE_FAILED"), "dev", "infra/destroy dev"),
    ] {
        let ran = account.deploy(&[argument]);
        assert!(!ran.is_ok && ran.said.contains(said), "{said}: {}", ran.said);
        assert!(!ran.has_called("cargo") && !ran.has_called("aws cloudformation deploy"));
    }
    let ran = Account::fresh().deploy(&["dev", "RegisterConcurrency=50"]);
    assert!(!ran.is_ok && ran.said.contains("higher quota"), "{}", ran.said);
}

#[test]
fn a_stage_is_destroyed_only_by_its_name_and_exported_when_nobody_can_play() {
    let account = Account::fresh()
        .with("state", "UPDATE_COMPLETE")
        .with("front-state", "UPDATE_COMPLETE")
        .with("tables", &format!("{AGENTS}\n{GAMES}\nrenju-arena-dev-2-GamesTable-5E6F"))
        .with("bucket", "")
        .with("pepper", "secret");
    let exports = account.0.join("exports");
    let arguments = ["dev", "--export", exports.to_str().unwrap()];
    for answer in ["", "yes\n", "prod\n"] {
        let ran = account.run("destroy", &arguments, answer);
        assert!(!ran.is_ok && ran.said.contains("nothing was deleted"), "{}", ran.said);
        assert!(ran.calls.iter().all(|call| !call.contains("delete")), "{:#?}", ran.calls);
    }
    let ran = account.run("destroy", &arguments, "dev\n");
    assert!(ran.is_ok, "{}", ran.said);
    for table in [AGENTS, GAMES] {
        assert!(exports.join(format!("{table}.json.gz")).exists());
        let exported = ran.called(&format!("aws dynamodb scan --table-name {table}"));
        assert!(
            ran.called(
                "aws cloudformation wait stack-delete-complete --stack-name renju-arena-dev"
            ) < exported
        );
        assert!(exported < ran.called(&format!("aws dynamodb delete-table --table-name {table}")));
    }
    ran.called("aws cloudformation delete-stack --stack-name renju-front-dev-eu-central-1");
    ran.called("aws logs delete-log-group --log-group-name /renju-arena/dev");
    ran.called("aws ssm delete-parameter --name /renju-arena-dev/pepper");
    ran.called("aws s3 rb --force s3://renju-arena-123456789012-eu-central-1");
    let left = fs::read_to_string(account.0.join("tables")).unwrap();
    assert_eq!(left.trim(), "renju-arena-dev-2-GamesTable-5E6F");
    let again = account.run("destroy", &["dev", "--yes"], "");
    assert!(again.is_ok, "what is gone is no error: {}", again.said);
}

#[test]
fn the_bucket_stays_while_another_stage_uses_it() {
    let account = Account::fresh().with("bucket", "").with("others", "renju-arena-prod");
    let ran = account.run("destroy", &["dev", "--yes"], "");
    assert!(ran.is_ok && ran.said.contains("renju-arena-prod"), "{}", ran.said);
    assert!(!ran.has_called("aws s3 rb"));
}
