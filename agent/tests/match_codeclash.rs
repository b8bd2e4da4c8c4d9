//! `renju match` with Python bots, parsed as CodeClash parses its own engine.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use serde_json::{Value, json};

use common::matches::{directory, stdout};

/// CodeClash's own patterns, applied to the output.
const READER: &str = r#"
import json, re, sys
text = sys.stdin.read()
last = text.split("FINAL_RESULTS")[-1]
won = {m[1]: int(m[2]) for m in re.finditer(r"Bot_(\d)_main:\s(\d+)\srounds\swon", last)}
print(json.dumps({"won": won, "draws": int(re.search(r"Draws:\s(\d+)", text)[1])}))
"#;

/// The interpreter itself, not a wrapper script that is slow to start. If there is none the test is
/// skipped.
fn python() -> Option<&'static str> {
    static PYTHON: LazyLock<Option<String>> = LazyLock::new(|| {
        let asked =
            Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output();
        Some(String::from_utf8(asked.ok()?.stdout).ok()?.trim().to_owned())
    });
    if PYTHON.is_none() {
        eprintln!("skipped: there is no python3");
    }
    PYTHON.as_deref()
}

/// `renju match` in the directory of the test data, where the bots are `match/*.py`. The timeout is
/// long enough for a busy machine.
fn play(arguments: &[&str]) -> Output {
    play_within("60", arguments)
}

fn play_within(timeout: &str, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_renju"))
        .args(["match", "--timeout", timeout])
        .args(arguments)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("RENJU_PYTHON", python().unwrap())
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data"))
        .output()
        .unwrap()
}

/// Rounds won by either bot, and draws, as CodeClash counts them.
fn results(text: &str) -> (u64, u64, u64) {
    let mut reader = Command::new(python().unwrap())
        .args(["-c", READER])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    reader.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let read = reader.wait_with_output().unwrap();
    let read: Value = serde_json::from_slice(&read.stdout).unwrap();
    let number = |value: &Value| value.as_u64().unwrap();
    (number(&read["won"]["1"]), number(&read["won"]["2"]), number(&read["draws"]))
}

/// Checks that the bot wins its games as Black, and loses each game as White with this error, and
/// that all else is as usual.
fn loses_only_its_own_game(bot: &str, rounds: u32, timeout: &str, error: &str) {
    if python().is_none() {
        return;
    }
    let path = format!("match/{bot}.py");
    let rounds_text = rounds.to_string();
    let options = ["-r", &rounds_text, "--alternate"];
    let text = stdout(&play_within(timeout, &[&[&path, "match/honest.py"], &options[..]].concat()));
    let lines: Vec<&str> = text.lines().collect();
    let mut wanted = vec![
        format!("Running {rounds} games between:"),
        format!("  Player 1: {path}"),
        "  Player 2: match/honest.py".to_owned(),
        String::new(),
    ];
    wanted.extend((1..=rounds).map(|game| match game % 2 {
        1 => format!("Game {game}: player1 wins"),
        _ => format!("Game {game}: player2 wins (error: player1"),
    }));
    let half = rounds / 2;
    wanted.extend([
        String::new(),
        "FINAL_RESULTS".to_owned(),
        format!("Bot_1_main: {half} rounds won (match)"),
        format!("Bot_2_main: {half} rounds won (match)"),
        "Draws: 0".to_owned(),
    ]);
    assert_eq!(lines.len(), wanted.len(), "{text}");
    for (line, wanted) in lines.iter().zip(&wanted) {
        if wanted.contains("(error: ") {
            assert!(line.starts_with(wanted) && line.contains(error), "{line}");
        } else {
            assert_eq!(line, wanted, "{text}");
        }
    }
    assert_eq!(results(&text), (half.into(), half.into(), 0));
}

#[test]
fn the_block_is_codeclashs_to_the_letter() {
    if python().is_none() {
        return;
    }
    let output = play(&["match/honest.py", "match/../match/honest.py", "-r", "3", "--alternate"]);
    let wanted = "\
Running 3 games between:
  Player 1: match/honest.py
  Player 2: match/../match/honest.py

Game 1: player1 wins
Game 2: player2 wins
Game 3: player1 wins

FINAL_RESULTS
Bot_1_main: 2 rounds won (match)
Bot_2_main: 1 rounds won (match)
Draws: 0
";
    assert_eq!(stdout(&output), wanted);
    let remarks = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        remarks,
        "player1 against player2: 2 wins, 0 draws, 1 loss\n\
         Elo difference: +120 (95 %: above -351)\n"
    );
}

#[test]
fn ten_rounds_are_read_with_codeclashs_pattern() {
    if python().is_none() {
        return;
    }
    let text = stdout(&play(&["match/honest.py", "match/honest.py", "-r", "10", "--seed", "1"]));
    let (one, two, draws) = results(&text);
    assert_eq!((one + two, draws), (10, 0));
    assert!(one > 0 && two > 0, "ten lots that fall alike: {text}");
}

#[test]
fn a_bot_that_returns_a_text_loses_only_its_own_game() {
    loses_only_its_own_game("wrong_type", 10, "60", " returned invalid move format: h8)");
}

#[test]
fn a_bot_that_plays_on_a_stone_loses_only_its_own_game() {
    loses_only_its_own_game("occupied", 4, "60", " made invalid move: (0, 0))");
}

#[test]
fn a_bot_that_plays_beside_the_board_loses_only_its_own_game() {
    loses_only_its_own_game("off_board", 4, "60", " made invalid move: (-1, 15))");
}

#[test]
fn a_bot_that_raises_loses_only_its_own_game_and_its_message_is_no_result() {
    loses_only_its_own_game("raises", 4, "60", " raised exception: Draws:99 FINAL_RESULTS");
}

#[test]
fn a_bot_that_hangs_loses_only_its_own_game() {
    loses_only_its_own_game("hangs", 2, "8", " gave no answer in 8 s)");
}

#[test]
fn a_bot_that_prints_results_loses_only_its_own_game() {
    loses_only_its_own_game("prints", 4, "60", "Draws:99");
}

#[test]
fn a_bot_that_exits_loses_only_its_own_game() {
    loses_only_its_own_game("exits", 4, "60", "SystemExit");
}

#[test]
fn a_bot_that_ends_its_process_loses_only_its_own_game() {
    loses_only_its_own_game("ends", 4, "60", "the bot is gone");
}

#[test]
fn a_bot_that_cannot_be_loaded_loses_every_game() {
    if python().is_none() {
        return;
    }
    let text = stdout(&play(&["match/honest.py", "match/unloadable.py", "-r", "3"]));
    assert_eq!(results(&text), (3, 0, 0));
    assert_eq!(text.matches("(error: Failed to load player2: ").count(), 3, "{text}");
}

/// Plays six games and counts how often Python is started. `customize` runs in Python first.
fn starts_in_six_games(name: &str, customize: &str) -> Option<usize> {
    let python = python()?;
    let home = directory(name);
    let (wrapper, starts) = (home.join("python"), home.join("starts"));
    fs::write(home.join("sitecustomize.py"), customize).unwrap();
    let script = format!("#!/bin/sh\necho >> {}\nexec {python} \"$@\"\n", starts.display());
    fs::write(&wrapper, script).unwrap();
    fs::set_permissions(&wrapper, fs::Permissions::from_mode(0o700)).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_renju"))
        .args(["match", "match/honest.py", "match/honest.py", "--alternate"])
        .args(["-r", "6", "--timeout", "60"])
        .env("RENJU_PYTHON", &wrapper)
        .env("PYTHONPATH", &home)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data"))
        .output();
    assert_eq!(results(&stdout(&output.unwrap())), (3, 3, 0));
    Some(fs::read_to_string(starts).unwrap().lines().count())
}

#[test]
fn python_is_started_once_for_each_bot() {
    if let Some(starts) = starts_in_six_games("starts", "") {
        assert_eq!(starts, 2);
    }
}

#[test]
fn python_that_cannot_fork_is_started_for_each_game() {
    if let Some(starts) = starts_in_six_games("no-fork", "import os\ndel os.fork\n") {
        assert_eq!(starts, 12);
    }
}

#[test]
fn a_full_board_is_a_draw_and_a_draw_wins() {
    if python().is_none() {
        return;
    }
    let text = stdout(&play(&["match/drawn.py", "match/drawn.py", "-r", "2", "-b", "5"]));
    assert!(text.contains("\nGame 1: draw wins\nGame 2: draw wins\n\nFINAL_RESULTS\n"), "{text}");
    assert_eq!(results(&text), (0, 0, 2));
}

#[test]
fn the_log_of_a_game_has_the_fields_of_codeclash() {
    if python().is_none() {
        return;
    }
    let logs = directory("codeclash-logs");
    let honest = "match/honest.py";
    let arguments = ["match/occupied.py", honest, "-r", "2", "-b", "19", "--alternate"];
    stdout(&play(&[&arguments[..], &["--output-dir", logs.to_str().unwrap()]].concat()));
    let mut paths: Vec<_> =
        fs::read_dir(&logs).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let name = paths[0].file_name().unwrap().to_str().unwrap();
    // log-20251218_154025_123.json
    let shape: String = name.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    assert_eq!((shape.as_str(), paths.len()), ("log-00000000_000000_000.json", 2));
    let mut games: Vec<Value> = paths
        .iter()
        .map(|path| serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap())
        .collect();
    for game in &mut games {
        let time = game["timestamp"].take();
        assert_eq!(time.as_str().unwrap().len(), "2025-12-18 15:40:25".len());
    }
    let moves: Vec<Value> = (0..9)
        .map(|index| {
            let (player, row) = if index % 2 == 0 { ("black", 0) } else { ("white", 18) };
            json!({"move_number": index + 1, "player": player, "x": row, "y": index / 2})
        })
        .collect();
    let player = |name: &str, path: &str| json!({"name": name, "path": path});
    let one = player("player1", "match/occupied.py");
    let two = player("player2", honest);
    let first = json!({
        "game_number": 1, "timestamp": null, "board_size": 19,
        "players": {"black": one, "white": two},
        "winner": "player1", "error": null, "moves": moves,
    });
    let second = json!({
        "game_number": 2, "timestamp": null, "board_size": 19,
        "players": {"black": two, "white": one},
        "winner": "player2", "error": "player1 made invalid move: (0, 0)",
        "moves": moves[..1],
    });
    assert_eq!(games, [first, second]);
}

#[test]
fn the_starter_bot_wins_and_blocks() {
    if python().is_none() {
        return;
    }
    let starter = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/starter.py");
    let text = stdout(&play(&[starter, "match/honest.py", "-r", "6", "--alternate"]));
    assert_eq!(results(&text), (6, 0, 0), "{text}");
    let text = stdout(&play(&[starter, starter, "-r", "2", "-b", "19", "--concurrency", "2"]));
    assert!(!text.contains("error"), "{text}");
}
