//! Reads: items by key, and lists by index.

use std::collections::HashMap;

use arena::{Agent, AgentName, Division, Game, GameId, Standing};
use arena_protocol::{Backend, Cause, Fault, Note};
use aws_sdk_dynamodb::operation::transact_get_items::TransactGetItemsError;
use aws_sdk_dynamodb::types::{Get, KeysAndAttributes, ReturnConsumedCapacity, TransactGetItem};
use renju::Seat;

use crate::codec::agent::POOL;
use crate::codec::{self, Item, PK, Undecodable, text};
use crate::{Store, fault};

/// Most items in one call.
const BATCH_MAX: usize = 100;

/// Number of retries for keys that DynamoDB left unprocessed.
const LEFT_OUT_MAX: u32 = 5;

/// Longest pause before the first retry; it doubles with every further one.
const PAUSE_MS: u64 = 10;

/// A game in the list of an agent.
#[allow(missing_docs, reason = "the names say it")]
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    pub seat: Seat,
    /// The game that the agent played before.
    pub previous: Option<GameId>,
    /// `None` if it cannot be decoded.
    pub game: Option<Game>,
}

impl Store {
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
            .key_condition_expression(format!("{PK} = :name"))
            .expression_attribute_values(":name", text(name.as_str()))
            .return_consumed_capacity(ReturnConsumedCapacity::Total)
            .send()
            .await
            .map_err(|error| fault::service("profile", error))?;
        self.meter().read("profile", output.consumed_capacity());
        let (standings, agents): (Vec<&Item>, Vec<&Item>) =
            output.items().iter().partition(|item| codec::standing::is_standing(item));
        let Some(agent) = agents.first() else { return Ok(None) };
        let agent = codec::agent::decode(agent).map_err(fault::undecodable("profile"))?;
        let standings =
            standings.into_iter().filter_map(|item| self.readable(codec::standing::decode(item)));
        Ok(Some((agent, standings.collect())))
    }

    /// These games in this order, without those that do not exist or cannot be decoded. They may be
    /// a moment old.
    pub async fn games_in_order(&self, ids: &[GameId]) -> Result<Vec<Game>, Fault> {
        let games = self.games(ids).await?.into_iter();
        let games: HashMap<GameId, Game> =
            games.map(|stored| (stored.game.id(), stored.game)).collect();
        Ok(ids.iter().filter_map(|id| games.get(id).cloned()).collect())
    }

    /// A game of an agent, with the link to the one before; `None` if there is no such game, or its link
    /// cannot be decoded. It may be a moment old.
    pub async fn played(&self, id: GameId, agent: &AgentName) -> Result<Option<Played>, Fault> {
        let table = &self.config().games_table;
        let mut found = self.get("played", table, codec::game::key(id), false).await?;
        if found.is_none() {
            found = self.get("played", table, codec::game::key(id), true).await?;
        }
        let Some(item) = found else { return Ok(None) };
        let link = self.readable(codec::game::link_of(&item, agent)).flatten();
        Ok(link.map(|(seat, previous)| {
            let game = self.readable(codec::game::decode(&item)).map(|stored| stored.game);
            Played { seat, previous, game }
        }))
    }

    /// An item of a list. One that cannot be decoded is noted and skipped, so that it does not hide
    /// the others.
    pub(crate) fn readable<T>(&self, item: Result<T, Undecodable>) -> Option<T> {
        item.inspect_err(|why| self.note(Note::Unreadable(why))).ok()
    }

    /// The tickets of one shard of a division, from the index.
    pub(crate) async fn waiting(&self, division: Division, shard: u8) -> Result<Vec<Item>, Fault> {
        let pool = text(codec::division_key(division, shard));
        let (mut items, mut start) = (Vec::new(), None);
        loop {
            let output = self
                .dynamodb()
                .query()
                .table_name(&self.config().agents_table)
                .index_name("pool")
                .key_condition_expression(format!("{POOL} = :pool"))
                .expression_attribute_values(":pool", pool.clone())
                .set_exclusive_start_key(start)
                .return_consumed_capacity(ReturnConsumedCapacity::Total)
                .send()
                .await
                .map_err(|error| fault::service("waiting", error))?;
            self.meter().read("waiting", output.consumed_capacity());
            items.extend(output.items.unwrap_or_default());
            start = output.last_evaluated_key;
            if start.is_none() {
                return Ok(items);
            }
        }
    }

    /// Two items, each by its table and key, as of one moment.
    pub(crate) async fn get_both(
        &self,
        operation: &'static str,
        one: (&str, Item),
        other: (&str, Item),
    ) -> Result<[Option<Item>; 2], Fault> {
        let get = |(table, key): (&str, Item)| {
            let get = Get::builder().table_name(table).set_key(Some(key)).build();
            TransactGetItem::builder().get(get.expect("a get has a table and a key")).build()
        };
        let output = self
            .dynamodb()
            .transact_get_items()
            .transact_items(get(one))
            .transact_items(get(other))
            .return_consumed_capacity(ReturnConsumedCapacity::Total)
            .send()
            .await
            .map_err(|error| match error.as_service_error() {
                Some(TransactGetItemsError::TransactionCanceledException(_)) => {
                    Fault::new(operation, Cause::Contention)
                }
                _ => fault::service(operation, error),
            })?;
        for capacity in output.consumed_capacity() {
            self.meter().read(operation, Some(capacity));
        }
        let items = output.responses.unwrap_or_default().into_iter().map(|found| found.item);
        let items: Result<[Option<Item>; 2], _> = items.collect::<Vec<_>>().try_into();
        items.map_err(|_| Fault::new(operation, Cause::Reply("two items")))
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
            .map_err(|error| fault::service(operation, error))?;
        self.meter().read(operation, output.consumed_capacity());
        Ok(output.item)
    }

    /// The items with these keys, in any order, without those that do not exist.
    pub(crate) async fn get_all(
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
                    .map_err(|error| fault::service(operation, error))?;
                self.meter().read(operation, output.consumed_capacity());
                items
                    .extend(output.responses.unwrap_or_default().remove(table).unwrap_or_default());
                let left = output.unprocessed_keys.unwrap_or_default().remove(table);
                keys = left.map(|left| left.keys).unwrap_or_default();
                if keys.is_empty() {
                    break;
                }
                if attempt == LEFT_OUT_MAX {
                    return Err(Fault::new(operation, Cause::Contention));
                }
                self.pause(PAUSE_MS << attempt).await;
            }
        }
        Ok(items)
    }
}
