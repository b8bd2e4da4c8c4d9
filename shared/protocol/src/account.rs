//! Agents and their keys: authenticate, register, rotate, revoke.

use arena::{Agent, AgentName, KEY_OVERLAP_MS, KeyDigest, KeyHash, Plan, Text, Timestamp, Write};
use subtle::ConstantTimeEq;

use crate::backend::{Backend, Note};
use crate::commit::{Commit, Current, commit};
use crate::queue::last_game;
use crate::refused::Refused;

/// Window of the limit on registrations per address.
const WINDOW_S: u32 = 3_600;

/// Window in which a rotation can be repeated with an idempotency key that a holder of the replaced
/// key could guess.
const SHORT_REPLAY_MS: i64 = 10 * 60_000;

const CHANGED: &str = "the keys were changed by another request";

/// The sender of an API key, not yet authenticated.
#[allow(missing_docs, reason = "the names say it")]
#[derive(Clone, Debug)]
pub struct Caller {
    pub name: AgentName,
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

    /// A replaced key, which may have leaked, cannot change keys.
    fn require_current(&self, agent: &Agent) -> Result<(), Refused> {
        if self.has_hash(&agent.keys.current) { Ok(()) } else { Err(Refused::ReplacedKey) }
    }
}

#[allow(missing_docs, reason = "the names say it")]
#[derive(Clone, PartialEq, Debug)]
pub struct Registered {
    pub agent: Agent,
    /// True if the same request registered it before.
    pub replayed: bool,
}

#[allow(missing_docs, reason = "the names say it")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rotated {
    /// End of the replaced key.
    pub until: Timestamp,
    /// True if the same request was granted before.
    pub replayed: bool,
}

/// The agent that has the caller's key. One that is banned is told so, whatever it asks for.
pub(crate) async fn authenticate<B: Backend>(
    world: &B,
    caller: &Caller,
    now: Timestamp,
) -> Result<Agent, Refused> {
    let agent = owner(world, caller, now).await?;
    world.note(Note::Agent(&agent.name));
    Ok(agent)
}

/// The same, without a note.
pub(crate) async fn owner<B: Backend>(
    world: &B,
    caller: &Caller,
    now: Timestamp,
) -> Result<Agent, Refused> {
    let agent = world.agent(&caller.name).await?.ok_or(Refused::Unauthenticated)?;
    let is_previous = |(hash, until): (KeyHash, Timestamp)| now < until && caller.has_hash(&hash);
    let is_owner =
        caller.has_hash(&agent.keys.current) || agent.keys.previous.is_some_and(is_previous);
    if is_owner { not_banned(agent) } else { Err(Refused::Unauthenticated) }
}

/// The agent, unless it is banned.
pub(crate) fn not_banned(agent: Agent) -> Result<Agent, Refused> {
    match agent.ban {
        Some(why) => Err(Refused::Banned(why)),
        None => Ok(agent),
    }
}

/// Registers an agent. `is_repeatable` means that a repetition of the request brings the same key:
/// it then gets the same answer and does not count against the address's limit.
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
        // Repeated at once, or its own write was made although AWS reported an error.
        Some(Current::Agent(first)) if is_ours(first) => {
            Ok(Registered { agent: (**first).clone(), replayed: true })
        }
        Some(_) => Err(Refused::NameTaken(agent.name)),
    }
}

/// Replaces the caller's key by `key`. `is_secret` means that the idempotency key that `key` was
/// derived from cannot be guessed.
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

/// Changes what the caller says about itself; `None` leaves a text as it is. Returns the agent after
/// that.
pub async fn describe<B: Backend>(
    world: &B,
    caller: &Caller,
    (bio, url): (Option<Text>, Option<Text>),
    now: Timestamp,
) -> Result<Agent, Refused> {
    let agent = authenticate(world, caller, now).await?;
    let Some(plan) = agent.describe(bio.clone(), url.clone()) else { return Ok(agent) };
    match commit(world, &plan).await? {
        Commit::Done => {
            Ok(Agent { bio: bio.unwrap_or(agent.bio), url: url.unwrap_or(agent.url), ..agent })
        }
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
