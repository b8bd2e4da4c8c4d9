//! Random plays for random games: legal ones, and others that must be rejected.

use renju::{Distinct, Offer, Phase, Play, Point, Position, Ruleset};

use super::random::Random;
use super::{Cell, Grid, offer, point};

/// Every ruleset on every board it is played on.
pub(crate) fn every_game() -> impl Iterator<Item = (&'static Ruleset, u8)> {
    Ruleset::ALL.iter().flat_map(|ruleset| ruleset.sizes.iter().map(move |&size| (ruleset, size)))
}

/// A random legal play: an offer half the time one is possible, and a point near other stones more
/// often than one far away.
pub(crate) fn some_play(position: &Position, random: &mut Random) -> Play {
    let distinct = position.ruleset().distinct;
    let offers = match position.phase() {
        Phase::Offer { count } => Some(count),
        Phase::Fifth { count, .. } if random.below(2) == 0 => Some(count),
        _ => None,
    };
    if let Some(count) = offers {
        let cells = some_offer(&Grid::of(position.board()), count, distinct, random);
        return to_play(&cells).expect("one to ten points are an offer");
    }
    let plays: Vec<Play> = position.plays().collect();
    let mut play = random.pick(&plays);
    for _ in 0..8 {
        match play {
            Play::Place(at) if !has_neighbour(position, at) => play = random.pick(&plays),
            _ => break,
        }
    }
    play
}

fn has_neighbour(position: &Position, at: Point) -> bool {
    Point::all(position.board().size())
        .any(|other| at.ring(other) <= 2 && position.board().get(other).is_some())
}

/// `count` fifth moves, no two of them the same.
pub(crate) fn some_offer(
    grid: &Grid,
    count: u8,
    distinct: Distinct,
    random: &mut Random,
) -> Vec<Cell> {
    let empty: Vec<Cell> = grid.empty_cells().collect();
    let mut cells: Vec<Cell> = Vec::new();
    while cells.len() < usize::from(count) {
        let next = random.pick(&empty);
        if !cells.iter().any(|&other| other == next || offer::same(grid, other, next, distinct)) {
            cells.push(next);
        }
    }
    cells
}

/// An offer that may be invalid: a point too many or too few, off the board, taken, named twice, or
/// the image of another.
pub(crate) fn any_offer(
    grid: &Grid,
    count: u8,
    distinct: Distinct,
    random: &mut Random,
) -> Vec<Cell> {
    let mut cells = some_offer(grid, count, distinct, random);
    let changed = random.below(cells.len() as i32) as usize;
    let last = grid.size - 1;
    match random.below(8) {
        0 => drop(cells.pop()),
        1 => cells.push(random.cell(grid.size)),
        2 => cells[changed] = (random.within(last + 1, 20).min(19), random.below(20)),
        3 => cells[changed] = random.cell(grid.size),
        4 => cells[changed] = random.pick(&cells),
        5 => {
            let (x, y) = random.pick(&cells);
            cells[changed] = random.pick(&[(last - x, y), (x, last - y), (y, x), (last - y, x)]);
        }
        _ => {}
    }
    cells
}

/// The offer as a play; `None` if it cannot be represented.
pub(crate) fn to_play(cells: &[Cell]) -> Option<Play> {
    let points: Vec<Point> = cells.iter().map(|&cell| point(cell)).collect();
    Offer::new(&points).ok().map(Play::Offer)
}
