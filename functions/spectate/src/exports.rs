//! `GET /games/export.ndjson`: finished games, one JSON document per line.

use arena_lambda::{Context, Keep, Reply, cached, game_lines, paging, query};
use arena_wire::ExportQuery;
use lambda_http::Request;

/// Short, because each game that ends shifts all others.
const KEEP: Keep = Keep::Seconds(60);

pub(crate) async fn export(context: &Context, request: &Request) -> Reply {
    let asked: ExportQuery = query(request)?;
    let ruleset = asked.ruleset.and_then(|ruleset| ruleset.0);
    let page = paging(asked.limit, asked.next.as_deref())?;
    let listing = context.store.finished(ruleset, page).await?;
    let games = context.store.games_in_order(&listing.entries).await?;
    let next = listing.next.map(|next| next.to_string());
    cached(request, game_lines(request, &games, next), KEEP)
}
