//! `renju bench fouls`: one JSON line, or one line with the error.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use renju_agent::bench;

fn error_of(name: &str, text: &str) -> String {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, text).unwrap();
    let error = bench::fouls(&file).unwrap_err().to_string();
    error.strip_prefix(env!("CARGO_TARGET_TMPDIR")).unwrap().to_owned()
}

#[test]
fn boards_and_solved_positions_are_measured_alike() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("good.jsonl");
    let empty = ".".repeat(224);
    let rows = format!("{{\"id\":1,\"p\":\"{empty}3\"}}\n{{\"board\":\"x{empty}\"}}\n");
    std::fs::write(&file, rows).unwrap();
    let figures = bench::fouls(&file).unwrap();
    assert_eq!((figures.positions, figures.best_of), (2, 5));
    assert!(figures.ns_per_board > 0.0 && figures.ns_per_board_with_setup > 0.0);
    let line: serde_json::Value = serde_json::from_str(&figures.to_string()).unwrap();
    assert_eq!(line["positions"], 2);
    assert!(line["ns_per_point"].is_number());
}

#[test]
fn the_gzipped_vector_file_is_read() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_renju"))
        .args(["bench", "fouls"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/renju_forbidden.jsonl.gz"))
        .output()
        .unwrap();
    assert!(output.status.success());
    let line: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(line["positions"], 20_000);
}

#[test]
fn bad_files_are_named_with_the_line() {
    assert_eq!(error_of("empty.jsonl", ""), "/empty.jsonl has no position");
    assert_eq!(
        error_of("short.jsonl", "{\"p\":\"x\"}"),
        "/short.jsonl, line 1: the board has 1 characters, not 225"
    );
    assert_eq!(error_of("bare.jsonl", "{}"), "/bare.jsonl, line 1: expected board or p");
    let marked = format!("{{\"board\":\"{}3\"}}", ".".repeat(224));
    assert_eq!(
        error_of("marked.jsonl", &marked),
        "/marked.jsonl, line 1: '3' (character 225) is not one of . x o"
    );
    assert!(error_of("plain.jsonl.gz", "{}").starts_with("/plain.jsonl.gz cannot be read: "));
    let missing = bench::fouls(Path::new("/no/such/file")).unwrap_err().to_string();
    assert!(missing.starts_with("/no/such/file cannot be read: "));
}
