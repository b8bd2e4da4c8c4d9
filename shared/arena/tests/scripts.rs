//! Matches as scripts: one submission a line, its outcome beside it.
//!
//! ```text
//! game renju_free fast       a new game: alice has the first seat, bob the second
//! alice 0 place h8  → …      accepted; the idempotency key is the line itself, or key=…
//! alice 0 place h8  = …      accepted before, with the state of then
//! bob 0 place i9    ! …      rejected: the code and what it says
//! play h8 keep i9   → …      several plays, each by the player to act
//! +61s  -3s  +10ms           time passes, or a clock is behind
//! show clock        → …      what can be seen, from the start of the game
//! ```
//!
//! `UPDATE_EXPECT=1 cargo test -p arena --test scripts` rewrites the outcomes.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "scripts/driver.rs"]
mod driver;
mod fixtures;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use arena::Pool;
use driver::Match;

/// A script's line as its command and the outcome it expects.
fn split(line: &str) -> (&str, &str) {
    let marks = [" →", " !", " ="];
    let end = marks.iter().filter_map(|mark| line.find(mark)).min().unwrap_or(line.len());
    (line[..end].trim_end(), line[end..].trim())
}

/// Runs a script and returns it with the outcomes it has.
fn run(script: &str) -> String {
    const WIDTH_MAX: usize = 32;
    let commands = || script.lines().map(|line| split(line).0);
    let is_note = |line: &str| line.is_empty() || line.starts_with('#');
    let widths = commands().filter(|line| !is_note(line)).map(|line| line.chars().count());
    let width = widths.filter(|&width| width <= WIDTH_MAX).max().unwrap_or(0);

    let mut game = Match::new("gomoku_freestyle", Pool::Fast);
    let mut text = String::new();
    for line in script.lines() {
        let command = if is_note(line) { line } else { split(line).0 };
        match Some(command).filter(|line| !is_note(line)).and_then(|command| game.run(command)) {
            Some(outcome) => writeln!(text, "{command:width$}  {outcome}").unwrap(),
            None => writeln!(text, "{command}").unwrap(),
        }
    }
    text
}

/// Compares a script with its outcomes, word by word: columns do not matter.
fn check(title: &str, script: &str) -> String {
    let actual = run(script);
    for (n, (line, actual)) in script.lines().zip(actual.lines()).enumerate() {
        assert!(
            line.split_whitespace().eq(actual.split_whitespace()),
            "{title}:{}\n  expected  {line}\n  actual    {actual}\n(UPDATE_EXPECT=1 rewrites)",
            n + 1
        );
    }
    actual
}

fn scripts() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|end| end == "txt")).collect();
    paths.sort();
    paths
}

#[test]
fn every_script_plays_as_written() {
    for path in scripts() {
        let script = fs::read_to_string(&path).unwrap();
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&path, run(&script)).unwrap();
        } else {
            check(&path.display().to_string(), &script);
        }
    }
}

#[test]
fn every_rejection_and_every_ending_has_a_scenario() {
    let text: String = scripts().iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let words: BTreeSet<&str> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(|line| split(line).1.split([' ', ',']))
        .collect();
    // No ruleset we play has a board without a legal move; a full one has its own test below.
    let codes = "idempotency_key_reused game_over turn_mismatch already_applied not_your_turn \
                 deadline_passed illegal_move not_overdue";
    let endings = "five overline double_four double_three pairs resignation timeout no_show";
    for word in codes.split(' ').chain(endings.split(' ')) {
        assert!(words.contains(word), "no script shows {word}");
    }
}

#[test]
fn a_full_board_is_a_draw_and_rated() {
    let mut game = Match::new("gomoku_exact5", Pool::Fast);
    let mut outcome = String::new();
    for point in fixtures::full_board() {
        outcome = game.run(&format!("play {point}")).unwrap();
    }
    assert_eq!(outcome, "→ nobody wins, board_full, rated");
    assert_eq!(game.run("alice resign").unwrap(), "! game_over");
}
