//! The door: a position and limits in, a play out, whatever phase the game is in.

use std::sync::atomic::AtomicBool;

use renju::{Color, Phase, Play, Point, Position};

use crate::field::Field;
use crate::limits::Limits;
use crate::opening;
use crate::random::Random;
use crate::score::Score;
use crate::search::{Found, Memory, Search};
use crate::table::Transpositions;
use crate::vcf::Failures;

/// What the engine decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The play; always legal, and a foul only when every play is one.
    pub play: Play,
    /// How good the position is for the player to act.
    pub score: Score,
    /// How many positions were looked at.
    pub nodes: u64,
    /// The deepest finished iteration.
    pub depth: u8,
    /// What the engine expects: its own move first.
    pub pv: Vec<Point>,
}

/// A player with a memory: hold one for a game and its table stays warm between moves.
///
/// A new engine takes no time, whatever the size of its table: the system hands out the memory as it
/// is used. [`Engine::clear`] makes it as good as new, for another game.
pub struct Engine {
    memory: Memory,
    fours_max: u64,
}

/// The most nodes one look for continuous fours takes inside a search of full strength.
const FOURS_MAX: u64 = 100;

const FAILURES: usize = 1 << 15;

impl Engine {
    /// An engine with a transposition table of at most so many bytes.
    pub fn new(table_bytes: usize) -> Engine {
        let memory =
            Memory { table: Transpositions::new(table_bytes), failures: Failures::new(FAILURES) };
        Engine { memory, fours_max: FOURS_MAX }
    }

    /// The same engine with another bound on one look for continuous fours; zero never looks.
    pub fn with_fours(mut self, nodes: u64) -> Engine {
        self.fours_max = nodes;
        self
    }

    /// Forgets everything learned, so that the next choice depends on its arguments alone.
    pub fn clear(&mut self) {
        self.memory.table.clear();
        self.memory.failures.clear();
    }

    /// A play for the player to act; `None` when the game is over. Raising `stop` ends the search early.
    pub fn choose(
        &mut self,
        position: &Position,
        limits: &Limits,
        seed: u64,
        stop: Option<&AtomicBool>,
    ) -> Option<Choice> {
        match position.phase() {
            Phase::Over(_) => None,
            Phase::Play => Some(self.place(position, limits, seed, stop)),
            _ => opening::choose(self, position, limits, seed, stop),
        }
    }

    /// A stone in free play.
    fn place(
        &mut self,
        position: &Position,
        limits: &Limits,
        seed: u64,
        stop: Option<&AtomicBool>,
    ) -> Choice {
        let found = self.search(Field::new(position), limits, seed, stop);
        let point = match found {
            Some(ref found) if position.play(Play::Place(found.cell.point())).is_ok() => {
                found.cell.point()
            }
            _ => fallback(position, seed),
        };
        let (score, nodes, depth, pv) = match found {
            Some(found) if found.cell.point() == point => {
                let pv = found.line.iter().map(|cell| cell.point()).collect();
                (found.score, found.nodes, found.depth, pv)
            }
            _ => (0, 0, 0, vec![point]),
        };
        Choice { play: Play::Place(point), score, nodes, depth, pv }
    }

    /// The best move in free play; `None` when nothing near a stone may be played.
    pub(crate) fn search(
        &mut self,
        field: Field,
        limits: &Limits,
        seed: u64,
        stop: Option<&AtomicBool>,
    ) -> Option<Found> {
        let mut search = Search::new(field, &mut self.memory, limits, self.fours_max, stop);
        let root = search.candidates(seed);
        if root.is_empty() {
            return None;
        }
        Some(search.run(root, limits.depth))
    }

    /// How good these stones are for Black.
    pub(crate) fn worth_for_black(
        &mut self,
        position: &Position,
        limits: &Limits,
        stop: Option<&AtomicBool>,
    ) -> (Score, u64) {
        match self.search(Field::new(position), limits, 0, stop) {
            Some(found) if position.to_move() == Color::Black => (found.score, found.nodes),
            Some(found) => (-found.score, found.nodes),
            None => (0, 0),
        }
    }
}

/// Where no stone calls for an answer: the centre, else a legal point near it, else any that is left.
fn fallback(position: &Position, seed: u64) -> Point {
    let centre = Point::centre(position.board().size());
    let mut random = Random::new(seed);
    position
        .legal_points()
        .min_by_key(|point| (point.ring(centre), random.next()))
        .or_else(|| position.board().empty_points().next())
        .expect("an unfinished game has an empty point")
}

/// A play for the player to act, by an engine without a memory; `None` when the game is over.
///
/// The same position, nodes and seed give the same choice, as long as no deadline is set.
pub fn choose(position: &Position, limits: &Limits, seed: u64) -> Option<Choice> {
    Engine::new(limits.table_bytes).choose(position, limits, seed, None)
}
