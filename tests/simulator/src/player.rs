//! Agents of the capacity model: they make no mistakes, but some fall silent.

use std::cell::Cell;
use std::rc::Rc;

use arena::{Division, Game, Intent, Opponent, Submission, Tag, Timestamp, Wanted, poll_after_ms};
use arena_protocol::{Caller, Refused, enforce, join, look, place, submit};
use renju::{Play, Point};

use crate::brain;
use crate::call::call;
use crate::process::Process;
use crate::rng::Rng;
use crate::world::World;

/// Decisions of a usual game.
pub(crate) const DECISIONS: i64 = 40;

/// Part of the agents that fall silent in a game, in ten thousandths.
const SILENT: u32 = 300;

/// Time between two requests about the queue: the server's hint.
const QUEUE_POLL_MS: i64 = 2_000;

/// An agent of the model.
pub(crate) struct Player {
    pub(crate) caller: Caller,
    pub(crate) division: Division,
    /// Usual time of a decision; without the time until the opponent's next poll.
    pub(crate) think_ms: i64,
    keys: Cell<u64>,
}

/// The course of a game: its length, and the turn in which a player falls silent.
#[derive(Clone, Copy)]
pub(crate) struct Course {
    pub(crate) turns: u32,
    pub(crate) silent: Option<u32>,
}

impl Course {
    pub(crate) fn draw(rng: &mut Rng) -> Course {
        let turns = rng.within(DECISIONS / 2, DECISIONS * 3 / 2) as u32 - 1;
        // Both players may.
        let is_silent = rng.chance(2 * SILENT);
        Course { turns, silent: is_silent.then(|| rng.below(turns as usize) as u32) }
    }
}

/// An agent's life: games, one after the other.
pub(crate) async fn live(world: Rc<World>, me: Player, going: Option<(Game, Course)>) {
    if let Some((game, course)) = going {
        // Some of the time to think is over.
        let think_ms = world.within(0, me.think_ms);
        play(&world, &me, game, course, Some(think_ms)).await;
    }
    loop {
        let game = wait_for_game(&world, &me).await;
        // Drawn from the game's id, so that both players agree.
        let seed = u64::from_le_bytes(game.id().bytes()[..8].try_into().expect("eight bytes"));
        play(&world, &me, game, Course::draw(&mut Rng::new(seed)), None).await;
        world.sleep(world.within(500, 3_000)).await;
    }
}

/// Joins, and asks as often as the server says.
async fn wait_for_game(world: &Rc<World>, me: &Player) -> Game {
    let mut is_queued = false;
    let mut wanted = me.wanted();
    loop {
        let ask = |process: Process, received: Timestamp| {
            let caller = me.caller.clone();
            async move {
                match is_queued {
                    true => place(&process, &caller, received).await,
                    false => join(&process, &caller, wanted, received).await,
                }
            }
        };
        let wait_ms = match call(world, "queue", ask).await {
            Some(Ok(status)) => {
                if let Some(game) = status.game.filter(|game| game.result().is_none()) {
                    return game;
                }
                is_queued = status.agent.ticket(world.timestamp()).is_some();
                if !is_queued {
                    wanted = me.wanted();
                }
                QUEUE_POLL_MS
            }
            Some(Err(Refused::CoolingDown(cooling))) => {
                cooling.until.since(world.timestamp()).max(0) + 1_000
            }
            Some(Err(_)) | None => world.within(500, 2_000),
        };
        world.sleep(wait_ms).await;
    }
}

/// Plays a game to its end, or until this agent falls silent. `first_ms` is the time until its first
/// decision, if it is to act.
async fn play(
    world: &Rc<World>,
    me: &Player,
    mut game: Game,
    course: Course,
    mut first_ms: Option<i64>,
) {
    let Some(seat) = game.seat_of(&me.caller.name) else { return };
    let mut next: Option<Submission> = None;
    while let Some(to_act) = game.to_act() {
        let is_silent = course.silent.is_some_and(|turn| game.turn().0 >= turn);
        if to_act == seat && is_silent {
            let deadline = game.deadline().expect("a game in progress has a deadline");
            let left_ms = deadline.since(world.timestamp()).max(0);
            return world.sleep(left_ms + world.within(20_000, 60_000)).await;
        }
        if to_act == seat {
            if next.is_none() {
                let usual_ms = world.within(me.think_ms / 2, me.think_ms * 3 / 2);
                world.sleep(first_ms.unwrap_or(usual_ms)).await;
            }
            let submission = next.unwrap_or_else(|| me.decide(world, &game, course));
            next = Some(submission);
        } else {
            let hint_ms = poll_after_ms(&game, Some(seat), world.timestamp());
            world.sleep(hint_ms + world.within(0, 200)).await;
        }
        first_ms = None;
        let seen = match next {
            Some(submission) => me.submit(world, &game, submission).await,
            None => me.poll(world, &game).await,
        };
        match seen {
            Some(seen) => (game, next) = (seen, None),
            None => world.sleep(world.within(500, 2_000)).await,
        }
    }
}

impl Player {
    pub(crate) fn new(caller: Caller, division: Division, think_ms: i64) -> Player {
        Player { caller, division, think_ms, keys: Cell::new(0) }
    }

    fn new_tag(&self) -> Tag {
        self.keys.set(self.keys.get() + 1);
        // The games at the start have lesser ones.
        tag((1 << 32) + self.keys.get())
    }

    fn wanted(&self) -> Wanted {
        let tag = Some(self.new_tag());
        Wanted { division: self.division, opponent: Opponent::Agents, rated: true, tag }
    }

    fn decide(&self, world: &World, game: &Game, course: Course) -> Submission {
        let intent = match game.turn().0 >= course.turns {
            true => Intent::Resign,
            false => Intent::Play(game.turn(), world.draw(|rng| choose(game, rng))),
        };
        // Two players may draw the same number, but the turn is another.
        let Tag(mut bytes) = self.new_tag();
        bytes[7] = game.turn().0 as u8;
        Submission { intent, tag: Tag(bytes) }
    }

    async fn submit(&self, world: &Rc<World>, game: &Game, it: Submission) -> Option<Game> {
        let id = game.id();
        let ask = |process: Process, received: Timestamp| {
            let caller = self.caller.clone();
            async move { submit(&process, id, &caller, it, received).await }
        };
        match call(world, "move", ask).await? {
            Ok((settled, _)) => Some(settled.game),
            Err(Refused::Rejected(_, game, _)) => Some(*game),
            Err(_) => None,
        }
    }

    async fn poll(&self, world: &Rc<World>, game: &Game) -> Option<Game> {
        let (id, known) = (game.id(), game.turn());
        let ask = |process: Process, received: Timestamp| {
            let caller = self.caller.clone();
            async move {
                let seen = look(&process, id, Some(&caller), Some(known), received).await?;
                enforce(&process, seen.game).await
            }
        };
        call(world, "poll", ask).await?.ok()
    }
}

pub(crate) fn tag(number: u64) -> Tag {
    Tag(number.to_le_bytes())
}

/// A legal play, cheaply: games end by resignation.
pub(crate) fn choose(game: &Game, rng: &mut Rng) -> Play {
    let position = game.position();
    let size = game.position().board().size();
    for _ in 0..4 {
        let point = Point::new(rng.below(size.into()) as u8, rng.below(size.into()) as u8);
        if let Some(play) = point.map(Play::Place)
            && position.play(play).is_ok()
        {
            return play;
        }
    }
    brain::choose(game, rng)
}
