//! Invariants of the code map in docs/architecture.md, read off the manifests and sources.

#![allow(clippy::unwrap_used, reason = "a test stops at what it cannot read")]

mod template;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

/// The names under `[dependencies]` of a package's manifest.
fn dependencies(package: &str) -> BTreeSet<String> {
    let manifest = fs::read_to_string(root().join(package).join("Cargo.toml")).unwrap();
    manifest
        .lines()
        .skip_while(|line| *line != "[dependencies]")
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.split(['.', ' ', '=']).next())
        .filter(|name| !name.is_empty() && !name.starts_with('#'))
        .map(str::to_owned)
        .collect()
}

fn only(package: &str, allowed: &[&str]) {
    let allowed = allowed.iter().map(|name| (*name).to_owned()).collect();
    let extra: Vec<_> = dependencies(package).difference(&allowed).cloned().collect();
    assert!(extra.is_empty(), "{package} must not depend on {extra:?}");
}

/// Every package of the workspace that has sources of its own.
fn packages() -> Vec<String> {
    let mut packages = ["agent", "infra/admin", "infra/local", "tests", "tests/support"]
        .map(str::to_owned)
        .to_vec();
    for folder in ["functions", "shared"] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            packages.push(format!("{folder}/{name}"));
        }
    }
    packages
}

fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path);
        }
    }
}

/// The packages whose `src` says one of these words.
fn packages_that_say(words: &[&str]) -> BTreeSet<String> {
    packages()
        .into_iter()
        .filter(|package| {
            let mut files = Vec::new();
            sources(&root().join(package).join("src"), &mut files);
            files.iter().any(|file| {
                let text = fs::read_to_string(file).unwrap();
                words.iter().any(|word| text.contains(word))
            })
        })
        .collect()
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn no_arrow_of_the_code_map_is_reversed() {
    only("shared/rules", &[]);
    only("shared/engine", &["renju"]);
    only("shared/picture", &["renju"]);
    only("shared/arena", &["renju", "sha2"]);
    only("shared/protocol", &["arena", "futures-util", "renju", "subtle"]);
    only("shared/wire", &["renju", "arena", "schemars", "serde", "serde_json"]);
    // The author's tool talks to an arena over HTTP, as anybody does.
    let agent = dependencies("agent");
    assert!(!agent.contains("arena-lambda") && !agent.contains("arena-store"), "{agent:?}");
    for function in ["duel", "house", "move", "poll", "queue", "register", "referee", "spectate"] {
        let dependencies = dependencies(&format!("functions/{function}"));
        let forbidden = |name: &String| {
            name.starts_with("aws-sdk") || name.starts_with("arena-") && !SHARED.contains(&&**name)
        };
        let found: Vec<_> = dependencies.into_iter().filter(forbidden).collect();
        assert!(found.is_empty(), "functions/{function} must not depend on {found:?}");
    }
}

/// `cargo run` and `cargo test --workspace` need nothing but Rust.
#[test]
fn the_python_package_is_a_workspace_of_its_own() {
    let lock = fs::read_to_string(root().join("Cargo.lock")).unwrap();
    assert!(!lock.contains("name = \"pyo3\""), "the workspace must not depend on Python");
    let manifest = fs::read_to_string(root().join("agent/python/Cargo.toml")).unwrap();
    assert!(manifest.lines().any(|line| line == "[workspace]"));
    only("agent/python", &["pyo3", "renju"]);
}

/// The pages get rules and engine as a built file, and building it needs another target.
#[test]
fn the_module_of_the_pages_is_a_workspace_of_its_own() {
    let manifest = fs::read_to_string(root().join("functions/spectate/wasm/Cargo.toml")).unwrap();
    assert!(manifest.lines().any(|line| line == "[workspace]"));
    only("functions/spectate/wasm", &["renju", "renju-engine", "renju-picture"]);
}

/// A game is changed by a use case, which the simulator runs too.
#[test]
fn functions_change_games_through_the_protocol() {
    for function in ["house", "move", "poll", "queue", "referee", "register", "spectate"] {
        let dependencies = dependencies(&format!("functions/{function}"));
        assert!(dependencies.contains("arena-protocol"), "functions/{function}");
    }
    let found = packages_that_say(&[
        "Plan {",
        "Write::",
        "settle(",
        "commit(",
        ".write(",
        ".send(&[",
        "progress::",
        "seating::",
    ]);
    // Only the local arena also changes games itself, for its exhibitions.
    let is_meant = |package: &String| {
        package.starts_with("functions/")
            || ["infra/admin", "shared/lambda"].contains(&package.as_str())
    };
    let changing: Vec<_> = found.into_iter().filter(is_meant).collect();
    assert!(changing.is_empty(), "{changing:?}");
}

/// Use cases that the simulator does not call. `commit` and `settle` are steps of others; the API
/// tests call the rest.
const NOT_SIMULATED: [&str; 5] = ["commit", "describe", "game", "game_at", "settle"];

#[test]
fn the_simulator_calls_every_use_case() {
    let text_of = |folder: &str| {
        let mut files = Vec::new();
        sources(&root().join(folder), &mut files);
        files.iter().map(|file| fs::read_to_string(file).unwrap()).collect::<String>()
    };
    // Names after `start` up to the next semicolon. What is imported is called, or clippy fails.
    let names = |text: &str, start: &str| -> BTreeSet<String> {
        let lists = text.split(start).skip(1).filter_map(|rest| rest.split(';').next());
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        lists
            .flat_map(|list| list.split(|letter| !is_name(letter)))
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let protocol = text_of("shared/protocol/src");
    let exported = names(&protocol, "pub use ");
    let is_use_case = |name: &&String| {
        protocol.contains(&format!("pub async fn {name}<"))
            || protocol.contains(&format!("pub async fn {name}("))
    };
    let use_cases: BTreeSet<String> = exported.iter().filter(is_use_case).cloned().collect();
    assert!(use_cases.len() > 15, "the sources were not read: {use_cases:?}");
    let called = names(&text_of("tests/simulator/src"), "use arena_protocol::");
    let forgotten: BTreeSet<String> = use_cases.difference(&called).cloned().collect();
    assert_eq!(forgotten, set(&NOT_SIMULATED), "the simulator must call every use case");
}

#[test]
fn the_protocol_knows_no_service() {
    let found = packages_that_say(&["aws_", "dynamodb", "sqs"]);
    assert!(!found.contains("shared/protocol"));
}

/// An engine in a function is megabytes to load and seconds to think: only those made for it.
#[test]
fn only_functions_that_think_have_an_engine() {
    for package in packages().into_iter().filter(|package| package.starts_with("functions/")) {
        let may = ["functions/duel", "functions/house"].contains(&package.as_str());
        let has = dependencies(&package).contains("renju-engine");
        assert!(may || !has, "{package} must not depend on renju-engine");
    }
}

const SHARED: [&str; 4] = ["arena-lambda", "arena-protocol", "arena-store", "arena-wire"];

#[test]
fn emulators_never_reach_a_function() {
    for package in packages() {
        let uses = dependencies(&package)
            .iter()
            .any(|name| name.starts_with("dynoxide") || name.starts_with("rustack"));
        let may = ["infra/local", "tests"].contains(&package.as_str());
        assert!(may || !uses, "{package} must not depend on an emulator");
    }
}

#[test]
fn only_one_crate_speaks_to_sockets_through_the_gateway() {
    let found = packages_that_say(&["aws_sdk_apigatewaymanagement"]);
    assert_eq!(found, set(&["shared/store"]));
}

#[test]
fn only_one_crate_reads_a_clock_for_a_decision() {
    // The author's tool dates its log lines and notices when its machine's clock is off.
    let found = packages_that_say(&["SystemTime::now"]);
    assert_eq!(found, set(&["agent", "shared/store"]));
}

#[test]
fn only_one_crate_knows_a_status_code() {
    let found = packages_that_say(&["StatusCode::"]);
    assert_eq!(found, set(&["shared/lambda"]));
}

#[test]
fn only_one_crate_names_a_table_attribute() {
    // The harness asks an emulator, on a table of its own, whether its writes are atomic.
    let found = packages_that_say(&["AttributeValue"]);
    assert_eq!(found, set(&["shared/store", "tests/support"]));
}

/// Names of tests in docs/aws.md: code font, more than one underscore, nothing but a Rust name.
#[test]
fn every_test_that_the_page_about_aws_names_exists() {
    let page = fs::read_to_string(root().join("docs/aws.md")).unwrap();
    let is_test = |text: &&str| {
        text.matches('_').count() > 1
            && text
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
    };
    let named: BTreeSet<&str> = page.split('`').skip(1).step_by(2).filter(is_test).collect();
    assert!(named.len() > 40, "the page was not read: {named:?}");
    let mut files = Vec::new();
    for folder in ["agent", "functions", "infra", "shared", "tests"] {
        sources(&root().join(folder), &mut files);
    }
    let code: String = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let missing: Vec<_> =
        named.iter().filter(|name| !code.contains(&format!("fn {name}("))).collect();
    assert!(missing.is_empty(), "docs/aws.md names tests that do not exist: {missing:?}");
}

/// Files and names of the tests in a row of docs/pages.md: `` `file` “name” ``.
fn tests_in(row: &str) -> Vec<(&str, &str)> {
    let parts = row.split('`').skip(1).step_by(2).zip(row.split('`').skip(2).step_by(2));
    parts
        .map(|(file, after)| {
            let name = after.split_once('“').and_then(|(_, rest)| rest.split_once('”'));
            (file, name.expect("a file is followed by the name of a test").0)
        })
        .collect()
}

/// Findings are A1 to A6, B1 to B12 and C1 to C20.
#[test]
fn every_finding_about_the_pages_has_a_test_that_exists() {
    let page = fs::read_to_string(root().join("docs/pages.md")).unwrap();
    let findings = [('A', 6), ('B', 12), ('C', 20)];
    for (letter, last) in findings {
        for number in 1..=last {
            let start = format!("| {letter}{number} |");
            let rows: Vec<&str> = page.lines().filter(|line| line.starts_with(&start)).collect();
            let [row] = rows[..] else { panic!("{} rows begin with {start}", rows.len()) };
            let tests = tests_in(row);
            assert!(!tests.is_empty(), "{start} has no test");
            for (file, name) in tests {
                let code = fs::read_to_string(root().join(file)).unwrap();
                let known = [
                    format!("test(\"{name}\""),
                    format!("test(`{name}: ${{"),
                    format!("fn {name}("),
                ];
                assert!(known.iter().any(|text| code.contains(text)), "{file} has no test {name}");
            }
        }
    }
}
