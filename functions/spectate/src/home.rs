//! `GET /`: live games, and the latest finished ones.

use arena::Game;
use arena_lambda::{Context, Keep, Reply, html, varied_by_site};
use arena_store::{Cursor, Paging};
use askama::Template;
use lambda_http::{Request, RequestExt};
use renju::Ruleset;

use crate::cards::Card;
use crate::{malformed, page};

const LIVE_MAX: u16 = 24;
const FINISHED_MAX: u16 = 12;
const KEEP: Keep = Keep::Seconds(2);

pub(crate) async fn show(context: &Context, request: &Request) -> Reply {
    let query = request.query_string_parameters_ref();
    let asked = |name| query.and_then(|query| query.first(name)).filter(|value| !value.is_empty());
    let ruleset = match asked("ruleset") {
        Some(id) => Ruleset::find(id).map_err(malformed)?,
        None => &Ruleset::ALL[0],
    };
    let after: Option<Cursor> = asked("next").map(str::parse).transpose().map_err(malformed)?;
    let source = match &after {
        Some(next) => format!("/?ruleset={}&next={next}", ruleset.id),
        None => format!("/?ruleset={}", ruleset.id),
    };
    let origin = context.base_url(request);
    let key = format!("{origin}{source}");
    let make = async || make(context, ruleset, after, source.clone(), origin.clone()).await;
    varied_by_site(context.list(request, key, KEEP, make).await)
}

/// `source` is the address of this very page.
async fn make(
    context: &Context,
    ruleset: &'static Ruleset,
    after: Option<Cursor>,
    source: String,
    origin: String,
) -> Reply {
    let live = context.store.live(Paging { limit: LIVE_MAX, after }).await?;
    let finished = context.store.finished(Some(ruleset), Paging::first(FINISHED_MAX)).await?;
    let ids: Vec<_> = live.entries.iter().chain(&finished.entries).copied().collect();
    let games = context.store.games_in_order(&ids).await?;
    // The index may lag behind the games it lists.
    let (live_games, finished_games): (Vec<&Game>, Vec<&Game>) =
        games.iter().partition(|game| game.result().is_none());
    let cards = |games: Vec<&Game>| games.into_iter().map(Card::of).collect();
    let home = HomePage {
        source,
        origin,
        live: cards(live_games),
        more: live.next.map(|next| next.to_string()),
        finished: cards(finished_games),
        ruleset,
        rulesets: Ruleset::ALL,
    };
    html(page(&home))
}

#[derive(Template)]
#[template(path = "home.html")]
struct HomePage {
    source: String,
    origin: String,
    live: Vec<Card>,
    more: Option<String>,
    finished: Vec<Card>,
    ruleset: &'static Ruleset,
    rulesets: &'static [Ruleset],
}
