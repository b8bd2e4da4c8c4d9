//! Pages for people, documents for agents.

use arena_http::{App, Refusal, Reply, target};
use arena_wire::Code;
use lambda_http::Request;

/// Answers those who watch.
pub async fn handle(_app: App, request: Request) -> Reply {
    let other = target(&request)?.endpoint;
    Err(Refusal::plain(Code::NotFound, format!("{other:?} is not answered here")))
}
