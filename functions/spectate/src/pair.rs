//! The other games of the two players of a game.

use arena::{AgentName, Game, HouseLevel};
use arena_lambda::{Context, Refusal, history};
use arena_protocol::Backend;
use arena_wire::{AgentGamesQuery, Name, Next};
use renju::Seat;

/// The two players, an agent first: house bots have no list of games. `None` for two house bots.
fn players(game: &Game) -> Option<[&AgentName; 2]> {
    let name = |seat: Seat| &game.header().players[seat].name;
    let agent = Seat::BOTH.into_iter().find(|&seat| HouseLevel::of(name(seat)).is_none())?;
    Some([name(agent), name(!agent)])
}

/// Address of the list of their games.
pub(crate) fn games_of(game: &Game) -> Option<String> {
    let [agent, opponent] = players(game)?;
    Some(format!("/archive?agent={agent}&opponent={opponent}"))
}

/// Address of their game before this one, or after it; of the list of their games if there is none, or
/// too many others were played meanwhile; of this game if the agent is gone. Games name the one before,
/// so this takes a read for each.
pub(crate) async fn neighbour(
    context: &Context,
    game: &Game,
    is_next: bool,
) -> Result<String, Refusal> {
    let Some([agent, opponent]) = players(game) else { return Ok("/archive".to_owned()) };
    if context.store.agent(agent).await?.is_none() {
        return Ok(format!("/game/{}", game.id()));
    }
    let of_both =
        AgentGamesQuery { opponent: Some(Name(opponent.clone())), ..AgentGamesQuery::ALL };
    let found = if is_next {
        let (games, _) = history(context, agent, &of_both, u16::MAX).await?;
        let this = games.iter().position(|other| other.id() == game.id());
        this.and_then(|index| games.into_iter().nth(index.checked_sub(1)?))
    } else {
        let from_this = AgentGamesQuery { next: Some(Next(game.id().to_string())), ..of_both };
        history(context, agent, &from_this, 2).await?.0.into_iter().nth(1)
    };
    let address = found.map(|other| format!("/game/{}", other.id()));
    Ok(address.or_else(|| games_of(game)).unwrap_or_else(|| "/archive".to_owned()))
}
