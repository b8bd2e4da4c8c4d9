//! All reads: games, agents, lists, the rules. A read can extend a ticket, end an overdue game and
//! send a late house bot its message again; nothing else is changed.

mod files;
mod game;
mod lists;
mod people;
mod picture;

use arena_lambda::{Context, Keep, Refusal, Reply, body, cached, ok, target};
use arena_store::now;
use arena_wire::{Code, Endpoint, HealthView, RulesCheckRequest, RulesView};
use lambda_http::Request;

/// Cache time of public lists.
const LISTS: Keep = Keep::Seconds(2);

/// Answers reads.
pub async fn handle(context: Context, request: Request) -> Reply {
    match target(&request)?.endpoint {
        Endpoint::Game => game::show(&context, &request).await,
        Endpoint::GameSgf | Endpoint::GamePsq | Endpoint::GameText | Endpoint::GameJson => {
            files::show(&context, &request).await
        }
        Endpoint::GameSvg => picture::show(&context, &request).await,
        Endpoint::Me => people::me(&context, &request).await,
        Endpoint::Agent => cached(&request, people::agent(&context, &request).await, LISTS),
        Endpoint::AgentGames => {
            cached(&request, lists::agent_games(&context, &request).await, LISTS)
        }
        Endpoint::Games => cached(&request, lists::games(&context, &request).await, LISTS),
        Endpoint::Leaderboard => {
            cached(&request, lists::leaderboard(&context, &request).await, LISTS)
        }
        Endpoint::RulesCheck => ok(&RulesView::of(&body::<RulesCheckRequest>(&request)?)),
        Endpoint::Health => {
            context.check_health().await?;
            ok(&HealthView::ok(env!("CARGO_PKG_VERSION"), now()))
        }
        other => Err(Refusal::plain(Code::NotFound, format!("{other:?} is not answered here"))),
    }
}
