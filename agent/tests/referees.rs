//! The referee has two front doors, `renju check` and `POST /rules/check`; the judgement is one.
//!
//! `by_line` and `by_body` are the only places that ask.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use arena_wire::{RulesCheckRequest, RulesView};
use common::{rows, strip_marks};
use renju::Point;
use renju_agent::check;
use serde::Deserialize;
use serde_json::{Value, json};

/// An answer to a line.
#[derive(Deserialize)]
struct LineAnswer {
    points: Option<String>,
    legal: Option<bool>,
    #[serde(default)]
    captured: Vec<usize>,
    pairs: Option<[u8; 2]>,
    status: Option<String>,
    phase: Option<String>,
    to_act: Option<String>,
    to_move: Option<String>,
    black: Option<String>,
    winner: Option<String>,
    ending: Option<String>,
    error: Option<String>,
}

/// The part of an answer to a body that lines are told too.
#[derive(Deserialize)]
struct BodyAnswer {
    points: Vec<String>,
    forbidden_moves: Vec<Named>,
    phase: String,
    to_act: Option<String>,
    to_move: Option<String>,
    black: Option<String>,
    outcome: Option<Ended>,
    pairs: Option<Pairs>,
    illegal: Option<Illegal>,
    verdict: Option<Verdict>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

#[derive(Deserialize)]
struct Ended {
    winner: Option<String>,
    reason: String,
}

#[derive(Deserialize)]
struct Pairs {
    black: u8,
    white: u8,
}

#[derive(Deserialize)]
struct Illegal {
    turn_number: usize,
    detail: String,
}

#[derive(Deserialize)]
struct Verdict {
    color: String,
    legal: bool,
    status: Option<String>,
    #[serde(default)]
    captured: Vec<Named>,
}

/// A line in, a line out.
fn by_line(request: &Value) -> LineAnswer {
    let mut answer = Vec::new();
    check::run(request.to_string().as_bytes(), &mut answer).unwrap();
    serde_json::from_slice(&answer).unwrap()
}

/// The body of `POST /rules/check` in, the body of its answer out; without the legal moves, which no
/// line is told and which are most of the text.
fn by_body(request: &Value) -> BodyAnswer {
    let request: RulesCheckRequest = arena_wire::parse(request.to_string().as_bytes()).unwrap();
    let view = RulesView { legal_moves: Vec::new(), ..RulesView::of(&request) };
    serde_json::from_slice(&arena_wire::json(&view)).unwrap()
}

impl BodyAnswer {
    /// The classes from rank 1 up.
    fn flat(&self) -> String {
        self.points.iter().rev().map(String::as_str).collect()
    }
}

/// The places of points in a board string, in rising order.
fn places(points: &[Named], size: usize) -> Vec<usize> {
    let place = |point: &Named| {
        let point: Point = point.name.parse().unwrap();
        usize::from(point.y()) * size + usize::from(point.x())
    };
    let mut places: Vec<usize> = points.iter().map(place).collect();
    places.sort_unstable();
    places
}

/// Runs `check` on every row, as many at a time as there are processors.
fn for_each(rows: &[Value], check: impl Fn(&Value) + Sync) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for part in rows.chunks(rows.len().div_ceil(threads)) {
            scope.spawn(|| part.iter().for_each(&check));
        }
    });
}

#[test]
fn both_class_the_points_of_20000_boards_alike() {
    let boards: Vec<Value> = rows("renju_forbidden").collect();
    assert_eq!(boards.len(), 20_000);
    for_each(&boards, |row| {
        let solved = row["p"].as_str().unwrap();
        let board = strip_marks(solved);
        let line = by_line(&json!({"ruleset": "renju_free", "board": board}));
        let stones = json!({"board": board, "to_move": "black"});
        let body = by_body(&json!({"ruleset": "renju_free", "position": stones}));
        assert_eq!(line.points.as_deref(), Some(solved));
        assert_eq!(body.flat(), solved);
        let fouls: Vec<usize> =
            solved.match_indices(['3', '4', '6']).map(|(place, _)| place).collect();
        assert_eq!(places(&body.forbidden_moves, 15), fouls, "{board}");
    });
}

#[test]
fn both_judge_every_capture_alike() {
    let captures: Vec<Value> = rows("capture").collect();
    assert_eq!(captures.len(), 2_000);
    for_each(&captures, |row| {
        for ruleset in ["gomoku_capture", "gomoku_capture_42"] {
            let (size, [black, white]) =
                (row["n"].as_u64().unwrap(), [0, 1].map(|n| &row["caps"][n]));
            let point =
                Point::from_index(row["mv"].as_u64().unwrap() as usize, size as u8).unwrap();
            let (stones, to_move, place) = (&row["b"], &row["stm"], &row["mv"]);
            let line = json!({"ruleset": ruleset, "size": size, "board": stones, "to_move": to_move,
                              "pairs": [black, white], "move": place});
            let pairs = json!({"black": black, "white": white});
            let position = json!({"board": stones, "to_move": to_move, "pairs": pairs});
            let body =
                json!({"ruleset": ruleset, "position": position, "point": point.to_string()});
            judge_alike(line, &body, size as usize);
        }
    });
}

fn judge_alike(mut line: Value, body: &Value, size: usize) {
    let (by_move, by_body) = (by_line(&line), by_body(body));
    let verdict = by_body.verdict.as_ref().unwrap();
    assert_eq!(by_move.legal, Some(verdict.legal), "{line}");
    assert_eq!(by_move.status, verdict.status, "{line}");
    assert_eq!(by_move.captured, places(&verdict.captured, size), "{line}");
    if let Some(after) = by_move.pairs {
        let pairs = by_body.pairs.as_ref().unwrap();
        let taken = u8::try_from(verdict.captured.len() / 2).unwrap();
        let by = |color: &str| if verdict.color == color { taken } else { 0 };
        assert_eq!(after, [pairs.black + by("black"), pairs.white + by("white")], "{line}");
    }
    line.as_object_mut().unwrap().remove("move");
    assert_eq!(by_line(&line).points, Some(by_body.flat()), "{line}");
}

#[test]
fn both_follow_games_of_every_ruleset_alike() {
    let offer = "offer:h9,h10,h11,h12,i10,i11,i12,j11,j12,k12";
    let games = [
        "h8 keep i9 swap j8 keep f10 swap e9 keep a1",
        &format!("h8 keep i9 keep j8 keep f10 keep {offer} h12 a1 h12"),
        "h8 h9 j8 keep a1 declare:2 keep offer:b5,m3 m3 c3",
        "h8 a1 h9 put-two b2 c3 swap d4",
        "f8 a1 g8 a3 h6 a5 h7 a7 h8 o15",
        "a1 a2 b1 b2 c1 c2 d1 d2 e1 e2",
        "a1 b1 h8 c1 d1 e1",
    ];
    let mut over = 0;
    for (ruleset, game) in renju::Ruleset::ALL.iter().flat_map(|r| games.map(|game| (r, game))) {
        let plays: Vec<&str> = game.split(' ').collect();
        for end in 0..=plays.len() {
            let request = json!({"ruleset": ruleset.id, "moves": plays[..end]});
            let (line, body) = (by_line(&request), by_body(&request));
            if let Some(Illegal { turn_number, detail }) = body.illegal {
                let sentence =
                    format!("play {} ({}): {detail}", turn_number + 1, plays[turn_number]);
                assert_eq!(line.error, Some(sentence), "{request}");
                break;
            }
            assert_eq!(line.points, Some(body.flat()), "{request}");
            assert_eq!(line.phase, Some(body.phase), "{request}");
            assert_eq!(
                (line.to_act, line.to_move, line.black),
                (body.to_act, body.to_move, body.black),
                "{request}"
            );
            over += u32::from(body.outcome.is_some());
            let (winner, reason) =
                body.outcome.map_or((None, None), |o| (o.winner, Some(o.reason)));
            assert_eq!((line.winner, line.ending), (winner, reason), "{request}");
            assert_eq!(line.pairs, body.pairs.map(|pairs| [pairs.black, pairs.white]), "{request}");
        }
    }
    assert!(over >= 5, "{over} games were over");
}
