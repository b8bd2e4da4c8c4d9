//! docs/brains.md agrees with the tool: its JSON is what a program gets, its decisions are legal and
//! its programs play.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;
use std::time::Duration;

use arena_support::{Directory, record};
use renju::{Ending, Phase, Play, Record, Ruleset};
use renju_agent::brain;
use serde_json::{Map, Value};

const PAGE: &str = include_str!("../../docs/brains.md");

const LIMIT: Duration = Duration::from_secs(20);

/// A position of each phase.
const PHASES: [(&str, &str, &str); 8] = [
    ("place", "renju_taraguchi10_international", ""),
    ("swap", "renju_taraguchi10_international", "h8"),
    ("swap_or_put_two", "gomoku_swap2", "h8 i9 j10"),
    ("declare", "renju_soosorv8", "h8 h9 h10 keep a1"),
    ("fifth", "renju_taraguchi10_international", "h8 keep i9 keep j10 keep k8 keep"),
    ("offer", "renju_soosorv8", "h8 h9 h10 keep a1 declare:2 keep"),
    ("choose", "renju_soosorv8", "h8 h9 h10 keep a1 declare:2 keep offer:a2,b1"),
    ("play", "renju_free", "h8 i9"),
];

/// The code block of a language.
fn block(language: &str) -> &'static str {
    let (_, rest) = PAGE.split_once(&format!("```{language}\n")).unwrap();
    rest.split_once("```").unwrap().0
}

/// The rows of the table with this first heading, cell by cell.
fn table(heading: &str) -> Vec<Vec<&'static str>> {
    let cells = |line: &'static str| -> Vec<&'static str> {
        line.trim_matches('|').split('|').map(str::trim).collect()
    };
    let lines = PAGE.lines().skip_while(|line| !line.starts_with(&format!("| {heading} |")));
    lines.skip(2).take_while(|line| line.starts_with('|')).map(cells).collect()
}

/// The words in backticks.
fn quoted(cell: &'static str) -> Vec<&'static str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// View that a program gets.
fn view(test: &str, record: &Record, limit: Duration) -> Map<String, Value> {
    let dir = Directory::new(&format!("brains-page-{test}"));
    let file = dir.write("view", "");
    let mut brain = brain::open(&format!("exec:cat > {file}; echo '\"a1\"'")).unwrap();
    brain.choose(record, limit).unwrap();
    let text = fs::read_to_string(file).unwrap();
    assert_eq!(text.matches('\n').count(), 1, "{text}");
    serde_json::from_str(&text).unwrap()
}

#[test]
fn the_example_is_what_a_program_gets() {
    let mut record = Record::sized(Ruleset::find("gomoku_freestyle").unwrap(), 5).unwrap();
    for point in ["c3", "d4"] {
        record.play(Play::Place(point.parse().unwrap())).unwrap();
    }
    let documented: Map<String, Value> = serde_json::from_str(block("json")).unwrap();
    let sent = view("example", &record, Duration::from_secs(5));
    assert_eq!(Value::from(documented), Value::from(sent));
}

#[test]
fn the_fields_are_those_that_a_program_gets() {
    let documented: BTreeMap<&str, &str> =
        table("field").iter().map(|row| (quoted(row[0])[0], row[1])).collect();
    let games = PHASES.iter().map(|(_, ruleset, plays)| record(ruleset, plays));
    for record in games.chain(Ruleset::ALL.iter().map(Record::new)) {
        let sent = view("fields", &record, LIMIT);
        let phase = sent["phase"].as_str().unwrap();
        let expected: BTreeSet<&str> = documented
            .iter()
            .filter(|(_, present)| {
                **present == "always"
                    || quoted(present)
                        .iter()
                        .any(|word| [phase, record.position().ruleset().id].contains(word))
            })
            .map(|(field, _)| *field)
            .collect();
        assert_eq!(sent.keys().map(String::as_str).collect::<BTreeSet<_>>(), expected, "{phase}");
    }
}

#[test]
fn every_phase_has_examples_and_all_are_legal() {
    let rows = table("phase");
    assert_eq!(rows.len(), PHASES.len());
    for ((phase, ruleset, plays), row) in PHASES.iter().zip(rows) {
        assert_eq!(quoted(row[0]), [*phase]);
        let record = record(ruleset, plays);
        assert_eq!(view("phases", &record, LIMIT)["phase"], *phase);
        let examples = quoted(row[2]);
        assert!(!examples.is_empty(), "{phase}");
        for example in examples {
            let lines = format!("jsonl:while read -r view; do echo '{example}'; done");
            for spec in [format!("exec:echo '{example}'"), lines] {
                let play = brain::open(&spec).unwrap().choose(&record, LIMIT).unwrap();
                record.position().play(play).unwrap_or_else(|why| panic!("{example}: {why}"));
            }
        }
        let mut brain = brain::open("exec:echo null").unwrap();
        let left = brain.choose(&record, LIMIT);
        assert_eq!(left.is_ok(), *phase != "play", "{phase}: {left:?}");
    }
}

/// Plays a game of the program against itself; every decision is legal.
fn play_out(spec: &str, ruleset: &'static Ruleset) {
    let mut brain = brain::open(spec).unwrap();
    let mut record = Record::new(ruleset);
    let mut opening = 0;
    while record.position().to_act().is_some() {
        opening += u32::from(record.position().phase() != Phase::Play);
        let play = brain.choose(&record, LIMIT).unwrap();
        record.play(play).unwrap_or_else(|why| panic!("{} {record} {play}: {why}", ruleset.id));
    }
    let outcome = record.position().outcome().unwrap();
    assert!(!matches!(outcome.by, Ending::Foul(_)), "{}: {record}", ruleset.id);
    assert!(record.plays().len() > opening as usize + 5, "{}: {record}", ruleset.id);
}

fn plays_every_ruleset(interpreter: &str, language: &str) {
    let dir = Directory::new(&format!("brains-page-{language}"));
    let file = dir.write(&format!("brain.{language}"), block(language));
    for ruleset in Ruleset::ALL {
        play_out(&format!("jsonl:{interpreter} {file}"), ruleset);
    }
    play_out(&format!("exec:{interpreter} {file}"), Ruleset::find("gomoku_freestyle").unwrap());
}

#[test]
fn the_python_example_plays_every_ruleset_to_its_end() {
    plays_every_ruleset("python3", "python");
}

#[test]
fn the_javascript_example_plays_every_ruleset_to_its_end() {
    match Command::new("node").arg("--version").output() {
        Ok(_) => plays_every_ruleset("node", "js"),
        Err(why) => eprintln!("SKIPPED the example in JavaScript: node cannot be started: {why}"),
    }
}
