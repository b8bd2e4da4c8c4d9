//! Public lists: live games, finished games, leaderboards, page by page. All may be a moment old.

use std::cmp::Reverse;

use arena::{AgentName, Division, GameId, Standing, Timestamp};
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::types::ReturnConsumedCapacity;
use renju::Ruleset;

use crate::codec::{self, Item, Reader, Undecodable, number, text, time};
use crate::{Cursor, Fault, Listing, Page, Store};

impl Store {
    /// Games that go on, the newest first.
    pub async fn live(&self, page: Page) -> Result<Listing<GameId>, Fault> {
        let mut games = Vec::new();
        for shard in 0..self.config().shards.max(1) {
            let query = self.status(codec::game::live_key(shard), &page);
            games.extend(self.game_ids("live", query.scan_index_forward(false)).await?);
        }
        // Every shard is in order already and stays so, which its next page relies on.
        games.sort_by_key(|(cursor, _)| Reverse(cursor.rank));
        Ok(cut(games, &page))
    }

    /// Games that go on and started before `start`, the oldest first: the sweep's list. All pages
    /// of one listing must name the same `start`.
    pub async fn live_before(
        &self,
        start: Timestamp,
        page: Page,
    ) -> Result<Listing<GameId>, Fault> {
        let mut games = Vec::new();
        for shard in 0..self.config().shards.max(1) {
            let query = self
                .status(codec::game::live_key(shard), &page)
                .key_condition_expression("ix = :list AND ia < :start")
                .expression_attribute_values(":start", time(start));
            games.extend(self.game_ids("live", query).await?);
        }
        games.sort_by_key(|(cursor, _)| cursor.rank);
        Ok(cut(games, &page))
    }

    /// Finished games of a ruleset, the latest first.
    pub async fn finished(
        &self,
        ruleset: &'static Ruleset,
        page: Page,
    ) -> Result<Listing<GameId>, Fault> {
        let query = self.status(codec::game::over_key(ruleset), &page).scan_index_forward(false);
        Ok(cut(self.game_ids("finished", query).await?, &page))
    }

    /// A division's standings, the best first, by what a player is almost surely worth. Each lacks
    /// its latest games.
    pub async fn leaderboard(
        &self,
        division: Division,
        page: Page,
    ) -> Result<Listing<(AgentName, Standing)>, Fault> {
        let board = text(division.to_string());
        let start = page.after.as_ref().map(|after| {
            let mut start = codec::standing::key_at(&after.key, division);
            start.insert("lp".to_owned(), board.clone());
            start.insert("ls".to_owned(), number(after.rank));
            start
        });
        let query = self
            .dynamodb()
            .query()
            .table_name(&self.config().agents_table)
            .index_name("board")
            .key_condition_expression("lp = :board")
            .expression_attribute_values(":board", board)
            .scan_index_forward(false)
            .limit(asked(&page))
            .set_exclusive_start_key(start);
        let row = |item: &Item| {
            let (cursor, (_, standing)) = (cursor(item, "ls")?, codec::standing::decode_row(item)?);
            Ok((cursor, (Reader(item).parsed("pk")?, standing)))
        };
        Ok(cut(self.entries("leaderboard", query, row).await?, &page))
    }

    /// One list of games.
    fn status(&self, list: String, page: &Page) -> QueryFluentBuilder {
        let list = text(list);
        let start = page.after.as_ref().map(|after| {
            let start =
                [("pk", text(&after.key)), ("ix", list.clone()), ("ia", number(after.rank))];
            Item::from(start.map(|(name, value)| (name.to_owned(), value)))
        });
        self.dynamodb()
            .query()
            .table_name(&self.config().games_table)
            .index_name("status")
            .key_condition_expression("ix = :list")
            .expression_attribute_values(":list", list)
            .limit(asked(page))
            .set_exclusive_start_key(start)
    }

    async fn game_ids(
        &self,
        operation: &'static str,
        query: QueryFluentBuilder,
    ) -> Result<Vec<(Cursor, GameId)>, Fault> {
        self.entries(operation, query, |item| Ok((cursor(item, "ia")?, Reader(item).parsed("pk")?)))
            .await
    }

    async fn entries<T>(
        &self,
        operation: &'static str,
        query: QueryFluentBuilder,
        entry: impl Fn(&Item) -> Result<(Cursor, T), Undecodable>,
    ) -> Result<Vec<(Cursor, T)>, Fault> {
        let output = query
            .return_consumed_capacity(ReturnConsumedCapacity::Total)
            .send()
            .await
            .map_err(|error| Fault::service(operation, error))?;
        self.meter().read(operation, output.consumed_capacity());
        let entries: Result<Vec<_>, _> = output.items().iter().map(entry).collect();
        entries.map_err(Fault::undecodable(operation))
    }
}

/// One more than the page holds tells whether there is another page.
fn asked(page: &Page) -> i32 {
    page.size() as i32 + 1
}

fn cursor(item: &Item, rank: &'static str) -> Result<Cursor, Undecodable> {
    let reader = Reader(item);
    Ok(Cursor { rank: reader.number(rank)?, key: reader.text("pk")?.to_owned() })
}

fn cut<T>(mut entries: Vec<(Cursor, T)>, page: &Page) -> Listing<T> {
    let is_last = entries.len() <= page.size();
    entries.truncate(page.size());
    let next = entries.last().filter(|_| !is_last).map(|(cursor, _)| cursor.clone());
    Listing { entries: entries.into_iter().map(|(_, entry)| entry).collect(), next }
}
