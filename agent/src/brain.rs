//! Brains: anything that chooses a play, given a game so far and a time limit.
//!
//! The daemon, the local runner and their tests use brains only through this file.

use std::fmt;
use std::time::Duration;

use renju::{Board, Color, Play, Point, Record, Ruleset};

mod codeclash;
mod exec;
mod house;
mod io_log;
mod json;
mod jsonl;
mod piskvork;
mod program;
mod random;

pub use codeclash::PythonError;
pub use io_log::IoLog;

pub(crate) use house::House;
pub(crate) use random::Random;

/// A player.
pub trait Brain: Send {
    /// Chooses a play for the player to act within `limit`. The caller checks that the play is
    /// legal.
    fn choose(&mut self, record: &Record, limit: Duration) -> Result<Play, BrainError>;

    /// Refuses a ruleset that it cannot play.
    fn check(&self, _ruleset: &Ruleset) -> Result<(), BrainError> {
        Ok(())
    }

    /// Applies settings; refuses one that it does not have.
    fn configure(&mut self, settings: &Settings) -> Result<(), Unsupported> {
        settings.refuse_nodes()?;
        settings.refuse_options()
    }

    /// Tells the time for the game, before each play. Brains that only keep the limit of a play
    /// ignore it.
    fn set_clock(&mut self, _clock: GameClock) {}

    /// Forgets the game, because another one follows, which may begin in the same way. False if the
    /// brain cannot; another one must then be opened.
    fn renew(&mut self) -> bool {
        false
    }

    /// Short name for logs and results.
    fn name(&self) -> &str;

    /// Log of the dialogue, used from the next start of the program on; `None` if there is no
    /// dialogue.
    fn io_log(&mut self) -> Option<&mut Option<IoLog>> {
        None
    }

    /// Number of decisions so far that the house made, because the brain leaves the opening to it.
    fn left_to_house(&self) -> u32 {
        0
    }
}

/// Settings of a brain that its text does not have.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Settings {
    /// Most positions searched for a play.
    pub nodes: Option<u64>,
    /// Names and values that a Gomocup engine is sent as `INFO`.
    pub options: Vec<(String, String)>,
}

/// A setting that a brain does not have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported(String);

/// Time of one player for all its plays of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub struct GameClock {
    pub total: Duration,
    pub left: Duration,
    /// Added after each play.
    pub increment: Duration,
}

impl Settings {
    fn refuse_nodes(&self) -> Result<(), Unsupported> {
        match self.nodes {
            Some(_) => Err(Unsupported("limit of nodes".to_owned())),
            None => Ok(()),
        }
    }

    fn refuse_options(&self) -> Result<(), Unsupported> {
        match self.options.first() {
            Some((name, _)) => Err(Unsupported(format!("option {name}"))),
            None => Ok(()),
        }
    }
}

/// Reason a brain gave no play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BrainError {
    /// No answer in time.
    Late,
    /// The text names no brain.
    Unknown(String),
    /// The program ended, or could not be started.
    Gone(String),
    /// A Gomocup program cannot be told of captures.
    NoCaptures,
    /// The program was started, but did not get ready.
    Unready(String),
    /// The answer is not a play.
    Nonsense(String),
    /// A Python bot failed.
    Python(PythonError),
}

/// Makes a brain from a text such as `house:2` or `piskvork:./engine`. Programs are started at the
/// first play.
pub fn open(spec: &str) -> Result<Box<dyn Brain>, BrainError> {
    let unknown = || {
        let wanted = "house:<level>, engine:<ms>, piskvork:<command>, codeclash:<main.py>, \
                      jsonl:<command> and exec:<command>";
        BrainError::Unknown(format!("there is no brain {spec:?}; brains are {wanted}"))
    };
    let (kind, rest) = spec.split_once(':').ok_or_else(unknown)?;
    match kind {
        "house" => Ok(Box::new(House::open(rest)?)),
        "engine" => Ok(Box::new(house::Timed::open(rest)?)),
        "codeclash" => Ok(Box::new(codeclash::CodeClash::open(rest)?)),
        "piskvork" | "exec" | "jsonl" if rest.trim().is_empty() => Err(unknown()),
        "piskvork" => Ok(Box::new(piskvork::Piskvork::new(rest))),
        "exec" => Ok(Box::new(exec::Exec::new(rest))),
        "jsonl" => Ok(Box::new(jsonl::Jsonl::new(rest))),
        _ => Err(unknown()),
    }
}

/// The board as CodeClash bots see it: `board[row][col]`, where row 0 is rank 1 and column 0 is a;
/// 0 is an empty point, 1 Black, 2 White.
pub(crate) fn grid(board: &Board) -> Vec<Vec<u8>> {
    let cell = |point| match board.get(point) {
        None => 0,
        Some(Color::Black) => 1,
        Some(Color::White) => 2,
    };
    let cells: Vec<u8> = Point::all(board.size()).map(cell).collect();
    cells.chunks(usize::from(board.size())).map(<[u8]>::to_vec).collect()
}

/// True if `now` can be a continuation of `before`.
fn goes_on(before: &Record, now: &Record) -> bool {
    now.start() == before.start() && now.plays().starts_with(before.plays())
}

/// Name of a command: file names without their directories.
fn label_of(command: &str) -> String {
    const LABEL_MAX: usize = 40;
    let names: Vec<&str> = command
        .split_whitespace()
        .map(|word| word.rsplit(['/', '\\']).next().unwrap_or(word))
        .collect();
    names.join(" ").chars().take(LABEL_MAX).collect()
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it has no {}", self.0)
    }
}

impl std::error::Error for Unsupported {}

impl fmt::Display for BrainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BrainError::Late => f.write_str("no answer in time"),
            BrainError::Unknown(why) => f.write_str(why),
            BrainError::NoCaptures => f.write_str(
                "the Gomocup protocol has no captures; programs that play with them are exec: or jsonl: bots",
            ),
            BrainError::Gone(why) => write!(f, "the bot is gone: {why}"),
            BrainError::Unready(why) => write!(f, "the bot is not ready: {why}"),
            BrainError::Python(why @ PythonError::Load { .. }) => {
                write!(f, "the bot is gone: {why}")
            }
            BrainError::Python(why) => write!(f, "not a move: {why}"),
            BrainError::Nonsense(what) => write!(f, "not a move: {what}"),
        }
    }
}

impl std::error::Error for BrainError {}
