//! `GET /games/{id}.svg`: the board, now or after any decision.

use arena_lambda::{Context, Keep, Reply, Target, cached, query, with_header, written};
use arena_protocol::game_at;
use arena_wire::{Media, PictureQuery};
use lambda_http::Request;
use lambda_http::http::header;
use renju::{Color, Position};
use renju_picture::{Lettering, Scene, Style, Theme, board};

/// Cache time of the picture of a game in progress.
const LIVE: Keep = Keep::Seconds(1);

/// A picture has its own styles and loads nothing, also when opened as a page.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

pub(crate) async fn show(context: &Context, request: &Request, target: &Target) -> Reply {
    let id = target.game_id()?;
    let query: PictureQuery = query(request)?;
    let (game, is_settled) = game_at(&context.store, id, query.turn()).await?;
    let keep = if is_settled { Keep::Final } else { LIVE };
    let start = Position::new(game.ruleset());
    let scene = Scene::after(start, game.plays(), game.result().is_none())
        .expect("every play of a game's log is legal");
    let scene = match query.point() {
        Some(point) => scene.asking(point),
        None => scene,
    };
    let name = |color| &game.player(color).name;
    let title = format!("{} (black) against {} (white)", name(Color::Black), name(Color::White));
    let theme = Theme::find(query.theme()).unwrap_or_default();
    let svg = board(&scene, &title, Style { theme, lettering: Lettering::Text });
    let reply = written(Media::Svg.content_type(), svg);
    cached(request, with_header(reply, header::CONTENT_SECURITY_POLICY, POLICY), keep)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_wire::THEMES;

    #[test]
    fn every_theme_that_can_be_asked_for_exists() {
        assert_eq!(THEMES, Theme::ALL.map(Theme::id));
    }
}
