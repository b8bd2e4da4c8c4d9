//! The rows of documents and of games as files.

use serde_json::json;

use super::table::{ANY, EXPORT_LIMIT, INPUT, NEXT, PATH, RULESET};
use super::{Answer, Auth, Endpoint, Function, Media, Method, Parameter, Route};
use crate::query::THEMES;

const fn answer(view: &'static str, media: Media) -> Answer {
    Answer { view, media, created: false, cached: true }
}

/// How a picture is asked for.
const PICTURE: &[Parameter] = &[
    Parameter {
        name: "turn",
        summary: "after how many decisions; the game as it is if absent",
        schema: || json!({"type": "integer", "minimum": 0, "maximum": u32::MAX}),
    },
    Parameter {
        name: "theme",
        summary: "the colours; page leaves them to the page that shows the picture",
        schema: || json!({"enum": THEMES, "default": THEMES[0]}),
    },
];

/// Documents for agents, and games as files. They come before the API, whose `/games/{id}` would
/// match a file's name too. A gateway routes by whole segments of a path, so a game's file is
/// answered by the function that answers the game.
pub(super) static FILES: &[Route] = &[
    Route {
        endpoint: Endpoint::OpenApi,
        function: Function::Spectate,
        method: Method::Get,
        path: "/openapi.json",
        summary: "the API as an OpenAPI 3.1 document",
        description: "",
        auth: Auth::None,
        query: &[],
        body: None,
        answer: answer("OpenApi", Media::Json),
        codes: &[ANY],
    },
    Route {
        endpoint: Endpoint::Skill,
        function: Function::Spectate,
        method: Method::Get,
        path: "/SKILL.md",
        summary: "how to play, for a language model with curl",
        description: "",
        auth: Auth::None,
        query: &[],
        body: None,
        answer: answer("Skill", Media::Markdown),
        codes: &[ANY],
    },
    Route {
        endpoint: Endpoint::Heartbeat,
        function: Function::Spectate,
        method: Method::Get,
        path: "/HEARTBEAT.md",
        summary: "how to play from a cron job",
        description: "",
        auth: Auth::None,
        query: &[],
        body: None,
        answer: answer("Heartbeat", Media::Markdown),
        codes: &[ANY],
    },
    Route {
        endpoint: Endpoint::SkillIndex,
        function: Function::Spectate,
        method: Method::Get,
        path: "/skill.json",
        summary: "what the skill is, for a catalogue",
        description: "",
        auth: Auth::None,
        query: &[],
        body: None,
        answer: answer("SkillIndex", Media::Json),
        codes: &[ANY],
    },
    Route {
        endpoint: Endpoint::Llms,
        function: Function::Spectate,
        method: Method::Get,
        path: "/llms.txt",
        summary: "where a language model finds what",
        description: "",
        auth: Auth::None,
        query: &[],
        body: None,
        answer: answer("Llms", Media::Text),
        codes: &[ANY],
    },
    Route {
        endpoint: Endpoint::Export,
        function: Function::Spectate,
        method: Method::Get,
        path: "/games/export.ndjson",
        summary: "finished games, the newest first, one JSON document a line",
        description: "Each line is a game as GET /games/{id}.json shows it, without legal_moves. Where the \
                      header Link names a next page the list goes on.",
        auth: Auth::None,
        query: &[RULESET, EXPORT_LIMIT, NEXT],
        body: None,
        answer: answer("GameView", Media::JsonLines),
        codes: &[ANY, INPUT],
    },
    Route {
        endpoint: Endpoint::GameSvg,
        function: Function::Poll,
        method: Method::Get,
        path: "/games/{id}.svg",
        summary: "a picture of the board",
        description: "An SVG with coordinates, numbered stones, the last move, forbidden points, \
                      offers and the proof of a foul.",
        auth: Auth::None,
        query: PICTURE,
        body: None,
        answer: answer("Svg", Media::Svg),
        codes: &[ANY, INPUT, PATH],
    },
    Route {
        endpoint: Endpoint::GameSgf,
        function: Function::Poll,
        method: Method::Get,
        path: "/games/{id}.sgf",
        summary: "the game as SGF",
        description: "FF[4], GM[4]. Swaps, declarations and offers stand in comments.",
        auth: Auth::None,
        query: &[],
        body: None,
        answer: answer("Sgf", Media::Sgf),
        codes: &[ANY, PATH],
    },
    Route {
        endpoint: Endpoint::GamePsq,
        function: Function::Poll,
        method: Method::Get,
        path: "/games/{id}.psq",
        summary: "the game as a Piskvork record",
        description: "Stones and times only: the format knows no swaps and no offers.",
        auth: Auth::None,
        query: &[],
        body: None,
        answer: answer("Psq", Media::Text),
        codes: &[ANY, PATH],
    },
    Route {
        endpoint: Endpoint::GameText,
        function: Function::Poll,
        method: Method::Get,
        path: "/games/{id}.txt",
        summary: "the board as a diagram",
        description: "x is black, o is white, 3, 4 and 6 are forbidden points.",
        auth: Auth::None,
        query: &[],
        body: None,
        answer: answer("Text", Media::Text),
        codes: &[ANY, PATH],
    },
    Route {
        endpoint: Endpoint::GameJson,
        function: Function::Poll,
        method: Method::Get,
        path: "/games/{id}.json",
        summary: "the game as everybody sees it",
        description: "As it was right after the last decision.",
        auth: Auth::None,
        query: &[],
        body: None,
        answer: answer("GameView", Media::Json),
        codes: &[ANY, PATH],
    },
    Route {
        endpoint: Endpoint::GamePng,
        function: Function::Spectate,
        method: Method::Get,
        path: "/games/{id}/board.png",
        summary: "a picture of the board for those who cannot show an SVG",
        description: "",
        auth: Auth::None,
        query: PICTURE,
        body: None,
        answer: answer("Png", Media::Png),
        codes: &[ANY, INPUT, PATH],
    },
];
