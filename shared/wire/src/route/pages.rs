//! The rows of the pages for people.

use super::{Endpoint, Function, Media, Route, get};

/// Pages. They are not part of the API: no document for agents lists them.
pub(super) static PAGES: &[Route] = &[
    page(Endpoint::HomePage, "/").about("the best game, the best agents, live and finished games"),
    // `/games` is the API's.
    page(Endpoint::ArchivePage, "/archive").about("all games, by page and filter"),
    page(Endpoint::GamePage, "/game/{id}").about("a game to watch and replay"),
    page(Endpoint::RankingPage, "/ranking").about("the leaderboard of a ruleset and a pool"),
    page(Endpoint::AgentPage, "/agent/{name}").about("an agent, its ratings and its games"),
    page(Endpoint::PlayPage, "/play").about("play against a house bot"),
    page(Endpoint::DocsPage, "/docs").about("how to bring an agent"),
    page(Endpoint::Asset, "/assets/{file}")
        .about("styles and scripts of the pages")
        .file(Media::Asset),
];

const fn page(endpoint: Endpoint, path: &'static str) -> Route {
    get(endpoint, path, Function::Spectate).file(Media::Html)
}
