//! Player behind a socket: a frame in, a frame out, the same on Lambda, in the local arena and in
//! tests.
//!
//! Every frame carries the whole game, so no game state is kept. Only the engine's table stays
//! between frames, as long as the same game may be in progress.

use std::fmt;
use std::time::{Duration, Instant};

use arena_wire::duel::{BadFrame, Difficulty, Reply, Request, Searched};
use renju::{Ending, Outcome, Play, Position, Ruleset};
use renju_engine::{Choice, Engine, Limits};

use crate::rate::rate;

/// Time limit of a move. Half a second is promised; the rest is for reading, writing and a shared
/// core.
const HARD: Duration = Duration::from_millis(400);

/// More than a search of half a second fills.
const TABLE_BYTES: usize = 4 << 20;

/// Fixed, so that the same game gets the same answers unless the clock decides.
const SEED: u64 = 3;

/// Amount of detail in a reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Detail {
    /// Fields of the protocol only.
    #[default]
    Plain,
    /// Adds the search result to every move.
    Search,
}

/// Answers the frames of one socket, or of all sockets that share a process.
#[derive(Default)]
pub struct Duel {
    /// The engine with its table and the game it is for: the table knows positions by their stones
    /// alone and would be wrong under other rules.
    warm: Option<(Game, Engine)>,
}

/// Request of a frame.
#[derive(Clone, Debug)]
pub enum Heard {
    /// Answered immediately with this reply.
    Reply(String),
    /// Forget what was learned; no reply is due.
    Reset,
    /// A move, which takes time: see [`Duel::think`].
    Question(Box<Question>),
}

/// A position in which a move is asked for.
#[derive(Clone, Debug)]
pub struct Question {
    position: Position,
    difficulty: Difficulty,
    /// True if nothing learned before may be used.
    is_test: bool,
}

type Game = (Difficulty, &'static Ruleset);

impl Duel {
    /// Starts with an empty table.
    pub fn new() -> Duel {
        Duel::default()
    }

    /// Forgets what was learned, for a new connection or another game.
    pub fn forget(&mut self) {
        self.warm = None;
    }

    /// Answers a frame; `None` if no reply is due. Takes up to half a second.
    pub fn answer(&mut self, frame: &str, detail: Detail) -> Option<String> {
        match Heard::of(frame) {
            Heard::Reply(reply) => Some(reply),
            Heard::Reset => {
                self.forget();
                None
            }
            Heard::Question(question) => Some(self.think(&question, detail)),
        }
    }

    /// Reply to a binary frame.
    pub fn not_text() -> String {
        Reply::from(BadFrame::NotText).text()
    }

    /// Answers a question. Takes up to half a second.
    pub fn think(&mut self, question: &Question, detail: Detail) -> String {
        if question.is_test {
            self.forget();
        }
        self.play(&question.position, question.difficulty, detail).text()
    }

    fn play(&mut self, position: &Position, difficulty: Difficulty, detail: Detail) -> Reply {
        let start = Instant::now();
        let game = (difficulty, position.ruleset());
        if self.warm.as_ref().is_some_and(|(other, _)| *other != game) {
            self.forget();
        }
        let (_, engine) = self.warm.get_or_insert_with(|| (game, Engine::new(TABLE_BYTES)));
        let choice = engine.choose(position, &limits(difficulty, start), SEED, None);
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

impl Heard {
    /// Reads a frame and answers what takes no time.
    pub fn of(frame: &str) -> Heard {
        let reply = match Request::read(frame) {
            Err(bad) => bad.into(),
            Ok(Request::Ping) => Reply::Pong,
            Ok(Request::Reset) => return Heard::Reset,
            Ok(Request::Evaluate { position, point }) => {
                let me = position.to_move();
                Reply::rated([me, !me].map(|color| (color, rate(&position, point, color))))
            }
            Ok(Request::Test { position }) => {
                return Heard::ask(&position, Difficulty::Hard, true);
            }
            Ok(Request::Move { difficulty, position }) => {
                return Heard::ask(&position, difficulty, false);
            }
        };
        Heard::Reply(reply.text())
    }

    fn ask(position: &Position, difficulty: Difficulty, is_test: bool) -> Heard {
        match in_play(position) {
            Ok(position) => Heard::Question(Box::new(Question { position, difficulty, is_test })),
            Err(outcome) => Heard::Reply(Reply::over(outcome).text()),
        }
    }
}

impl fmt::Debug for Duel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Duel").field("warm", &self.warm.as_ref().map(|(game, _)| game)).finish()
    }
}

/// The position in which a move is due, or the outcome of the game.
///
/// A five that could have been broken and was not has won by the rules. Front ends of this game
/// learn that from the owner's next move, which they ask for, so it is made.
fn in_play(position: &Position) -> Result<Position, Outcome> {
    let me = position.to_move();
    match (position.outcome(), position.ruleset().pairs_to_win) {
        (None, _) => Ok(position.clone()),
        (Some(Outcome { winner: Some(winner), by: Ending::Five }), Some(_)) if winner == me => {
            let (board, pairs) = (*position.board(), position.pairs());
            let unjudged = Position::analysis(position.ruleset(), board, me, pairs);
            Ok(unjudged.expect("the size was checked when the game was set up"))
        }
        (Some(outcome), _) => Err(outcome),
    }
}

/// Limits of the engine for a difficulty.
fn limits(difficulty: Difficulty, start: Instant) -> Limits {
    let unlimited = Limits { deadline: Some(start + HARD), nodes: u64::MAX, ..Limits::default() };
    match difficulty {
        Difficulty::Easy => Limits { nodes: 2_000, depth: 2, ..unlimited },
        Difficulty::Medium => Limits { nodes: 20_000, depth: 5, ..unlimited },
        Difficulty::Hard => unlimited,
    }
}
