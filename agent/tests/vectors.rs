//! Every row of the vector files, through the library and through the real binary.
//!
//! A row becomes requests with the answers they must get. `check_all` and `ask_binary` are the only places that ask.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use arena_wire::line::Answer;
use common::{ask_binary, at, rows, strip_marks};
use serde_json::{Value, json};

const INTERNATIONAL: &str = "renju_taraguchi10_international";
const RIF: &str = "renju_taraguchi10_rif";

/// A request and the fields its answer must have.
struct Case {
    request: Value,
    expected: Expected,
}

enum Expected {
    /// The whole answer.
    Answer(Value),
    /// These fields of the answer.
    Fields(Value),
    /// The class of one point.
    Class { point: usize, class: char },
}

impl Case {
    fn judge(&self, answer: &str) {
        let answer: Value = serde_json::from_str(answer).unwrap();
        let request = &self.request;
        match &self.expected {
            Expected::Answer(expected) => assert_eq!(&answer, expected, "{request}"),
            Expected::Fields(expected) => {
                for (field, value) in expected.as_object().unwrap() {
                    assert_eq!(&answer[field], value, "{field} of {request}");
                }
            }
            Expected::Class { point, class } => {
                let points = answer["points"].as_str().unwrap();
                assert_eq!(points.chars().nth(*point), Some(*class), "{request}");
            }
        }
    }
}

/// Asks the library.
fn check_all(cases: &[Case]) {
    for case in cases {
        let answer = Answer::to(case.request.to_string().as_bytes());
        case.judge(&serde_json::to_string(&answer).unwrap());
    }
}

#[test]
fn forbidden_points_agree_on_20000_boards() {
    let cases = forbidden();
    assert_eq!(cases.len(), 20_000);
    check_all(&cases);
}

#[test]
fn classical_cases_agree_in_both_readings() {
    let cases = classical();
    assert_eq!(cases.len(), 2 * 42);
    check_all(&cases);
}

#[test]
fn variants_agree_where_a_foul_beats_a_five() {
    let cases = variants();
    assert_eq!(cases.len(), 2 * 600);
    check_all(&cases);
}

#[test]
fn offers_agree_in_both_readings() {
    let cases = offers();
    assert_eq!(cases.len(), 2 * 600);
    check_all(&cases);
}

#[test]
fn seats_agree_after_every_step_of_all_48_openings() {
    assert_eq!(rows("taraguchi10_seats").count(), 48);
    check_all(&seats());
}

#[test]
fn captures_agree_in_both_readings() {
    let cases = captures();
    assert_eq!(cases.len(), 2 * 2_000);
    check_all(&cases);
}

#[test]
fn the_binary_agrees_on_every_row() {
    let cases: Vec<Case> = [forbidden(), classical(), variants(), offers(), captures()]
        .into_iter()
        .flatten()
        .collect();
    let lines: String = cases.iter().map(|case| format!("{}\n", case.request)).collect();
    let (answers, code) = ask_binary(lines.as_bytes());
    assert_eq!(code, Some(0));
    assert_eq!(answers.lines().count(), cases.len());
    cases.iter().zip(answers.lines()).for_each(|(case, answer)| case.judge(answer));

    let seats = seats();
    let lines: String = seats.iter().map(|case| format!("{}\n", case.request)).collect();
    let (answers, code) = ask_binary(lines.as_bytes());
    assert_eq!(code, Some(1), "an offer after the swap is refused in the RIF reading");
    assert_eq!(answers.lines().count(), seats.len());
    seats.iter().zip(answers.lines()).for_each(|(case, answer)| case.judge(answer));
}

fn points(ruleset: &str, board: &str, points: &str) -> Case {
    let request = json!({"ruleset": ruleset, "board": board});
    Case { request, expected: Expected::Answer(json!({"points": points})) }
}

fn forbidden() -> Vec<Case> {
    let case = |row: Value| {
        let solved = row["p"].as_str().unwrap();
        points("renju_free", &strip_marks(solved), solved)
    };
    rows("renju_forbidden").map(case).collect()
}

fn classical() -> Vec<Case> {
    let cases = |row: Value| {
        [("renju_free", "rif"), (INTERNATIONAL, "seed")].map(|(ruleset, column)| Case {
            request: json!({"ruleset": ruleset, "board": row["b"]}),
            expected: Expected::Class {
                point: at(row["pt"].as_str().unwrap()),
                class: row[column].as_str().unwrap().parse().unwrap(),
            },
        })
    };
    rows("classical").flat_map(cases).collect()
}

fn variants() -> Vec<Case> {
    let cases = |row: Value| {
        let solved = row["p"].as_str().unwrap();
        let board = strip_marks(solved);
        let mut seed: Vec<char> = solved.chars().collect();
        for (point, class) in row["seed"].as_object().unwrap() {
            seed[at(point)] = class.as_str().unwrap().parse().unwrap();
        }
        let seed: String = seed.into_iter().collect();
        [points("renju_free", &board, solved), points(INTERNATIONAL, &board, &seed)]
    };
    rows("seed000_variant").flat_map(cases).collect()
}

fn offers() -> Vec<Case> {
    let cases = |row: Value| {
        [(INTERNATIONAL, "seed"), (RIF, "rif")].map(|(ruleset, column)| Case {
            request: json!({"ruleset": ruleset, "stones": row["stones"], "offers": row["offers"]}),
            expected: Expected::Answer(json!({"offers": row[column]})),
        })
    };
    rows("offer10").flat_map(cases).collect()
}

fn captures() -> Vec<Case> {
    let cases = |row: Value| {
        let request = json!({
            "ruleset": "gomoku_capture",
            "size": row["n"],
            "board": row["b"],
            "pairs": row["caps"],
            "to_move": row["stm"],
            "move": row["mv"],
        });
        let expected = match row["legal"].as_bool().unwrap() {
            true => Expected::Answer(json!({
                "legal": true,
                "captured": row["captured"],
                "pairs": row["after"],
                "status": row["status"],
            })),
            false => Expected::Answer(json!({"legal": false})),
        };
        let mut request42 = request.clone();
        request42["captures_exempt"] = json!(true);
        // The file says what follows by the stricter reading only: there a five may stand because
        // the capture that would break it makes a double-three.
        let expected42 = match row["legal42"].as_bool().unwrap() {
            true => Expected::Fields(json!({"legal": true})),
            false => Expected::Answer(json!({"legal": false})),
        };
        [Case { request, expected }, Case { request: request42, expected: expected42 }]
    };
    rows("capture").flat_map(cases).collect()
}

/// Each row is played with the same stones; after every step the answer names the next to act.
fn seats() -> Vec<Case> {
    let cases = |row: Value| [INTERNATIONAL, RIF].map(|ruleset| seat_cases(&row, ruleset));
    rows("taraguchi10_seats").flat_map(cases).flatten().collect()
}

fn seat_cases(row: &Value, ruleset: &str) -> Vec<Case> {
    const STONES: [&str; 6] = ["h8", "i9", "j8", "f10", "e9", "a1"];
    let offer = json!(["h9", "h10", "h11", "h12", "i10", "i11", "i12", "j11", "j12", "k12"]);
    let seat = |player: &Value| match player.as_str().unwrap() {
        "p1" => "first",
        "p2" => "second",
        other => panic!("{other} is no player"),
    };
    let verdict = if ruleset == RIF { &row["rif"] } else { &row["seed"] };
    let mut moves: Vec<Value> = Vec::new();
    let mut cases = Vec::new();
    for step in row["steps"].as_array().unwrap() {
        let request = json!({"ruleset": ruleset, "moves": moves});
        let to_act = json!({"to_act": seat(&step[2])});
        cases.push(Case { request, expected: Expected::Fields(to_act) });
        moves.push(match step[0].as_str().unwrap() {
            "choose_A" | "choose_B" => continue,
            "move" => json!(STONES[step[1].as_u64().unwrap() as usize - 1]),
            "offer10" => offer.clone(),
            "pick" => offer[3].clone(),
            word => json!(word),
        });
        if step[0] == "offer10" && verdict != "ok" {
            let names: Vec<&str> =
                offer.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
            let why = "the player to act must place a stone";
            let error = format!("play {} (offer:{}): {why}", moves.len(), names.join(","));
            let request = json!({"ruleset": ruleset, "moves": moves});
            cases.push(Case { request, expected: Expected::Answer(json!({"error": error})) });
            return cases;
        }
    }
    assert_eq!(verdict, "ok");
    let end = json!({
        "phase": "play",
        "black": seat(&row["black"]),
        "white": seat(&row["white"]),
        "to_act": seat(&row["black"]),
        "to_move": "black",
        "winner": null,
        "ending": null,
    });
    let request = json!({"ruleset": ruleset, "moves": moves});
    cases.push(Case { request, expected: Expected::Fields(end) });
    cases
}
