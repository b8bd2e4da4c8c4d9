//! Refusals, and the one table of status codes.

use arena::{Game, InvalidId, Rejection};
use arena_protocol::{Fault, Refused};
use arena_store::now;
use arena_wire::document::Statuses;
use arena_wire::{Code, Detail, GameView, Malformed, Method, Problem};
use lambda_http::http::StatusCode;
use renju::Seat;

/// Reason why a request is refused. The agent's doing, except for a fault.
#[allow(missing_docs, reason = "the names say it")]
#[derive(Debug)]
pub enum Refusal {
    Malformed(Malformed),
    /// The game refuses it: the game as it is now, the caller's seat, and the detail to show.
    Rejected(Rejection, Box<Game>, Option<Seat>, Detail),
    /// A code and a sentence.
    Plain(Code, String),
    /// The path takes only these methods.
    NotAllowed(Vec<Method>),
    /// Try again after this many milliseconds.
    Later(Code, String, i64),
    /// A failure on our side. Logged in full; the agent only learns if it should retry.
    Fault(Fault),
}

/// Retry time when we are busy.
const BUSY_MS: i64 = 1_000;

impl Refusal {
    /// A refusal with a code and a sentence.
    pub fn plain(code: Code, detail: impl Into<String>) -> Refusal {
        Refusal::Plain(code, detail.into())
    }

    /// A refusal because of load: the same request may be granted in a moment.
    pub fn busy(detail: impl Into<String>) -> Refusal {
        Refusal::Later(Code::Busy, detail.into(), BUSY_MS)
    }

    /// The same refusal with the game, if it has one, in this detail.
    #[must_use]
    pub fn with_detail(self, detail: Detail) -> Refusal {
        match self {
            Refusal::Rejected(why, game, viewer, _) => Refusal::Rejected(why, game, viewer, detail),
            other => other,
        }
    }

    /// A refusal because the key is missing or unknown.
    pub(crate) fn unauthenticated() -> Refusal {
        Refusal::plain(Code::Unauthenticated, "the API key is missing or not valid")
    }

    /// Passes the finished problem to `use_it`, which cannot keep it: a problem can borrow the game
    /// that refused the request.
    pub(crate) fn with_problem<T>(&self, use_it: impl FnOnce(&Problem<'_>) -> T) -> T {
        match self {
            Refusal::Malformed(why) => use_it(&Problem::malformed(why, status(Code::Malformed))),
            Refusal::Rejected(why, game, viewer, detail) => {
                let problem = Problem::rejected(why, status(Code::from(why)));
                use_it(&problem.with_game(GameView::new(game, *viewer, now(), *detail)))
            }
            Refusal::Plain(code, detail) => {
                use_it(&Problem::new(*code, status(*code), detail.as_str()))
            }
            Refusal::NotAllowed(allowed) => {
                let detail = format!("only {} is allowed here", names(allowed));
                let code = Code::MethodNotAllowed;
                use_it(&Problem::new(code, status(code), detail))
            }
            Refusal::Later(code, detail, wait) => {
                let problem = Problem::new(*code, status(*code), detail.as_str());
                use_it(&problem.with_retry_after(*wait))
            }
            Refusal::Fault(fault) if fault.is_retryable() => {
                let problem = Problem::new(Code::Busy, status(Code::Busy), "please try again");
                use_it(&problem.with_retry_after(BUSY_MS))
            }
            Refusal::Fault(_) => {
                use_it(&Problem::new(Code::Internal, status(Code::Internal), "something broke"))
            }
        }
    }
}

/// Methods as in an `Allow` header; GET implies HEAD.
pub(crate) fn names(methods: &[Method]) -> String {
    let name = |method: &Method| match method {
        Method::Get => "GET, HEAD",
        other => other.as_str(),
    };
    methods.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// The status codes, for the documents.
pub const STATUSES: Statuses = Statuses {
    ok: StatusCode::OK.as_u16(),
    created: StatusCode::CREATED.as_u16(),
    not_modified: StatusCode::NOT_MODIFIED.as_u16(),
    of: status,
};

/// The table, by what the client does next: fix the request (400s), read the game and continue
/// (409), choose again (422), wait and repeat (429, 503).
fn status(code: Code) -> u16 {
    let status = match code {
        Code::Malformed | Code::InvalidName => StatusCode::BAD_REQUEST,
        Code::Unauthenticated => StatusCode::UNAUTHORIZED,
        Code::Banned | Code::Forbidden => StatusCode::FORBIDDEN,
        Code::NotFound => StatusCode::NOT_FOUND,
        Code::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        Code::PayloadTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Code::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Code::TurnMismatch
        | Code::NotYourTurn
        | Code::GameOver
        | Code::DeadlinePassed
        | Code::NameTaken => StatusCode::CONFLICT,
        Code::IdempotencyKeyReused | Code::IllegalMove => StatusCode::UNPROCESSABLE_ENTITY,
        Code::CoolingDown | Code::RateLimited => StatusCode::TOO_MANY_REQUESTS,
        Code::Busy => StatusCode::SERVICE_UNAVAILABLE,
        Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    };
    status.as_u16()
}

impl From<Refused> for Refusal {
    fn from(refused: Refused) -> Refusal {
        match refused {
            Refused::Unauthenticated => Refusal::unauthenticated(),
            Refused::Banned(why) => Refusal::plain(Code::Banned, why),
            Refused::NotAPlayer(name) => {
                Refusal::plain(Code::Forbidden, format!("{name} does not play this game"))
            }
            Refused::NoGame(id) => Refusal::plain(Code::NotFound, format!("there is no game {id}")),
            Refused::NoTurn { game, seen, asked } => Refusal::plain(
                Code::NotFound,
                format!("game {game} has seen {seen} decisions, not {asked}"),
            ),
            Refused::Rejected(why, game, viewer) => {
                Refusal::Rejected(why, game, viewer, Detail::BRIEF)
            }
            Refused::CoolingDown(why) => {
                let wait = why.until.since(now()).max(0);
                let seconds = wait.div_euclid(1_000) + 1;
                let detail = format!("you did not show up for a game; wait {seconds} s");
                Refusal::Later(Code::CoolingDown, detail, wait)
            }
            Refused::NoHouse => Refusal::plain(
                Code::Malformed,
                "house is a level, but this arena has no house bots",
            ),
            Refused::NameTaken(name) => Refusal::plain(Code::NameTaken, format!("{name} is taken")),
            Refused::TooManyRegistrations { limit, until } => Refusal::Later(
                Code::RateLimited,
                format!("at most {limit} agents an hour can be registered from one address"),
                until.since(now()),
            ),
            Refused::ReplacedKey => Refusal::plain(
                Code::Forbidden,
                "this key was replaced: only the current key can change keys. A rotation whose \
                 reply was lost is repeated with its own idempotency_key",
            ),
            Refused::Busy(why) => Refusal::busy(why),
            Refused::Fault(fault) => Refusal::Fault(fault),
        }
    }
}

impl From<Malformed> for Refusal {
    fn from(why: Malformed) -> Refusal {
        Refusal::Malformed(why)
    }
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Refusal {
        Refusal::Fault(fault)
    }
}

impl From<InvalidId> for Refusal {
    fn from(why: InvalidId) -> Refusal {
        Refusal::plain(Code::InvalidName, why.to_string())
    }
}
