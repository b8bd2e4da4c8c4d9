//! `renju match` with any brains: openings, seeds, files, interruptions, invalid arguments.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use renju::notation::sgf::Sheet;
use renju::{Ruleset, Seat};

use common::matches::{directory, play, renju, stdout};

/// Games of a directory in order.
fn sheets(directory: &Path) -> Vec<Sheet> {
    let mut paths: Vec<_> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let read = |path| Sheet::read(&fs::read_to_string(path).unwrap(), &Ruleset::ALL[0]).unwrap();
    paths.iter().map(read).collect()
}

/// The Rust starter bot as a brain; built here if only this test file is run.
fn starter() -> String {
    let path = Path::new(env!("CARGO_BIN_EXE_renju")).with_file_name("examples").join("starter");
    if !path.is_file() {
        let built = Command::new(env!("CARGO"))
            .args(["build", "--package", "renju-agent", "--example", "starter"])
            .status();
        assert!(built.unwrap().success());
    }
    format!("piskvork:{}", path.display())
}

#[test]
fn the_same_seed_gives_the_same_games_however_many_are_played_at_once() {
    let mut seen = Vec::new();
    for (name, concurrency) in [("seed-a", "1"), ("seed-b", "3")] {
        let games = directory(name);
        let options = ["-r", "6", "--seed", "5", "--timeout", "60", "--concurrency", concurrency];
        let files = ["--sgf", games.to_str().unwrap()];
        let text = stdout(&play(&[&["house:0", "house:0"], &options[..], &files[..]].concat()));
        let records: Vec<String> =
            sheets(&games).iter().map(|sheet| sheet.record.to_string()).collect();
        assert_eq!(records.len(), 6);
        assert_ne!(records[0], records[1], "each game is another");
        seen.push((text, records));
    }
    assert_eq!(seen[0], seen[1]);
}

#[test]
fn each_opening_is_played_twice_with_colours_swapped() {
    let games = directory("openings");
    let openings = games.with_extension("txt");
    fs::write(&openings, "# two of them\nh8i9g7\n\n  j10 h8, k9 l8\n").unwrap();
    let files = ["--sgf", games.to_str().unwrap(), "--openings", openings.to_str().unwrap()];
    let text = stdout(&play(&[&["house:1", "house:0"], &files[..]].concat()));
    assert!(text.starts_with("Running 4 games between:\n"), "{text}");
    let seen: Vec<_> = sheets(&games)
        .into_iter()
        .map(|sheet| {
            let plays: Vec<String> =
                sheet.record.plays().iter().take(3).map(ToString::to_string).collect();
            (plays.join(" "), sheet.players[Seat::First].clone().unwrap())
        })
        .collect();
    let game = |plays: &str, first: &str| (plays.to_owned(), first.to_owned());
    assert_eq!(
        seen,
        [
            game("h8 i9 g7", "house:1"),
            game("h8 i9 g7", "house:0"),
            game("j10 h8 k9", "house:1"),
            game("j10 h8 k9", "house:0"),
        ]
    );
}

#[test]
fn openings_with_swaps_and_offers_are_played_through() {
    for ruleset in ["renju_taraguchi10_international", "renju_soosorv8", "gomoku_swap2_exact5"] {
        let games = directory(ruleset);
        let options = ["-r", "2", "--ruleset", ruleset, "--sgf", games.to_str().unwrap()];
        let text = stdout(&play(&[&[starter().as_str(), "house:1"], &options[..]].concat()));
        assert!(!text.contains("error"), "{ruleset}: {text}");
        for sheet in sheets(&games) {
            assert_eq!(sheet.record.position().ruleset().id, ruleset);
            assert!(sheet.record.position().outcome().is_some());
        }
    }
}

#[test]
fn the_rust_starter_plays_every_rule_and_every_board_and_beats_chance() {
    for (ruleset, size) in
        [("renju_free", "15"), ("gomoku_exact5", "20"), ("gomoku_freestyle", "7")]
    {
        let options = ["-r", "2", "--alternate", "--ruleset", ruleset, "-b", size];
        let text = stdout(&play(&[&[starter().as_str(), "house:0"], &options[..]].concat()));
        assert!(text.contains("Bot_1_main: 2 rounds won"), "{ruleset} on {size}: {text}");
    }
}

#[test]
fn our_engine_plays_as_a_gomocup_program_and_as_a_brain_with_a_clock() {
    // With a node limit it needs no clock, however busy the machine is.
    let program = concat!("piskvork:", env!("CARGO_BIN_EXE_renju"), " engine --nodes 3000");
    for (one, ruleset, side) in [
        (program, "renju_free", "15"),
        (program, "renju_taraguchi10_rif", "15"),
        (program, "gomoku_exact5", "15"),
        (program, "gomoku_freestyle", "20"),
        (program, "gomoku_swap2_exact5", "20"),
        ("engine:100", "renju_soosorv8", "15"),
        ("engine:100", "gomoku_capture", "19"),
    ] {
        let options = ["-r", "2", "--alternate", "--timeout", "60"];
        let game = ["--ruleset", ruleset, "--board-size", side];
        let text = stdout(&play(&[&[one, "house:0"], &options[..], &game[..]].concat()));
        assert!(text.contains("Bot_1_main: 2 rounds won"), "{one}, {ruleset}, {side}: {text}");
        assert!(!text.contains("error"), "{text}");
    }
}

#[test]
fn a_forfeit_is_a_result_in_sgf_too() {
    let games = directory("forfeits");
    let options = ["-r", "1", "--alternate", "--sgf", games.to_str().unwrap()];
    let text = stdout(&play(&[&["exec:echo nothing", "house:0"], &options[..]].concat()));
    assert!(text.contains("Game 1: player2 wins (error: player1"), "{text}");
    let sheet = sheets(&games).remove(0);
    let result = sheet.result.unwrap();
    assert_eq!((result.winner, result.reason.as_str()), (Some(renju::Color::White), "Forfeit"));
}

#[test]
fn wrong_arguments_are_named() {
    let openings = directory("bad-openings");
    let file = |name: &str, text: &str| {
        fs::write(openings.join(name), text).unwrap();
        openings.join(name).to_str().unwrap().to_owned()
    };
    let (bad, empty) = (file("bad.txt", "h8i9\nh8h8\n"), file("empty.txt", "# none\n"));
    for (arguments, wanted) in [
        (&["nope.py", "house:0"][..], "no such file: nope.py"),
        (&["hause:2", "house:0"], "hause:2"),
        (&["house:0"], "<B>"),
        (&["house:0", "house:0", "-r", "0"], "0 is not in 1..=1000000"),
        (&["house:0", "house:0", "-r", "ten"], "'ten'"),
        (&["house:0", "house:0", "-r", "-5"], "-5 is not in 1..=1000000"),
        (&["house:0", "house:0", "-b", "4"], "4 is not in 5..=20"),
        (&["house:0", "house:0", "-b", "21"], "21 is not in 5..=20"),
        (&["house:0", "house:0", "-b", "19"], "renju_free is not played on a 19×19 board"),
        (&["house:0", "house:0", "--ruleset", "chess"], "there is no ruleset \"chess\""),
        (&["house:0", "house:0", "--timeout", "soon"], "not a number of seconds"),
        (&["house:0", "house:0", "--timeout", "-1"], "0.001 to 86400 seconds"),
        (&["house:0", "house:0", "--timeout", "NaN"], "0.001 to 86400 seconds"),
        (&["house:0", "house:0", "--concurrency", "0"], "0 is not in 1..=256"),
        (&["house:0", "house:0", "--openings", "/nope"], "/nope: "),
        (&["house:0", "house:0", "--openings", &bad], "bad.txt, line 2: h8: h8 is occupied"),
        (&["house:0", "house:0", "--openings", &empty], "empty.txt has no opening"),
        (&["house:0", "house:0", "--sgf", "/dev/null/x"], "/dev/null/x: "),
    ] {
        let output = play(arguments);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && output.stdout.is_empty(), "{arguments:?}");
        assert!(said.contains(wanted), "{arguments:?}: {said}");
    }
}

/// Kills a match while the first bot hangs, and waits for the process that the bot has named in
/// `pid` to end.
fn nothing_outlives_a_killed_match(bot: &str, pid: &Path) {
    let mut child = spawn(&[bot, "house:0", "--timeout", "600", "--alternate"]);
    let until = Instant::now() + Duration::from_secs(30);
    while !pid.exists() {
        assert!(Instant::now() < until, "the bot was not started");
        thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let pid = fs::read_to_string(pid).unwrap();
    let lives = || Command::new("kill").args(["-0", pid.trim()]).output().unwrap().status.success();
    while lives() {
        assert!(Instant::now() < until, "process {pid} was left behind");
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_hung_program_does_not_outlive_a_killed_match() {
    let pid = directory("killed").join("pid");
    // It reads nothing, writes nothing, and its child would run for ten minutes.
    let sleeper =
        format!("exec:sleep 600 & echo $! > {0}.new; mv {0}.new {0}; wait", pid.display());
    nothing_outlives_a_killed_match(&sleeper, &pid);
}

#[test]
fn a_hung_python_bot_and_its_child_do_not_outlive_a_killed_match() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("skipped: there is no python3");
        return;
    }
    let directory = directory("killed-python");
    let (pid, bot) = (directory.join("pid"), directory.join("main.py"));
    let source = format!(
        "import os, subprocess, time\n\
         def get_move(board, color):\n \
         child = subprocess.Popen(['sleep', '600'])\n \
         with open({0:?}, 'w') as file: file.write(str(child.pid))\n \
         os.rename({0:?}, {1:?})\n \
         time.sleep(600)\n",
        directory.join("pid.new"),
        pid
    );
    fs::write(&bot, source).unwrap();
    nothing_outlives_a_killed_match(bot.to_str().unwrap(), &pid);
}

fn spawn(arguments: &[&str]) -> Child {
    renju(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn an_interrupted_match_tells_the_results_so_far() {
    // The second bot stops answering after its first game, which it loses.
    let count = directory("interrupted").join("count");
    let sleeper =
        format!("exec:if [ -e {0} ]; then sleep 600; else touch {0}; echo no; fi", count.display());
    let mut child = spawn(&["house:0", &sleeper, "-r", "50", "--seed", "1", "--timeout", "3"]);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first = lines.by_ref().find(|line| line.as_ref().unwrap().starts_with("Game 1")).unwrap();
    assert!(first.unwrap().starts_with("Game 1: player1 wins (error: "));
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert!(rest.contains(&"FINAL_RESULTS".to_owned()), "{rest:?}");
    let games = rest.iter().filter(|line| line.starts_with("Game ")).count();
    assert!(rest.contains(&format!("Bot_1_main: {} rounds won (house:0)", games + 1)), "{rest:?}");
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{said}");
    assert!(said.contains("interrupted after"), "{said}");
}

#[test]
fn a_reader_that_has_had_enough_is_no_failure() {
    let mut child = spawn(&["house:0", "house:0", "-r", "1000000"]);
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "Running 1000000 games between:\n");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
