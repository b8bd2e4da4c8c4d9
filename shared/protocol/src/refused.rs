//! Outcomes of a use case that are not success.

use arena::{AgentName, CoolingDown, Game, GameId, Rejection, Timestamp, TurnNumber};
use renju::Seat;

use crate::fault::Fault;
use crate::house::NoPlay;

/// Why a request is refused. Nothing has changed, except after a fault, which leaves that open.
#[derive(Debug)]
pub enum Refused {
    /// No agent has this key. An unknown name and a wrong secret are not told apart.
    Unauthenticated,
    /// The caller does not play this game.
    NotAPlayer(AgentName),
    /// There is no such game.
    NoGame(GameId),
    /// The game has not come to this turn yet.
    NoTurn {
        /// The game.
        game: GameId,
        /// Decisions it has seen.
        seen: TurnNumber,
        /// Decisions that were asked for.
        asked: TurnNumber,
    },
    /// The game refuses the submission: the game as it is, and the caller's seat.
    Rejected(Rejection, Box<Game>, Option<Seat>),
    /// The agent did not show up lately and may not join yet.
    CoolingDown(CoolingDown),
    /// A house bot is wanted where there is none.
    NoHouse,
    /// The name belongs to somebody else.
    NameTaken(AgentName),
    /// The address has registered too many agents.
    TooManyRegistrations {
        /// Registrations that are granted in an hour.
        limit: u32,
        /// Time from which the next one is granted.
        until: Timestamp,
    },
    /// The key was replaced: only the current one changes keys.
    ReplacedKey,
    /// Other requests of this agent kept being faster.
    Busy(&'static str),
    /// Something failed on our side. The same request may be repeated.
    Fault(Fault),
}

impl From<Fault> for Refused {
    fn from(fault: Fault) -> Refused {
        Refused::Fault(fault)
    }
}

/// Why a message must be delivered again.
#[derive(Debug)]
pub enum Again {
    /// What it names may be about to exist.
    NotYet,
    /// Something failed on our side.
    Fault(Fault),
    /// Something failed on our side and is noted already.
    Noted,
    /// A house bot did not come up with a play that the rules allow.
    NoPlay(NoPlay),
}

impl From<Fault> for Again {
    fn from(fault: Fault) -> Again {
        Again::Fault(fault)
    }
}
