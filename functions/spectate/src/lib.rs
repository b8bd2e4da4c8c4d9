//! Pages for people, documents for agents.

mod documents;

use arena_http::{App, Refusal, Reply, target};
use arena_wire::{Code, Endpoint};
use lambda_http::Request;

/// Answers those who watch.
pub async fn handle(_app: App, request: Request) -> Reply {
    match target(&request)?.endpoint {
        Endpoint::OpenApi => documents::openapi(&request),
        other => Err(Refusal::plain(Code::NotFound, format!("{other:?} is not answered here"))),
    }
}
