//! The view that each route answers with, by the name it has in the table: its schema and a real
//! example.

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Value, json};

use super::example;
use crate::agent::{AgentView, KeyView, MeView, QueueView, RegisteredView};
use crate::game::GameView;
use crate::listing::{GamesView, HealthView, LeaderboardView};
use crate::problem::Problem;
use crate::rules::RulesView;

/// Where an OpenAPI document keeps its schemas.
const SCHEMAS: &str = "/components/schemas";

/// Schemas of what is written, as JSON Schema 2020-12, which OpenAPI 3.1 has adopted.
pub(super) fn generator() -> SchemaGenerator {
    SchemaSettings::draft2020_12()
        .for_serialize()
        .with(|settings| settings.definitions_path = SCHEMAS.into())
        .with_transform(RecursiveTransform(exact))
        .into_generator()
}

/// Every view has the fields it has and no others, and a field that may be left out is never null.
/// The formats of Rust's numbers say nothing that their bounds do not: they are left out.
fn exact(schema: &mut Schema) {
    if schema.get("format").is_some_and(|format| format != "date-time") {
        schema.remove("format");
    }
    let required = schema.get("required").cloned().unwrap_or_default();
    let is_required = |name: &String| {
        required.as_array().is_some_and(|names| names.iter().any(|known| known == name))
    };
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for (_, property) in properties.iter_mut().filter(|(name, _)| !is_required(name)) {
            not_null(property);
        }
        schema.insert("additionalProperties".into(), false.into());
    }
}

fn not_null(schema: &mut Value) {
    if let Some(Value::Array(kinds)) = schema.get_mut("type") {
        kinds.retain(|kind| kind != "null");
    }
    if let Some(Value::Array(forms)) = schema.get_mut("anyOf") {
        forms.retain(|form| form["type"] != "null");
    }
}

/// The schema of a view and an example of it.
pub(super) fn view(name: &str, generator: &mut SchemaGenerator) -> Option<(Schema, Value)> {
    Some(match name {
        "RegisteredView" => {
            (generator.subschema_for::<RegisteredView<'_>>(), json!(example::registered()))
        }
        "KeyView" => (generator.subschema_for::<KeyView<'_>>(), json!(example::key())),
        "MeView" => (generator.subschema_for::<MeView<'_>>(), json!(example::me())),
        "QueueView" => (generator.subschema_for::<QueueView<'_>>(), json!(example::queue())),
        "AgentView" => (generator.subschema_for::<AgentView<'_>>(), json!(example::agent())),
        "GameView" => (generator.subschema_for::<GameView<'_>>(), json!(example::live())),
        "GamesView" => (generator.subschema_for::<GamesView<'_>>(), json!(example::games())),
        "LeaderboardView" => {
            (generator.subschema_for::<LeaderboardView<'_>>(), example::leaderboard())
        }
        "RulesView" => (generator.subschema_for::<RulesView>(), json!(example::rules())),
        "HealthView" => (generator.subschema_for::<HealthView<'_>>(), json!(example::health())),
        _ => return None,
    })
}

/// The schema of every problem.
pub(super) fn problem(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<Problem<'_>>()
}
