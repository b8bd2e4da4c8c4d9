//! What a move costs the processor: the whole function on a DynamoDB that answers from memory, and
//! its parts. The goal is 40 µs for the `decision`.

#![allow(clippy::unwrap_used)]

#[path = "../../poll/benches/stage/mod.rs"]
mod stage;

use arena::{Actor, Game, Pace, Plan, Submission, TurnNumber, table};
use arena_lambda::{App, body, respond};
use arena_wire::{Detail, GameView, MoveRequest};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::operation::get_item::GetItemOutput;
use aws_sdk_dynamodb::operation::update_item::UpdateItemOutput;
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::{
    AttributeValue, ReturnConsumedCapacity, ReturnValuesOnConditionCheckFailure,
};
use divan::Bencher;
use lambda_http::http::{Method, StatusCode};
use lambda_http::{Body, Request, Response};
use renju::{Play, Point, Seat};
use stage::{Stage, print_ours, timed};

fn main() {
    let stage = Stage::new();
    let (request, client) = (request(&stage), stage.dynamodb());
    print_ours(
        "move",
        || {
            let (app, request) = (stage.app(), request.clone());
            timed(|| submit(&stage, &app, request))
        },
        || timed(|| get_and_update_item(&stage, &client)),
    );
    divan::main();
}

fn submit(stage: &Stage, app: &App, request: Request) -> Response<Body> {
    respond(stage.runtime.block_on(arena_move::handle(app.clone(), request)))
}

/// The bytes that 42 decisions take in the item's log.
const LOG_BYTES: usize = 1 + 42 * 10;

/// A legal move of the stage's game.
fn point(stage: &Stage) -> Point {
    stage.game.position().legal_points().nth(90).unwrap()
}

fn request(stage: &Stage) -> Request {
    let (id, turn) = (stage.game.id(), stage.game.turn());
    let body = format!(
        r#"{{"point":"{}","turn_number":{turn},"idempotency_key":"{id}-{turn}"}}"#,
        point(stage)
    );
    stage.request(Method::POST, &format!("/games/{id}/move"), &body)
}

fn decide(game: &Game, seat: Seat, submission: Submission) -> Plan {
    let now = game.last_at().plus(1_000);
    let decision = game.apply(Actor::Seat(seat), submission, now, &Pace::STANDARD);
    let next = decision.unwrap().into_commit().unwrap();
    assert_eq!(table::needs(&next), table::Needs::Nothing);
    table::advance(next, &Pace::STANDARD)
}

fn get_and_update_item(stage: &Stage, client: &Client) -> (GetItemOutput, UpdateItemOutput) {
    let id = || AttributeValue::S(stage.game.id().to_string());
    let turn = stage.game.turn();
    let next = TurnNumber(turn.0 + 1);
    let number = |turn: TurnNumber| AttributeValue::N(turn.to_string());
    let get = client
        .get_item()
        .table_name("games")
        .key("pk", id())
        .consistent_read(false)
        .return_consumed_capacity(ReturnConsumedCapacity::Total);
    let update = client
        .update_item()
        .table_name("games")
        .key("pk", id())
        .update_expression("SET turn_number = :turn_number, l = :l")
        .condition_expression("turn_number = :seen_turn")
        .expression_attribute_values(":turn_number", number(next))
        .expression_attribute_values(":l", AttributeValue::B(Blob::new([7; LOG_BYTES])))
        .expression_attribute_values(":seen_turn", number(turn))
        .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
        .return_consumed_capacity(ReturnConsumedCapacity::Total);
    let both = async { (get.send().await.unwrap(), update.send().await.unwrap()) };
    stage.runtime.block_on(both)
}

/// From the gateway's request to the bytes of the answer, with one read and one write.
#[divan::bench]
fn whole(bencher: Bencher) {
    let stage = Stage::new();
    let request = request(&stage);
    assert_eq!(submit(&stage, &stage.app(), request.clone()).status(), StatusCode::OK);
    // A fresh application each time: nobody may ask as often as a bench does.
    bencher.with_inputs(|| (stage.app(), request.clone())).bench_local_values(|(app, request)| {
        let response = submit(&stage, &app, request);
        (app, response)
    });
}

/// What the SDK takes of it: an item read, two attributes written on condition.
#[divan::bench]
fn sdk_get_and_update_item(bencher: Bencher) {
    let stage = Stage::new();
    let client = stage.dynamodb();
    bencher.bench_local(|| get_and_update_item(&stage, &client));
}

/// The decision alone: the move judged, and the plan that writes it.
#[divan::bench]
fn decision(bencher: Bencher) {
    let stage = Stage::new();
    let submission = stage.submission(Play::Place(point(&stage)));
    bencher.bench_local(|| decide(&stage.game, stage.seat, submission));
}

/// The decision from the stored log on: replayed, judged, planned.
#[divan::bench]
fn decision_with_replay(bencher: Bencher) {
    let stage = Stage::new();
    let submission = stage.submission(Play::Place(point(&stage)));
    let (header, log) = (stage.game.header(), stage.game.log());
    bencher.bench_local(|| {
        let game = Game::restore(header.clone(), log.iter().copied()).unwrap();
        decide(&game, stage.seat, submission)
    });
}

/// The body read.
#[divan::bench]
fn part_body(bencher: Bencher) {
    let stage = Stage::new();
    let request = request(&stage);
    bencher.bench_local(|| body::<MoveRequest>(&request).unwrap());
}

/// The answer: the game right after the decision, its view and the bytes.
#[divan::bench]
fn part_answer(bencher: Bencher) {
    let stage = Stage::new();
    bencher.bench_local(|| {
        let game = stage.game.at(stage.game.turn());
        let view = GameView::new(&game, Some(stage.seat), game.last_at(), Detail::BRIEF);
        arena_wire::json(&view)
    });
}
