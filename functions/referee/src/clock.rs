//! Deadlines: one chain of messages a game, and the flag when time is up.

use arena::timer::{self, Ring};
use arena::{Actor, Game, GameId, Submission, Timestamp};
use arena_http::App;
use arena_store::Refused;

use crate::Again;

/// Looks at a game's clock because the timer set for `fire` has rung.
pub(crate) async fn look(
    app: &App,
    id: GameId,
    fire: Timestamp,
    now: Timestamp,
) -> Result<(), Again> {
    let found = app.store.armed_game(id).await?;
    let game = found.as_ref().map(|(game, armed)| (game, *armed));
    if let Some((game, _)) = game {
        app.note_turn(id, game.turn());
    }
    match timer::ring(game, fire, now, app.pace()) {
        Ring::Drop => Ok(()),
        Ring::Later => Err(Again::NotYet),
        Ring::Flag => match found {
            Some((game, _)) => flag(app, game, now).await,
            None => Ok(()),
        },
        // If another link has moved the chain on, this one ends here.
        Ring::Rearm(plan) => app.store.commit(&plan, now).await.map(|_| ()).map_err(Again::Fault),
    }
}

/// Ends the game if the player to act is still out of time when it is written.
pub(crate) async fn flag(app: &App, game: Game, now: Timestamp) -> Result<(), Again> {
    let pace = *app.pace();
    let overdue = game.overdue_from(&pace);
    let decide = |game: &Game| game.apply(Actor::Clock, Submission::FLAG, now, &pace);
    match app.store.settle(game, decide, now, &pace).await {
        Ok(_) => {
            overdue.into_iter().for_each(|overdue| app.note_flag(overdue));
            Ok(())
        }
        Err(Refused::NotFound) => Ok(()),
        // A move was faster, or another referee: the game goes on, or is over already.
        Err(Refused::Rejected(..)) => Ok(()),
        Err(Refused::Fault(fault)) => Err(Again::Fault(fault)),
    }
}
