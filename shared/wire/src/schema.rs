//! The JSON Schemas of the request bodies, as the OpenAPI document and `required_action` show them.

use std::sync::LazyLock;

use arena::{HouseLevel, Pool};
use renju::{OFFER_MAX, Ruleset};
use serde_json::{Value, json};

use crate::request::{KEY_MAX, REGISTER_KEY_MIN, RegisterRequest};

/// A schema that is built once.
pub(crate) type Schema = LazyLock<Value>;

fn object(properties: Value, required: &[&str]) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn key(least: usize) -> Value {
    json!({
        "type": "string",
        "pattern": "^[!-~]+$",
        "minLength": least,
        "maxLength": KEY_MAX,
        "description": "choose one key for each decision and send it again with every retry; \
                        the Idempotency-Key header is an alias",
    })
}

/// The same or null, which is read as absent.
fn optional(mut schema: Value) -> Value {
    if let Some(Value::Array(words)) = schema.get_mut("enum") {
        words.push(Value::Null);
        return schema;
    }
    if let Some(Value::Array(forms)) = schema.get_mut("oneOf") {
        forms.push(json!({"type": "null"}));
        return schema;
    }
    schema["type"] = json!([schema["type"], "null"]);
    schema
}

fn turn() -> Value {
    json!({
        "type": "integer",
        "minimum": 0,
        "maximum": u32::MAX,
        "description": "turn_number of the game you decided on",
    })
}

fn coordinate(what: &str) -> Value {
    json!({"type": "integer", "minimum": 0, "maximum": 18, "description": what})
}

fn name_of_point() -> Value {
    json!({"type": "string", "pattern": "^[a-sA-S](1[0-9]|[1-9])$", "description": "such as h8"})
}

fn point() -> Value {
    let x = coordinate("column, a = 0");
    let y = coordinate("rank, 1 = 0");
    json!({"oneOf": [name_of_point(), object(json!({"x": x, "y": y}), &["x", "y"])]})
}

/// The ids of the rulesets.
pub(crate) fn rulesets() -> Value {
    let ids: Vec<&str> = Ruleset::ALL.iter().map(|ruleset| ruleset.id).collect();
    json!({"enum": ids, "default": ids[0]})
}

/// The ids of the pools.
pub(crate) fn pools() -> Value {
    json!({"enum": Pool::ALL.map(Pool::id), "default": Pool::default().id()})
}

pub(crate) static REGISTER: Schema = Schema::new(|| {
    let text = |most: usize| json!({"type": ["string", "null"], "maxLength": most});
    let name = json!({
        "type": "string",
        "pattern": "^[a-zA-Z0-9][a-zA-Z0-9_-]{2,31}$",
        "description": "3 to 32 of a-z, 0-9, _ and -; upper case is read as lower case",
    });
    object(
        json!({
            "name": name,
            "bio": text(RegisterRequest::BIO_MAX),
            "owner": text(RegisterRequest::OWNER_MAX),
            "idempotency_key": optional(key(REGISTER_KEY_MIN)),
        }),
        &["name"],
    )
});

pub(crate) static JOIN: Schema = Schema::new(|| {
    let level = json!({"type": "integer", "minimum": 0, "maximum": HouseLevel::ALL.len() - 1});
    let house = json!({
        "oneOf": [{"type": "boolean"}, level],
        "default": true,
        "description": "true: a house bot near your rating will do after a while; false: agents \
                        only; a level: that house bot, at once",
    });
    object(
        json!({
            "ruleset": optional(rulesets()),
            "pool": optional(pools()),
            "house": optional(house),
            "idempotency_key": optional(key(1)),
        }),
        &[],
    )
});

pub(crate) static LEAVE: Schema = Schema::new(|| {
    let ticket = json!({
        "type": "string",
        "maxLength": 64,
        "description": "the ticket to give up; the current one if absent",
    });
    object(json!({"ticket": optional(ticket), "idempotency_key": optional(key(1))}), &[])
});

pub(crate) static PLAIN: Schema =
    Schema::new(|| object(json!({"idempotency_key": optional(key(1))}), &[]));

pub(crate) static MOVE: Schema = Schema::new(|| {
    let mut schema = object(
        json!({
            "point": name_of_point(),
            "x": coordinate("column, a = 0; instead of point, with y"),
            "y": coordinate("rank, 1 = 0; instead of point, with x"),
            "turn_number": turn(),
            "idempotency_key": key(1),
        }),
        &["turn_number", "idempotency_key"],
    );
    schema["oneOf"] = json!([{"required": ["point"]}, {"required": ["x", "y"]}]);
    schema
});

pub(crate) static SWAP: Schema = Schema::new(|| swap(json!({"type": "boolean"})));

pub(crate) static SWAP_OR_PUT_TWO: Schema =
    Schema::new(|| swap(json!({"enum": [true, false, "put_two"]})));

fn swap(mut choice: Value) -> Value {
    choice["description"] = json!("true takes the other colour, false keeps yours");
    object(
        json!({"swap": choice, "turn_number": turn(), "idempotency_key": key(1)}),
        &["swap", "turn_number", "idempotency_key"],
    )
}

/// Offers of any number of points.
pub(crate) static OFFER: Schema = Schema::new(|| offer(1, OFFER_MAX));

/// Offers of exactly one point, of two, and so on to ten.
static OFFERS: LazyLock<Vec<Value>> =
    LazyLock::new(|| (1..=OFFER_MAX).map(|count| offer(count, count)).collect());

/// Offers of exactly `count` points.
pub(crate) fn offer_of(count: u8) -> &'static Value {
    OFFERS.get(usize::from(count).wrapping_sub(1)).unwrap_or(&OFFER)
}

fn offer(least: usize, most: usize) -> Value {
    let candidates =
        json!({"type": "array", "items": point(), "minItems": least, "maxItems": most});
    object(
        json!({"candidates": candidates, "turn_number": turn(), "idempotency_key": key(1)}),
        &["candidates", "turn_number", "idempotency_key"],
    )
}

pub(crate) static DECLARE: Schema = Schema::new(|| {
    let fifths = json!({"type": "integer", "minimum": 1, "maximum": 8});
    object(
        json!({"fifths": fifths, "turn_number": turn(), "idempotency_key": key(1)}),
        &["fifths", "turn_number", "idempotency_key"],
    )
});

pub(crate) static RESIGN: Schema =
    Schema::new(|| object(json!({"idempotency_key": key(1)}), &["idempotency_key"]));

pub(crate) static RULES_CHECK: Schema = Schema::new(|| {
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
    let count = json!({"type": "integer", "minimum": 0, "maximum": 255});
    let pairs = object(json!({"black": count, "white": count}), &[]);
    let position = object(
        json!({
            "board": board,
            "to_move": {
                "enum": ["black", "white"],
                "description": "black where absent and the number of stones is even",
            },
            "pairs": pairs,
        }),
        &["board"],
    );
    let mut schema = object(
        json!({
            "ruleset": optional(rulesets()),
            "moves": {"type": "array", "items": play},
            "position": position,
            "point": optional(point()),
            "size": {"type": ["integer", "null"], "minimum": 5, "maximum": 19},
        }),
        &[],
    );
    schema["oneOf"] = json!([{"required": ["moves"]}, {"required": ["position"]}]);
    schema
});
