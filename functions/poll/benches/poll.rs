//! Processor time of a poll: the whole function on a DynamoDB that answers from memory, and its
//! parts. The goal is 60 µs for our own code, which is printed first: `whole` less `sdk_get_item`.

#![allow(clippy::unwrap_used)]

use std::collections::HashMap;

use arena::Game;
use arena_lambda::bearer;
use arena_protocol::{Backend, Read};
use arena_support::{Stage, print_ours};
use arena_wire::{Detail, GameView};
use aws_sdk_dynamodb::types::AttributeValue;
use divan::Bencher;
use lambda_http::http::StatusCode;
use lambda_http::{Body, Request, Response};

fn main() {
    let stage = Stage::new();
    print_ours("poll", &stage.poll(), |request| poll(&stage, request), || get_item(&stage));
    divan::main();
}

fn poll(stage: &Stage, request: Request) -> Response<Body> {
    stage.run(arena_poll::handle, request)
}

fn get_item(stage: &Stage) -> HashMap<String, AttributeValue> {
    stage.runtime.block_on(stage.get_item().send()).unwrap().item.unwrap()
}

/// From the gateway's request to the bytes of the reply.
#[divan::bench]
fn whole(bencher: Bencher) {
    let stage = Stage::new();
    let request = stage.poll();
    assert_eq!(poll(&stage, request.clone()).status(), StatusCode::OK);
    bencher.with_inputs(|| request.clone()).bench_local_values(|request| poll(&stage, request));
}

/// The same with an `If-None-Match` that matches.
#[divan::bench]
fn whole_unchanged(bencher: Bencher) {
    let stage = Stage::new();
    let mut request = stage.poll();
    let first = poll(&stage, request.clone());
    request.headers_mut().insert("if-none-match", first.headers()["etag"].clone());
    assert_eq!(poll(&stage, request.clone()).status(), StatusCode::NOT_MODIFIED);
    bencher.with_inputs(|| request.clone()).bench_local_values(|request| poll(&stage, request));
}

/// The SDK's part: from a key to an item of attributes.
#[divan::bench]
fn sdk_get_item(bencher: Bencher) {
    let stage = Stage::new();
    bencher.bench_local(|| get_item(&stage));
}

/// The store's part: the same and the item decoded.
#[divan::bench]
fn store_game(bencher: Bencher) {
    let stage = Stage::new();
    let (store, id) = (&stage.context.store, stage.game.id());
    bencher.bench_local(|| stage.runtime.block_on(store.game(id, Read::Cheap)).unwrap().unwrap());
}

/// Replaying the log, which is most of decoding an item.
#[divan::bench]
fn part_replay(bencher: Bencher) {
    let stage = Stage::new();
    let (header, log) = (stage.game.header(), stage.game.log());
    bencher.bench_local(|| Game::restore(header.clone(), log.iter().copied()).unwrap());
}

#[divan::bench]
fn part_authenticate(bencher: Bencher) {
    let stage = Stage::new();
    let request = stage.poll();
    bencher.bench_local(|| bearer(&request).unwrap().unwrap().hash().digest());
}

#[divan::bench]
fn part_view(bencher: Bencher) {
    let stage = Stage::new();
    let now = stage.game.last_at();
    bencher.bench_local(|| {
        let view = GameView::new(&stage.game, Some(stage.seat), now, Detail::FULL);
        arena_wire::json(&view)
    });
}

/// The same into a string that grows as it is written.
#[divan::bench]
fn part_view_to_string(bencher: Bencher) {
    let stage = Stage::new();
    let now = stage.game.last_at();
    bencher.bench_local(|| {
        let view = GameView::new(&stage.game, Some(stage.seat), now, Detail::FULL);
        serde_json::to_string(&view).unwrap()
    });
}
