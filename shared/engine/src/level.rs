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

/// How a house level thinks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Any legal point.
    Random,
    /// Wins at once or blocks a win, else any point near the stones.
    WinOrBlock,
    /// Wins at once or blocks a win, else the point with the longest lines.
    Lines,
    /// Searches.
    Search,
}

/// A level of house play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// The number of the level, the weakest zero.
    pub number: u8,
    /// How it thinks.
    pub style: Style,
    /// The most positions a move may take.
    pub nodes: u64,
    /// The deepest iteration.
    pub depth: u8,
    /// The most positions one look for continuous fours may take; zero never looks.
    pub fours: u64,
    /// The size of its transposition table.
    pub table_bytes: usize,
}

/// How far apart the scores of two moves may be for a level to play either. It costs no strength
/// that the matches between levels would show, and no two games go alike.
const TASTE_POINTS: u16 = 40;

impl Level {
    /// Every level, the weakest first.
    pub const ALL: [Level; 7] = [
        level(0, Style::Random, 200, 1, 0, 16),
        level(1, Style::WinOrBlock, 200, 1, 0, 16),
        level(2, Style::Lines, 200, 1, 0, 16),
        level(3, Style::Search, 500, 3, 0, 16),
        level(4, Style::Search, 2_500, 8, 50, 18),
        level(5, Style::Search, 25_000, 64, 100, 21),
        level(6, Style::Search, 300_000, 64, 100, 25),
    ];

    /// The longest any level thinks. Levels are bounded by nodes, so that they play alike on every
    /// machine; this is for machines too slow for that.
    pub const TIME: Duration = Duration::from_millis(1_500);

    /// The level's limits, without a deadline.
    pub const fn limits(&self) -> Limits {
        let Level { nodes, depth, table_bytes, .. } = *self;
        Limits { deadline: None, nodes, depth, table_bytes }
    }

    /// A play at this level by an engine without a memory; `None` when the game is over. `limits` may
    /// shorten its thinking.
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

/// A stone in free play, without a search.
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

/// What a cell is worth to both colours by its lines alone.
fn line_worth(field: &Field, point: Point) -> i32 {
    const WORTH: [i32; Shape::COUNT] = [0, 0, 0, 0, 3, 8, 10, 11, 24, 28, 30, 50, 90, 200, 0];
    let shapes = renju::Color::BOTH.map(|color| field.shapes(point, color));
    shapes.into_iter().flatten().map(|shape| WORTH[shape as usize]).sum()
}
