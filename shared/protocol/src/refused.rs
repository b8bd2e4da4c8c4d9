//! Outcomes of a use case that are not success.

use arena::{AgentName, CoolingDown, Game, GameId, Rejection, Timestamp, TurnNumber};
use renju::Seat;

use crate::fault::Fault;
use crate::house::NoPlay;

/// Reason why a request is refused. Nothing has changed, except perhaps after a fault.
#[allow(missing_docs, reason = "the names say it")]
#[derive(Debug)]
pub enum Refused {
    /// No agent has this key. An unknown name and a wrong secret are not told apart.
    Unauthenticated,
    /// An operator has banned the caller, for this reason.
    Banned(String),
    /// The caller does not play this game.
    NotAPlayer(AgentName),
    NoGame(GameId),
    /// The game has not reached the turn asked for.
    NoTurn {
        game: GameId,
        seen: TurnNumber,
        asked: TurnNumber,
    },
    /// The game refuses the submission: the game as it is, and the caller's seat.
    Rejected(Rejection, Box<Game>, Option<Seat>),
    /// A recent no-show: the agent cannot join yet.
    CoolingDown(CoolingDown),
    /// The deployment has no house bots.
    NoHouse,
    NameTaken(AgentName),
    /// The address has reached the limit of an hour; the next registration is granted at `until`.
    TooManyRegistrations {
        limit: u32,
        until: Timestamp,
    },
    /// The key was replaced; only the current one can change keys.
    ReplacedKey,
    /// Other requests of this agent kept being faster.
    Busy(&'static str),
    /// A failure on our side. The same request may be repeated.
    Fault(Fault),
}

impl From<Fault> for Refused {
    fn from(fault: Fault) -> Refused {
        Refused::Fault(fault)
    }
}

/// Reason why a message must be delivered again.
#[allow(missing_docs, reason = "the names say it")]
#[derive(Debug)]
pub enum Again {
    /// The game it names may be about to exist.
    NotYet,
    Fault(Fault),
    /// A fault that is already noted.
    Noted,
    NoPlay(NoPlay),
}

impl From<Fault> for Again {
    fn from(fault: Fault) -> Again {
        Again::Fault(fault)
    }
}
