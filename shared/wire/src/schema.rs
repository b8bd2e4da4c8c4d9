//! The JSON Schemas of the request bodies, as the OpenAPI document and `required_action` show them,
//! and those words of the views that their types do not tell.

use std::sync::LazyLock;

use arena::Pool;
use renju::{OFFER_MAX, Ruleset};
use schemars::{JsonSchema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use crate::opponent::OpponentView;
use crate::problem::REASONS;
use crate::request::{KEY_MAX, REGISTER_KEY_MIN, RegisterRequest};

/// A schema that is built once.
pub(crate) type Schema = LazyLock<Value>;

/// No control characters, no line separators, nothing that turns the direction of the text.
const ONE_LINE: &str = r"^[^\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]*$";

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

fn by_coordinates() -> Value {
    let x = coordinate("column, a = 0");
    let y = coordinate("rank, 1 = 0");
    object(json!({"x": x, "y": y}), &["x", "y"])
}

fn point() -> Value {
    json!({"oneOf": [name_of_point(), by_coordinates()]})
}

/// A game's id.
pub(crate) fn game_id() -> Value {
    json!({"type": "string", "pattern": "^[a-z2-7]{16}$"})
}

/// An agent's name, which is read without regard to case.
pub(crate) fn agent_name() -> Value {
    json!({"type": "string", "pattern": "^[a-zA-Z0-9][a-zA-Z0-9_-]{2,31}$"})
}

/// The ids of the rulesets.
pub(crate) fn rulesets() -> Value {
    let ids: Vec<&str> = Ruleset::ALL.iter().map(|ruleset| ruleset.id).collect();
    json!({"enum": ids, "default": ids[0]})
}

/// The id of a ruleset in a view.
pub(crate) fn ruleset(_: &mut SchemaGenerator) -> schemars::Schema {
    json_schema!({"type": "string", "enum": rulesets()["enum"]})
}

/// The id of a ruleset in a view, where there is one.
pub(crate) fn ruleset_or_null(_: &mut SchemaGenerator) -> schemars::Schema {
    json_schema!({"type": ["string", "null"], "enum": optional(rulesets())["enum"]})
}

/// Why a play is illegal, in a view.
pub(crate) fn illegal_reason(_: &mut SchemaGenerator) -> schemars::Schema {
    json_schema!({"type": "string", "enum": REASONS})
}

/// The ids of the pools.
pub(crate) fn pools() -> Value {
    json!({"enum": Pool::ALL.map(Pool::id), "default": Pool::default().id()})
}

pub(crate) static REGISTER: Schema = Schema::new(|| {
    let text =
        |most: usize| json!({"type": ["string", "null"], "pattern": ONE_LINE, "maxLength": most});
    let mut name = agent_name();
    // The arena's own players are called so.
    name["not"] = json!({"pattern": "^[hH][oO][uU][sS][eE]-"});
    name["description"] = json!("3 to 32 of a-z, 0-9, _ and -; upper case is read as lower case");
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
    let mut house = json!(OpponentView::json_schema(&mut SchemaGenerator::default()));
    house["default"] = json!(true);
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
        "pattern": ONE_LINE,
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
            "point": optional(name_of_point()),
            "x": optional(coordinate("column, a = 0; instead of point, with y")),
            "y": optional(coordinate("rank, 1 = 0; instead of point, with x")),
            "turn_number": turn(),
            "idempotency_key": key(1),
        }),
        &["turn_number", "idempotency_key"],
    );
    schema["oneOf"] = either(&[&["point"], &["x", "y"]]);
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

pub(crate) static RESIGN: Schema = Schema::new(|| {
    let mut turn = turn();
    turn["type"] = json!(["integer", "null"]);
    turn["description"] = json!("not looked at: a resignation holds whatever the turn");
    object(json!({"turn_number": turn, "idempotency_key": key(1)}), &["idempotency_key"])
});

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
                "enum": ["black", "white", null],
                "description": "black where absent and the number of stones is even",
            },
            "pairs": optional(pairs),
        }),
        &["board"],
    );
    let mut schema = object(
        json!({
            "ruleset": optional(rulesets()),
            "moves": optional(moves),
            "position": optional(position),
            "point": optional(point()),
            "size": {"type": ["integer", "null"], "minimum": 5, "maximum": 19},
        }),
        &[],
    );
    schema["oneOf"] = either(&[&["moves"], &["position"]]);
    schema
});
