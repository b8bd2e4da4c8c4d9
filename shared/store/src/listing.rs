//! Public lists: live games, finished games, leaderboards, page by page. All may be a moment old.

use std::cmp::Reverse;

use arena::{AgentName, Division, GameId, Standing, Timestamp};
use arena_protocol::{Backend, Fault, LiveCursor, LiveGames};
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::types::ReturnConsumedCapacity;
use renju::Ruleset;

use crate::codec::game::{LIST, LISTED_AT};
use crate::codec::standing::{BOARD, RANK};
use crate::codec::{self, Item, PK, Reader, Undecodable, number, text, time};
use crate::{Cursor, Listing, Paging, Store, fault};

impl Store {
    /// Games in progress, newest first.
    pub async fn live(&self, paging: Paging) -> Result<Listing<GameId>, Fault> {
        let mut games = Vec::new();
        for shard in 0..self.shards() {
            games.extend(self.game_ids("live", shard, self.live_from(shard, &paging)).await?);
        }
        // Every shard is in order and stays so; its next page relies on that.
        games.sort_by_key(|(cursor, _)| (Reverse(cursor.rank), cursor.shard));
        Ok(cut(games, &paging))
    }

    /// A shard of the live games, newest first, from the end of the page before.
    fn live_from(&self, shard: u8, paging: &Paging) -> QueryFluentBuilder {
        let after = paging.after.as_ref();
        let in_shard = after.filter(|after| after.shard == shard);
        let query = self.status(codec::game::live_key(shard), paging, in_shard);
        let query = query.scan_index_forward(false);
        match after {
            Some(after) if in_shard.is_none() => {
                // Of games with the cursor's rank, those in earlier shards have been listed and
                // those in later ones not.
                let range = if shard < after.shard { "<" } else { "<=" };
                query
                    .key_condition_expression(format!(
                        "{LIST} = :list AND {LISTED_AT} {range} :rank"
                    ))
                    .expression_attribute_values(":rank", number(after.rank))
            }
            _ => query,
        }
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
        let query = self
            .status(codec::game::live_key(shard), &paging, paging.after.as_ref())
            .key_condition_expression(format!("{LIST} = :list AND {LISTED_AT} < :start"))
            .expression_attribute_values(":start", time(before));
        let places = self.game_ids("live", shard, query).await?.into_iter().map(|(cursor, id)| {
            let place = id.map(|id| (Timestamp::from_ms(cursor.rank), id));
            (cursor, place)
        });
        let listing = cut(places.collect(), &paging);
        // A position is named by a game's id, so a key that is not one cannot be named.
        let next = listing.next.and(listing.entries.last().copied());
        Ok(LiveGames { games: listing.entries.into_iter().map(|(_, id)| id).collect(), next })
    }

    /// Finished games of a ruleset, latest first.
    pub async fn finished(
        &self,
        ruleset: &'static Ruleset,
        paging: Paging,
    ) -> Result<Listing<GameId>, Fault> {
        let query = self.status(codec::game::over_key(ruleset), &paging, paging.after.as_ref());
        let query = query.scan_index_forward(false);
        Ok(cut(self.game_ids("finished", 0, query).await?, &paging))
    }

    /// A division's standings, best first, by the lower bound of the rating. Each lacks its latest
    /// games.
    pub async fn leaderboard(
        &self,
        division: Division,
        paging: Paging,
    ) -> Result<Listing<(AgentName, Standing)>, Fault> {
        let board = text(division.to_string());
        let start = paging.after.as_ref().map(|after| {
            let mut start = codec::standing::key_at(&after.key, division);
            start.insert(BOARD.to_owned(), board.clone());
            start.insert(RANK.to_owned(), number(after.rank));
            start
        });
        let query = self
            .dynamodb()
            .query()
            .table_name(&self.config().agents_table)
            .index_name("board")
            .key_condition_expression(format!("{BOARD} = :board"))
            .expression_attribute_values(":board", board)
            .scan_index_forward(false)
            .limit(asked(&paging))
            .set_exclusive_start_key(start);
        let row = |item: &Item| {
            let (_, standing) = codec::standing::decode_row(item)?;
            Ok((Reader(item).parsed(PK)?, standing))
        };
        let place = |item: &Item| cursor(item, RANK, 0);
        Ok(cut(self.entries("leaderboard", query, place, row).await?, &paging))
    }

    fn status(&self, list: String, paging: &Paging, after: Option<&Cursor>) -> QueryFluentBuilder {
        let list = text(list);
        let start = after.map(|after| {
            let start =
                [(PK, text(&after.key)), (LIST, list.clone()), (LISTED_AT, number(after.rank))];
            Item::from(start.map(|(name, value)| (name.to_owned(), value)))
        });
        self.dynamodb()
            .query()
            .table_name(&self.config().games_table)
            .index_name("status")
            .key_condition_expression(format!("{LIST} = :list"))
            .expression_attribute_values(":list", list)
            .limit(asked(paging))
            .set_exclusive_start_key(start)
    }

    async fn game_ids(
        &self,
        operation: &'static str,
        shard: u8,
        query: QueryFluentBuilder,
    ) -> Result<Vec<(Cursor, Option<GameId>)>, Fault> {
        let place = |item: &Item| cursor(item, LISTED_AT, shard);
        self.entries(operation, query, place, |item| Reader(item).parsed(PK)).await
    }

    /// The entries of a list, each with its cursor; `None` for one that cannot be decoded.
    async fn entries<T>(
        &self,
        operation: &'static str,
        query: QueryFluentBuilder,
        place: impl Fn(&Item) -> Result<Cursor, Undecodable>,
        entry: impl Fn(&Item) -> Result<T, Undecodable>,
    ) -> Result<Vec<(Cursor, Option<T>)>, Fault> {
        let output = query
            .return_consumed_capacity(ReturnConsumedCapacity::Total)
            .send()
            .await
            .map_err(|error| fault::service(operation, error))?;
        self.meter().read(operation, output.consumed_capacity());
        let items = output.items().iter();
        let entries = items.map(|item| Ok((place(item)?, self.readable(entry(item)))));
        // A listed item has the attributes it is listed by.
        entries.collect::<Result<_, _>>().map_err(fault::undecodable(operation))
    }
}

/// One more than the page holds, to know if there is another page.
fn asked(paging: &Paging) -> i32 {
    paging.size() as i32 + 1
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
