//! The player at the other end of a socket: a frame in, a frame out, the same on Lambda, in the
//! local arena and in tests.
//!
//! Every frame brings the whole game, so nothing of it is kept. What stays between frames is what
//! the engine learned, and only for as long as the same game may be going on.

use std::fmt;
use std::time::{Duration, Instant};

use arena_wire::duel::{BadFrame, Difficulty, Reply, Request, Searched};
use renju::{Play, Position, Ruleset};
use renju_engine::{Choice, Engine, Limits};

use crate::rate::rate;

/// Half a second is promised; the rest is for reading, writing and a core that is shared.
const HARD: Duration = Duration::from_millis(400);

/// More than a search of half a second fills.
const TABLE_BYTES: usize = 8 << 20;

/// The same game gets the same answers wherever the clock does not decide.
const SEED: u64 = 3;

/// How much a reply tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Detail {
    /// What the protocol has.
    #[default]
    Plain,
    /// With every move, what the search found.
    Search,
}

/// Answers the frames of one socket, or of the sockets that share a process.
pub struct Duel {
    engine: Engine,
    /// What the engine's table was filled for: a position has no other meaning in it.
    filled_for: Option<(Difficulty, &'static Ruleset)>,
}

impl Duel {
    /// A player who knows nothing yet.
    pub fn new() -> Duel {
        Duel { engine: Engine::new(TABLE_BYTES), filled_for: None }
    }

    /// Forgets what was learned: somebody connects, another game begins.
    pub fn forget(&mut self) {
        if self.filled_for.take().is_some() {
            self.engine.clear();
        }
    }

    /// The reply to a frame; `None` where none is due. Takes up to half a second.
    pub fn answer(&mut self, frame: &str, detail: Detail) -> Option<String> {
        let start = Instant::now();
        let reply = match Request::read(frame) {
            Err(bad) => bad.into(),
            Ok(Request::Ping) => Reply::Pong,
            Ok(Request::Reset) => {
                self.forget();
                return None;
            }
            Ok(Request::Evaluate { position, point }) => {
                let me = position.to_move();
                Reply::rated([me, !me].map(|color| (color, rate(&position, point, color))))
            }
            Ok(Request::Test { position }) => {
                self.forget();
                self.play(&position, Difficulty::Hard, start, detail)
            }
            Ok(Request::Move { difficulty, position }) => {
                self.play(&position, difficulty, start, detail)
            }
        };
        Some(reply.text())
    }

    /// The reply to a frame that is not text.
    pub fn not_text() -> String {
        Reply::from(BadFrame::NotText).text()
    }

    fn play(
        &mut self,
        position: &Position,
        difficulty: Difficulty,
        start: Instant,
        detail: Detail,
    ) -> Reply {
        if let Some(outcome) = position.outcome() {
            return Reply::over(outcome);
        }
        let key = (difficulty, position.ruleset());
        if self.filled_for != Some(key) {
            self.forget();
            self.filled_for = Some(key);
        }
        let choice = self.engine.choose(position, &limits(difficulty, start), SEED, None);
        let played = choice.and_then(|choice| Some((position.play(choice.play).ok()?, choice)));
        let Some((after, Choice { play: Play::Place(point), score, nodes, depth, pv })) = played
        else {
            return Reply::error(&"the engine found no move");
        };
        let search = (detail == Detail::Search).then(|| Searched {
            depth,
            nodes,
            score,
            line: pv.iter().map(ToString::to_string).collect(),
        });
        let captured = position.captured_by(point);
        let color = position.to_move();
        Reply::played(after.board(), point, color, captured.as_ref(), start.elapsed(), search)
    }
}

impl Default for Duel {
    fn default() -> Duel {
        Duel::new()
    }
}

impl fmt::Debug for Duel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Duel").field("filled_for", &self.filled_for).finish_non_exhaustive()
    }
}

/// How far the engine looks.
fn limits(difficulty: Difficulty, start: Instant) -> Limits {
    let unlimited = Limits { deadline: Some(start + HARD), nodes: u64::MAX, ..Limits::default() };
    match difficulty {
        Difficulty::Easy => Limits { nodes: 2_000, depth: 2, ..unlimited },
        Difficulty::Medium => Limits { nodes: 20_000, depth: 5, ..unlimited },
        Difficulty::Hard => unlimited,
    }
}
