//! What the API tells an agent to send is accepted as it stands, in every ruleset and phase.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::HashSet;

use arena::{Actor, AgentName, Decision, Game, Pace, Submission};
use arena_wire::{
    ActionView, DeclareRequest, Detail, Endpoint, Found, GameView, Malformed, MoveRequest,
    OfferRequest, PhaseName, Route, Submit, SwapRequest, parse, routes,
};
use renju::Ruleset;
use serde_json::{Value, json};
use support::{Random, play};

/// The submission that the example of an action becomes, found through the table of routes.
fn submission(action: &ActionView, agent: &AgentName) -> Result<Submission, Malformed> {
    let body = serde_json::to_vec(&action.example).unwrap();
    let Found::Route(route, _) = Route::find(&action.method, &action.path) else {
        panic!("{} leads nowhere", action.endpoint);
    };
    match route.endpoint {
        Endpoint::Move => parse::<MoveRequest>(&body)?.into_submission(agent, None),
        Endpoint::Swap => parse::<SwapRequest>(&body)?.into_submission(agent, None),
        Endpoint::Offer => parse::<OfferRequest>(&body)?.into_submission(agent, None),
        Endpoint::Declare => parse::<DeclareRequest>(&body)?.into_submission(agent, None),
        other => panic!("{other:?} is no decision"),
    }
}

fn check(game: &Game) -> Option<PhaseName> {
    let seat = game.to_act()?;
    let name = &game.header().players[seat].name;
    let view = GameView::new(game, Some(seat), game.last_at(), Detail::FULL);
    let required = view.required_action.expect("the player to act must do something");
    for action in [&required.action].into_iter().chain(&required.alternatives) {
        assert_eq!(action.endpoint, format!("{} {}", action.method, action.path));
        matches_schema(&action.schema, &action.example);
        let submission = submission(action, name).unwrap();
        let decided = game.apply(Actor::Seat(seat), submission, game.last_at(), &Pace::STANDARD);
        assert!(matches!(decided, Ok(Decision::Commit(_))), "{action:?}: {decided:?}");
    }
    let waiting = GameView::new(game, Some(!seat), game.last_at(), Detail::FULL);
    assert!(waiting.required_action.is_none() && waiting.poll_after_ms > 0);
    Some(view.phase)
}

/// The small part of JSON Schema that the schemas of this crate use.
fn matches_schema(schema: &Value, value: &Value) {
    assert!(matches(schema, value), "{value} does not match {schema}");
}

fn matches(schema: &Value, value: &Value) -> bool {
    let keywords = schema.as_object().expect("a schema is an object");
    assert!(keywords.values().all(|value| !value.is_null()), "{schema}");
    let known = |word: &&Value| word.as_str().is_some_and(|word| has_type(word, value));
    let kind = match &schema["type"] {
        Value::Null => true,
        Value::Array(kinds) => kinds.iter().any(|kind| known(&kind)),
        kind => known(&kind),
    };
    let listed = schema["enum"].as_array().is_none_or(|list| list.contains(value));
    let one_of = schema["oneOf"]
        .as_array()
        .is_none_or(|list| list.iter().filter(|schema| matches(schema, value)).count() == 1);
    let number = value.as_f64().is_none_or(|number| {
        schema["minimum"].as_f64().is_none_or(|least| least <= number)
            && schema["maximum"].as_f64().is_none_or(|most| number <= most)
    });
    let within = |len: usize, least: &str, most: &str| {
        schema[least].as_u64().is_none_or(|least| least as usize <= len)
            && schema[most].as_u64().is_none_or(|most| len <= most as usize)
    };
    let text = value.as_str().is_none_or(|text| {
        within(text.chars().count(), "minLength", "maxLength")
            && schema["pattern"].as_str().is_none_or(|pattern| has_pattern(pattern, text))
    });
    let list = value.as_array().is_none_or(|list| {
        within(list.len(), "minItems", "maxItems")
            && (schema["items"].is_null()
                || list.iter().all(|item| matches(&schema["items"], item)))
    });
    let object = value.as_object().is_none_or(|object| {
        let required = schema["required"].as_array().into_iter().flatten();
        required.into_iter().all(|field| object.contains_key(field.as_str().unwrap()))
            && object.iter().all(|(field, value)| match &schema["properties"][field] {
                Value::Null => schema["additionalProperties"] != json!(false),
                schema => matches(schema, value),
            })
    });
    kind && listed && one_of && number && text && list && object
}

fn has_type(word: &str, value: &Value) -> bool {
    match word {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        _ => panic!("{word} is not a type"),
    }
}

/// The patterns there are, each said in another way.
fn has_pattern(pattern: &str, text: &str) -> bool {
    match pattern {
        "^[!-~]+$" => !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic()),
        "^[a-sA-S](1[0-9]|[1-9])$" => text.parse::<renju::Point>().is_ok(),
        "^[.xoXO]+$" => !text.is_empty() && text.chars().all(|c| ".xoXO".contains(c)),
        "^[a-zA-Z0-9][a-zA-Z0-9_-]{2,31}$" => text.parse::<AgentName>().is_ok(),
        _ => panic!("{pattern} is not known here"),
    }
}

#[test]
fn every_example_is_accepted_in_random_games_of_every_ruleset() {
    for ruleset in Ruleset::ALL {
        let mut phases = HashSet::new();
        for seed in 0..12 {
            let mut random = Random(seed);
            let mut game = support::new_game(ruleset);
            while let Some(phase) = check(&game) {
                phases.insert(phase);
                if game.log().len() > 60 {
                    break;
                }
                let next = random.play(&game);
                game = play(&game, next, 1_000);
            }
        }
        let wanted = match ruleset.id {
            id if id.contains("taraguchi") => 5, // place, swap, fifth, choose, play
            id if id.contains("soosorv") => 6,   // place, swap, declare, offer, choose, play
            id if id.contains("swap2") => 4,     // place, swap_or_put_two, swap, play
            _ => 1,
        };
        assert_eq!(phases.len(), wanted, "{}: {phases:?}", ruleset.id);
    }
}

#[test]
fn an_agent_that_only_sends_examples_finishes_its_games() {
    for ruleset in Ruleset::ALL {
        let mut game = support::new_game(ruleset);
        while let Some(seat) = game.to_act() {
            let view = GameView::new(&game, Some(seat), game.last_at(), Detail::BRIEF);
            let action = view.required_action.unwrap().action;
            let name = &game.header().players[seat].name;
            let submission = submission(&action, name).unwrap();
            game = support::submit(&game, submission.request, 500);
        }
        assert!(game.result().is_some(), "{}", ruleset.id);
    }
}

#[test]
fn the_examples_of_the_route_table_are_read() {
    for route in routes() {
        let Some(body) = &route.body else { continue };
        let example = (body.example)();
        matches_schema((body.schema)(), &example);
        read(body.name, &example).unwrap_or_else(|error| panic!("{}: {error}", route.path));
    }
}

/// Reads a body by the name of its type.
fn read(name: &str, body: &Value) -> Result<(), Malformed> {
    let bytes = serde_json::to_vec(body).unwrap();
    match name {
        "RegisterRequest" => parse::<arena_wire::RegisterRequest>(&bytes).map(drop),
        "JoinRequest" => parse::<arena_wire::JoinRequest>(&bytes).map(drop),
        "LeaveRequest" => parse::<arena_wire::LeaveRequest>(&bytes).map(drop),
        "PlainRequest" => parse::<arena_wire::PlainRequest>(&bytes).map(drop),
        "MoveRequest" => parse::<MoveRequest>(&bytes).map(drop),
        "SwapRequest" => parse::<SwapRequest>(&bytes).map(drop),
        "OfferRequest" => parse::<OfferRequest>(&bytes).map(drop),
        "DeclareRequest" => parse::<DeclareRequest>(&bytes).map(drop),
        "ResignRequest" => parse::<arena_wire::ResignRequest>(&bytes).map(drop),
        "RulesCheckRequest" => parse::<arena_wire::RulesCheckRequest>(&bytes).map(drop),
        _ => panic!("{name} is not a body"),
    }
}

/// What a schema allows is read, what is read and has a key is allowed.
#[test]
fn schemas_and_readers_agree() {
    let key = "k".repeat(22);
    let decision = |mut body: Value| {
        body["turn_number"] = json!(3);
        body["idempotency_key"] = json!("k");
        body
    };
    let cases = [
        ("RegisterRequest", json!({"name": "alice", "idempotency_key": key}), true),
        ("RegisterRequest", json!({"name": "alice", "bio": null}), true),
        ("RegisterRequest", json!({"name": "alice", "idempotency_key": "short"}), false),
        ("RegisterRequest", json!({"name": 7}), false),
        ("RegisterRequest", json!({"name": "alice", "bio": "é".repeat(281)}), false),
        ("RegisterRequest", json!({"name": "alice", "bio": "é".repeat(280)}), true),
        ("JoinRequest", json!({}), true),
        ("JoinRequest", json!({"pool": "bullet"}), false),
        ("JoinRequest", json!({"ruleset": "chess"}), false),
        ("JoinRequest", json!({"house": true}), true),
        ("JoinRequest", json!({"house": 6.0}), true),
        ("JoinRequest", json!({"house": null}), true),
        ("JoinRequest", json!({"house": 7}), false),
        ("JoinRequest", json!({"house": -1}), false),
        ("JoinRequest", json!({"house": "3"}), false),
        ("LeaveRequest", json!({"ticket": "t_alice_1"}), true),
        ("LeaveRequest", json!({"ticket": 1}), false),
        ("PlainRequest", json!({"idempotency_key": "a b"}), false),
        ("PlainRequest", json!({"idempotency_key": "k".repeat(129)}), false),
        ("MoveRequest", decision(json!({"point": "h8"})), true),
        ("MoveRequest", decision(json!({"x": 0, "y": 18})), true),
        ("MoveRequest", decision(json!({"x": 0, "y": 19})), false),
        ("MoveRequest", decision(json!({"x": 0})), false),
        ("MoveRequest", decision(json!({})), false),
        ("MoveRequest", json!({"point": "h8", "turn_number": -1, "idempotency_key": "k"}), false),
        ("MoveRequest", json!({"point": "h8", "idempotency_key": "k"}), false),
        ("SwapRequest", decision(json!({"swap": true})), true),
        ("SwapRequest", decision(json!({"swap": "put_two"})), true),
        ("SwapRequest", decision(json!({"swap": "yes"})), false),
        ("SwapRequest", decision(json!({})), false),
        ("OfferRequest", decision(json!({"candidates": ["a1", {"x": 1, "y": 1}]})), true),
        ("OfferRequest", decision(json!({"candidates": []})), false),
        ("OfferRequest", decision(json!({"candidates": vec!["a1"; 11]})), false),
        ("OfferRequest", decision(json!({"candidates": ["t1"]})), false),
        ("DeclareRequest", decision(json!({"fifths": 4})), true),
        ("DeclareRequest", decision(json!({"fifths": "4"})), false),
        ("ResignRequest", json!({"idempotency_key": ""}), false),
        ("RulesCheckRequest", json!({"moves": []}), true),
        ("RulesCheckRequest", json!({}), false),
        ("RulesCheckRequest", json!({"moves": [], "position": {"board": "."}}), false),
        ("RulesCheckRequest", json!({"position": {"board": [".x", "?"]}}), false),
        ("RulesCheckRequest", json!({"position": {"to_move": "black"}}), false),
    ];
    for (name, body, good) in cases {
        let spec = routes().filter_map(|route| route.body.as_ref());
        let spec = spec.into_iter().find(|spec| spec.name == name).unwrap();
        assert_eq!(read(name, &body).is_ok(), good, "reader of {name}: {body}");
        assert_eq!(matches((spec.schema)(), &body), good, "schema of {name}: {body}");
    }
}
