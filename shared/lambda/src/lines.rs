//! Games as a file of JSON lines.

use arena::Game;
use arena_wire::{Detail, GameView, Media, json};
use lambda_http::http::header;
use lambda_http::{Request, RequestExt};

use crate::reply::{Reply, with_header, written};

/// A page of games, one JSON document per line. If there is a `next` page, the header `Link` names it:
/// the same request, continued there. Its query must have been read, so that nothing needs escaping.
pub fn game_lines(request: &Request, games: &[Game], next: Option<String>) -> Reply {
    let mut lines = String::new();
    for game in games {
        let view = json(&GameView::new(game, None, game.last_at(), Detail::BRIEF));
        lines.push_str(&String::from_utf8_lossy(&view));
        lines.push('\n');
    }
    let reply = written(Media::JsonLines.content_type(), lines);
    let Some(next) = next else { return reply };
    let asked = request.query_string_parameters_ref().into_iter().flat_map(|query| query.iter());
    let kept =
        asked.filter(|(name, _)| *name != "next").map(|(name, value)| format!("{name}={value}&"));
    let link =
        format!("<{}?{}next={next}>; rel=\"next\"", request.uri().path(), kept.collect::<String>());
    with_header(reply, header::LINK, &link)
}
