//! Simulated agents: they register, queue, poll and decide, as unreliably as real ones.

use std::cell::Cell;
use std::rc::Rc;

use arena::{
    Agent, AgentName, Division, Game, GameId, HouseLevel, Intent, KeyHash, Opponent, Submission,
    Tag, Timestamp, TurnNumber, Wanted, poll_after_ms,
};
use arena_protocol::{
    Caller, InQueue, Refused, enforce, join, leave, look, place, register, revoke, rotate, submit,
};
use renju::{Play, Point, Seat};

use crate::answers::{Answer, Hold};
use crate::brain;
use crate::call::{Waiting, call};
use crate::deployment::LIFETIME_MS;
use crate::faults::Fault;
use crate::process::Process;
use crate::tables::View;
use crate::world::World;

/// Attempts of a request before the agent reads its state again.
const TRIES_MAX: u32 = 6;

/// State that an agent keeps across a restart.
pub(crate) struct Client {
    pub(crate) number: usize,
    pub(crate) name: AgentName,
    pub(crate) owner: Option<String>,
    pub(crate) divisions: Vec<Division>,
    key: Cell<KeyHash>,
    /// The key of a rotation without a reply so far.
    wanted_key: Cell<Option<KeyHash>>,
    /// The key before, which is valid for a while and may have leaked.
    old_key: Cell<Option<KeyHash>>,
    secrets: Cell<u64>,
    is_registered: Cell<bool>,
}

impl Client {
    pub(crate) fn new(number: usize, owner: Option<String>, divisions: Vec<Division>) -> Client {
        let name = format!("agent-{number}").parse().expect("a plain name");
        let client = Client {
            number,
            name,
            owner,
            divisions,
            key: Cell::new(KeyHash([0; 32])),
            wanted_key: Cell::new(None),
            old_key: Cell::new(None),
            secrets: Cell::new(0),
            is_registered: Cell::new(false),
        };
        client.key.set(client.new_key());
        client
    }

    fn secret(&self) -> u64 {
        self.secrets.set(self.secrets.get() + 1);
        self.secrets.get()
    }

    pub(crate) fn new_key(&self) -> KeyHash {
        let mut hash = [self.number as u8; 32];
        hash[..8].copy_from_slice(&self.secret().to_le_bytes());
        KeyHash(hash)
    }

    pub(crate) fn new_tag(&self) -> Tag {
        Tag::of(&self.name, &self.secret().to_string())
    }

    pub(crate) fn caller(&self) -> Caller {
        Caller { name: self.name.clone(), key: self.key.get() }
    }
}

/// Sends a request with the agent's current key.
fn ask<T: 'static, F: Future<Output = T> + 'static>(
    world: &Rc<World>,
    me: &Client,
    route: &'static str,
    handler: impl Fn(Process, Caller, Timestamp) -> F,
) -> Waiting<T> {
    let caller = me.caller();
    call(world, route, |process, received| handler(process, caller.clone(), received))
}

/// An agent's life, from its first start or a restart.
pub(crate) async fn live(world: Rc<World>, me: Rc<Client>) {
    pause(&world, 0, 5_000).await;
    while !me.is_registered.get() {
        let is_repeatable = world.draw(|rng| rng.chance(5_000));
        let reply = ask(&world, &me, "register", |process, caller, received| {
            let agent = Agent::register(caller.name, caller.key, received);
            let agent = Agent { owner: me.owner.clone(), ..agent };
            async move { register(&process, agent, is_repeatable, ("somewhere", 1)).await }
        });
        match reply.await {
            Some(Ok(_)) => me.is_registered.set(true),
            Some(Err(Refused::NameTaken(name))) => {
                // A registration repeated with one key is granted, unless the agent has been used
                // since.
                let used = world.tables.borrow().agent(&name, View::Latest);
                let is_used = used.is_some_and(|agent| agent.epoch > 0);
                world.require(is_used, "I12", || format!("{name} is refused"));
                return;
            }
            _ => {}
        }
        pause(&world, 100, 2_000).await;
    }
    loop {
        let reply = ask(&world, &me, "me", |process, caller, received| async move {
            place_of(&process, &caller, received).await
        });
        match reply.await {
            Some(Ok(status)) => {
                if !act_on(&world, &me, status).await {
                    return;
                }
            }
            Some(Err(Refused::Unauthenticated)) => return,
            None | Some(Err(_)) => pause(&world, 200, 3_000).await,
        }
        if me.wanted_key.get().is_some() || world.strikes(Fault::Rotate) {
            change_key(&world, &me).await;
        }
        if world.strikes(Fault::Thief) {
            steal(&world, &me).await;
        }
    }
}

/// `GET /agents/me`, checked: a valid key is accepted, an overdue game is over, a damaged one is
/// ignored.
async fn place_of(
    process: &Process,
    caller: &Caller,
    received: Timestamp,
) -> Result<InQueue, Refused> {
    let placed = place(process, caller, received).await;
    let world = &process.world;
    let mut check = world.check.borrow_mut();
    match &placed {
        Ok(status) => {
            let live = status.game.as_ref().filter(|game| game.result().is_none());
            let overdue = live.and_then(|game| game.overdue_from(&world.pace));
            let is_open = overdue.is_some_and(|overdue| received.plus(world.skew_ms()) > overdue);
            check.require(!is_open, "L1", || format!("{} sees an overdue game", caller.name));
            if live.is_none() && status.agent.ticket(received).is_some() {
                // The ticket is kept as of the time of the request, not of its reply.
                let asked = check.asked.entry(caller.name.clone()).or_default();
                *asked = (*asked).max(received.ms());
            }
        }
        Err(Refused::Unauthenticated) => {
            let stored = world.tables.borrow().agent(&caller.name, View::Latest);
            let is_good = stored.is_some_and(|agent| {
                let previous = agent.keys.previous.filter(|(_, until)| received < *until);
                agent.keys.current == caller.key
                    || previous.is_some_and(|(key, _)| key == caller.key)
            });
            check.require(!is_good, "I20", || format!("{} has a good key", caller.name));
        }
        Err(Refused::Fault(fault)) => {
            let is_damage = fault.is_damage();
            check.require(!is_damage, "L1", || format!("{} is locked out: {fault}", caller.name));
        }
        Err(_) => {}
    }
    placed
}

/// A client with the replaced key, or a made-up one.
async fn steal(world: &Rc<World>, me: &Rc<Client>) {
    let made_up = Caller { key: me.new_key(), ..me.caller() };
    let old = me.old_key.get().map(|key| Caller { key, ..me.caller() });
    let wanted = me.new_key();
    let ask = |process: Process, received: Timestamp| {
        let (made_up, old) = (made_up.clone(), old.clone());
        async move {
            let opened = place(&process, &made_up, received).await.is_ok();
            let id = process.world.tables.borrow().agent(&made_up.name, View::Latest);
            let played = match id.and_then(|agent| agent.game) {
                Some(id) => look(&process, id, Some(&made_up), None, received).await.is_ok(),
                None => false,
            };
            let rekeyed = match old {
                Some(old) => {
                    rotate(&process, &old, wanted, true, received).await.is_ok()
                        || revoke(&process, &old, received).await.is_ok()
                }
                None => false,
            };
            process.world.require(!(opened || played || rekeyed), "I20", || {
                format!("a thief of {}: {opened} {played} {rekeyed}", made_up.name)
            });
        }
    };
    let _ = call(world, "thief", ask).await;
}

/// Acts on an agent's place in the queue; false when it has nothing left to do.
async fn act_on(world: &Rc<World>, me: &Rc<Client>, status: InQueue) -> bool {
    let InQueue { agent, game, .. } = status;
    if let Some(game) = game.filter(|game| game.result().is_none()) {
        play(world, me, Rc::new(game)).await;
        return true;
    }
    let now = world.timestamp();
    let Some(waiting) = agent.waiting.filter(|_| agent.ticket(now).is_some()) else {
        if world.is_open.get() {
            queue_up(world, me).await;
        }
        return world.is_open.get();
    };
    if world.strikes(Fault::Leave) {
        let ticket = agent.ticket(now).map(|ticket| ticket.to_string());
        world.check.borrow_mut().leaving.insert(ticket.clone());
        let reply = ask(world, me, "leave", |process, caller, received| {
            let ticket = ticket.clone();
            async move {
                let left = leave(&process, &caller, ticket.as_deref(), received).await;
                if let Ok(status) = &left {
                    let held = status.agent.ticket(received).map(|ticket| ticket.to_string());
                    process.world.require(held != ticket, "I6", || {
                        format!("{} is told that it left with {ticket:?}", caller.name)
                    });
                }
                left
            }
        });
        let _ = reply.await;
    } else if world.strikes(Fault::Lapse) {
        // Returns just before the ticket expires.
        let left_ms = waiting.until.since(now);
        pause(world, (left_ms - 2_000).max(0), left_ms.max(0) + 2_000).await;
        queue_up(world, me).await;
    } else {
        pause(world, 1_000, 15_000).await;
    }
    true
}

async fn queue_up(world: &Rc<World>, me: &Rc<Client>) {
    let division = world.draw(|rng| *rng.pick(&me.divisions));
    let tag = world.draw(|rng| rng.chance(9_000)).then(|| me.new_tag());
    let wanted =
        Wanted { division, opponent: wish(world), rated: world.draw(|rng| rng.chance(9_000)), tag };
    for _ in 0..TRIES_MAX {
        let reply = ask(world, me, "join", |process, caller, received| async move {
            joined(&process, &caller, wanted, received).await
        });
        match reply.await {
            Some(Err(Refused::CoolingDown(cooling))) => {
                let wait_ms = cooling.until.since(world.timestamp()).max(0);
                return world.sleep(wait_ms + 1_000).await;
            }
            Some(Ok(_)) => return pause(world, 500, 3_000).await,
            None | Some(Err(_)) => pause(world, 200, 3_000).await,
        }
    }
}

/// `POST /queue/join`, checked against the tables.
pub(crate) async fn joined(
    process: &Process,
    caller: &Caller,
    wanted: Wanted,
    received: Timestamp,
) -> Result<InQueue, Refused> {
    let joined = join(process, caller, wanted, received).await;
    if let Ok(status) = &joined {
        let plays = status.game.as_ref().is_some_and(|game| game.result().is_none());
        let waits = status.agent.ticket(received).is_some();
        let is_known = |tag| status.agent.joins.iter().any(|(known, _)| *known == tag);
        let has_joined = status.spent.is_some() || wanted.tag.is_none_or(is_known);
        let mut check = process.world.check.borrow_mut();
        check.require(plays || waits || has_joined, "I6", || {
            format!("{} is told that it joined", caller.name)
        });
        let is_house = matches!(wanted.opponent, Opponent::House(_) | Opponent::HouseAs(..));
        let has_house = process.world.pace.house_after_ms.is_some();
        check.require(!is_house || has_house, "I6", || "no house bot is here".to_owned());
    }
    joined
}

/// The wanted opponent: mostly anyone; with house bots, sometimes one of them.
fn wish(world: &World) -> Opponent {
    let level = world.draw(|rng| *rng.pick(&HouseLevel::ALL));
    match world.draw(|rng| rng.below(10)) {
        0 | 1 => Opponent::Agents,
        2 => Opponent::House(level),
        3 => Opponent::HouseAs(level, world.draw(|rng| *rng.pick(&Seat::BOTH))),
        _ => Opponent::Anyone,
    }
}

/// Rotates the key. Until there is a reply, the same rotation is repeated with the old key.
async fn change_key(world: &Rc<World>, me: &Rc<Client>) {
    let key = me.wanted_key.get().unwrap_or_else(|| me.new_key());
    me.wanted_key.set(Some(key));
    let reply = ask(world, me, "rotate", |process, caller, received| async move {
        let rotated = rotate(&process, &caller, key, true, received).await;
        let stored = process.world.tables.borrow().agent(&caller.name, View::Latest);
        let is_set = stored.is_some_and(|agent| {
            agent.keys.current == key || agent.keys.previous.is_some_and(|(old, _)| old == key)
        });
        let mut check = process.world.check.borrow_mut();
        check.require(rotated.is_err() || is_set, "I20", || "a key is not set".to_owned());
        let is_refused = matches!(rotated, Err(Refused::ReplacedKey));
        check.require(!is_refused, "I12", || format!("{} may not repeat", caller.name));
        rotated
    });
    if let Some(Ok(_)) = reply.await {
        me.old_key.set(Some(me.key.replace(key)));
        me.wanted_key.set(None);
        if world.strikes(Fault::Revoke) {
            let reply = ask(world, me, "revoke", |process, caller, received| async move {
                revoke(&process, &caller, received).await
            });
            let _ = reply.await;
        }
    }
}

async fn play(world: &Rc<World>, me: &Rc<Client>, mut game: Rc<Game>) {
    let mut last: Option<Submission> = None;
    let mut waits = 0;
    while let Some(to_act) = game.to_act() {
        let seat = game.seat_of(&me.name).expect("an agent is told of its own games");
        let submission = if to_act == seat {
            think(world, &game).await;
            Some(decide(world, me, &game, last))
        } else {
            let hint_ms = poll_after_ms(&game, Some(seat), world.timestamp());
            let wait_ms = hint_ms.max(waits * 1_000).min(30_000);
            waits += 1;
            pause(world, wait_ms, wait_ms + 500).await;
            interrupt(world, me, &game, last)
        };
        let seen = match submission {
            Some(submission) => {
                last = Some(submission);
                send(world, me, &game, submission).await
            }
            None => {
                let (id, known) = (game.id(), game.turn());
                let reply = ask(world, me, "poll", |process, caller, received| async move {
                    poll(&process, id, &caller, known, received).await
                });
                let seen = reply.await.and_then(Result::ok);
                let is_back = seen.as_ref().is_some_and(|seen| seen.turn() < known);
                world.require(!is_back, "I18", || {
                    format!("{} shows less than the known turn {known}", game.id())
                });
                seen
            }
        };
        match seen {
            Some(seen) => {
                // A replay may show an older turn than was seen.
                if seen.turn() > game.turn() {
                    waits = 0;
                }
                if seen.turn() >= game.turn() {
                    game = seen;
                }
            }
            None => return pause(world, 200, 3_000).await,
        }
    }
}

async fn think(world: &Rc<World>, game: &Game) {
    let deadline = game.deadline().expect("an unfinished game has a deadline");
    let left_ms = deadline.since(world.timestamp()).max(0);
    if world.strikes(Fault::Silent) {
        world.sleep(left_ms + 120_000).await;
    } else if world.strikes(Fault::Dawdle) {
        pause(world, (left_ms - 2_500).max(0), left_ms + 2_000).await;
    } else {
        pause(world, 200, 12_000).await;
    }
}

/// The decision of the player to act, with the mistakes agents make.
fn decide(
    world: &Rc<World>,
    me: &Rc<Client>,
    game: &Rc<Game>,
    last: Option<Submission>,
) -> Submission {
    let tag = me.new_tag();
    let turn = game.turn();
    let play = world.draw(|rng| brain::choose(game, rng));
    let right = Submission { intent: Intent::Play(turn, play), tag };
    if world.strikes(Fault::Resign) {
        return Submission { intent: Intent::Resign, tag };
    }
    if world.strikes(Fault::Repeat) {
        return last.unwrap_or(right);
    }
    if world.strikes(Fault::WrongTurn) {
        let wrong = world.draw(|rng| turn.0 + 1 - 2 * rng.below(2).min(turn.0 as usize) as u32);
        return Submission { intent: Intent::Play(TurnNumber(wrong), play), ..right };
    }
    if world.strikes(Fault::IllegalPlay) {
        let corner = Play::Place(Point::centre(5));
        return Submission { intent: Intent::Play(turn, corner), ..right };
    }
    if world.strikes(Fault::KeyReused)
        && let Some(last) = last
    {
        return Submission { tag: last.tag, ..right };
    }
    for (fault, tag) in [(Fault::KeyReused, tag), (Fault::Twin, me.new_tag())] {
        if world.strikes(fault) {
            let play = world.draw(|rng| brain::choose(game, rng));
            send_off(world, me, game, Submission { intent: Intent::Play(turn, play), tag });
        }
    }
    right
}

/// Actions of an agent that should wait.
fn interrupt(
    world: &Rc<World>,
    me: &Rc<Client>,
    game: &Game,
    last: Option<Submission>,
) -> Option<Submission> {
    if world.strikes(Fault::Repeat) {
        return last;
    }
    if world.strikes(Fault::OutOfTurn) {
        let play = world.draw(|rng| brain::choose(game, rng));
        return Some(Submission { intent: Intent::Play(game.turn(), play), tag: me.new_tag() });
    }
    let resigns = world.strikes(Fault::Resign);
    resigns.then(|| Submission { intent: Intent::Resign, tag: me.new_tag() })
}

/// Submits until there is an answer: one key for one decision.
async fn send(
    world: &Rc<World>,
    me: &Rc<Client>,
    game: &Game,
    submission: Submission,
) -> Option<Rc<Game>> {
    for _ in 0..TRIES_MAX {
        let id = game.id();
        let reply = ask(world, me, "submit", |process, caller, received| async move {
            decide_in(&process, id, &caller, submission, received).await
        });
        match reply.await {
            Some(Answer::Accepted(game) | Answer::Refused(_, game)) => return Some(game),
            Some(Answer::Unknown) => return None,
            None | Some(Answer::Failed) => pause(world, 200, 2_000).await,
        }
    }
    None
}

/// Submits without waiting for the reply.
fn send_off(world: &Rc<World>, me: &Client, game: &Game, submission: Submission) {
    let (caller, id) = (me.caller(), game.id());
    let delay_ms = world.within(0, 100);
    let received = world.timestamp().plus(delay_ms);
    Process::start(world, delay_ms, LIFETIME_MS, |process| async move {
        let _ = decide_in(&process, id, &caller, submission, received).await;
    });
}

/// `POST /games/{id}/…`, checked: the clock never beats a submission that came in time, and the
/// answer stays true.
pub(crate) async fn decide_in(
    process: &Process,
    id: GameId,
    caller: &Caller,
    submission: Submission,
    received: Timestamp,
) -> Answer {
    let world = &process.world;
    let until = world.now() + LIFETIME_MS;
    process.hold(Hold::new(world, &caller.name, id, submission, received, until));
    let answer = match submit(process, id, caller, submission, received).await {
        Ok((settled, _)) => {
            if settled.replayed {
                world.count("replays");
            }
            Answer::Accepted(Rc::new(settled.game_then()))
        }
        Err(Refused::Rejected(why, game, _)) => {
            let overdue = game.overdue_from(&world.pace);
            let is_open = why == arena::Rejection::DeadlinePassed
                && overdue.is_some_and(|overdue| received.plus(world.skew_ms()) > overdue);
            world.require(!is_open, "L1", || format!("{id} is overdue and in progress"));
            Answer::Refused(why, Rc::new(*game))
        }
        Err(Refused::NoGame(_)) if world.tables.borrow().game(id, View::Latest).is_some() => {
            world.check.borrow_mut().report("I18", || format!("{id} is not found"));
            Answer::Unknown
        }
        Err(Refused::Unauthenticated | Refused::NotAPlayer(_) | Refused::NoGame(_)) => {
            Answer::Unknown
        }
        Err(_) => Answer::Failed,
    };
    process.answered(&answer);
    answer
}

/// `GET /games/{id}` by a player; enforces the clock.
pub(crate) async fn poll(
    process: &Process,
    id: GameId,
    caller: &Caller,
    known: TurnNumber,
    received: Timestamp,
) -> Result<Rc<Game>, Refused> {
    let seen = look(process, id, Some(caller), Some(known), received).await?;
    Ok(Rc::new(enforce(process, seen.game).await?))
}

async fn pause(world: &Rc<World>, least_ms: i64, most_ms: i64) {
    let ms = world.within(least_ms, most_ms.max(least_ms));
    world.sleep(ms).await;
}
