//! `GET /games/{id}/board.png`: the board for those who cannot show an SVG.

use arena::GameId;
use arena_http::{App, Keep, Reply, cached_as, query, tag_of, written};
use arena_wire::{Media, PictureQuery};
use lambda_http::Request;
use renju_picture::{Lettering, Look, Scene, Theme, board};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::cards;

/// The side of the picture, in pixels: what those who show links ask for, and no more, because the
/// function has it in memory twice, as it is painted and as it is written.
const SIDE: u32 = 600;
/// How long the picture of a game that goes on may be kept: who fetches it shows it for long anyway.
const LIVE: Keep = Keep::Seconds(30);

pub(crate) async fn show(app: &App, request: &Request, id: GameId) -> Reply {
    let query = PictureQuery::read(query(request))?;
    let (game, is_settled) = app.game_at(id, query.turn).await?;
    let keep = if is_settled { Keep::Final } else { LIVE };
    let svg = drawing(&cards::scene(&game), Theme::find(query.theme).unwrap_or_default());
    // To draw costs far less than to paint: the drawing tells whether the reader has the picture.
    cached_as(request, &tag_of(svg.as_bytes()), keep, || {
        written(Media::Png.content_type(), png(&svg))
    })
}

/// What the picture shows.
fn drawing(scene: &Scene, theme: Theme) -> String {
    // Nobody else gives it colours.
    let theme = if theme == Theme::Page { Theme::Light } else { theme };
    board(scene, "", Look { theme, lettering: Lettering::Strokes })
}

/// The picture. A drawing of ours is well-formed and of a fixed size, so nothing can fail.
fn png(svg: &str) -> Vec<u8> {
    let tree = Tree::from_str(svg, &Options::default()).expect("our own drawing is well-formed");
    let scale = SIDE as f32 / tree.size().width();
    let mut pixmap = Pixmap::new(SIDE, SIDE).expect("the side is not nought");
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    pixmap.encode_png().expect("a picture in memory can be written to memory")
}

#[cfg(test)]
mod tests {
    use super::*;
    use renju::{Position, Ruleset};

    #[test]
    fn a_picture_shows_board_stones_and_numbers_without_any_font() {
        let start = Position::new(Ruleset::find("renju_free").unwrap());
        let plays = ["h8", "h9", "i8"].map(|word| word.parse().unwrap());
        let scene = Scene::after(start, plays, true).unwrap();
        let pixels = Pixmap::decode_png(&png(&drawing(&scene, Theme::Light))).unwrap();
        assert_eq!((pixels.width(), pixels.height()), (SIDE, SIDE));
        let at = |x: u32, y: u32| {
            let [x, y] = [x, y].map(|units| units * SIDE / 512);
            let pixel = pixels.pixel(x, y).unwrap();
            (pixel.red(), pixel.green(), pixel.blue())
        };
        let (h8, h9) = ((264, 248), (264, 216));
        assert_eq!(at(h8.0 - 9, h8.1 - 6), (0x21, 0x1f, 0x1c), "a black stone");
        assert_eq!(at(h9.0 - 9, h9.1 - 6), (0xfd, 0xfb, 0xf6), "a white stone");
        assert_eq!(at(60, 60), (0xec, 0xd3, 0xa2), "wood");
        let white = (h8.0 - 6..h8.0 + 6).flat_map(|x| (h8.1 - 6..h8.1 + 6).map(move |y| (x, y)));
        assert!(white.filter(|&(x, y)| at(x, y).0 > 0xe0).count() > 8, "a number on it");
    }
}
