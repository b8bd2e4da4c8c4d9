//! Reasons for which a match is refused before a bot is started.

use std::fmt;
use std::io;
use std::path::PathBuf;

use renju::{UnknownRuleset, UnknownSize};

use super::player::Player;
use crate::brain::{BrainError, Unsupported};

/// Reason a match cannot be played.
#[derive(Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum BadMatch {
    /// Not a bot.
    Bot {
        given: String,
        why: BrainError,
    },
    /// A bot that does not take a setting.
    Setting {
        player: Player,
        given: String,
        why: Unsupported,
    },
    /// A setting of a player that there is not.
    NoPlayer {
        flag: &'static str,
        player: Player,
        bots: usize,
    },
    NoFile(PathBuf),
    Ruleset(UnknownRuleset),
    Size(UnknownSize),
    /// A number of games that leaves an opening without its second game.
    OddRounds(u32),
    /// A test between more than two bots.
    TestOfMany,
    Unreadable {
        path: PathBuf,
        why: io::Error,
    },
    /// A line of a file that cannot be used.
    Line {
        path: PathBuf,
        /// Line number from one.
        line: usize,
        why: String,
    },
    /// A file of openings without one.
    NoOpening(PathBuf),
    /// A file of a match with other terms.
    OtherMatch {
        path: PathBuf,
        term: String,
        /// Value in the file.
        before: String,
        now: String,
    },
    /// A file with a game that is not one of the match.
    OtherGame {
        path: PathBuf,
        number: u32,
    },
}

impl From<UnknownRuleset> for BadMatch {
    fn from(why: UnknownRuleset) -> BadMatch {
        BadMatch::Ruleset(why)
    }
}

impl From<UnknownSize> for BadMatch {
    fn from(why: UnknownSize) -> BadMatch {
        BadMatch::Size(why)
    }
}

impl fmt::Display for BadMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadMatch::Bot {
                why: BrainError::Unknown(why) | BrainError::Gone(why) | BrainError::Nonsense(why),
                ..
            } => f.write_str(why),
            BadMatch::Bot { given, why } => write!(f, "{given}: {why}"),
            BadMatch::Setting { player, given, why } => write!(
                f,
                "{player} is {given}: {why}; a number before a value names the player it is for, as \
                 in 1:VALUE"
            ),
            BadMatch::NoPlayer { flag, player, bots } => {
                write!(f, "{flag} names {player}, but there are {bots} bots")
            }
            BadMatch::NoFile(path) => write!(f, "no such file: {}", path.display()),
            BadMatch::Ruleset(why) => why.fmt(f),
            BadMatch::Size(why) => why.fmt(f),
            BadMatch::OddRounds(rounds) => {
                write!(f, "{rounds} games are not pairs: the number of games must be even")
            }
            BadMatch::TestOfMany => f.write_str("--sprt compares two bots, not more"),
            BadMatch::Unreadable { path, why } => write!(f, "{}: {why}", path.display()),
            BadMatch::Line { path, line, why } => {
                write!(f, "{}, line {line}: {why}", path.display())
            }
            BadMatch::NoOpening(path) => write!(f, "{} has no opening", path.display()),
            BadMatch::OtherMatch { path, term, before, now } => write!(
                f,
                "{} is of another match: {term} is {before} there and {now} here",
                path.display()
            ),
            BadMatch::OtherGame { path, number } => {
                write!(f, "{} has a game {number} that is not one of this match", path.display())
            }
        }
    }
}

impl std::error::Error for BadMatch {}
