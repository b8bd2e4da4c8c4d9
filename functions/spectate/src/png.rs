//! `GET /games/{id}/board.png`: the board for clients that cannot show SVG.

use std::collections::VecDeque;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use arena::GameId;
use arena_lambda::{
    Context, Keep, NotDone, Reply, Workers, cached_as, knows, query, tag_of, written,
};
use arena_wire::{Media, PictureQuery};
use lambda_http::Request;
use renju_picture::{Lettering, Scene, Style, Theme, board};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::cards;

/// Side of the picture in pixels: enough for link previews, and no more, because the function holds
/// it in memory twice, painted and encoded.
const SIDE: u32 = 600;
/// Cache time of a live game; clients that fetch it show it for long anyway.
const LIVE: Keep = Keep::Seconds(30);

pub(crate) async fn show(context: &Context, request: &Request, id: GameId) -> Reply {
    let query: PictureQuery = query(request)?;
    let (game, is_settled) = arena_protocol::game_at(&context.store, id, query.turn()).await?;
    let scene = match query.point() {
        Some(point) => cards::scene(&game).asking(point),
        None => cards::scene(&game),
    };
    let svg = drawing(&scene, Theme::find(query.theme()).unwrap_or_default());
    answer(request, svg, SIDE, is_settled).await
}

/// Reply with a drawing as a picture of this width.
pub(crate) async fn answer(request: &Request, svg: String, width: u32, is_settled: bool) -> Reply {
    let keep = if is_settled { Keep::Final } else { LIVE };
    // Drawing is far cheaper than painting, so the tag is that of the drawing.
    let tag = tag_of(svg.as_bytes());
    let is_known = knows(request, &tag);
    let picture = if is_known { Vec::new() } else { PAINTER.paint(&tag, svg, width).await? };
    cached_as(request, &tag, keep, || written(Media::Png.content_type(), picture))
}

/// Painting takes tens of milliseconds, so a process paints two pictures at once and queues a few.
static PAINTER: LazyLock<Painter> = LazyLock::new(|| Painter::new(Workers::new(2, 8)));

/// Number of cached pictures, of some tens of kilobytes each.
const KEPT_MAX: usize = 32;

/// Paints drawings and caches the latest.
struct Painter {
    workers: Workers,
    latest: Mutex<VecDeque<(String, Vec<u8>)>>,
}

impl Painter {
    const fn new(workers: Workers) -> Painter {
        Painter { workers, latest: Mutex::new(VecDeque::new()) }
    }

    /// PNG of a drawing with this tag.
    async fn paint(&'static self, tag: &str, svg: String, width: u32) -> Result<Vec<u8>, NotDone> {
        if let Some(picture) = self.kept(tag) {
            return Ok(picture);
        }
        let tag = tag.to_owned();
        let work = move || {
            // Another request may have painted it in the meantime.
            self.kept(&tag).unwrap_or_else(|| {
                let picture = png(&svg, width);
                self.keep(tag, picture.clone());
                picture
            })
        };
        self.workers.run(work).await
    }

    fn kept(&self, tag: &str) -> Option<Vec<u8>> {
        let latest = self.lock();
        latest.iter().find(|(kept, _)| kept == tag).map(|(_, picture)| picture.clone())
    }

    fn keep(&self, tag: String, picture: Vec<u8>) {
        let mut latest = self.lock();
        if latest.len() >= KEPT_MAX {
            latest.pop_front();
        }
        latest.push_back((tag, picture));
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(String, Vec<u8>)>> {
        // Entries are complete; a panic elsewhere does not corrupt them.
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// SVG of the scene.
fn drawing(scene: &Scene, theme: Theme) -> String {
    // There is no page to give it colours.
    let theme = if theme == Theme::Page { Theme::Light } else { theme };
    board(scene, "", Style { theme, lettering: Lettering::Strokes })
}

/// Paints the picture. Our drawings are well-formed and of a fixed size, so this cannot fail.
fn png(svg: &str, width: u32) -> Vec<u8> {
    let tree = Tree::from_str(svg, &Options::default()).expect("our own drawing is well-formed");
    let scale = width as f32 / tree.size().width();
    let height = (tree.size().height() * scale).round() as u32;
    let mut pixmap = Pixmap::new(width, height).expect("no side of a drawing is zero");
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    pixmap.encode_png().expect("a picture in memory can be written to memory")
}

#[cfg(test)]
mod tests {
    use super::*;
    use renju::{Position, Ruleset};

    fn opening(count: usize) -> String {
        let start = Position::new(Ruleset::find("renju_free").unwrap());
        let plays = ["h8", "h9", "i8"].map(|word| word.parse().unwrap());
        drawing(&Scene::after(start, plays.into_iter().take(count), true).unwrap(), Theme::Light)
    }

    #[tokio::test]
    async fn a_picture_is_painted_once_and_refused_when_too_many_are_asked_for() {
        static PAINTER: LazyLock<Painter> = LazyLock::new(|| Painter::new(Workers::new(1, 0)));
        let first = PAINTER.paint("one", opening(1), SIDE).await.unwrap();
        assert_eq!(first, png(&opening(1), SIDE));
        let (finish, finished) = std::sync::mpsc::channel::<()>();
        let other = PAINTER.workers.run(move || finished.recv().is_err());
        tokio::select! {
            biased;
            done = other => panic!("{done:?}"),
            refused = PAINTER.paint("two", opening(2), SIDE) => assert_eq!(refused, Err(NotDone::Busy)),
        }
        assert_eq!(PAINTER.paint("one", String::new(), SIDE).await, Ok(first), "no work at all");
        drop(finish);
    }

    #[test]
    fn only_the_latest_pictures_are_kept() {
        static PAINTER: LazyLock<Painter> = LazyLock::new(|| Painter::new(Workers::new(1, 0)));
        for number in 0..=KEPT_MAX {
            PAINTER.keep(number.to_string(), vec![]);
        }
        assert_eq!(PAINTER.kept("0"), None);
        assert_eq!(PAINTER.lock().len(), KEPT_MAX);
    }

    #[test]
    fn a_picture_shows_board_stones_and_numbers_without_any_font() {
        let pixels = Pixmap::decode_png(&png(&opening(3), SIDE)).unwrap();
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
