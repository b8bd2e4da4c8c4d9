//! Somebody who registers, joins a queue and is seated, and must not be refused any of it.

use std::io;
use std::time::Duration;

use arena_wire::{Endpoint, StatusName};
use serde_json::json;
use tokio::time::Instant;

use crate::client::{Ask, Client, Reply};
use crate::view::{Place, Registered, Sight, Spot};

/// Time to be seated.
const SEATED_MAX: Duration = Duration::from_secs(30);

/// The pause between two looks at the queue.
const PAUSE: Duration = Duration::from_millis(200);

/// A registered agent.
#[derive(Clone, Debug)]
pub(crate) struct Guest {
    pub(crate) name: String,
    pub(crate) key: String,
    client: Client,
}

impl Guest {
    /// Registers an agent.
    pub(crate) async fn register(client: &Client, name: &str) -> io::Result<Guest> {
        let ask = Ask::to(Endpoint::Register, "").with(json!({"name": name}).to_string());
        let reply = granted(client, ask).await?;
        let registered: Registered = serde_json::from_slice(&reply.body)?;
        Ok(Guest { name: name.to_owned(), key: registered.api_key, client: client.clone() })
    }

    /// Sends a request with this agent's key, which must be granted.
    pub(crate) async fn ask(&self, ask: Ask<'_>) -> io::Result<Reply> {
        granted(&self.client, ask.by(&self.key)).await
    }

    /// Joins the standard pool of a ruleset.
    pub(crate) async fn join(&self, ruleset: &str) -> io::Result<()> {
        let body = json!({"ruleset": ruleset, "pool": "standard"}).to_string();
        self.ask(Ask::to(Endpoint::Join, "").with(body)).await.map(drop)
    }

    /// The game that this agent is playing now.
    pub(crate) async fn game(&self) -> io::Result<Option<String>> {
        let reply = self.ask(Ask::to(Endpoint::Queue, "")).await?;
        let place: Place = serde_json::from_slice(&reply.body)?;
        Ok(place.active_game.filter(|_| place.status == StatusName::Playing))
    }

    /// The game that this agent, who is in the queue, is seated in.
    pub(crate) async fn seated(&self) -> io::Result<String> {
        let until = Instant::now() + SEATED_MAX;
        while Instant::now() < until {
            if let Some(game) = self.game().await? {
                return Ok(game);
            }
            tokio::time::sleep(PAUSE).await;
        }
        Err(io::Error::other(format!("{} was not seated", self.name)))
    }
}

/// The answer to a request that must be granted.
pub(crate) async fn granted(client: &Client, ask: Ask<'_>) -> io::Result<Reply> {
    let reply = client.ask(ask).await.map_err(io::Error::other)?;
    if reply.is_ok() {
        return Ok(reply);
    }
    let body = String::from_utf8_lossy(&reply.body);
    Err(io::Error::other(format!("status {}: {body}", reply.status)))
}

/// A move that leads to no five, if the player who has this view is to act.
pub(crate) fn quiet_move(reply: &Reply) -> Option<String> {
    let sight: Sight<'_> = serde_json::from_slice(&reply.body).ok()?;
    sight.required_action.as_ref()?;
    let turn = sight.turn_number;
    let point = quiet(&sight.legal_moves, turn)?;
    let body =
        json!({"point": point, "turn_number": turn, "idempotency_key": format!("turn-{turn}")});
    Some(body.to_string())
}

/// A point of a pattern that fills the board without a row of five.
fn quiet<'a>(legal: &[Spot<'a>], turn: u32) -> Option<&'a str> {
    let is_ours = |spot: &&Spot<'_>| {
        let (column, rank) = spot.name.split_at(1);
        let x = u32::from(column.as_bytes()[0] - b'a');
        rank.parse::<u32>().is_ok_and(|rank| (x / 2 + rank) % 2 == turn % 2)
    };
    legal.iter().find(is_ours).or(legal.first()).map(|spot| spot.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quiet_points_never_make_five() {
        let names: Vec<String> =
            (0..225u8).map(|n| format!("{}{}", (b'a' + n % 15) as char, n / 15 + 1)).collect();
        let mut free: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut game = renju::Position::new(renju::Ruleset::find("gomoku_freestyle").unwrap());
        for turn in 0..220 {
            let legal: Vec<Spot<'_>> = free.iter().map(|name| Spot { name }).collect();
            let point = quiet(&legal, turn).unwrap();
            free.retain(|name| *name != point);
            game.advance(renju::Play::Place(point.parse().unwrap())).unwrap();
            assert_eq!(game.outcome(), None, "turn {turn}");
        }
    }
}
