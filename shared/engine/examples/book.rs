//! Prints the opening book, `src/book.txt`; the output changes only with the search:
//!
//! ```text
//! cargo run --release -p renju-engine --example book > book.txt && mv book.txt shared/engine/src/
//! ```
#![allow(clippy::print_stdout)]

use std::collections::HashMap;

use renju::{NamedOpening, Point};
use renju_engine::Score;
use renju_engine::book::{Game, Stones};

/// Balanced fourths of each opening whose fifths are in the book.
const FOURTHS: usize = 1;

fn main() {
    println!("# Printed by examples/book.rs: stones, then what one more is worth to Black.");
    let mut book = Book::default();
    let openings = NamedOpening::ALL.map(|opening| opening.stones());
    for second in [openings[0][1], openings[13][1]] {
        let two = Stones { game: Game::Renju, points: vec![Point::centre(15), second] };
        book.print(&two, openings.iter().filter(|three| three[1] == second).map(|three| three[2]));
    }
    for three in openings {
        let three = Stones { game: Game::Renju, points: three.to_vec() };
        let mut fourths = book.print(&three, square(3));
        fourths.sort_by_key(|&(worth, _)| worth.abs());
        for (_, four) in fourths.into_iter().take(FOURTHS) {
            book.print(&four, square(4));
        }
    }
    for first in square(2) {
        for second in square(2).filter(|&second| second != first) {
            let two = Stones { game: Game::Gomoku, points: vec![first, second] };
            book.print(&two, square(2));
        }
    }
}

/// Points of the square of radius `ring` around the centre.
fn square(ring: u8) -> impl Iterator<Item = Point> {
    Point::all(15).filter(move |point| point.ring(Point::centre(15)) <= ring)
}

/// Values found so far. The same stones occur in several orders and orientations.
#[derive(Default)]
struct Book(HashMap<(Game, u64), Score>);

impl Book {
    /// Prints the values of the next stone on each of these points, without repetitions.
    fn print(
        &mut self,
        before: &Stones,
        points: impl Iterator<Item = Point>,
    ) -> Vec<(Score, Stones)> {
        let board = before.board();
        let (mut rows, mut line) = (Vec::new(), String::new());
        for point in points.filter(|&point| board.is_empty(point)) {
            let stones = before.and(point);
            let worth = *self.0.entry((stones.game, stones.key())).or_insert_with(|| {
                let worth = stones.measure();
                line += &format!(" {point} {worth}");
                worth
            });
            rows.push((worth, stones));
        }
        if !line.is_empty() {
            let names: Vec<String> = before.points.iter().map(Point::to_string).collect();
            println!("{} {}:{line}", before.game.name(), names.join(" "));
        }
        rows
    }
}
