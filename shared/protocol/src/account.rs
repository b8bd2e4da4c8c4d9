//! Agents and their keys: authenticate, register, rotate, revoke.

use arena::{Agent, AgentName, KEY_OVERLAP_MS, KeyDigest, KeyHash, Plan, Timestamp, Write};
use subtle::ConstantTimeEq;

use crate::backend::{Backend, Note};
use crate::commit::{Commit, Current, commit};
use crate::queue::last_game;
use crate::refused::Refused;

/// The window in which an address's registrations are counted.
const WINDOW_S: u32 = 3_600;

/// How long a rotation may be repeated with an idempotency key that could be guessed by whoever has the
/// replaced key.
const SHORT_REPLAY_MS: i64 = 10 * 60_000;

const CHANGED: &str = "the keys were changed by another request";

/// The holder of an API key, not yet known to be who it says.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The name in the key.
    pub name: AgentName,
    /// The key's hash.
    pub key: KeyHash,
}

impl Caller {
    /// Compares hashes in constant time.
    fn has_hash(&self, hash: &KeyHash) -> bool {
        self.key.0.ct_eq(&hash.0).into()
    }

    pub(crate) fn has_digest(&self, digest: &KeyDigest) -> bool {
        self.key.digest().0.ct_eq(&digest.0).into()
    }

    /// A key that was replaced, perhaps because it leaked, decides nothing about keys any more.
    fn require_current(&self, agent: &Agent) -> Result<(), Refused> {
        if self.has_hash(&agent.keys.current) { Ok(()) } else { Err(Refused::ReplacedKey) }
    }
}

/// A granted registration.
#[derive(Clone, PartialEq, Debug)]
pub struct Registered {
    /// The agent.
    pub agent: Agent,
    /// True if it was registered by the same request before.
    pub replayed: bool,
}

/// A granted rotation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rotated {
    /// End of the replaced key.
    pub until: Timestamp,
    /// True if the same request was granted before.
    pub replayed: bool,
}

/// The agent whose key the caller has.
pub(crate) async fn authenticate<B: Backend>(
    world: &B,
    caller: &Caller,
    now: Timestamp,
) -> Result<Agent, Refused> {
    let agent = owner(world, caller, now).await?;
    world.note(Note::Agent(&agent.name));
    Ok(agent)
}

pub(crate) async fn owner<B: Backend>(
    world: &B,
    caller: &Caller,
    now: Timestamp,
) -> Result<Agent, Refused> {
    let agent = world.agent(&caller.name).await?.ok_or(Refused::Unauthenticated)?;
    let is_previous = |(hash, until): (KeyHash, Timestamp)| now < until && caller.has_hash(&hash);
    let is_owner =
        caller.has_hash(&agent.keys.current) || agent.keys.previous.is_some_and(is_previous);
    if is_owner { Ok(agent) } else { Err(Refused::Unauthenticated) }
}

/// Registers an agent. `is_repeatable` says that a repetition of the request brings the same key: then
/// it gets the same answer and takes no place among the address's registrations.
pub async fn register<B: Backend>(
    world: &B,
    agent: Agent,
    is_repeatable: bool,
    (address, limit): (&str, u32),
) -> Result<Registered, Refused> {
    let (key, now) = (agent.keys.current, agent.created);
    let is_ours = |first: &Agent| first.is_same_registration(key, now);
    if is_repeatable && let Some(first) = world.agent(&agent.name).await?.filter(is_ours) {
        return Ok(Registered { agent: first, replayed: true });
    }
    if let Some(until) = world.admit(address, WINDOW_S, limit).await? {
        return Err(Refused::TooManyRegistrations { limit, until });
    }
    let writes = vec![Write::Register(Box::new(agent.clone()))];
    let committed = commit(world, &Plan { messages: Vec::new(), writes }).await?;
    match committed.stale(0) {
        None => Ok(Registered { agent, replayed: false }),
        // Repeated at once, or its own write had been made although the service reported an error.
        Some(Current::Agent(first)) if is_ours(first) => {
            Ok(Registered { agent: (**first).clone(), replayed: true })
        }
        Some(_) => Err(Refused::NameTaken(agent.name)),
    }
}

/// Replaces the caller's key by `key`. `is_secret` says that nobody can guess the idempotency key that
/// `key` was derived from.
pub async fn rotate<B: Backend>(
    world: &B,
    caller: &Caller,
    key: KeyHash,
    is_secret: bool,
    now: Timestamp,
) -> Result<Rotated, Refused> {
    let agent = authenticate(world, caller, now).await?;
    if let Some((_, until)) = agent.keys.previous.filter(|_| agent.keys.current == key)
        && (is_secret || now.since(until.plus(-KEY_OVERLAP_MS)) < SHORT_REPLAY_MS)
    {
        return Ok(Rotated { until, replayed: true });
    }
    caller.require_current(&agent)?;
    let game = last_game(world, &agent).await?;
    match commit(world, &agent.rotate(key, game.as_ref(), now)).await? {
        Commit::Done => Ok(Rotated { until: now.plus(KEY_OVERLAP_MS), replayed: false }),
        Commit::Stale(_) => Err(Refused::Busy(CHANGED)),
    }
}

/// Ends the replaced key at once.
pub async fn revoke<B: Backend>(world: &B, caller: &Caller, now: Timestamp) -> Result<(), Refused> {
    let agent = authenticate(world, caller, now).await?;
    caller.require_current(&agent)?;
    match agent.revoke_previous() {
        Some(plan) if commit(world, &plan).await? != Commit::Done => Err(Refused::Busy(CHANGED)),
        _ => Ok(()),
    }
}
