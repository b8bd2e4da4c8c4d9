//! Public lists: live games, finished games, leaderboards, page by page. All may be a moment old.

use std::cmp::Reverse;

use arena::{AgentName, Division, GameId, Standing, Timestamp};
use arena_protocol::{Backend, Fault, LiveCursor, LiveGames};
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::types::ReturnConsumedCapacity;
use futures_util::future::try_join_all;
use renju::Ruleset;

use crate::codec::game::{LIST, LISTED_AT};
use crate::codec::standing::{BOARD, RANK};
use crate::codec::{self, Item, PK, Reader, Undecodable, number, text, time};
use crate::{Cursor, Listing, Paging, Store, fault};

/// An index of a list: entries by rank, in shards.
struct Ranking<'a> {
    table: &'a str,
    index: &'static str,
    partition: &'static str,
    rank: &'static str,
}

impl Store {
    /// Games in progress, newest first.
    pub async fn live(&self, paging: Paging) -> Result<Listing<GameId>, Fault> {
        self.best("live", &self.status(), codec::game::live_key, game_key, paging, game_id).await
    }

    /// Finished games of a ruleset, latest first.
    pub async fn finished(
        &self,
        ruleset: &'static Ruleset,
        paging: Paging,
    ) -> Result<Listing<GameId>, Fault> {
        let list = |shard| codec::game::over_key(ruleset, shard);
        self.best("finished", &self.status(), list, game_key, paging, game_id).await
    }

    /// A division's standings, best first, by the lower bound of the rating. Each lacks its latest
    /// games.
    pub async fn leaderboard(
        &self,
        division: Division,
        paging: Paging,
    ) -> Result<Listing<(AgentName, Standing)>, Fault> {
        let board = Ranking {
            table: &self.config().agents_table,
            index: "board",
            partition: BOARD,
            rank: RANK,
        };
        let list = |shard| codec::division_key(division, shard);
        let key = |name: &str| codec::standing::key_at(name, division);
        let row = |item: &Item| {
            let (_, standing) = codec::standing::decode_row(item)?;
            Ok((Reader(item).parsed(PK)?, standing))
        };
        self.best("leaderboard", &board, list, key, paging, row).await
    }

    pub(crate) async fn list_live_games(
        &self,
        shard: u8,
        before: Timestamp,
        after: Option<LiveCursor>,
        limit: u16,
    ) -> Result<LiveGames, Fault> {
        let cursor = |(at, id): LiveCursor| Cursor { rank: at.ms(), shard, key: id.to_string() };
        let paging = Paging { limit, after: after.map(cursor) };
        let (status, list) = (self.status(), codec::game::live_key(shard));
        let query = self
            .query(&status, list, game_key, &paging, paging.after.as_ref())
            .key_condition_expression(format!("{LIST} = :list AND {LISTED_AT} < :start"))
            .expression_attribute_values(":start", time(before));
        let games = self.entries("live", query, (LISTED_AT, shard), game_id).await?;
        let places = games.into_iter().map(|(cursor, id)| {
            let place = id.map(|id| (Timestamp::from_ms(cursor.rank), id));
            (cursor, place)
        });
        let listing = cut(places.collect(), &paging);
        // A position is named by a game's id, so a key that is not one cannot be named.
        let next = listing.next.and(listing.entries.last().copied());
        Ok(LiveGames { games: listing.entries.into_iter().map(|(_, id)| id).collect(), next })
    }

    /// The index of live and finished games.
    fn status(&self) -> Ranking<'_> {
        let table = &self.config().games_table;
        Ranking { table, index: "status", partition: LIST, rank: LISTED_AT }
    }

    /// A page of a list over all shards, highest rank first. `key` is the primary key of an entry.
    async fn best<T>(
        &self,
        operation: &'static str,
        of: &Ranking<'_>,
        list: impl Fn(u8) -> String,
        key: impl Fn(&str) -> Item,
        paging: Paging,
        entry: impl Fn(&Item) -> Result<T, Undecodable>,
    ) -> Result<Listing<T>, Fault> {
        let after = paging.after.as_ref();
        let shards = (0..self.shards()).map(|shard| {
            let in_shard = after.filter(|after| after.shard == shard);
            let query = self.query(of, list(shard), &key, &paging, in_shard);
            let query = match after {
                Some(after) if in_shard.is_none() => {
                    // Of entries with the cursor's rank, those in earlier shards have been listed
                    // and those in later ones not.
                    let range = if shard < after.shard { "<" } else { "<=" };
                    let Ranking { partition, rank, .. } = of;
                    query
                        .key_condition_expression(format!(
                            "{partition} = :list AND {rank} {range} :rank"
                        ))
                        .expression_attribute_values(":rank", number(after.rank))
                }
                _ => query,
            };
            self.entries(operation, query.scan_index_forward(false), (of.rank, shard), &entry)
        });
        let mut entries = try_join_all(shards).await?.into_iter().flatten().collect::<Vec<_>>();
        // Every shard is in order and stays so; its next page relies on that.
        entries.sort_by_key(|(cursor, _)| (Reverse(cursor.rank), cursor.shard));
        Ok(cut(entries, &paging))
    }

    /// Reads one key of an index, from the end of the page before.
    fn query(
        &self,
        of: &Ranking<'_>,
        list: String,
        key: impl Fn(&str) -> Item,
        paging: &Paging,
        after: Option<&Cursor>,
    ) -> QueryFluentBuilder {
        let list = text(list);
        let start = after.map(|after| {
            let mut start = key(&after.key);
            start.insert(of.partition.to_owned(), list.clone());
            start.insert(of.rank.to_owned(), number(after.rank));
            start
        });
        self.dynamodb()
            .query()
            .table_name(of.table)
            .index_name(of.index)
            .key_condition_expression(format!("{} = :list", of.partition))
            .expression_attribute_values(":list", list)
            .limit(asked(paging))
            .set_exclusive_start_key(start)
    }

    /// The entries of a list, each with its cursor; `None` for one that cannot be decoded.
    async fn entries<T>(
        &self,
        operation: &'static str,
        query: QueryFluentBuilder,
        (rank, shard): (&'static str, u8),
        entry: impl Fn(&Item) -> Result<T, Undecodable>,
    ) -> Result<Vec<(Cursor, Option<T>)>, Fault> {
        let output = query
            .return_consumed_capacity(ReturnConsumedCapacity::Total)
            .send()
            .await
            .map_err(|error| fault::service(operation, error))?;
        self.meter().read(operation, output.consumed_capacity());
        let items = output.items().iter();
        let entries =
            items.map(|item| Ok((cursor(item, rank, shard)?, self.readable(entry(item)))));
        // A listed item has the attributes it is listed by.
        entries.collect::<Result<_, _>>().map_err(fault::undecodable(operation))
    }
}

/// One more than the page holds, to know if there is another page.
fn asked(paging: &Paging) -> i32 {
    paging.size() as i32 + 1
}

/// The primary key of a game whose id need not be one: a position in an index.
fn game_key(id: &str) -> Item {
    Item::from([(PK.to_owned(), text(id))])
}

fn game_id(item: &Item) -> Result<GameId, Undecodable> {
    Reader(item).parsed(PK)
}

fn cursor(item: &Item, rank: &'static str, shard: u8) -> Result<Cursor, Undecodable> {
    let reader = Reader(item);
    Ok(Cursor { rank: reader.number(rank)?, shard, key: reader.text(PK)?.to_owned() })
}

fn cut<T>(mut entries: Vec<(Cursor, Option<T>)>, paging: &Paging) -> Listing<T> {
    let is_last = entries.len() <= paging.size();
    entries.truncate(paging.size());
    let next = entries.last().filter(|_| !is_last).map(|(cursor, _)| cursor.clone());
    Listing { entries: entries.into_iter().filter_map(|(_, entry)| entry).collect(), next }
}
