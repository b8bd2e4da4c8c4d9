//! Equality of two offered fifth moves, in both readings.

use std::collections::BTreeSet;

use renju::{Color, Distinct};

use super::{Cell, Grid};

/// The eight rotations and reflections of a cell about the origin.
pub(crate) const TURNS: [fn(Cell) -> Cell; 8] = [
    |(x, y)| (x, y),
    |(x, y)| (-y, x),
    |(x, y)| (-x, -y),
    |(x, y)| (y, -x),
    |(x, y)| (-x, y),
    |(x, y)| (y, x),
    |(x, y)| (x, -y),
    |(x, y)| (-y, -x),
];

/// Fault of an offer; the first that applies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    Count,
    Range,
    Occupied,
    Duplicate,
    Symmetric,
}

/// Judges an offer of fifth moves if `count` are due.
pub(crate) fn judge(
    grid: &Grid,
    offers: &[Cell],
    count: usize,
    distinct: Distinct,
) -> Result<(), Fault> {
    let pairs = || (1..offers.len()).flat_map(|b| (0..b).map(move |a| (offers[a], offers[b])));
    if offers.len() != count {
        Err(Fault::Count)
    } else if !offers.iter().all(|&at| grid.on_board(at)) {
        Err(Fault::Range)
    } else if !offers.iter().all(|&at| grid.is_empty(at)) {
        Err(Fault::Occupied)
    } else if pairs().any(|(a, b)| a == b) {
        Err(Fault::Duplicate)
    } else if pairs().any(|(a, b)| same(grid, a, b, distinct)) {
        Err(Fault::Symmetric)
    } else {
        Ok(())
    }
}

/// True if two different offers count as one.
pub(crate) fn same(grid: &Grid, a: Cell, b: Cell, distinct: Distinct) -> bool {
    match distinct {
        Distinct::Point => {
            // Doubled, so that the centre of an even board is a cell too.
            let from_centre = |(x, y)| (2 * x - (grid.size - 1), 2 * y - (grid.size - 1));
            TURNS.iter().any(|turn| turn(from_centre(a)) == from_centre(b))
        }
        Distinct::Figure => are_congruent(&figure(grid, a), &figure(grid, b)),
    }
}

type Figure = BTreeSet<(Cell, char)>;

/// The stones on the board and a black one on `fifth`.
fn figure(grid: &Grid, fifth: Cell) -> Figure {
    let after = grid.with(fifth, Color::Black);
    after.cells().filter_map(|cell| Some((cell, after.at(cell)?.letter()))).collect()
}

/// True if the figures are equal after rotation, reflection and translation.
fn are_congruent(one: &Figure, other: &Figure) -> bool {
    TURNS.iter().any(|turn| {
        let turned: Figure = one.iter().map(|&(cell, letter)| (turn(cell), letter)).collect();
        let Some(&((x, y), _)) = turned.first() else { return other.is_empty() };
        other.iter().any(|&((to_x, to_y), _)| {
            let shifted = |&((a, b), letter): &(Cell, char)| ((a + to_x - x, b + to_y - y), letter);
            turned.iter().map(shifted).collect::<Figure>() == *other
        })
    })
}
