//! Operation that a request is for. [`answer`](crate::answer) finds it once and hands it to the function.

use arena::{AgentName, GameId, InvalidId};
use arena_wire::{Code, Endpoint, Found, Route};
use lambda_http::{Request, RequestExt};

use crate::refusal::Refusal;

/// The operation, and the part of the path that names a game or an agent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// The row of the table of routes.
    pub route: &'static Route,
    part: String,
}

/// Looks the request up in the one table of routes.
pub fn target(request: &Request) -> Result<Target, Refusal> {
    let path = request.raw_http_path();
    match Route::find(request.method().as_str(), path) {
        Found::Route(route, _) if !route.has_query() && !route.is_page() && asks(request) => {
            Err(Refusal::plain(Code::Malformed, format!("{} takes no parameters", route.path)))
        }
        Found::Route(route, part) => Ok(Target { route, part: part.unwrap_or_default().into() }),
        Found::WrongMethod(allowed) => Err(Refusal::NotAllowed(allowed)),
        Found::Nothing => {
            let shown: String = path.chars().take(80).collect();
            Err(Refusal::plain(Code::NotFound, format!("there is nothing at {shown}")))
        }
    }
}

/// True if the request has a query.
fn asks(request: &Request) -> bool {
    request.query_string_parameters_ref().is_some_and(|query| !query.is_empty())
}

impl Target {
    /// The operation.
    pub fn endpoint(&self) -> Endpoint {
        self.route.endpoint
    }

    /// The part of the path that its braces stand for.
    pub fn part(&self) -> &str {
        &self.part
    }

    /// The game that the path names. A text that cannot be an id names none.
    pub fn game_id(&self) -> Result<GameId, Refusal> {
        self.parse("game")
    }

    /// The agent that the path names.
    pub fn agent_name(&self) -> Result<AgentName, Refusal> {
        self.parse("agent")
    }

    /// Refusal of a request that belongs to another function.
    pub fn elsewhere(&self) -> Refusal {
        let endpoint = self.endpoint();
        Refusal::plain(Code::NotFound, format!("{endpoint:?} is not answered here"))
    }

    fn parse<T: std::str::FromStr<Err = InvalidId>>(&self, what: &str) -> Result<T, Refusal> {
        self.part.parse().map_err(|_| {
            let shown: String = self.part.chars().take(40).collect();
            Refusal::plain(Code::NotFound, format!("there is no {what} {shown:?}"))
        })
    }
}
