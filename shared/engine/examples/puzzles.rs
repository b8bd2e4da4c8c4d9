//! Finds wins by continuous fours in games of the engine against itself and prints them as the
//! puzzles of the page: the moves up to Black's turn, a bar, the winning line.
//!
//! ```text
//! cargo run --release -p renju-engine --example puzzles -- 60 > functions/spectate/src/puzzles.txt
//! ```
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use renju::{Board, Color, Mark, Play, Point, Position, Precedence, Record, Ruleset};
use renju_engine::{Field, Level, Limits, solve};

/// Level of both players: it overlooks some wins by fours, so that there are positions to solve.
const LEVEL: usize = 2;
/// Random stones at the start, so that games differ.
const RANDOM_STONES: u16 = 5;
/// Stones on the board of a puzzle: enough to think about, not too many to see.
const STONES: std::ops::RangeInclusive<u16> = 12..=34;
/// Lengths of a good line: three to seven stones of Black.
const LINE: std::ops::RangeInclusive<usize> = 5..=13;

fn main() {
    let wanted: usize = std::env::args().nth(1).map_or(60, |count| count.parse().unwrap());
    let free = Ruleset::find("renju_free").unwrap();
    println!(
        "# Wins by fours from games of the engine against itself; made by examples/puzzles.rs."
    );
    let mut found = 0;
    for seed in 1.. {
        if let Some(text) = play(free, seed) {
            println!("{text}");
            found += 1;
            if found == wanted {
                return;
            }
        }
    }
}

/// Plays a game to the first puzzle.
fn play(free: &'static Ruleset, seed: u64) -> Option<String> {
    let mut record = Record::new(free);
    let level = &Level::ALL[LEVEL];
    while record.position().to_act().is_some() && record.plays().len() <= usize::from(*STONES.end())
    {
        let position = record.position();
        if let Some(line) = puzzle(position) {
            let moves = record.stones().map(|(point, _)| point.to_string()).collect::<Vec<_>>();
            let line = line.iter().map(Point::to_string).collect::<Vec<_>>();
            return Some(format!("{} | {}", moves.join(" "), line.join(" ")));
        }
        let stones = position.move_number();
        let chooser = if stones < RANDOM_STONES { near(position, seed) } else { None };
        let play = match chooser {
            Some(play) => play,
            None => level.choose(position, &level.limits(), seed + u64::from(stones), None)?.play,
        };
        record.play(play).unwrap();
    }
    None
}

/// A stone near the middle that depends on the seed.
fn near(position: &Position, seed: u64) -> Option<Play> {
    let centre = Point::centre(position.board().size());
    let near: Vec<Point> = position.legal_points().filter(|p| p.ring(centre) <= 2).collect();
    let mixed = (seed * 31 + u64::from(position.move_number())).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    near.get((mixed >> 33) as usize % near.len().max(1)).copied().map(Play::Place)
}

/// A winning line of Black that is neither too short nor too long, and not a five or a block at once.
fn puzzle(position: &Position) -> Option<Vec<Point>> {
    let board = position.board();
    let is_time = STONES.contains(&position.move_number());
    if position.to_move() != Color::Black || !is_time || threatens(board) {
        return None;
    }
    let line = solve(&mut Field::new(position), &Limits::nodes(20_000), None).line?;
    LINE.contains(&line.len()).then_some(line)
}

/// True if a colour could make five now.
fn threatens(board: &Board) -> bool {
    board.empty_points().any(|point| {
        board.mark(point, Color::Black, Precedence::FiveFirst) == Mark::Five
            || renju::Direction::ALL
                .into_iter()
                .any(|direction| board.row_through(point, direction, Color::White) >= 5)
    })
}
