//! `POST /games/{id}/…`: decisions of the player to act.

use arena_lambda::{Context, Refusal, Reply, body, header_key, ok, received_at, replayed, target};
use arena_protocol::submit;
use arena_wire::{
    Code, DeclareRequest, Detail, Endpoint, GameView, MoveRequest, OfferRequest, ResignRequest,
    Submit, SwapRequest,
};
use lambda_http::Request;

/// Answers the decisions of a player.
pub async fn handle(context: Context, request: Request) -> Reply {
    match target(&request)?.endpoint {
        Endpoint::Move => decide::<MoveRequest>(&context, &request).await,
        Endpoint::Swap => decide::<SwapRequest>(&context, &request).await,
        Endpoint::Offer => decide::<OfferRequest>(&context, &request).await,
        Endpoint::Declare => decide::<DeclareRequest>(&context, &request).await,
        Endpoint::Resign => decide::<ResignRequest>(&context, &request).await,
        other => Err(Refusal::plain(Code::NotFound, format!("{other:?} is not answered here"))),
    }
}

async fn decide<T: Submit>(context: &Context, request: &Request) -> Reply {
    let id = target(request)?.game_id()?;
    let wanted: T = body(request)?;
    let caller = context.caller(request)?;
    let submission = wanted.into_submission(&caller.name, header_key(request))?;
    let (settled, seat) =
        submit(&context.store, id, &caller, submission, received_at(request)).await?;

    // The game right after this decision, so that a repetition gets the same bytes.
    let game = settled.game_then();
    // A player that is not to act has no use for the other's moves.
    let detail = Detail { legal: game.to_act() == Some(seat) };
    let view = GameView::new(&game, Some(seat), game.last_at(), detail);
    replayed(ok(&view), settled.replayed)
}
