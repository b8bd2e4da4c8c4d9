//! `GET /`: what the arena is, its best game, its best agents, live games, the latest finished ones.

use arena::{Division, Game, GameId, HouseLevel, Pool, Timestamp};
use arena_lambda::{Context, Keep, Reply, html, received_at, varied_by_site};
use arena_store::Paging;
use arena_wire::{LeaderboardRow, LeaderboardView};
use askama::Template;
use lambda_http::{Request, RequestExt};
use renju::Ruleset;

use crate::cards::{Feature, Tile, interest};
use crate::{malformed, page};

/// Live games read. With a ruleset more are, because most may be of others.
const LIVE_MAX: usize = 9;
const LIVE_FILTERED_MAX: usize = 24;
const FINISHED_MAX: usize = 8;
/// Limit of games and agents counted: those that one query of an index can list.
const COUNTED_MAX: u16 = 100;
const TOP: usize = 5;
const DAY_MS: i64 = 86_400_000;
const KEEP: Keep = Keep::Seconds(2);

pub(crate) async fn show(context: &Context, request: &Request) -> Reply {
    let query = request.query_string_parameters_ref();
    let asked = query.and_then(|query| query.first("ruleset")).filter(|value| !value.is_empty());
    let ruleset = asked.map(Ruleset::find).transpose().map_err(malformed)?;
    let source = ruleset.map_or("/".to_owned(), |ruleset| format!("/?ruleset={}", ruleset.id));
    let origin = context.base_url(request);
    let key = format!("{origin}{source}");
    let make = async || make(context, request, ruleset, source.clone(), origin.clone()).await;
    varied_by_site(context.list(request, key, KEEP, make).await)
}

/// `source` is the address of this very page.
async fn make(
    context: &Context,
    request: &Request,
    ruleset: Option<&'static Ruleset>,
    source: String,
    origin: String,
) -> Reply {
    let (store, now) = (&context.store, received_at(request));
    let live = store.live(Paging::first(COUNTED_MAX)).await?;
    let finished = store.finished_at(ruleset, Paging::first(COUNTED_MAX)).await?;
    let division = Division { ruleset: ruleset.unwrap_or(&Ruleset::ALL[0]), pool: Pool::default() };
    let best = store.leaderboard(division, Paging::first(COUNTED_MAX)).await?;
    let live_max = if ruleset.is_some() { LIVE_FILTERED_MAX } else { LIVE_MAX };
    let over = finished.entries.iter().take(FINISHED_MAX).map(|(_, id)| id);
    let ids: Vec<_> = live.entries.iter().take(live_max).chain(over).copied().collect();
    let mut games = store.games_in_order(&ids).await?;
    games.retain(|game| ruleset.is_none_or(|ruleset| game.ruleset() == ruleset));
    // The index may lag behind the games it lists.
    let (mut playing, over): (Vec<&Game>, Vec<&Game>) =
        games.iter().partition(|game| game.result().is_none());
    playing.sort_by_key(|game| interest(game, now));
    let featured = playing.first().or(over.first()).copied();
    let is_shown_large = |game: &&&Game| featured.is_none_or(|large| large.id() != game.id());
    let ranked = best.entries.iter().map(|(name, standing)| (name, standing));
    let mut top = LeaderboardView::of(division, ranked, 0, |_| None, now).rows;
    let counts = [
        // Live games are counted for all rulesets together.
        counted(live.entries.len(), live.next.is_some(), "game", "live")
            .filter(|_| ruleset.is_none()),
        {
            let is_new = |(end, _): &&(Timestamp, GameId)| now.since(*end) < DAY_MS;
            let count = finished.entries.iter().filter(is_new).count();
            let is_more = count == finished.entries.len() && finished.next.is_some();
            counted(count, is_more, "game", "finished in 24 hours")
        },
        counted(top.len(), best.next.is_some(), "agent", "ranked"),
    ];
    top.truncate(TOP);
    let counts = counts.into_iter().flatten().collect();
    let home = HomePage {
        source,
        origin,
        counts,
        more: live.entries.len() > live_max,
        featured: featured.map(|game| Feature::of(game, now)),
        live: playing.iter().filter(is_shown_large).copied().map(Tile::of).collect(),
        finished: over.iter().filter(is_shown_large).copied().map(Tile::of).collect(),
        top,
        houses: &HouseLevel::ALL,
        division,
        ruleset,
        rulesets: Ruleset::ALL,
    };
    html(page(&home))
}

/// A count in words, such as `3 games live`; `None` for none.
fn counted(count: usize, is_more: bool, what: &str, state: &str) -> Option<String> {
    let many = if is_more { "more than " } else { "" };
    let plural = if count == 1 { "" } else { "s" };
    (count > 0).then(|| format!("{many}{count} {what}{plural} {state}"))
}

#[derive(Template)]
#[template(path = "home.html")]
struct HomePage<'a> {
    source: String,
    origin: String,
    /// Live games, games of the last day, ranked agents: those that there are.
    counts: Vec<String>,
    /// There are more live games than those that were read.
    more: bool,
    featured: Option<Feature>,
    live: Vec<Tile>,
    finished: Vec<Tile>,
    top: Vec<LeaderboardRow<'a>>,
    /// Shown while no agent is ranked.
    houses: &'static [HouseLevel],
    division: Division,
    ruleset: Option<&'static Ruleset>,
    rulesets: &'static [Ruleset],
}
