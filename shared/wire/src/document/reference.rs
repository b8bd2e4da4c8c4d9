//! `GET /REFERENCE.md`: every route, every field with its type and its values, every code; made from the tables of
//! routes and codes and from the schemas.

use serde_json::{Map, Value};

use super::Site;
use super::prose::{api, fill};
use crate::problem::{Code, Problem};
use crate::route::{Auth, BodySpec, Parameter, Route};
use crate::schema;

/// Enumerations whose words are explained by the table of codes and by `/SKILL.md`.
const EXPLAINED: [&str; 2] = ["Code", "PhaseName"];

/// Routes, fields and codes, to look things up.
pub fn reference(site: &Site<'_>) -> String {
    let own = [("routes", route_list()), ("views", view_list()), ("codes", code_table(site))];
    fill(include_str!("pages/REFERENCE.md"), site, &own)
}

/// A field of a body, a query or a view.
pub(super) struct Field {
    pub(super) name: String,
    /// Its type in words: `integer from 0 to 18`.
    kind: String,
    about: String,
    is_required: bool,
}

impl Field {
    /// The fields of an object, in the order of its schema.
    pub(super) fn all(schema: &Value) -> Vec<Field> {
        let required = schema["required"].as_array();
        let is_required = |name: &str| required.is_some_and(|list| list.iter().any(|n| n == name));
        let field = |(name, schema): (&String, &Value)| Field {
            name: name.clone(),
            kind: kind(schema),
            about: about(schema).to_owned(),
            is_required: is_required(name),
        };
        schema["properties"].as_object().into_iter().flatten().map(field).collect()
    }

    /// Name, type and meaning: `point`? point: such as h8.
    fn words(&self) -> String {
        let Field { name, kind, about, is_required } = self;
        let mark = if *is_required { "" } else { "?" };
        let colon = if about.is_empty() { "" } else { ": " };
        format!("`{name}`{mark} {kind}{colon}{}", about.trim_end_matches('.'))
    }
}

/// Fields as a list, a line each.
fn list(fields: &[Field]) -> String {
    fields.iter().map(|field| format!("- {}\n", field.words())).collect()
}

/// The description of a schema without the meanings of its words.
fn about(schema: &Value) -> &str {
    let about = schema["description"].as_str().unwrap_or_default();
    about.split("\n- `").next().unwrap_or_default().trim_end()
}

/// The words of an enumeration with their meanings, a line each.
pub(super) fn meanings(schema: &Value) -> Vec<&str> {
    let about = schema["description"].as_str().unwrap_or_default();
    about.lines().filter(|line| line.starts_with("- `")).collect()
}

/// A type in words.
fn kind(schema: &Value) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        return reference.rsplit('/').next().unwrap_or_default().to_owned();
    }
    for list in ["anyOf", "oneOf"] {
        if let Some(forms) = schema[list].as_array() {
            return forms.iter().map(kind).collect::<Vec<_>>().join(" or ");
        }
    }
    if let Some(words) = schema["enum"].as_array() {
        return one_of(words);
    }
    match &schema["type"] {
        Value::Array(types) => {
            let one = |kind: &Value| {
                let mut schema = schema.clone();
                schema["type"] = kind.clone();
                self::kind(&schema)
            };
            types.iter().map(one).collect::<Vec<_>>().join(" or ")
        }
        Value::String(name) => match name.as_str() {
            "array" => match kind(&schema["items"]) {
                several if several.contains(" or ") => format!("list of ({several})"),
                one => format!("list of {one}"),
            },
            "object" => object(schema),
            "string" => string(schema),
            "integer" | "number" => number(name, schema),
            other => other.to_owned(),
        },
        _ => "any value".to_owned(),
    }
}

/// Words to choose from. The ids of the rulesets have a name, because they are many.
fn one_of(words: &[Value]) -> String {
    let rulesets = schema::ruleset_ids();
    let is_ruleset = |word: &&Value| word.as_str().is_some_and(|word| rulesets.contains(&word));
    let (ids, others): (Vec<&Value>, Vec<&Value>) = words.iter().partition(is_ruleset);
    let others = others.into_iter().map(|word| match word.as_str() {
        Some(word) => format!("`{word}`"),
        None => word.to_string(),
    });
    let ruleset = (!ids.is_empty()).then(|| "id of a ruleset".to_owned());
    ruleset.into_iter().chain(others).collect::<Vec<_>>().join(" | ")
}

fn object(schema: &Value) -> String {
    let fields = Field::all(schema);
    if fields.is_empty() {
        return "object".to_owned();
    }
    format!("object ({})", fields.iter().map(Field::words).collect::<Vec<_>>().join("; "))
}

fn string(schema: &Value) -> String {
    let (least, most) = (schema["minLength"].as_u64(), schema["maxLength"].as_u64());
    match (schema["format"].as_str(), schema["pattern"].as_str(), least, most) {
        (Some("date-time"), ..) => "time".to_owned(),
        (_, Some(schema::POINT), ..) => "point".to_owned(),
        (_, Some(schema::GAME), ..) => "id of a game".to_owned(),
        (_, Some(schema::NAME), ..) => "name".to_owned(),
        (.., Some(least), Some(most)) => format!("string of {least} to {most} characters"),
        (.., Some(most)) => format!("string of at most {most} characters"),
        _ => "string".to_owned(),
    }
}

fn number(name: &str, schema: &Value) -> String {
    // Bounds of Rust's types say nothing about the thing.
    let of_types = [u8::MAX.into(), u16::MAX.into(), u32::MAX.into()];
    let most = schema["maximum"].as_u64().filter(|most| !of_types.contains(most));
    match (schema["minimum"].as_u64(), most) {
        (Some(0), Some(1)) => "0 or 1".to_owned(),
        (Some(least), Some(most)) => format!("{name} from {least} to {most}"),
        _ => name.to_owned(),
    }
}

fn route_list() -> String {
    let mut text = String::new();
    for route in api() {
        let key = if route.auth == Auth::None { "" } else { " 🔑" };
        let (method, path, summary) = (route.method.as_str(), route.path, route.summary);
        text += &format!("**`{method} {path}`**{key}: {summary}.");
        if !route.description.is_empty() {
            text += &format!(" {}", route.description);
        }
        text += &format!(" Answer: {}", route.answer.name());
        text += if route.answer.cached { ", with an ETag.\n\n" } else { ".\n\n" };
        for (title, fields) in [("Query", query_fields(route)), ("Body", body_fields(route))] {
            if !fields.is_empty() {
                text += &format!("{title}:\n\n{}\n", list(&fields));
            }
        }
    }
    text.trim_end().to_owned()
}

fn query_fields(route: &Route) -> Vec<Field> {
    let field = |parameter: Parameter| Field {
        kind: kind(&parameter.schema),
        name: parameter.name,
        about: parameter.about,
        is_required: false,
    };
    route.parameters().into_iter().map(field).collect()
}

/// The fields of a route's body.
pub(super) fn body_fields(route: &Route) -> Vec<Field> {
    let mut schema = route.body.as_ref().map(BodySpec::schema).unwrap_or_default();
    // Null is as good as absent, and need not be said of every field.
    let fields = schema.get_mut("properties").and_then(Value::as_object_mut);
    fields.into_iter().flatten().for_each(|(_, field)| schema::not_null(field));
    Field::all(&schema)
}

/// The schemas of all views by name.
pub(super) fn views() -> Map<String, Value> {
    let mut generator = schema::views();
    for view in api().filter_map(|route| route.answer.view) {
        (view.schema)(&mut generator);
    }
    generator.subschema_for::<Problem<'_>>();
    generator.take_definitions(true)
}

fn view_list() -> String {
    let mut text = String::new();
    for (name, schema) in views() {
        text += &format!("**{name}**: ");
        let (fields, words) = (Field::all(&schema), meanings(&schema));
        if EXPLAINED.contains(&name.as_str()) || fields.is_empty() && words.is_empty() {
            text += &format!("{}\n\n", kind(&schema));
            continue;
        }
        text += &format!("{}\n\n", about(&schema));
        text += &list(&fields);
        words.iter().for_each(|line| text.extend([line, "\n"]));
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
