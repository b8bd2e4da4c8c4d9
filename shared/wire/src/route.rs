//! The one table of routes. The router, the OpenAPI document and the agents' documents are made
//! from it, so that they cannot drift apart.
//!
//! The status codes belong to `arena-lambda`.

use std::borrow::Cow;

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::Value;

use crate::document::Example;
use crate::problem::Code;
use crate::request::Body;
use crate::schema::{self, Make};

mod files;
mod pages;
mod table;

/// Every route. Where several match a path, the first is meant.
pub fn routes() -> impl Iterator<Item = &'static Route> {
    files::FILES.iter().chain(table::API).chain(pages::PAGES)
}

/// One operation of the API.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the rows of the table tell")]
pub enum Endpoint {
    Register,
    Me,
    Describe,
    RotateKey,
    RevokeKey,
    Join,
    Leave,
    Queue,
    Games,
    Game,
    GameText,
    Move,
    Swap,
    Offer,
    Declare,
    Resign,
    Agent,
    AgentGames,
    Leaderboard,
    RulesCheck,
    Health,
    OpenApi,
    Skill,
    Reference,
    Heartbeat,
    SkillIndex,
    Llms,
    ProblemCode,
    Duel,
    Export,
    AgentExport,
    GameSvg,
    GamePng,
    GameSgf,
    GamePsq,
    GameDiagram,
    GameJson,
    HomePage,
    ArchivePage,
    GamePage,
    RankingPage,
    AgentPage,
    PlayPage,
    AnalysisPage,
    DocsPage,
    RulesPage,
    OpeningsPage,
    PuzzlePage,
    MePage,
    EmbedPage,
    GameCard,
    SiteCard,
    Badge,
    Oembed,
    Robots,
    Sitemap,
    Manifest,
    Favicon,
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
#[allow(missing_docs, reason = "the words below tell")]
pub enum Function {
    Register,
    Queue,
    Move,
    Poll,
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
#[allow(missing_docs, reason = "the words below tell")]
pub enum Method {
    Get,
    Post,
    Patch,
    Delete,
}

impl Method {
    /// The word in a request line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
            Method::Patch => "PATCH",
            Method::Delete => "DELETE",
        }
    }
}

/// Use of the API key by a route.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Auth {
    /// The key is ignored.
    None,
    /// The answer shows more with a key.
    Optional,
    /// A request without a key is refused.
    Key,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "plain data")]
pub struct Route {
    pub endpoint: Endpoint,
    pub function: Function,
    pub method: Method,
    /// The path, with at most one part in braces.
    pub path: &'static str,
    pub summary: &'static str,
    pub description: &'static str,
    pub auth: Auth,
    query: Option<Make>,
    pub body: Option<BodySpec>,
    pub answer: Answer,
    /// Problems that do not follow from the rest of the row, in groups.
    refuses: &'static [&'static [Code]],
}

/// A query parameter.
#[derive(Debug)]
#[allow(missing_docs, reason = "plain data")]
pub struct Parameter {
    pub name: String,
    pub about: String,
    pub schema: Value,
}

/// A request body.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "plain data")]
pub struct BodySpec {
    /// The name of its type.
    pub name: fn() -> Cow<'static, str>,
    pub required: bool,
    /// A valid body.
    pub example: fn() -> Value,
    schema: Make,
}

impl BodySpec {
    /// Its JSON Schema.
    pub fn schema(&self) -> Value {
        schema::of_request(self.schema)
    }
}

/// The successful answer of a route.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "plain data")]
pub struct Answer {
    /// `None` where the answer is not a view.
    pub(crate) view: Option<View>,
    pub media: Media,
    /// True if the route creates something.
    pub created: bool,
    /// True if the answer has an ETag and may be "unchanged".
    pub cached: bool,
}

/// The type of an answer in JSON.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    name: fn() -> Cow<'static, str>,
    pub(crate) schema: Make,
    pub(crate) example: fn() -> Value,
}

impl Answer {
    /// The name of the view, or the format.
    pub fn name(&self) -> Cow<'static, str> {
        match &self.view {
            Some(view) => (view.name)(),
            None => self.media.row().0.into(),
        }
    }
}

/// The format of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the words below tell")]
pub enum Media {
    Json,
    JsonLines,
    Html,
    Svg,
    Png,
    Sgf,
    Text,
    Markdown,
    Asset,
}

impl Media {
    /// The name of the format, and its `Content-Type`.
    const fn row(self) -> (&'static str, &'static str) {
        match self {
            Media::Json => ("JSON", "application/json"),
            Media::JsonLines => ("JSON lines", "application/x-ndjson"),
            Media::Html => ("page", "text/html; charset=utf-8"),
            Media::Svg => ("SVG", "image/svg+xml"),
            Media::Png => ("PNG", "image/png"),
            Media::Sgf => ("SGF", "application/x-go-sgf"),
            Media::Text => ("text", "text/plain; charset=utf-8"),
            Media::Markdown => ("Markdown", "text/markdown; charset=utf-8"),
            Media::Asset => ("asset", "text/css; charset=utf-8"),
        }
    }

    /// The value of `Content-Type`.
    pub const fn content_type(self) -> &'static str {
        self.row().1
    }
}

/// Result of looking up a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found<'p> {
    /// A route, and the part of the path that its braces stand for.
    Route(&'static Route, Option<&'p str>),
    /// The path exists with other methods only.
    WrongMethod(Vec<Method>),
    /// The path does not exist.
    Nothing,
}

impl PartialEq for Route {
    fn eq(&self, other: &Route) -> bool {
        self.endpoint == other.endpoint
    }
}

impl Eq for Route {}

/// A route with `GET`. The builder's other methods say what is particular about it.
const fn get(endpoint: Endpoint, path: &'static str, function: Function) -> Route {
    Route {
        endpoint,
        function,
        method: Method::Get,
        path,
        summary: "",
        description: "",
        auth: Auth::None,
        query: None,
        body: None,
        answer: Answer { view: None, media: Media::Json, created: false, cached: false },
        refuses: &[],
    }
}

/// A route with `POST` and a body, of which an example is given.
const fn post<T: Body>(
    endpoint: Endpoint,
    path: &'static str,
    function: Function,
    example: fn() -> Value,
) -> Route {
    let (name, schema) = (T::schema_name as fn() -> Cow<'static, str>, T::json_schema as Make);
    let body = Some(BodySpec { name, required: true, schema, example });
    Route { method: Method::Post, body, ..get(endpoint, path, function) }
}

/// The builder.
impl Route {
    const fn about(self, summary: &'static str) -> Route {
        Route { summary, ..self }
    }

    const fn note(self, description: &'static str) -> Route {
        Route { description, ..self }
    }

    /// A request without an API key is refused.
    const fn key(self) -> Route {
        Route { auth: Auth::Key, ..self }
    }

    /// The answer shows more with an API key.
    const fn key_optional(self) -> Route {
        Route { auth: Auth::Optional, ..self }
    }

    const fn query<T: JsonSchema>(self) -> Route {
        Route { query: Some(T::json_schema), ..self }
    }

    /// A request without a body is as good as one with an empty object.
    const fn body_optional(self) -> Route {
        let Some(body) = self.body else { panic!("there is no body") };
        Route { body: Some(BodySpec { required: false, ..body }), ..self }
    }

    const fn answers<T: Example>(self) -> Route {
        let schema: Make = SchemaGenerator::subschema_for::<T>;
        let view = View { name: T::schema_name, schema, example: T::example };
        Route { answer: Answer { view: Some(view), ..self.answer }, ..self }
    }

    /// The answer has an ETag.
    const fn cached(self) -> Route {
        Route { answer: Answer { cached: true, ..self.answer }, ..self }
    }

    /// The answer is a document or a file, with an ETag.
    const fn file(self, media: Media) -> Route {
        Route { answer: Answer { media, ..self.answer }, ..self }.cached()
    }

    const fn creates(self) -> Route {
        Route { answer: Answer { created: true, ..self.answer }, ..self }
    }

    const fn refuses(self, refuses: &'static [&'static [Code]]) -> Route {
        Route { refuses, ..self }
    }
}

impl Route {
    /// The route for a method and a path (without its query). `HEAD` is a `GET` whose body the
    /// server leaves out.
    pub fn find<'p>(method: &str, path: &'p str) -> Found<'p> {
        let method = if method == "HEAD" { "GET" } else { method };
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

    /// True for a page for people, which is no part of the API.
    pub fn is_page(&self) -> bool {
        matches!(self.answer.media, Media::Html | Media::Asset)
    }

    /// True if it takes query parameters.
    pub fn has_query(&self) -> bool {
        self.query.is_some()
    }

    /// The query parameters.
    pub fn parameters(&self) -> Vec<Parameter> {
        let mut schema = self.query.map(schema::of_request).unwrap_or_default();
        let Some(Value::Object(properties)) = schema.get_mut("properties").map(Value::take) else {
            return Vec::new();
        };
        let parameter = |(name, mut schema): (String, Value)| {
            schema::not_null(&mut schema);
            let about = schema.as_object_mut().and_then(|schema| schema.remove("description"));
            let about =
                about.as_ref().and_then(Value::as_str).unwrap_or_default().replace('\n', " ");
            Parameter { name, about, schema }
        };
        properties.into_iter().map(parameter).collect()
    }

    /// Every code it may answer with: most follow from the row.
    pub fn codes(&self) -> impl Iterator<Item = Code> {
        let all: &[Code] = &[
            Code::Malformed,
            Code::MethodNotAllowed,
            Code::RateLimited,
            Code::Busy,
            Code::Internal,
        ];
        let body: &[Code] = &[Code::PayloadTooLarge, Code::UnsupportedMediaType];
        let when = |holds: bool, codes: &'static [Code]| if holds { codes } else { &[] };
        let followed = [
            all,
            when(self.auth != Auth::None, &[Code::Unauthenticated, Code::Banned]),
            when(self.body.is_some(), body),
            when(self.path.contains('{'), &[Code::NotFound]),
        ];
        followed.into_iter().chain(self.refuses.iter().copied()).flatten().copied()
    }
}
