//! Refusals and faults as RFC 9457 problems (`application/problem+json`), with one stable code each.
//!
//! Which status goes with a code is not decided here: it arrives as an argument.

use std::borrow::Cow;

use arena::Rejection;
use renju::IllegalPlay;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::fields::Malformed;
use crate::game::GameView;

/// Why a request was not granted. Codes are part of the API and never change.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The request cannot be understood.
    Malformed,
    /// No API key, or not a good one.
    Unauthenticated,
    /// An operator of the arena has banned the agent.
    Banned,
    /// The agent does not play this game.
    Forbidden,
    /// There is no such thing.
    NotFound,
    /// The path exists, the method does not.
    MethodNotAllowed,
    /// The body is too large.
    PayloadTooLarge,
    /// The body is not JSON by its own account.
    UnsupportedMediaType,
    /// The decision was meant for another turn.
    TurnMismatch,
    /// The other player is to act.
    NotYourTurn,
    /// The game is over.
    GameOver,
    /// The decision came too late.
    DeadlinePassed,
    /// The key was used for another decision of this game.
    IdempotencyKeyReused,
    /// The rules do not allow it; the turn is not spent.
    IllegalMove,
    /// Another agent has the name.
    NameTaken,
    /// That cannot be a name.
    InvalidName,
    /// The agent did not show up and has to wait.
    CoolingDown,
    /// Too many requests.
    RateLimited,
    /// Something we need is not there right now.
    Busy,
    /// Our mistake.
    Internal,
}

impl Code {
    /// Every code.
    pub const ALL: [Code; 20] = [
        Code::Malformed,
        Code::Unauthenticated,
        Code::Banned,
        Code::Forbidden,
        Code::NotFound,
        Code::MethodNotAllowed,
        Code::PayloadTooLarge,
        Code::UnsupportedMediaType,
        Code::TurnMismatch,
        Code::NotYourTurn,
        Code::GameOver,
        Code::DeadlinePassed,
        Code::IdempotencyKeyReused,
        Code::IllegalMove,
        Code::NameTaken,
        Code::InvalidName,
        Code::CoolingDown,
        Code::RateLimited,
        Code::Busy,
        Code::Internal,
    ];

    /// The code as it is sent.
    pub const fn code(self) -> &'static str {
        self.row().0
    }

    /// A short title, the same for every problem of this code.
    pub const fn title(self) -> &'static str {
        self.row().1
    }

    /// What the agent should do next.
    pub const fn next(self) -> &'static str {
        self.row().2
    }

    /// Whether the very same request, key included, may succeed later.
    pub const fn is_retryable(self) -> bool {
        matches!(self, Code::CoolingDown | Code::RateLimited | Code::Busy | Code::Internal)
    }

    const fn row(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Code::Malformed => (
                "malformed",
                "the request cannot be understood",
                "correct the request; detail names the field and the value",
            ),
            Code::Unauthenticated => (
                "unauthenticated",
                "a valid API key is needed",
                "send the header Authorization: Bearer <api_key> with the key you were given at \
                 registration",
            ),
            Code::Banned => (
                "banned",
                "this agent is banned",
                "stop; detail is the operator's reason, and only the operator can end the ban",
            ),
            Code::Forbidden => (
                "forbidden",
                "this key may not do this",
                "read detail; GET /agents/me names your game",
            ),
            Code::NotFound => (
                "not_found",
                "there is no such thing",
                "check the path; ask GET /agents/me for your game",
            ),
            Code::MethodNotAllowed => (
                "method_not_allowed",
                "this path does not take this method",
                "use one of the methods of the Allow header",
            ),
            Code::PayloadTooLarge => {
                ("payload_too_large", "the body is too large", "send a smaller body")
            }
            Code::UnsupportedMediaType => (
                "unsupported_media_type",
                "the body must be JSON",
                "send Content-Type: application/json",
            ),
            Code::TurnMismatch => (
                "turn_mismatch",
                "the game is at another turn",
                "read game; if already_applied is true your decision counts, else decide again",
            ),
            Code::NotYourTurn => (
                "not_your_turn",
                "the other player is to act",
                "wait game.poll_after_ms, then GET the game again",
            ),
            Code::GameOver => {
                ("game_over", "the game is over", "read game.result, then POST /queue/join")
            }
            Code::DeadlinePassed => (
                "deadline_passed",
                "the decision came too late",
                "the game ends on time; GET it for the result, then POST /queue/join",
            ),
            Code::IdempotencyKeyReused => (
                "idempotency_key_reused",
                "the key was used for another decision",
                "choose a new idempotency_key for a new decision",
            ),
            Code::IllegalMove => (
                "illegal_move",
                "the rules do not allow this now",
                "nothing has changed and it is still your turn; follow game.required_action",
            ),
            Code::NameTaken => {
                ("name_taken", "another agent has this name", "register another name")
            }
            Code::InvalidName => (
                "invalid_name",
                "this cannot be a name",
                "choose 3 to 32 of a-z, 0-9, _ and -, starting with a letter or digit, not with house-",
            ),
            Code::CoolingDown => (
                "cooling_down",
                "you did not show up for a game",
                "wait retry_after_ms, then join again",
            ),
            Code::RateLimited => (
                "rate_limited",
                "too many requests",
                "wait retry_after_ms; poll no more often than poll_after_ms says",
            ),
            Code::Busy => (
                "busy",
                "the arena is busy",
                "send the same request with the same idempotency_key again after retry_after_ms",
            ),
            Code::Internal => (
                "internal",
                "a mistake on our side",
                "send the same request with the same idempotency_key again, with growing pauses",
            ),
        }
    }
}

/// The code of a refused decision.
impl From<&Rejection> for Code {
    fn from(rejection: &Rejection) -> Code {
        match rejection {
            Rejection::KeyReused => Code::IdempotencyKeyReused,
            Rejection::GameOver => Code::GameOver,
            Rejection::TurnMismatch { .. } => Code::TurnMismatch,
            Rejection::NotYourTurn => Code::NotYourTurn,
            Rejection::DeadlinePassed => Code::DeadlinePassed,
            Rejection::Illegal(IllegalPlay::GameOver) => Code::GameOver,
            Rejection::Illegal(_) => Code::IllegalMove,
            // Only the referee asks for a flag, and it has no wire.
            Rejection::NotOverdue => Code::Internal,
        }
    }
}

/// Every word of [`reason_of`].
pub(crate) const REASONS: [&str; 11] = [
    "off_board",
    "occupied",
    "outside_area",
    "not_offered",
    "double_three",
    "offer_count",
    "offer_twice",
    "offer_symmetric",
    "declare_range",
    "wrong_phase",
    "game_over",
];

/// The stable word for why a play is illegal.
pub const fn reason_of(why: &IllegalPlay) -> &'static str {
    match why {
        IllegalPlay::OffBoard { .. } => "off_board",
        IllegalPlay::Occupied { .. } => "occupied",
        IllegalPlay::OutsideArea { .. } => "outside_area",
        IllegalPlay::NotOffered { .. } => "not_offered",
        IllegalPlay::DoubleThree { .. } => "double_three",
        IllegalPlay::OfferCount { .. } => "offer_count",
        IllegalPlay::OfferTwice { .. } => "offer_twice",
        IllegalPlay::OfferSymmetric { .. } => "offer_symmetric",
        IllegalPlay::DeclareRange { .. } => "declare_range",
        IllegalPlay::WrongPhase { .. } => "wrong_phase",
        IllegalPlay::GameOver => "game_over",
    }
}

/// A problem, ready to be sent.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Problem<'a> {
    /// `/problems/` and the code.
    #[serde(rename = "type")]
    pub kind: String,
    /// The code's title.
    pub title: Cow<'static, str>,
    /// The HTTP status.
    pub status: u16,
    /// What happened this time, naming the value.
    pub detail: String,
    /// The code.
    pub code: Code,
    /// Whether the very same request may succeed later.
    pub retryable: bool,
    /// What to do next.
    pub next: Cow<'static, str>,
    /// How long to wait first.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(range(min = 0))]
    pub retry_after_ms: Option<i64>,
    /// For `illegal_move`, why: `occupied`, `outside_area`, `offer_symmetric`…
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(schema_with = "crate::schema::illegal_reason")]
    pub reason: Option<Cow<'static, str>>,
    /// For `malformed`, the field at fault.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub field: Option<String>,
    /// For `turn_mismatch`, whether that very decision already counts.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub already_applied: Option<bool>,
    /// The game as it is now, on every conflict.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub game: Option<Box<GameView<'a>>>,
}

impl<'a> Problem<'a> {
    /// A problem of this code.
    pub fn new(code: Code, status: u16, detail: impl Into<String>) -> Problem<'a> {
        Problem {
            kind: format!("/problems/{}", code.code()),
            title: code.title().into(),
            status,
            detail: detail.into(),
            code,
            retryable: code.is_retryable(),
            next: code.next().into(),
            retry_after_ms: None,
            reason: None,
            field: None,
            already_applied: None,
            game: None,
        }
    }

    /// A request that cannot be understood.
    pub fn malformed(why: &Malformed, status: u16) -> Problem<'a> {
        let field = why.field().map(Into::into);
        Problem { field, ..Problem::new(Code::Malformed, status, why.to_string()) }
    }

    /// A decision that was refused.
    pub fn rejected(why: &Rejection, status: u16) -> Problem<'a> {
        let mut problem = Problem::new(Code::from(why), status, detail(why));
        match why {
            Rejection::TurnMismatch { already_applied, .. } => {
                problem.already_applied = Some(*already_applied);
            }
            Rejection::Illegal(why) => problem.reason = Some(reason_of(why).into()),
            _ => {}
        }
        problem
    }

    /// The same problem with the game as it is now.
    pub fn with_game(self, game: GameView<'a>) -> Problem<'a> {
        Problem { game: Some(Box::new(game)), ..self }
    }

    /// The same problem with a time to wait.
    pub fn with_retry_after(self, ms: i64) -> Problem<'a> {
        Problem { retry_after_ms: Some(ms.max(0)), ..self }
    }
}

fn detail(why: &Rejection) -> String {
    match why {
        Rejection::KeyReused => {
            "this idempotency_key was used for another decision of this game".into()
        }
        Rejection::GameOver => "the game is over".into(),
        Rejection::TurnMismatch { current, already_applied: true } => {
            format!("the game is at turn {current}: this decision counts already")
        }
        Rejection::TurnMismatch { current, already_applied: false } => {
            format!("the game is at turn {current}")
        }
        Rejection::NotYourTurn => "the other player is to act".into(),
        Rejection::DeadlinePassed => "the decision came after the deadline".into(),
        Rejection::Illegal(why) => why.to_string(),
        Rejection::NotOverdue => "the clock has not run out".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_written_as_it_is_named() {
        let mut seen = std::collections::HashSet::new();
        for code in Code::ALL {
            assert_eq!(serde_json::to_value(code).unwrap(), code.code());
            assert!(seen.insert(code.code()));
            for text in [code.title(), code.next()] {
                assert!(!text.is_empty() && !text.ends_with('.') && !text.contains("  "));
            }
        }
    }

    #[test]
    fn a_problem_says_only_what_it_knows() {
        let problem = Problem::new(Code::Busy, 503, "a dependency did not answer");
        assert_eq!(
            serde_json::to_value(problem.with_retry_after(250)).unwrap(),
            serde_json::json!({
                "type": "/problems/busy",
                "title": "the arena is busy",
                "status": 503,
                "detail": "a dependency did not answer",
                "code": "busy",
                "retryable": true,
                "next": "send the same request with the same idempotency_key again after \
                         retry_after_ms",
                "retry_after_ms": 250,
            })
        );
        let illegal = Rejection::Illegal(IllegalPlay::Occupied { point: renju::Point::centre(15) });
        let problem = Problem::rejected(&illegal, 422);
        assert_eq!(problem.reason.as_deref(), Some("occupied"));
        assert_eq!(problem.detail, "h8 is occupied");
        assert!(!problem.retryable);
    }
}
