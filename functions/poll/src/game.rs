//! `GET /games/{id}`: the game as this player, or a spectator, sees it now.

use std::sync::Arc;
use std::time::Duration;

use arena::{Game, Timestamp, TurnNumber, poll_after_ms};
use arena_lambda::{
    Context, Refusal, Reply, Target, give_way, knows, not_modified, ok, received_at, text,
    with_header, with_retry_after,
};
use arena_protocol::{Backend, Note, Seen, enforce, look};
use arena_store::{Watch, now};
use arena_wire::{Format, GameQuery, GameView, board_text};
use lambda_http::Request;
use lambda_http::http::header;
use renju::Seat;
use tokio::time::timeout;

/// Time to wait for another process that is ending an overdue game.
const ENDING: Duration = Duration::from_secs(1);

pub(crate) async fn show(
    context: &Context,
    request: &Request,
    target: &Target,
    query: GameQuery,
) -> Reply {
    let id = target.game_id()?;
    let wait_ms = (i64::from(query.wait_s()) * 1_000).min(context.settings().wait_ms_max);
    let watch = (wait_ms > 0).then(|| context.store.watch(id));
    let caller = context.caller_if_any(request)?;
    let received = received_at(request);
    let Seen { game, viewer } =
        look(&context.store, id, caller.as_ref(), seen_turn(request), received).await?;

    let game = match watch {
        Some(watch) => {
            wait_for_news(context, request, game, viewer, watch, now().plus(wait_ms)).await?
        }
        None => Arc::new(enforce(&context.store, game).await?),
    };

    let now = now();
    let tag = tag(&game, viewer);
    let again_ms = poll_after_ms(&game, viewer, now);
    let reply = if knows(request, &tag) {
        not_modified()
    } else {
        match query.format() {
            Format::Json => ok(&GameView::new(&game, viewer, now, query.detail())),
            Format::Text => text(board_text(&game, viewer, now)),
        }
    };
    with_retry_after(with_header(reply, header::ETAG, &tag), again_ms)
}

/// The game once it has changed for this viewer, or as it is when time is up or too many are
/// waiting.
async fn wait_for_news(
    context: &Context,
    request: &Request,
    game: Game,
    viewer: Option<Seat>,
    mut watch: Watch,
    until: Timestamp,
) -> Result<Arc<Game>, Refusal> {
    let mut game = Arc::new(game);
    let mut place = None;
    loop {
        if let Some(later) = watch.later_than(&game) {
            game = later;
            context.store.note(Note::Turn(game.id(), game.turn()));
        }
        if overdue_ms(context, &game).is_some_and(|ms| ms < 0)
            && let Some(_attending) = watch.attend()
        {
            game = Arc::new(enforce(&context.store, Arc::unwrap_or_clone(game)).await?);
        }
        let is_news = if request.headers().contains_key(header::IF_NONE_MATCH) {
            !knows(request, &tag(&game, viewer))
        } else {
            game.to_act().is_none() || game.to_act() == viewer
        };
        let left_ms = until.since(now());
        if is_news || left_ms <= 0 {
            return Ok(game);
        }
        if place.is_none() {
            place = context.wait(&game, viewer);
            if place.is_none() {
                return Ok(game);
            }
            give_way(request);
        }
        let pause = match overdue_ms(context, &game) {
            Some(ms) if ms < 0 => ENDING,
            // One more, because it is not overdue at that very moment.
            Some(ms) => millis(ms + 1),
            None => millis(left_ms),
        };
        // The time limit is checked above.
        if let Ok(changed) = timeout(pause.min(millis(left_ms)), watch.changed()).await {
            changed?;
        }
    }
}

/// Milliseconds until the clock can end the game; negative if it already can.
fn overdue_ms(context: &Context, game: &Game) -> Option<i64> {
    game.overdue_from(context.store.pace()).map(|overdue| overdue.since(now()))
}

fn millis(ms: i64) -> Duration {
    Duration::from_millis(ms.max(0).unsigned_abs())
}

/// The turn that the client has seen, by its entity tag.
fn seen_turn(request: &Request) -> Option<TurnNumber> {
    let tag = request.headers().get(header::IF_NONE_MATCH)?.to_str().ok()?;
    tag.split('-').nth(1)?.parse().ok().map(TurnNumber)
}

/// Changes with every decision, and differs between players and spectators.
fn tag(game: &Game, viewer: Option<Seat>) -> String {
    let eyes = viewer.map_or("spectator".to_owned(), |seat| seat.to_string());
    format!("W/\"{}-{}-{eyes}\"", game.id(), game.turn())
}
