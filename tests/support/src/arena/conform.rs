//! Every reply of every conversation is held against the OpenAPI document: its status, its type and
//! its body must be what the document says.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use arena_lambda::STATUSES;
use arena_wire::document::{Site, openapi};
use jsonschema::Validator;
use serde_json::Value;

use crate::{Call, Reply, closed};

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    let site = Site { base: "http://localhost", version: "0.0.0", statuses: STATUSES };
    closed(openapi(&site))
});

/// A validator for each response, by the place of its schema in the document.
static VALIDATORS: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);

/// Stops the test if the reply is not one that the document describes. A path without a route and
/// pages for people are not the document's business.
#[track_caller]
pub(crate) fn check(call: &Call, reply: &Reply) {
    let Some(route) = call.route().filter(|route| !route.is_page()) else { return };
    // An older way to ask for the text of a game, which the document leaves out.
    let is_text = route.path == "/games/{id}" && call.path.contains("format=text");
    let path = if is_text { "/games/{id}/text" } else { route.path };
    let method = route.method.as_str().to_ascii_lowercase();
    let responses = &DOCUMENT["paths"][path][&method]["responses"];
    let response = &responses[reply.status.to_string()];
    let what = format!("{method} {path} {}", reply.status);
    assert!(response.is_object(), "{what} is not documented: {}", reply.text());
    let Some(content) = response["content"].as_object() else {
        return assert!(reply.body.is_empty(), "{what} has a body: {}", reply.text());
    };
    let kind = reply.header("content-type").unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default();
    let Some(schema) = content.get(kind).map(|content| &content["schema"]) else {
        panic!("{what} as {kind} is not documented");
    };
    let is_json = kind == "application/json" || kind.ends_with("+json");
    if is_json && !reply.body.is_empty() {
        let value = if reply.header("content-encoding") == Some("gzip") {
            let body = flate2::read::GzDecoder::new(reply.body.as_ref());
            serde_json::from_reader(body).expect("the reply is JSON in gzip")
        } else {
            reply.json()
        };
        let validator = validator(&format!("{what} {kind}"), schema);
        let errors: Vec<String> = validator
            .iter_errors(&value)
            .map(|error| format!("{error} at {}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{what}: {errors:#?}\n{value:#}");
    }
}

fn validator(place: &str, schema: &Value) -> Arc<Validator> {
    let mut validators = VALIDATORS.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let make = || {
        let mut schema = schema.clone();
        schema["components"] = DOCUMENT["components"].clone();
        let options = jsonschema::options().should_validate_formats(true);
        Arc::new(options.build(&schema).expect("the document's schemas are schemas"))
    };
    validators.entry(place.to_owned()).or_insert_with(make).clone()
}
