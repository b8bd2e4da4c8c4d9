//! Lines of the log, word for word: searches, alarms and dashboards are built on them.

#![allow(clippy::unwrap_used)]

use arena::{Timestamp, TurnNumber};
use arena_wire::{Code, MessageLine, Method, Noted, Origin, RequestLine, json};
use expect_test::{Expect, expect};
use serde::Serialize;
use serde_json::Value;

const ORIGIN: Origin<'_> = Origin {
    at: Timestamp::from_ms(1_794_806_725_000),
    function: "arena-move",
    request_id: Some("c6af9ac6-7b61-11e6-9a41-93e8deadbeef"),
    trace_id: Some("1-5759e988-bd862e3fe1be46a994272793"),
    micros: 12_345,
};

fn check(line: &impl Serialize, expected: Expect) {
    expected.assert_eq(&String::from_utf8(json(line)).unwrap());
}

fn seen() -> Noted {
    Noted {
        agent: Some("alice".parse().unwrap()),
        game: Some("abcdefghijklmnop".parse().unwrap()),
        turn: Some(TurnNumber(7)),
        ..Noted::default()
    }
}

#[test]
fn a_granted_request() {
    let (method, route) = (Some(Method::Post), Some("/games/{id}/move"));
    let noted = seen();
    let line = RequestLine {
        origin: ORIGIN,
        method,
        route,
        status: 200,
        code: None,
        one_in: 20,
        noted: &noted,
    };
    check(
        &line,
        expect![[
            r#"{"timestamp":"2026-11-16T05:25:25.000Z","level":"info","function":"arena-move","request_id":"c6af9ac6-7b61-11e6-9a41-93e8deadbeef","trace_id":"1-5759e988-bd862e3fe1be46a994272793","ms":12.345,"method":"POST","route":"/games/{id}/move","status":200,"one_in":20,"agent":"alice","game":"abcdefghijklmnop","turn":7}"#
        ]],
    );
}

#[test]
fn a_refused_request_counts_by_code() {
    let noted = seen();
    let (method, route) = (Some(Method::Post), Some("/games/{id}/move"));
    let code = Some(Code::TurnMismatch);
    let line =
        RequestLine { origin: ORIGIN, method, route, status: 409, code, one_in: 1, noted: &noted };
    check(
        &line,
        expect![[
            r#"{"timestamp":"2026-11-16T05:25:25.000Z","level":"info","function":"arena-move","request_id":"c6af9ac6-7b61-11e6-9a41-93e8deadbeef","trace_id":"1-5759e988-bd862e3fe1be46a994272793","ms":12.345,"method":"POST","route":"/games/{id}/move","status":409,"code":"turn_mismatch","agent":"alice","game":"abcdefghijklmnop","turn":7,"rejections":1,"_aws":{"Timestamp":1794806725000,"CloudWatchMetrics":[{"Namespace":"RenjuArena","Dimensions":[["function","code"]],"Metrics":[{"Name":"rejections","Unit":"Count"}]}]}}"#
        ]],
    );
}

#[test]
fn a_request_for_nothing_we_know_names_no_path() {
    let origin = Origin { request_id: None, trace_id: None, ..ORIGIN };
    let code = Some(Code::NotFound);
    let noted = Noted::default();
    let line = RequestLine {
        origin,
        method: None,
        route: None,
        status: 404,
        code,
        one_in: 1,
        noted: &noted,
    };
    check(
        &line,
        expect![[
            r#"{"timestamp":"2026-11-16T05:25:25.000Z","level":"info","function":"arena-move","ms":12.345,"status":404,"code":"not_found","rejections":1,"_aws":{"Timestamp":1794806725000,"CloudWatchMetrics":[{"Namespace":"RenjuArena","Dimensions":[["function","code"]],"Metrics":[{"Name":"rejections","Unit":"Count"}]}]}}"#
        ]],
    );
}

#[test]
fn a_message_that_ended_a_game_and_one_that_seated_four() {
    let origin = Origin { function: "arena-referee", ..ORIGIN };
    let noted = Noted { deadline_lag_ms: vec![180], ..seen() };
    let noted = Noted { agent: None, ..noted };
    check(
        &MessageLine { origin, message: "timer", done: true, noted: &noted },
        expect![[
            r#"{"timestamp":"2026-11-16T05:25:25.000Z","level":"info","function":"arena-referee","request_id":"c6af9ac6-7b61-11e6-9a41-93e8deadbeef","trace_id":"1-5759e988-bd862e3fe1be46a994272793","ms":12.345,"message":"timer","done":true,"game":"abcdefghijklmnop","turn":7,"deadline_lag_ms":[180],"_aws":{"Timestamp":1794806725000,"CloudWatchMetrics":[{"Namespace":"RenjuArena","Dimensions":[["function"]],"Metrics":[{"Name":"deadline_lag_ms","Unit":"Milliseconds"}]}]}}"#
        ]],
    );
    let queue_wait_ms = vec![3_000, 1_200, 900, 901];
    let noted = Noted { matches: 2, queue_wait_ms, ..Noted::default() };
    check(
        &MessageLine { origin, message: "match", done: false, noted: &noted },
        expect![[
            r#"{"timestamp":"2026-11-16T05:25:25.000Z","level":"info","function":"arena-referee","request_id":"c6af9ac6-7b61-11e6-9a41-93e8deadbeef","trace_id":"1-5759e988-bd862e3fe1be46a994272793","ms":12.345,"message":"match","done":false,"matches":2,"queue_wait_ms":[3000,1200,900,901],"_aws":{"Timestamp":1794806725000,"CloudWatchMetrics":[{"Namespace":"RenjuArena","Dimensions":[["function"]],"Metrics":[{"Name":"matches","Unit":"Count"},{"Name":"queue_wait_ms","Unit":"Milliseconds"}]}]}}"#
        ]],
    );
}

#[test]
fn a_crowd_is_sampled_but_counted_in_full() {
    for crowd in [1, 50, 51, 100, 777] {
        let (matches, queue_wait_ms) = (crowd as u32, (0..2 * crowd).collect());
        let noted = Noted { matches, queue_wait_ms, ..Noted::default() };
        let line = MessageLine { origin: ORIGIN, message: "match", done: true, noted: &noted };
        let line: Value = serde_json::from_slice(&json(&line)).unwrap();
        let values = line["queue_wait_ms"].as_array().unwrap();
        assert!((1..=100).contains(&values.len()), "{}", values.len());
        assert_eq!(line["matches"], crowd);
        assert!(crowd > 50 || values.len() as i64 == 2 * crowd);
    }
}

#[test]
fn items_that_were_passed_over_are_counted() {
    let noted = Noted { unreadable: 2, ..Noted::default() };
    let line = MessageLine { origin: ORIGIN, message: "sweep", done: true, noted: &noted };
    check(
        &line,
        expect![[
            r#"{"timestamp":"2026-11-16T05:25:25.000Z","level":"info","function":"arena-move","request_id":"c6af9ac6-7b61-11e6-9a41-93e8deadbeef","trace_id":"1-5759e988-bd862e3fe1be46a994272793","ms":12.345,"message":"sweep","done":true,"unreadable":2,"_aws":{"Timestamp":1794806725000,"CloudWatchMetrics":[{"Namespace":"RenjuArena","Dimensions":[["function"]],"Metrics":[{"Name":"unreadable","Unit":"Count"}]}]}}"#
        ]],
    );
}
