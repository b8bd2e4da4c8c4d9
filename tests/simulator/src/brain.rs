//! Choices of simulated agents: mostly random, but building rows of five, so that games end.

use arena::Game;
use renju::{Direction, Offer, Phase, Play, Point, Position};

use crate::rng::Rng;

/// A legal play for the player to act.
pub(crate) fn choose(game: &Game, rng: &mut Rng) -> Play {
    let position = game.position();
    match position.phase() {
        Phase::Offer { count } => offer(position, count, rng),
        Phase::Fifth { count, .. } if rng.chance(5_000) => offer(position, count, rng),
        Phase::Play if rng.chance(4_000) => lengthen(game, rng),
        _ => any(position, rng),
    }
}

fn any(position: &Position, rng: &mut Rng) -> Play {
    let plays: Vec<Play> = position.plays().collect();
    *rng.pick(&plays)
}

/// The point near the own last stone that makes the longest row.
fn lengthen(game: &Game, rng: &mut Rng) -> Play {
    let position = game.position();
    let (board, color) = (position.board(), position.to_move());
    let stones = game.log().iter().rev().filter_map(|entry| match entry.action {
        arena::Action::Play(Play::Place(point)) if board.get(point) == Some(color) => Some(point),
        _ => None,
    });
    let mut best = None;
    for stone in stones.take(3) {
        for direction in Direction::ALL {
            for steps in [-2, -1, 1, 2] {
                let Some(point) = stone.step(direction, steps) else { continue };
                if board.is_empty(point) {
                    let row = board.row_through(point, direction, color);
                    let rank = (row, rng.below(100));
                    best = best.max(Some((rank, point.x(), point.y())));
                }
            }
        }
    }
    let point = best.and_then(|(_, x, y)| Point::new(x, y));
    let play = point.map(Play::Place).filter(|&play| position.play(play).is_ok());
    play.unwrap_or_else(|| any(position, rng))
}

/// `count` fifth moves, all different under the ruleset.
fn offer(position: &Position, count: u8, rng: &mut Rng) -> Play {
    let board = position.board();
    let empty: Vec<Point> = board.empty_points().collect();
    let distinct = position.ruleset().distinct;
    let mut points: Vec<Point> = Vec::new();
    while points.len() < usize::from(count) {
        let point = *rng.pick(&empty);
        if !points.iter().any(|&other| distinct.same(board, point, other)) {
            points.push(point);
        }
    }
    Play::Offer(Offer::new(&points).expect("an offer has one to ten points"))
}
