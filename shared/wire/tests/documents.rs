//! The documents for agents: whole, true, and what they promise is what the views are.

#![allow(clippy::unwrap_used, reason = "a test stops at what it cannot read")]

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use arena_support::closed;
use arena_wire::document::{self, Site, Statuses};
use arena_wire::{Code, Detail, GameView, Media, RegisterRequest, RulesView, parse, routes};
use renju::{Ruleset, Seat};
use serde_json::{Value, json};
use support::random_game;

/// Any statuses will do here, as long as different codes can be told apart.
fn site() -> Site<'static> {
    let of = |code: Code| 400 + Code::ALL.iter().position(|&other| other == code).unwrap() as u16;
    let statuses = Statuses { ok: 200, created: 201, not_modified: 304, of };
    Site { base: "https://arena.example", version: "1.2.3", statuses }
}

fn openapi() -> Value {
    document::openapi(&site())
}

/// A validator of `schema`, which may refer to the parts of the document.
fn validator(document: &Value, mut schema: Value) -> jsonschema::Validator {
    schema["components"] = document["components"].clone();
    jsonschema::options().should_validate_formats(true).build(&schema).unwrap()
}

#[track_caller]
fn assert_valid(validator: &jsonschema::Validator, value: &Value, what: &str) {
    let errors: Vec<String> = validator
        .iter_errors(value)
        .map(|error| format!("{} at {}", error, error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{what}: {errors:#?}\n{value:#}");
}

/// Every operation: method and path, and what the document says of it.
fn operations(document: &Value) -> Vec<(String, &Value)> {
    let paths = document["paths"].as_object().unwrap();
    let of_path = |(path, item): (&String, &'_ Value)| -> Vec<(String, Value)> {
        let methods = item.as_object().unwrap().iter();
        methods.map(|(method, op)| (format!("{method} {path}"), op.clone())).collect()
    };
    let names: Vec<(String, Value)> = paths.iter().flat_map(of_path).collect();
    names
        .into_iter()
        .map(|(name, _)| {
            let (method, path) = name.split_once(' ').unwrap();
            (name.clone(), &document["paths"][path][method])
        })
        .collect()
}

fn follow<'d>(document: &'d Value, value: &'d Value) -> &'d Value {
    match value["$ref"].as_str() {
        Some(reference) => document.pointer(reference.trim_start_matches('#')).unwrap(),
        None => value,
    }
}

fn every_reference(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            into.extend(map.get("$ref").and_then(Value::as_str).map(str::to_owned));
            map.values().for_each(|value| every_reference(value, into));
        }
        Value::Array(list) => list.iter().for_each(|value| every_reference(value, into)),
        _ => {}
    }
}

#[test]
fn the_document_is_openapi_3_1_and_has_every_route() {
    let document = openapi();
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(document["servers"][0]["url"], "https://arena.example");
    let mut references = Vec::new();
    every_reference(&document, &mut references);
    for reference in &references {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some(), "{reference} leads nowhere");
    }
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        assert!(jsonschema::draft202012::meta::is_valid(schema), "{name}");
    }
    let mut ids = BTreeSet::new();
    let tags: Vec<&Value> =
        document["tags"].as_array().unwrap().iter().map(|tag| &tag["name"]).collect();
    for (name, operation) in operations(&document) {
        assert!(ids.insert(operation["operationId"].as_str().unwrap()), "{name}");
        assert!(operation["tags"].as_array().unwrap().iter().all(|tag| tags.contains(&tag)));
        let mut parameters = BTreeSet::new();
        for parameter in operation["parameters"].as_array().unwrap() {
            assert!(parameters.insert(parameter["name"].as_str().unwrap()), "{name}");
            assert!(jsonschema::draft202012::meta::is_valid(&parameter["schema"]), "{name}");
            let in_path = parameter["in"] == "path";
            assert_eq!(
                in_path,
                name.contains(&format!("{{{}}}", parameter["name"].as_str().unwrap()))
            );
            assert_eq!(in_path, parameter["required"] == true);
        }
        for (status, response) in operation["responses"].as_object().unwrap() {
            assert!(status.len() == 3 && response["description"].is_string(), "{name} {status}");
        }
    }
    let api: Vec<_> = routes().filter(|route| !route.is_page()).collect();
    assert_eq!(ids.len(), api.len());
    for route in api {
        let operation = &document["paths"][route.path][route.method.as_str().to_ascii_lowercase()];
        assert!(operation.is_object(), "{}", route.path);
        for parameter in route.parameters() {
            let listed = operation["parameters"].as_array().unwrap().iter();
            assert!(listed.into_iter().any(|listed| listed["name"] == parameter.name));
        }
        assert_eq!(operation["requestBody"].is_object(), route.body.is_some(), "{}", route.path);
    }
}

#[test]
fn every_example_of_the_document_matches_its_schema() {
    let document = openapi();
    let (mut checked, mut seen) = (0, BTreeSet::new());
    let mut check = |name: &str, content: &Value| {
        let Some(schema) = content.get("schema") else { return };
        // Many routes share their problems.
        if !seen.insert(content.to_string()) {
            return;
        }
        let validator = validator(&document, schema.clone());
        let several = content["examples"].as_object().into_iter().flat_map(|map| map.values());
        let several = several.map(|example| &follow(&document, example)["value"]);
        for example in content.get("example").into_iter().chain(several) {
            assert_valid(&validator, example, name);
            checked += 1;
        }
    };
    for (name, operation) in operations(&document) {
        check(&name, &operation["requestBody"]["content"]["application/json"]);
        for (status, response) in operation["responses"].as_object().unwrap() {
            for (kind, content) in response["content"].as_object().into_iter().flatten() {
                let has_example =
                    ["example", "examples"].iter().any(|key| content.get(key).is_some());
                assert!(has_example || kind == "image/png", "{name} {status} has no example");
                check(&format!("{name} {status}"), content);
            }
        }
    }
    assert!(checked > 40, "{checked}");
}

/// The view in each file of `data/`.
fn views() -> Vec<(&'static str, &'static str)> {
    vec![
        ("agent", "AgentView"),
        ("capture", "GameView"),
        ("choose", "GameView"),
        ("cooling", "QueueView"),
        ("cooling_down", "Problem"),
        ("fifth", "GameView"),
        ("first_turn", "GameView"),
        ("foul", "GameView"),
        ("games", "GamesView"),
        ("health", "HealthView"),
        ("house_bot", "AgentView"),
        ("house_players", "PlayersView"),
        ("key", "KeyView"),
        ("leaderboard", "LeaderboardView"),
        ("malformed", "Problem"),
        ("me_idle", "MeView"),
        ("me_playing", "MeView"),
        ("offer", "GameView"),
        ("queued", "QueueView"),
        ("registered", "RegisteredView"),
        ("rules_double_three", "RulesView"),
        ("rules_five", "RulesView"),
        ("rules_occupied", "PointVerdict"),
        ("spectator", "GameView"),
        ("swap", "GameView"),
        ("turn_mismatch", "Problem"),
    ]
}

fn data(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/{name}.json"));
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn of_schema(document: &Value, name: &str) -> jsonschema::Validator {
    assert!(document["components"]["schemas"][name].is_object(), "{name}");
    validator(document, json!({"$ref": format!("#/components/schemas/{name}")}))
}

#[test]
fn every_view_matches_its_schema_and_no_longer_does_with_a_field_more_or_less() {
    let document = closed(openapi());
    for (file, view) in views() {
        let (validator, value) = (of_schema(&document, view), data(file));
        assert_valid(&validator, &value, file);
        let mut more = value.clone();
        more["surprise"] = json!(1);
        assert!(!validator.is_valid(&more), "{file}");
        let required = document["components"]["schemas"][view]["required"].as_array().unwrap();
        for field in required.iter().filter_map(Value::as_str) {
            let mut less = value.clone();
            less.as_object_mut().unwrap().remove(field);
            assert!(!validator.is_valid(&less), "{file} without {field}");
        }
    }
    let files = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")).unwrap();
    let json = |name: &String| name.ends_with(".json");
    let names = files.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(names.filter(json).count(), views().len(), "every view of data/ is checked");
}

#[test]
fn random_games_of_every_ruleset_match_the_schema() {
    let document = closed(openapi());
    let game_view = of_schema(&document, "GameView");
    let rules_view = of_schema(&document, "RulesView");
    for ruleset in Ruleset::ALL {
        for seed in 0..8 {
            let game = random_game(seed, ruleset, 1 + 9 * seed as usize);
            for viewer in [None, Some(Seat::First), Some(Seat::Second)] {
                let view = json!(GameView::new(&game, viewer, game.last_at(), Detail::FULL));
                assert_valid(&game_view, &view, ruleset.id);
            }
            let moves: Vec<String> = game
                .log()
                .iter()
                .filter_map(|entry| match entry.action {
                    arena::Action::Play(play) => Some(play.to_string()),
                    _ => None,
                })
                .collect();
            let body = json!({"ruleset": ruleset.id, "moves": moves, "point": "h9"}).to_string();
            let view = json!(RulesView::of(&parse(body.as_bytes()).unwrap()));
            assert_valid(&rules_view, &view, &body);
        }
    }
}

/// The names of all fields of a value; schemas and examples are not looked into.
fn every_field(value: &Value, into: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            for (name, value) in map {
                into.insert(name.clone());
                if !["schema", "example"].contains(&name.as_str()) {
                    every_field(value, into);
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|value| every_field(value, into)),
        _ => {}
    }
}

/// The names come from the views themselves and from the table of routes.
#[test]
fn every_document_names_every_route_field_and_code() {
    let mut fields = BTreeSet::new();
    for (file, _) in views() {
        every_field(&data(file), &mut fields);
    }
    for route in routes() {
        if let Some(body) = &route.body {
            fields.extend(body.schema()["properties"].as_object().unwrap().keys().cloned());
        }
    }
    let site = site();
    let documents = [
        ("openapi.json", document::openapi(&site).to_string()),
        ("skill.json", document::skill_index(&site).to_string()),
        ("REFERENCE.md", document::reference(&site)),
    ];
    assert!(fields.len() > 100, "{}", fields.len());
    for (name, text) in documents {
        let quote = if name.ends_with("json") { '"' } else { '`' };
        for field in &fields {
            assert!(text.contains(&format!("{quote}{field}{quote}")), "{name} lacks {field}");
        }
        for code in Code::ALL {
            assert!(
                text.contains(&format!("{quote}{}{quote}", code.code())),
                "{name} lacks {code:?}"
            );
        }
        for route in routes() {
            let named = match name {
                "openapi.json" | "skill.json" => text.contains(&format!("\"{}\"", route.path)),
                _ => text.contains(&format!("`{} {}`", route.method.as_str(), route.path)),
            };
            assert_eq!(named, !route.is_page(), "{name}: {}", route.path);
        }
    }
}

#[test]
fn every_document_is_filled_in() {
    let site = site();
    let skill = document::skill(&site);
    for ruleset in Ruleset::ALL {
        assert!(skill.contains(&format!("- `{}`: ", ruleset.id)), "SKILL.md lacks {}", ruleset.id);
    }
    let pages = [document::reference(&site), document::heartbeat(&site), document::llms(&site)];
    for text in pages.iter().chain([&skill]) {
        assert!(!text.contains("{{"), "an empty mark: {text}");
        assert!(text.contains("https://arena.example"), "{text}");
    }
}

#[test]
fn the_skill_is_a_guide_of_twelve_kilobytes_at_most() {
    // As long as the address of a gateway.
    let base = "https://abcdefghij.execute-api.ap-southeast-2.amazonaws.com";
    let skill = document::skill(&Site { base, ..site() });
    assert!(skill.len() <= 12_000, "{} bytes", skill.len());
    let commands: Vec<&str> = skill.split("```sh\n").skip(1).collect();
    let steps =
        ["/agents/register", "/queue/join", "/queue?wait=20", "/text?wait=20", "/move?legal=0"];
    for (command, step) in commands.iter().zip(steps) {
        assert!(command.split("```").next().unwrap().contains(step), "{step}: {command}");
    }
}

/// Sentences, entries of lists and rows of tables, without the marks around them.
fn sentences(page: &str) -> BTreeSet<String> {
    let text = page.replace("\n  ", " ").replace("\n\n", "\u{1}").replace("\n- ", "\u{1}");
    let text = text.replace("\n|", "\u{1}").replace('\n', " ").replace(". ", "\u{1}");
    let parts = text.split('\u{1}').map(|part| part.trim_matches([' ', '.', '*', '|']));
    parts.filter(|part| part.len() >= 50).map(str::to_owned).collect()
}

#[test]
fn nothing_is_said_twice_between_the_guide_and_the_reference() {
    let site = site();
    let [skill, reference] =
        [document::skill(&site), document::reference(&site)].map(|page| sentences(&page));
    assert!(skill.len() > 50 && reference.len() > 100, "{} {}", skill.len(), reference.len());
    let twice: Vec<&String> = skill.intersection(&reference).collect();
    assert!(twice.is_empty(), "{twice:#?}");
}

#[test]
fn the_skill_has_every_phase_and_every_reason() {
    let (skill, document) = (document::skill(&site()), openapi());
    let schemas = &document["components"]["schemas"];
    let reasons = &schemas["ResultView"]["properties"]["reason"]["enum"];
    for (list, count) in [(&schemas["PhaseName"]["enum"], 9), (reasons, 11)] {
        let words: Vec<&str> = list.as_array().unwrap().iter().flat_map(Value::as_str).collect();
        assert_eq!(words.len(), count, "{words:?}");
        let lines: Vec<&str> = skill.lines().filter(|line| line.starts_with("- `")).collect();
        for word in words {
            let quoted = format!("`{word}`");
            let is_explained = |line: &&&str| {
                line.split_once(": ").is_some_and(|(words, _)| words.contains(&quoted))
            };
            assert!(lines.iter().find(is_explained).is_some(), "SKILL.md lacks {word}");
        }
    }
}

/// Whoever pastes the command would have a name and a key that anybody can guess.
#[test]
fn the_registration_in_the_skill_is_refused_as_it_stands() {
    let skill = document::skill(&site());
    let (_, body) = skill.split_once("-d '").unwrap();
    let body: Value = serde_json::from_str(body.split('\'').next().unwrap()).unwrap();
    let error = parse::<RegisterRequest>(body.to_string().as_bytes()).unwrap_err();
    assert_eq!(error.field(), Some("idempotency_key"));
    let mut random = body.clone();
    random["idempotency_key"] = json!("hp4vXw2zqk7mRt9sLb3cYd");
    let request: RegisterRequest = parse(random.to_string().as_bytes()).unwrap();
    assert!(request.agent_name().is_err());
}

#[test]
fn the_symmetric_points_of_the_skill_are_symmetric_whatever_is_on_the_board() {
    let skill = document::skill(&site()).replace('\n', " ");
    assert!(skill.contains("So g7, g9, i7 and i9 are all symmetric"));
    let points = ["g7", "g9", "i7", "i9"].map(|point| point.parse().unwrap());
    let game = support::game(Ruleset::ALL[0].id, "h8 keep h9 keep j6 keep k8 keep");
    let distinct = game.ruleset().distinct;
    for (one, other) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
        assert!(distinct.same(game.position().board(), points[one], points[other]));
    }
}

/// Constructs that generators of clients cannot handle.
#[test]
fn the_document_has_nothing_that_generators_do_not_understand() {
    fn check(place: &str, value: &Value) {
        match value {
            Value::Object(map) => {
                assert!(!map.contains_key("const"), "{place}: a word by itself");
                let is_default = map.get("default").is_some_and(|value| !value.is_object());
                assert!(!is_default, "{place}: a default is sent, or makes a field required");
                let types: BTreeSet<_> = map
                    .get("enum")
                    .and_then(Value::as_array)
                    .into_iter()
                    .flatten()
                    .filter(|word| !word.is_null())
                    .map(std::mem::discriminant)
                    .map(|kind| format!("{kind:?}"))
                    .collect();
                assert!(types.len() < 2, "{place}: words of several types");
                map.iter().for_each(|(key, value)| check(&format!("{place}/{key}"), value));
            }
            Value::Array(list) => list.iter().for_each(|value| check(place, value)),
            _ => {}
        }
    }
    let document = openapi();
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        check(name, schema);
        let is_closed = schema["additionalProperties"] == false;
        assert_eq!(is_closed, name.ends_with("Request"), "{name}: views grow, requests are strict");
    }
    for (name, operation) in operations(&document) {
        check(&name, &operation["parameters"]);
        for (status, response) in operation["responses"].as_object().unwrap() {
            assert!(response["content"].as_object().is_none_or(|content| content.len() == 1));
            let problem = &response["content"]["application/problem+json"]["schema"];
            let expected = json!({"$ref": "#/components/schemas/Problem"});
            assert!(problem.is_null() || *problem == expected, "{name} {status}");
        }
    }
}

#[test]
fn no_json_answer_is_without_a_schema() {
    let document = openapi();
    let documents = ["/openapi.json", "/skill.json"];
    for route in routes().filter(|route| route.answer.media == Media::Json) {
        let operation = &document["paths"][route.path][route.method.as_str().to_ascii_lowercase()];
        let status = if route.answer.created { "201" } else { "200" };
        let content = &operation["responses"][status]["content"]["application/json"];
        let known = content["schema"]["$ref"].is_string();
        assert_eq!(known, !documents.contains(&route.path), "{}", route.path);
    }
}
