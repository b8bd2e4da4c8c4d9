//! The one table of routes. The router, the OpenAPI document and the agents' documents are made
//! from it, so that they cannot drift apart.
//!
//! It holds no status code: those belong to whoever speaks HTTP.

use serde_json::Value;

use crate::problem::Code;

mod files;
mod pages;
mod table;

/// Every route. Where several match a path, the first is meant.
pub fn routes() -> impl Iterator<Item = &'static Route> {
    files::FILES.iter().chain(table::API).chain(pages::PAGES)
}

/// One operation of the API.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Endpoint {
    /// A new agent.
    Register,
    /// The agent about itself.
    Me,
    /// A new API key.
    RotateKey,
    /// The end of the previous API key.
    RevokeKey,
    /// Into the queue.
    Join,
    /// Out of the queue.
    Leave,
    /// The agent's place in the queue.
    Queue,
    /// A list of games.
    Games,
    /// A game.
    Game,
    /// A stone, or a choice among offers.
    Move,
    /// A swap decision.
    Swap,
    /// An offer of fifth moves.
    Offer,
    /// A number of fifth moves.
    Declare,
    /// Resignation.
    Resign,
    /// An agent.
    Agent,
    /// A list of an agent's games.
    AgentGames,
    /// The leaderboard.
    Leaderboard,
    /// The referee as a service.
    RulesCheck,
    /// Whether the arena is up.
    Health,
    /// The API as an OpenAPI document.
    OpenApi,
    /// How to play, for a language model.
    Skill,
    /// How to play from a cron job.
    Heartbeat,
    /// What the skill is, for a catalogue.
    SkillIndex,
    /// Where to find what, for a language model.
    Llms,
    /// Finished games, one a line.
    Export,
    /// A game's picture.
    GameSvg,
    /// A game's picture, for those who cannot show an SVG.
    GamePng,
    /// A game as SGF.
    GameSgf,
    /// A game as PSQ.
    GamePsq,
    /// A game as a diagram.
    GameText,
    /// A game as JSON.
    GameJson,
    /// The page of live games.
    HomePage,
    /// The page of a game.
    GamePage,
    /// The page of a leaderboard.
    RankingPage,
    /// The page of an agent.
    AgentPage,
    /// The page to play on.
    PlayPage,
    /// The page for authors of agents.
    DocsPage,
    /// Styles and scripts of the pages.
    Asset,
}

impl Endpoint {
    /// The row of the table.
    pub fn route(self) -> &'static Route {
        let row = routes().find(|route| route.endpoint == self);
        row.expect("every endpoint has a route")
    }
}

/// The function of a deployment that answers a route.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Function {
    /// Agents and their keys.
    Register,
    /// The queue.
    Queue,
    /// Every decision of a player.
    Move,
    /// What only reads and is asked often.
    Poll,
    /// Pages, pictures and documents.
    Spectate,
}

impl Function {
    /// Its folder under `functions/`, and its name in a deployment.
    pub const fn id(self) -> &'static str {
        match self {
            Function::Register => "register",
            Function::Queue => "queue",
            Function::Move => "move",
            Function::Poll => "poll",
            Function::Spectate => "spectate",
        }
    }
}

/// An HTTP method.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Method {
    /// Reads.
    Get,
    /// Changes something, or asks with a body.
    Post,
    /// Removes something.
    Delete,
}

impl Method {
    /// As it stands in a request line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
            Method::Delete => "DELETE",
        }
    }
}

/// Whether a route wants an API key.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Auth {
    /// It does not look at one.
    None,
    /// It shows more with one.
    Optional,
    /// It refuses without one.
    Key,
}

/// A row of the table.
#[derive(Debug)]
pub struct Route {
    /// Which operation it is.
    pub endpoint: Endpoint,
    /// Which function answers it.
    pub function: Function,
    /// The method.
    pub method: Method,
    /// The path, with at most one part in braces.
    pub path: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// What an agent must know to use it.
    pub description: &'static str,
    /// Whether it wants an API key.
    pub auth: Auth,
    /// The query parameters.
    pub query: &'static [Parameter],
    /// The body.
    pub body: Option<BodySpec>,
    /// What it answers when all is well.
    pub answer: Answer,
    /// What it answers otherwise, in groups.
    codes: &'static [&'static [Code]],
}

/// A query parameter.
#[derive(Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub summary: &'static str,
    /// The JSON Schema of its value.
    pub schema: fn() -> Value,
}

/// A request body.
#[derive(Debug)]
pub struct BodySpec {
    /// The name of its type.
    pub name: &'static str,
    /// Whether there must be one.
    pub required: bool,
    /// Its JSON Schema.
    pub schema: fn() -> &'static Value,
    /// A body that is read without complaint.
    pub example: fn() -> Value,
}

/// What a route answers when all is well.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The name of the view.
    pub view: &'static str,
    /// What it is written in.
    pub media: Media,
    /// Whether something new was made.
    pub created: bool,
    /// Whether the answer has an ETag and may be "unchanged".
    pub cached: bool,
}

/// What an answer is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Media {
    /// JSON.
    Json,
    /// One JSON document a line.
    JsonLines,
    /// A page.
    Html,
    /// A drawing.
    Svg,
    /// A picture.
    Png,
    /// Smart Game Format.
    Sgf,
    /// Plain text.
    Text,
    /// Markdown.
    Markdown,
    /// A style sheet or a script, by its name.
    Asset,
}

impl Media {
    /// As it stands in `Content-Type`.
    pub const fn content_type(self) -> &'static str {
        match self {
            Media::Json => "application/json",
            Media::JsonLines => "application/x-ndjson",
            Media::Html => "text/html; charset=utf-8",
            Media::Svg => "image/svg+xml",
            Media::Png => "image/png",
            Media::Sgf => "application/x-go-sgf",
            Media::Text => "text/plain; charset=utf-8",
            Media::Markdown => "text/markdown; charset=utf-8",
            Media::Asset => "text/css; charset=utf-8",
        }
    }
}

/// What a path leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found<'p> {
    /// A route, and the part of the path that its braces stand for.
    Route(&'static Route, Option<&'p str>),
    /// The path exists with other methods only.
    WrongMethod(Vec<Method>),
    /// There is nothing there.
    Nothing,
}

impl PartialEq for Route {
    fn eq(&self, other: &Route) -> bool {
        self.endpoint == other.endpoint
    }
}

impl Eq for Route {}

impl Route {
    /// The route for a method and a path (without its query).
    pub fn find<'p>(method: &str, path: &'p str) -> Found<'p> {
        let mut others = Vec::new();
        for route in routes() {
            let Some(part) = route.matches(path) else { continue };
            if route.method.as_str() == method {
                return Found::Route(route, part);
            }
            others.push(route.method);
        }
        others.dedup();
        if others.is_empty() { Found::Nothing } else { Found::WrongMethod(others) }
    }

    /// `Some` if the path has the form of this one, with the part its braces stand for.
    fn matches<'p>(&self, path: &'p str) -> Option<Option<&'p str>> {
        let Some((before, rest)) = self.path.split_once('{') else {
            return (self.path == path).then_some(None);
        };
        let (_, after) = rest.split_once('}')?;
        let part = path.strip_prefix(before)?.strip_suffix(after)?;
        (!part.is_empty() && !part.contains('/')).then_some(Some(part))
    }

    /// The path with its braces filled in.
    pub fn path_with(&self, part: &str) -> String {
        match (self.path.split_once('{'), self.path.split_once('}')) {
            (Some((before, _)), Some((_, after))) => format!("{before}{part}{after}"),
            _ => self.path.into(),
        }
    }

    /// The name in the path's braces.
    pub fn path_parameter(&self) -> Option<&'static str> {
        let (_, rest) = self.path.split_once('{')?;
        rest.split_once('}').map(|(name, _)| name)
    }

    /// Every code it may answer with.
    pub fn codes(&self) -> impl Iterator<Item = Code> {
        self.codes.iter().flat_map(|group| group.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn found(method: &str, path: &str) -> Option<(Endpoint, Option<String>)> {
        match Route::find(method, path) {
            Found::Route(route, part) => Some((route.endpoint, part.map(Into::into))),
            _ => None,
        }
    }

    #[test]
    fn every_route_is_found_by_its_own_path() {
        let mut seen = HashSet::new();
        for route in routes() {
            assert!(seen.insert((route.method, route.path)), "{}", route.path);
            let part = route.path_parameter().map(|_| "some_part");
            let path = route.path_with("some_part");
            assert_eq!(Route::find(route.method.as_str(), &path), Found::Route(route, part));
            assert_eq!(route.endpoint.route(), route);
            let codes: Vec<Code> = route.codes().collect();
            assert_eq!(codes.iter().collect::<HashSet<_>>().len(), codes.len(), "{}", route.path);
        }
        assert_eq!(routes().count(), 38);
    }

    #[test]
    fn paths_are_matched_whole() {
        let me = Some((Endpoint::Me, None));
        assert_eq!(found("GET", "/agents/me"), me);
        let alice = Some((Endpoint::Agent, Some("alice".into())));
        assert_eq!(found("GET", "/agents/alice"), alice);
        let game = Some((Endpoint::Move, Some("abc".into())));
        assert_eq!(found("POST", "/games/abc/move"), game);
        for path in ["", "/games/", "/games//move", "/games/a/b/move", "/games/a/moves", "/Health"]
        {
            assert_eq!(Route::find("GET", path), Found::Nothing, "{path}");
        }
        assert_eq!(Route::find("PUT", "/queue"), Found::WrongMethod(vec![Method::Get]));
        assert_eq!(Route::find("GET", "/games/a/move"), Found::WrongMethod(vec![Method::Post]));
    }

    #[test]
    fn every_code_is_some_routes() {
        for code in Code::ALL {
            assert!(routes().any(|route| route.codes().any(|other| other == code)));
        }
    }
}
