//! The house levels, from random to full strength, as rows of data.

use std::sync::atomic::AtomicBool;

use renju::{Mark, Phase, Play, Point, Position, Precedence};

use crate::cell::Cell;
use crate::engine::{Choice, Engine};
use crate::field::Field;
use crate::limits::Limits;
use crate::moves::line_worth;
use crate::random::Random;

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
    /// How many moves in a hundred are made by the level's weakness instead of its thinking.
    pub blunders: u8,
    /// The size of its transposition table.
    pub table_bytes: usize,
}

impl Level {
    /// Every level, the weakest first.
    pub const ALL: [Level; 7] = [
        level(0, Style::Random, 1, 1, 0, 0),
        level(1, Style::WinOrBlock, 1, 1, 0, 0),
        level(2, Style::Lines, 1, 1, 0, 0),
        level(3, Style::Search, 600, 2, 0, 10),
        level(4, Style::Search, 4_000, 5, 10, 0),
        level(5, Style::Search, 30_000, 9, 50, 0),
        level(6, Style::Search, 300_000, 40, 100, 0),
    ];

    /// The level's limits.
    pub const fn limits(&self) -> Limits {
        let Level { nodes, depth, table_bytes, .. } = *self;
        Limits { deadline: None, nodes, depth, table_bytes }
    }

    /// A play at this level; `None` when the game is over. `limits` may shorten its thinking.
    pub fn choose(
        &self,
        position: &Position,
        limits: &Limits,
        seed: u64,
        stop: Option<&AtomicBool>,
    ) -> Option<Choice> {
        let mut random = Random::new(seed ^ 0xa11ce);
        let weak = self.blunders > 0 && random.below(100) < u64::from(self.blunders);
        let style = if weak { Style::WinOrBlock } else { self.style };
        if position.phase() == Phase::Play && style != Style::Search {
            return Some(self.simple(style, position, &mut random));
        }
        let own = self.limits();
        let limits = Limits {
            deadline: limits.deadline,
            nodes: own.nodes.max(200).min(limits.nodes),
            depth: own.depth.min(limits.depth),
            table_bytes: own.table_bytes.min(limits.table_bytes),
        };
        let mut engine = Engine::new(limits.table_bytes).with_fours(self.fours);
        engine.choose(position, &limits, seed, stop)
    }

    /// A stone in free play, without a search.
    fn simple(&self, style: Style, position: &Position, random: &mut Random) -> Choice {
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
                Style::WinOrBlock => {
                    i32::from(line_worth(field.looks[Cell::of(point).index()]) > 0)
                }
                Style::Lines => {
                    let lines = line_worth(field.looks[Cell::of(point).index()]);
                    16 * lines - i32::from(point.ring(centre))
                }
            }
        };
        let best = points.iter().map(|&point| worth(point)).max().unwrap_or(0);
        points.retain(|&point| worth(point) == best);
        let point = points[random.below(points.len() as u64) as usize];
        Choice { play: Play::Place(point), score: 0, nodes: 1, depth: 1, pv: vec![point] }
    }
}

const fn level(number: u8, style: Style, nodes: u64, depth: u8, fours: u64, blunders: u8) -> Level {
    Level { number, style, nodes, depth, fours, blunders, table_bytes: 8 << 20 }
}
