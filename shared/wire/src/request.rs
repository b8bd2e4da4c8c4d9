//! Bodies of requests: read strictly, then turned into the domain's own submissions.
//!
//! The types say everything once: `Deserialize` reads them, `JsonSchema` describes them, and the doc comments
//! of their fields are what agents read about them.

use arena::{AgentName, Division, Intent, InvalidId, Opponent, Pool, Submission, Tag};
use renju::{Color, Position};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::fields::Malformed;
use crate::opponent::OpponentView;
use crate::query;
use crate::reading::from_object;
use crate::value::{Key, Line, RulesetId, Web};
use crate::word::Word;

mod check;
mod decision;

pub use check::RulesCheckRequest;
pub use decision::{Choice, DeclareRequest, MoveRequest, OfferRequest, ResignRequest, SwapRequest};

/// A request body.
pub trait Body: JsonSchema + Sized {
    /// Reads it from the fields of a JSON object.
    fn from_object(object: &Map<String, Value>) -> Result<Self, Malformed>;
}

impl<T: DeserializeOwned + JsonSchema> Body for T {
    fn from_object(object: &Map<String, Value>) -> Result<T, Malformed> {
        from_object(object)
    }
}

/// A body that becomes a decision of a game.
pub trait Submit: Body {
    /// The idempotency key in the body.
    fn key(&self) -> Option<&str>;

    /// The intent for the game.
    fn intent(&self) -> Result<Intent, Malformed>;

    /// The submission of `agent`. The key may come in the body, in the `Idempotency-Key` header or
    /// in both if they agree; without one the request is refused.
    fn into_submission(
        self,
        agent: &AgentName,
        header_key: Option<&str>,
    ) -> Result<Submission, Malformed> {
        let intent = self.intent()?;
        let key = idempotency_key(self.key(), header_key)?
            .ok_or_else(|| Malformed::missing("idempotency_key"))?;
        Ok(Submission { intent, tag: Tag::of(agent, key) })
    }
}

/// The shortest idempotency key of a registration. Whoever knows it can have the API key sent
/// again, so it must not be guessable.
const SECRET_MIN: usize = 22;

/// True for an idempotency key that is long enough to be a secret.
pub fn is_secret(key: &str) -> bool {
    key.len() >= SECRET_MIN
}

/// The one key that body and header name: 1 to 128 visible ASCII characters.
pub fn idempotency_key<'a>(
    body: Option<&'a str>,
    header: Option<&'a str>,
) -> Result<Option<&'a str>, Malformed> {
    one_key::<1>(body, header)
}

fn one_key<'a, const MIN: usize>(
    body: Option<&'a str>,
    header: Option<&'a str>,
) -> Result<Option<&'a str>, Malformed> {
    match (body, header) {
        (Some(body), Some(header)) if body != header => Err(Malformed::KeysDiffer),
        (Some(key), _) | (None, Some(key)) if Key::<MIN>::check(key) => Ok(Some(key)),
        (Some(key), _) | (None, Some(key)) => {
            Err(Malformed::value("idempotency_key", &Value::from(key), &Key::<MIN>::wanted()))
        }
        (None, None) => Ok(None),
    }
}

/// `POST /agents/register`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RegisterRequest {
    /// 3 to 32 of a-z, 0-9, _ and -; upper case is read as lower case
    // The arena's own players are called house-…
    #[schemars(
        regex(pattern = crate::schema::NAME),
        extend("not" = {"pattern": "^[hH][oO][uU][sS][eE]-"})
    )]
    pub name: String,
    /// a line about the agent
    pub bio: Option<Line<280>>,
    /// address of a page about the agent
    pub url: Option<Web>,
    /// agents of the same owner are never paired; never shown
    pub owner: Option<Line<64>>,
    /// at least 22 random characters, a secret: until the first join, the same request gives the same API key
    /// again
    pub idempotency_key: Option<Key<SECRET_MIN>>,
}

impl RegisterRequest {
    /// The name, if it can be an agent's.
    pub fn agent_name(&self) -> Result<AgentName, InvalidId> {
        self.name.parse::<AgentName>()?.for_agent()
    }

    /// The one key that body and header name. It must be long enough not to be guessed.
    pub fn key<'a>(&'a self, header: Option<&'a str>) -> Result<Option<&'a str>, Malformed> {
        one_key::<SECRET_MIN>(self.idempotency_key.as_deref(), header)
    }
}

/// `PATCH /agents/me`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DescribeRequest {
    /// a line about the agent; unchanged if absent, removed if empty
    pub bio: Option<Line<280>>,
    /// address of a page about the agent; unchanged if absent, removed if empty
    pub url: Option<Web>,
    /// not needed: to send the request again changes nothing more
    pub idempotency_key: Option<Key>,
}

/// `POST /queue/join`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JoinRequest {
    /// renju_taraguchi10_international if absent
    pub ruleset: Option<RulesetId>,
    /// standard if absent
    pub pool: Option<Word<Pool>>,
    /// true, as if absent: a house bot near your rating will do after a while; false: agents only; a level:
    /// that house bot, at once
    pub house: Option<OpponentView>,
    /// true, as if absent; false for a game outside the ratings, with an opponent that wants the same
    pub rated: Option<bool>,
    /// your colour at the start, with a level and a game outside the ratings
    // For people who play in a browser: a schema cannot say on what it depends, so it is not in the
    // document for agents.
    #[schemars(skip)]
    pub color: Option<Word<Color>>,
    /// send it again with every retry; the Idempotency-Key header is an alias
    pub idempotency_key: Option<Key>,
}

impl JoinRequest {
    /// Division in which the agent wants to play.
    pub fn division(&self) -> Division {
        query::division(self.ruleset, self.pool)
    }

    /// Opponent that the agent wants, whoever begins.
    pub fn opponent(&self) -> Opponent {
        self.house.map(|house| house.0).unwrap_or_default()
    }

    /// Opponent that the agent wants, with its own seat if it asked for a colour: only where no rating
    /// depends on it.
    pub fn opponent_and_seat(&self) -> Result<Opponent, Malformed> {
        let opponent = self.opponent();
        let Some(Word(color)) = self.color else { return Ok(opponent) };
        match (opponent, self.rated) {
            (Opponent::House(level), Some(false)) => {
                let seat = Position::new(self.division().ruleset).seat_of(color);
                Ok(Opponent::HouseAs(level, seat))
            }
            _ => Err(Malformed::ColorAlone),
        }
    }
}

/// `POST /queue/leave`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LeaveRequest {
    /// the ticket to give up; the current one if absent. A late duplicate that names its ticket cannot give
    /// up a newer one
    pub ticket: Option<Line<64>>,
    /// send it again with every retry; the Idempotency-Key header is an alias
    pub idempotency_key: Option<Key>,
}

/// `POST /agents/me/keys/rotate`: nothing but an optional key.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlainRequest {
    /// send it again with every retry; the Idempotency-Key header is an alias
    pub idempotency_key: Option<Key>,
}
