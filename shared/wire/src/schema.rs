//! JSON Schemas for the documents: how they are made, and those that no type tells.

use std::borrow::Cow;

use renju::Ruleset;
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use crate::problem::REASONS;
use crate::request::RulesCheckRequest;

/// Makes the schema of a type.
pub(crate) type Make = fn(&mut SchemaGenerator) -> Schema;

/// The name of an agent, which is read without regard to case.
pub(crate) const NAME: &str = "^[a-zA-Z0-9][a-zA-Z0-9_-]{2,31}$";

/// The name of a point.
pub(crate) const POINT: &str = "^[a-sA-S](1[0-9]|[1-9])$";

/// A generator of schemas of what is written, as JSON Schema 2020-12, which OpenAPI 3.1 has adopted.
pub(crate) fn views() -> SchemaGenerator {
    SchemaSettings::draft2020_12()
        .for_serialize()
        .with(|settings| settings.definitions_path = "/components/schemas".into())
        .with_transform(RecursiveTransform(plain))
        .with_transform(RecursiveTransform(present))
        .into_generator()
}

/// The schema of a body or of a query string, whole.
pub(crate) fn of_request(make: Make) -> Value {
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = make(&mut settings.into_generator());
    RecursiveTransform(plain).transform(&mut schema);
    schema.to_value()
}

/// Schemas as generators of clients understand them: an enumeration of words is an `enum`, with the meaning
/// of each word in the description, and descriptions have no line breaks of the source. The formats of
/// Rust's numbers say nothing that their bounds do not.
fn plain(schema: &mut Schema) {
    if schema.get("format").is_some_and(|format| format != "date-time") {
        schema.remove("format");
    }
    if let Some(Value::String(about)) = schema.get_mut("description") {
        // Lines of source code; what is set apart stays so.
        *about = about.replace("\n\n", "\u{1}").replace('\n', " ").replace('\u{1}', "\n\n");
    }
    let forms = schema.get("oneOf").and_then(Value::as_array).cloned().unwrap_or_default();
    let words: Option<Vec<&str>> = forms.iter().map(|form| form["const"].as_str()).collect();
    let Some(words) = words.filter(|words| !words.is_empty()) else { return };
    let mut about = schema.get("description").and_then(Value::as_str).unwrap_or("").to_owned();
    for (word, form) in words.iter().zip(&forms) {
        about += &format!("\n- `{word}`: {}", form["description"].as_str().unwrap_or(""));
    }
    schema.remove("oneOf");
    schema.insert("type".into(), "string".into());
    schema.insert("enum".into(), json!(words));
    schema.insert("description".into(), about.into());
}

/// A field of a view that may be left out is never null.
fn present(schema: &mut Schema) {
    let required = schema.get("required").cloned().unwrap_or_default();
    let is_required = |name: &String| {
        required.as_array().is_some_and(|names| names.iter().any(|known| known == name))
    };
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for (_, property) in properties.iter_mut().filter(|(name, _)| !is_required(name)) {
            not_null(property);
        }
    }
}

/// The same without null.
pub(crate) fn not_null(schema: &mut Value) {
    for list in ["type", "enum", "anyOf", "oneOf"] {
        let Some(Value::Array(forms)) = schema.get_mut(list) else { continue };
        forms.retain(|form| form != "null" && !form.is_null() && form["type"] != "null");
        if let ("type", [one]) = (list, forms.as_slice()) {
            schema[list] = one.clone();
        }
    }
}

/// A game's id.
pub(crate) fn game_id() -> Value {
    json!({"type": "string", "pattern": "^[a-z2-7]{16}$"})
}

/// An agent's name.
pub(crate) fn agent_name() -> Value {
    json!({"type": "string", "pattern": NAME})
}

/// The ids of the rulesets.
pub(crate) fn ruleset_ids() -> Vec<&'static str> {
    Ruleset::ALL.iter().map(|ruleset| ruleset.id).collect()
}

/// The id of a ruleset in a view.
pub(crate) fn ruleset(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "enum": ruleset_ids()})
}

/// The id of a ruleset in a view, where there is one.
pub(crate) fn ruleset_or_null(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": ["string", "null"], "enum": optional(json!({"enum": ruleset_ids()}))["enum"]})
}

/// Why a play is illegal, in a view.
pub(crate) fn illegal_reason(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "enum": REASONS})
}

/// A point by its name or by its coordinates.
pub(crate) fn point() -> Value {
    let name = json!({"type": "string", "pattern": POINT, "description": "such as h8"});
    json!({"oneOf": [name, by_coordinates()]})
}

fn by_coordinates() -> Value {
    let coordinate =
        |what: &str| json!({"type": "integer", "minimum": 0, "maximum": 18, "description": what});
    object(json!({"x": coordinate("column, a = 0"), "y": coordinate("rank, 1 = 0")}), &["x", "y"])
}

fn object(properties: Value, required: &[&str]) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// The same or null, which is read as absent.
fn optional(mut schema: Value) -> Value {
    if let Some(Value::Array(words)) = schema.get_mut("enum") {
        words.push(Value::Null);
    }
    if let Some(Value::Array(forms)) = schema.get_mut("oneOf") {
        forms.push(json!({"type": "null"}));
        return schema;
    }
    if schema["type"].is_string() {
        schema["type"] = json!([schema["type"], "null"]);
    }
    schema
}

/// The fields of exactly one of these groups, all of it.
fn either(groups: &[&[&str]]) -> Value {
    let form = |group: &&[&str]| {
        let others = groups.iter().filter(|other| other != &group).flat_map(|other| other.iter());
        let given = group.iter().map(|name| ((*name).to_owned(), json!({"not": {"type": "null"}})));
        let absent = others.map(|name| ((*name).to_owned(), json!({"type": "null"})));
        let properties: serde_json::Map<String, Value> = given.chain(absent).collect();
        json!({"required": group, "properties": properties})
    };
    groups.iter().map(form).collect()
}

impl JsonSchema for RulesCheckRequest {
    fn schema_name() -> Cow<'static, str> {
        "RulesCheckRequest".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let play = json!({
            "type": "string",
            "description": "h8, swap, keep, put-two, declare:3 or offer:d4,e5,…",
        });
        let board = json!({
            "oneOf": [
                {
                    "type": "array",
                    "items": {"type": "string", "pattern": "^[.xoXO]+$"},
                    "minItems": 5,
                    "maxItems": 19,
                    "description": "ranks as GET /games/{id} shows them, the highest first",
                },
                {
                    "type": "string",
                    "pattern": "^[.xoXO]+$",
                    "description": "all points in one text, rank by rank from a1",
                },
            ],
        });
        let moves = json!({
            "oneOf": [
                {"type": "array", "items": {"oneOf": [play, by_coordinates()]}},
                {"type": "string", "description": "the same in one text, with spaces between"},
            ],
        });
        let count = optional(json!({"type": "integer", "minimum": 0, "maximum": 255}));
        let pairs = object(json!({"black": count, "white": count}), &[]);
        let position = object(
            json!({
                "board": board,
                "to_move": {
                    "type": ["string", "null"],
                    "enum": ["black", "white", null],
                    "description": "black where absent and the number of stones is even",
                },
                "pairs": optional(pairs),
            }),
            &["board"],
        );
        let mut schema = object(
            json!({
                "ruleset": optional(json!({"type": "string", "enum": ruleset_ids()})),
                "moves": optional(moves),
                "position": optional(position),
                "point": optional(point()),
                "size": {"type": ["integer", "null"], "minimum": 5, "maximum": 19},
            }),
            &[],
        );
        schema["oneOf"] = either(&[&["moves"], &["position"]]);
        Schema::try_from(schema).expect("an object is a schema")
    }
}
