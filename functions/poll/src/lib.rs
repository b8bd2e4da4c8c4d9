//! All reads: games, agents, lists, the rules. A read can extend a ticket, end an overdue game and
//! send a late house bot its message again; nothing else is changed.

mod files;
mod game;
mod lists;
mod people;
mod picture;

use arena_lambda::{Context, Keep, Refusal, Reply, Target, body, cached, ok, query, wants_html};
use arena_store::now;
use arena_wire::{Endpoint, HealthView, RulesCheckRequest, RulesView, TextQuery};
use lambda_http::Request;

/// Cache time of public lists.
const LISTS: Keep = Keep::Seconds(2);

/// Answers reads.
pub async fn handle(context: Context, request: Request, target: Result<Target, Refusal>) -> Reply {
    let target = target?;
    // Queries of the API have no parameters but those that count.
    let key = request.uri().path_and_query().map_or_else(String::new, ToString::to_string);
    match target.endpoint() {
        Endpoint::Game => game::show(&context, &request, &target, query(&request)?).await,
        Endpoint::GameText => {
            let asked: TextQuery = query(&request)?;
            game::show(&context, &request, &target, asked.into()).await
        }
        Endpoint::GameSgf | Endpoint::GamePsq | Endpoint::GameDiagram | Endpoint::GameJson => {
            files::show(&context, &request, &target).await
        }
        Endpoint::GameSvg => picture::show(&context, &request, &target).await,
        Endpoint::Me => people::me(&context, &request).await,
        Endpoint::Agent => {
            cached(&request, people::agent(&context, &request, &target).await, LISTS)
        }
        Endpoint::AgentGames => {
            let make = async || lists::agent_games(&context, &request, &target).await;
            context.list(&request, key, LISTS, make).await
        }
        Endpoint::AgentExport => {
            let make = async || lists::agent_export(&context, &request, &target).await;
            context.list(&request, key, LISTS, make).await
        }
        Endpoint::Games => {
            context
                .list(&request, key, LISTS, async || lists::games(&context, &request).await)
                .await
        }
        // People who type the address of the list get the page.
        Endpoint::Leaderboard if wants_html(&request) => lists::ranking_page(&request),
        Endpoint::Leaderboard => {
            let make = async || lists::leaderboard(&context, &request).await;
            lists::varied_by_accept(context.list(&request, key, LISTS, make).await)
        }
        Endpoint::RulesCheck => ok(&RulesView::of(&body::<RulesCheckRequest>(&request)?)),
        Endpoint::Health => {
            context.check_health().await?;
            ok(&HealthView::ok(env!("CARGO_PKG_VERSION"), now()))
        }
        _ => Err(target.elsewhere()),
    }
}
