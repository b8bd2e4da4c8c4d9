//! docs/match.md: its commands run, and it leaves no option and no field out.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use common::matches::{directory, play, stderr, stdout};

const PAGE: &str = include_str!("../../docs/match.md");

/// Blocks of shell commands, in order.
fn commands() -> Vec<&'static str> {
    let blocks = PAGE.split("```sh\n").skip(1);
    blocks.map(|block| block.split("```").next().unwrap()).collect()
}

#[test]
fn every_command_runs() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("skipped: there is no python3");
        return;
    }
    let home = directory("page");
    let tools = Path::new(env!("CARGO_BIN_EXE_renju")).parent().unwrap();
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
    assert!(commands().len() >= 9);
    for commands in commands() {
        let output = Command::new("sh")
            .args(["-euc", commands])
            .env("PATH", &path)
            .current_dir(&home)
            .output()
            .unwrap();
        assert!(output.status.success(), "{commands}\n{output:?}");
        let said = stdout(&output);
        assert!(!said.contains("error"), "{commands}\n{said}");
    }
}

#[test]
fn the_results_on_the_page_are_those_of_the_commands() {
    let first = play(&["house:2", "house:1", "-r", "4", "--seed", "1", "--timeout", "60"]);
    let shown = format!("```\n{}{}```\n", stdout(&first), stderr(&first));
    assert!(PAGE.contains(&shown), "{shown}");
    let bots = ["house:2", "house:1", "house:0"];
    let league = play(&[&bots[..], &["-r", "4", "--seed", "1", "--timeout", "60"]].concat());
    let shown = format!("```\n{}```\n", stderr(&league));
    assert!(PAGE.contains(&shown), "{shown}");
}

#[test]
fn every_option_has_an_example_or_an_explanation() {
    let help = stdout(&play(&["--help"]));
    let flags: BTreeSet<&str> = help
        .split(|c: char| c.is_whitespace() || c == ',')
        .filter(|word| word.starts_with("--") && word[2..].starts_with(char::is_alphabetic))
        .map(|word| word.trim_end_matches(|c: char| !c.is_alphanumeric()))
        .collect();
    assert!(flags.len() > 15, "{flags:?}");
    // Their short forms are on the page.
    let short = ["--rounds", "--board-size", "--output", "--help"];
    let missing: Vec<_> =
        flags.iter().filter(|flag| !short.contains(flag) && !PAGE.contains(*flag)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn every_field_of_the_json_is_named() {
    let test = ["--sprt", "elo1=50", "-r", "4", "--timeout", "1", "--nodes", "1:5"];
    let bots = ["engine:50", "exec:echo no"];
    let summary = stdout(&play(&[&bots[..], &test[..], &["--json", "-"]].concat()));
    let mut names = BTreeSet::new();
    collect(&serde_json::from_str(&summary).unwrap(), &mut names);
    let missing: Vec<_> =
        names.iter().filter(|name| !PAGE.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty() && names.len() > 40, "{missing:?}");
}

fn collect(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                names.insert(name.clone());
                collect(value, names);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, names)),
        _ => {}
    }
}
