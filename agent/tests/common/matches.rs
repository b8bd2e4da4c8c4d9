//! `renju match` as a process.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub(crate) fn renju(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_renju"));
    command.arg("match").args(arguments);
    command
}

pub(crate) fn play(arguments: &[&str]) -> Output {
    renju(arguments).output().unwrap()
}

/// Standard output of a match that succeeded.
pub(crate) fn stdout(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// An empty directory for one test.
pub(crate) fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}
