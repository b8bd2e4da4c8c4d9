//! Whatever comes in, `renju check` gives one JSON line for each line and never panics.
//!
//! `cargo test` runs both tests briefly; `RENJU_FUZZ_CASES=1000000` makes the first one longer.
//! The second is a bolero target: `cargo bolero test -p renju-agent any_bytes_get_an_answer_each`
//! goes on under libFuzzer.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use arena_support::Random;
use renju_agent::check;

/// One JSON object comes out for each line that goes in.
fn check_stream(input: &[u8]) {
    let mut output = Vec::new();
    check::run(input, &mut output).unwrap();
    let lines_in = input.split_inclusive(|&byte| byte == b'\n').count();
    let lines_out: Vec<&[u8]> = output.split_inclusive(|&byte| byte == b'\n').collect();
    assert_eq!(lines_out.len(), lines_in);
    for line in lines_out {
        assert!(line.starts_with(b"{") && line.ends_with(b"}\n"));
        serde_json::from_slice::<serde_json::Value>(line).unwrap();
    }
}

#[test]
fn mutated_requests_get_an_answer_each() {
    let cases = std::env::var("RENJU_FUZZ_CASES").map_or(20_000, |cases| cases.parse().unwrap());
    let conversation = conversation();
    let requests = common::sent_lines(&conversation);
    for seed in 1..=cases {
        let line = mutated(&requests, &mut Choices::Seeded(Random(seed)));
        let caught = std::panic::catch_unwind(|| check_stream(&line));
        assert!(caught.is_ok(), "seed {seed}: {}", String::from_utf8_lossy(&line));
    }
}

#[test]
fn any_bytes_get_an_answer_each() {
    let conversation = conversation();
    let requests = common::sent_lines(&conversation);
    bolero::check!().for_each(|bytes: &[u8]| {
        check_stream(bytes);
        check_stream(&mutated(&requests, &mut Choices::Given(bytes)));
    });
}

fn conversation() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/conversation.txt");
    std::fs::read_to_string(path).unwrap()
}

fn mutated(requests: &[&str], choices: &mut Choices) -> Vec<u8> {
    let mut line = choices.pick(requests).as_bytes().to_vec();
    for _ in 0..=choices.below(4) {
        mutate(&mut line, requests, choices);
    }
    line
}

fn mutate(line: &mut Vec<u8>, requests: &[&str], choices: &mut Choices) {
    const TOKENS: [&str; 34] = [
        "null",
        "true",
        "-1",
        "0",
        "19",
        "255",
        "256",
        "1e999",
        "18446744073709551616",
        "\"\"",
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        "\"",
        "\\u0000",
        "\\ud800",
        "\n",
        "é",
        "x",
        "o",
        "swap",
        "h8",
        "\"offer:a1\"",
        "\"declare:255\"",
        "\"put-two\"",
        "\"size\":19,",
        "\"move\":\"a1\",",
        "gomoku_capture",
        "gomoku_swap2",
        "renju_soosorv8_rif",
        "renju_taraguchi10_rif",
    ];
    let from = choices.below(line.len() + 1);
    let to = from + choices.below(line.len() + 1 - from).min(40);
    match choices.below(6) {
        0 if from < line.len() => line[from] = choices.below(256) as u8,
        1 => drop(line.drain(from..to)),
        2 => {
            let copy = line[from..to].to_vec();
            line.splice(to..to, copy);
        }
        3 => {
            let other = choices.pick(requests).as_bytes();
            line.truncate(from);
            line.extend_from_slice(&other[choices.below(other.len() + 1)..]);
        }
        4 => replace_string(line, choices.pick(&TOKENS[23..]), choices),
        _ => drop(line.splice(from..from, choices.pick(&TOKENS).bytes())),
    }
}

/// Puts `token` in the place of what stands between two quotation marks, so that JSON stays JSON.
fn replace_string(line: &mut Vec<u8>, token: &str, choices: &mut Choices) {
    let quotes: Vec<usize> = (0..line.len()).filter(|&n| line[n] == b'"').collect();
    if quotes.len() >= 2 {
        let n = choices.below(quotes.len() - 1);
        line.splice(quotes[n] + 1..quotes[n + 1], token.trim_matches(['"', ',']).bytes());
    }
}

/// Source of the choices of a mutation.
enum Choices<'a> {
    /// The same cases on every machine.
    Seeded(Random),
    /// Two bytes a choice, so that a fuzzer can steer; zero when they are used up.
    Given(&'a [u8]),
}

impl Choices<'_> {
    fn next(&mut self) -> u64 {
        match self {
            Choices::Seeded(random) => random.next(),
            Choices::Given([high, low, rest @ ..]) => {
                let choice = u16::from_be_bytes([*high, *low]);
                *self = Choices::Given(rest);
                choice.into()
            }
            Choices::Given(_) => 0,
        }
    }

    fn below(&mut self, end: usize) -> usize {
        if end == 0 { 0 } else { (self.next() % end as u64) as usize }
    }

    fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }
}
