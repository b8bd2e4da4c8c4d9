//! Whole games over frames.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops where it is")]

mod common;

use arena_duel::Duel;
use common::{ask, moved};
use renju::{Color, Play, Point, Position, Ruleset};
use serde_json::{Value, json};

/// Three stones in the middle.
fn opening(seed: usize) -> Position {
    let mut position = Position::new(Ruleset::find("gomoku_capture").unwrap());
    for n in 0..3 {
        let places = |point: &Point| point.ring(Point::centre(19)) <= 2;
        let points: Vec<Point> = position.legal_points().filter(places).collect();
        let pick = (seed * 7 + n * 11 + seed * n * 5) % points.len();
        position.advance(Play::Place(points[pick])).unwrap();
    }
    position
}

/// Plays a game to its end and returns its last position.
fn play(
    mut position: Position,
    mut black: impl FnMut(&Position) -> Point,
    mut white: impl FnMut(&Position) -> Point,
) -> Position {
    while position.outcome().is_none() {
        let point = match position.to_move() {
            Color::Black => black(&position),
            Color::White => white(&position),
        };
        position.advance(Play::Place(point)).expect("both play by the rules");
    }
    position
}

/// Plays like a front end: it takes the board and the pairs from the replies, and the rules agree
/// with every one of them.
#[test]
fn a_game_played_over_frames_comes_to_its_end() {
    for seed in 0..2 {
        let mut duels = [Duel::new(), Duel::new()];
        let [black, white] = &mut duels;
        let last = play(opening(seed), over_frames(black), over_frames(white));
        assert!(last.move_number() > 8, "{last:?}");
    }
}

fn over_frames(duel: &mut Duel) -> impl FnMut(&Position) -> Point {
    |position| {
        let reply = ask(duel, &frame(position));
        let point: Point = moved(&reply).parse().unwrap();
        let after = position.play(Play::Place(point)).expect("the move is legal");
        assert_eq!(reply["board"], frame(&after)["board"]);
        let taken = after.pairs()[position.to_move()] - position.pairs()[position.to_move()];
        assert_eq!(reply["capturedStones"].as_array().unwrap().len(), 2 * usize::from(taken));
        point
    }
}

fn frame(position: &Position) -> Value {
    let stones = |color| {
        let names: Vec<String> =
            position.board().stones_of(color).map(|point| point.to_string()).collect();
        names.join(" ")
    };
    let mut frame = common::request(&stones(Color::Black), &stones(Color::White));
    frame["difficulty"] = json!("easy");
    frame["nextPlayer"] = json!(if position.to_move() == Color::Black { "X" } else { "O" });
    frame["scores"] = json!([
        {"player": "X", "score": position.pairs().black},
        {"player": "O", "score": position.pairs().white},
    ]);
    frame
}
