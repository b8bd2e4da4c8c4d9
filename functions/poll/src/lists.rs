//! Public lists, page by page.

use arena::{AgentName, Game, GameId, HouseLevel};
use arena_lambda::{Context, Refusal, Reply, Target, game_lines, ok, paging, query, received_at};
use arena_protocol::Backend;
use arena_store::{Listing, Played};
use arena_wire::{
    AgentGamesQuery, Code, EXPORT_LIMIT_MAX, GameStatus, GamesQuery, GamesView, LeaderboardQuery,
    LeaderboardView, Name, rows,
};
use lambda_http::Request;

/// Number of games looked through for one page of an agent's games. They are read one after the other.
const READ_MAX: usize = 100;

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

/// The games of an agent that are asked for, newest first, and the game at which the next page starts.
/// Each game names the one its player played before, back to the first.
async fn history(
    context: &Context,
    name: &AgentName,
    query: &AgentGamesQuery,
    limit: u16,
) -> Result<(Vec<Game>, Option<String>), Refusal> {
    if HouseLevel::of(name).is_some() {
        let why = format!("{name} is a house bot, whose games are not listed by name: GET /games");
        return Err(Refusal::plain(Code::NotFound, why));
    }
    let agent = context.store.agent(name).await?;
    let agent =
        agent.ok_or_else(|| Refusal::plain(Code::NotFound, format!("there is no agent {name}")))?;
    let malformed = |next: &str| {
        let why = format!("{next:?} is not the next of an earlier page of {name}'s games");
        Refusal::plain(Code::Malformed, why)
    };
    let mut id: Option<GameId> = match query.next.as_deref() {
        Some(next) => Some(next.parse().map_err(|_| malformed(next))?),
        None => agent.game,
    };
    // Only the latest game can be live.
    let is_live = query.status.is_some_and(|status| status.0 == GameStatus::Live);
    let mut games = Vec::new();
    for read in 0..if is_live { 1 } else { READ_MAX } {
        let Some(this) = id.filter(|_| games.len() < usize::from(limit)) else { break };
        let played = context.store.played(this, name).await?;
        if let (0, None, Some(next)) = (read, &played, query.next.as_deref()) {
            return Err(malformed(next));
        }
        id = played.as_ref().and_then(|played| played.previous);
        let Some(Played { seat, game: Some(game), .. }) = played else { continue };
        if query.is_too_old(&game) {
            id = None;
        } else if query.accepts(&game, seat) {
            games.push(game);
        }
    }
    let id = id.filter(|_| !is_live);
    Ok((games, id.map(|id| id.to_string())))
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

/// `GET /leaderboard?ruleset=&pool=`.
pub(crate) async fn leaderboard(context: &Context, request: &Request) -> Reply {
    let query: LeaderboardQuery = query(request)?;
    let (before, cursor) = query.place();
    let listing = context.store.leaderboard(query.division(), paging(query.limit, cursor)?).await?;
    let next = |rows| listing.next.map(|cursor| query.next_place(rows, cursor));
    let rows = listing.entries.iter().map(|(name, standing)| (name, standing));
    ok(&LeaderboardView::of(query.division(), rows, before, next, received_at(request)))
}
