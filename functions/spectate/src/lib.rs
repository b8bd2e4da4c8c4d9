//! Pages for people, documents for agents.

mod documents;
mod exports;

use arena_http::{App, Refusal, Reply, target};
use arena_wire::{Code, Endpoint};
use lambda_http::Request;

/// Answers those who watch.
pub async fn handle(app: App, request: Request) -> Reply {
    match target(&request)?.endpoint {
        Endpoint::OpenApi => documents::openapi(&request),
        Endpoint::Skill => documents::skill(&request),
        Endpoint::Heartbeat => documents::heartbeat(&request),
        Endpoint::SkillIndex => documents::skill_index(&request),
        Endpoint::Llms => documents::llms(&request),
        Endpoint::Export => exports::export(&app, &request).await,
        other => Err(Refusal::plain(Code::NotFound, format!("{other:?} is not answered here"))),
    }
}
