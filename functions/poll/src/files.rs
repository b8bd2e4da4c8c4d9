//! `GET /games/{id}.sgf`, `.psq`, `.txt`, `.json`: a game as a file, the same for all clients.

use arena_lambda::{Context, Keep, Reply, Target, cached, ok, with_header, written};
use arena_protocol::{enforce, game};
use arena_wire::{Detail, Endpoint, GameView, file};
use lambda_http::Request;
use lambda_http::http::header;

/// Cache time of a game in progress.
const LIVE: Keep = Keep::Seconds(2);

pub(crate) async fn show(context: &Context, request: &Request, target: &Target) -> Reply {
    let id = target.game_id()?;
    let game = enforce(&context.store, game(&context.store, id).await?).await?;
    let kind = target.route.answer.media.content_type();
    let reply = match target.endpoint() {
        Endpoint::GameSgf => written(kind, file::sgf(&game)),
        Endpoint::GamePsq => written(kind, file::psq(&game)),
        Endpoint::GameDiagram => written(kind, file::diagram(&game)),
        // As of the last decision, so that the file changes only with the game.
        _ => ok(&GameView::new(&game, None, game.last_at(), Detail::FULL)),
    };
    let keep = if game.result().is_some() { Keep::Final } else { LIVE };
    let name = request.uri().path().rsplit('/').next().unwrap_or_default();
    let kept_as = format!("inline; filename=\"{name}\"");
    cached(request, with_header(reply, header::CONTENT_DISPOSITION, &kept_as), keep)
}
