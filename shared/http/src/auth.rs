//! Who is asking: `Authorization: Bearer <api_key>`.

use arena::{Agent, AgentName, Game, Timestamp};
use arena_wire::Code;
use lambda_http::Request;
use lambda_http::http::{HeaderMap, header};
use renju::Seat;

use crate::app::App;
use crate::key::ApiKey;
use crate::received::{now, received_at};
use crate::refusal::Refusal;

impl App {
    /// The agent whose key this is.
    pub async fn authenticate(&self, request: &Request) -> Result<Agent, Refusal> {
        let key = bearer(request)?.ok_or_else(unauthenticated)?;
        let agent = self.owner_of(&key, received_at(request)).await?;
        self.admit(&agent.name)?;
        Ok(agent)
    }

    /// The seat of the player whose key this is. A game that goes on knows its players' keys, so
    /// this costs no read, except for a key that has been rotated. One that is over does not learn
    /// of rotations any more: then the agent itself is asked.
    pub async fn player(&self, request: &Request, game: &Game) -> Result<Seat, Refusal> {
        let key = bearer(request)?.ok_or_else(unauthenticated)?;
        let seat = game.seat_of(key.name());
        let known = game.result().is_none()
            && seat
                .and_then(|seat| game.header().players[seat].key())
                .is_some_and(|digest| key.has_digest(digest));
        if !known {
            self.owner_of(&key, received_at(request)).await?;
        }
        let seat = seat.ok_or_else(|| {
            Refusal::plain(Code::Forbidden, format!("{} does not play this game", key.name()))
        })?;
        self.admit(key.name())?;
        Ok(seat)
    }

    /// As [`App::player`], but anybody may look: without a key, or with another agent's, as a
    /// spectator.
    pub async fn viewer(&self, request: &Request, game: &Game) -> Result<Option<Seat>, Refusal> {
        match bearer(request)? {
            Some(key) if game.seat_of(key.name()).is_some() => {
                self.player(request, game).await.map(Some)
            }
            _ => Ok(None),
        }
    }

    /// An unknown name and a wrong secret get the same answer.
    async fn owner_of(&self, key: &ApiKey, now: Timestamp) -> Result<Agent, Refusal> {
        let agent = self.store.agent(key.name()).await?.ok_or_else(unauthenticated)?;
        let current = key.has_hash(&agent.keys.current);
        let previous =
            agent.keys.previous.is_some_and(|(hash, until)| now < until && key.has_hash(&hash));
        if current || previous { Ok(agent) } else { Err(unauthenticated()) }
    }

    fn admit(&self, agent: &AgentName) -> Result<(), Refusal> {
        self.note_agent(agent);
        self.limiter().admit(agent, now()).map_err(|wait| {
            Refusal::Later(Code::RateLimited, format!("{agent} asks too often"), wait)
        })
    }
}

/// The key of a request, if it has one.
pub fn bearer(request: &Request) -> Result<Option<ApiKey>, Refusal> {
    key_of(request.headers())
}

/// Whether a request shows something that looks like a key; whose it is takes a read to know.
pub fn has_key(headers: &HeaderMap) -> bool {
    key_of(headers).is_ok_and(|key| key.is_some())
}

fn key_of(headers: &HeaderMap) -> Result<Option<ApiKey>, Refusal> {
    let Some(value) = headers.get(header::AUTHORIZATION) else { return Ok(None) };
    let text = value.to_str().map_err(|_| unauthenticated())?;
    let (scheme, token) = text.split_once(' ').ok_or_else(unauthenticated)?;
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(unauthenticated());
    }
    ApiKey::parse(token.trim()).map(Some).ok_or_else(unauthenticated)
}

fn unauthenticated() -> Refusal {
    Refusal::plain(Code::Unauthenticated, "the API key is missing or not valid")
}
