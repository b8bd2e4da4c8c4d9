//! `GET /ranking`: the leaderboard of a ruleset and a pool, with the house bots as marks between.

use std::collections::HashMap;

use arena::{Division, Game, GameId, HouseLevel, Pool};
use arena_lambda::{Context, Keep, Reply, html, query_of, received_at, varied_by_site};
use arena_store::Paging;
use arena_wire::{LeaderboardQuery, LeaderboardRow, LeaderboardView};
use askama::Template;
use lambda_http::Request;
use renju::Ruleset;

use crate::{malformed, page};

const ROWS_MAX: u16 = 50;
/// Live games among which the agents' own are looked for, newest first.
const LIVE_MAX: u16 = 50;
const KEEP: Keep = Keep::Seconds(10);

pub(crate) async fn show(context: &Context, request: &Request) -> Reply {
    // A link may have parameters this page does not know.
    let is_known = |name: &str| ["ruleset", "pool", "next"].contains(&name);
    let query: LeaderboardQuery = query_of(request, is_known)?;
    let division = query.division();
    let (before, cursor) = query.place();
    let after = cursor.map(str::parse).transpose().map_err(malformed)?;
    let origin = context.base_url(request);
    let cursor = cursor.unwrap_or_default();
    let key =
        format!("{origin}/ranking {} {} {before} {cursor}", division.ruleset.id, division.pool);
    let make = async || {
        let store = &context.store;
        let listing = store.leaderboard(division, Paging { limit: ROWS_MAX, after }).await?;
        let next = |rows| listing.next.map(|cursor| query.next_place(rows, cursor));
        let rows = listing.entries.iter().map(|(name, standing)| (name, standing));
        let view = LeaderboardView::of(division, rows, before, next, received_at(request));
        let live = store.live(Paging::first(LIVE_MAX)).await?;
        let live = store.games_in_order(&live.entries).await?;
        html(page(&RankingPage {
            playing: playing(&live),
            origin: origin.clone(),
            division,
            rulesets: Ruleset::ALL,
            pools: &Pool::ALL,
            is_first: before == 0,
            is_last: view.next.is_none(),
            next: view.next,
            rows: view.rows,
        }))
    };
    varied_by_site(context.list(request, key, KEEP, make).await)
}

#[derive(Template)]
#[template(path = "ranking.html")]
struct RankingPage<'a> {
    origin: String,
    /// The live game of each agent that plays now.
    playing: HashMap<String, GameId>,
    division: Division,
    rulesets: &'static [Ruleset],
    pools: &'static [Pool],
    rows: Vec<LeaderboardRow<'a>>,
    is_first: bool,
    is_last: bool,
    next: Option<String>,
}

/// The live game of each player.
fn playing(games: &[Game]) -> HashMap<String, GameId> {
    let live = games.iter().filter(|game| game.result().is_none());
    live.flat_map(|game| {
        let players = &game.header().players;
        [&players.first, &players.second].map(|player| (player.name.to_string(), game.id()))
    })
    .collect()
}

/// Lower bound of the strength, by which the ranking is sorted.
fn least(row: &LeaderboardRow<'_>) -> f64 {
    (row.rating.rating - 2.0 * row.rating.deviation).round()
}

impl RankingPage<'_> {
    /// The house bots just above the row at `index`, or below the last row; strongest first.
    fn houses_above(&self, index: usize) -> Vec<HouseLevel> {
        let above = match index.checked_sub(1) {
            Some(index) => least(&self.rows[index]),
            None if self.is_first => f64::INFINITY,
            // Rows above are on the page before.
            None => return Vec::new(),
        };
        let below = match self.rows.get(index) {
            Some(row) => least(row),
            None if self.is_last => f64::NEG_INFINITY,
            None => return Vec::new(),
        };
        let is_between = |level: &HouseLevel| {
            let bound = level.rating().conservative();
            below <= bound && bound < above
        };
        HouseLevel::ALL.into_iter().rev().filter(is_between).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::{Rating, Standing, Timestamp};

    fn page<'a>(
        standings: &'a [(arena::AgentName, Standing)],
        is_first: bool,
        is_last: bool,
    ) -> RankingPage<'a> {
        let division = Division { ruleset: &Ruleset::ALL[0], pool: Pool::Fast };
        let rows = standings.iter().map(|(name, standing)| (name, standing));
        let now = Timestamp::from_ms(0);
        let rows = LeaderboardView::of(division, rows, 0, |_| None, now).rows;
        RankingPage {
            playing: HashMap::new(),
            origin: String::new(),
            division,
            rulesets: Ruleset::ALL,
            pools: &Pool::ALL,
            rows,
            is_first,
            is_last,
            next: None,
        }
    }

    #[test]
    fn every_house_bot_is_marked_once_where_it_would_stand() {
        let standing = |name: &str, value| {
            let rating = Rating { value, deviation: 50.0, ..Rating::NEW };
            (name.parse().unwrap(), Standing { rating, ..Standing::NEW })
        };
        let standings = [standing("alice", 2000.0), standing("bob", 1200.0)];
        let numbers = |page: &RankingPage<'_>, index| {
            page.houses_above(index).into_iter().map(HouseLevel::number).collect::<Vec<_>>()
        };
        let only = page(&standings, true, true);
        assert_eq!(
            [0, 1, 2].map(|index| numbers(&only, index)),
            [vec![6, 5], vec![4, 3], vec![2, 1, 0]]
        );
        let middle = page(&standings, false, false);
        assert_eq!([0, 1, 2].map(|index| numbers(&middle, index)), [vec![], vec![4, 3], vec![]]);
        let empty = page(&[], true, true);
        assert_eq!(numbers(&empty, 0).len(), HouseLevel::ALL.len());
    }
}
