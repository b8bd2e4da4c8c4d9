//! Builds the tests of the woven tree and runs them, with or without a mutant.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::list::Test;

/// A test that takes longer is stopped: the mutant makes it wait forever.
const LIMIT: Duration = Duration::from_secs(120);

const POLL: Duration = Duration::from_millis(10);

/// A test binary and its working directory.
pub(crate) struct Program {
    path: PathBuf,
    folder: PathBuf,
}

/// The test binaries by package and target, built in one go.
pub(crate) fn build(
    tree: &Path,
    target: &Path,
    tests: &[&Test],
    release: bool,
) -> Result<BTreeMap<(String, String), Program>, String> {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo.args(["test", "--no-run", "--locked", "--message-format=json", "--target-dir"]);
    cargo.arg(target).args(release.then_some("--release"));
    // The variables that `cargo run` sets for this tool would make build scripts run again.
    for (name, _) in env::vars_os() {
        let words = ["CARGO_PKG_", "CARGO_MANIFEST_"];
        if words.iter().any(|word| name.to_string_lossy().starts_with(word)) {
            cargo.env_remove(name);
        }
    }
    // Cargo would take the same crates of another copy for these. A setting of the one crate that
    // all others depend on tells them apart, and leaves those of the registry as they are.
    let profile = if release { "release" } else { "dev" };
    cargo.args(["--config", &format!("profile.{profile}.package.renju.codegen-units=17")]);
    for package in tests.iter().map(|test| &*test.package).collect::<BTreeSet<_>>() {
        cargo.args(["-p", package]);
    }
    for name in tests.iter().map(|test| &*test.target).collect::<BTreeSet<_>>() {
        if name == "lib" {
            cargo.arg("--lib")
        } else {
            cargo.args(["--test", name])
        };
    }
    let say = |error: io::Error| format!("cargo test: {error}");
    let mut child = cargo.current_dir(tree).stdout(Stdio::piped()).spawn().map_err(say)?;
    let (mut programs, mut errors) = (BTreeMap::new(), String::new());
    for line in BufReader::new(child.stdout.take().expect("it is piped")).lines() {
        let Ok(message) = serde_json::from_str::<Value>(&line.map_err(say)?) else { continue };
        if message["message"]["level"] == "error" {
            errors.push_str(message["message"]["rendered"].as_str().unwrap_or_default());
        }
        if let Some((key, program)) = program(&message) {
            programs.insert(key, program);
        }
    }
    let status = child.wait().map_err(say)?;
    if status.success() { Ok(programs) } else { Err(format!("cargo test: {status}\n{errors}")) }
}

/// The test binary that a message of cargo is about, if any.
fn program(message: &Value) -> Option<((String, String), Program)> {
    let path = PathBuf::from(message["executable"].as_str()?);
    let folder = Path::new(message["manifest_path"].as_str()?).parent()?.to_owned();
    // `path+file:///…/shared/arena#0.1.0` or `path+file:///…/shared/store#arena-store@0.1.0`.
    let (place, id) = message["package_id"].as_str()?.split_once('#')?;
    let package = match id.split_once('@') {
        Some((name, _)) => name,
        None => place.rsplit('/').next()?,
    };
    let target = &message["target"];
    let is_lib = target["kind"][0] == "lib";
    let name = if is_lib { "lib" } else { target["name"].as_str()? };
    Some(((package.to_owned(), name.to_owned()), Program { path, folder }))
}

/// Runs one test, with or without a mutant, and writes its output to `log`. Returns the failure, if
/// any, and the time it took.
pub(crate) fn run(
    program: &Program,
    test: &str,
    mutant: Option<usize>,
    log: &Path,
) -> io::Result<(Option<String>, Duration)> {
    let start = Instant::now();
    let output = File::create(log)?;
    let mut command = Command::new(&program.path);
    command.args(["--exact", test]).current_dir(&program.folder);
    command.env("CARGO_MANIFEST_DIR", &program.folder).env("RUST_BACKTRACE", "0");
    command.env_remove("ARENA_MUTANT").envs(mutant.map(|n| ("ARENA_MUTANT", n.to_string())));
    let mut child = command.stdout(output.try_clone()?).stderr(output).spawn()?;
    let status = loop {
        match child.try_wait()? {
            None if start.elapsed() < LIMIT => thread::sleep(POLL),
            done => break done,
        }
    };
    let folder = format!("{}/", program.folder.display());
    let output = String::from_utf8_lossy(&fs::read(log)?).replace(&folder, "");
    let how = match status {
        // A test binary succeeds if it does not have the requested test.
        Some(status) if status.success() && output.contains("running 0 tests") => {
            Some("there is no such test".to_owned())
        }
        Some(status) if status.success() => None,
        Some(status) => Some(panic_line(&output).unwrap_or_else(|| status.to_string())),
        None => {
            child.kill()?;
            child.wait()?;
            Some(format!("does not end in {} s", LIMIT.as_secs()))
        }
    };
    Ok((how, start.elapsed()))
}

/// Place and text of the first panic, such as `queue.rs:120 it has run out`.
fn panic_line(output: &str) -> Option<String> {
    let (place, message) = output.split_once("panicked at ")?.1.split_once(":\n")?;
    let place = place.rsplit('/').next()?.rsplit_once(':')?.0;
    let said = message.lines().next()?.trim_start_matches("assertion `left == right` failed");
    let said = match said.trim_start_matches([':', ' ']) {
        "" => message.lines().skip(1).take(2).map(str::trim).collect::<Vec<_>>().join(", "),
        said => said.to_owned(),
    };
    Some(format!("{place} {said}"))
}
