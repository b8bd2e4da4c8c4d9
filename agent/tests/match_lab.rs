//! `renju match` as a laboratory: tests, time controls, leagues, resumption, JSON.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use common::matches::{directory, play, renju, stderr, stdout};

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn json_of(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// A Gomocup engine that notes what it is told and fills a row.
fn recorder(home: &Path, name: &str, row: u32) -> String {
    const SCRIPT: &str = r#"
while read -r line; do
  echo "$line" >> "$1"
  case $line in
    START*) echo OK; column=0 ;;
    BEGIN|TURN*|DONE) echo "$column,$2"; column=$((column + 1)) ;;
  esac
done
"#;
    let script = home.join("engine.sh");
    fs::write(&script, SCRIPT).unwrap();
    format!("piskvork:sh {} {} {row}", script.display(), home.join(name).display())
}

#[test]
fn a_test_stops_when_it_is_decided() {
    let home = directory("sprt");
    let summary = home.join("summary.json");
    let test = ["--sprt", "elo0=0,elo1=100,model=logistic", "--seed", "1", "--timeout", "60"];
    let run = |more: &[&str]| play(&[&["house:1", "house:0"], &test[..], more].concat());
    let output = run(&["--json", text(&summary), "--concurrency", "3"]);
    let block = stdout(&output);
    assert_eq!(block, stdout(&run(&["--concurrency", "1"])), "the same games count");
    assert!(block.starts_with("Running up to 100000 games between:\n"), "{block}");
    let said = stderr(&output);
    assert!(said.contains("SPRT elo0=0,elo1=100,alpha=0.05,beta=0.05,model=logistic: LLR "));
    assert!(said.contains("(-2.94 to 2.94), H1 is accepted\n"), "{said}");
    assert!(said.contains("pairs with 0, ½, 1, 1½, 2 points: 0 0 0 0 "), "{said}");
    assert!(!said.contains("interrupted"), "{said}");

    let summary = json_of(&summary);
    assert_eq!(summary["sprt"]["accepted"], "H1");
    assert!(summary["sprt"]["llr"].as_f64().unwrap() >= 2.944);
    let games = summary["games_played"].as_u64().unwrap();
    assert!(games < 60 && games.is_multiple_of(2), "{games}");
    assert_eq!(summary["games"].as_array().unwrap().len() as u64, games);
    let pairs: u64 = summary["encounters"][0]["pairs"]["pentanomial"]
        .as_array()
        .unwrap()
        .iter()
        .map(|count| count.as_u64().unwrap())
        .sum();
    assert_eq!(2 * pairs, games);
}

#[test]
fn a_killed_match_continues_to_the_same_table() {
    let home = directory("resume");
    let file = |name: &str| home.join(name);
    let bots = ["house:0", "house:1", "house:0", "-r", "200", "--ruleset", "gomoku_freestyle"];
    let terms = ["--seed", "3", "--timeout", "60", "--concurrency", "2"];
    let run = |journal: &Path, summary: &Path| {
        let files = ["--resume", text(journal), "--json", text(summary)];
        renju(&[&bots[..], &terms[..], &files[..]].concat())
    };
    let whole: Output = run(&file("whole.jsonl"), &file("whole.json")).output().unwrap();

    // Killed five times, each time some of the 600 games later.
    let journal = file("killed.jsonl");
    let lines = || {
        let bytes = fs::read(&journal).unwrap_or_default();
        bytes.iter().filter(|byte| **byte == b'\n').count()
    };
    for kill in 1..=5 {
        let mut command = run(&journal, &file("killed.json"));
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let until = Instant::now() + Duration::from_secs(60);
        while lines() < 40 * kill {
            assert!(Instant::now() < until, "{} games in a minute", lines());
            thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        assert_eq!(child.wait().unwrap().signal(), Some(9), "it ended before it was killed");
        // A kill in the middle of a write leaves a part of a line, even of a character.
        let mut torn = fs::read(&journal).unwrap();
        torn.extend_from_slice(b"{\"game\":600,\"first\":\"\xc3");
        fs::write(&journal, torn).unwrap();
    }
    let resumed = run(&journal, &file("killed.json")).output().unwrap();
    assert_eq!(stdout(&resumed), stdout(&whole));
    assert_eq!(stderr(&resumed), stderr(&whole));
    assert_eq!(json_of(&file("killed.json")), json_of(&file("whole.json")));

    // A finished match plays no game again.
    let length = fs::metadata(&journal).unwrap().len();
    assert_eq!(stdout(&run(&journal, &file("again.json")).output().unwrap()), stdout(&whole));
    assert_eq!(fs::metadata(&journal).unwrap().len(), length);
}

#[test]
fn a_match_continues_with_the_seed_it_began_with() {
    let home = directory("resume-seed");
    let journal = home.join("match.jsonl");
    let run = |more: &[&str]| {
        let arguments = ["house:0", "house:0", "--timeout", "60", "--resume", text(&journal)];
        play(&[&arguments[..], more].concat())
    };
    let four = stdout(&run(&["-r", "4"]));
    let six = stdout(&run(&["-r", "6"]));
    let games = |text: &str| -> Vec<String> {
        text.lines().filter(|line| line.starts_with("Game ")).map(str::to_owned).collect()
    };
    assert_eq!(games(&six)[..4], games(&four));
    assert_eq!(games(&six).len(), 6);
}

#[test]
fn a_file_of_another_match_is_refused_and_left_alone() {
    let home = directory("resume-other");
    let (journal, notes) = (home.join("match.jsonl"), home.join("notes.txt"));
    let resume = ["--resume", text(&journal)];
    stdout(&play(&[&["house:0", "house:0", "-r", "2", "--seed", "1"], &resume[..]].concat()));
    let before = fs::read(&journal).unwrap();
    fs::write(&notes, "remember the milk\n").unwrap();
    for (arguments, wanted) in [
        (&["house:0", "house:0", "--seed", "2"][..], "seed is 1 there and 2 here"),
        (&["house:0", "house:1"], ": bots is ["),
        (&["house:0", "house:0", "--draw-after", "9"], "draw_after is null there and 9 here"),
        (&["house:0", "house:0", "--ruleset", "gomoku_exact5"], "ruleset is \"renju_free\" there"),
    ] {
        let output = play(&[arguments, &resume[..]].concat());
        let said = stderr(&output);
        assert!(!output.status.success() && output.stdout.is_empty(), "{arguments:?}");
        assert!(said.contains("is of another match: ") && said.contains(wanted), "{said}");
        assert_eq!(fs::read(&journal).unwrap(), before);
    }
    let output = play(&["house:0", "house:0", "--resume", text(&notes)]);
    assert!(stderr(&output).contains("notes.txt, line 1: not written by renju match"));
    assert_eq!(fs::read_to_string(&notes).unwrap(), "remember the milk\n");

    // A game that the terms do not have.
    let forged = String::from_utf8(before).unwrap().replace("\"game\":2", "\"game\":0");
    fs::write(&journal, forged).unwrap();
    let output = play(&[&["house:0", "house:0", "-r", "2"], &resume[..]].concat());
    assert!(stderr(&output).contains("has a game 0 that is not one of this match"));
}

#[test]
fn two_matches_do_not_write_one_file() {
    let home = directory("resume-twice");
    let (journal, started) = (home.join("match.jsonl"), home.join("started"));
    let sleeper = format!("exec:touch {}; sleep 600", started.display());
    let arguments =
        [&sleeper, "house:0", "--alternate", "--timeout", "600", "--resume", text(&journal)];
    let mut first = renju(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let until = Instant::now() + Duration::from_secs(30);
    while !started.exists() {
        assert!(Instant::now() < until, "the first match did not start");
        thread::sleep(Duration::from_millis(10));
    }
    let second = play(&arguments);
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(!second.status.success() && second.stdout.is_empty());
    let said = stderr(&second);
    assert!(said.contains("match.jsonl: another match is writing this file"), "{said}");
}

#[test]
fn an_engine_is_told_its_clock_its_nodes_and_its_options() {
    let home = directory("told");
    let settings = ["--tc", "60/2+0.5", "--tc", "2:0/3", "--nodes", "1:5000"];
    let options = ["--option", "thread_num=2", "--option", "2:net=a b", "--draw-after", "6"];
    let bots = [recorder(&home, "one", 0), recorder(&home, "two", 7)];
    let output = play(
        &[
            &[bots[0].as_str(), bots[1].as_str(), "-r", "1", "--alternate"],
            &settings[..],
            &options[..],
            &["--ruleset", "gomoku_freestyle"],
        ]
        .concat(),
    );
    let block = stdout(&output);
    assert!(block.contains("Game 1: draw wins\n"), "{block}{}", stderr(&output));
    let told = |name: &str| fs::read_to_string(home.join(name)).unwrap();
    for line in [
        "INFO timeout_match 60000",
        "INFO time_increment 500",
        "INFO max_node 5000",
        "INFO thread_num 2",
        "INFO timeout_turn 1800",
    ] {
        assert!(told("one").lines().any(|said| said == line), "{line}: {}", told("one"));
    }
    assert!(!told("one").contains("net"));
    for line in ["INFO timeout_match 0", "INFO thread_num 2", "INFO net a b"] {
        assert!(told("two").lines().any(|said| said == line), "{line}: {}", told("two"));
    }
    assert!(!told("two").contains("max_node"));
    let left: Vec<u64> = told("one")
        .lines()
        .filter_map(|line| line.strip_prefix("INFO time_left ")?.parse().ok())
        .collect();
    // It answers in less than the increment, so its clock rises.
    assert!(left.len() == 3 && left[0] < 60_000 && left[1] > 60_000, "{left:?}");
}

#[test]
fn a_bot_that_uses_up_its_time_for_the_game_loses() {
    // A fifth of a second for each move, and one second for all of them.
    let slow = "exec:sleep 0.2; python3 -c 'import json,sys; print(json.dumps(json.load(sys.stdin)[\"legal_moves\"][0]))'";
    let home = directory("clock");
    let summary = home.join("summary.json");
    let output = play(&[
        slow,
        "house:0",
        "-r",
        "1",
        "--alternate",
        "--tc",
        "1:1/5",
        "--seed",
        "1",
        "--json",
        text(&summary),
    ]);
    let block = stdout(&output);
    let wanted = "Game 1: player2 wins (error: player1 used up its 1 s for the game)";
    assert!(block.contains(wanted), "{block}");
    assert!(stderr(&output).contains("player1 lost 1 by time, 0 by illegal moves, 0 by crashes"));
    let forfeits = &json_of(&summary)["players"][0]["forfeits"];
    assert_eq!(forfeits, &json!({"time": 1, "illegal": 0, "crash": 0}));
}

#[test]
fn forfeits_are_counted_by_cause() {
    let home = directory("forfeits-by-cause");
    let bots = ["house:0", "exec:echo h99", "exec:exit 3", "exec:sleep 600"];
    let options = ["-r", "2", "--gauntlet", "--timeout", "1", "--seed", "1", "--json", "-"];
    let output = renju(&[&bots[..], &options[..]].concat()).current_dir(&home).output().unwrap();
    let summary: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let forfeits: Vec<&Value> =
        summary["players"].as_array().unwrap().iter().map(|player| &player["forfeits"]).collect();
    let counted = |time: u32, illegal: u32, crash: u32| json!({"time": time, "illegal": illegal, "crash": crash});
    assert_eq!(
        forfeits,
        [&counted(0, 0, 0), &counted(0, 2, 0), &counted(0, 0, 2), &counted(2, 0, 0)]
    );
    assert_eq!(summary["players"][0]["wins"], 6);
    assert_eq!(fs::read_dir(&home).unwrap().count(), 0, "- is not a file");
}

#[test]
fn a_league_has_a_table_and_a_result_for_everyone() {
    let bots = ["house:0", "house:2", "house:1"];
    let options = ["-r", "4", "--seed", "1", "--timeout", "60", "--ruleset", "gomoku_freestyle"];
    let output = play(&[&bots[..], &options[..]].concat());
    let block = stdout(&output);
    assert!(block.starts_with(
        "Running 12 games between:\n  Player 1: house:0\n  Player 2: house:2\n  Player 3: house:1\n"
    ));
    assert!(block.contains("Game 1 (player1, player2): "), "{block}");
    assert!(block.contains("Game 4 (player3, player1): "), "{block}");
    let won = |player: u32| -> u32 {
        let start = format!("Bot_{player}_main: ");
        let line = block.lines().find_map(|line| line.strip_prefix(&start)).unwrap();
        line.split(' ').next().unwrap().parse().unwrap()
    };
    assert!(won(2) > won(1), "{block}");
    let said = stderr(&output);
    let rows: Vec<&str> = said.lines().filter(|line| line.starts_with("player")).collect();
    assert!(rows[0].starts_with("player2 (house:2)"), "{said}");
    assert_eq!(said.matches(" against player").count(), 3, "{said}");
}

#[test]
fn gomocup_openings_are_played_in_an_order_of_the_seed() {
    let home = directory("offsets");
    let openings = home.join("openings.txt");
    fs::write(&openings, "0,0, 1,-1, -1,-1\n# by name\nh8h9h10\n2,2, 3,3\n").unwrap();
    let starts = |name: &str, more: &[&str]| -> Vec<String> {
        let games = home.join(name);
        let files = ["--openings", text(&openings), "--sgf", text(&games)];
        let arguments = ["house:0", "house:0", "--timeout", "60"];
        stdout(&play(&[&arguments[..], &files[..], more].concat()));
        (1..=6)
            .map(|number| {
                let sheet = fs::read_to_string(games.join(format!("game-{number:04}.sgf")));
                let sheet = sheet.unwrap();
                let moves: Vec<&str> = sheet.split(';').skip(2).take(2).collect();
                moves.concat().split_whitespace().collect()
            })
            .collect()
    };
    let order = starts("order", &["--seed", "1"]);
    assert_eq!(order[0], order[1], "both games of a pair have the same opening");
    assert!(order[0] != order[2] && order[2] != order[4], "{order:?}");
    let shuffled: Vec<Vec<String>> = (1..=4)
        .map(|seed| starts("shuffled", &["--shuffle", "--seed", &seed.to_string()]))
        .collect();
    assert_eq!(shuffled[0], starts("again", &["--shuffle", "--seed", "1"]));
    assert!(shuffled.iter().any(|other| *other != order), "{shuffled:?}");
}

#[test]
fn settings_that_do_not_fit_are_named() {
    for (arguments, wanted) in [
        (
            &["house:0", "house:0", "--nodes", "5"][..],
            "player1 is house:0: it has no limit of nodes",
        ),
        (&["engine:5", "house:0", "--nodes", "5"], "player2 is house:0: it has no limit of nodes"),
        (&["engine:5", "house:0", "--option", "1:a=b"], "player1 is engine:5: it has no option a"),
        (&["engine:5", "house:0", "--nodes", "3:5"], "--nodes names player3, but there are 2 bots"),
        (
            &["house:0", "piskvork:none", "--ruleset", "gomoku_capture"],
            "piskvork:none: the Gomocup protocol has no captures",
        ),
        (&["house:0", "house:0", "--tc", "0"], "such as 0/5"),
        (&["house:0", "house:0", "--tc", "1:x/5"], "\"x\" is not a number of seconds"),
        (&["house:0", "house:0", "--sprt", "elo1=0"], "elo0 must be below elo1"),
        (&["house:0", "house:0", "--sprt", "elo1=5", "-r", "7"], "7 games are not pairs"),
        (&["house:0", "house:0", "house:0", "-r", "3"], "3 games are not pairs"),
        (&["house:0", "house:0", "house:0", "--sprt", "elo1=5"], "--sprt compares two bots"),
        (&["house:0", "house:0", "--shuffle"], "--openings"),
        (&["house:0"; 65], "unexpected value 'house:0' for '[C]...'"),
        (&["house:0", "house:0", "--draw-after", "0"], "0 is not in 1..=1000"),
        (&["house:0", "house:0", "--nodes", "0"], "'0'"),
        (&["house:0", "house:0", "--json", "/nope/x.json"], "/nope/x.json: "),
        (&["house:0", "house:0", "--resume", "/nope/x.jsonl"], "/nope/x.jsonl: "),
    ] {
        let output = play(arguments);
        let said = stderr(&output);
        assert!(!output.status.success() && output.stdout.is_empty(), "{arguments:?}");
        assert!(said.contains(wanted), "{arguments:?}: {said}");
    }
}
