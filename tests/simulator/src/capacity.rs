//! The capacity model: many agents play in a world with the limits of AWS, from a start with all
//! games in progress.

#![allow(missing_docs, reason = "the names say it")]

use std::rc::Rc;

use arena::{
    Actor, Agent, Division, Game, Intent, KeyHash, Message, Opponent, Pool, Rating, Standing,
    Submission, Waiting, Write, seating, timer,
};
use arena_protocol::{Caller, Stored};
use renju::{BySeat, Ruleset};

use crate::faults::Faults;
use crate::load::{Load, Measured};
use crate::player::{Course, DECISIONS, Player, choose, live, tag};
use crate::queue;
use crate::run::sweep_every_minute;
use crate::world::{Owner, World};

/// Time before the measured one, in which pollers and execution environments are started.
const WARM_UP_MS: i64 = 15_000;

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
        (agent, Player::new(caller, division, think_ms))
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
        let rival = Player::new(rival.caller, division, player.think_ms);
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
                rated: true,
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
        let (there, message) = (world.clone(), Message::Timer { game: game.id(), fire: armed });
        // SQS counts whole seconds from the time of sending.
        world.spawn(Owner::Cloud, world.within(0, 999), async move {
            queue::send(&there, message, message.delay_ms(there.timestamp()));
        });
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
        let most_ms = (DECISIONS * 3 / 2 + 1) * step_ms + silence_ms;
        loop {
            let course = self.world.draw(Course::draw);
            let age_ms = self.world.within(0, most_ms);
            let end_ms = match course.silent {
                Some(turn) => i64::from(turn) * step_ms + silence_ms,
                // The last decision is to resign.
                None => i64::from(course.turns + 1) * step_ms,
            };
            if age_ms < end_ms {
                return (course, age_ms);
            }
        }
    }
}
