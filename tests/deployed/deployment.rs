//! The arena on that server, put there by `infra/deploy`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use arena::Pace;
use arena_store::{Access, Config, Store};
use aws_sdk_sqs::types::QueueAttributeName;
use serde_json::Value;

use crate::cloud::{Cloud, root};

const STAGE: &str = "test";
const VERSION: &str = "under-test";

/// The functions as Lambda starts them.
const BOOTSTRAPS: [(&str, &str); 8] = [
    ("duel", env!("CARGO_BIN_EXE_bootstrap-duel")),
    ("house", env!("CARGO_BIN_EXE_bootstrap-house")),
    ("move", env!("CARGO_BIN_EXE_bootstrap-move")),
    ("poll", env!("CARGO_BIN_EXE_bootstrap-poll")),
    ("queue", env!("CARGO_BIN_EXE_bootstrap-queue")),
    ("referee", env!("CARGO_BIN_EXE_bootstrap-referee")),
    ("register", env!("CARGO_BIN_EXE_bootstrap-register")),
    ("spectate", env!("CARGO_BIN_EXE_bootstrap-spectate")),
];

/// A deployed arena.
pub(crate) struct Deployment<'c> {
    cloud: &'c Cloud,
    url: String,
    outputs: Value,
}

impl Deployment<'_> {
    /// Packs the functions and deploys them with this much time for a turn, and a house bot for who
    /// waits this long.
    pub(crate) fn make(cloud: &Cloud, turn: Duration, house_after: Duration) -> Deployment<'_> {
        let zips = cloud.home().join("zips");
        if !zips.exists() {
            pack(cloud, &zips);
        }
        let mut deploy = cloud.command(root().join("infra/deploy"));
        deploy
            .args([STAGE, "--version", VERSION, "--zips"])
            .arg(zips)
            .arg(format!("Architecture={}", architecture()))
            .arg(format!("TurnMs={}", turn.as_millis()))
            .arg(format!("HouseAfterMs={}", house_after.as_millis()))
            .arg("CanaryMinutes=60");
        let url = said(&mut deploy).trim().to_owned();
        Deployment { cloud, url, outputs: described(cloud)["Outputs"].clone() }
    }

    /// Deploys the same version again, naming nothing else: it is not built, and all that was decided
    /// stays, what the functions were built for as well.
    pub(crate) fn repeat(&self) {
        let before = described(self.cloud);
        let mut deploy = self.cloud.command(root().join("infra/deploy"));
        assert_eq!(said(deploy.args([STAGE, "--version", VERSION])).trim(), self.url);
        let after = described(self.cloud);
        let [before_all, after_all] = [&before, &after].map(parameters);
        for (key, value) in &before_all {
            // Other parameters were named this time, so on AWS the functions are published anew.
            assert!(*key == "Release" || after_all[key] == *value, "{key}");
        }
        assert_eq!(after["Outputs"], before["Outputs"]);
    }

    /// The canary's game, now and not when its schedule says.
    pub(crate) fn canary_plays(&self) -> String {
        let reply = self.home().join("canary.json");
        let mut invoke = self.cloud.command("aws");
        invoke.args(["lambda", "invoke", "--function-name"]);
        let invoked = said(invoke.arg(format!("renju-arena-{STAGE}-canary")).arg(&reply));
        let reply = fs::read_to_string(reply).unwrap();
        assert!(!invoked.contains("FunctionError"), "{invoked} {reply}");
        reply
    }

    /// Removes the arena. The tables were exported, and nothing of it is left.
    pub(crate) fn destroy(self) {
        let exports = self.home().join("exports");
        let mut destroy = self.cloud.command(root().join("infra/destroy"));
        said(destroy.args([STAGE, "--yes", "--export"]).arg(&exports));
        for table in ["AgentsTable", "GamesTable"] {
            assert!(exports.join(format!("{}.json.gz", self.output(table))).exists());
        }
        for list in [
            ["dynamodb", "list-tables"],
            ["cloudformation", "describe-stacks"],
            ["lambda", "list-functions"],
            ["logs", "describe-log-groups"],
            ["ssm", "describe-parameters"],
            ["s3api", "list-buckets"],
            ["iam", "list-roles"],
            ["scheduler", "list-schedules"],
            ["cloudwatch", "describe-alarms"],
        ] {
            let left = said(self.cloud.command("aws").args(list).args(["--output", "json"]));
            assert!(!left.contains(&format!("renju-arena-{STAGE}")), "{list:?}: {left}");
        }
    }

    /// Address that agents are told.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Path of the duels, below the server's address.
    pub(crate) fn duel_path(&self) -> String {
        let url = self.output("DuelUrl");
        let (api, _) = url.strip_prefix("wss://").unwrap().split_once('.').unwrap();
        format!("/_aws/execute-api/{api}/{}", url.rsplit('/').next().unwrap())
    }

    /// The server's own host and port.
    pub(crate) fn host(&self) -> &str {
        self.cloud.url().trim_start_matches("http://")
    }

    pub(crate) fn home(&self) -> &Path {
        self.cloud.home()
    }

    /// The deployed tables, seen by their owner.
    pub(crate) fn store(&self) -> Store {
        let config = Config {
            agents_table: self.output("AgentsTable"),
            games_table: self.output("GamesTable"),
            referee_queue_url: self.output("RefereeQueueUrl"),
            match_queue_url: self.output("MatchQueueUrl"),
            house_queue_url: self.output("HouseQueueUrl"),
            shards: 1,
            pace: Pace::STANDARD,
        };
        Store::new(&self.access(), config)
    }

    /// Number of messages that were given up.
    pub(crate) async fn dead_letters(&self) -> usize {
        let sqs = self.access().sqs();
        let mut letters = 0;
        for queue in ["RefereeDeadLettersUrl", "MatchDeadLettersUrl", "HouseDeadLettersUrl"] {
            let attributes = sqs
                .get_queue_attributes()
                .queue_url(self.output(queue))
                .attribute_names(QueueAttributeName::ApproximateNumberOfMessages)
                .send()
                .await
                .unwrap();
            let count =
                &attributes.attributes().unwrap()[&QueueAttributeName::ApproximateNumberOfMessages];
            letters += count.parse::<usize>().unwrap();
        }
        letters
    }

    fn access(&self) -> Access {
        Access::local(self.cloud.url(), self.cloud.url())
    }

    fn output(&self, key: &str) -> String {
        let outputs = self.outputs.as_array().unwrap();
        let output = outputs.iter().find(|output| output["OutputKey"] == key);
        output.unwrap()["OutputValue"].as_str().unwrap().to_owned()
    }
}

/// A first deployment that fails: CloudFormation makes the tables, then finds a name taken, and gives up.
pub(crate) fn fail_first(cloud: &Cloud) {
    const TAKEN: &str = "somebodys-bucket";
    let template = fs::read_to_string(root().join("infra/template.yaml")).unwrap();
    let broken = format!(
        "\n  Broken:\n    Type: AWS::S3::Bucket\n    DependsOn: [AgentsTable, GamesTable]\n    \
         Properties: {{ BucketName: {TAKEN} }}\n\nOutputs:\n"
    );
    let file = cloud.home().join("broken.yaml");
    fs::write(&file, template.replace("\nOutputs:\n", &broken)).unwrap();
    said(cloud.command("aws").args(["s3", "mb", &format!("s3://{TAKEN}")]));
    let mut deploy = cloud.command("aws");
    deploy
        .args(["cloudformation", "deploy", "--stack-name", &format!("renju-arena-{STAGE}")])
        .args(["--s3-bucket", TAKEN, "--capabilities", "CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"])
        .arg("--template-file")
        .arg(file)
        .args(["--parameter-overrides", &format!("Stage={STAGE}"), "CodeVersion=none-arm64"])
        .arg(format!("CodeBucket={TAKEN}"));
    assert!(!deploy.output().unwrap().status.success());
    assert_eq!(described(cloud)["StackStatus"], "ROLLBACK_COMPLETE");
}

/// The parameters of a stack, by name.
fn parameters(stack: &Value) -> BTreeMap<&str, &Value> {
    let all = stack["Parameters"].as_array().unwrap().iter();
    all.map(|one| (one["ParameterKey"].as_str().unwrap(), &one["ParameterValue"])).collect()
}

/// Description of the stack by CloudFormation.
fn described(cloud: &Cloud) -> Value {
    let mut describe = cloud.command("aws");
    describe.args(["cloudformation", "describe-stacks", "--output", "json"]);
    describe.args(["--stack-name", &format!("renju-arena-{STAGE}")]);
    let described: Value = serde_json::from_str(&said(&mut describe)).unwrap();
    described["Stacks"][0].clone()
}

/// Every function as `bootstrap` in a zip of its own.
fn pack(cloud: &Cloud, zips: &Path) {
    let folders = fs::read_dir(root().join("functions")).unwrap().count();
    assert_eq!(folders, BOOTSTRAPS.len(), "every function is packed");
    fs::create_dir(zips).unwrap();
    for (function, program) in BOOTSTRAPS {
        let bootstrap = cloud.home().join("bootstrap");
        said(Command::new("strip").arg("-o").arg(&bootstrap).arg(program));
        let mut zip = cloud.command("python");
        zip.args(["-m", "zipfile", "-c"]).arg(zips.join(format!("{function}.zip"))).arg(bootstrap);
        said(&mut zip);
    }
}

/// Architecture that functions built on this machine run on.
fn architecture() -> &'static str {
    if cfg!(target_arch = "aarch64") { "arm64" } else { "x86_64" }
}

/// Output of a command, which must not fail.
fn said(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{errors}", output.status);
    String::from_utf8(output.stdout).unwrap()
}
