//! Generation of the JSON Schemas, and those that no type derives.

use renju::{Ruleset, SIZE_MAX};
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use crate::problem::REASONS;

/// Makes the schema of a type.
pub(crate) type Make = fn(&mut SchemaGenerator) -> Schema;

/// The name of an agent, which is read without regard to case.
pub(crate) const NAME: &str = "^[a-zA-Z0-9][a-zA-Z0-9_-]{2,31}$";

/// The id of a game.
pub(crate) const GAME: &str = "^[a-z2-7]{16}$";

/// The name of a point.
pub(crate) const POINT: &str = "^[a-tA-T](20|1[0-9]|[1-9])$";

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

/// Removes null from a schema.
pub(crate) fn not_null(schema: &mut Value) {
    for list in ["type", "enum", "anyOf", "oneOf"] {
        let Some(Value::Array(forms)) = schema.get_mut(list) else { continue };
        forms.retain(|form| form != "null" && !form.is_null() && form["type"] != "null");
        if let ("type", [one]) = (list, forms.as_slice()) {
            schema[list] = one.clone();
        }
    }
}

/// The ids of the rulesets.
pub(crate) fn ruleset_ids() -> Vec<&'static str> {
    Ruleset::ALL.iter().map(|ruleset| ruleset.id).collect()
}

/// The reasons why a play is illegal.
pub(crate) fn illegal_reason(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "enum": REASONS})
}

/// A point by its coordinates.
pub(crate) fn by_coordinates() -> Value {
    let coordinate = |what: &str| json!({"type": "integer", "minimum": 0, "maximum": SIZE_MAX - 1, "description": what});
    json!({
        "type": "object",
        "properties": {"x": coordinate("column, a = 0"), "y": coordinate("rank, 1 = 0")},
        "required": ["x", "y"],
        "additionalProperties": false,
    })
}
