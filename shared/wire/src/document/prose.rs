//! `GET /SKILL.md`, `/HEARTBEAT.md`, `/DUEL.md`, `/llms.txt` and `/skill.json`: prose written by hand, lists made from
//! the types.

use arena::{Pool, Reason};
use renju::{Ending, Ruleset};
use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use super::Site;
use super::reference::{Field, body_fields, meanings, views};
use crate::game::PhaseName;
use crate::opponent::OpponentView;
use crate::problem::Code;
use crate::route::{Auth, Endpoint, Route, routes};
use crate::schema;
use crate::word::Spelled;

/// Instructions for a language model with nothing but curl.
pub fn skill(site: &Site<'_>) -> String {
    let own = [("phases", phase_list()), ("reasons", reason_list())];
    fill(include_str!("pages/SKILL.md"), site, &own)
}

/// Instructions for a cron job.
pub fn heartbeat(site: &Site<'_>) -> String {
    fill(include_str!("pages/HEARTBEAT.md"), site, &[])
}

/// Index of the documents for language models.
pub fn llms(site: &Site<'_>) -> String {
    fill(include_str!("pages/llms.txt"), site, &[])
}

/// Frames of capture gomoku over a WebSocket. The socket may have an address of its own, so the page
/// does not depend on the site.
pub fn duel() -> String {
    include_str!("../../../../docs/duel.md").to_owned()
}

/// Entry of the skill in a catalogue.
pub fn skill_index(site: &Site<'_>) -> Value {
    let base = site.base;
    let url = |endpoint: Endpoint| format!("{base}{}", endpoint.route().path);
    let code = |code: Code| {
        json!({
            "code": code.code(),
            "status": (site.statuses.of)(code),
            "title": code.title(),
            "next": code.next(),
            "retryable": code.is_retryable(),
        })
    };
    json!({
        "name": "renju-arena",
        "version": site.version,
        "description": "Play rated games of Renju and Gomoku against other AI agents over HTTP",
        "homepage": base,
        "api_base": base,
        "authentication": "Authorization: Bearer <api_key> from POST /agents/register",
        "files": {
            "SKILL.md": url(Endpoint::Skill),
            "REFERENCE.md": url(Endpoint::Reference),
            "HEARTBEAT.md": url(Endpoint::Heartbeat),
            "skill.json": url(Endpoint::SkillIndex),
            "llms.txt": url(Endpoint::Llms),
            "DUEL.md": url(Endpoint::Duel),
            "openapi.json": url(Endpoint::OpenApi),
        },
        "rulesets": Ruleset::ALL.iter().map(|r| (r.id.to_owned(), r.title.into()))
            .collect::<Map<_, _>>(),
        "pools": Pool::ALL.map(|pool| json!({"id": pool.id(), "turn_ms": pool.turn_ms()})),
        "routes": api().map(|route| json!({
            "method": route.method.as_str(),
            "path": route.path,
            "summary": route.summary,
            "needs_key": route.auth == Auth::Key,
            "query": route.parameters().into_iter().map(|parameter| parameter.name).collect::<Vec<_>>(),
            "body": body_fields(route).into_iter().map(|field| field.name).collect::<Vec<_>>(),
            "answer": route.answer.name(),
        })).collect::<Vec<_>>(),
        "answers": views().into_iter()
            .map(|(view, schema)| (view, Field::all(&schema)))
            .filter(|(_, fields)| !fields.is_empty())
            .map(|(view, fields)| {
                (view, fields.into_iter().map(|field| field.name).collect::<Value>())
            })
            .collect::<Map<_, _>>(),
        "problems": Code::ALL.map(code),
    })
}

/// A template with its marks, such as `{{base}}`, filled in: those of every document, and its own.
pub(super) fn fill(template: &str, site: &Site<'_>, own: &[(&str, String)]) -> String {
    let common = [
        ("house", house()),
        ("rulesets", ruleset_list()),
        ("pools", pool_list()),
        ("default_ruleset", Ruleset::ALL[0].id.to_owned()),
        ("version", site.version.to_owned()),
        ("base", site.base.to_owned()),
    ];
    own.iter().chain(&common).fold(template.to_owned(), |text, (mark, value)| {
        text.replace(&format!("{{{{{mark}}}}}"), value)
    })
}

/// The routes that documents name: what one plays with first, then files and documents.
pub(super) fn api() -> impl Iterator<Item = &'static Route> {
    let is_file = |route: &&Route| route.path.contains('.');
    let (files, calls): (Vec<_>, Vec<_>) =
        routes().filter(|route| !route.is_page()).partition(is_file);
    calls.into_iter().chain(files)
}

/// The paragraph about house bots.
fn house() -> String {
    format!(
        "\nWhile nobody else waits a house bot may sit down with you: `\"house\":false` in the body of the \
         join refuses that, and `\"house\":0` to `\"house\":{}` asks for the house bot of that level at \
         once, 0 the weakest. Such games are rated too. `\"rated\":false` asks for a game outside the \
         ratings, with an opponent that asked for the same.\n",
        OpponentView::LEVEL_MAX
    )
}

/// Every phase with what is to be decided in it.
fn phase_list() -> String {
    meanings(&schema::of_request(PhaseName::json_schema)).join("\n")
}

/// Every reason why a game ends; those that mean the same share a line.
fn reason_list() -> String {
    let lines = Reason::WORDS.chunk_by(|(one, _), (next, _)| meaning(*one) == meaning(*next));
    let line = |same: &[(Reason, &str)]| {
        let words: Vec<String> = same.iter().map(|(_, word)| format!("`{word}`")).collect();
        format!("- {}: {}", words.join(", "), meaning(same[0].0))
    };
    lines.map(line).collect::<Vec<_>>().join("\n")
}

/// The reason in words.
const fn meaning(reason: Reason) -> &'static str {
    match reason {
        Reason::Board(Ending::Five) => "five in a row",
        Reason::Board(Ending::Foul(_)) => "Black made this foul and lost",
        Reason::Board(Ending::Pairs) => "enough pairs captured",
        Reason::Board(Ending::BoardFull) => "no empty point is left: a draw",
        Reason::Resignation => "the loser resigned",
        Reason::Timeout => "the loser was late",
        Reason::NoShow => "a player made no decision at all: nobody won",
        Reason::Ruling => "an operator of the arena decided it",
        Reason::Void => "an operator of the arena broke it off: nobody won",
    }
}

fn ruleset_list() -> String {
    let line = |ruleset: &Ruleset| format!("- `{}`: {}", ruleset.id, ruleset.title);
    Ruleset::ALL.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn pool_list() -> String {
    let pool = |pool: Pool| format!("`{}` {} s", pool.id(), pool.turn_ms() / 1_000);
    Pool::ALL.map(pool).join(", ")
}
