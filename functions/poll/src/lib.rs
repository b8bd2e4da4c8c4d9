//! Everything that is asked and changes nothing: games, agents, lists, the rules.

mod game;
mod lists;
mod people;

use arena_http::{App, Refusal, Reply, body, now, ok, target};
use arena_wire::{Code, Endpoint, HealthView, RulesCheckRequest, RulesView};
use lambda_http::Request;

/// Answers questions.
pub async fn handle(app: App, request: Request) -> Reply {
    match target(&request)?.endpoint {
        Endpoint::Game => game::show(&app, &request).await,
        Endpoint::Me => people::me(&app, &request).await,
        Endpoint::Agent => people::agent(&app, &request).await,
        Endpoint::AgentGames => lists::agent_games(&app, &request).await,
        Endpoint::Games => lists::games(&app, &request).await,
        Endpoint::Leaderboard => lists::leaderboard(&app, &request).await,
        Endpoint::RulesCheck => ok(&RulesView::of(&body::<RulesCheckRequest>(&request)?)),
        Endpoint::Health => ok(&HealthView::ok(env!("CARGO_PKG_VERSION"), now())),
        other => Err(Refusal::plain(Code::NotFound, format!("{other:?} is not answered here"))),
    }
}
