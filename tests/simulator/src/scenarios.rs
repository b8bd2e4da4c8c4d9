//! The scenarios whose schedules are all run.

#![allow(missing_docs, reason = "the names say it")]

use std::rc::Rc;

use arena::{
    Actor, Agent, Division, Game, GameId, HouseLevel, Intent, Join, Message, Opponent, Plan, Pool,
    Ruling, Standing, Submission, Tag, Timestamp, Wanted, Write, progress, seating, timer,
};
use arena_protocol::{
    Caller, ban, delete, handle, leave, place, register, reset_key, revoke, rotate, rule, unban,
};
use renju::{BySeat, Play, Ruleset};

use crate::agents::{Client, decide_in, joined, poll};
use crate::faults::Fault;
use crate::process::{game_bit, set};
use crate::queue::act;
use crate::small::{Scenario, start};
use crate::tables::View;
use crate::world::{Footprint, World};

pub const SCENARIOS: &[Scenario] = &[
    scenario("two_moves_race", 2, CALLS, two_moves_race),
    scenario("move_against_timeout", 2, CALLS, move_against_timeout),
    scenario("sweep_while_games_end", 1, SWEEP, sweep_pages),
    scenario("join_leave_match", 2, QUEUE, join_leave_match),
    scenario("two_matchmakers_three_tickets", 3, QUEUE, two_matchmakers_three_tickets),
    scenario("last_move_repeated", 2, CALLS, last_move_repeated),
    scenario("end_and_join", 3, TORN, end_and_join),
    scenario("timer_chain", 2, MESSAGES, timer_chain),
    scenario("house_bot_called_twice", 3, CALLS, house_called_twice),
    scenario("key_rotated_in_mid_game", 3, CALLS, key_rotated),
    scenario("key_rotated_while_seated", 4, TORN, rotate_and_seat),
    scenario("one_name_two_agents", 3, CALLS, one_name),
    scenario("ticket_prolonged_or_lapsed", 1, QUEUE, lapse),
    scenario("player_banned_in_mid_game", 1, CALLS, ban_and_move),
    scenario("banned_while_seated", 2, TORN, ban_and_seat),
    scenario("deleted_while_its_game_ends", 2, TORN, delete_and_end),
    scenario("game_ended_by_an_operator", 1, CALLS, rule_and_move),
    scenario("key_reset_while_banned", 1, CALLS, reset_and_ban),
];

const fn scenario(
    name: &'static str,
    faults_max: u32,
    faults: &'static [Fault],
    set: fn(&mut Scene),
) -> Scenario {
    Scenario { name, faults_max, faults, set }
}

const CALLS: &[Fault] =
    &[Fault::Crash, Fault::Throttled, Fault::Ambiguous, Fault::StaleRead, Fault::Conflict];
const QUEUE: &[Fault] =
    &[Fault::Crash, Fault::Throttled, Fault::Ambiguous, Fault::IndexLag, Fault::Conflict];
const TORN: &[Fault] = &[Fault::Crash, Fault::HalfSeen, Fault::Ambiguous, Fault::Conflict];
const MESSAGES: &[Fault] =
    &[Fault::Crash, Fault::Throttled, Fault::MessageLost, Fault::MessageDoubled, Fault::IndexLag];
/// The sweep has too many schedules with doubled messages and old indexes.
const SWEEP: &[Fault] = &[Fault::Crash, Fault::Throttled, Fault::MessageLost];

/// Five in a row for the first seat, except for its last stone.
const ALMOST: &str = "h8 a1 i8 a3 j8 a5 k8 a7";
const LAST: &str = "l8";

/// A scenario being set up: its writes happen before the first choice.
pub(crate) struct Scene {
    world: Rc<World>,
    division: Division,
    clients: Vec<Rc<Client>>,
}

impl Scene {
    pub(crate) fn new(world: &Rc<World>) -> Scene {
        let ruleset = Ruleset::find("gomoku_freestyle").expect("a ruleset");
        let division = Division { ruleset, pool: Pool::Fast };
        world.division.set(Some(division));
        Scene { world: world.clone(), division, clients: Vec::new() }
    }

    fn now(&self) -> Timestamp {
        self.world.timestamp()
    }

    /// An agent that is not registered yet.
    fn stranger(&mut self) -> Rc<Client> {
        let client = Rc::new(Client::new(self.clients.len(), None, vec![self.division]));
        self.clients.push(client.clone());
        client
    }

    fn registered(&mut self) -> Rc<Client> {
        let client = self.stranger();
        let Caller { name, key } = client.caller();
        let write = Write::Register(Box::new(Agent::register(name, key, self.now())));
        set(&self.world, &Plan { messages: Vec::new(), writes: vec![write] });
        client
    }

    fn waiting(&mut self) -> Rc<Client> {
        self.waiting_for(Opponent::Agents)
    }

    fn waiting_for(&mut self, opponent: Opponent) -> Rc<Client> {
        let client = self.registered();
        let tag = Some(client.new_tag());
        let wanted = Wanted { division: self.division, opponent, rated: true, tag };
        let joined = self.agent(&client).join(wanted, &Standing::NEW, None, self.now());
        let Ok(Join::Commit(plan, _)) = joined else { panic!("a newcomer may join") };
        set(&self.world, &plan);
        client
    }

    fn agent(&self, client: &Client) -> Agent {
        let agent = self.world.tables.borrow().agent(&client.name, View::Latest);
        (*agent.expect("it is registered")).clone()
    }

    fn game(&self, id: GameId) -> Game {
        let stored = self.world.tables.borrow().game(id, View::Latest);
        stored.expect("it was started").game.clone()
    }

    /// Two agents in a game; the one in the first seat comes first.
    fn seated(&mut self) -> (Rc<Client>, Rc<Client>, GameId) {
        let (first, second) = (self.waiting(), self.waiting());
        let agents = (self.agent(&first), self.agent(&second));
        let players = BySeat { first: &agents.0, second: &agents.1 };
        let plan = seating::seat(players, self.division, self.now(), &self.world.pace);
        let plan = plan.expect("both wait");
        set(&self.world, &plan);
        let id = self.agent(&first).game.expect("it was seated");
        (first, second, id)
    }

    fn seated_with_house(&mut self) -> (Rc<Client>, GameId) {
        let level = HouseLevel::ALL[3];
        let client = self.waiting_for(Opponent::House(level));
        let agent = self.agent(&client);
        let plan = seating::seat_with_house(&agent, self.division, self.now(), &self.world.pace);
        set(&self.world, &plan.expect("it waits for a house bot"));
        let id = self.agent(&client).game.expect("it was seated");
        (client, id)
    }

    fn played(&self, id: GameId, plays: &str) {
        for word in plays.split_whitespace() {
            let game = self.game(id);
            let seat = game.to_act().expect("the game is in progress");
            let name = &game.header().players[seat].name;
            let tag = Tag::of(name, &format!("scene {}", game.turn()));
            let play = word.parse().expect("a play");
            let submission = Submission { intent: Intent::Play(game.turn(), play), tag };
            self.world.check.borrow_mut().answers.submitted(tag, name);
            let next = game.apply(Actor::Seat(seat), submission, self.now(), &self.world.pace);
            let next = next.expect("it is legal").into_commit().expect("it is new");
            set(&self.world, &progress::advance(next, &self.world.pace));
        }
    }

    /// Sets the time to when the clock can end the game.
    fn overdue(&self, id: GameId) {
        let overdue =
            self.game(id).overdue_from(&self.world.pace).expect("the game is in progress");
        self.world.set_now(overdue.plus(1));
    }

    /// A submission of this play by an agent for the next turn.
    fn play(&self, client: &Client, id: GameId, play: &str) -> Submission {
        let play: Play = play.parse().expect("a play");
        let intent = Intent::Play(self.game(id).turn(), play);
        Submission { intent, tag: client.new_tag() }
    }

    fn submits(&self, client: &Client, id: GameId, submission: Submission) {
        self.submits_at(client, id, submission, self.now());
    }

    fn submits_at(&self, client: &Client, id: GameId, submission: Submission, at: Timestamp) {
        let caller = client.caller();
        // The submission is held from now on, and the checks of the game read that.
        let held = Footprint { reads: game_bit(id), writes: game_bit(id) };
        start(&self.world, held, |process| async move {
            let _ = decide_in(&process, id, &caller, submission, at).await;
        });
    }

    fn resigns(&self, client: &Client, id: GameId) {
        self.submits(client, id, Submission { intent: Intent::Resign, tag: client.new_tag() });
    }

    fn polls(&self, client: &Client, id: GameId) {
        let (caller, known, now) = (client.caller(), self.game(id).turn(), self.now());
        start(&self.world, Footprint::NOTHING, |process| async move {
            if let Ok(seen) = poll(&process, id, &caller, known, now).await {
                let is_back = seen.turn() < known;
                process.world.require(!is_back, "I18", || {
                    format!("{id} shows less than the known turn {known}")
                });
            }
        });
    }

    fn joins(&self, client: &Client, tag: Option<Tag>) {
        let wanted =
            Wanted { division: self.division, opponent: Opponent::Agents, rated: true, tag };
        let (caller, now) = (client.caller(), self.now());
        start(&self.world, Footprint::NOTHING, |process| async move {
            let _ = joined(&process, &caller, wanted, now).await;
        });
    }

    fn leaves(&self, client: &Client) {
        let (caller, now) = (client.caller(), self.now());
        let ticket = self.agent(client).ticket(now).map(|ticket| ticket.to_string());
        self.world.check.borrow_mut().leaving.insert(ticket.clone());
        start(&self.world, Footprint::NOTHING, |process| async move {
            let _ = leave(&process, &caller, ticket.as_deref(), now).await;
        });
    }

    fn looks_at(&self, client: &Client, now: Timestamp) {
        let caller = client.caller();
        start(&self.world, Footprint::NOTHING, |process| async move {
            let _ = place(&process, &caller, now).await;
        });
    }

    /// A message reaches the referee.
    fn hears(&self, message: Message) {
        start(&self.world, Footprint::NOTHING, |process| async move {
            let _ = handle(&process, message).await;
        });
    }

    fn matches(&self) {
        self.hears(Message::Match { division: self.division, at: self.now() });
    }

    /// Rotates the key, and then plays with the new one.
    fn rotates(&self, client: &Client, then: Option<(GameId, Submission)>) {
        let (caller, key, now) = (client.caller(), client.new_key(), self.now());
        start(&self.world, Footprint::NOTHING, |process| async move {
            if rotate(&process, &caller, key, true, now).await.is_err() {
                return;
            }
            let stored = process.world.tables.borrow().agent(&caller.name, View::Latest);
            let is_set = stored.is_some_and(|agent| agent.keys.current == key);
            process.world.require(is_set, "I20", || "no key is set".to_owned());
            let caller = Caller { key, ..caller };
            if revoke(&process, &caller, now).await.is_ok() {
                let stored = process.world.tables.borrow().agent(&caller.name, View::Latest);
                let is_gone = stored.is_some_and(|agent| agent.keys.previous.is_none());
                process.world.require(is_gone, "I20", || "the old key is still there".to_owned());
            }
            if let Some((id, submission)) = then {
                let _ = decide_in(&process, id, &caller, submission, now).await;
            }
        });
    }
}

impl Scene {
    /// An operator bans the agent; `is_final` if nobody ends the ban.
    fn is_banned(&self, client: &Client, is_final: bool) {
        let name = client.name.clone();
        start(&self.world, Footprint::NOTHING, move |process| async move {
            if ban(&process, &name, "spam").await.is_ok() && is_final {
                let agent = process.world.tables.borrow().agent(&name, View::Latest);
                let is_banned = agent.is_some_and(|agent| agent.ban.is_some());
                process.world.require(is_banned, "I20", || format!("{name} is not banned"));
            }
        });
    }

    fn is_unbanned(&self, client: &Client) {
        let name = client.name.clone();
        start(&self.world, Footprint::NOTHING, |process| async move {
            let _ = unban(&process, &name).await;
        });
    }

    /// An operator deletes the agent, and another registers its name.
    fn is_replaced(&self, client: &Client) {
        let (name, key) = (client.name.clone(), client.new_key());
        start(&self.world, Footprint::NOTHING, |process| async move {
            if delete(&process, &name).await.is_ok() {
                // Time stands still here, but not between two agents of one name.
                let agent = Agent::register(name, key, process.world.timestamp().plus(1));
                let _ = register(&process, agent, false, ("elsewhere", 1)).await;
            }
        });
    }

    fn is_ruled(&self, id: GameId, ruling: Ruling) {
        start(&self.world, Footprint::NOTHING, move |process| async move {
            if rule(&process, id, ruling).await.is_ok() {
                let stored = process.world.tables.borrow().game(id, View::Latest);
                let is_over = stored.is_some_and(|stored| stored.game.result().is_some());
                process.world.require(is_over, "I20", || format!("{id} is not over"));
            }
        });
    }
}

/// A player runs twice: two different moves for one turn, and one of them repeated.
fn two_moves_race(scene: &mut Scene) {
    let (first, _, id) = scene.seated();
    let (one, other) = (scene.play(&first, id, "h8"), scene.play(&first, id, "h9"));
    scene.submits(&first, id, one);
    scene.submits(&first, id, other);
    scene.submits(&first, id, one);
}

/// A move at the last moment, the timer, and a poll of the opponent.
fn move_against_timeout(scene: &mut Scene) {
    let (first, second, id) = scene.seated();
    scene.played(id, "h8 a1");
    let submission = scene.play(&first, id, "h9");
    let received = scene.game(id).deadline().expect("the game is in progress").plus(500);
    scene.overdue(id);
    scene.submits_at(&first, id, submission, received);
    scene.hears(Message::Timer { game: id, fire: scene.now() });
    scene.polls(&second, id);
}

/// A queued agent leaves and joins again while it is being paired.
fn join_leave_match(scene: &mut Scene) {
    let (one, _) = (scene.waiting(), scene.waiting());
    scene.world.set_now(scene.now().plus(6_000));
    scene.leaves(&one);
    scene.joins(&one, Some(one.new_tag()));
    scene.matches();
}

/// Two referees pair three tickets at the same time.
fn two_matchmakers_three_tickets(scene: &mut Scene) {
    (0..3).for_each(|_| drop(scene.waiting()));
    scene.world.set_now(scene.now().plus(61_000));
    scene.matches();
    scene.matches();
}

/// The winning move is sent again because its reply was lost, while the opponent polls.
fn last_move_repeated(scene: &mut Scene) {
    let (first, second, id) = scene.seated();
    scene.played(id, ALMOST);
    let submission = scene.play(&first, id, LAST);
    scene.submits(&first, id, submission);
    scene.submits(&first, id, submission);
    scene.polls(&second, id);
}

/// A game ends while both players join for the next one.
fn end_and_join(scene: &mut Scene) {
    let (first, second, id) = scene.seated();
    scene.played(id, ALMOST);
    scene.submits(&first, id, scene.play(&first, id, LAST));
    scene.joins(&first, Some(first.new_tag()));
    scene.joins(&second, None);
}

/// A link of the chain fires twice, and the sweep checks the same game.
fn timer_chain(scene: &mut Scene) {
    let (first, _, id) = scene.seated();
    let armed = timer::first(scene.game(id).header(), &scene.world.pace);
    // A decision in between, so that the first link is not the last.
    scene.world.set_now(scene.now().plus(50_000));
    scene.played(id, "h8");
    scene.world.set_now(armed);
    scene.hears(Message::Timer { game: id, fire: armed });
    scene.hears(Message::Timer { game: id, fire: armed });
    scene.hears(Message::SweepOn { shard: 0, after: None });
    scene.polls(&first, id);
}

/// A house bot gets two messages for one turn, while its opponent resigns.
fn house_called_twice(scene: &mut Scene) {
    let (client, id) = scene.seated_with_house();
    if scene.game(id).to_act() == scene.game(id).seat_of(&client.name) {
        scene.played(id, "h8");
    }
    let turn = scene.game(id).turn();
    for _ in 0..2 {
        start(&scene.world, Footprint::NOTHING, move |process| async move {
            let _ = act(&process, id, turn).await;
        });
    }
    scene.resigns(&client, id);
}

/// A key is replaced and revoked while the agent plays with both.
fn key_rotated(scene: &mut Scene) {
    let (first, _, id) = scene.seated();
    let (one, other) = (scene.play(&first, id, "h8"), scene.play(&first, id, "h9"));
    scene.submits(&first, id, one);
    scene.rotates(&first, Some((id, other)));
}

/// A key is replaced while its agent is being seated.
fn rotate_and_seat(scene: &mut Scene) {
    let (one, _) = (scene.waiting(), scene.waiting());
    scene.world.set_now(scene.now().plus(61_000));
    scene.rotates(&one, None);
    scene.matches();
}

/// The sweep reads two pages while games end.
fn sweep_pages(scene: &mut Scene) {
    let (first, _, one) = scene.seated();
    let (_, _, other) = scene.seated();
    scene.overdue(other);
    scene.hears(Message::SweepOn { shard: 0, after: None });
    scene.resigns(&first, one);
}

/// Two agents register the same name, and one of them repeats the request.
fn one_name(scene: &mut Scene) {
    let client = scene.stranger();
    let other = Caller { key: client.new_key(), ..client.caller() };
    let registers = |caller: Caller, is_repeatable: bool| {
        let agent = Agent::register(caller.name, caller.key, scene.now());
        start(&scene.world, Footprint::NOTHING, move |process| async move {
            let key = agent.keys.current;
            let granted = register(&process, agent, is_repeatable, ("somewhere", 1)).await;
            if let Ok(granted) = granted {
                let stored = process.world.tables.borrow().agent(&granted.agent.name, View::Latest);
                let is_theirs = stored.is_some_and(|stored| stored.keys.current == key);
                process.world.require(is_theirs, "I12", || {
                    format!("{} is granted to two", granted.agent.name)
                });
            }
        });
    };
    registers(client.caller(), true);
    registers(client.caller(), true);
    registers(other, false);
}

/// A ticket is extended at its end while the sweep removes it and its agent joins again.
fn lapse(scene: &mut Scene) {
    let one = scene.waiting();
    let until = scene.agent(&one).waiting.expect("it waits").until;
    scene.world.set_now(until.plus(1));
    scene.looks_at(&one, until);
    scene.joins(&one, Some(one.new_tag()));
    scene.hears(Message::Sweep);
}

/// A player is banned while it moves and rotates its key.
fn ban_and_move(scene: &mut Scene) {
    let (first, _, id) = scene.seated();
    scene.submits(&first, id, scene.play(&first, id, "h8"));
    scene.is_banned(&first, true);
    scene.rotates(&first, None);
}

/// An agent is banned while it is seated and joins again.
fn ban_and_seat(scene: &mut Scene) {
    let (one, _) = (scene.waiting(), scene.waiting());
    scene.world.set_now(scene.now().plus(61_000));
    scene.is_banned(&one, true);
    scene.joins(&one, Some(one.new_tag()));
    scene.matches();
}

/// An agent is deleted while its last game ends and it joins again.
fn delete_and_end(scene: &mut Scene) {
    let (first, _, id) = scene.seated();
    scene.played(id, ALMOST);
    scene.submits(&first, id, scene.play(&first, id, LAST));
    scene.is_replaced(&first);
    scene.joins(&first, Some(first.new_tag()));
}

/// Two operators end a game in different ways at its last move.
fn rule_and_move(scene: &mut Scene) {
    let (first, second, id) = scene.seated();
    scene.played(id, ALMOST);
    scene.submits(&first, id, scene.play(&first, id, LAST));
    scene.is_ruled(id, Ruling::Win(renju::Seat::Second));
    scene.is_ruled(id, Ruling::Void);
    scene.polls(&second, id);
}

/// An operator replaces a player's key while it is banned and unbanned.
fn reset_and_ban(scene: &mut Scene) {
    let (first, _, _) = scene.seated();
    scene.is_banned(&first, false);
    scene.is_unbanned(&first);
    let (name, key) = (first.name.clone(), first.new_key());
    start(&scene.world, Footprint::NOTHING, |process| async move {
        if reset_key(&process, &name, key).await.is_ok() {
            let stored = process.world.tables.borrow().agent(&name, View::Latest);
            let is_set = stored.is_some_and(|agent| agent.keys.current == key);
            process.world.require(is_set, "I20", || "no key is set".to_owned());
        }
    });
}
