//! `GET /embed/{id}`: a game for the frame of another site, with nothing around it.

use arena::{Game, GameId, Timestamp, poll_after_ms};
use arena_lambda::{Context, Keep, Reply, cached, framed, html};
use askama::Template;
use lambda_http::Request;
use renju::Color;
use renju_picture::{Lettering, Style, Theme, board};

use crate::{cards, page, words};

const LIVE: Keep = Keep::Seconds(1);
const OVER: Keep = Keep::Seconds(300);
/// Time between two polls of a frame at least: it may be one of many on a page.
const POLL_MS: i64 = 4_000;

pub(crate) async fn show(context: &Context, request: &Request, id: GameId) -> Reply {
    let game = arena_protocol::game(&context.store, id).await?;
    let keep = if game.result().is_some() { OVER } else { LIVE };
    cached(request, framed(html(render(&game, game.last_at()))), keep)
}

fn render(game: &Game, now: Timestamp) -> String {
    let [black, white] = Color::BOTH.map(|color| Side::of(game, color));
    let title = format!("{} – {}", black.name, white.name);
    let style = Style { theme: Theme::Page, lettering: Lettering::Text };
    page(&EmbedPage {
        board: board(&cards::scene(game), &title, style),
        title,
        id: game.id().to_string(),
        sides: [black, white],
        status: words::status(game),
        live: game.result().is_none(),
        poll_ms: poll_after_ms(game, None, now).max(POLL_MS),
    })
}

#[derive(Template)]
#[template(path = "embed.html")]
struct EmbedPage<'a> {
    title: String,
    id: String,
    board: String,
    sides: [Side<'a>; 2],
    status: String,
    live: bool,
    poll_ms: i64,
}

struct Side<'a> {
    name: &'a str,
    color: Color,
    rating: f64,
    won: bool,
}

impl Side<'_> {
    fn of(game: &Game, color: Color) -> Side<'_> {
        let player = game.player(color);
        let winner = game.result().and_then(|result| result.winner);
        Side {
            name: player.name.as_str(),
            color,
            rating: player.rating.value.round(),
            won: winner.is_some_and(|seat| game.color_of(seat) == color),
        }
    }
}
