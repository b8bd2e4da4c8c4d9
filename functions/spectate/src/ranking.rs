//! `GET /ranking`: the leaderboard of a ruleset and a pool.

use arena::{Division, Pool};
use arena_lambda::{Context, Keep, Reply, query_of, received_at, varied_by_site};
use arena_store::Paging;
use arena_wire::{LeaderboardQuery, LeaderboardRow, LeaderboardView};
use askama::Template;
use lambda_http::Request;
use renju::Ruleset;

use crate::{malformed, publish};

const ROWS_MAX: u16 = 50;
const KEEP: Keep = Keep::Seconds(10);

pub(crate) async fn show(context: &Context, request: &Request) -> Reply {
    // A link may have parameters this page does not know.
    let is_known = |name: &str| ["ruleset", "pool", "next"].contains(&name);
    let query: LeaderboardQuery = query_of(request, is_known)?;
    let (before, cursor) = query.place();
    let after = cursor.map(str::parse).transpose().map_err(malformed)?;
    let listing =
        context.store.leaderboard(query.division(), Paging { limit: ROWS_MAX, after }).await?;
    let next = |rows| listing.next.map(|cursor| query.next_place(rows, cursor));
    let rows = listing.entries.iter().map(|(name, standing)| (name, standing));
    let now = received_at(request);
    let view = LeaderboardView::of(query.division(), rows, before, next, now);
    let page = RankingPage {
        origin: context.base_url(request),
        division: query.division(),
        rulesets: Ruleset::ALL,
        pools: &Pool::ALL,
        next: view.next,
        rows: view.rows,
    };
    varied_by_site(publish(request, KEEP, &page))
}

#[derive(Template)]
#[template(path = "ranking.html")]
struct RankingPage<'a> {
    origin: String,
    division: Division,
    rulesets: &'static [Ruleset],
    pools: &'static [Pool],
    rows: Vec<LeaderboardRow<'a>>,
    next: Option<String>,
}
