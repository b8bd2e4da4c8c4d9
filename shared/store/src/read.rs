//! Reads: items by key, and lists by index.

use std::collections::HashMap;

use arena::pairing::Ticket;
use arena::{Agent, AgentName, Division, Game, GameId, Header, Player, Standing, Timestamp};
use aws_sdk_dynamodb::operation::transact_get_items::TransactGetItemsError;
use aws_sdk_dynamodb::types::{Get, KeysAndAttributes, ReturnConsumedCapacity, TransactGetItem};
use renju::BySeat;

use crate::codec::{self, Item, text};
use crate::{Fault, Store, retry};

/// The most items of one call.
const BATCH_MAX: usize = 100;

/// How often keys that DynamoDB left out are asked for again.
const LEFT_OUT_MAX: u32 = 5;

/// The tickets that are listed in a division.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tickets {
    /// Those that are good.
    pub waiting: Vec<Ticket>,
    /// The agents whose ticket has run out but is still listed. Somebody should let them leave.
    pub lapsed: Vec<AgentName>,
}

impl Store {
    /// An agent, as it is now.
    pub async fn agent(&self, name: &AgentName) -> Result<Option<Agent>, Fault> {
        let key = codec::agent::key(name);
        let item = self.get("agent", &self.config().agents_table, key, true).await?;
        item.as_ref().map(codec::agent::decode).transpose().map_err(Fault::undecodable("agent"))
    }

    /// An agent and its standings, in one read that may be a moment old.
    pub async fn profile(
        &self,
        name: &AgentName,
    ) -> Result<Option<(Agent, Vec<(Division, Standing)>)>, Fault> {
        // One page holds it all: an agent has one item, and one of under 1 KB for each division.
        let output = self
            .dynamodb()
            .query()
            .table_name(&self.config().agents_table)
            .key_condition_expression("pk = :name")
            .expression_attribute_values(":name", text(name.as_str()))
            .return_consumed_capacity(ReturnConsumedCapacity::Total)
            .send()
            .await
            .map_err(|error| Fault::service("profile", error))?;
        self.meter().read("profile", output.consumed_capacity());
        let (standings, agents): (Vec<&Item>, Vec<&Item>) =
            output.items().iter().partition(|item| codec::standing::is_standing(item));
        let Some(agent) = agents.first() else { return Ok(None) };
        let agent = codec::agent::decode(agent).map_err(Fault::undecodable("profile"))?;
        let standings =
            standings.into_iter().filter_map(|item| self.readable(codec::standing::decode(item)));
        Ok(Some((agent, standings.collect())))
    }

    /// An agent's standing in a division, as it is now; a newcomer's if it has not played there.
    pub async fn standing(&self, agent: &AgentName, division: Division) -> Result<Standing, Fault> {
        let key = codec::standing::key(agent, division);
        let item = self.get("standing", &self.config().agents_table, key, true).await?;
        decode_standing(item.as_ref())
    }

    /// The standings of a game's players in its division, as they are now. A house bot has none,
    /// and none is asked for.
    pub(crate) async fn standings(&self, game: &Header) -> Result<BySeat<Standing>, Fault> {
        let players = game.players.as_ref();
        let agents = [players.first, players.second].into_iter();
        let keys = agents
            .filter(|player| player.house().is_none())
            .map(|player| codec::standing::key(&player.name, game.division))
            .collect();
        let items = self.get_all("standing", &self.config().agents_table, keys, true).await?;
        let of = |player: &Player| {
            let name = text(player.name.as_str());
            decode_standing(items.iter().find(|item| item.get("pk") == Some(&name)))
        };
        Ok(BySeat { first: of(players.first)?, second: of(players.second)? })
    }

    /// A game; it may be a moment old, and costs half as much for that.
    pub async fn game(&self, id: GameId) -> Result<Option<Game>, Fault> {
        let game = self.read_game("game", id, false).await?;
        Ok(game.map(|(game, _)| game))
    }

    /// A game, as it is now.
    pub async fn game_now(&self, id: GameId) -> Result<Option<Game>, Fault> {
        let game = self.read_game("game_now", id, true).await?;
        Ok(game.map(|(game, _)| game))
    }

    /// A game, as it is now, and the link its chain of timers is at.
    pub async fn armed_game(&self, id: GameId) -> Result<Option<(Game, Option<Timestamp>)>, Fault> {
        self.read_game("game_now", id, true).await
    }

    /// The game an agent was last seated in, as it is now; `None` if that game no longer exists.
    ///
    /// Agent and game are written by one transaction, but two reads beside it may see half of it: a
    /// game that is not there yet. So before it is taken to be gone, both are read as one.
    pub async fn last_game(&self, agent: &Agent) -> Result<Option<Game>, Fault> {
        let Some(id) = agent.game else { return Ok(None) };
        if let Some(game) = self.game_now(id).await? {
            return Ok(Some(game));
        }
        let (agent_now, game) = self.agent_and_game(&agent.name, id).await?;
        match agent_now {
            Some(now) if game.is_none() && now.game != Some(id) => {
                Err(Fault::contention("last_game"))
            }
            _ => Ok(game),
        }
    }

    async fn agent_and_game(
        &self,
        name: &AgentName,
        id: GameId,
    ) -> Result<(Option<Agent>, Option<Game>), Fault> {
        const DOING: &str = "last_game";
        let get = |table: &str, key| {
            let get = Get::builder().table_name(table).set_key(Some(key)).build();
            TransactGetItem::builder().get(get.expect("a get has a table and a key")).build()
        };
        let output = self
            .dynamodb()
            .transact_get_items()
            .transact_items(get(&self.config().agents_table, codec::agent::key(name)))
            .transact_items(get(&self.config().games_table, codec::game::key(id)))
            .return_consumed_capacity(ReturnConsumedCapacity::Total)
            .send()
            .await
            .map_err(|error| match error.as_service_error() {
                Some(TransactGetItemsError::TransactionCanceledException(_)) => {
                    Fault::contention(DOING)
                }
                _ => Fault::service(DOING, error),
            })?;
        for capacity in output.consumed_capacity() {
            self.meter().read(DOING, Some(capacity));
        }
        let [agent, game] = output.responses() else {
            return Err(Fault::reply(DOING, "two items"));
        };
        let undecodable = Fault::undecodable(DOING);
        let agent = agent.item().map(codec::agent::decode).transpose().map_err(&undecodable)?;
        let game = game.item().map(codec::game::decode).transpose().map_err(&undecodable)?;
        Ok((agent, game.map(|(game, _)| game)))
    }

    async fn read_game(
        &self,
        operation: &'static str,
        id: GameId,
        strong: bool,
    ) -> Result<Option<(Game, Option<Timestamp>)>, Fault> {
        let key = codec::game::key(id);
        let item = self.get(operation, &self.config().games_table, key, strong).await?;
        item.as_ref().map(codec::game::decode).transpose().map_err(Fault::undecodable(operation))
    }

    /// These games in this order, without those that do not exist or cannot be read. They may be a
    /// moment old.
    pub async fn games(&self, ids: &[GameId]) -> Result<Vec<Game>, Fault> {
        // A call may not name a key twice.
        let mut distinct = ids.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let keys = distinct.into_iter().map(codec::game::key).collect();
        let items = self.get_all("games", &self.config().games_table, keys, false).await?;
        let mut games = HashMap::with_capacity(items.len());
        for (game, _) in items.iter().filter_map(|item| self.readable(codec::game::decode(item))) {
            games.insert(game.id(), game);
        }
        Ok(ids.iter().filter_map(|id| games.get(id).cloned()).collect())
    }

    /// These games, without those that do not exist or cannot be read, each with the link its chain of
    /// timers is at. They may be a moment old; what is done about one is written on condition. In no
    /// particular order.
    pub async fn armed_games(
        &self,
        ids: &[GameId],
    ) -> Result<Vec<(Game, Option<Timestamp>)>, Fault> {
        let keys = ids.iter().copied().map(codec::game::key).collect();
        let items = self.get_all("sweep", &self.config().games_table, keys, false).await?;
        Ok(items.iter().filter_map(|item| self.readable(codec::game::decode(item))).collect())
    }

    /// The tickets in a division, without those that cannot be read. They may be a moment old.
    pub async fn tickets(&self, division: Division, now: Timestamp) -> Result<Tickets, Fault> {
        let mut tickets = Tickets::default();
        for shard in 0..self.config().shards.max(1) {
            let mut start = None;
            loop {
                let output = self
                    .dynamodb()
                    .query()
                    .table_name(&self.config().agents_table)
                    .index_name("pool")
                    .key_condition_expression("qp = :pool")
                    .expression_attribute_values(
                        ":pool",
                        text(codec::agent::pool_key(division, shard)),
                    )
                    .set_exclusive_start_key(start)
                    .return_consumed_capacity(ReturnConsumedCapacity::Total)
                    .send()
                    .await
                    .map_err(|error| Fault::service("waiting", error))?;
                self.meter().read("waiting", output.consumed_capacity());
                for item in output.items() {
                    match self.readable(codec::agent::decode_ticket(item)) {
                        Some((ticket, until)) if now <= until => tickets.waiting.push(ticket),
                        Some((ticket, _)) => tickets.lapsed.push(ticket.name),
                        None => {}
                    }
                }
                start = output.last_evaluated_key;
                if start.is_none() {
                    break;
                }
            }
        }
        Ok(tickets)
    }

    pub(crate) async fn get(
        &self,
        operation: &'static str,
        table: &str,
        key: Item,
        strong: bool,
    ) -> Result<Option<Item>, Fault> {
        let output = self
            .dynamodb()
            .get_item()
            .table_name(table)
            .set_key(Some(key))
            .consistent_read(strong)
            .return_consumed_capacity(ReturnConsumedCapacity::Total)
            .send()
            .await
            .map_err(|error| Fault::service(operation, error))?;
        self.meter().read(operation, output.consumed_capacity());
        Ok(output.item)
    }

    /// The items with these keys, in any order, without those that do not exist.
    async fn get_all(
        &self,
        operation: &'static str,
        table: &str,
        keys: Vec<Item>,
        strong: bool,
    ) -> Result<Vec<Item>, Fault> {
        let mut items = Vec::with_capacity(keys.len());
        for batch in keys.chunks(BATCH_MAX) {
            let mut keys = batch.to_vec();
            for attempt in 0.. {
                let wanted = KeysAndAttributes::builder()
                    .set_keys(Some(keys))
                    .consistent_read(strong)
                    .build()
                    .expect("a batch has keys");
                let output = self
                    .dynamodb()
                    .batch_get_item()
                    .request_items(table, wanted)
                    .return_consumed_capacity(ReturnConsumedCapacity::Total)
                    .send()
                    .await
                    .map_err(|error| Fault::service(operation, error))?;
                self.meter().read(operation, output.consumed_capacity());
                items
                    .extend(output.responses.unwrap_or_default().remove(table).unwrap_or_default());
                let left = output.unprocessed_keys.unwrap_or_default().remove(table);
                keys = left.map(|left| left.keys).unwrap_or_default();
                if keys.is_empty() {
                    break;
                }
                if attempt == LEFT_OUT_MAX {
                    return Err(Fault::contention(operation));
                }
                retry::pause(attempt).await;
            }
        }
        Ok(items)
    }
}

fn decode_standing(item: Option<&Item>) -> Result<Standing, Fault> {
    match item {
        None => Ok(Standing::NEW),
        Some(item) => codec::standing::decode(item)
            .map(|(_, standing)| standing)
            .map_err(Fault::undecodable("standing")),
    }
}
