//! Entry point: chooses a play for a position within limits, in any phase of the game.

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
use crate::vct::Table;

/// Decision of the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The play; always legal, and a foul only when every play is one.
    pub play: Play,
    /// Value of the position for the player to act.
    pub score: Score,
    /// Number of positions searched.
    pub nodes: u64,
    /// Deepest finished iteration.
    pub depth: u8,
    /// Principal variation, starting with the chosen move.
    pub pv: Vec<Point>,
}

/// A player that keeps its transposition table between the moves of a game.
///
/// Creating one is cheap whatever the table size, because the system provides the memory as it is
/// used. Call [`Engine::clear`] before another game.
pub struct Engine {
    table: Transpositions,
    /// One per thread, the main thread's first.
    failures: Vec<Failures>,
    threats: Table,
    fours_max: u64,
    taste_points: Score,
    pub(crate) uses_book: bool,
    uses_threats: bool,
}

const FAILURES: usize = 1 << 15;
const THREATS: usize = 1 << 16;

impl Engine {
    /// Creates an engine with a transposition table of at most `table_bytes`.
    pub fn new(table_bytes: usize) -> Engine {
        Engine {
            table: Transpositions::new(table_bytes),
            failures: vec![Failures::new(FAILURES)],
            threats: Table::new(THREATS),
            fours_max: params::FOURS_NODES,
            taste_points: 0,
            uses_book: true,
            uses_threats: true,
        }
    }

    /// Sets the number of threads, clamped to 1..=[`Engine::THREADS_MAX`]. The first thread decides
    /// and counts nodes; the others search ahead and share the table. With more than one, the same
    /// arguments may give different choices.
    pub fn with_threads(mut self, threads: usize) -> Engine {
        let threads = threads.clamp(1, Engine::THREADS_MAX);
        self.failures.resize_with(threads, || Failures::new(FAILURES));
        self
    }

    /// Upper limit of [`Engine::with_threads`].
    pub const THREADS_MAX: usize = 16;

    /// Sets the node limit of one search for continuous fours; zero turns it off.
    pub fn with_fours(mut self, nodes: u64) -> Engine {
        self.fours_max = nodes;
        self
    }

    /// Lets the seed decide among moves whose scores differ by at most `points`.
    pub fn with_taste(mut self, points: u16) -> Engine {
        self.taste_points = Score::from(points);
        self
    }

    /// Turns the opening book off: openings are decided by search alone.
    pub fn without_book(mut self) -> Engine {
        self.uses_book = false;
        self
    }

    /// Turns the search for wins by threes and fours at the root off.
    pub fn without_threats(mut self) -> Engine {
        self.uses_threats = false;
        self
    }

    /// Forgets everything learned, so that the next choice depends on its arguments alone.
    pub fn clear(&mut self) {
        self.table.clear();
        self.failures.iter_mut().for_each(Failures::clear);
        self.threats.clear();
    }

    /// Chooses a play for the player to act; `None` when the game is over. Setting `stop` ends the
    /// search early.
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

    /// Chooses a stone in free play.
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

    /// Best move in free play; `None` if no cell near a stone may be played.
    pub(crate) fn search(
        &mut self,
        field: Field,
        limits: &Limits,
        taste: Taste,
        stop: Option<&AtomicBool>,
    ) -> Option<Found> {
        self.table.next_generation();
        let (table, fours_max) = (&self.table, self.fours_max);
        let think = |field, failures, threats, limits: &Limits, stop, first: u8| {
            let memory = Memory { table, failures, threats };
            let search = Search::new(field, memory, limits, fours_max, stop);
            let mut search = search.with_taste(taste);
            let root = search.candidates(taste.seed ^ u64::from(first - 1));
            (!root.is_empty()).then(|| search.run(root, first..=limits.depth))
        };
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            let (main, helpers) = self.failures.split_first_mut()?;
            let threats = self.uses_threats.then_some(&mut self.threats);
            // Each helper starts a ply deeper, so that it finds something new.
            for (failures, first) in helpers.iter_mut().zip(2..) {
                let (field, done) = (field.clone(), &done);
                let unbound = Limits { nodes: u64::MAX, ..*limits };
                let help = move || think(field, failures, None, &unbound, Some(done), first);
                // If no thread can be started the search is slower but still correct.
                let _ = thread::Builder::new().spawn_scoped(scope, help);
            }
            let _raised_at_the_end = Raise(&done);
            think(field, main, threats, limits, stop, 1)
        })
    }

    /// Value of the position for Black, by search, and the nodes used. No value if the limits end the search before
    /// it has judged a move, which leaves a score of zero at depth zero.
    pub(crate) fn worth_for_black(
        &mut self,
        position: &Position,
        limits: &Limits,
        stop: Option<&AtomicBool>,
    ) -> (Option<Score>, u64) {
        let found = self.search(Field::new(position), limits, Taste::default(), stop);
        let Some(Found { score, depth, nodes, .. }) = found else { return (None, 0) };
        let worth = if position.to_move() == Color::Black { score } else { -score };
        ((depth > 0 || score != 0).then_some(worth), nodes)
    }
}

/// Sets the flag when dropped.
struct Raise<'a>(&'a AtomicBool);

impl Drop for Raise<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A move if the search finds none: the legal point nearest the centre, else any empty one.
fn fallback(position: &Position, seed: u64) -> Point {
    let centre = Point::centre(position.board().size());
    let mut random = Random::new(seed);
    position
        .legal_points()
        .min_by_key(|point| (point.ring(centre), random.next()))
        .or_else(|| position.board().empty_points().next())
        .expect("an unfinished game has an empty point")
}

/// Chooses a play with an empty table; `None` when the game is over.
///
/// The same position, nodes and seed give the same choice if no deadline is set.
pub fn choose(position: &Position, limits: &Limits, seed: u64) -> Option<Choice> {
    Engine::new(limits.table_bytes).choose(position, limits, seed, None)
}
