//! Everything that is asked and changes nothing: games, agents, lists, the rules.

mod game;
mod lists;
mod people;
mod picture;

use arena_http::{App, Refusal, Reply, body, now, ok, published, target};
use arena_wire::{Code, Endpoint, HealthView, RulesCheckRequest, RulesView};
use lambda_http::Request;

/// How long a list, or what everybody sees of an agent, may be kept.
const LIST_S: u32 = 2;

/// Answers questions.
pub async fn handle(app: App, request: Request) -> Reply {
    match target(&request)?.endpoint {
        Endpoint::Game => game::show(&app, &request).await,
        Endpoint::GameSvg => picture::show(&app, &request).await,
        Endpoint::Me => people::me(&app, &request).await,
        Endpoint::Agent => published(&request, LIST_S, people::agent(&app, &request).await),
        Endpoint::AgentGames => {
            published(&request, LIST_S, lists::agent_games(&app, &request).await)
        }
        Endpoint::Games => published(&request, LIST_S, lists::games(&app, &request).await),
        Endpoint::Leaderboard => {
            published(&request, LIST_S, lists::leaderboard(&app, &request).await)
        }
        Endpoint::RulesCheck => ok(&RulesView::of(&body::<RulesCheckRequest>(&request)?)),
        Endpoint::Health => ok(&HealthView::ok(env!("CARGO_PKG_VERSION"), now())),
        other => Err(Refusal::plain(Code::NotFound, format!("{other:?} is not answered here"))),
    }
}
