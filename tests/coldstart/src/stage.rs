//! Agents and games for the functions to work on.

use std::io;

use arena::house::submission;
use arena::{
    Actor, Agent, AgentName, Division, Game, GameId, Header, HouseLevel, Pace, Plan, Player, Pool,
    Rating, TicketId, TurnNumber, Write,
};
use arena_lambda::ApiKey;
use arena_local::{Endpoint, Stack};
use arena_protocol::settle;
use arena_store::{Config, Store, now};
use renju::{BySeat, Ruleset, Seat};

use crate::dynamodb::DynamoDb;

/// So many that none of their keys asks too often.
const GAMES: usize = 250;

/// The stones in a game against a house bot, the agent's first.
const PLAYED: [&str; 3] = ["h8", "g9", "i9"];

/// An arena in which games have begun.
pub(crate) struct Stage {
    pub(crate) games: Games,
    /// Answers in the emulator's stead.
    pub(crate) dynamodb: DynamoDb,
    pub(crate) config: Config,
    _endpoint: Endpoint,
}

/// What is being played.
#[derive(Clone)]
pub(crate) struct Games {
    /// Between agents, nothing decided yet, with the key of the player to act.
    pub(crate) of_agents: Vec<(GameId, ApiKey)>,
    /// Against the house bot of each level, which is to act in this turn.
    pub(crate) of_bots: Vec<(GameId, TurnNumber)>,
}

impl Stage {
    pub(crate) async fn set() -> io::Result<Stage> {
        let stack = Stack::memory()?;
        let store = Store::create(&stack.access(), "coldstart", 1, Pace::STANDARD).await;
        let store = store.map_err(io::Error::other)?;
        let mut games = Games { of_agents: Vec::with_capacity(GAMES), of_bots: Vec::new() };
        for number in 0..GAMES {
            let (first, one, key) = register(&store, format!("first-{number}")).await?;
            let (second, other, _) = register(&store, format!("second-{number}")).await?;
            let id = GameId::of(&one, &other);
            let players = BySeat { first, second };
            seat(&store, id, "renju_taraguchi10_international", players).await?;
            games.of_agents.push((id, key));
        }
        for level in HouseLevel::ALL {
            let id = seat_bot(&store, level).await?;
            games.of_bots.push((id, TurnNumber(PLAYED.len() as u32)));
        }
        let endpoint = stack.listen().await?;
        let dynamodb = DynamoDb::before(endpoint.url()).await?;
        Ok(Stage { games, dynamodb, config: store.config().clone(), _endpoint: endpoint })
    }
}

/// A new agent, as a player, with its ticket and its key.
async fn register(store: &Store, name: String) -> io::Result<(Player, TicketId, ApiKey)> {
    let name: AgentName = name.parse().map_err(io::Error::other)?;
    let key = ApiKey::random(&name).map_err(io::Error::other)?;
    let agent = Agent::register(name.clone(), key.hash(), now());
    commit(store, Write::Register(Box::new(agent))).await?;
    let player = Player::agent(name.clone(), key.hash().digest(), Rating::NEW);
    Ok((player, TicketId { agent: name, epoch: 1 }, key))
}

/// A game, written by the store itself.
async fn seat(
    store: &Store,
    id: GameId,
    ruleset: &str,
    players: BySeat<Player>,
) -> io::Result<Game> {
    let ruleset = Ruleset::find(ruleset).map_err(io::Error::other)?;
    let division = Division { ruleset, pool: Pool::Slow };
    let turn_ms = division.pool.turn_ms();
    let (budget_ms, uncounted) = (None, None);
    let header = Header { id, division, turn_ms, budget_ms, uncounted, players, created: now() };
    let game = Game::start(header.clone());
    let armed = now().plus(i64::from(turn_ms));
    commit(store, Write::Create { header: Box::new(header), armed }).await?;
    Ok(game)
}

/// A game in which the house bot is to act, with a few stones on the board to think about.
async fn seat_bot(store: &Store, level: HouseLevel) -> io::Result<GameId> {
    let (first, ticket, _) = register(store, format!("against-{}", level.number())).await?;
    let second = Player::house_bot(level);
    let bot = TicketId { agent: second.name.clone(), epoch: 1 };
    let (id, players) = (GameId::of(&ticket, &bot), BySeat { first, second });
    let mut game = seat(store, id, "gomoku_freestyle", players).await?;
    for (point, who) in PLAYED.into_iter().zip([Seat::First, Seat::Second].into_iter().cycle()) {
        let play = point.parse().map_err(io::Error::other)?;
        let submission = submission(&game, level, play);
        let settled = settle(store, game, Actor::Seat(who), submission, now()).await;
        game = settled.map_err(|refused| io::Error::other(format!("{refused:?}")))?.game;
    }
    Ok(id)
}

async fn commit(store: &Store, write: Write) -> io::Result<()> {
    let plan = Plan { messages: Vec::new(), writes: vec![write] };
    arena_protocol::commit(store, &plan).await.map(drop).map_err(io::Error::other)
}
