//! Public lists: live games, finished games, leaderboards, page by page. All may be a moment old.

use std::cmp::Reverse;
use std::slice;

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
        let lists = self.by_shard(codec::game::live_key);
        self.best("live", &self.status(), lists, game_key, paging, game_id).await
    }

    /// Finished games of a ruleset, or of all, latest first.
    pub async fn finished(
        &self,
        ruleset: Option<&'static Ruleset>,
        paging: Paging,
    ) -> Result<Listing<GameId>, Fault> {
        let Listing { entries, next } = self.finished_at(ruleset, paging).await?;
        Ok(Listing { entries: entries.into_iter().map(|(_, id)| id).collect(), next })
    }

    /// The same, each with the time of its end.
    pub async fn finished_at(
        &self,
        ruleset: Option<&'static Ruleset>,
        paging: Paging,
    ) -> Result<Listing<(Timestamp, GameId)>, Fault> {
        let rulesets = ruleset.map_or(Ruleset::ALL, slice::from_ref);
        // All rulesets of a shard, then those of the next, so that more shards leave cursors as they are.
        let count = rulesets.len();
        let list = |list: u16| {
            let (shard, ruleset) = (usize::from(list) / count, usize::from(list) % count);
            codec::game::over_key(&rulesets[ruleset], shard as u8)
        };
        let lists = u16::from(self.shards()) * count as u16;
        let entry = |item: &Item| Ok((Reader(item).time(LISTED_AT)?, game_id(item)?));
        self.best("finished", &self.status(), (lists, list), game_key, paging, entry).await
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
        let lists = self.by_shard(|shard| codec::division_key(division, shard));
        let key = |name: &str| codec::standing::key_at(name, division);
        let row = |item: &Item| {
            let (_, standing) = codec::standing::decode_row(item)?;
            Ok((Reader(item).parsed(PK)?, standing))
        };
        self.best("leaderboard", &board, lists, key, paging, row).await
    }

    pub(crate) async fn list_live_games(
        &self,
        shard: u8,
        before: Timestamp,
        after: Option<LiveCursor>,
        limit: u16,
    ) -> Result<LiveGames, Fault> {
        let list = u16::from(shard);
        let cursor = |(at, id): LiveCursor| Cursor { rank: at.ms(), list, key: id.to_string() };
        let paging = Paging { limit, after: after.map(cursor) };
        let (status, partition) = (self.status(), codec::game::live_key(shard));
        let query = self
            .query(&status, partition, game_key, &paging, paging.after.as_ref())
            .key_condition_expression(format!("{LIST} = :list AND {LISTED_AT} < :start"))
            .expression_attribute_values(":start", time(before));
        let games = self.entries("live", query, (LISTED_AT, list), game_id).await?;
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

    /// The lists of all shards, by the key of each.
    fn by_shard(&self, key: impl Fn(u8) -> String) -> (u16, impl Fn(u16) -> String) {
        (u16::from(self.shards()), move |shard| key(shard as u8))
    }

    /// A page of several lists together, highest rank first: their number, and the partition of each.
    /// `key` is the primary key of an entry.
    async fn best<T>(
        &self,
        operation: &'static str,
        of: &Ranking<'_>,
        (lists, partition): (u16, impl Fn(u16) -> String),
        key: impl Fn(&str) -> Item,
        paging: Paging,
        entry: impl Fn(&Item) -> Result<T, Undecodable>,
    ) -> Result<Listing<T>, Fault> {
        let after = paging.after.as_ref();
        let pages = (0..lists).map(|list| {
            let in_list = after.filter(|after| after.list == list);
            let query = self.query(of, partition(list), &key, &paging, in_list);
            let query = match after {
                Some(after) if in_list.is_none() => {
                    // Of entries with the cursor's rank, those in earlier lists have been shown and
                    // those in later ones not.
                    let range = if list < after.list { "<" } else { "<=" };
                    let Ranking { partition, rank, .. } = of;
                    query
                        .key_condition_expression(format!(
                            "{partition} = :list AND {rank} {range} :rank"
                        ))
                        .expression_attribute_values(":rank", number(after.rank))
                }
                _ => query,
            };
            self.entries(operation, query.scan_index_forward(false), (of.rank, list), &entry)
        });
        let mut entries = try_join_all(pages).await?.into_iter().flatten().collect::<Vec<_>>();
        // Every list is in order and stays so; its next page relies on that.
        entries.sort_by_key(|(cursor, _)| (Reverse(cursor.rank), cursor.list));
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
        (rank, list): (&'static str, u16),
        entry: impl Fn(&Item) -> Result<T, Undecodable>,
    ) -> Result<Vec<(Cursor, Option<T>)>, Fault> {
        let output = query
            .return_consumed_capacity(ReturnConsumedCapacity::Total)
            .send()
            .await
            .map_err(|error| fault::service(operation, error))?;
        self.meter().read(operation, output.consumed_capacity());
        let items = output.items().iter();
        let entries = items.map(|item| Ok((cursor(item, rank, list)?, self.readable(entry(item)))));
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

fn cursor(item: &Item, rank: &'static str, list: u16) -> Result<Cursor, Undecodable> {
    let reader = Reader(item);
    Ok(Cursor { rank: reader.number(rank)?, list, key: reader.text(PK)?.to_owned() })
}

fn cut<T>(mut entries: Vec<(Cursor, Option<T>)>, paging: &Paging) -> Listing<T> {
    let is_last = entries.len() <= paging.size();
    entries.truncate(paging.size());
    let next = entries.last().filter(|_| !is_last).map(|(cursor, _)| cursor.clone());
    Listing { entries: entries.into_iter().filter_map(|(_, entry)| entry).collect(), next }
}
