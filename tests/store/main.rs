//! The store on a DynamoDB and an SQS inside this process: every plan, every failed condition,
//! every race, and what it all costs.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod agents;
mod conditions;
mod cost;
mod differential;
mod faults;
mod lists;
mod matchmaking;
mod messages;
mod pages;
mod sweep;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use arena::seating::{self, seat};
use arena::timer::{self, TimerStep};
use arena::{
    Actor, Agent, AgentName, Division, Game, GameId, Intent, Join, KeyHash, Message, Opponent,
    Pace, Plan, Pool, Rating, Rejection, Standing, Submission, Tag, Timestamp, TurnNumber, Write,
    house, pairing,
};
use arena_local::{Endpoint, Stack};
use arena_protocol::{
    Backend, Caller, Commit, Current, Read, Refused, Settled, Stored, Tickets, commit, settle,
};
use arena_store::{Access, Paging, Store, Usage, message};
use aws_sdk_dynamodb::types::AttributeValue;
use renju::{BySeat, Play, Ruleset, Seat};
use tokio::task::JoinSet;

const PACE: Pace = Pace::STANDARD;

/// House bots come after a second.
const HOUSE: Pace = Pace { house_after_ms: Some(1_000), ..PACE };

const TARAGUCHI: Division = Division { ruleset: &Ruleset::ALL[0], pool: Pool::Standard };
const FREE: Division = Division { ruleset: &Ruleset::ALL[4], pool: Pool::Fast };

struct Arena {
    stack: Arc<Stack>,
    access: Access,
    store: Store,
}

impl Arena {
    async fn start(shards: u8) -> Arena {
        Arena::with(shards, PACE).await
    }

    async fn with(shards: u8, pace: Pace) -> Arena {
        let stack = Stack::memory().unwrap();
        let access = stack.access();
        let store = Store::create(&access, "test", shards, pace).await.unwrap();
        Arena { stack: Arc::new(stack), access, store }
    }

    /// The same arena by another way.
    fn reached_by(&self, access: Access) -> Arena {
        let store = Store::new(&access, self.store.config().clone());
        Arena { stack: Arc::clone(&self.stack), access, store }
    }

    /// Nothing that cannot be, in any table or index.
    async fn audit(&self) -> arena_store::Audit {
        let audit = self.store.audit(at(0)).await.unwrap();
        assert_eq!(audit.violations, Vec::<String>::new());
        audit
    }

    async fn register(&self, agent: &str) -> Agent {
        let agent = Agent::register(name(agent), key(agent, 0), at(0));
        let plan = plan_of(Write::Register(Box::new(agent.clone())));
        assert_eq!(commit(&self.store, &plan).await.unwrap(), Commit::Done);
        agent
    }

    async fn agent(&self, agent: &str) -> Agent {
        self.store.agent(&name(agent)).await.unwrap().unwrap()
    }

    async fn stored(&self, id: GameId) -> Game {
        self.store.game(id, Read::Cheap).await.unwrap().unwrap().game
    }

    /// Overwrites an attribute of an agent's item.
    async fn set_of_agent(&self, agent: &str, attribute: &str, value: String) {
        let item = self.access.dynamodb().update_item();
        let item = item.table_name(&self.store.config().agents_table);
        item.key("pk", AttributeValue::S(agent.to_owned()))
            .key("sk", AttributeValue::S("agent".to_owned()))
            .update_expression(format!("SET {attribute} = :value"))
            .expression_attribute_values(":value", AttributeValue::S(value))
            .send()
            .await
            .unwrap();
    }

    /// A game between a new agent and a house bot that starts at this time.
    async fn game_with_house(&self, agent: &str, division: Division, now: Timestamp) -> GameId {
        self.register(agent).await;
        self.join(agent, division, now.plus(-5_000)).await;
        let agent = self.agent(agent).await;
        let plan = seating::seat_with_house(&agent, division, now, &HOUSE).unwrap();
        assert_eq!(commit(&self.store, &plan).await.unwrap(), Commit::Done);
        self.agent(agent.name.as_str()).await.game.unwrap()
    }

    async fn standing(&self, agent: &AgentName, division: Division) -> Standing {
        self.store.standings(&[agent], division).await.unwrap().remove(0)
    }

    /// As the queue function does it.
    async fn plan_join(&self, agent: &str, division: Division, now: Timestamp) -> Join {
        let agent = self.agent(agent).await;
        let standing = self.standing(&agent.name, division).await;
        let game = match agent.game {
            Some(id) => self.store.game(id, Read::Strong).await.unwrap().map(|stored| stored.game),
            None => None,
        };
        let opponent = Opponent::Anyone;
        let wanted = arena::Wanted { division, opponent, rated: true, tag: None };
        agent.join(wanted, &standing, game.as_ref(), now).unwrap()
    }

    async fn join(&self, agent: &str, division: Division, now: Timestamp) {
        let Join::Commit(plan, _) = self.plan_join(agent, division, now).await else {
            panic!("{agent} cannot join");
        };
        assert_eq!(commit(&self.store, &plan).await.unwrap(), Commit::Done);
    }

    /// As the referee does it: all who can be paired now.
    async fn pair(&self, division: Division, now: Timestamp) -> Vec<GameId> {
        let waiting = self.store.tickets(division, now).await.unwrap().waiting;
        let mut games = Vec::new();
        for (first, second) in pairing::pair(&waiting, now) {
            let first = self.agent(waiting[first].name.as_str()).await;
            let second = self.agent(waiting[second].name.as_str()).await;
            let players = BySeat { first: &first, second: &second };
            let plan = seat(players, division, now, &PACE).unwrap();
            assert_eq!(commit(&self.store, &plan).await.unwrap(), Commit::Done);
            games.push(self.agent(first.name.as_str()).await.game.unwrap());
        }
        games
    }

    /// A game between two new agents.
    async fn game(&self, agents: [&str; 2], division: Division) -> GameId {
        for agent in agents {
            self.register(agent).await;
        }
        self.next_game(agents, division, at(0)).await
    }

    async fn next_game(&self, agents: [&str; 2], division: Division, now: Timestamp) -> GameId {
        for agent in agents {
            self.join(agent, division, now).await;
        }
        let games = self.pair(division, now).await;
        assert_eq!(games.len(), 1);
        games[0]
    }

    async fn submit(
        &self,
        id: GameId,
        actor: Actor,
        submission: Submission,
        now: Timestamp,
    ) -> Result<Settled, Refused> {
        submit(&self.store, id, actor, submission, now).await
    }

    async fn resign(&self, id: GameId, seat: Seat, now: Timestamp) -> Game {
        let submission = Submission { intent: Intent::Resign, tag: tag(200) };
        self.submit(id, Actor::Seat(seat), submission, now).await.unwrap().game
    }

    /// The next decision of a long and dull game: no five, no foul.
    async fn play_on(&self, id: GameId, now: Timestamp) -> Settled {
        let game = self.stored(id).await;
        let play = arena_support::quiet_play(game.position());
        let actor = Actor::Seat(game.to_act().unwrap());
        let submission = place(game.turn(), play, game.turn().0 as u8);
        self.submit(id, actor, submission, now).await.unwrap()
    }

    /// Consumption of an operation since `before`.
    fn used(&self, before: &[(&'static str, Usage)], operation: &str) -> Usage {
        let earlier = before.iter().find(|(name, _)| *name == operation);
        self.store.meter().of(operation) - earlier.map(|(_, usage)| *usage).unwrap_or_default()
    }
}

/// As a function does it: the game is read cheaply first.
async fn submit(
    store: &Store,
    id: GameId,
    actor: Actor,
    submission: Submission,
    now: Timestamp,
) -> Result<Settled, Refused> {
    let game = arena_protocol::game(store, id).await?;
    settle(store, game, actor, submission, now).await
}

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_ms(1_760_000_000_000 + seconds * 1_000)
}

fn name(name: &str) -> AgentName {
    name.parse().unwrap()
}

fn key(agent: &str, generation: u8) -> KeyHash {
    let mut hash = [generation; 32];
    hash[..agent.len()].copy_from_slice(agent.as_bytes());
    KeyHash(hash)
}

fn tag(tag: u8) -> Tag {
    Tag([tag, 1, 2, 3, 4, 5, 6, 7])
}

fn place(turn: TurnNumber, play: Play, key: u8) -> Submission {
    Submission { intent: Intent::Play(turn, play), tag: tag(key) }
}

fn point(text: &str) -> Play {
    Play::Place(text.parse().unwrap())
}

fn plan_of(write: Write) -> Plan {
    Plan { messages: Vec::new(), writes: vec![write] }
}

fn rejection(result: Result<Settled, Refused>) -> (Rejection, Game) {
    match result {
        Err(Refused::Rejected(rejection, game, _)) => (rejection, *game),
        other => panic!("{other:?}"),
    }
}
