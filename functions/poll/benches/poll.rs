//! What a poll costs the processor: the whole function on a DynamoDB that answers from memory, and
//! its parts. The goal is 60 µs for what is ours, which is printed first: `whole` less
//! `sdk_get_item`.

#![allow(clippy::unwrap_used)]

use std::collections::HashMap;

use arena::Game;
use arena_lambda::bearer;
use arena_protocol::{Backend, Read};
use arena_support::{Stage, print_ours, timed};
use arena_wire::{Detail, GameView};
use aws_sdk_dynamodb::types::{AttributeValue, ReturnConsumedCapacity};
use divan::Bencher;
use lambda_http::http::StatusCode;
use lambda_http::{Body, Request, Response};

fn main() {
    let stage = Stage::new();
    let request = stage.poll();
    print_ours(
        "poll",
        || {
            let request = request.clone();
            timed(|| poll(&stage, request))
        },
        || timed(|| get_item(&stage)),
    );
    divan::main();
}

fn poll(stage: &Stage, request: Request) -> Response<Body> {
    stage.run(arena_poll::handle, request)
}

fn get_item(stage: &Stage) -> HashMap<String, AttributeValue> {
    let call = stage
        .dynamodb
        .get_item()
        .table_name("games")
        .key("pk", AttributeValue::S(stage.game.id().to_string()))
        .consistent_read(false)
        .return_consumed_capacity(ReturnConsumedCapacity::Total)
        .send();
    stage.runtime.block_on(call).unwrap().item.unwrap()
}

/// From the gateway's request to the bytes of the answer.
#[divan::bench]
fn whole(bencher: Bencher) {
    let stage = Stage::new();
    let request = stage.poll();
    assert_eq!(poll(&stage, request.clone()).status(), StatusCode::OK);
    bencher.with_inputs(|| request.clone()).bench_local_values(|request| poll(&stage, request));
}

/// The same with a tag: nothing has changed.
#[divan::bench]
fn whole_unchanged(bencher: Bencher) {
    let stage = Stage::new();
    let mut request = stage.poll();
    let first = poll(&stage, request.clone());
    request.headers_mut().insert("if-none-match", first.headers()["etag"].clone());
    assert_eq!(poll(&stage, request.clone()).status(), StatusCode::NOT_MODIFIED);
    bencher.with_inputs(|| request.clone()).bench_local_values(|request| poll(&stage, request));
}

/// What the SDK takes of it: from a key to an item of attributes.
#[divan::bench]
fn sdk_get_item(bencher: Bencher) {
    let stage = Stage::new();
    bencher.bench_local(|| get_item(&stage));
}

/// The same and the item read: what the store takes of it.
#[divan::bench]
fn store_game(bencher: Bencher) {
    let stage = Stage::new();
    let (store, id) = (&stage.context.store, stage.game.id());
    bencher.bench_local(|| stage.runtime.block_on(store.game(id, Read::Cheap)).unwrap().unwrap());
}

/// The log replayed, which is most of what it takes to read an item.
#[divan::bench]
fn part_replay(bencher: Bencher) {
    let stage = Stage::new();
    let (header, log) = (stage.game.header(), stage.game.log());
    bencher.bench_local(|| Game::restore(header.clone(), log.iter().copied()).unwrap());
}

/// The key read and hashed.
#[divan::bench]
fn part_authenticate(bencher: Bencher) {
    let stage = Stage::new();
    let request = stage.poll();
    bencher.bench_local(|| bearer(&request).unwrap().unwrap().hash().digest());
}

/// The view and its bytes.
#[divan::bench]
fn part_view(bencher: Bencher) {
    let stage = Stage::new();
    let now = stage.game.last_at();
    bencher.bench_local(|| {
        let view = GameView::new(&stage.game, Some(stage.seat), now, Detail::FULL);
        arena_wire::json(&view)
    });
}

/// The same in a text that grows as it is written.
#[divan::bench]
fn part_view_to_string(bencher: Bencher) {
    let stage = Stage::new();
    let now = stage.game.last_at();
    bencher.bench_local(|| {
        let view = GameView::new(&stage.game, Some(stage.seat), now, Detail::FULL);
        serde_json::to_string(&view).unwrap()
    });
}
