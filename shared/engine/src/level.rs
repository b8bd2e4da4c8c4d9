//! The house levels, from random to full strength, as rows of data.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use renju::{Mark, Phase, Play, Point, Position, Precedence};

use crate::cell::Cell;
use crate::engine::{Choice, Engine};
use crate::field::Field;
use crate::limits::Limits;
use crate::random::Random;
use crate::shape::Shape;

/// Method by which a house level chooses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Any legal point.
    Random,
    /// Wins at once or blocks a win, else any point near the stones.
    WinOrBlock,
    /// Wins at once or blocks a win, else the point with the longest lines.
    Lines,
    /// A search within the limits of the level.
    Search,
}

/// Strength of a house bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// Number of the level, 0 for the weakest.
    pub number: u8,
    /// Method of choosing a move.
    pub style: Style,
    /// Node limit of a move.
    pub nodes: u64,
    /// Depth limit.
    pub depth: u8,
    /// Node limit of one search for continuous fours; zero turns it off.
    pub fours: u64,
    /// Size of the transposition table.
    pub table_bytes: usize,
}

/// Largest difference in score between moves a level chooses from at random, so that games do not
/// repeat. The ratings of the levels were measured with it.
const TASTE_POINTS: u16 = 60;

impl Level {
    /// Every level, the weakest first.
    pub const ALL: [Level; 7] = [
        level(0, Style::Random, 200, 1, 0, 16),
        level(1, Style::WinOrBlock, 200, 1, 0, 16),
        level(2, Style::Lines, 200, 1, 0, 16),
        level(3, Style::Search, 150, 2, 0, 16),
        level(4, Style::Search, 800, 8, 50, 18),
        level(5, Style::Search, 12_000, 64, 100, 21),
        level(6, Style::Search, 300_000, 64, 100, 25),
    ];

    /// Time limit of a move. Levels are bounded by nodes, so that they play the same on every
    /// machine; this is for machines too slow for that.
    pub const TIME: Duration = Duration::from_millis(1_500);

    /// Limits of the level, without a deadline.
    pub const fn limits(&self) -> Limits {
        let Level { nodes, depth, table_bytes, .. } = *self;
        Limits { deadline: None, nodes, depth, table_bytes }
    }

    /// Chooses a play at this level with an empty table; `None` when the game is over. `limits` may
    /// tighten the level's own.
    pub fn choose(
        &self,
        position: &Position,
        limits: &Limits,
        seed: u64,
        stop: Option<&AtomicBool>,
    ) -> Option<Choice> {
        let mut random = Random::new(seed ^ 0xa11ce);
        if position.phase() == Phase::Play && self.style != Style::Search {
            return Some(simple(self.style, position, &mut random));
        }
        let bound = Instant::now() + Level::TIME;
        let limits = Limits {
            deadline: Some(limits.deadline.map_or(bound, |deadline| deadline.min(bound))),
            nodes: self.nodes.min(limits.nodes),
            depth: self.depth.min(limits.depth),
            table_bytes: self.table_bytes.min(limits.table_bytes),
        };
        let mut engine = Engine::new(limits.table_bytes);
        engine = engine.with_fours(self.fours).with_taste(TASTE_POINTS);
        engine.choose(position, &limits, seed, stop)
    }
}

/// Chooses a stone in free play without a search.
fn simple(style: Style, position: &Position, random: &mut Random) -> Choice {
    let field = Field::new(position);
    let color = position.to_move();
    let mut points: Vec<Point> = position.legal_points().collect();
    if points.is_empty() {
        points = position.board().empty_points().collect();
    }
    let centre = Point::centre(position.board().size());
    let worth = |point: Point| -> i32 {
        let makes_five = |color| {
            position.board().mark(point, color, Precedence::FiveFirst) == Mark::Five
                || field.wins(Cell::of(point), color)
        };
        match style {
            Style::Random | Style::Search => 0,
            _ if field.wins(Cell::of(point), color) => 1_000_000,
            _ if makes_five(!color) => 500_000,
            Style::WinOrBlock => i32::from(line_worth(&field, point) > 0),
            Style::Lines => {
                let lines = line_worth(&field, point);
                16 * lines - i32::from(point.ring(centre))
            }
        }
    };
    let best = points.iter().map(|&point| worth(point)).max().unwrap_or(0);
    points.retain(|&point| worth(point) == best);
    let point = points[random.below(points.len() as u64) as usize];
    Choice { play: Play::Place(point), score: 0, nodes: 1, depth: 1, pv: vec![point] }
}

const fn level(number: u8, style: Style, nodes: u64, depth: u8, fours: u64, table: u32) -> Level {
    Level { number, style, nodes, depth, fours, table_bytes: 1 << table }
}

/// Value of a cell for both colours, by its lines alone.
fn line_worth(field: &Field, point: Point) -> i32 {
    const WORTH: [i32; Shape::COUNT] = [0, 0, 0, 0, 3, 8, 10, 11, 24, 28, 30, 50, 90, 200, 0];
    let shapes = renju::Color::BOTH.map(|color| field.shapes(point, color));
    shapes.into_iter().flatten().map(|shape| WORTH[shape as usize]).sum()
}
