//! The capacity model: many agents play in a world with the limits of AWS, from a start with all
//! games in progress.

#![allow(missing_docs, reason = "the names say it")]

use std::cell::Cell;
use std::rc::Rc;

use arena::{
    Actor, Agent, Division, Game, Intent, KeyHash, Message, Opponent, Pool, Rating, Standing,
    Submission, Tag, Timestamp, Waiting, Write, poll_after_ms, seating, timer,
};
use arena_protocol::{Caller, Refused, Stored, Wanted, enforce, join, look, place, submit};
use renju::{BySeat, Play, Point, Ruleset};

use crate::brain;
use crate::call::call;
use crate::faults::Faults;
use crate::load::{Load, Measured};
use crate::process::Process;
use crate::queue;
use crate::rng::Rng;
use crate::run::sweep_every_minute;
use crate::world::{Owner, World};

/// Decisions of a usual game.
const DECISIONS: i64 = 40;

/// Part of the agents that fall silent in a game, in ten thousandths.
const SILENT: u32 = 300;

/// Time before the measured one, in which pollers and execution environments are started.
const WARM_UP_MS: i64 = 15_000;

/// Time between two requests about the queue: the server's hint.
const QUEUE_POLL_MS: i64 = 2_000;

pub struct Settings {
    pub live_games: usize,
    pub divisions: usize,
    pub shards: u8,
    /// Agents that come in addition, each for many games.
    pub joins_per_second: f64,
    /// Agents that all join within the first measured second.
    pub burst: usize,
    pub seconds: i64,
    pub game_seconds: i64,
    /// Lambda's limit.
    pub concurrency: usize,
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            live_games: 10_000,
            divisions: 1,
            shards: 8,
            joins_per_second: 0.0,
            burst: 0,
            seconds: 120,
            game_seconds: 800,
            concurrency: 3_000,
            seed: 1,
        }
    }
}

/// Runs the model and returns what was measured; times of the burst are from its start.
pub fn measure(settings: &Settings) -> Measured {
    let mut faults = Faults::none();
    (faults.shards, faults.page, faults.sweeps) = (settings.shards, 100, true);
    let world =
        World::loaded(settings.seed, faults, Load::new(settings.shards, settings.concurrency));
    let mut rulesets: Vec<&'static Ruleset> = Ruleset::ALL.iter().collect();
    // Without an opening first, because it is fast.
    rulesets.sort_by_key(|ruleset| ruleset.id != "renju_free");
    let rulesets = rulesets.into_iter().take(settings.divisions);
    let divisions = rulesets.map(|ruleset| Division { ruleset, pool: Pool::Standard }).collect();
    let mut scene = Scene { world: world.clone(), divisions, agents: 0, settings };
    for _ in 0..settings.live_games {
        scene.start_game();
    }
    let start = world.now() + WARM_UP_MS;
    for _ in 0..settings.burst {
        let delay_ms = WARM_UP_MS + world.within(0, 999);
        scene.start_agent("burst", delay_ms);
    }
    let others = settings.joins_per_second * settings.seconds as f64;
    for number in 0..others as i64 {
        let delay_ms = WARM_UP_MS + (number as f64 * 1e3 / settings.joins_per_second) as i64;
        scene.start_agent("newcomer", delay_ms);
    }
    sweep_every_minute(&world);
    let load = world.load.as_ref().expect("it is a world with load");
    world.run(start, || false);
    load.borrow_mut().measured = Measured::default();
    world.run(start + settings.seconds * 1_000, || false);
    let mut measured = std::mem::take(&mut load.borrow_mut().measured);
    world.end_tasks(|_| true);
    measured.burst.1 -= start;
    measured
}

/// The world being set up.
struct Scene<'a> {
    world: Rc<World>,
    divisions: Vec<Division>,
    agents: usize,
    settings: &'a Settings,
}

/// An agent of the model.
struct Player {
    caller: Caller,
    division: Division,
    /// Usual time of a decision; without the time until the opponent's next poll.
    think_ms: i64,
    keys: Cell<u64>,
}

/// The course of a game: its length, and the turn in which a player falls silent.
#[derive(Clone, Copy)]
struct Course {
    turns: u32,
    silent: Option<u32>,
}

impl Course {
    fn draw(rng: &mut Rng) -> Course {
        let turns = rng.within(DECISIONS / 2, DECISIONS * 3 / 2) as u32;
        // Both players may.
        let is_silent = rng.chance(2 * SILENT);
        Course { turns, silent: is_silent.then(|| rng.below(turns as usize) as u32) }
    }
}

impl Scene<'_> {
    fn step_ms(&self) -> i64 {
        self.settings.game_seconds * 1_000 / DECISIONS
    }

    /// An agent with a rating, which is on the leaderboard.
    fn agent(&mut self, kind: &str) -> (Agent, Player) {
        self.agents += 1;
        let division = self.divisions[(self.agents / 2) % self.divisions.len()];
        let name: arena::AgentName =
            format!("{kind}-{}", self.agents).parse().expect("a plain name");
        let mut key = [0; 32];
        key[..8].copy_from_slice(&(self.agents as u64).to_le_bytes());
        let now = self.world.timestamp();
        let agent = Agent::register(name.clone(), KeyHash(key), now);
        let points: i64 = (0..6).map(|_| self.world.within(-140, 140)).sum();
        let rating = Rating { value: 1_500.0 + points as f64, deviation: 70.0, volatility: 0.06 };
        let standing = Standing { rating, rated_at: Some(now), won: 20, ..Standing::NEW };
        let standing = Box::new(standing);
        let rate = Write::Rate { agent: name.clone(), division, seen_games: 0, standing };
        self.world.tables.borrow_mut().commit(&[rate], || now.ms());
        let caller = Caller { name, key: KeyHash(key) };
        let think_ms = self.step_ms() * 17 / 20;
        (agent, Player { caller, division, think_ms, keys: Cell::new(0) })
    }

    fn register(&self, agent: Agent) {
        let register = Write::Register(Box::new(agent));
        self.world.tables.borrow_mut().commit(&[register], || self.world.now());
    }

    /// An agent that will join.
    fn start_agent(&mut self, kind: &str, delay_ms: i64) {
        let (agent, player) = self.agent(kind);
        self.register(agent);
        self.world.spawn(Owner::Cloud, delay_ms, live(self.world.clone(), player, None));
    }

    /// A game in progress at a random age, and its two agents.
    fn start_game(&mut self) {
        let (world, step_ms, now) = (self.world.clone(), self.step_ms(), self.world.timestamp());
        let pace = &world.pace;
        let [(mut one, player), (mut other, rival)] = [self.agent("agent"), self.agent("agent")];
        let division = player.division;
        let rival = Player { division, ..rival };
        let (course, age_ms) = self.course();
        let created = now.plus(-age_ms);
        for agent in [&mut one, &mut other] {
            agent.epoch = 1;
            agent.waiting = Some(Waiting {
                division,
                since: created,
                until: created.plus(1),
                rating: Rating::NEW,
                opponent: Opponent::Agents,
            });
        }
        let players = BySeat { first: &one, second: &other };
        let plan = seating::seat(players, division, created, pace).expect("both are queued");
        let header = plan.writes.into_iter().find_map(|write| match write {
            Write::Create { header, .. } => Some(*header),
            _ => None,
        });
        let mut game = Game::start(header.expect("a pair is seated in a game"));
        let last_turn = course.silent.unwrap_or(course.turns);
        while i64::from(game.turn().0 + 1) * step_ms <= age_ms && game.turn().0 < last_turn {
            let Some(seat) = game.to_act() else { break };
            let intent = Intent::Play(game.turn(), world.draw(|rng| choose(&game, rng)));
            let submission = Submission { intent, tag: tag(u64::from(game.turn().0) + 1) };
            let at = created.plus(i64::from(game.turn().0 + 1) * step_ms);
            let decided = game.apply(Actor::Seat(seat), submission, at, pace);
            game = decided.ok().and_then(arena::Decision::into_commit).expect("a legal play");
        }
        let Some(overdue) = game.overdue_from(pace) else { return self.start_game() };
        // A link of the chain of timers lasts about a turn.
        let first = timer::first(game.header(), pace);
        let armed = first.max(now.plus(world.within(1, overdue.since(now).max(1))));
        queue::send(
            &world,
            Message::Timer { game: game.id(), fire: armed },
            armed.since(now),
        );
        for (agent, player) in [(one, player), (other, rival)] {
            self.register(Agent { waiting: None, game: Some(game.id()), ..agent });
            let going = Some((game.clone(), course));
            world.spawn(Owner::Cloud, 0, live(world.clone(), player, going));
        }
        world.tables.borrow_mut().put(Stored { game, armed: Some(armed) }, now.ms());
    }

    /// The course and the age of a game met at a random time: long ones are met more often.
    fn course(&self) -> (Course, i64) {
        let step_ms = self.step_ms();
        let silence_ms = i64::from(Pool::Standard.turn_ms()) + self.world.pace.grace_ms;
        let most_ms = DECISIONS * 3 / 2 * step_ms + silence_ms;
        loop {
            let course = self.world.draw(Course::draw);
            let age_ms = self.world.within(0, most_ms);
            let end_ms = match course.silent {
                Some(turn) => i64::from(turn) * step_ms + silence_ms,
                None => i64::from(course.turns) * step_ms,
            };
            if age_ms < end_ms {
                return (course, age_ms);
            }
        }
    }
}

/// An agent's life: games, one after the other.
async fn live(world: Rc<World>, me: Player, going: Option<(Game, Course)>) {
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
    fn new_tag(&self) -> Tag {
        self.keys.set(self.keys.get() + 1);
        // The games at the start have lesser ones.
        tag((1 << 32) + self.keys.get())
    }

    fn wanted(&self) -> Wanted {
        let tag = Some(self.new_tag());
        Wanted { division: self.division, opponent: Opponent::Agents, tag }
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

fn tag(number: u64) -> Tag {
    Tag(number.to_le_bytes())
}

/// A legal play, cheaply: games end by resignation.
fn choose(game: &Game, rng: &mut Rng) -> Play {
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
