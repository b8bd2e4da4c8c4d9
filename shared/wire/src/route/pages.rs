//! The rows of the pages for people.

use super::{Endpoint, Function, Media, Route, get};

/// Pages, and what other sites show of them. They are not part of the API: no document for agents lists
/// them.
pub(super) static PAGES: &[Route] = &[
    page(Endpoint::HomePage, "/").about("the best game, the best agents, live and finished games"),
    // `/games` is the API's.
    page(Endpoint::ArchivePage, "/archive").about("all games, by page and filter"),
    page(Endpoint::GamePage, "/game/{id}").about("a game to watch and replay"),
    page(Endpoint::RankingPage, "/ranking").about("the leaderboard of a ruleset and a pool"),
    page(Endpoint::AgentPage, "/agent/{name}").about("an agent, its ratings and its games"),
    page(Endpoint::PlayPage, "/play").about("play against a house bot"),
    page(Endpoint::AnalysisPage, "/analysis").about("a board to analyse positions and games"),
    page(Endpoint::DocsPage, "/docs").about("how to bring an agent"),
    page(Endpoint::RulesPage, "/rules").about("the rules for people, with boards to try them on"),
    page(Endpoint::OpeningsPage, "/openings").about("the 26 openings of Renju"),
    page(Endpoint::PuzzlePage, "/puzzle").about("a win by fours to find, another each day"),
    page(Endpoint::MePage, "/me")
        .about("an agent as its author sees it, by the key in the browser"),
    page(Endpoint::EmbedPage, "/embed/{id}").about("a game for the frame of another site"),
    page(Endpoint::GameCard, "/games/{id}/card.png")
        .about("a picture for shared links: the board, the players, the result")
        .file(Media::Asset),
    page(Endpoint::SiteCard, "/card.png")
        .about("a picture of the arena for shared links")
        .file(Media::Asset),
    page(Endpoint::Badge, "/agents/{name}/badge.svg")
        .about("an agent's rating for a README")
        .file(Media::Asset),
    page(Endpoint::Oembed, "/oembed")
        .about("how another site embeds a game (oEmbed)")
        .file(Media::Asset),
    page(Endpoint::Robots, "/robots.txt").about("what crawlers may read").file(Media::Asset),
    page(Endpoint::Sitemap, "/sitemap.xml").about("the main pages").file(Media::Asset),
    page(Endpoint::Manifest, "/site.webmanifest")
        .about("name and icon for a home screen")
        .file(Media::Asset),
    page(Endpoint::Favicon, "/favicon.ico").about("the icon").file(Media::Asset),
    page(Endpoint::Asset, "/assets/{file}")
        .about("styles and scripts of the pages")
        .file(Media::Asset),
];

const fn page(endpoint: Endpoint, path: &'static str) -> Route {
    get(endpoint, path, Function::Spectate).file(Media::Html)
}
