//! The functions behind the HTTP routes of an agent: register, join, leave, look, change the key.

use std::rc::Rc;

use arena::{Agent, Division, Game, Join, KeyHash, Opponent, Plan, Tag, Timestamp, Write};

use super::handlers::{ATTEMPTS_MAX, Caller, Reply, is_key};
use super::mutants::Mutant;
use super::process::{Failed, Process, Read};
use super::store::{Conflict, GameItem, standing_key};

/// What an agent is doing.
#[derive(Clone, Debug)]
pub(crate) enum Status {
    Idle,
    /// Waits, with a ticket that is good until then.
    Queued(Timestamp),
    Playing(Rc<Game>),
    /// 401.
    Unknown,
}

/// What became of a request to join.
#[derive(Clone, Debug)]
pub(crate) enum Joined {
    /// 200: the agent waits, plays, or has used up what it asks for.
    Done,
    /// 429.
    Cooling(Timestamp),
    /// 401.
    Unknown,
}

/// `POST /agents/register`: whether the name is the caller's.
pub(crate) async fn register(
    process: Process,
    caller: Caller,
    owner: Option<String>,
) -> Reply<bool> {
    let agent = Agent { owner, ..Agent::register(caller.name, caller.key, process.now()) };
    let write = Write::Register(Box::new(agent));
    match process.commit(Plan { bells: Vec::new(), writes: vec![write] }).await? {
        Err(Conflict::Agent(Some(old))) => Ok(old.is_same_registration(caller.key, process.now())),
        _ => Ok(true),
    }
}

async fn known(process: &Process, caller: &Caller, read: Read) -> Reply<Option<Rc<Agent>>> {
    let agent = process.read(read, |store, at| store.agent(&caller.name, at)).await?;
    let now = process.now();
    Ok(agent.filter(|agent| is_key(&agent.keys, caller.key, now)))
}

/// The game an agent was last seated in, read after the agent. One that is not there is looked for
/// again, together with the agent.
async fn current(process: &Process, agent: &Agent, read: Read) -> Reply<Option<Rc<GameItem>>> {
    let Some(id) = agent.game else { return Ok(None) };
    let found = process.read(read, |store, at| store.game(id, at)).await?;
    if found.is_some() || process.world.is(Mutant::MissingIsGone) {
        return Ok(found);
    }
    process.read(Read::Transaction, |store, at| store.game(id, at)).await
}

/// `POST /queue/join`. The game is read after the agent and the standing after the game, all
/// strongly: the rating a ticket carries is the one the next game starts from.
pub(crate) async fn join(
    process: Process,
    caller: Caller,
    division: Division,
    opponent: Opponent,
    tag: Tag,
) -> Reply<Joined> {
    let world = process.world.clone();
    let stale = |mutant| if world.is(mutant) { Read::Eventual } else { Read::Strong };
    let Some(mut agent) = known(&process, &caller, Read::Strong).await? else {
        return Ok(Joined::Unknown);
    };
    for _ in 0..ATTEMPTS_MAX {
        let game = current(&process, &agent, stale(Mutant::GameStaleAtJoin)).await?;
        let key = standing_key(&agent.name, division);
        let standing = process
            .read(stale(Mutant::StandingStaleAtJoin), |store, at| store.standing(&key, at))
            .await?;
        let now = process.now();
        let game = game.as_ref().map(|item| &*item.game);
        let mut standing = (*standing).clone();
        if world.is(Mutant::HalfSeenTrusted) {
            standing.recent.extend(game.map(Game::id));
        }
        let plan = match agent.join(division, opponent, &standing, Some(tag), game, now) {
            Ok(Join::Commit(plan, _)) => plan,
            Ok(Join::HalfSeen) => continue,
            Ok(Join::Queued(_) | Join::Playing(_) | Join::Spent(_)) => return Ok(Joined::Done),
            Err(cooling) => return Ok(Joined::Cooling(cooling.until)),
        };
        match process.commit(plan).await? {
            Err(Conflict::Agent(Some(returned))) => agent = returned,
            _ => return Ok(Joined::Done),
        }
    }
    Err(Failed)
}

/// `POST /queue/leave`: whether there was nothing to leave, or it is left.
pub(crate) async fn leave(process: Process, caller: Caller) -> Reply<bool> {
    let Some(agent) = known(&process, &caller, Read::Strong).await? else { return Ok(false) };
    match agent.leave() {
        Some(plan) => Ok(process.commit(plan).await?.is_ok()),
        None => Ok(true),
    }
}

/// `GET /agents/me`: all that a restarted agent needs.
pub(crate) async fn me(process: Process, caller: Caller) -> Reply<Status> {
    let Some(agent) = known(&process, &caller, Read::Strong).await? else {
        return Ok(Status::Unknown);
    };
    let game = current(&process, &agent, Read::Strong).await?;
    if let Some(item) = game.filter(|item| item.game.result().is_none()) {
        return Ok(Status::Playing(item.game.clone()));
    }
    if let Some(plan) = agent.refresh(process.now()) {
        let _ = process.commit(plan).await?;
    }
    let waiting = agent.waiting.filter(|_| agent.ticket(process.now()).is_some());
    Ok(waiting.map_or(Status::Idle, |waiting| Status::Queued(waiting.until)))
}

/// `POST /agents/me/keys/rotate`: whether the new key is good from now on.
pub(crate) async fn rotate(process: Process, caller: Caller, key: KeyHash) -> Reply<bool> {
    let Some(agent) = known(&process, &caller, Read::Strong).await? else { return Ok(false) };
    if agent.keys.current == key {
        return Ok(true);
    }
    let game = current(&process, &agent, Read::Strong).await?;
    let mut game = game.as_ref().map(|item| &*item.game);
    if process.world.is(Mutant::RotateForgetsGame) {
        game = None;
    }
    Ok(process.commit(agent.rotate(key, game, process.now())).await?.is_ok())
}
