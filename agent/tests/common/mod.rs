//! Shared code of several test files: the vector files, the real binary, a small arena.
#![allow(dead_code, reason = "each test file uses a part")]

#[cfg(unix)]
pub(crate) mod arena;
#[cfg(unix)]
pub(crate) mod matches;

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};

use flate2::read::GzDecoder;
use renju::Point;
use serde_json::Value;

/// The rows of `tests/data/<name>.jsonl.gz`.
pub(crate) fn rows(name: &str) -> impl Iterator<Item = Value> {
    let path = format!("{}/tests/data/{name}.jsonl.gz", env!("CARGO_MANIFEST_DIR"));
    let lines = BufReader::new(GzDecoder::new(File::open(path).unwrap())).lines();
    lines.map(|line| serde_json::from_str(&line.unwrap()).unwrap())
}

/// The position without its answer.
pub(crate) fn strip_marks(solved: &str) -> String {
    solved.replace(['3', '4', '5', '6'], ".")
}

/// The place of a point in the string of a 15×15 board.
pub(crate) fn at(name: &str) -> usize {
    name.parse::<Point>().unwrap().index(15)
}

/// `renju check`, waiting for lines.
pub(crate) fn checker() -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_renju"));
    let command = command.arg("check").stdin(Stdio::piped()).stdout(Stdio::piped());
    command.stderr(Stdio::piped()).spawn().unwrap()
}

/// Answer of `renju check` to `input`, and its exit code.
pub(crate) fn ask_binary(input: &[u8]) -> (String, Option<i32>) {
    let mut child = checker();
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = String::new();
    std::thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(input).unwrap());
        child.stdout.take().unwrap().read_to_string(&mut answers).unwrap();
    });
    (answers, child.wait().unwrap().code())
}

/// The lines of a conversation that are sent.
pub(crate) fn sent_lines(conversation: &str) -> Vec<&str> {
    let sent = conversation.lines().filter_map(|line| line.strip_prefix('>'));
    sent.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect()
}
