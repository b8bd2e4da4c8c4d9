//! Whole-board classification and single queries; figures in docs/performance.md.

#![allow(clippy::unwrap_used, reason = "a bench may stop on bad data")]

use divan::{Bencher, black_box, counter::ItemsCount};
use renju::{Board, Color, Point, Precedence};

fn main() {
    divan::main();
}

/// Boards of self-play games, and boards built to be hard: many threes, deep recursion.
const SETS: [(&str, &str); 2] =
    [("game_like", include_str!("game_like.txt")), ("hard", include_str!("hard.txt"))];

fn boards(set: &str) -> Vec<Board> {
    let (_, text) = SETS.into_iter().find(|(name, _)| *name == set).unwrap();
    text.lines().map(board).collect()
}

fn board(line: &str) -> Board {
    let mut board = Board::new(15);
    for (index, cell) in line.bytes().enumerate() {
        let color = match cell {
            b'x' => Color::Black,
            b'o' => Color::White,
            _ => continue,
        };
        board.put(Point::from_index(index, 15).unwrap(), color);
    }
    board
}

/// All 225 points of a board: time per board.
#[divan::bench(args = ["game_like", "hard"])]
fn whole_board(bencher: Bencher<'_, '_>, set: &str) {
    let boards = boards(set);
    bencher.counter(ItemsCount::new(boards.len())).bench(|| {
        for board in &boards {
            black_box(black_box(board).marks(Color::Black, Precedence::FiveFirst));
        }
    });
}

/// The same, parsed from 225 characters.
#[divan::bench(args = ["game_like", "hard"])]
fn whole_board_from_text(bencher: Bencher<'_, '_>, set: &str) {
    let (_, text) = SETS.into_iter().find(|(name, _)| *name == set).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    bencher.counter(ItemsCount::new(lines.len())).bench(|| {
        for line in &lines {
            black_box(board(black_box(line)).marks(Color::Black, Precedence::FiveFirst));
        }
    });
}

/// Single queries, one per empty point: time per point.
#[divan::bench(args = ["game_like", "hard"])]
fn single_query(bencher: Bencher<'_, '_>, set: &str) {
    let boards = boards(set);
    let queries: Vec<(usize, Point)> = boards
        .iter()
        .enumerate()
        .flat_map(|(index, board)| board.empty_points().map(move |point| (index, point)))
        .collect();
    bencher.counter(ItemsCount::new(queries.len())).bench(|| {
        for &(index, point) in &queries {
            let board = &boards[index];
            black_box(board.mark(black_box(point), Color::Black, Precedence::FiveFirst));
        }
    });
}

/// Put a stone on a board and take it back.
#[divan::bench]
fn put_and_take(bencher: Bencher<'_, '_>) {
    let mut board = Board::new(15);
    bencher.bench_local(|| {
        board.put(black_box(Point::centre(15)), Color::Black);
        board.take(black_box(Point::centre(15)), Color::Black);
    });
}
