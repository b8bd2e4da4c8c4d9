//! `POST /games/{id}/…`: the agent whose turn it is decides.

use arena::{Actor, Rejection};
use arena_http::{App, Refusal, Reply, body, header_key, ok, received_at, replayed, target};
use arena_store::Refused;
use arena_wire::{
    Code, DeclareRequest, Detail, Endpoint, GameView, MoveRequest, OfferRequest, ResignRequest,
    Submit, SwapRequest,
};
use lambda_http::Request;

/// Answers every decision of a player.
pub async fn handle(app: App, request: Request) -> Reply {
    match target(&request)?.endpoint {
        Endpoint::Move => decide::<MoveRequest>(&app, &request).await,
        Endpoint::Swap => decide::<SwapRequest>(&app, &request).await,
        Endpoint::Offer => decide::<OfferRequest>(&app, &request).await,
        Endpoint::Declare => decide::<DeclareRequest>(&app, &request).await,
        Endpoint::Resign => decide::<ResignRequest>(&app, &request).await,
        other => Err(Refusal::plain(Code::NotFound, format!("{other:?} is not answered here"))),
    }
}

async fn decide<T: Submit>(app: &App, request: &Request) -> Reply {
    let id = target(request)?.game_id()?;
    let wanted: T = body(request)?;
    let game = app.game(id).await?;
    let seat = app.player(request, &game).await?;
    let name = game.header().players[seat].name.clone();
    let submission = wanted.into_submission(&name, header_key(request))?;

    let (now, pace) = (received_at(request), *app.pace());
    let decided = app
        .store
        .settle(game, |game| game.apply(Actor::Seat(seat), submission, now, &pace), now, &pace)
        .await;
    let settled = match decided {
        Ok(settled) => settled,
        Err(Refused::Rejected(Rejection::DeadlinePassed, game)) => {
            let game = Box::new(app.enforce(*game).await?);
            return Err(Refusal::Rejected(Rejection::DeadlinePassed, game, Some(seat)));
        }
        Err(refused) => return Err(Refusal::of_update(refused, Some(seat))),
    };

    app.note_turn(id, settled.turn);
    // The game as it was right after this decision, so that a repetition gets the same bytes.
    let game = settled.game_then();
    // Whoever is not to act has no use for the other player's moves.
    let detail = Detail { legal: game.to_act() == Some(seat) };
    let view = GameView::new(&game, Some(seat), game.last_at(), detail);
    replayed(ok(&view), settled.replayed)
}
