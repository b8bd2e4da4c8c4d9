//! Value of a point for a player, from what a stone makes and captures there.

use arena_wire::duel::Rated;
use renju::{Color, Play, Point, Position};
use renju_engine::{Field, Shape};

/// Value of a captured pair: about an open three.
const PAIR: i32 = 1_500;

/// Score that is half as good as a win.
const HALF: i32 = 5_000;

/// Value of `point` for `color`. A stone on the point is ignored, so that a move can be rated
/// before and after it is made.
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
    let score = shapes.into_iter().map(worth).sum::<i32>() + PAIR * i32::from(pairs);
    let wins = after.outcome().is_some_and(|outcome| outcome.winner == Some(color));
    let percentage = if wins { 100 } else { 100 * score / (score + HALF) };
    Rated { score, percentage: percentage as u8 }
}

/// Value of a shape: each level is worth several of the one below.
fn worth(shape: Shape) -> i32 {
    match shape {
        Shape::Five => 100_000,
        Shape::StraightFour | Shape::DoubleFour => 15_000,
        Shape::Four => 2_500,
        Shape::WideThree => 2_000,
        Shape::OpenThree => 1_500,
        Shape::Three => 400,
        Shape::WideTwo => 200,
        Shape::OpenTwo => 150,
        Shape::Two => 50,
        Shape::Dead | Shape::Overline => 0,
        // A single stone.
        _ => 20,
    }
}
