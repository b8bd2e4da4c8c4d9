//! Simulated agents: they register, queue, poll and decide, and are as unreliable as the real ones.

use std::cell::Cell;
use std::rc::Rc;

use arena::{
    AgentName, Division, Game, HouseLevel, KeyHash, Opponent, Request, Submission, Tag, TurnNumber,
    poll_after_ms,
};
use renju::{Play, Point};

use super::brain;
use super::call::call;
use super::desk::{self, Joined, Status};
use super::faults::Fault;
use super::handlers::{self, Answer, Caller};
use super::process::Process;
use super::world::World;

/// How often an agent sends the same request before it looks around again.
const TRIES_MAX: u32 = 6;

/// What an agent still knows after a restart.
pub(crate) struct Client {
    pub(crate) number: usize,
    pub(crate) name: AgentName,
    pub(crate) owner: Option<String>,
    pub(crate) divisions: Vec<Division>,
    key: Cell<KeyHash>,
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

    fn new_key(&self) -> KeyHash {
        let mut hash = [self.number as u8; 32];
        hash[..8].copy_from_slice(&self.secret().to_le_bytes());
        KeyHash(hash)
    }

    fn new_tag(&self) -> Tag {
        Tag::of(&self.name, &self.secret().to_string())
    }

    fn caller(&self) -> Caller {
        Caller { name: self.name.clone(), key: self.key.get() }
    }
}

/// An agent's life, from (another) start on.
pub(crate) async fn live(world: Rc<World>, me: Rc<Client>) {
    pause(&world, 0, 5_000).await;
    while !me.is_registered.get() {
        let (caller, owner) = (me.caller(), me.owner.clone());
        let reply = call(&world, "register", |process| {
            desk::register(process, caller.clone(), owner.clone())
        });
        if let Some(Ok(is_mine)) = reply.await {
            assert!(is_mine, "a name that is asked for once, with one key, is granted");
            me.is_registered.set(true);
        }
        pause(&world, 100, 2_000).await;
    }
    loop {
        let caller = me.caller();
        match call(&world, "me", |process| desk::me(process, caller.clone())).await {
            Some(Ok(Status::Playing(game))) => play(&world, &me, game).await,
            Some(Ok(Status::Queued(until))) => {
                if world.strikes(Fault::Leave) {
                    call(&world, "leave", |process| desk::leave(process, caller.clone())).await;
                } else if world.strikes(Fault::Lapse) {
                    // Back when the ticket is about to lapse.
                    let left_ms = until.since(world.timestamp());
                    pause(&world, (left_ms - 2_000).max(0), left_ms.max(0) + 2_000).await;
                    join(&world, &me).await;
                } else {
                    pause(&world, 1_000, 15_000).await;
                }
            }
            Some(Ok(Status::Idle)) if world.is_open.get() => join(&world, &me).await,
            Some(Ok(Status::Idle | Status::Unknown)) => return,
            None | Some(Err(_)) => pause(&world, 200, 3_000).await,
        }
        if world.strikes(Fault::Rotate) {
            rotate(&world, &me).await;
        }
    }
}

async fn join(world: &Rc<World>, me: &Rc<Client>) {
    let tag = me.new_tag();
    let division = world.draw(|rng| *rng.pick(&me.divisions));
    let opponent = wish(world);
    for _ in 0..TRIES_MAX {
        let caller = me.caller();
        let reply = call(world, "join", |process| {
            desk::join(process, caller.clone(), division, opponent, tag)
        });
        match reply.await {
            Some(Ok(Joined::Cooling(until))) => {
                let wait_ms = until.since(world.timestamp()).max(0);
                return world.sleep(wait_ms + 1_000).await;
            }
            Some(Ok(_)) => return pause(world, 500, 3_000).await,
            None | Some(Err(_)) => pause(world, 200, 3_000).await,
        }
    }
}

/// Whom to play: mostly anyone; where there are house bots, sometimes one of them.
fn wish(world: &World) -> Opponent {
    let level = world.draw(|rng| *rng.pick(&HouseLevel::ALL));
    match world.draw(|rng| rng.below(10)) {
        0 | 1 => Opponent::Agents,
        2 if world.pace.house_after_ms.is_some() => Opponent::House(level),
        _ => Opponent::Anyone,
    }
}

async fn rotate(world: &Rc<World>, me: &Rc<Client>) {
    let (caller, key) = (me.caller(), me.new_key());
    let reply = call(world, "rotate", |process| desk::rotate(process, caller.clone(), key)).await;
    if let Some(Ok(true)) = reply {
        me.key.set(key);
    }
}

/// Plays a game to its end.
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
                submit(world, me, &game, submission).await
            }
            None => {
                let (caller, id, known) = (me.caller(), game.id(), game.turn());
                let poll = |process| handlers::poll(process, caller.clone(), id, known);
                let seen = call(world, "poll", poll).await.and_then(Result::ok).flatten();
                let is_back = seen.as_ref().is_some_and(|seen| seen.turn() < known);
                world.check.borrow_mut().require(!is_back, "I18", || {
                    format!("{} shows less than {known} to who knows more", game.id())
                });
                seen
            }
        };
        match seen {
            Some(seen) => {
                // A replay may show less than was seen.
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
    let right = Submission { request: Request::Play(turn, play), tag };
    if world.strikes(Fault::Resign) {
        return Submission { request: Request::Resign, tag };
    }
    if world.strikes(Fault::Repeat) {
        return last.unwrap_or(right);
    }
    if world.strikes(Fault::WrongTurn) {
        let wrong = world.draw(|rng| turn.0 + 1 - 2 * rng.below(2).min(turn.0 as usize) as u32);
        return Submission { request: Request::Play(TurnNumber(wrong), play), ..right };
    }
    if world.strikes(Fault::IllegalPlay) {
        let corner = Play::Place(Point::centre(5));
        return Submission { request: Request::Play(turn, corner), ..right };
    }
    if world.strikes(Fault::KeyReused)
        && let Some(last) = last
    {
        return Submission { tag: last.tag, ..right };
    }
    for (fault, tag) in [(Fault::KeyReused, tag), (Fault::Twin, me.new_tag())] {
        if world.strikes(fault) {
            let play = world.draw(|rng| brain::choose(game, rng));
            send(world, me, game, Submission { request: Request::Play(turn, play), tag });
        }
    }
    right
}

/// What an agent may do while it should wait.
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
        return Some(Submission { request: Request::Play(game.turn(), play), tag: me.new_tag() });
    }
    let resigns = world.strikes(Fault::Resign);
    resigns.then(|| Submission { request: Request::Resign, tag: me.new_tag() })
}

/// Submits until there is an answer: one key for one decision.
async fn submit(
    world: &Rc<World>,
    me: &Rc<Client>,
    game: &Game,
    submission: Submission,
) -> Option<Rc<Game>> {
    for _ in 0..TRIES_MAX {
        let (caller, id) = (me.caller(), game.id());
        let reply = call(world, "submit", |process| {
            handlers::submit(process, caller.clone(), id, submission)
        });
        match reply.await {
            Some(Ok(Answer::Accepted(game) | Answer::Refused(_, game))) => return Some(game),
            Some(Ok(Answer::Unknown)) => return None,
            None | Some(Err(_)) => pause(world, 200, 2_000).await,
        }
    }
    None
}

/// Submits and does not wait.
fn send(world: &Rc<World>, me: &Client, game: &Game, submission: Submission) {
    let (caller, id) = (me.caller(), game.id());
    let delay_ms = world.draw(|rng| rng.within(0, 100));
    Process::start(world, delay_ms, |process| async move {
        let _ = handlers::submit(process, caller, id, submission).await;
    });
}

async fn pause(world: &Rc<World>, least_ms: i64, most_ms: i64) {
    let ms = world.draw(|rng| rng.within(least_ms, most_ms.max(least_ms)));
    world.sleep(ms).await;
}
