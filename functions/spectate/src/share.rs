//! What other sites show of the arena: cards for shared links, oEmbed, and files for crawlers.

use arena::{Game, GameId};
use arena_lambda::{
    Context, Keep, Refusal, Reply, cached, ok, query, query_of, varied_by_site, written,
};
use arena_wire::{Code, Detail, GameView, Media, OembedQuery, OembedView, PictureQuery};
use lambda_http::Request;
use renju::{Color, Position, Ruleset};
use renju_picture::{CARD_HEIGHT, CARD_WIDTH, Card, CardPlayer, Scene, card};

use crate::{STILL, cards, png, words};

/// `GET /games/{id}/card.png`.
pub(crate) async fn game_card(context: &Context, request: &Request, id: GameId) -> Reply {
    let query: PictureQuery = query(request)?;
    let (game, is_settled) = arena_protocol::game_at(&context.store, id, query.turn()).await?;
    png::answer(request, draw(&game), CARD_WIDTH, is_settled).await
}

/// SVG of the card of a game.
fn draw(game: &Game) -> String {
    let ratings = Color::BOTH.map(|color| {
        let rating = game.player(color).rating;
        let doubt = if rating.is_provisional() { "?" } else { "" };
        format!("{} ± {}{doubt}", rating.value.round(), rating.deviation.round())
    });
    let [black, white] = ratings;
    let player = |color, rating| CardPlayer {
        name: game.player(color).name.as_str(),
        rating,
        won: game.result().and_then(|result| result.winner).map(|seat| game.color_of(seat))
            == Some(color),
    };
    let view = GameView::new(game, None, game.last_at(), Detail::BRIEF);
    let opening = view.opening.map(|opening| format!("Opening: {}", opening.name));
    let mut about = vec![words::short(game.ruleset())];
    about.extend(opening.as_deref());
    let card_of = Card {
        players: Some([player(Color::Black, black), player(Color::White, white)]),
        headline: &headline(game),
        about: &about,
    };
    card(&cards::scene(game), &card_of)
}

/// State of the game in a few words; the names stand above it.
fn headline(game: &Game) -> String {
    let words = words::brief(game);
    if game.result().is_none() {
        return format!("Live: {words}");
    }
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Position on the card of the arena, with a forbidden point.
const SHOWN: &str = "h8 g7 i9 e5 h9 h10 h7 h6 g8 i8";

/// `GET /card.png`.
pub(crate) async fn site_card(request: &Request) -> Reply {
    let free = Ruleset::find("renju_free").map(Position::new).expect("the ruleset is in the table");
    let plays = SHOWN.split(' ').filter_map(|word| word.parse().ok());
    let scene = Scene::after(free, plays, true).expect("the position is legal");
    let about = Card {
        players: None,
        headline: "Programs play Renju and Gomoku for rating. Every rule is enforced.",
        about: &["Watch. Play a bot. Bring your own."],
    };
    png::answer(request, card(&scene, &about), CARD_WIDTH, true).await
}

/// Usual width and height of a frame with a game: the board is square, the players are below it.
const FRAME: (u32, u32) = (480, 600);

/// `GET /oembed`: JSON that lets another site show a game in a frame.
pub(crate) async fn oembed(context: &Context, request: &Request) -> Reply {
    let query: OembedQuery = query_of(request, |name| OembedQuery::NAMES.contains(&name))?;
    let origin = context.base_url(request);
    let missing = || Refusal::plain(Code::NotFound, "url is not the page of a game of this arena");
    let id: GameId = query.game(&origin).and_then(|id| id.parse().ok()).ok_or_else(missing)?;
    let game = arena_protocol::game(&context.store, id).await?;
    let [black, white] = Color::BOTH.map(|color| &game.player(color).name);
    let (width, height) = query.frame(FRAME);
    let title = format!("{black} – {white}");
    let view = OembedView {
        version: "1.0",
        kind: "rich",
        provider_name: "Renju Arena",
        thumbnail_url: format!("{origin}/games/{id}/card.png"),
        thumbnail_width: CARD_WIDTH,
        thumbnail_height: CARD_HEIGHT,
        // Names and ids have no character that HTML would read.
        html: format!(
            "<iframe src=\"{origin}/embed/{id}\" title=\"{title}\" width=\"{width}\" height=\"{height}\" frameborder=\"0\"></iframe>"
        ),
        title,
        provider_url: origin,
        width,
        height,
    };
    varied_by_site(cached(request, ok(&view), STILL))
}

/// Pages that a search engine should know.
const PAGES: [&str; 7] = ["/", "/ranking", "/play", "/rules", "/openings", "/puzzle", "/docs"];

const DAY: Keep = Keep::Seconds(86_400);

/// `GET /robots.txt`. Games without end are not worth a crawler's time, nor ours.
pub(crate) fn robots(context: &Context, request: &Request) -> Reply {
    let origin = context.base_url(request);
    let text = format!(
        "User-agent: *\nDisallow: /games\nDisallow: /agents\nDisallow: /queue\nDisallow: /me\nDisallow: /embed\nDisallow: /game/*?pair=\nAllow: /games/*/card.png\n\nSitemap: {origin}/sitemap.xml\n"
    );
    varied_by_site(cached(request, written(Media::Text.content_type(), text), DAY))
}

/// `GET /sitemap.xml`.
pub(crate) fn sitemap(context: &Context, request: &Request) -> Reply {
    let origin = context.base_url(request);
    let rules = Ruleset::ALL.iter().map(|ruleset| format!("/rules?ruleset={}", ruleset.id));
    let pages = PAGES.into_iter().map(str::to_owned).chain(rules);
    let rows: String =
        pages.map(|page| format!("<url><loc>{origin}{page}</loc></url>\n")).collect();
    let xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{rows}</urlset>\n"
    );
    varied_by_site(cached(request, written("application/xml; charset=utf-8", xml), DAY))
}

/// `GET /site.webmanifest`.
pub(crate) fn manifest(request: &Request) -> Reply {
    let body = include_str!("../assets/site.webmanifest");
    cached(request, written("application/manifest+json", body), DAY)
}

/// `GET /favicon.ico`, for those who do not read the page: the same drawing as its icon.
pub(crate) fn favicon(request: &Request) -> Reply {
    let body = include_str!("../assets/icon.svg");
    cached(request, written(Media::Svg.content_type(), body), DAY)
}
