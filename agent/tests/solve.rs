//! `renju solve`: the puzzle sets through the real program, every line and tree checked by the rules.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Command, Output, Stdio};

use flate2::read::GzDecoder;
use renju::{Board, Color, Play, Point, Position, Ruleset};
use renju_engine::{Proof, Step};
use serde_json::Value;

const PUZZLES: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/engine/tests/vcf_puzzles.jsonl.gz");

const THREATS: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/engine/tests/vct_puzzles.jsonl.gz");

fn solve(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_renju"))
        .arg("solve")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_owned()).unwrap()
}

/// Lines of the answer, without the times.
fn lines(output: &Output) -> Vec<String> {
    let timeless = |line: &str| line.split(" (").next().unwrap().to_owned();
    text(&output.stdout).lines().map(timeless).collect()
}

fn points(value: &Value) -> Vec<Point> {
    value.as_array().unwrap().iter().map(|name| name.as_str().unwrap().parse().unwrap()).collect()
}

/// Points at which the colour to move wins at once.
fn wins(position: &Position) -> Vec<Point> {
    let me = position.to_move();
    let after = |&point: &Point| position.play(Play::Place(point)).unwrap().outcome();
    let won = |point: &Point| after(point).is_some_and(|outcome| outcome.winner == Some(me));
    position.board().empty_points().filter(won).collect()
}

/// The same stones with the other colour to move.
fn passed(position: &Position) -> Position {
    let (ruleset, to_move) = (position.ruleset(), !position.to_move());
    Position::analysis(ruleset, *position.board(), to_move, position.pairs()).unwrap()
}

/// The position of a puzzle.
fn position(puzzle: &Value) -> Position {
    let mut board = Board::new(15);
    for (name, color) in [("black", Color::Black), ("white", Color::White)] {
        points(&puzzle[name]).into_iter().for_each(|point| board.put(point, color));
    }
    let side = if puzzle["side"] == "b" { Color::Black } else { Color::White };
    let rule = puzzle["rule"].as_str().filter(|&rule| rule != "renju");
    let ruleset = Ruleset::find(rule.unwrap_or("renju_free")).unwrap();
    Position::analysis(ruleset, board, side, Default::default()).unwrap()
}

/// The tree of an answer.
fn proof(answer: &Value) -> Proof {
    let step = |step: &Value| Step {
        attack: step["attack"].as_str().unwrap().parse().unwrap(),
        replies: step["replies"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(reply, next)| (reply.parse().unwrap(), next.as_u64().unwrap() as usize))
            .collect(),
    };
    Proof { steps: answer["steps"].as_array().unwrap().iter().map(step).collect() }
}

/// Checks that every move of the attacker is legal and threatens five, that every reply is legal
/// and the only one, and that no reply helps at the end.
fn holds(puzzle: &Value, line: &[Point]) {
    let mut position = position(puzzle);
    let side = position.to_move();
    for (n, &point) in line.iter().enumerate() {
        let is_last = n + 1 == line.len();
        let at = format!("{}: {point}", puzzle["id"]);
        assert!(position.legal_points().any(|legal| legal == point), "{at} is a foul");
        let answers_five = wins(&passed(&position)).contains(&point);
        position = position.play(Play::Place(point)).unwrap();
        if n % 2 == 1 {
            assert!(answers_five, "{at} is no reply");
            continue;
        }
        if position.outcome().is_some_and(|outcome| outcome.winner == Some(side)) {
            assert!(is_last, "{at} has won already");
            return;
        }
        assert!(wins(&position).is_empty(), "{at} lets the defender win");
        let threats = wins(&passed(&position));
        let is_allowed = |&&point: &&Point| position.legal_points().any(|legal| legal == point);
        let is_won = threats.len() > 1 || threats.iter().filter(is_allowed).count() == 0;
        assert!(!threats.is_empty() && is_won == is_last, "{at}: {threats:?}");
    }
}

#[test]
fn the_puzzles_are_solved_by_lines_that_hold() {
    let output = solve(&[PUZZLES, "--json"], "");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let mut puzzles = String::new();
    GzDecoder::new(File::open(PUZZLES).unwrap()).read_to_string(&mut puzzles).unwrap();
    let answers = text(&output.stdout);
    assert_eq!(answers.lines().count(), puzzles.lines().count());
    let mut solved = 0;
    for (puzzle, answer) in puzzles.lines().zip(answers.lines()) {
        let [puzzle, answer] = [puzzle, answer].map(|line| serde_json::from_str(line).unwrap());
        let (puzzle, answer): (Value, Value) = (puzzle, answer);
        assert_eq!(puzzle["id"], answer["id"]);
        assert!(answer["nodes"].is_u64() && answer["ms"].is_f64(), "{answer}");
        if !answer["line"].is_null() {
            holds(&puzzle, &points(&answer["line"]));
            solved += 1;
        }
    }
    assert!(solved * 100 >= 98 * puzzles.lines().count(), "{solved} solved");
    let said = text(&output.stderr);
    assert!(said.starts_with(&format!("141 positions, {solved} won, half within ")), "{said}");
}

#[test]
fn a_position_is_answered_with_a_line_or_none() {
    let output = solve(
        &[],
        "\u{feff}{\"side\":\"b\",\"black\":[\"h8\",\"i8\",\"j8\"],\"white\":[\"a1\",\"c1\",\"e1\"]}\r\n\
         \n\
         {\"id\":\"quiet\",\"side\":\"w\",\"black\":[\"h8\"],\"white\":[\"i9\"],\"rule\":\"gomoku_exact5\"}\n\
         {\"id\":7,\"side\":\"w\",\"rule\":\"gomoku_freestyle\",\"size\":19,\
          \"white\":[\"s16\",\"s17\",\"s18\",\"s19\"]}\n",
    );
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let lines = lines(&output);
    assert!(["line 1: g8", "line 1: k8"].contains(&lines[0].as_str()), "{lines:?}");
    assert_eq!(lines[1..], ["quiet: none", "line 7: s15"]);
}

#[test]
fn wins_by_threes_are_trees_that_hold() {
    let mut puzzles = String::new();
    GzDecoder::new(File::open(THREATS).unwrap()).read_to_string(&mut puzzles).unwrap();
    let some: Vec<&str> = puzzles.lines().step_by(50).collect();
    let output = solve(&["--vct", "--json", "--nodes", "100000"], &some.join("\n"));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let mut solved = 0;
    for (puzzle, answer) in some.iter().zip(text(&output.stdout).lines()) {
        let [puzzle, answer] = [puzzle, answer].map(|line| serde_json::from_str(line).unwrap());
        let (puzzle, answer): (Value, Value) = (puzzle, answer);
        assert_eq!(puzzle["id"], answer["id"]);
        if !answer["line"].is_null() {
            let (proof, line) = (proof(&answer), points(&answer["line"]));
            assert_eq!(proof.verify(&position(&puzzle)), Ok(()), "{puzzle}");
            assert_eq!(proof.line(), line);
            solved += 1;
        }
    }
    assert!(solved * 2 > some.len(), "{solved} of {} solved", some.len());
}

#[test]
fn a_position_is_answered_with_the_longest_line_of_a_tree_or_none() {
    let twos = r#""black":["d4","l3","d12"],"white":["h8","i8","g9","g10"]"#;
    let input = format!("{{\"side\":\"w\",{twos}}}\n{{\"id\":\"quiet\",\"side\":\"b\",{twos}}}\n");
    let output = solve(&["--vct"], &input);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let answers = text(&output.stdout);
    let won = answers.lines().next().unwrap();
    assert!(won.starts_with("line 1: g8 ") && won.contains(" steps, "), "{won}");
    assert_eq!(lines(&output)[1], "quiet: none");
    assert_eq!(lines(&solve(&[], &input))[0], "line 1: none", "fours alone do not win");
    let hard = solve(&["--vct", "--nodes", "3", THREATS], "");
    assert!(lines(&hard).iter().any(|line| line.ends_with(": none found")), "{hard:?}");
}

#[test]
fn what_was_given_up_is_not_called_impossible() {
    let output = solve(&[PUZZLES, "--nodes", "1"], "");
    assert!(lines(&output).iter().any(|line| line.ends_with(": none found")), "{output:?}");
}

#[test]
fn bad_lines_are_named_and_the_exit_code_tells() {
    for (line, wanted) in [
        ("{", "EOF while parsing"),
        ("[]", "invalid"),
        (r#"{"black":[]}"#, "missing field `side`"),
        (r#"{"side":"x"}"#, "side \"x\" is neither b nor w"),
        (r#"{"side":"b","rule":"chess"}"#, "there is no ruleset \"chess\""),
        (r#"{"side":"b","rule":"gomoku_capture"}"#, "they can be captured"),
        (r#"{"side":"b","size":19}"#, "renju_free is not played on a 19×19 board"),
        (r#"{"side":"b","black":["z9"]}"#, "\"z9\" is not a point such as h8"),
        (r#"{"side":"b","black":["p1"]}"#, "p1 is not on a 15×15 board"),
        (r#"{"side":"b","black":["h8"],"white":["H8"]}"#, "h8 is occupied"),
        (r#"{"side":"b","white":["a1","a2","a3","a4","a5"]}"#, "white has five in a row already"),
    ] {
        let good = r#"{"id":"good","side":"b"}"#;
        let output = solve(&[], &format!("{line}\n{good}\n"));
        let lines = lines(&output);
        assert_eq!(output.status.code(), Some(1), "{line}");
        assert!(lines[0].starts_with("line 1: error: ") && lines[0].contains(wanted), "{lines:?}");
        assert_eq!(lines[1], "good: none");
        let json = text(&solve(&["--json"], &format!("{line}\n")).stdout);
        let json: Value = serde_json::from_str(&json).unwrap();
        assert!(json["error"].as_str().unwrap().contains(wanted), "{json}");
    }
    let output = solve(&["/no/such/file"], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).starts_with("renju: /no/such/file: "), "{output:?}");
}
