//! Query strings. The descriptions of the fields are what the documents say about the parameters.

use std::fmt;

use arena::{Division, Game, Pool, Reason, Timestamp, TurnNumber};
use renju::{Point, Ruleset, Seat};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::game::{Detail, GameStatus};
use crate::value::{Name, Next, OpeningName, PointName, RulesetId, Rulesets, Since, Whole};
use crate::word::{Spelled, Word, spelled};

/// Default number of rows on a page.
pub const LIMIT_DEFAULT: u16 = 20;

/// The most rows a page has.
pub const LIMIT_MAX: u8 = 100;

/// The most games a page of the export has. A function's answer may have six megabytes, and the
/// longest games take some sixty kilobytes each.
pub const EXPORT_LIMIT_MAX: u8 = 50;

/// The longest wait that can be asked for; a deployment allows far less.
const WAIT_S_MAX: u32 = 3_600;

const DAY_MS: i64 = 86_400_000;

/// Yes or no.
type Flag = Whole<0, 1>;

const NO: Option<Flag> = Some(Whole(0));
const YES: Option<Flag> = Some(Whole(1));

/// Form in which a game is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Format {
    /// JSON.
    #[default]
    Json,
    /// An ASCII board.
    Text,
}

spelled! {
    Format: Json = "json", Text = "text";
    // In a query a game that is over is also `finished`.
    GameStatus: Live = "live", Over = "finished", Over = "over";
}

/// `GET /games/{id}?legal=0&moves=0&schema=0&wait=20`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GameQuery {
    // Older than `GET /games/{id}/text`, and kept for those who use it.
    #[schemars(skip)]
    format: Option<Word<Format>>,
    /// 0 leaves legal_moves out
    legal: Option<Flag>,
    /// 0 leaves moves out
    moves: Option<Flag>,
    /// 0 leaves schema out of required_action
    schema: Option<Flag>,
    /// seconds to wait for a change, as far as the deployment allows
    wait: Option<Whole<0, WAIT_S_MAX>>,
}

impl GameQuery {
    /// The form.
    pub fn format(&self) -> Format {
        self.format.map(|format| format.0).unwrap_or_default()
    }

    /// The detail asked for.
    pub fn detail(&self) -> Detail {
        let legal = self.legal != NO;
        Detail { legal, moves: self.moves != NO, schema: self.schema != NO }
    }

    /// Seconds to wait for a change, if the deployment allows it.
    pub fn wait_s(&self) -> u32 {
        self.wait.unwrap_or_default().0
    }
}

/// `POST /games/{id}/move?moves=0`, and every other decision of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DecisionQuery {
    /// 0 leaves legal_moves out; 1 adds them to the game of a refusal, which has none if absent
    legal: Option<Flag>,
    /// 0 leaves moves out
    moves: Option<Flag>,
    /// 0 leaves schema out of required_action
    schema: Option<Flag>,
}

impl DecisionQuery {
    /// The detail asked for of the game after the decision.
    pub fn accepted(&self) -> Detail {
        let DecisionQuery { legal, moves, schema } = *self;
        GameQuery { legal, moves, schema, ..GameQuery::default() }.detail()
    }

    /// The detail asked for of the game that refuses the decision.
    pub fn refused(&self) -> Detail {
        Detail { legal: self.legal == YES, ..self.accepted() }
    }
}

/// `GET /games/{id}/text?wait=20`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TextQuery {
    /// seconds to wait for a change, as far as the deployment allows
    wait: Option<Whole<0, WAIT_S_MAX>>,
}

impl From<TextQuery> for GameQuery {
    fn from(query: TextQuery) -> GameQuery {
        GameQuery { format: Some(Word(Format::Text)), wait: query.wait, ..GameQuery::default() }
    }
}

/// `GET /queue?wait=20`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QueueQuery {
    /// seconds to wait for a game, as far as the deployment allows
    wait: Option<Whole<0, WAIT_S_MAX>>,
}

impl QueueQuery {
    /// Seconds to wait for a game, if the deployment allows it.
    pub fn wait_s(&self) -> u32 {
        self.wait.unwrap_or_default().0
    }
}

/// Colours of a picture, by one of [`THEMES`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct ThemeName(&'static str);

/// The colours a picture can have; `page` leaves them to the page that shows it.
pub const THEMES: [&str; 4] = ["light", "dark", "print", "page"];

impl Spelled for ThemeName {
    const WORDS: &'static [(ThemeName, &'static str)] = &[
        (ThemeName(THEMES[0]), THEMES[0]),
        (ThemeName(THEMES[1]), THEMES[1]),
        (ThemeName(THEMES[2]), THEMES[2]),
        (ThemeName(THEMES[3]), THEMES[3]),
    ];
}

/// `GET /games/{id}.svg?turn=12&theme=dark&point=h8`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PictureQuery {
    /// number of decisions to show; all of them if absent
    turn: Option<Whole<0, { u32::MAX }>>,
    /// the colours, light if absent; page leaves them to the page that shows the picture
    theme: Option<Word<ThemeName>>,
    /// an empty point: if it is forbidden, the proof is drawn
    point: Option<PointName>,
}

impl PictureQuery {
    /// Number of decisions shown; all of them if absent.
    pub fn turn(&self) -> Option<TurnNumber> {
        self.turn.map(|turn| TurnNumber(turn.0))
    }

    /// Point that is asked about.
    pub fn point(&self) -> Option<Point> {
        self.point.map(|point| point.0)
    }

    /// One of [`THEMES`].
    pub fn theme(&self) -> &'static str {
        self.theme.map_or(THEMES[0], |theme| theme.0.0)
    }
}

/// `GET /games?status=live&agent=&ruleset=&limit=&next=`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GamesQuery {
    /// live games, or finished ones; if absent, live ones, or both where agent is given
    pub status: Option<Word<GameStatus>>,
    /// only games of this agent
    pub agent: Option<Name>,
    /// only games of this ruleset; all if absent
    pub ruleset: Option<Rulesets>,
    /// the most rows, 20 if absent
    pub limit: Option<Rows>,
    /// next of the page before
    pub next: Option<Next>,
}

/// `GET /agents/{name}/games?status=live&ruleset=&pool=&opponent=&reason=&since=&limit=&next=`, and the
/// same for the export.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AgentGamesQuery {
    /// live games, or finished ones; both if absent
    pub status: Option<Word<GameStatus>>,
    /// only games of this ruleset; all if absent
    pub ruleset: Option<Rulesets>,
    /// only games of this pool
    pub pool: Option<Word<Pool>>,
    /// only games against this agent or house bot
    pub opponent: Option<Name>,
    /// only games that ended for this reason
    pub reason: Option<Word<Reason>>,
    /// only games that started at this time or later: 2026-05-31, or 2026-05-31T12:00:00.000Z
    pub since: Option<Since>,
    /// the most rows, 20 if absent
    pub limit: Option<Rows>,
    /// next of the page before
    pub next: Option<Next>,
}

/// `GET /archive`: the filters of [`AgentGamesQuery`], of one agent or of all.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArchiveQuery {
    /// only games of this agent
    pub agent: Option<Name>,
    /// live games, or finished ones; if absent, finished ones, or both where agent is given
    pub status: Option<Word<GameStatus>>,
    /// only games of this ruleset; all if absent
    pub ruleset: Option<Rulesets>,
    /// only games of this pool
    pub pool: Option<Word<Pool>>,
    /// only games against this agent or house bot
    pub opponent: Option<Name>,
    /// only games that ended for this reason
    pub reason: Option<Word<Reason>>,
    /// only games with this opening
    pub opening: Option<OpeningName>,
    /// only games in which both players were rated this or higher
    pub rating: Option<Whole<0, 4000>>,
    /// only games that started on this day or later
    pub since: Option<Since>,
    /// only games that ended on this day or earlier
    pub until: Option<Since>,
    /// next of the page before
    pub next: Option<Next>,
}

impl ArchiveQuery {
    /// The filters of one agent's games.
    pub fn of_agent(&self) -> AgentGamesQuery {
        let ArchiveQuery { status, ruleset, pool, opponent, reason, since, next, .. } =
            self.clone();
        AgentGamesQuery { status, ruleset, pool, opponent, reason, since, limit: None, next }
    }

    /// The end of the last day that is asked for.
    pub fn until(&self) -> Option<Timestamp> {
        self.until.map(|day| day.0.plus(DAY_MS))
    }
}

impl From<GamesQuery> for AgentGamesQuery {
    fn from(GamesQuery { status, ruleset, limit, next, .. }: GamesQuery) -> AgentGamesQuery {
        AgentGamesQuery { status, ruleset, limit, next, ..AgentGamesQuery::ALL }
    }
}

impl AgentGamesQuery {
    /// Every game.
    pub const ALL: AgentGamesQuery = AgentGamesQuery {
        status: None,
        ruleset: None,
        pool: None,
        opponent: None,
        reason: None,
        since: None,
        limit: None,
        next: None,
    };

    /// True for a game of the agent in this seat that is asked for, whenever it started.
    pub fn accepts(&self, game: &Game, seat: Seat) -> bool {
        let header = game.header();
        let ruleset = self.ruleset.and_then(|ruleset| ruleset.0);
        let reason = game.result().map(|result| result.reason);
        self.status.is_none_or(|status| status.0 == GameStatus::of(game))
            && ruleset.is_none_or(|ruleset| ruleset == header.division.ruleset)
            && self.pool.is_none_or(|pool| pool.0 == header.division.pool)
            && self.opponent.as_ref().is_none_or(|name| name.0 == header.players[!seat].name)
            && self.reason.is_none_or(|asked| Some(asked.0) == reason)
    }

    /// True for a game that started before those that are asked for.
    pub fn is_too_old(&self, game: &Game) -> bool {
        self.since.is_some_and(|since| game.header().created < since.0)
    }
}

/// Number of rows on a page, as a request names it.
pub(crate) type Rows = Whole<1, { LIMIT_MAX as u32 }>;

/// The number of rows that was asked for, or the usual one.
pub fn rows<const MAX: u32>(limit: Option<Whole<1, MAX>>) -> u16 {
    limit.map_or(LIMIT_DEFAULT, |limit| limit.0 as u16)
}

/// `GET /leaderboard?ruleset=&pool=&limit=&next=`.
#[derive(Clone, PartialEq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LeaderboardQuery {
    /// the id of a ruleset; renju_taraguchi10_international if absent
    pub ruleset: Option<RulesetId>,
    /// fast, standard or slow; standard if absent
    pub pool: Option<Word<Pool>>,
    /// the most rows, 20 if absent
    pub limit: Option<Rows>,
    /// next of the page before
    pub next: Option<Next>,
}

impl LeaderboardQuery {
    /// Division of the leaderboard.
    pub fn division(&self) -> Division {
        division(self.ruleset, self.pool)
    }

    /// Number of rows before this page, for its ranks, and the cursor of its first row.
    pub fn place(&self) -> (u32, Option<&str>) {
        match self.next.as_deref().and_then(|next| next.split_once('~')) {
            Some((before, cursor)) => (before.parse().unwrap_or(0), Some(cursor)),
            None => (0, self.next.as_deref()),
        }
    }

    /// The place after `shown` more rows, where the list goes on at `cursor`.
    pub fn next_place(&self, shown: usize, cursor: impl fmt::Display) -> String {
        let shown = u32::try_from(shown).unwrap_or(u32::MAX);
        format!("{}~{cursor}", self.place().0.saturating_add(shown))
    }
}

/// The division that a request names; what it does not name is the default.
pub(crate) fn division(ruleset: Option<RulesetId>, pool: Option<Word<Pool>>) -> Division {
    Division {
        ruleset: ruleset.map_or(&Ruleset::ALL[0], |ruleset| ruleset.0),
        pool: pool.map(|pool| pool.0).unwrap_or_default(),
    }
}

/// `GET /games/export.ndjson?ruleset=&limit=&next=`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportQuery {
    /// only games of this ruleset; all if absent
    pub ruleset: Option<Rulesets>,
    /// the most games, 20 if absent
    pub limit: Option<Whole<1, { EXPORT_LIMIT_MAX as u32 }>>,
    /// next of the page before
    pub next: Option<Next>,
}
