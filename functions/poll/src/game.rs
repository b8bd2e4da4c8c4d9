//! `GET /games/{id}`: the game as this player, or anybody, sees it now.

use std::time::Duration;

use arena::{Game, Timestamp, poll_after_ms};
use arena_http::{
    App, Refusal, Reply, knows, not_modified, now, ok, target, text, with_header, with_retry_after,
};
use arena_wire::{Format, GameQuery, GameView, board_text};
use lambda_http::http::header;
use lambda_http::{Request, RequestExt};
use renju::Seat;

/// How often a waiting poll looks again.
const LOOK_AGAIN: Duration = Duration::from_millis(250);

pub(crate) async fn show(app: &App, request: &Request) -> Reply {
    let id = target(request)?.game_id()?;
    let query =
        GameQuery::read(request.query_string_parameters_ref().into_iter().flat_map(|q| q.iter()))?;
    let game = no_older(app, request, app.game(id).await?).await?;
    let viewer = app.viewer(request, &game).await?;
    if viewer.is_some() {
        app.call_again(&game).await;
    }

    let wait_ms = (i64::from(query.wait_s) * 1_000).min(app.settings().wait_ms_max);
    let game = wait_for_news(app, request, game, viewer, now().plus(wait_ms)).await?;

    let now = now();
    let tag = tag(&game, viewer);
    let again_ms = poll_after_ms(&game, viewer, now);
    let reply = if knows(request, &tag) {
        not_modified()
    } else {
        match query.format {
            Format::Json => ok(&GameView::new(&game, viewer, now, query.detail)),
            Format::Text => text(board_text(&game, viewer, now)),
        }
    };
    with_retry_after(with_header(reply, header::ETAG, &tag), again_ms)
}

/// The game once it is news to this viewer, or as it is when time is up.
async fn wait_for_news(
    app: &App,
    request: &Request,
    mut game: Game,
    viewer: Option<Seat>,
    until: Timestamp,
) -> Result<Game, Refusal> {
    loop {
        game = app.enforce(game).await?;
        let is_news = if request.headers().contains_key(header::IF_NONE_MATCH) {
            !knows(request, &tag(&game, viewer))
        } else {
            game.to_act().is_none() || game.to_act() == viewer
        };
        if is_news || now() >= until {
            return Ok(game);
        }
        tokio::time::sleep(LOOK_AGAIN).await;
        game = no_older(app, request, app.game(game.id()).await?).await?;
    }
}

/// A cheap read may be a moment old, but nobody is shown an older turn than it has seen.
async fn no_older(app: &App, request: &Request, game: Game) -> Result<Game, Refusal> {
    let known = request.headers().get(header::IF_NONE_MATCH).and_then(|tag| tag.to_str().ok());
    let seen = known.and_then(|tag| tag.split('-').nth(1)?.parse::<u32>().ok());
    if seen.is_some_and(|seen| game.turn().0 < seen)
        && let Some(current) = app.store.game_now(game.id()).await?
    {
        return Ok(current);
    }
    Ok(game)
}

/// Changes with every decision; what a player sees differs from what a spectator sees.
fn tag(game: &Game, viewer: Option<Seat>) -> String {
    let eyes = viewer.map_or("spectator".to_owned(), |seat| seat.to_string());
    format!("W/\"{}-{}-{eyes}\"", game.id(), game.turn())
}
