//! Processor time of a move: the whole function on a DynamoDB that answers from memory, and its
//! parts. The goal is 40 µs for the `decision`.

#![allow(clippy::unwrap_used)]

use arena::{Actor, Game, Pace, Plan, Submission, TurnNumber, progress};
use arena_lambda::body;
use arena_support::{Stage, print_ours};
use arena_wire::{Detail, GameView, MoveRequest};
use aws_sdk_dynamodb::operation::get_item::GetItemOutput;
use aws_sdk_dynamodb::operation::update_item::UpdateItemOutput;
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::{
    AttributeValue, ReturnConsumedCapacity, ReturnValuesOnConditionCheckFailure,
};
use divan::Bencher;
use lambda_http::http::StatusCode;
use lambda_http::{Body, Request, Response};
use renju::Seat;

fn main() {
    let stage = Stage::new();
    let call = |request| submit(&stage, request);
    print_ours("move", &stage.submit(), call, || get_and_update_item(&stage));
    divan::main();
}

fn submit(stage: &Stage, request: Request) -> Response<Body> {
    stage.run(arena_move::handle, request)
}

/// Bytes of 42 decisions in the item's log.
const LOG_BYTES: usize = 1 + 42 * 10;

fn decide(game: &Game, seat: Seat, submission: Submission) -> Plan {
    let now = game.last_at().plus(1_000);
    let decision = game.apply(Actor::Seat(seat), submission, now, &Pace::STANDARD);
    let next = decision.unwrap().into_commit().unwrap();
    assert_eq!(progress::needs(&next), progress::Needs::Nothing);
    progress::advance(next, &Pace::STANDARD)
}

fn get_and_update_item(stage: &Stage) -> (GetItemOutput, UpdateItemOutput) {
    let turn = stage.game.turn();
    let next = TurnNumber(turn.0 + 1);
    let number = |turn: TurnNumber| AttributeValue::N(turn.to_string());
    let update = stage
        .dynamodb
        .update_item()
        .table_name("games")
        .key("pk", AttributeValue::S(stage.game.id().to_string()))
        .update_expression("SET turn_number = :turn_number, l = :l")
        .condition_expression("turn_number = :seen_turn")
        .expression_attribute_values(":turn_number", number(next))
        .expression_attribute_values(":l", AttributeValue::B(Blob::new([7; LOG_BYTES])))
        .expression_attribute_values(":seen_turn", number(turn))
        .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
        .return_consumed_capacity(ReturnConsumedCapacity::Total);
    let both = async { (stage.get_item().send().await.unwrap(), update.send().await.unwrap()) };
    stage.runtime.block_on(both)
}

/// From the gateway's request to the bytes of the reply, with one read and one write.
#[divan::bench]
fn whole(bencher: Bencher) {
    let stage = Stage::new();
    let request = stage.submit();
    assert_eq!(submit(&stage, request.clone()).status(), StatusCode::OK);
    bencher.with_inputs(|| request.clone()).bench_local_values(|request| submit(&stage, request));
}

/// The SDK's part: an item read, two attributes written on condition.
#[divan::bench]
fn sdk_get_and_update_item(bencher: Bencher) {
    let stage = Stage::new();
    bencher.bench_local(|| get_and_update_item(&stage));
}

/// The decision alone: the move checked, and the plan that writes it.
#[divan::bench]
fn decision(bencher: Bencher) {
    let stage = Stage::new();
    let submission = stage.submission();
    bencher.bench_local(|| decide(&stage.game, stage.seat, submission));
}

/// The decision from the stored log: replayed, checked, planned.
#[divan::bench]
fn decision_with_replay(bencher: Bencher) {
    let stage = Stage::new();
    let submission = stage.submission();
    let (header, log) = (stage.game.header(), stage.game.log());
    bencher.bench_local(|| {
        let game = Game::restore(header.clone(), log.iter().copied()).unwrap();
        decide(&game, stage.seat, submission)
    });
}

#[divan::bench]
fn part_body(bencher: Bencher) {
    let stage = Stage::new();
    let request = stage.submit();
    bencher.bench_local(|| body::<MoveRequest>(&request).unwrap());
}

/// The reply: the game right after the decision, its view and the bytes.
#[divan::bench]
fn part_answer(bencher: Bencher) {
    let stage = Stage::new();
    bencher.bench_local(|| {
        let game = stage.game.at(stage.game.turn());
        let view = GameView::new(&game, Some(stage.seat), game.last_at(), Detail::BRIEF);
        arena_wire::json(&view)
    });
}
