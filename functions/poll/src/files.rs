//! `GET /games/{id}.sgf`, `.psq`, `.txt`, `.json`: a game as a file, the same for all clients.

use arena_lambda::{Context, Keep, Reply, cached, ok, target, with_header, written};
use arena_protocol::{enforce, game};
use arena_wire::{Detail, Endpoint, GameView, file};
use lambda_http::Request;
use lambda_http::http::header;

/// Cache time of a game in progress.
const LIVE: Keep = Keep::Seconds(2);

pub(crate) async fn show(context: &Context, request: &Request) -> Reply {
    let target = target(request)?;
    let id = target.game_id()?;
    let game = enforce(&context.store, game(&context.store, id).await?).await?;
    let route = target.endpoint.route();
    let reply = match target.endpoint {
        Endpoint::GameSgf => written(route.answer.media.content_type(), file::sgf(&game)),
        Endpoint::GamePsq => written(route.answer.media.content_type(), file::psq(&game)),
        Endpoint::GameText => written(route.answer.media.content_type(), file::diagram(&game)),
        // As of the last decision, so that the file changes only with the game.
        _ => ok(&GameView::new(&game, None, game.last_at(), Detail::FULL)),
    };
    let keep = if game.result().is_some() { Keep::Final } else { LIVE };
    let name = request.uri().path().rsplit('/').next().unwrap_or_default();
    let kept_as = format!("inline; filename=\"{name}\"");
    cached(request, with_header(reply, header::CONTENT_DISPOSITION, &kept_as), keep)
}
