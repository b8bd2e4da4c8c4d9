//! What agents send: read strictly, then turned into the domain's own submissions.
//!
//! Each body knows its fields and how to read them; the JSON Schemas that describe them are in
//! `schema`, and a test holds the two together.

use arena::{AgentName, Division, Intent, InvalidId, Opponent, Pool, Submission, Tag, TurnNumber};
use renju::Ruleset;
use serde_json::Value;

use crate::fields::{Fields, Malformed};
use crate::opponent::OpponentView;

mod check;
mod decision;

pub use check::RulesCheckRequest;
pub use decision::{Choice, DeclareRequest, MoveRequest, OfferRequest, ResignRequest, SwapRequest};

/// A request body.
pub trait Body: Sized {
    /// Its name in the OpenAPI document.
    const NAME: &'static str;

    /// Every field it may have.
    const FIELDS: &'static [&'static str];

    /// Reads it. Unknown fields have been refused already.
    fn read(fields: &mut Fields) -> Result<Self, Malformed>;
}

/// A body that becomes a decision of a game.
pub trait Submit: Body {
    /// The idempotency key in the body.
    fn key(&self) -> Option<&str>;

    /// What is asked of the game.
    fn intent(&self) -> Intent;

    /// The submission of `agent`. The key may come in the body, in the `Idempotency-Key` header or
    /// in both if they agree; without one the request is refused.
    fn into_submission(
        self,
        agent: &AgentName,
        header_key: Option<&str>,
    ) -> Result<Submission, Malformed> {
        let key = idempotency_key(self.key(), header_key)?
            .ok_or_else(|| Malformed::missing("idempotency_key"))?;
        Ok(Submission { intent: self.intent(), tag: Tag::of(agent, key) })
    }
}

/// The longest idempotency key.
pub(crate) const KEY_MAX: usize = 128;

/// The shortest idempotency key of a registration. Whoever knows it can have the API key sent
/// again, so it must not be guessable.
pub(crate) const REGISTER_KEY_MIN: usize = 22;

/// Whether an idempotency key is long enough to be a secret.
pub fn is_secret(key: &str) -> bool {
    key.len() >= REGISTER_KEY_MIN
}

/// The one key that body and header name: 1 to 128 visible ASCII characters.
pub fn idempotency_key<'a>(
    body: Option<&'a str>,
    header: Option<&'a str>,
) -> Result<Option<&'a str>, Malformed> {
    match (body, header) {
        (Some(body), Some(header)) if body != header => Err(Malformed::KeysDiffer),
        (Some(key), _) | (None, Some(key)) => check_key(key, 1).map(Some),
        (None, None) => Ok(None),
    }
}

fn check_key(key: &str, least: usize) -> Result<&str, Malformed> {
    if (least..=KEY_MAX).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Ok(key);
    }
    let wanted = format!("{least} to {KEY_MAX} visible ASCII characters without spaces");
    Err(Malformed::value("idempotency_key", &Value::from(key), &wanted))
}

fn take_key(fields: &mut Fields) -> Result<Option<String>, Malformed> {
    match fields.take("idempotency_key") {
        None => Ok(None),
        Some(Value::String(key)) => check_key(&key, 1).map(|key| Some(key.to_owned())),
        Some(value) => Err(Malformed::value("idempotency_key", &value, "a text")),
    }
}

fn take_turn(fields: &mut Fields) -> Result<TurnNumber, Malformed> {
    let turn = fields.number("turn_number")?;
    turn.map(TurnNumber).ok_or_else(|| Malformed::missing("turn_number"))
}

pub(crate) fn take_ruleset(fields: &mut Fields) -> Result<Option<&'static Ruleset>, Malformed> {
    let ids = || Ruleset::ALL.iter().map(|ruleset| ruleset.id).collect::<Vec<_>>().join(", ");
    fields.word("ruleset", |id| Ruleset::find(id).ok(), || format!("one of {}", ids()))
}

pub(crate) fn take_pool(fields: &mut Fields) -> Result<Option<Pool>, Malformed> {
    fields.word("pool", |id| id.parse().ok(), || "one of fast, standard, slow".into())
}

fn take_house(fields: &mut Fields) -> Result<Opponent, Malformed> {
    let Some(value) = fields.take("house") else { return Ok(Opponent::default()) };
    let wish = OpponentView::read(&value);
    wish.map(|wish| wish.0).ok_or_else(|| Malformed::value("house", &value, &OpponentView::words()))
}

/// `POST /agents/register`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegisterRequest {
    /// The name asked for, as it was sent.
    pub name: String,
    /// A line about the agent.
    pub bio: Option<String>,
    /// Agents of the same owner are never paired. Never shown.
    pub owner: Option<String>,
    /// Makes the registration repeatable; a secret, because repeating it shows the API key again.
    pub idempotency_key: Option<String>,
}

impl RegisterRequest {
    /// The longest bio, in characters.
    pub const BIO_MAX: usize = 280;
    /// The longest owner, in characters.
    pub const OWNER_MAX: usize = 64;

    /// The name, if it can be an agent's.
    pub fn agent_name(&self) -> Result<AgentName, InvalidId> {
        self.name.parse::<AgentName>()?.for_agent()
    }

    /// The one key that body and header name. It must be long enough not to be guessed.
    pub fn key<'a>(&'a self, header: Option<&'a str>) -> Result<Option<&'a str>, Malformed> {
        let key = idempotency_key(self.idempotency_key.as_deref(), header)?;
        key.map(|key| check_key(key, REGISTER_KEY_MIN)).transpose()
    }
}

impl Body for RegisterRequest {
    const NAME: &'static str = "RegisterRequest";
    const FIELDS: &'static [&'static str] = &["name", "bio", "owner", "idempotency_key"];

    fn read(fields: &mut Fields) -> Result<RegisterRequest, Malformed> {
        let name = match fields.take("name") {
            Some(Value::String(name)) => name,
            Some(value) => return Err(Malformed::value("name", &value, "a text")),
            None => return Err(Malformed::missing("name")),
        };
        let request = RegisterRequest {
            name,
            bio: fields.text("bio", RegisterRequest::BIO_MAX)?,
            owner: fields.text("owner", RegisterRequest::OWNER_MAX)?,
            idempotency_key: take_key(fields)?,
        };
        request.key(None)?;
        Ok(request)
    }
}

/// `POST /queue/join`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JoinRequest {
    /// The ruleset; the default one if absent.
    pub ruleset: Option<&'static Ruleset>,
    /// The pool; standard if absent.
    pub pool: Option<Pool>,
    /// Whether a house bot will do.
    pub opponent: Opponent,
    /// Makes the request repeatable.
    pub idempotency_key: Option<String>,
}

impl JoinRequest {
    /// Where the agent wants to play.
    pub fn division(&self) -> Division {
        let ruleset = self.ruleset.unwrap_or(&Ruleset::ALL[0]);
        Division { ruleset, pool: self.pool.unwrap_or_default() }
    }
}

impl Body for JoinRequest {
    const NAME: &'static str = "JoinRequest";
    const FIELDS: &'static [&'static str] = &["ruleset", "pool", "house", "idempotency_key"];

    fn read(fields: &mut Fields) -> Result<JoinRequest, Malformed> {
        Ok(JoinRequest {
            ruleset: take_ruleset(fields)?,
            pool: take_pool(fields)?,
            opponent: take_house(fields)?,
            idempotency_key: take_key(fields)?,
        })
    }
}

/// `POST /queue/leave`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeaveRequest {
    /// The ticket to give up; the current one if absent. A late duplicate that names its ticket
    /// cannot give up a newer one.
    pub ticket: Option<String>,
    /// Makes the request repeatable.
    pub idempotency_key: Option<String>,
}

/// The longest ticket: two letters, a name, a number.
const TICKET_MAX: usize = 64;

impl Body for LeaveRequest {
    const NAME: &'static str = "LeaveRequest";
    const FIELDS: &'static [&'static str] = &["ticket", "idempotency_key"];

    fn read(fields: &mut Fields) -> Result<LeaveRequest, Malformed> {
        Ok(LeaveRequest {
            ticket: fields.text("ticket", TICKET_MAX)?,
            idempotency_key: take_key(fields)?,
        })
    }
}

/// A body with nothing but an optional key: `POST /agents/me/keys/rotate`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlainRequest {
    /// Makes the request repeatable.
    pub idempotency_key: Option<String>,
}

impl Body for PlainRequest {
    const NAME: &'static str = "PlainRequest";
    const FIELDS: &'static [&'static str] = &["idempotency_key"];

    fn read(fields: &mut Fields) -> Result<PlainRequest, Malformed> {
        Ok(PlainRequest { idempotency_key: take_key(fields)? })
    }
}
