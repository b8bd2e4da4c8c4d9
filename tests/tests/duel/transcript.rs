//! Recorded pairs of request and reply, sent again. The moves were another engine's taste; the shapes
//! are the contract, and every board must be what the rules make of the move.

use std::io::Read;

use arena_support::{FrontEnd, TestArena};
use flate2::read::GzDecoder;
use renju::{Board, ByColor, Color, Play, Point, Position, Ruleset};
use serde_json::{Map, Value, json};

/// The recorded pairs, in order.
fn pairs() -> Vec<(Value, Value)> {
    let packed = include_bytes!("../data/duel_transcript.jsonl.gz");
    let mut text = String::new();
    GzDecoder::new(packed.as_slice()).read_to_string(&mut text).unwrap();
    let pairs = text.lines().map(|line| {
        let mut pair: Value = serde_json::from_str(line).unwrap();
        (pair["send"].take(), pair["recv"].take())
    });
    pairs.collect()
}

/// True if two values have the same keys and types all the way down. What a list holds is told by its
/// first value.
fn is_shaped(ours: &Value, recorded: &Value) -> bool {
    match (ours, recorded) {
        (Value::Object(ours), Value::Object(recorded)) => {
            ours.keys().eq(recorded.keys())
                && ours.iter().all(|(key, value)| is_shaped(value, &recorded[key]))
        }
        (Value::Array(ours), Value::Array(recorded)) => {
            recorded.first().is_none_or(|first| ours.iter().all(|value| is_shaped(value, first)))
        }
        (Value::Number(_), Value::Number(_))
        | (Value::String(_), Value::String(_))
        | (Value::Bool(_), Value::Bool(_))
        | (Value::Null, Value::Null) => true,
        _ => false,
    }
}

/// The game of a request, as the rules see it. In two of them the player to move has a five already,
/// which the other could have broken: nobody had called the game over yet.
fn position(request: &Value) -> Position {
    let color = |letter: &Value| if letter == "X" { Color::Black } else { Color::White };
    let mut board = Board::new(19);
    for point in Point::all(19) {
        let cell = &request["board"][usize::from(point.y())][usize::from(point.x())];
        if cell != "." {
            board.put(point, color(cell));
        }
    }
    let mut pairs = ByColor::default();
    for entry in request["scores"].as_array().unwrap() {
        pairs[color(&entry["player"])] = entry["score"].as_u64().unwrap() as u8;
    }
    let goal = request["goal"].as_u64().unwrap() as u8;
    let captures = request["enableCapture"] == true;
    let double_three = request["enableDoubleThreeRestriction"] == true;
    let ruleset = Ruleset::duel(captures.then_some(goal), double_three).unwrap();
    Position::analysis(ruleset, board, color(&request["nextPlayer"]), pairs).unwrap()
}

/// The move is legal, and the reply shows what the rules make of it.
#[track_caller]
fn is_rule_true(request: &Value, reply: &Value) {
    let before = position(request);
    let place = |at: &Value, axis: &str| at[axis].as_u64().unwrap() as u8;
    let at = &reply["lastPlay"]["coordinate"];
    let point = Point::new(place(at, "x"), place(at, "y")).unwrap();
    assert_eq!(reply["lastPlay"]["stone"], request["nextPlayer"]);
    let after = before.play(Play::Place(point)).expect("the move is legal");
    let shown = position(&json!({
        "board": reply["board"],
        "nextPlayer": if request["nextPlayer"] == "X" { "O" } else { "X" },
        "scores": request["scores"],
        "goal": request["goal"],
        "enableCapture": request["enableCapture"],
        "enableDoubleThreeRestriction": request["enableDoubleThreeRestriction"],
    }));
    assert_eq!(shown.board(), after.board());
    let other = if request["nextPlayer"] == "X" { "O" } else { "X" };
    let mut told: Vec<(u8, u8)> = Vec::new();
    for stone in reply["capturedStones"].as_array().unwrap() {
        assert_eq!(stone.as_object().map(Map::len), Some(3), "{stone}");
        assert_eq!(stone["stone"], other);
        told.push((place(stone, "x"), place(stone, "y")));
    }
    let captured = before.captured_by(point).expect("captures are on");
    let mut taken: Vec<_> = captured.points().iter().map(|p| (p.x(), p.y())).collect();
    told.sort_unstable();
    taken.sort_unstable();
    assert_eq!(told, taken);
}

/// The longest a hard move may take on a quiet core. A busy one is given three tries.
const HARD_S: f64 = 0.5;

#[tokio::test]
async fn the_transcript_is_answered_in_the_recorded_shapes() {
    let arena = TestArena::start().await;
    let mut front_end = FrontEnd::connect(&arena.client.base(), "/ws").await;
    let (mut moves, mut errors, mut slowest) = (0, 0, 0.0_f64);
    for (request, recorded) in pairs() {
        // What was recorded as text is no JSON, or was cut short when it was written down; so were
        // the replies to the former.
        if let Value::String(text) = request {
            let reply = front_end.ask(&text).await;
            assert!(is_shaped(&reply, &json!({"type": "", "error": ""})), "{reply}");
            assert_eq!(reply["type"], "error");
            errors += 1;
            continue;
        }
        let mut reply = front_end.ask(&request.to_string()).await;
        assert!(is_shaped(&reply, &recorded), "{reply}\n{recorded}");
        assert_eq!(reply["type"], recorded["type"]);
        if reply["type"] == "move" {
            is_rule_true(&request, &reply);
            let seconds = |reply: &Value| reply["executionTime"]["s"].as_f64().unwrap();
            let mut took = seconds(&reply);
            for _ in 0..2 {
                if took > HARD_S {
                    reply = front_end.ask(&request.to_string()).await;
                    took = took.min(seconds(&reply));
                }
            }
            assert!(took <= HARD_S, "{took} s for {request}");
            slowest = slowest.max(took);
            moves += 1;
        }
    }
    front_end.ping().await;
    println!("{moves} moves, the slowest in {slowest:.3} s; {errors} refusals");
    assert_eq!((moves, errors), (26, 5));
    arena.finish().await;
}

/// The recording accepts any word for the difficulty. Here a word that is none is refused like any
/// other field that is wrong.
#[tokio::test]
async fn the_frames_that_were_cut_short_are_refused_when_whole() {
    let arena = TestArena::start().await;
    let mut front_end = FrontEnd::connect(&arena.client.base(), "/ws").await;
    let (whole, _) = pairs().swap_remove(1);
    for (field, value, why) in [
        ("difficulty", json!("insane"), "difficulty is \"insane\""),
        ("scores", json!([]), "scores is []"),
    ] {
        let mut request = whole.clone();
        request["type"] = json!("move");
        request[field] = value;
        let reply = front_end.ask(&request.to_string()).await;
        assert!(reply["error"].as_str().is_some_and(|error| error.starts_with(why)), "{reply}");
    }
    front_end.ping().await;
    arena.finish().await;
}
