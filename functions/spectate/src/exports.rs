//! `GET /games/export.ndjson`: finished games, one JSON document per line.

use arena_lambda::{Context, Keep, Reply, cached, paging, query, with_header, written};
use arena_wire::{Detail, Endpoint, ExportQuery, GameView, json, rows};
use lambda_http::Request;
use lambda_http::http::header;
use renju::Ruleset;

/// Short, because each game that ends shifts all others.
const KEEP: Keep = Keep::Seconds(60);

pub(crate) async fn export(context: &Context, request: &Request) -> Reply {
    let asked: ExportQuery = query(request)?;
    let ruleset = asked.ruleset.map_or(&Ruleset::ALL[0], |ruleset| ruleset.0);
    let page = paging(asked.limit, asked.next.as_deref())?;
    let listing = context.store.finished(ruleset, page).await?;
    let mut lines = String::new();
    for game in context.store.games_in_order(&listing.entries).await? {
        let view = json(&GameView::new(&game, None, game.last_at(), Detail::BRIEF));
        lines.push_str(&String::from_utf8_lossy(&view));
        lines.push('\n');
    }
    let route = Endpoint::Export.route();
    let mut reply = written(route.answer.media.content_type(), lines);
    if let Some(next) = listing.next {
        let (path, ruleset, limit) = (route.path, ruleset.id, rows(asked.limit));
        let link = format!("<{path}?ruleset={ruleset}&limit={limit}&next={next}>; rel=\"next\"");
        reply = with_header(reply, header::LINK, &link);
    }
    cached(request, reply, KEEP)
}
