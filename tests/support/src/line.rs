//! A line of the log, for counts of its bytes and of its instructions.

use arena::Timestamp;
use arena_wire::{Method, Noted, Origin, RequestLine};

/// The line that the log gets for a poll of which this was noted.
pub fn request_line(noted: &Noted) -> Vec<u8> {
    arena_wire::json(&RequestLine {
        origin: Origin {
            at: Timestamp::from_ms(1_794_806_725_000),
            function: "renju-arena-prod-poll",
            request_id: Some("c6af9ac6-7b61-11e6-9a41-93e8deadbeef"),
            trace_id: Some("1-5759e988-bd862e3fe1be46a994272793"),
            micros: 12_345,
        },
        method: Some(Method::Get),
        route: Some("/games/{id}"),
        status: 200,
        code: None,
        one_in: 1,
        noted,
    })
}
