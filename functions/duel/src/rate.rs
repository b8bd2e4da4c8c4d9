//! What a point is worth to a player, from what a stone makes and takes there.

use arena_wire::duel::Rated;
use renju::{Color, Play, Point, Position};
use renju_engine::{Field, Shape};

/// What each shape is worth, in the order of [`Shape::ALL`]: a level more is worth several below it.
const WORTH: [i32; Shape::COUNT] =
    [0, 0, 10, 20, 50, 150, 200, 400, 1_500, 2_000, 2_500, 15_000, 15_000, 100_000];

/// A pair taken is worth about an open three.
const PAIR: i32 = 1_500;

/// The score that is half as good as a win.
const HALF: i32 = 5_000;

/// What `point` is worth to `color`. A stone that stands there is looked through, so that a move can
/// be rated before and after it is made.
pub(crate) fn rate(position: &Position, point: Point, color: Color) -> Rated {
    let mut board = *position.board();
    if let Some(stone) = board.get(point) {
        board.take(point, stone);
    }
    let before = Position::analysis(position.ruleset(), board, color, position.pairs())
        .expect("the size was checked when the game was set up");
    let Ok(after) = before.play(Play::Place(point)) else {
        return Rated { score: 0, percentage: 0 };
    };
    let shapes = Field::new(&before).shapes(point, color);
    let pairs = before.captured_by(point).map_or(0, |captured| captured.pairs());
    let score =
        shapes.iter().map(|&shape| WORTH[shape as usize]).sum::<i32>() + PAIR * i32::from(pairs);
    let wins = after.outcome().is_some_and(|outcome| outcome.winner == Some(color));
    let percentage = if wins { 100 } else { 100 * score / (score + HALF) };
    Rated { score, percentage: percentage as u8 }
}
