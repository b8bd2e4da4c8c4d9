//! `renju analyze` through the binary: text, JSON, comments in SGF, and files that are no games.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use renju::notation::sgf::Sheet;
use renju::{Record, Ruleset};
use serde_json::Value;

fn ruleset(id: &str) -> &'static Ruleset {
    Ruleset::find(id).unwrap()
}

/// A folder of this test with the game as `game.sgf`.
fn folder(name: &str, id: &str, plays: &str) -> (PathBuf, Sheet) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("analyze-{name}"));
    fs::create_dir_all(&folder).unwrap();
    let sheet = Sheet::new(Record::parse(ruleset(id), ruleset(id).size, plays).unwrap());
    fs::write(folder.join("game.sgf"), sheet.write()).unwrap();
    (folder, sheet)
}

fn analyze(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_renju"));
    command.current_dir(folder).arg("analyze").args(arguments).output().unwrap()
}

fn printed(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

const MISSED: &str = "h8 h9 i8 i9 j8 j9 a1";

#[test]
fn mistakes_are_named_in_text() {
    let (folder, _) = folder("text", "renju_free", MISSED);
    let text = printed(&analyze(&folder, &["game.sgf", "--nodes", "2000"]));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 1 + 7 + 2, "{text}");
    assert!(lines[6].contains("white  j9") && lines[6].ends_with("blunder"), "{text}");
    assert!(lines[7].contains("wins in 2") && lines[7].ends_with("missed win"), "{text}");
    assert!(lines[8].starts_with("black: accuracy ") && lines[8].ends_with("mistakes 1"), "{text}");
}

#[test]
fn json_has_every_move() {
    let (folder, _) = folder("json", "renju_free", MISSED);
    let text = printed(&analyze(&folder, &["game.sgf", "--json", "--nodes", "2000"]));
    let view: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(view["moves"].as_array().unwrap().len(), 7);
    assert_eq!(view["moves"][6]["judgement"], "missed-win");
    assert_eq!(view["moves"][6]["chance_before"], 1.0);
    assert_eq!(view["ruleset"], "renju_free");
    assert!(view["accuracy"]["black"].as_u64().unwrap() <= 100);
}

#[test]
fn the_game_with_comments_is_still_the_game() {
    let plays = "h8 a1 i8 put-two a2 j8 keep a3 k8";
    let (folder, sheet) = folder("sgf", "gomoku_swap2", plays);
    analyze(&folder, &["game.sgf", "--nodes", "500", "--sgf", "out.sgf"]);
    let text = fs::read_to_string(folder.join("out.sgf")).unwrap();
    assert!(text.contains("blunder") && text.contains("; best "), "{text}");
    assert_eq!(Sheet::read(&text, ruleset("renju_free")), Ok(sheet));
}

#[test]
fn a_file_that_is_no_game_is_refused_with_a_sentence() {
    let (folder, _) = folder("bad", "renju_free", "h8");
    fs::write(folder.join("bad.sgf"), "(;B[hh];B[hh])").unwrap();
    for (arguments, why) in [
        (&["missing.sgf"][..], "renju: missing.sgf: "),
        (&["bad.sgf"], "renju: line 1, column"),
        (&["game.sgf", "--ruleset", "chess"], "renju: there is no ruleset \"chess\""),
        (&["game.sgf", "--sgf", "no/such/folder.sgf"], "renju: no/such/folder.sgf: "),
    ] {
        let output = analyze(&folder, arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && error.starts_with(why), "{error}");
    }
}
