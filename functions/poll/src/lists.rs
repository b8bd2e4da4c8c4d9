//! Public lists, page by page.

use arena::{AgentName, Game, GameId};
use arena_lambda::{
    Context, Reply, Target, game_lines, history, ok, paging, query, received_at, see_other,
    with_header,
};
use arena_store::Listing;
use arena_wire::{
    AgentGamesQuery, EXPORT_LIMIT_MAX, GameStatus, GamesQuery, GamesView, LeaderboardQuery,
    LeaderboardView, Name, rows,
};
use lambda_http::Request;
use lambda_http::http::header;

/// `GET /games?status=live|finished&agent=&ruleset=`.
pub(crate) async fn games(context: &Context, request: &Request) -> Reply {
    let query: GamesQuery = query(request)?;
    if let Some(Name(agent)) = &query.agent {
        return games_of(context, agent, &query.clone().into()).await;
    }
    let page = paging(query.limit, query.next.as_deref())?;
    let ruleset = query.ruleset.and_then(|ruleset| ruleset.0);
    let listing = match query.status.map_or(GameStatus::Live, |status| status.0) {
        GameStatus::Live => context.store.live(page).await?,
        GameStatus::Over => context.store.finished(ruleset, page).await?,
    };
    show(context, listing, |game| ruleset.is_none_or(|ruleset| game.ruleset() == ruleset)).await
}

/// `GET /agents/{name}/games`.
pub(crate) async fn agent_games(context: &Context, request: &Request, target: &Target) -> Reply {
    games_of(context, &target.agent_name()?, &query(request)?).await
}

/// `GET /agents/{name}/games/export.ndjson`.
pub(crate) async fn agent_export(context: &Context, request: &Request, target: &Target) -> Reply {
    let query: AgentGamesQuery = query(request)?;
    let limit = rows(query.limit).min(EXPORT_LIMIT_MAX.into());
    let (games, next) = history(context, &target.agent_name()?, &query, limit).await?;
    game_lines(request, &games, next)
}

async fn games_of(context: &Context, name: &AgentName, query: &AgentGamesQuery) -> Reply {
    let (games, next) = history(context, name, query, rows(query.limit)).await?;
    ok(&GamesView::of(&games, next))
}

async fn show(
    context: &Context,
    listing: Listing<GameId>,
    wanted: impl Fn(&Game) -> bool,
) -> Reply {
    let mut games = context.store.games_in_order(&listing.entries).await?;
    games.retain(wanted);
    ok(&GamesView::of(&games, listing.next.map(|next| next.to_string())))
}

/// `GET /leaderboard` in a browser: the page with the same list.
pub(crate) fn ranking_page(request: &Request) -> Reply {
    let query = request.uri().query().map_or_else(String::new, |query| format!("?{query}"));
    varied_by_accept(see_other(&format!("/ranking{query}")))
}

/// The reply, which a cache must not reuse for a client that accepts other content.
pub(crate) fn varied_by_accept(reply: Reply) -> Reply {
    with_header(reply, header::VARY, "accept")
}

/// `GET /leaderboard?ruleset=&pool=`.
pub(crate) async fn leaderboard(context: &Context, request: &Request) -> Reply {
    let query: LeaderboardQuery = query(request)?;
    let (before, cursor) = query.place();
    let listing = context.store.leaderboard(query.division(), paging(query.limit, cursor)?).await?;
    let next = |rows| listing.next.map(|cursor| query.next_place(rows, cursor));
    let rows = listing.entries.iter().map(|(name, standing)| (name, standing));
    ok(&LeaderboardView::of(query.division(), rows, before, next, received_at(request)))
}
