//! Fives, fours, threes and fouls as the rule text defines them.

use std::collections::BTreeSet;

use renju::{Color, Foul, Mark, Precedence};

use super::{Cell, DIRECTIONS, Grid, along};

/// Shapes made by one stone, before precedence is applied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Made {
    pub(crate) five: bool,
    pub(crate) foul: Option<Foul>,
}

impl Made {
    /// Reading 4: a foul and a five in one stone.
    pub(crate) fn mark(self, precedence: Precedence) -> Mark {
        match (self.five, self.foul, precedence) {
            (true, None, _) | (true, _, Precedence::FiveFirst) => Mark::Five,
            (_, Some(foul), _) => Mark::Foul(foul),
            (false, None, _) => Mark::Quiet,
        }
    }
}

/// Shapes a stone of `color` on an empty point would make.
pub(crate) fn made(grid: &Grid, at: Cell, color: Color) -> Made {
    let after = grid.with(at, color);
    Made { five: after.has_exact_five(at), foul: foul(&after, at) }
}

/// Foul made by the stone just placed on `new`: overline before double-four before double-three.
fn foul(grid: &Grid, new: Cell) -> Option<Foul> {
    if grid.longest_row(new) >= 6 {
        Some(Foul::Overline)
    } else if fours(grid, new) >= 2 {
        Some(Foul::DoubleFour)
    } else if threes(grid, new) >= 2 {
        Some(Foul::DoubleThree)
    } else {
        None
    }
}

/// True if a stone on an empty point makes two threes and no row of five or more, whatever else it
/// makes: the restriction of docs/rules.md §12.
pub(crate) fn is_double_three(grid: &Grid, at: Cell, color: Color) -> bool {
    let after = grid.with(at, color);
    after.longest_row(at) < 5 && threes(&after, at) >= 2
}

/// Number of fours made by the new stone. A four is a set of four stones of one line, including the
/// new one, that one more stone makes an exact five; different sets are different fours.
fn fours(grid: &Grid, new: Cell) -> usize {
    let color = grid.at(new).expect("the new stone is on the board");
    let mut fours: BTreeSet<Vec<Cell>> = BTreeSet::new();
    for direction in DIRECTIONS {
        if near(grid, new, direction, 4, Some(color)).count() < 4 {
            continue;
        }
        for more in near(grid, new, direction, 4, None) {
            let five = grid.with(more, color).row(more, direction);
            if five.length == 5 && five.contains(new) {
                fours.insert(five.stones().filter(|&stone| stone != more).collect());
            }
        }
    }
    fours.len()
}

/// Number of threes made by the new stone, at most one per direction.
fn threes(grid: &Grid, new: Cell) -> usize {
    DIRECTIONS.iter().filter(|&&direction| is_three(grid, new, direction)).count()
}

/// True if one more stone turns three stones of this line, including the new one, into a straight
/// four, without making a five at the same time and without being a foul itself.
fn is_three(grid: &Grid, new: Cell, direction: Cell) -> bool {
    let color = grid.at(new).expect("the new stone is on the board");
    let has_three_stones = near(grid, new, direction, 3, Some(color)).count() >= 3;
    has_three_stones
        && near(grid, new, direction, 3, None).any(|more| {
            let after = grid.with(more, color);
            is_straight_four(&after, more, direction)
                && after.row(more, direction).contains(new)
                && !after.has_exact_five(more)
                && foul(&after, more).is_none()
        })
}

/// True if the row through a stone is an unbroken four with two points that make it an exact five.
fn is_straight_four(grid: &Grid, stone: Cell, direction: Cell) -> bool {
    let color = grid.at(stone).expect("a four is made of stones");
    let row = grid.row(stone, direction);
    let wins = |end| grid.is_empty(end) && grid.with(end, color).row(end, direction).length == 5;
    row.length == 4 && row.ends().into_iter().all(wins)
}

/// Points of the line within `steps` of a point that hold `what`, the point included.
fn near(
    grid: &Grid,
    of: Cell,
    direction: Cell,
    steps: i32,
    what: Option<Color>,
) -> impl Iterator<Item = Cell> + '_ {
    (-steps..=steps)
        .map(move |step| along(of, direction, step))
        .filter(move |&cell| grid.on_board(cell) && grid.at(cell) == what)
}
