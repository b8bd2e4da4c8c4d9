//! The games of an agent, newest first.

use arena::{AgentName, Game, GameId, HouseLevel};
use arena_protocol::Backend;
use arena_store::Played;
use arena_wire::{AgentGamesQuery, Code, GameStatus};

use crate::context::Context;
use crate::refusal::Refusal;

/// Number of games looked through for one page. They are read one after the other.
const READ_MAX: usize = 100;

/// The games of an agent that are asked for, newest first, and the game at which the next page starts.
/// Each game names the one its player played before, back to the first.
pub async fn history(
    context: &Context,
    name: &AgentName,
    query: &AgentGamesQuery,
    limit: u16,
) -> Result<(Vec<Game>, Option<String>), Refusal> {
    if HouseLevel::of(name).is_some() {
        let why = format!("{name} is a house bot, whose games are not listed by name: GET /games");
        return Err(Refusal::plain(Code::NotFound, why));
    }
    let agent = context.store.agent(name).await?;
    let agent =
        agent.ok_or_else(|| Refusal::plain(Code::NotFound, format!("there is no agent {name}")))?;
    let malformed = |next: &str| {
        let why = format!("{next:?} is not the next of an earlier page of {name}'s games");
        Refusal::plain(Code::Malformed, why)
    };
    let mut id: Option<GameId> = match query.next.as_deref() {
        Some(next) => Some(next.parse().map_err(|_| malformed(next))?),
        None => agent.game,
    };
    // Only the latest game can be live.
    let is_live = query.status.is_some_and(|status| status.0 == GameStatus::Live);
    let mut games = Vec::new();
    for read in 0..if is_live { 1 } else { READ_MAX } {
        let Some(this) = id.filter(|_| games.len() < usize::from(limit)) else { break };
        let played = context.store.played(this, name).await?;
        if let (0, None, Some(next)) = (read, &played, query.next.as_deref()) {
            return Err(malformed(next));
        }
        id = played.as_ref().and_then(|played| played.previous);
        let Some(Played { seat, game: Some(game), .. }) = played else { continue };
        if query.is_too_old(&game) {
            id = None;
        } else if query.accepts(&game, seat) {
            games.push(game);
        }
    }
    let id = id.filter(|_| !is_live);
    Ok((games, id.map(|id| id.to_string())))
}
