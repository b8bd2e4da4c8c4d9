//! `POST /games/{id}/…`: decisions of the player to act.

use arena_lambda::{
    Context, Refusal, Reply, Target, body, header_key, ok, query, received_at, replayed,
};
use arena_protocol::submit;
use arena_wire::{
    DecisionQuery, DeclareRequest, Detail, Endpoint, GameView, MoveRequest, OfferRequest,
    ResignRequest, Submit, SwapRequest,
};
use lambda_http::Request;

/// Answers the decisions of a player.
pub async fn handle(context: Context, request: Request, target: Result<Target, Refusal>) -> Reply {
    let target = target?;
    match target.endpoint() {
        Endpoint::Move => decide::<MoveRequest>(&context, &request, &target).await,
        Endpoint::Swap => decide::<SwapRequest>(&context, &request, &target).await,
        Endpoint::Offer => decide::<OfferRequest>(&context, &request, &target).await,
        Endpoint::Declare => decide::<DeclareRequest>(&context, &request, &target).await,
        Endpoint::Resign => decide::<ResignRequest>(&context, &request, &target).await,
        _ => Err(target.elsewhere()),
    }
}

async fn decide<T: Submit>(context: &Context, request: &Request, target: &Target) -> Reply {
    let id = target.game_id()?;
    let asked: DecisionQuery = query(request)?;
    let wanted: T = body(request)?;
    let caller = context.caller(request)?;
    let submission = wanted.into_submission(&caller.name, header_key(request))?;
    let (settled, seat) = submit(&context.store, id, &caller, submission, received_at(request))
        .await
        .map_err(|refused| Refusal::from(refused).with_detail(asked.refused()))?;

    // The game right after this decision, so that a repetition gets the same bytes.
    let game = settled.game_then();
    // A player that is not to act has no use for the other's moves.
    let detail = asked.accepted();
    let detail = Detail { legal: detail.legal && game.to_act() == Some(seat), ..detail };
    let view = GameView::new(&game, Some(seat), game.last_at(), detail);
    replayed(ok(&view), settled.replayed)
}
