//! Mistakes that a store or a handler could make, one switch each. The simulation is worth what it
//! catches: every mutant must be reported within its seeds.

use super::faults::{Fault, Faults};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mutant {
    /// A move is written whatever the turn is.
    TurnUnchecked,
    /// A timeout is written whatever the turn is.
    TimeoutTurnUnchecked,
    /// An agent is seated whatever it is doing.
    SeatUnchecked,
    /// An agent is seated with a ticket it no longer holds.
    SeatEpochUnchecked,
    /// An agent is seated with a key it no longer has.
    SeatKeyUnchecked,
    /// A change of key does not mind that the agent was seated since it was read.
    KeysGameUnchecked,
    /// A join does not mind another join since the agent was read.
    JoinEpochUnchecked,
    /// A join does not mind that the agent was seated since it was read.
    JoinGameUnchecked,
    /// The idempotency tag is not written.
    TagNotStored,
    /// The join key is not remembered.
    JoinKeyForgotten,
    /// The ratings are written after the game's end, not with it.
    RatingOutsideTransaction,
    /// A standing is overwritten whatever it is.
    RateUnchecked,
    /// Who did not show up is rated.
    NoShowRated,
    /// A transaction writes what it can.
    TransactionTorn,
    /// A finished game stays in the index of live games.
    FinishLeavesIndex,
    /// Every timer rearms, and the chain is moved on whatever link it is at.
    RearmUnchecked,
    /// A timer that fires before the deadline ends the game.
    TimeoutUnchecked,
    /// Nobody sweeps.
    SweepOff,
    /// The sweep does not look at games.
    SweepSkipsGames,
    /// The sweep does not look at queues.
    SweepSkipsQueues,
    /// Messages follow the write they belong to. (The sweep makes up for it: it is off.)
    BellsAfterWrite,
    /// A finished game refuses before it looks for a duplicate.
    OverBeforeDuplicate,
    /// Any request with a known key is a duplicate.
    KeyReuseAccepted,
    /// A refusal decided on a stale read is final.
    StaleRefusal,
    /// A poll may show less than the agent has seen.
    PollGoesBack,
    /// A duplicate is answered with the game as it is now.
    ReplayIsCurrent,
    /// Who loses a race is told it has won.
    ConflictIsSuccess,
    /// A write without an answer is reported as a refusal.
    FaultIsRefusal,
    /// Whoever plays in a game acts for the player to act.
    ActorUnchecked,
    /// A decision may be three seconds late.
    LateAccepted,
    /// A function may take ten seconds.
    NoFunctionTimeout,
    /// A join trusts a stale read of the agent's game.
    GameStaleAtJoin,
    /// A join trusts a stale read of the agent's standing.
    StandingStaleAtJoin,
    /// A game that is not found is taken to be gone, though its creation may be half visible.
    MissingIsGone,
    /// A join takes the rating from before the end of the last game, half of which is visible.
    HalfSeenTrusted,
    /// A change of key does not reach the game.
    RotateForgetsGame,
    /// Nobody calls a house bot again whose bell was lost.
    HouseForgotten,
    /// A house bot is rated like an agent.
    HouseRated,
    /// An agent that wants to play agents only is seated with a house bot.
    HouseUnasked,
}

impl Mutant {
    pub(crate) const ALL: [Mutant; 38] = [
        Mutant::TurnUnchecked,
        Mutant::TimeoutTurnUnchecked,
        Mutant::SeatUnchecked,
        Mutant::SeatEpochUnchecked,
        Mutant::SeatKeyUnchecked,
        Mutant::KeysGameUnchecked,
        Mutant::JoinEpochUnchecked,
        Mutant::JoinGameUnchecked,
        Mutant::TagNotStored,
        Mutant::JoinKeyForgotten,
        Mutant::RatingOutsideTransaction,
        Mutant::RateUnchecked,
        Mutant::NoShowRated,
        Mutant::TransactionTorn,
        Mutant::FinishLeavesIndex,
        Mutant::RearmUnchecked,
        Mutant::TimeoutUnchecked,
        Mutant::SweepOff,
        Mutant::SweepSkipsGames,
        Mutant::SweepSkipsQueues,
        Mutant::BellsAfterWrite,
        Mutant::OverBeforeDuplicate,
        Mutant::KeyReuseAccepted,
        Mutant::StaleRefusal,
        Mutant::PollGoesBack,
        Mutant::ReplayIsCurrent,
        Mutant::ConflictIsSuccess,
        Mutant::FaultIsRefusal,
        Mutant::ActorUnchecked,
        Mutant::LateAccepted,
        Mutant::NoFunctionTimeout,
        Mutant::StandingStaleAtJoin,
        Mutant::MissingIsGone,
        Mutant::HalfSeenTrusted,
        Mutant::RotateForgetsGame,
        Mutant::HouseForgotten,
        Mutant::HouseRated,
        Mutant::HouseUnasked,
    ];

    /// Mistakes that do no harm, because something else prevents it.
    pub(crate) const HARMLESS: [Mutant; 1] = [
        // An old version of the last game goes on, and one that is not found is looked for again.
        Mutant::GameStaleAtJoin,
    ];

    /// The mutant of this name.
    pub(crate) fn find(name: &str) -> Option<Mutant> {
        let mut all = Mutant::ALL.into_iter().chain(Mutant::HARMLESS);
        all.find(|mutant| format!("{mutant:?}") == name)
    }

    /// Whether [`Mutant::provoke`] does anything.
    pub(crate) fn is_provoked(self) -> bool {
        matches!(
            self,
            Mutant::BellsAfterWrite
                | Mutant::RateUnchecked
                | Mutant::StandingStaleAtJoin
                | Mutant::SeatKeyUnchecked
                | Mutant::KeysGameUnchecked
                | Mutant::JoinGameUnchecked
                | Mutant::JoinEpochUnchecked
                | Mutant::NoFunctionTimeout
                | Mutant::MissingIsGone
                | Mutant::HalfSeenTrusted
        )
    }

    /// Draws the faults that show the mutant. Without the mutant they show nothing.
    pub(crate) fn provoke(self, faults: &mut Faults) {
        match self {
            Mutant::BellsAfterWrite => {
                for fault in [Fault::MessageLost, Fault::IndexLag, Fault::StaleRead] {
                    faults.set(fault, 0);
                }
                faults.set(Fault::Throttled, 0);
                faults.set(Fault::Crash, 50);
                faults.purge = false;
                faults.sweeps = false;
            }
            Mutant::RateUnchecked | Mutant::StandingStaleAtJoin => {
                faults.set(Fault::StaleRead, 9_000);
                faults.set(Fault::Resign, 5_000);
                faults.stale_ms = 30_000;
            }
            Mutant::SeatKeyUnchecked | Mutant::KeysGameUnchecked => {
                faults.set(Fault::StaleRead, 9_000);
                faults.set(Fault::Rotate, 2_000);
            }
            Mutant::JoinGameUnchecked => {
                faults.set(Fault::MessageLost, 9_500);
                faults.set(Fault::Lapse, 9_000);
                faults.set(Fault::Slow, 9_000);
            }
            Mutant::JoinEpochUnchecked => {
                faults.set(Fault::RequestDoubled, 5_000);
                faults.set(Fault::Slow, 9_000);
            }
            Mutant::GameStaleAtJoin => {
                faults.set(Fault::RequestEcho, 3_000);
                faults.set(Fault::StaleRead, 9_000);
                faults.stale_ms = 30_000;
            }
            Mutant::MissingIsGone => {
                faults.set(Fault::HalfSeen, 9_000);
                faults.set(Fault::Rotate, 2_000);
                faults.apart_ms = 1_000;
            }
            Mutant::HalfSeenTrusted => {
                faults.set(Fault::HalfSeen, 9_000);
                faults.apart_ms = 1_000;
            }
            Mutant::NoFunctionTimeout => {
                faults.set(Fault::Slow, 3_000);
                faults.set(Fault::Dawdle, 5_000);
                faults.skew_ms = 500;
            }
            _ => {}
        }
    }
}
