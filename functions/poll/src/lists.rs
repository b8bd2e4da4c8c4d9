//! Public lists, page by page.

use arena::{AgentName, GameId, HouseLevel};
use arena_lambda::{Context, Refusal, Reply, Target, ok, paging, query, received_at};
use arena_store::Listing;
use arena_wire::{
    AgentGamesQuery, Code, GameStatus, GamesQuery, GamesView, LeaderboardQuery, LeaderboardView,
    Name, rows,
};
use lambda_http::Request;
use renju::Ruleset;

/// `GET /games?status=live|finished&agent=&ruleset=`.
pub(crate) async fn games(context: &Context, request: &Request) -> Reply {
    let query: GamesQuery = query(request)?;
    if let Some(Name(agent)) = &query.agent {
        return games_of(context, agent, &query.clone().into()).await;
    }
    let page = paging(query.limit, query.next.as_deref())?;
    let ruleset = query.ruleset.map(|ruleset| ruleset.0);
    let listing = match query.status.map_or(GameStatus::Live, |status| status.0) {
        GameStatus::Live => context.store.live(page).await?,
        GameStatus::Over => {
            context.store.finished(ruleset.unwrap_or(&Ruleset::ALL[0]), page).await?
        }
    };
    show(context, listing, |game| ruleset.is_none_or(|ruleset| game.ruleset() == ruleset)).await
}

/// `GET /agents/{name}/games`.
pub(crate) async fn agent_games(context: &Context, request: &Request, target: &Target) -> Reply {
    games_of(context, &target.agent_name()?, &query(request)?).await
}

/// The game an agent is in and its latest finished games, newest first. Standings list the latest
/// games of each division; older ones are found through the list of finished games.
async fn games_of(context: &Context, name: &AgentName, query: &AgentGamesQuery) -> Reply {
    if HouseLevel::of(name).is_some() {
        let why = format!("{name} is a house bot, whose games are not listed by name: GET /games");
        return Err(Refusal::plain(Code::NotFound, why));
    }
    let Some((agent, standings)) = context.store.profile(name).await? else {
        return Err(Refusal::plain(Code::NotFound, format!("there is no agent {name}")));
    };
    let mut ids: Vec<GameId> = agent.game.into_iter().collect();
    for (division, standing) in &standings {
        if query.ruleset.is_none_or(|ruleset| ruleset.0 == division.ruleset) {
            ids.extend(standing.recent.iter().filter(|id| Some(**id) != agent.game));
        }
    }
    let mut games = context.store.games_in_order(&ids).await?;
    games.retain(|game| query.status.is_none_or(|status| GameStatus::of(game) == status.0));
    games.sort_by_key(|game| std::cmp::Reverse(game.header().created));
    games.truncate(usize::from(rows(query.limit)));
    ok(&GamesView::of(&games, None))
}

async fn show(
    context: &Context,
    listing: Listing<GameId>,
    wanted: impl Fn(&arena::Game) -> bool,
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
