//! All possible lines: five cells to each side of a point, each own, enemy or empty, judged alone
//! and crossed with a four and with a three.

mod slow;

use renju::{Color, Mark, Precedence};
use slow::foul::made;
use slow::{Cell, Grid, along, point};

/// Crossing of the lines, out of reach of the edge.
const CENTRE: Cell = (9, 9);

/// A cell of the line is empty, own or enemy: one digit in base three.
const LINES: u32 = 3u32.pow(10);

fn line(mut digits: u32, direction: Cell, mut grid: Grid, own: Color) -> Grid {
    for step in (-5..=5).filter(|&step| step != 0) {
        let at = along(CENTRE, direction, step);
        match digits % 3 {
            1 => grid = grid.with(at, own),
            2 => grid = grid.with(at, !own),
            _ => {}
        }
        digits /= 3;
    }
    grid
}

/// Board with own stones these numbers of steps up from the crossing.
fn column(steps: &[i32], own: Color) -> Grid {
    steps.iter().fold(Grid::new(19), |grid, &step| grid.with(along(CENTRE, (0, 1), step), own))
}

/// Judges the crossing of every line with `column`; returns the number of marks that are not quiet.
fn judge(steps: &[i32], direction: Cell, own: Color) -> usize {
    let mut marked = 0;
    for digits in 0..LINES {
        let grid = line(digits, direction, column(steps, own), own);
        let slow = made(&grid, CENTRE, own);
        let board = grid.to_board();
        for precedence in [Precedence::FiveFirst, Precedence::FoulFirst] {
            let mark = board.mark(point(CENTRE), own, precedence);
            assert_eq!(mark, slow.mark(precedence), "{own} by {precedence:?}\n{grid}");
        }
        marked += usize::from(slow.mark(Precedence::FoulFirst) != Mark::Quiet);
    }
    marked
}

#[test]
fn every_line_alone_is_judged_as_the_prose_says() {
    let marked = judge(&[], (1, 0), Color::Black);
    assert_eq!(marked, judge(&[], (1, -1), Color::White));
    eprintln!("{marked} of {LINES} lines make a five, an overline or two fours");
}

#[test]
fn every_line_that_crosses_a_four_is_judged_as_the_prose_says() {
    let marked = judge(&[-1, 1, 2], (1, 0), Color::Black);
    assert_eq!(marked, judge(&[-1, 1, 2], (1, 1), Color::White));
    eprintln!("{marked} of {LINES} lines make a five, an overline or a four");
}

#[test]
fn every_line_that_crosses_a_three_is_judged_as_the_prose_says() {
    let marked = judge(&[-1, 1], (1, 0), Color::Black);
    assert_eq!(marked, judge(&[-1, 1], (1, -1), Color::White));
    eprintln!("{marked} of {LINES} lines make a five, a foul or a three");
}
