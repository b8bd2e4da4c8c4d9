//! Games: read them, decide in them, end them when time is up.

use std::cmp::Ordering;

use arena::progress::{self, Needs};
use arena::{
    Actor, AgentName, Decision, Game, GameId, Plan, Rejection, Standing, Submission, Timestamp,
    TurnNumber, Write, house,
};
use renju::{BySeat, Seat};

use crate::ATTEMPTS_MAX;
use crate::account::{Caller, owner};
use crate::backend::{Backend, Chore, Note, Read};
use crate::commit::{Commit, Current, commit};
use crate::fault::{Cause, Fault};
use crate::refused::Refused;

/// A decision that is in the log.
#[allow(missing_docs, reason = "the names say it")]
#[derive(Clone, PartialEq, Debug)]
pub struct Settled {
    pub game: Game,
    /// The turn the decision was made in.
    pub turn: TurnNumber,
    /// True if it was in the log before: the request is a repetition, or its own write was made
    /// although AWS reported an error.
    pub replayed: bool,
}

impl Settled {
    /// The game right after the decision, as in the first reply to it.
    pub fn game_then(&self) -> Game {
        self.game.at(TurnNumber(self.turn.0 + 1))
    }
}

/// A game as read for a viewer.
#[derive(Clone, PartialEq, Debug)]
pub struct Seen {
    /// Perhaps a moment old.
    pub game: Game,
    /// The caller's seat; `None` for a spectator.
    pub viewer: Option<Seat>,
}

/// Submits a player's decision, received by the gateway at `received`.
pub async fn submit<B: Backend>(
    world: &B,
    id: GameId,
    caller: &Caller,
    submission: Submission,
    received: Timestamp,
) -> Result<(Settled, Seat), Refused> {
    let game = game(world, id).await?;
    let seat = player(world, caller, &game, received).await?;
    match settle(world, game, Actor::Seat(seat), submission, received).await {
        Ok(settled) => {
            world.note(Note::Turn(id, settled.turn));
            Ok((settled, seat))
        }
        Err(Refused::Rejected(why @ Rejection::DeadlinePassed, game, viewer)) => {
            let game = enforce(world, *game).await?;
            Err(Refused::Rejected(why, Box::new(game), viewer))
        }
        Err(other) => Err(other),
    }
}

/// Reads a game, never at an older turn than the caller has `seen`. If the caller is a player, a
/// late house bot is sent its message again; not for spectators, because there may be many.
pub async fn look<B: Backend>(
    world: &B,
    id: GameId,
    caller: Option<&Caller>,
    seen: Option<TurnNumber>,
    received: Timestamp,
) -> Result<Seen, Refused> {
    let mut game = game(world, id).await?;
    if seen.is_some_and(|seen| game.turn() < seen)
        && let Some(stored) = world.game(id, Read::Strong).await?
    {
        game = stored.game;
    }
    let caller = caller.filter(|caller| game.seat_of(&caller.name).is_some());
    let viewer = match caller {
        Some(caller) => Some(player(world, caller, &game, received).await?),
        None => None,
    };
    if viewer.is_some()
        && let Some(message) = house::late_message(&game, world.now())
        && world.is_due(Chore::CallHouse(id, game.turn()))
        && let Err(fault) = world.send(&[message]).await
    {
        // The sweep sends it too.
        world.note(Note::Failed(&fault));
    }
    Ok(Seen { game, viewer })
}

/// A game, perhaps a moment old. One that a cheap read does not find is read again with a strong
/// one.
pub async fn game<B: Backend>(world: &B, id: GameId) -> Result<Game, Refused> {
    let found = match world.game(id, Read::Cheap).await? {
        Some(stored) => Some(stored),
        None => world.game(id, Read::Strong).await?,
    };
    let game = found.ok_or(Refused::NoGame(id))?.game;
    world.note(Note::Turn(id, game.turn()));
    Ok(game)
}

/// The game after `turn` decisions, or after all of them; and true if that can no longer change.
pub async fn game_at<B: Backend>(
    world: &B,
    id: GameId,
    turn: Option<TurnNumber>,
) -> Result<(Game, bool), Refused> {
    let mut game = game(world, id).await?;
    let Some(turn) = turn else {
        let is_over = game.result().is_some();
        return Ok((game, is_over));
    };
    if game.turn() < turn {
        game = current(world, id).await?;
    }
    match game.turn().cmp(&turn) {
        Ordering::Less => Err(Refused::NoTurn { game: id, seen: game.turn(), asked: turn }),
        Ordering::Equal => Ok((game, true)),
        Ordering::Greater => Ok((game.at(turn), true)),
    }
}

/// The game, ended first if the player to act is out of time: a reader that calls this does the work
/// of the referee.
pub async fn enforce<B: Backend>(world: &B, game: Game) -> Result<Game, Refused> {
    let now = world.now();
    let Some(overdue) = game.overdue_from(world.pace()).filter(|overdue| now > *overdue) else {
        return Ok(game);
    };
    match settle(world, game, Actor::Clock, Submission::FLAG, now).await {
        Ok(settled) => {
            world.note(Note::Ended(overdue));
            Ok(settled.game)
        }
        // A move was faster, or another referee.
        Err(Refused::Rejected(_, game, _)) => Ok(*game),
        Err(other) => Err(other),
    }
}

/// The caller's seat. A game in progress knows its players' current keys, so this costs no read
/// except for a replaced key. A game that is over is not told of rotations, so the agent is read.
async fn player<B: Backend>(
    world: &B,
    caller: &Caller,
    game: &Game,
    received: Timestamp,
) -> Result<Seat, Refused> {
    let seat = game.seat_of(&caller.name);
    let digest = seat.and_then(|seat| game.header().players[seat].key());
    let is_known = game.result().is_none() && digest.is_some_and(|key| caller.has_digest(key));
    if !is_known {
        owner(world, caller, received).await?;
    }
    world.note(Note::Agent(&caller.name));
    seat.ok_or_else(|| Refused::NotAPlayer(caller.name.clone()))
}

/// Decides a submission and writes the decision, or finds that it is already written. Decides again
/// whenever another writer was faster.
///
/// `game` may be a moment old. It is read again if a rejection may be due to its age.
pub async fn settle<B: Backend>(
    world: &B,
    mut game: Game,
    actor: Actor,
    submission: Submission,
    at: Timestamp,
) -> Result<Settled, Refused> {
    let id = game.id();
    let mut is_current = false;
    for _ in 0..ATTEMPTS_MAX {
        let mut decision = game.apply(actor, submission, at, world.pace());
        if !is_current && decision.as_ref().is_err_and(is_doubtful) {
            game = current(world, id).await?;
            decision = game.apply(actor, submission, at, world.pace());
        }
        let next = match decision {
            Ok(Decision::Commit(next)) => *next,
            Ok(Decision::Replay(turn)) => return Ok(Settled { game, turn, replayed: true }),
            Err(why) => return Err(Refused::Rejected(why, Box::new(game), actor.seat())),
        };
        let turn = Write::seen_turn(&next);
        let plan = plan(world, next.clone()).await?;
        match commit(world, &plan).await? {
            Commit::Done => return Ok(Settled { game: next, turn, replayed: false }),
            Commit::Stale(stale) => {
                let winner = stale.into_iter().find_map(|stale| match stale.current {
                    Current::Game(game) => Some(*game),
                    _ => None,
                });
                game = match winner {
                    Some(game) => game,
                    None => current(world, id).await?,
                };
                is_current = true;
            }
        }
    }
    Err(Fault::contention("settle").into())
}

/// True for a rejection that a stale read may have caused: the game may have reached that turn by
/// now, or have the late decision in its log.
fn is_doubtful(rejection: &Rejection) -> bool {
    matches!(
        rejection,
        Rejection::TurnMismatch { already_applied: false, .. } | Rejection::DeadlinePassed
    )
}

pub(crate) async fn current<B: Backend>(world: &B, id: GameId) -> Result<Game, Refused> {
    let stored = world.game(id, Read::Strong).await?;
    stored.map(|stored| stored.game).ok_or(Refused::NoGame(id))
}

/// The plan that writes `next`, with the records it needs besides the game.
async fn plan<B: Backend>(world: &B, next: Game) -> Result<Plan, Fault> {
    Ok(match progress::needs(&next) {
        Needs::Nothing => progress::advance(next, world.pace()),
        Needs::Standings => {
            let header = next.header();
            let is_agent = |seat: &Seat| header.players[*seat].house().is_none();
            let seats: Vec<Seat> = Seat::BOTH.into_iter().filter(is_agent).collect();
            let names: Vec<&AgentName> =
                seats.iter().map(|seat| &header.players[*seat].name).collect();
            let read = world.standings(&names, header.division).await?;
            let mut standings = BySeat { first: Standing::NEW, second: Standing::NEW };
            for (seat, standing) in seats.into_iter().zip(read) {
                standings[seat] = standing;
            }
            progress::finish(next, standings.as_ref())
        }
        Needs::Absentee(seat) => {
            let absentee = world.agent(&next.header().players[seat].name).await?;
            let absentee = absentee.ok_or(Fault::new("abandon", Cause::Reply("the absentee")))?;
            progress::abandon(next, &absentee)
        }
    })
}
