//! A fresh arena for one test, and those who talk to it.

mod act;
mod agent;
mod client;
mod conform;
mod fault;
#[cfg(feature = "localstack")]
mod localstack;
mod r#match;
mod probe;
mod process;
mod server;
mod socket;
mod upstream;

pub use act::{Act, offer, place, resign, swap};
pub use agent::Agent;
pub use client::{Call, Client, Reply};
pub use fault::{Faults, Trouble};
#[cfg(feature = "localstack")]
pub use localstack::localstack;
pub use r#match::{Match, turn};
pub use process::Process;
use server::Server;
pub use server::only_embedded;
pub use socket::{FrontEnd, duel_request};

use std::io;
use std::net::Ipv4Addr;
use std::path::Path;
use std::time::Duration;

use arena::{Division, Game, Join, Message, Opponent, Pace, Pool, Timestamp, Wanted};
use arena_lambda::{Context, Front, Pepper, Settings, Waits, handle_batch};
use arena_local::{Arena, Limits, Options, Requests, Stack};
use arena_protocol::{Backend, Commit, Read, commit};
use arena_store::{Access, Audit, Store, message};
use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent, SqsMessage};
use renju::Ruleset;
use serde_json::Value;

/// Settings of an arena; a test names those that it wants to be different.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Time for one decision; the pools' own if `None`.
    pub turn_ms: Option<u32>,
    /// Time after a deadline until the clock may end a game.
    pub grace_ms: i64,
    pub budget_turns: u32,
    pub counted_per_day: u8,
    /// Time for which lists are kept; 0, so that tests see each change.
    pub lists_ms: u64,
    pub wait_ms_max: i64,
    pub registrations_per_hour: u32,
    pub requests_per_second: u32,
    /// Time that an agent waits before a house bot will do; no house bots if `None`.
    pub house_after_ms: Option<i64>,
    /// True if messages reach the referee and the house. The sweep works through messages too.
    pub messages: bool,
    /// Time between two decisions of an exhibition.
    pub exhibition: Option<Duration>,
    pub limits: Limits,
    pub waits: Waits,
    pub front: Option<Front>,
    pub public_url: Option<String>,
}

/// A test's agents may be many on a machine that is slow: none of them is refused.
const CROWD: Requests =
    Requests { all: 1_000, each: 1_000, patience: Duration::from_secs(60), ..Requests::STANDARD };

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            turn_ms: None,
            grace_ms: 200,
            budget_turns: Pace::STANDARD.budget_turns,
            counted_per_day: Pace::STANDARD.counted_per_day,
            lists_ms: 0,
            wait_ms_max: 10_000,
            registrations_per_hour: 1_000_000,
            requests_per_second: 20,
            house_after_ms: None,
            messages: true,
            exhibition: None,
            limits: Limits { with_key: CROWD, without_key: CROWD, ..Limits::default() },
            waits: Waits::STANDARD,
            front: None,
            public_url: None,
        }
    }
}

/// An arena with tables of its own. [`TestArena::finish`] must be called.
#[derive(Debug)]
pub struct TestArena {
    pub client: Client,
    /// Between the functions and DynamoDB.
    pub dynamodb: Faults,
    /// Between the functions and SQS.
    pub sqs: Faults,
    access: Access,
    prefix: String,
    running: Option<(Arena, Server)>,
    store: Store,
}

impl TestArena {
    /// An arena as it would be deployed, but that the clock enforces sooner.
    pub async fn start() -> TestArena {
        TestArena::with(Setup::default()).await
    }

    /// An arena for a test of races; fails on a server whose conditional writes are not atomic.
    pub async fn start_for_races() -> TestArena {
        let arena = TestArena::start().await;
        arena.require_atomic_writes().await;
        arena
    }

    pub async fn with(setup: Setup) -> TestArena {
        let server = Server::open().await;
        let dynamodb = Faults::with(server.upstream()).await;
        let sqs = Faults::with(server.upstream()).await;
        if !setup.messages {
            sqs.always("ReceiveMessage", crate::Trouble::Nothing);
        }
        let prefix = format!("test{}", random());
        let pepper = Pepper::new(vec![7; Pepper::BYTES_MIN]).unwrap();
        let options = Options {
            listen: (Ipv4Addr::LOCALHOST, 0).into(),
            pace: Pace {
                turn_ms: setup.turn_ms,
                grace_ms: setup.grace_ms,
                house_after_ms: setup.house_after_ms,
                budget_turns: setup.budget_turns,
                counted_per_day: setup.counted_per_day,
                ..Pace::STANDARD
            },
            settings: Settings {
                wait_ms_max: setup.wait_ms_max,
                waits: setup.waits,
                lists_ms: setup.lists_ms,
                registrations_per_hour: setup.registrations_per_hour,
                requests_per_second: setup.requests_per_second,
                front: setup.front,
                public_url: setup.public_url,
                ..Settings::standard(pepper)
            },
            sweep_every: Duration::from_secs(3_600),
            duel: None,
            exhibition: setup.exhibition,
            limits: setup.limits,
        };
        let proxied = Access::local(dynamodb.url(), sqs.url());
        let arena = Arena::start_on(&proxied, &prefix, options).await.expect("an arena starts");
        let access = server.access();
        let store = Store::new(&access, arena.context().store.config().clone());
        let client = Client::new(&format!("http://{}", arena.address()));
        let running = Some((arena, server));
        TestArena { client, dynamodb, sqs, access, prefix, running, store }
    }

    /// Fails loudly on a server whose conditional writes are not atomic.
    pub async fn require_atomic_writes(&self) {
        probe::require_atomic_writes(&self.access, &self.prefix).await;
    }

    /// The context that the functions share.
    pub fn context(&self) -> &Context {
        let (arena, _) = self.running.as_ref().expect("the arena runs until it is finished");
        arena.context()
    }

    /// The tables, past all faults.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// A game as it stands in its table.
    pub async fn stored(&self, id: &str) -> Game {
        let stored = self.store.game(id.parse().unwrap(), Read::Strong).await.unwrap();
        stored.expect("the game is stored").game
    }

    /// The services, past all faults.
    pub fn access(&self) -> &Access {
        &self.access
    }

    pub async fn agents<const N: usize>(&self, names: [&str; N]) -> [Agent; N] {
        let mut agents = Vec::with_capacity(N);
        for name in names {
            agents.push(Agent::register(&self.client, name).await);
        }
        agents.try_into().expect("as many as names")
    }

    /// Two new agents in a game.
    pub async fn match_up(&self, ruleset: &str, names: [&str; 2]) -> Match {
        let agents = self.agents(names).await;
        self.seat(ruleset, agents).await
    }

    /// A game between two agents that nobody else waits to play.
    pub async fn seat(&self, ruleset: &str, agents: [Agent; 2]) -> Match {
        for agent in &agents {
            agent.join(ruleset).await;
        }
        self.pair(ruleset).await;
        Match::of(agents).await
    }

    /// Joins the standard queue of a ruleset, as if this had been done then.
    pub async fn join_since(&self, agent: &Agent, ruleset: &str, since: Timestamp) {
        let division = Division { ruleset: Ruleset::find(ruleset).unwrap(), pool: Pool::Standard };
        let agent = self.store.agent(&agent.name.parse().unwrap()).await.unwrap().unwrap();
        let game = match agent.game {
            Some(id) => self.store.game(id, Read::Strong).await.unwrap().map(|stored| stored.game),
            None => None,
        };
        let standings = self.store.standings(&[&agent.name], division).await.unwrap();
        let (new, opponent) = (&standings[0], Opponent::Anyone);
        let wanted = Wanted { division, opponent, rated: true, tag: None };
        let join = agent.join(wanted, new, game.as_ref(), since).unwrap();
        let Join::Commit(plan, _) = join else { panic!("{join:?}") };
        assert_eq!(commit(&self.store, &plan).await.unwrap(), Commit::Done);
    }

    /// Pairs whoever waits, as the referee does when a join's message arrives a second later.
    pub async fn pair(&self, ruleset: &str) {
        self.deliver(&[&format!("match {ruleset}/standard 0")]).await;
    }

    /// Hands messages to the referee at once; those that must come again, by their place.
    pub async fn deliver(&self, bodies: &[&str]) -> Vec<usize> {
        failed(handle_batch(self.context().clone(), batch(bodies), arena_referee::handle).await)
    }

    /// Hands messages to the house at once; those that must come again, by their place.
    pub async fn call_house(&self, bodies: &[&str]) -> Vec<usize> {
        failed(handle_batch(self.context().clone(), batch(bodies), arena_house::handle).await)
    }

    /// Hands one message to the referee at once, as if a request of this trace had sent it.
    pub async fn deliver_traced(&self, body: &str, trace: &str) {
        let mut event = batch(&[body]);
        event.records[0].attributes.insert(message::TRACE_ATTRIBUTE.to_owned(), trace.to_owned());
        let response = handle_batch(self.context().clone(), event, arena_referee::handle).await;
        assert!(failed(response).is_empty());
    }

    /// Sends a message to the referee's queue, past all faults.
    pub async fn send(&self, body: &str) {
        let queue = &self.store.config().referee_queue_url;
        let sent = self.access.sqs().send_message().queue_url(queue).message_body(body);
        sent.send().await.expect("a message can be sent");
    }

    /// The timer's message for this game as it is now.
    pub async fn timer_of(&self, id: &str) -> String {
        let stored = self.store.game(id.parse().unwrap(), Read::Strong).await.unwrap();
        let fire: Timestamp = stored.and_then(|stored| stored.armed).expect("a live game is armed");
        message::body(&Message::Timer { game: id.parse().unwrap(), fire })
    }

    /// Games that an agent has won, lost and drawn in the standard pool of a ruleset.
    pub async fn results(&self, agent: &Agent, ruleset: &str) -> [u64; 3] {
        let profile = self.client.get(&format!("/agents/{}", agent.name)).send().await.ok();
        let ratings = profile["ratings"].as_array().cloned().unwrap_or_default();
        let rating = ratings.into_iter().find(|rating| rating["ruleset"] == ruleset);
        let count = |field: &str| rating.as_ref().map_or(Some(0), |r: &Value| r[field].as_u64());
        ["won", "lost", "drawn"].map(|field| count(field).unwrap())
    }

    /// Audits the tables while the arena runs.
    pub async fn audit(&self) -> Audit {
        let audit = self.store.audit(arena_store::now()).await.expect("the tables can be read");
        assert_eq!(audit.violations, Vec::<String>::new());
        audit
    }

    /// Stops the arena and audits its tables: nothing may be wrong.
    pub async fn finish(mut self) -> Audit {
        let (arena, server) = self.running.take().expect("an arena is finished once");
        arena.stop().await;
        let audit = self.audit().await;
        drop(server);
        audit
    }
}

impl Drop for TestArena {
    fn drop(&mut self) {
        let forgotten = self.running.is_some() && !std::thread::panicking();
        assert!(!forgotten, "a test must end with arena.finish().await, which audits the tables");
    }
}

/// Audits the tables that `arena-local` has left in a directory.
pub async fn audit_of(data: &Path) -> io::Result<Audit> {
    let stack = Stack::file(data)?;
    let store = Store::create(&stack.access(), "arena", 1, Pace::STANDARD).await;
    let audit = store.map_err(io::Error::other)?.audit(arena_store::now()).await;
    stack.stop().await;
    audit.map_err(io::Error::other)
}

/// Messages as a function is handed them.
pub fn batch(bodies: &[&str]) -> SqsEvent {
    let mut event = SqsEvent::default();
    for (index, body) in bodies.iter().enumerate() {
        let mut message = SqsMessage::default();
        message.message_id = Some(index.to_string());
        message.body = Some((*body).to_owned());
        event.records.push(message);
    }
    event
}

/// The messages that must come again, by their place in the batch.
pub fn failed(response: SqsBatchResponse) -> Vec<usize> {
    let failed = response.batch_item_failures.into_iter();
    failed.map(|failure| failure.item_identifier.parse().unwrap()).collect()
}

pub fn now_ms() -> i64 {
    arena_store::now().ms()
}

/// Waits for a condition that others bring about; fails after `seconds`.
pub async fn eventually<T, F: Future<Output = Option<T>>>(
    what: &str,
    seconds: u64,
    mut look: impl FnMut() -> F,
) -> T {
    let until = tokio::time::Instant::now() + Duration::from_secs(seconds);
    loop {
        if let Some(found) = look().await {
            return found;
        }
        assert!(tokio::time::Instant::now() < until, "{what}: not within {seconds} s");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

fn random() -> u64 {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    u64::from_le_bytes(bytes) >> 16
}
