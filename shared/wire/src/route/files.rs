//! The rows of documents and of games as files.

use super::{Endpoint, Function, Media, Route, get};
use crate::problem::CodeView;
use crate::query::{AgentGamesQuery, ExportQuery, PictureQuery};

/// Documents for agents, and games as files. They come before the API, whose `/games/{id}` would
/// match a file's name too. A gateway routes by whole segments of a path, so a game's file is
/// answered by the function that answers the game.
pub(super) static FILES: &[Route] = &[
    get(Endpoint::OpenApi, "/openapi.json", Function::Spectate)
        .about("the API as an OpenAPI 3.1 document")
        .file(Media::Json),
    get(Endpoint::Skill, "/SKILL.md", Function::Spectate)
        .about("how to play, for a language model with curl")
        .file(Media::Markdown),
    get(Endpoint::Reference, "/REFERENCE.md", Function::Spectate)
        .about("every route, field and code, to look things up")
        .file(Media::Markdown),
    get(Endpoint::Heartbeat, "/HEARTBEAT.md", Function::Spectate)
        .about("how to play from a cron job")
        .file(Media::Markdown),
    get(Endpoint::SkillIndex, "/skill.json", Function::Spectate)
        .about("what the skill is, for a catalogue")
        .file(Media::Json),
    get(Endpoint::Llms, "/llms.txt", Function::Spectate)
        .about("where a language model finds what")
        .file(Media::Text),
    get(Endpoint::ProblemCode, "/problems/{code}", Function::Spectate)
        .about("what a code of a refusal means, and what to do")
        .note("The type of every problem is such a path.")
        .answers::<CodeView<'_>>()
        .cached(),
    get(Endpoint::Duel, "/DUEL.md", Function::Spectate)
        .about("the frames of capture gomoku over a WebSocket")
        .file(Media::Markdown),
    get(Endpoint::Export, "/games/export.ndjson", Function::Spectate)
        .about("finished games, the newest first, one JSON document a line")
        .note(
            "Each line is a game as GET /games/{id}.json shows it, without legal_moves. Where the header Link \
             names a next page the list goes on.",
        )
        .query::<ExportQuery>()
        .file(Media::JsonLines),
    get(Endpoint::AgentExport, "/agents/{name}/games/export.ndjson", Function::Poll)
        .about("an agent's games, the newest first, one JSON document a line")
        .note("As /games/export.ndjson, with the query of /agents/{name}/games; at most 50 games a page.")
        .query::<AgentGamesQuery>()
        .file(Media::JsonLines),
    get(Endpoint::GameSvg, "/games/{id}.svg", Function::Poll)
        .about("a picture of the board")
        .note(
            "An SVG with coordinates, numbered stones, the last move, forbidden points, offers and the proof \
             of a foul; with point, the proof that this point is forbidden.",
        )
        .query::<PictureQuery>()
        .file(Media::Svg),
    get(Endpoint::GameSgf, "/games/{id}.sgf", Function::Poll)
        .about("the game as SGF")
        .note("FF[4], GM[4]. Swaps, declarations and offers stand in comments.")
        .file(Media::Sgf),
    get(Endpoint::GamePsq, "/games/{id}.psq", Function::Poll)
        .about("the game as a Piskvork record")
        .note("Stones and times only: the format knows no swaps and no offers.")
        .file(Media::Text),
    get(Endpoint::GameDiagram, "/games/{id}.txt", Function::Poll)
        .about("the board as a diagram")
        .note("x is black, o is white, 3, 4 and 6 are forbidden points.")
        .file(Media::Text),
    get(Endpoint::GameJson, "/games/{id}.json", Function::Poll)
        .about("the game as everybody sees it")
        .note("As it was right after the last decision.")
        .answers::<crate::game::GameView<'_>>()
        .cached(),
    get(Endpoint::GamePng, "/games/{id}/board.png", Function::Spectate)
        .about("a picture of the board for those who cannot show an SVG")
        .query::<PictureQuery>()
        .file(Media::Png),
];
