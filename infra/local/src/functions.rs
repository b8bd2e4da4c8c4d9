//! Which function answers which route, as the gateway of a deployment decides it.

use arena_http::{App, Reply, target};
use arena_wire::Endpoint;
use lambda_http::Request;

/// Hands a request to the function it belongs to.
pub(crate) async fn handle(app: App, request: Request) -> Reply {
    match target(&request)?.endpoint {
        Endpoint::Register | Endpoint::RotateKey | Endpoint::RevokeKey => {
            arena_register::handle(app, request).await
        }
        Endpoint::Join | Endpoint::Leave | Endpoint::Queue => {
            arena_queue::handle(app, request).await
        }
        Endpoint::Move
        | Endpoint::Swap
        | Endpoint::Offer
        | Endpoint::Declare
        | Endpoint::Resign => arena_move::handle(app, request).await,
        Endpoint::Game
        | Endpoint::Games
        | Endpoint::Me
        | Endpoint::Agent
        | Endpoint::AgentGames
        | Endpoint::Leaderboard
        | Endpoint::RulesCheck
        | Endpoint::Health => arena_poll::handle(app, request).await,
    }
}
