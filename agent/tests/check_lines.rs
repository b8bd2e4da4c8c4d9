//! `renju check` as its reader meets it: a conversation, bad lines, pipes that break or wait.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::io::{BufRead, BufReader, Write};

use common::{ask_binary, checker};
use renju_agent::check;

/// Answer of the library to `input`, and the number of lines that got an error.
fn ask(input: &[u8]) -> (String, u64) {
    let mut output = Vec::new();
    let bad = check::run(input, &mut output).unwrap();
    (String::from_utf8(output).unwrap(), bad)
}

#[test]
fn the_conversation_goes_as_written() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/conversation.txt");
    let written = std::fs::read_to_string(path).unwrap();
    let sent = common::sent_lines(&written);
    let input: String = sent.iter().map(|line| format!("{line}\n")).collect();
    let (answers, bad) = ask(input.as_bytes());
    assert_eq!(answers.lines().count(), sent.len());
    assert_eq!(ask_binary(input.as_bytes()), (answers.clone(), Some(1)));
    assert_eq!(bad, answers.lines().filter(|line| line.starts_with("{\"error\":")).count() as u64);

    let mut answers = answers.lines();
    let mut heard = String::new();
    for line in written.lines().filter(|line| !line.starts_with('<')) {
        heard.push_str(line.trim_end());
        heard.push('\n');
        if line.starts_with('>') {
            heard.push_str(&format!("< {}\n", answers.next().unwrap()));
        }
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, &heard).unwrap();
        return;
    }
    for (heard, written) in heard.lines().zip(written.lines()) {
        assert_eq!(heard, written);
    }
    assert_eq!(heard.len(), written.len());
}

#[test]
fn the_examples_of_the_help_page_are_true() {
    let mut lines = check::EXAMPLES.lines();
    let mut examples = 0;
    while let Some(line) = lines.next() {
        let Some(command) = line.trim().strip_prefix("$ echo '") else { continue };
        let request = command.strip_suffix("' | renju check").unwrap();
        assert_eq!(ask(request.as_bytes()).0.trim_end(), lines.next().unwrap().trim());
        examples += 1;
    }
    assert!(examples >= 3);
}

#[test]
fn the_help_page_names_every_ruleset() {
    for ruleset in renju::Ruleset::ALL {
        assert!(check::ABOUT.contains(ruleset.id), "{}", ruleset.id);
    }
}

#[test]
fn good_lines_alone_end_well_and_no_lines_too() {
    let line = br#"{"ruleset":"renju_free","moves":["h8"]}"#;
    let (answers, code) = ask_binary(line);
    assert!(answers.starts_with("{\"points\":") && answers.ends_with("}\n"));
    assert_eq!(code, Some(0));
    assert_eq!(ask_binary(b""), (String::new(), Some(0)));
}

#[test]
fn lines_that_cannot_be_written_in_a_text_file_get_an_error_each() {
    let good = br#"{"ruleset":"gomoku_freestyle","size":5,"moves":[]}"#;
    let long = vec![b' '; 64 * 1024 + 1];
    let nested = [br#"{"ruleset":"renju_free","moves":"#.as_slice(), &[b'['; 60_000]].concat();
    let unknown = format!(r#"{{"ruleset":"renju_free","{}":1}}"#, "a".repeat(60_000));
    let name = format!(r#"{{"ruleset":"renju_free","moves":["h{}"]}}"#, "8".repeat(60_000));
    let lines = [
        good.as_slice(),
        b"{\"ruleset\":\"renju_\xff\"}",
        &long,
        &nested,
        unknown.as_bytes(),
        name.as_bytes(),
        b"\0",
        good,
    ];
    let (answers, bad) = ask(&lines.join(&b'\n'));
    let answers: Vec<&str> = answers.lines().collect();
    assert_eq!(answers.len(), lines.len());
    assert_eq!(bad, 6);
    assert_eq!(answers[1], r#"{"error":"byte 19 of the line is not UTF-8"}"#);
    assert_eq!(answers[2], r#"{"error":"the line is longer than 65536 bytes"}"#);
    assert!(answers[3].starts_with(r#"{"error":"invalid type: sequence, expected a point"#));
    assert!(answers[4].starts_with(r#"{"error":"unknown field `aaa"#));
    assert!(answers[4].contains("expected one of `ruleset`, `board`, `moves`"));
    assert!(answers[5].starts_with(r#"{"error":"play 1 (h888"#));
    assert!(answers[5].ends_with(r#"888 is not on a 15×15 board"}"#));
    assert!(answers.iter().all(|answer| answer.len() < 1000));
    assert_eq!(answers[0], answers[7]);
}

#[test]
fn an_answer_comes_before_the_next_question_is_asked() {
    let mut child = checker();
    let mut questions = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..3 {
        writeln!(questions, r#"{{"ruleset":"renju_free","moves":["h9"],"move":"h8"}}"#).unwrap();
        let mut answer = String::new();
        answers.read_line(&mut answer).unwrap();
        assert_eq!(answer, "{\"legal\":true,\"mark\":\".\",\"status\":\"ongoing\"}\n");
    }
    drop(questions);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_reader_that_leaves_early_causes_no_panic() {
    let mut child = checker();
    drop(child.stdout.take());
    // The tool may be gone before everything is written.
    let _ = child.stdin.take().unwrap().write_all(&b"{}\n".repeat(100_000));
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}
