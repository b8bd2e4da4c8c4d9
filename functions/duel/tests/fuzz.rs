//! Any input over the socket gets a reply and breaks nothing.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops where it is")]

mod common;

use arena_duel::{Detail, Duel};
use arena_support::Random;
use common::{request, with};
use renju::{Board, Color, Ending, Outcome, Play, Point, Position, Ruleset};
use serde_json::{Value, json};

/// Sends a frame; the reply has a known type, and only a reset has none.
fn check(duel: &mut Duel, frame: &str) -> Option<Value> {
    let Some(reply) = duel.answer(frame, Detail::Plain) else {
        let asked: Value = serde_json::from_str(frame).unwrap();
        assert_eq!(asked["type"], "reset", "no reply to {frame}");
        return None;
    };
    let reply: Value = serde_json::from_str(&reply).unwrap();
    let kind = reply["type"].as_str().unwrap();
    assert!(["move", "evaluate", "pong", "error"].contains(&kind), "{reply}");
    Some(reply)
}

/// A random JSON value.
fn junk(random: &mut Random) -> Value {
    match random.below(9) {
        0 => Value::Null,
        1 => json!(random.below(2) == 0),
        2 => json!(random.below(300)),
        3 => json!(-1.5),
        4 => json!(1e300),
        5 => json!("X"),
        6 => json!([[], [[]], "O"]),
        7 => json!({"x": 18, "y": 19, "player": "X", "score": 1e9, "coordinate": {"x": 0, "y": 0}}),
        _ => json!("\u{0}𝄞 \" \\"),
    }
}

#[test]
fn fields_of_any_value_are_answered() {
    let mut random = Random(1);
    let mut duel = Duel::new();
    let fields = [
        "type",
        "difficulty",
        "nextPlayer",
        "goal",
        "enableCapture",
        "enableDoubleThreeRestriction",
        "board",
        "scores",
        "lastPlay",
    ];
    for _ in 0..3_000 {
        let kind = random.pick(&["move", "evaluate", "test", "ping", "reset"]);
        let mut asked = with(request("j10 k11", "k10"), "type", json!(kind));
        asked = with(asked, "difficulty", json!("easy"));
        // A test thinks for long, so it is only sent if it is malformed.
        let wrong = random.below(3) + usize::from(kind == "test");
        for _ in 0..wrong {
            asked = with(asked, random.pick(&fields), junk(&mut random));
        }
        if kind == "test" {
            asked = with(asked, "scores", junk(&mut random));
        }
        check(&mut duel, &asked.to_string());
    }
}

#[test]
fn frames_with_bytes_changed_are_answered() {
    let mut random = Random(2);
    let mut duel = Duel::new();
    let whole = with(request("j10 k11", "k10"), "difficulty", json!("easy")).to_string();
    for _ in 0..3_000 {
        let mut frame = whole.clone().into_bytes();
        for _ in 0..=random.below(4) {
            let at = random.below(frame.len());
            match random.below(4) {
                0 => frame.truncate(at.max(1)),
                1 => drop(frame.remove(at)),
                2 => frame.insert(at, random.pick(b"{}[]\",:.XO019-e\\ ")),
                _ => frame[at] = random.pick(b"{}[]\",:.XO019-e\\ "),
            }
        }
        check(&mut duel, &String::from_utf8_lossy(&frame));
    }
}

/// Any stones under any rules: the move is legal, and the board follows the rules.
#[test]
fn any_board_gets_a_move_that_keeps_to_the_rules() {
    let mut random = Random(3);
    let mut duel = Duel::new();
    let (mut moves, mut captures, mut over) = (0, 0, 0);
    for _ in 0..600 {
        let stones = random.pick(&[1, 4, 10, 30, 80, 200, 340, 360]);
        let reach = random.pick(&[3, 5, 9]);
        let mut board = Board::new(19);
        for _ in 0..stones {
            let place = |random: &mut Random| (9 - reach + random.below(2 * reach + 1)) as u8;
            let point = Point::new(place(&mut random), place(&mut random)).unwrap();
            if board.is_empty(point) {
                board.put(point, random.pick(&Color::BOTH));
            }
        }
        let (captured, barred) = (random.below(4) > 0, random.below(2) == 0);
        let (goal, pairs) = (1 + random.below(6) as u8, [(); 2].map(|()| random.below(3) as u8));
        let to_move = random.pick(&Color::BOTH);
        let ruleset = Ruleset::duel(captured.then_some(goal), barred).unwrap();
        let pairs_by = renju::ByColor { black: pairs[0], white: pairs[1] };
        let position = Position::set_up(ruleset, board, to_move, pairs_by).unwrap();
        let asked = json!({
            "type": "move",
            "difficulty": "easy",
            "nextPlayer": letter(Some(to_move)),
            "goal": goal,
            "enableCapture": captured,
            "enableDoubleThreeRestriction": barred,
            "board": rows(&board),
            "scores": [{"player": "X", "score": pairs[0]}, {"player": "O", "score": pairs[1]}],
        });
        let reply = check(&mut duel, &asked.to_string()).unwrap();
        // A five of the player to move could have been broken before, and is still to be shown.
        let shows = |outcome: Outcome| {
            captured && (outcome.winner, outcome.by) == (Some(to_move), Ending::Five)
        };
        if position.outcome().is_some_and(|outcome| !shows(outcome)) {
            assert!(reply["error"].as_str().unwrap().starts_with("the game is over"), "{reply}");
            over += 1;
            continue;
        }
        let place = |axis: &str| reply["lastPlay"]["coordinate"][axis].as_u64().unwrap() as u8;
        let point = Point::new(place("x"), place("y")).unwrap();
        assert_eq!(reply["lastPlay"]["stone"], letter(Some(to_move)));
        let position = Position::analysis(ruleset, board, to_move, pairs_by).unwrap();
        let after = position.play(Play::Place(point)).expect("the move is legal");
        assert_eq!(reply["board"], json!(rows(after.board())));
        let taken = position.captured_by(point).map_or(0, |captured| captured.points().len());
        assert_eq!(reply["capturedStones"].as_array().unwrap().len(), taken);
        moves += 1;
        captures += taken / 2;
    }
    assert!(moves > 200 && captures > 20 && over > 50, "{moves} {captures} {over}");
}

fn letter(stone: Option<Color>) -> &'static str {
    match stone {
        None => ".",
        Some(Color::Black) => "X",
        Some(Color::White) => "O",
    }
}

fn rows(board: &Board) -> Vec<Vec<&'static str>> {
    let cell = |x, y| letter(board.get(Point::new(x, y).unwrap()));
    (0..19).map(|y| (0..19).map(|x| cell(x, y)).collect()).collect()
}
