//! Load, decide, commit: how every change of a game is made, whoever asks for it.

use arena::table::{self, Needs};
use arena::{Decision, Game, GameId, Pace, Plan, Rejection, Timestamp, TurnNumber, Write};

use crate::commit::{Commit, Stale};
use crate::{Fault, Store};

/// How often a decision is made anew because somebody else wrote first.
const ATTEMPTS_MAX: usize = 4;

/// A decision that is in the log.
#[derive(Clone, PartialEq, Debug)]
pub struct Settled {
    /// The game as it is now, with the decision in its log.
    pub game: Game,
    /// The turn the decision was made in.
    pub turn: TurnNumber,
    /// Whether it was in the log before: the request is a repetition, or its own first write was
    /// made although the service reported an error.
    pub replayed: bool,
}

impl Settled {
    /// The game as it was right after the decision: what the first reply to it showed.
    pub fn game_then(&self) -> Game {
        self.game.at(TurnNumber(self.turn.0 + 1))
    }
}

/// Why nothing was written.
#[derive(Debug)]
pub enum Refused {
    /// The decision is refused; the game is as it was when that was decided.
    Rejected(Rejection, Box<Game>),
    /// There is no such game.
    NotFound,
    /// Something failed on our side. The same request may be repeated.
    Fault(Fault),
}

impl From<Fault> for Refused {
    fn from(fault: Fault) -> Refused {
        Refused::Fault(fault)
    }
}

impl Store {
    /// Decides on the game and writes what was decided, or finds that it is written already. Asks
    /// again whenever another writer won; `decide` must not keep anything between two calls.
    ///
    /// The game is first read as cheaply as possible. If such a read cannot be the whole truth (no
    /// game, or one at another turn than the request names) it is read again, strongly.
    pub async fn update(
        &self,
        id: GameId,
        decide: impl FnMut(&Game) -> Result<Decision, Rejection>,
        now: Timestamp,
        pace: &Pace,
    ) -> Result<Settled, Refused> {
        let game = match self.game(id).await? {
            Some(game) => game,
            None => self.game_now(id).await?.ok_or(Refused::NotFound)?,
        };
        self.settle(game, decide, now, pace).await
    }

    /// As [`Store::update`], for a game that was read already and may be a moment old.
    pub async fn settle(
        &self,
        mut game: Game,
        mut decide: impl FnMut(&Game) -> Result<Decision, Rejection>,
        now: Timestamp,
        pace: &Pace,
    ) -> Result<Settled, Refused> {
        let id = game.id();
        let mut is_current = false;
        for _ in 0..ATTEMPTS_MAX {
            let mut decision = decide(&game);
            if !is_current && decision.as_ref().is_err_and(may_be_ahead) {
                game = self.game_now(id).await?.ok_or(Refused::NotFound)?;
                decision = decide(&game);
            }
            let next = match decision {
                Ok(Decision::Commit(next)) => *next,
                Ok(Decision::Replay(turn)) => return Ok(Settled { game, turn, replayed: true }),
                Err(rejection) => return Err(Refused::Rejected(rejection, Box::new(game))),
            };
            let turn = Write::seen_turn(&next);
            let plan = self.plan(next.clone(), pace).await?;
            match self.commit(&plan, now).await? {
                Commit::Done => return Ok(Settled { game: next, turn, replayed: false }),
                Commit::Stale(stale) => {
                    game = match winner(&stale) {
                        Some(current) => current,
                        None => self.game_now(id).await?.ok_or(Refused::NotFound)?,
                    };
                    is_current = true;
                }
            }
        }
        Err(Fault::contention("update").into())
    }

    /// The plan that writes `next`, with what it takes besides the game.
    async fn plan(&self, next: Game, pace: &Pace) -> Result<Plan, Fault> {
        Ok(match table::needs(&next) {
            Needs::Nothing => table::advance(next, pace),
            Needs::Standings => {
                let standings = self.standings(next.header()).await?;
                table::finish(next, standings.as_ref())
            }
            Needs::Absentee(seat) => {
                let name = &next.header().players[seat].name;
                let absentee = self.agent(name).await?;
                table::abandon(next, &absentee.ok_or(Fault::reply("abandon", "the absentee"))?)
            }
        })
    }
}

/// Whether the request may know of turns that an eventually consistent read does not show yet.
fn may_be_ahead(rejection: &Rejection) -> bool {
    matches!(
        rejection,
        Rejection::TurnMismatch { already_applied: false, .. } | Rejection::DeadlinePassed
    )
}

/// The game that another writer left behind, if it is the game that was stale.
fn winner(stale: &[Stale]) -> Option<Game> {
    stale.iter().find_map(Stale::game).cloned()
}
