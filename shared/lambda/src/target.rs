//! Which operation a request is for.

use arena::{AgentName, GameId, InvalidId};
use arena_wire::{Code, Endpoint, Found, Function, Route};
use lambda_http::{Request, RequestExt};

use crate::refusal::Refusal;

/// The operation, and the part of the path that names a game or an agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target<'r> {
    /// The operation.
    pub endpoint: Endpoint,
    part: Option<&'r str>,
}

/// Looks the request up in the one table of routes.
pub fn target(request: &Request) -> Result<Target<'_>, Refusal> {
    let path = request.raw_http_path();
    match Route::find(request.method().as_str(), path) {
        Found::Route(route, part) => Ok(Target { endpoint: route.endpoint, part }),
        Found::WrongMethod(allowed) => Err(Refusal::NotAllowed(allowed)),
        Found::Nothing => {
            let shown: String = path.chars().take(80).collect();
            Err(Refusal::plain(Code::NotFound, format!("there is nothing at {shown}")))
        }
    }
}

impl Target<'_> {
    /// The function that answers it.
    pub fn function(&self) -> Function {
        self.endpoint.route().function
    }

    /// The part of the path that its braces stand for.
    pub fn part(&self) -> &str {
        self.part.unwrap_or_default()
    }

    /// The game that the path names. A text that cannot be an id names none.
    pub fn game_id(&self) -> Result<GameId, Refusal> {
        self.parse("game")
    }

    /// The agent that the path names.
    pub fn agent_name(&self) -> Result<AgentName, Refusal> {
        self.parse("agent")
    }

    fn parse<T: std::str::FromStr<Err = InvalidId>>(&self, what: &str) -> Result<T, Refusal> {
        let part = self.part();
        part.parse().map_err(|_| {
            let shown: String = part.chars().take(40).collect();
            Refusal::plain(Code::NotFound, format!("there is no {what} {shown:?}"))
        })
    }
}
