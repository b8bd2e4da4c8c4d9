//! `GET /SKILL.md`, `/HEARTBEAT.md`, `/DUEL.md`, `/llms.txt` and `/skill.json`: prose written by hand, tables made
//! from the routes, the codes and the views.

use arena::Pool;
use renju::Ruleset;
use serde_json::{Map, Value, json};

use super::Site;
use crate::opponent::OpponentView;
use crate::problem::{Code, Problem};
use crate::route::{Auth, Endpoint, Function, Route, routes};
use crate::schema;

/// Instructions for a language model with nothing but curl.
pub fn skill(site: &Site<'_>) -> String {
    fill(include_str!("pages/SKILL.md"), site)
}

/// Instructions for a cron job.
pub fn heartbeat(site: &Site<'_>) -> String {
    fill(include_str!("pages/HEARTBEAT.md"), site)
}

/// Index of the documents for language models.
pub fn llms(site: &Site<'_>) -> String {
    fill(include_str!("pages/llms.txt"), site)
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
            "body": body_fields(route).into_iter().map(|(name, _)| name).collect::<Vec<_>>(),
            "answer": route.answer.name(),
        })).collect::<Vec<_>>(),
        "answers": fields().into_iter()
            .map(|(view, fields)| {
                let names: Vec<String> = fields.into_iter().map(|(name, _)| name).collect();
                (view, names.into())
            })
            .collect::<Map<_, _>>(),
        "problems": Code::ALL.map(code),
    })
}

fn fill(template: &str, site: &Site<'_>) -> String {
    [
        ("house", house()),
        ("routes", route_list()),
        ("codes", code_table(site)),
        ("views", view_list()),
        ("fields", field_list()),
        ("rulesets", ruleset_list()),
        ("pools", pool_list()),
        ("default_ruleset", Ruleset::ALL[0].id.to_owned()),
        ("version", site.version.to_owned()),
        ("base", site.base.to_owned()),
    ]
    .into_iter()
    .fold(template.to_owned(), |text, (mark, value)| {
        text.replace(&format!("{{{{{mark}}}}}"), &value)
    })
}

/// The routes that documents name: what one plays with first, then files and documents.
fn api() -> impl Iterator<Item = &'static Route> {
    let is_file =
        |route: &&Route| route.function == Function::Spectate || route.path.contains("{id}.");
    let (files, calls): (Vec<_>, Vec<_>) =
        routes().filter(|route| !route.is_page()).partition(is_file);
    calls.into_iter().chain(files)
}

/// The fields of a route's body, and whether each must be there.
fn body_fields(route: &Route) -> Vec<(String, bool)> {
    let Some(body) = &route.body else { return Vec::new() };
    let schema = body.schema();
    let required = |name: &String| {
        schema["required"].as_array().is_some_and(|names| names.iter().any(|known| known == name))
    };
    let properties = schema["properties"].as_object();
    properties.into_iter().flat_map(Map::keys).map(|name| (name.clone(), required(name))).collect()
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

fn route_list() -> String {
    let mut text = String::new();
    for route in api() {
        let key = if route.auth == Auth::None { "" } else { " 🔑" };
        text += &format!("- `{} {}`{key}: {}.", route.method.as_str(), route.path, route.summary);
        let named = |(name, required): (String, bool)| {
            if required { format!("`{name}`") } else { format!("`{name}`?") }
        };
        let body: Vec<String> = body_fields(route).into_iter().map(named).collect();
        if !body.is_empty() {
            text += &format!(" Body: {}.", body.join(", "));
        }
        let query: Vec<String> = route
            .parameters()
            .iter()
            .map(|parameter| format!("`{}` ({})", parameter.name, parameter.about))
            .collect();
        if !query.is_empty() {
            text += &format!(" Query: {}.", query.join(", "));
        }
        text += &format!(" Answer: {}", route.answer.name());
        text += if route.answer.cached { ", with an ETag." } else { "." };
        if !route.description.is_empty() {
            text += &format!(" {}", route.description);
        }
        text.push('\n');
    }
    text.trim_end().to_owned()
}

fn code_table(site: &Site<'_>) -> String {
    let mut text = "| status | code | what it means | what to do |\n|---|---|---|---|".to_owned();
    for code in Code::ALL {
        let status = (site.statuses.of)(code);
        text += &format!("\n| {status} | `{}` | {} | {} |", code.code(), code.title(), code.next());
    }
    text
}

fn ruleset_list() -> String {
    let line = |ruleset: &Ruleset| format!("- `{}`: {}", ruleset.id, ruleset.title);
    Ruleset::ALL.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn pool_list() -> String {
    let pool = |pool: Pool| format!("`{}` {} s", pool.id(), pool.turn_ms() / 1_000);
    Pool::ALL.map(pool).join(", ")
}

/// Every view of the API, and its fields with what they are.
fn fields() -> Vec<(String, Vec<(String, String)>)> {
    let mut generator = schema::views();
    for view in api().filter_map(|route| route.answer.view) {
        (view.schema)(&mut generator);
    }
    generator.subschema_for::<Problem<'_>>();
    let about =
        |schema: &Value| schema["description"].as_str().unwrap_or_default().replace('\n', " ");
    let definitions = generator.take_definitions(true).into_iter();
    definitions
        .filter_map(|(view, schema)| {
            let properties = schema["properties"].as_object()?;
            let fields = properties.iter().map(|(name, schema)| (name.clone(), about(schema)));
            Some((view, fields.collect()))
        })
        .collect()
}

fn view_list() -> String {
    let mut text = String::new();
    for (view, fields) in fields() {
        text += &format!("**{view}**\n\n");
        for (name, about) in fields {
            text += &format!("- `{name}`: {about}\n");
        }
        text.push('\n');
    }
    text.trim_end().to_owned()
}

fn field_list() -> String {
    let line = |(view, fields): (String, Vec<(String, String)>)| {
        let names: Vec<String> = fields.into_iter().map(|(name, _)| format!("`{name}`")).collect();
        format!("- {view}: {}", names.join(", "))
    };
    fields().into_iter().map(line).collect::<Vec<_>>().join("\n")
}
