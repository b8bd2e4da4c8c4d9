//! The door: a position and limits in, a play out, whatever phase the game is in.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use renju::{Color, Phase, Play, Point, Position};

use crate::field::Field;
use crate::limits::Limits;
use crate::opening;
use crate::params;
use crate::random::Random;
use crate::score::Score;
use crate::search::{Found, Memory, Search, Taste};
use crate::transpositions::Transpositions;
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
    table: Transpositions,
    /// A thread's own each, the main one's first.
    failures: Vec<Failures>,
    fours_max: u64,
    taste_points: Score,
    pub(crate) uses_book: bool,
}

const FAILURES: usize = 1 << 15;

impl Engine {
    /// An engine with a transposition table of at most so many bytes.
    pub fn new(table_bytes: usize) -> Engine {
        Engine {
            table: Transpositions::new(table_bytes),
            failures: vec![Failures::new(FAILURES)],
            fours_max: params::FOURS_NODES,
            taste_points: 0,
            uses_book: true,
        }
    }

    /// The same engine with so many threads, one at least and [`Engine::THREADS_MAX`] at most. The first
    /// one decides and counts nodes; the others search the same and share what they learn with it, so
    /// that with more than one the same arguments need not give the same choice.
    pub fn with_threads(mut self, threads: usize) -> Engine {
        let threads = threads.clamp(1, Engine::THREADS_MAX);
        self.failures.resize_with(threads, || Failures::new(FAILURES));
        self
    }

    /// The most threads of an engine.
    pub const THREADS_MAX: usize = 16;

    /// The same engine with another bound on one look for continuous fours; zero never looks.
    pub fn with_fours(mut self, nodes: u64) -> Engine {
        self.fours_max = nodes;
        self
    }

    /// The same engine with a taste: among moves whose scores differ by no more than so many points
    /// the seed decides.
    pub fn with_taste(mut self, points: u16) -> Engine {
        self.taste_points = Score::from(points);
        self
    }

    /// The same engine without the book: it decides in openings by search alone.
    pub fn without_book(mut self) -> Engine {
        self.uses_book = false;
        self
    }

    /// Forgets everything learned, so that the next choice depends on its arguments alone.
    pub fn clear(&mut self) {
        self.table.clear();
        self.failures.iter_mut().for_each(Failures::clear);
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
        let found = self.search(
            Field::new(position),
            limits,
            Taste { seed, points: self.taste_points },
            stop,
        );
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
        taste: Taste,
        stop: Option<&AtomicBool>,
    ) -> Option<Found> {
        self.table.next_generation();
        let (table, fours_max) = (&self.table, self.fours_max);
        let think = |field, failures, limits: &Limits, stop, first: u8| {
            let memory = Memory { table, failures };
            let search = Search::new(field, memory, limits, fours_max, stop);
            let mut search = search.with_taste(taste);
            let root = search.candidates(taste.seed ^ u64::from(first - 1));
            (!root.is_empty()).then(|| search.run(root, first..=limits.depth))
        };
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            let (main, helpers) = self.failures.split_first_mut()?;
            // Each helper is a ply further ahead, so that what it finds is news.
            for (failures, first) in helpers.iter_mut().zip(2..) {
                let (field, done) = (field.clone(), &done);
                let unbound = Limits { nodes: u64::MAX, ..*limits };
                let help = move || think(field, failures, &unbound, Some(done), first);
                // Without the thread it takes longer, nothing worse.
                let _ = thread::Builder::new().spawn_scoped(scope, help);
            }
            let _raised_at_the_end = Raise(&done);
            think(field, main, limits, stop, 1)
        })
    }

    /// How good these stones are for Black, by search.
    pub(crate) fn worth_for_black(
        &mut self,
        position: &Position,
        limits: &Limits,
        stop: Option<&AtomicBool>,
    ) -> (Score, u64) {
        match self.search(Field::new(position), limits, Taste::default(), stop) {
            Some(found) if position.to_move() == Color::Black => (found.score, found.nodes),
            Some(found) => (-found.score, found.nodes),
            None => (0, 0),
        }
    }
}

/// A flag that is raised when this is dropped, whatever happened before.
struct Raise<'a>(&'a AtomicBool);

impl Drop for Raise<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
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
