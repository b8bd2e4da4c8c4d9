//! `GET /`: what the arena is, its best game, its best agents, live games, the latest finished ones.

use arena::{Division, Game, HouseLevel, Pool};
use arena_lambda::{Context, Keep, Reply, html, received_at, varied_by_site};
use arena_store::Paging;
use arena_wire::{LeaderboardRow, LeaderboardView};
use askama::Template;
use lambda_http::{Request, RequestExt};
use renju::Ruleset;

use crate::cards::{Feature, Tile, interest};
use crate::{malformed, page};

/// Live games read. With a ruleset more are, because most may be of others.
const LIVE_MAX: usize = 16;
const LIVE_FILTERED_MAX: usize = 24;
const FINISHED_MAX: u16 = 8;
/// Limit of live games counted: those that one query of an index can list.
const COUNTED_MAX: u16 = 100;
const TOP: u16 = 5;
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
    let finished = store.finished(ruleset, Paging::first(FINISHED_MAX)).await?;
    let division = Division { ruleset: ruleset.unwrap_or(&Ruleset::ALL[0]), pool: Pool::default() };
    let best = store.leaderboard(division, Paging::first(TOP)).await?;
    let live_max = if ruleset.is_some() { LIVE_FILTERED_MAX } else { LIVE_MAX };
    let ids: Vec<_> =
        live.entries.iter().take(live_max).chain(&finished.entries).copied().collect();
    let mut games = store.games_in_order(&ids).await?;
    games.retain(|game| ruleset.is_none_or(|ruleset| game.ruleset() == ruleset));
    // The index may lag behind the games it lists.
    let (mut playing, over): (Vec<&Game>, Vec<&Game>) =
        games.iter().partition(|game| game.result().is_none());
    playing.sort_by_key(|game| interest(game, now));
    let featured = playing.first().or(over.first()).copied();
    let is_shown_large = |game: &&&Game| featured.is_none_or(|large| large.id() != game.id());
    let top = best.entries.iter().map(|(name, standing)| (name, standing));
    let home = HomePage {
        source,
        origin,
        counted: match live.entries.len() {
            _ if live.next.is_some() => format!("More than {COUNTED_MAX} games live"),
            1 => "1 game live".to_owned(),
            count => format!("{count} games live"),
        },
        more: live.entries.len() > live_max,
        featured: featured.map(|game| Feature::of(game, now)),
        live: playing.iter().filter(is_shown_large).copied().map(Tile::of).collect(),
        finished: over.iter().filter(is_shown_large).copied().map(Tile::of).collect(),
        top: LeaderboardView::of(division, top, 0, |_| None, now).rows,
        houses: &HouseLevel::ALL,
        division,
        ruleset,
        rulesets: Ruleset::ALL,
    };
    html(page(&home))
}

#[derive(Template)]
#[template(path = "home.html")]
struct HomePage<'a> {
    source: String,
    origin: String,
    counted: String,
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
