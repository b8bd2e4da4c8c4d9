//! Requests that the API suggests are accepted as they stand, in every ruleset and phase.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::{HashMap, HashSet};
use std::sync::{LazyLock, Mutex};

use arena::{Actor, AgentName, Decision, Game, Pace, Submission};
use arena_support::Random;
use arena_wire::{
    ActionView, DeclareRequest, Detail, Endpoint, Found, GameView, Malformed, MoveRequest,
    OfferRequest, PhaseName, Route, Submit, SwapRequest, parse, routes,
};
use renju::Ruleset;
use serde_json::{Value, json};
use support::{play, random_play};

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
        matches_schema(action.schema.as_ref().unwrap(), &action.example);
        let submission = submission(action, name).unwrap();
        let decided = game.apply(Actor::Seat(seat), submission, game.last_at(), &Pace::STANDARD);
        assert!(matches!(decided, Ok(Decision::Commit(_))), "{action:?}: {decided:?}");
    }
    let waiting = GameView::new(game, Some(!seat), game.last_at(), Detail::FULL);
    assert!(waiting.required_action.is_none() && waiting.poll_after_ms > 0);
    Some(view.phase)
}

#[track_caller]
fn matches_schema(schema: &Value, value: &Value) {
    assert!(matches(schema, value), "{value} does not match {schema}");
}

/// There are few schemas and many bodies: each schema is read once.
fn matches(schema: &Value, value: &Value) -> bool {
    static KNOWN: LazyLock<Mutex<HashMap<String, jsonschema::Validator>>> =
        LazyLock::new(Mutex::default);
    let mut known = KNOWN.lock().unwrap();
    let read = || jsonschema::validator_for(schema).unwrap();
    known.entry(schema.to_string()).or_insert_with(read).is_valid(value)
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
                let next = random_play(&mut random, &game);
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
            game = support::submit(&game, submission.intent, 500);
        }
        assert!(game.result().is_some(), "{}", ruleset.id);
    }
}

#[test]
fn the_examples_of_the_route_table_are_read() {
    for route in routes() {
        let Some(body) = &route.body else { continue };
        let example = (body.example)();
        matches_schema(&body.schema(), &example);
        read(&(body.name)(), &example).unwrap_or_else(|error| panic!("{}: {error}", route.path));
    }
}

/// Reads a body by the name of its type.
fn read(name: &str, body: &Value) -> Result<(), Malformed> {
    let bytes = serde_json::to_vec(body).unwrap();
    fn decision<T: Submit>(bytes: &[u8]) -> Result<(), Malformed> {
        parse::<T>(bytes)?.intent().map(drop)
    }
    match name {
        "RegisterRequest" => parse::<arena_wire::RegisterRequest>(&bytes).map(drop),
        "DescribeRequest" => parse::<arena_wire::DescribeRequest>(&bytes).map(drop),
        "JoinRequest" => parse::<arena_wire::JoinRequest>(&bytes).map(drop),
        "LeaveRequest" => parse::<arena_wire::LeaveRequest>(&bytes).map(drop),
        "PlainRequest" => parse::<arena_wire::PlainRequest>(&bytes).map(drop),
        "MoveRequest" => decision::<MoveRequest>(&bytes),
        "SwapRequest" => decision::<SwapRequest>(&bytes),
        "OfferRequest" => decision::<OfferRequest>(&bytes),
        "DeclareRequest" => decision::<DeclareRequest>(&bytes),
        "ResignRequest" => decision::<arena_wire::ResignRequest>(&bytes),
        "RulesCheckRequest" => parse::<arena_wire::RulesCheckRequest>(&bytes).map(drop),
        _ => panic!("{name} is not a body"),
    }
}

/// Each field is read as its schema says.
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
        ("RegisterRequest", json!({"name": "alice", "bio": "two\nlines"}), false),
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
        ("MoveRequest", decision(json!({"x": 0, "y": 19})), true),
        ("MoveRequest", decision(json!({"x": 0, "y": 20})), false),
        ("MoveRequest", decision(json!({"x": 0, "y": 1, "point": null})), true),
        ("MoveRequest", json!({"point": "h8", "turn_number": -1, "idempotency_key": "k"}), false),
        ("MoveRequest", json!({"point": "h8", "idempotency_key": "k"}), false),
        ("SwapRequest", decision(json!({"swap": true})), true),
        ("SwapRequest", decision(json!({"swap": "put_two"})), true),
        ("SwapRequest", decision(json!({"swap": "yes"})), false),
        ("SwapRequest", decision(json!({})), false),
        ("OfferRequest", decision(json!({"candidates": ["a1", {"x": 1, "y": 1}]})), true),
        ("OfferRequest", decision(json!({"candidates": []})), false),
        ("OfferRequest", decision(json!({"candidates": vec!["a1"; 11]})), false),
        ("OfferRequest", decision(json!({"candidates": ["t20"]})), true),
        ("OfferRequest", decision(json!({"candidates": ["u1"]})), false),
        ("DeclareRequest", decision(json!({"fifths": 4})), true),
        ("DeclareRequest", decision(json!({"fifths": "4"})), false),
        ("ResignRequest", json!({"idempotency_key": ""}), false),
        ("RulesCheckRequest", json!({"moves": []}), true),
        ("RulesCheckRequest", json!({}), false),
        ("RulesCheckRequest", json!({"moves": ["h8", {"x": 1, "y": 1}], "position": null}), true),
        ("RulesCheckRequest", json!({"moves": "h8 h9"}), true),
        ("RulesCheckRequest", json!({"moves": null, "position": null}), false),
        ("RulesCheckRequest", json!({"moves": [], "position": {"board": "."}}), false),
        ("RulesCheckRequest", json!({"position": {"board": [".x", "?"]}}), false),
        ("RulesCheckRequest", json!({"position": {"to_move": "black"}}), false),
    ];
    for (name, body, good) in cases {
        let spec = routes().filter_map(|route| route.body.as_ref());
        let spec = spec.into_iter().find(|spec| (spec.name)() == name).unwrap();
        assert_eq!(read(name, &body).is_ok(), good, "reader of {name}: {body}");
        assert_eq!(matches(&spec.schema(), &body), good, "schema of {name}: {body}");
    }
    // Generators of clients do not understand what fields say together, so the schema does not tell.
    for body in [json!({"x": 0}), json!({"point": "h8", "y": 1}), json!({"point": null}), json!({})]
    {
        assert!(read("MoveRequest", &decision(body.clone())).is_err(), "{body}");
    }
}
