//! Agents and games for the functions to work on.

use std::io;

use arena::{Agent, Division, Game, GameId, Header, Plan, Player, Pool, Rating, TicketId, Write};
use arena_http::{ApiKey, now};
use arena_local::Stack;
use arena_store::{Access, Config, Store};
use renju::{BySeat, Ruleset};

use crate::dynamodb::DynamoDb;

/// So many that none of their keys asks too often.
const GAMES: usize = 250;

/// An arena in which games have just begun.
pub(crate) struct Stage {
    /// Each game and the key of the player to act.
    pub(crate) games: Vec<(GameId, ApiKey)>,
    /// Answers in the emulator's stead.
    pub(crate) dynamodb: DynamoDb,
    pub(crate) config: Config,
    _stack: Stack,
}

impl Stage {
    pub(crate) async fn set() -> io::Result<Stage> {
        let stack = Stack::memory().await?;
        let access = Access::local(stack.dynamodb(), stack.sqs());
        let store = Store::create(&access, "coldstart", 1).await.map_err(io::Error::other)?;
        let mut games = Vec::with_capacity(GAMES);
        for number in 0..GAMES {
            games.push(seat(&store, number).await?);
        }
        let dynamodb = DynamoDb::before(stack.dynamodb()).await?;
        Ok(Stage { games, dynamodb, config: store.config().clone(), _stack: stack })
    }
}

/// Two agents at a game, written by the store itself.
async fn seat(store: &Store, number: usize) -> io::Result<(GameId, ApiKey)> {
    let mut writes = Vec::new();
    let mut player = |word: &str| -> io::Result<(Player, TicketId, ApiKey)> {
        let name: arena::AgentName =
            format!("{word}-{number}").parse().map_err(io::Error::other)?;
        let key = ApiKey::random(&name).map_err(io::Error::other)?;
        let agent = Agent::register(name.clone(), key.hash(), now());
        writes.push(Write::Register(Box::new(agent)));
        let player = Player { name: name.clone(), key: key.hash().digest(), rating: Rating::NEW };
        Ok((player, TicketId { agent: name, epoch: 1 }, key))
    };
    let (first, one, key) = player("first")?;
    let (second, other, _) = player("second")?;
    let ruleset = Ruleset::find("renju_taraguchi10_international").map_err(io::Error::other)?;
    let division = Division { ruleset, pool: Pool::Slow };
    let header = Header {
        id: GameId::of(&one, &other),
        division,
        turn_ms: division.pool.turn_ms(),
        players: BySeat { first, second },
        created: now(),
    };
    let id = Game::start(header.clone()).id();
    let armed = now().plus(i64::from(division.pool.turn_ms()));
    writes.push(Write::Create { header: Box::new(header), armed });
    for write in writes {
        let plan = Plan { bells: Vec::new(), writes: vec![write] };
        store.commit(&plan, now()).await.map_err(io::Error::other)?;
    }
    Ok((id, key))
}
