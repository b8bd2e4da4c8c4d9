//! Refusals and faults as RFC 9457 problems (`application/problem+json`), with one stable code each.
//!
//! The HTTP status of a code arrives as an argument.

use std::borrow::Cow;

use arena::Rejection;
use renju::IllegalPlay;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::fields::Malformed;
use crate::game::GameView;

/// Declares the codes: each with its name on the wire, its title and the agent's next step.
macro_rules! codes {
    ($($variant:ident = $code:literal: $title:literal, $next:literal;)*) => {
        /// The reason for a refusal. Codes are part of the API and never change.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
        pub enum Code {
            $(#[doc = $title] #[serde(rename = $code)] $variant,)*
        }

        impl Code {
            /// Every code.
            pub const ALL: [Code; [$($code),*].len()] = [$(Code::$variant),*];

            const fn row(self) -> [&'static str; 3] {
                match self {
                    $(Code::$variant => [$code, $title, $next],)*
                }
            }
        }
    };
}

codes! {
    Malformed = "malformed":
        "the request cannot be understood",
        "correct the request; detail names the field and the value";
    Unauthenticated = "unauthenticated":
        "a valid API key is needed",
        "send the header Authorization: Bearer <api_key> with the key you were given at registration";
    Banned = "banned":
        "this agent is banned",
        "stop; detail is the operator's reason, and only the operator can end the ban";
    Forbidden = "forbidden":
        "this key may not do this",
        "read detail; GET /agents/me names your game";
    NotFound = "not_found":
        "there is no such thing",
        "check the path; ask GET /agents/me for your game";
    MethodNotAllowed = "method_not_allowed":
        "this path does not take this method",
        "use one of the methods of the Allow header";
    PayloadTooLarge = "payload_too_large":
        "the body is too large",
        "send a smaller body";
    UnsupportedMediaType = "unsupported_media_type":
        "the body must be JSON",
        "send Content-Type: application/json";
    TurnMismatch = "turn_mismatch":
        "the game is at another turn",
        "read game; if already_applied is true your decision counts, else decide again";
    NotYourTurn = "not_your_turn":
        "the other player is to act",
        "wait game.poll_after_ms, then GET the game again";
    GameOver = "game_over":
        "the game is over",
        "read game.result, then POST /queue/join";
    DeadlinePassed = "deadline_passed":
        "the decision came too late",
        "the game ends on time; GET it for the result, then POST /queue/join";
    IdempotencyKeyReused = "idempotency_key_reused":
        "the key was used for another decision",
        "choose a new idempotency_key for a new decision";
    IllegalMove = "illegal_move":
        "the rules do not allow this now",
        "nothing has changed and it is still your turn; follow game.required_action";
    NameTaken = "name_taken":
        "another agent has this name",
        "register another name";
    InvalidName = "invalid_name":
        "this cannot be a name",
        "choose 3 to 32 of a-z, 0-9, _ and -, starting with a letter or digit, not with house-";
    CoolingDown = "cooling_down":
        "you did not show up for a game",
        "wait retry_after_ms, then join again";
    RateLimited = "rate_limited":
        "too many requests",
        "wait retry_after_ms; poll no more often than poll_after_ms says";
    Busy = "busy":
        "the arena is busy",
        "send the same request with the same idempotency_key again after retry_after_ms";
    Internal = "internal":
        "a mistake on our side",
        "send the same request with the same idempotency_key again, with growing pauses";
}

impl Code {
    /// The code as it is sent.
    pub const fn code(self) -> &'static str {
        self.row()[0]
    }

    /// A short title, the same for every problem of this code.
    pub const fn title(self) -> &'static str {
        self.row()[1]
    }

    /// The agent's next step.
    pub const fn next(self) -> &'static str {
        self.row()[2]
    }

    /// True if the very same request, key included, may succeed later.
    pub const fn is_retryable(self) -> bool {
        matches!(self, Code::CoolingDown | Code::RateLimited | Code::Busy | Code::Internal)
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
            // Only the referee flags a game, and not over HTTP.
            Rejection::NotOverdue => Code::Internal,
        }
    }
}

/// Declares the stable words for illegal plays.
macro_rules! reasons {
    ($($play:ident = $word:literal,)*) => {
        /// Every word of [`reason_of`].
        pub(crate) const REASONS: &[&str] = &[$($word),*];

        /// The stable word for why a play is illegal.
        pub const fn reason_of(why: &IllegalPlay) -> &'static str {
            match why {
                $(IllegalPlay::$play { .. } => $word,)*
            }
        }
    };
}

reasons! {
    OffBoard = "off_board", Occupied = "occupied", OutsideArea = "outside_area",
    NotOffered = "not_offered", DoubleThree = "double_three", OfferCount = "offer_count",
    OfferTwice = "offer_twice", OfferSymmetric = "offer_symmetric", DeclareRange = "declare_range",
    WrongPhase = "wrong_phase", GameOver = "game_over",
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
    /// The particular case, with the value at fault.
    pub detail: String,
    /// The code.
    pub code: Code,
    /// True if the very same request may succeed later.
    pub retryable: bool,
    /// The next step, in words.
    pub next: Cow<'static, str>,
    /// Pause before the next request.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(range(min = 0))]
    pub retry_after_ms: Option<i64>,
    /// The reason for `illegal_move`: `occupied`, `outside_area`, `offer_symmetric`…
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(schema_with = "crate::schema::illegal_reason")]
    pub reason: Option<Cow<'static, str>>,
    /// The field at fault, for `malformed`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub field: Option<String>,
    /// True if that very decision already counts, for `turn_mismatch`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub already_applied: Option<bool>,
    /// The game as it is now, on every conflict.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub game: Option<Box<GameView<'a>>>,
}

/// `GET /problems/{code}`: the same for every problem of a code.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CodeView<'a> {
    /// The code.
    pub code: Code,
    /// The title.
    pub title: Cow<'a, str>,
    /// The HTTP status.
    pub status: u16,
    /// True if the very same request may succeed later.
    pub retryable: bool,
    /// The next step, in words.
    pub next: Cow<'a, str>,
}

impl CodeView<'_> {
    /// The code with this name, and its HTTP status.
    pub fn find(name: &str, status: fn(Code) -> u16) -> Option<CodeView<'static>> {
        let code = Code::ALL.into_iter().find(|code| code.code() == name)?;
        Some(CodeView {
            code,
            title: code.title().into(),
            status: status(code),
            retryable: code.is_retryable(),
            next: code.next().into(),
        })
    }
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

    /// Adds the game as it is now.
    pub fn with_game(self, game: GameView<'a>) -> Problem<'a> {
        Problem { game: Some(Box::new(game)), ..self }
    }

    /// Adds a time to wait.
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
    fn every_code_has_its_own_words() {
        let mut seen = std::collections::HashSet::new();
        for code in Code::ALL {
            assert!(seen.insert(code.code()));
            for text in [code.title(), code.next()] {
                assert!(!text.is_empty() && !text.ends_with('.') && !text.contains("  "));
            }
        }
    }
}
