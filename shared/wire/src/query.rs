//! Query strings, read as strictly as bodies. Pairs arrive decoded.

use std::fmt;
use std::ops::RangeInclusive;

use arena::{AgentName, Division, Pool, TurnNumber};
use renju::Ruleset;
use serde_json::{Map, Value};

use crate::fields::{Fields, Malformed};
use crate::game::{Detail, GameStatus};
use crate::request::{take_pool, take_ruleset};

/// How many rows a page has when none are asked for.
pub const LIMIT_DEFAULT: u8 = 20;

/// The most rows a page has.
pub const LIMIT_MAX: u8 = 100;

/// The most games a page of the export has. A function's answer may have six megabytes, and the
/// longest games take some sixty kilobytes each.
pub const EXPORT_LIMIT_MAX: u8 = 50;

/// The longest wait that can be asked for; a deployment allows far less.
pub(crate) const WAIT_S_MAX: u32 = 3_600;

/// In which form a game is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Format {
    /// JSON.
    #[default]
    Json,
    /// An ASCII board.
    Text,
}

/// `GET /games/{id}?format=text&legal=0&wait=20`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameQuery {
    /// The form.
    pub format: Format,
    /// How much to show.
    pub detail: Detail,
    /// How many seconds to wait for a change, if the deployment allows it.
    pub wait_s: u32,
}

/// `GET /games/{id}.svg?turn=12&theme=dark`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PictureQuery {
    /// After how many decisions; the game as it is if absent.
    pub turn: Option<TurnNumber>,
    /// One of [`THEMES`].
    pub theme: &'static str,
}

/// The colours a picture can have; `page` leaves them to the page that shows it.
pub const THEMES: [&str; 4] = ["light", "dark", "print", "page"];

/// `GET /games?status=live&agent=&ruleset=&limit=&next=`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GamesQuery {
    /// Live games or finished ones.
    pub status: Option<GameStatus>,
    /// Only games of this agent.
    pub agent: Option<AgentName>,
    /// Only games of this ruleset.
    pub ruleset: Option<&'static Ruleset>,
    /// The most rows.
    pub limit: u8,
    /// Where the list goes on.
    pub next: Option<String>,
}

/// `GET /leaderboard?ruleset=&pool=&limit=&next=`.
#[derive(Clone, PartialEq, Debug)]
pub struct LeaderboardQuery {
    /// Whose leaderboard.
    pub division: Division,
    /// The most rows.
    pub limit: u8,
    /// Where the list goes on.
    pub next: Option<String>,
}

/// `GET /games/export.ndjson?ruleset=&limit=&next=`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExportQuery {
    /// Games of this ruleset.
    pub ruleset: &'static Ruleset,
    /// The most games.
    pub limit: u8,
    /// Where the list goes on.
    pub next: Option<String>,
}

impl GameQuery {
    /// The parameters there are.
    pub const FIELDS: &'static [&'static str] = &["format", "legal", "wait"];

    /// Reads the parameters.
    pub fn read<'a>(
        pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<GameQuery, Malformed> {
        let mut fields = fields(pairs, Self::FIELDS)?;
        let format = |word: &str| match word {
            "json" => Some(Format::Json),
            "text" => Some(Format::Text),
            _ => None,
        };
        let legal = |word: &str| match word {
            "0" => Some(false),
            "1" => Some(true),
            _ => None,
        };
        let legal = fields.word("legal", legal, || "0 or 1".into())?.unwrap_or(true);
        Ok(GameQuery {
            format: fields.word("format", format, || "json or text".into())?.unwrap_or_default(),
            detail: Detail { legal },
            wait_s: number(&mut fields, "wait", 0..=WAIT_S_MAX)?.unwrap_or(0),
        })
    }
}

impl PictureQuery {
    /// The parameters there are.
    pub const FIELDS: &'static [&'static str] = &["turn", "theme"];

    /// Reads the parameters.
    pub fn read<'a>(
        pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<PictureQuery, Malformed> {
        let mut fields = fields(pairs, Self::FIELDS)?;
        let theme = |word: &str| THEMES.into_iter().find(|theme| *theme == word);
        Ok(PictureQuery {
            turn: number(&mut fields, "turn", 0..=u32::MAX)?.map(TurnNumber),
            theme: fields.word("theme", theme, || THEMES.join(", "))?.unwrap_or(THEMES[0]),
        })
    }
}

impl GamesQuery {
    /// The parameters there are.
    pub const FIELDS: &'static [&'static str] = &["status", "agent", "ruleset", "limit", "next"];

    /// Reads the parameters.
    pub fn read<'a>(
        pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<GamesQuery, Malformed> {
        let mut fields = fields(pairs, Self::FIELDS)?;
        let status = |word: &str| match word {
            "live" => Some(GameStatus::Live),
            "finished" | "over" => Some(GameStatus::Over),
            _ => None,
        };
        let status = fields.word("status", status, || "live or finished".into())?;
        Ok(GamesQuery {
            status,
            agent: fields.word("agent", |name| name.parse().ok(), || "an agent's name".into())?,
            ruleset: take_ruleset(&mut fields)?,
            limit: take_limit(&mut fields, LIMIT_MAX)?,
            next: fields.text("next", NEXT_MAX)?,
        })
    }
}

impl LeaderboardQuery {
    /// The parameters there are.
    pub const FIELDS: &'static [&'static str] = &["ruleset", "pool", "limit", "next"];

    /// How many rows came before, and where to go on: a page cannot know its ranks by itself.
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

    /// Reads the parameters.
    pub fn read<'a>(
        pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<LeaderboardQuery, Malformed> {
        let mut fields = fields(pairs, Self::FIELDS)?;
        let ruleset = take_ruleset(&mut fields)?.unwrap_or(&Ruleset::ALL[0]);
        let pool: Pool = take_pool(&mut fields)?.unwrap_or_default();
        Ok(LeaderboardQuery {
            division: Division { ruleset, pool },
            limit: take_limit(&mut fields, LIMIT_MAX)?,
            next: fields.text("next", NEXT_MAX)?,
        })
    }
}

impl ExportQuery {
    /// The parameters there are.
    pub const FIELDS: &'static [&'static str] = &["ruleset", "limit", "next"];

    /// Reads the parameters.
    pub fn read<'a>(
        pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<ExportQuery, Malformed> {
        let mut fields = fields(pairs, Self::FIELDS)?;
        Ok(ExportQuery {
            ruleset: take_ruleset(&mut fields)?.unwrap_or(&Ruleset::ALL[0]),
            limit: take_limit(&mut fields, EXPORT_LIMIT_MAX)?,
            next: fields.text("next", NEXT_MAX)?,
        })
    }
}

/// The longest cursor.
pub(crate) const NEXT_MAX: usize = 512;

/// An empty value counts as absent: forms send those.
fn fields<'a>(
    pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
    known: &'static [&'static str],
) -> Result<Fields, Malformed> {
    let map: Map<String, Value> = pairs
        .into_iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| (name.to_owned(), Value::from(value)))
        .collect();
    Fields::of(map, known)
}

fn number(
    fields: &mut Fields,
    field: &str,
    range: RangeInclusive<u32>,
) -> Result<Option<u32>, Malformed> {
    let read = |text: &str| text.parse().ok().filter(|number| range.contains(number));
    let (least, most) = (range.start(), range.end());
    fields.word(field, read, || format!("a whole number from {least} to {most}"))
}

fn take_limit(fields: &mut Fields, most: u8) -> Result<u8, Malformed> {
    let limit = number(fields, "limit", 1..=u32::from(most))?;
    Ok(limit.and_then(|limit| u8::try_from(limit).ok()).unwrap_or(LIMIT_DEFAULT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_have_defaults_and_bounds() {
        let query = GameQuery::read([]).unwrap();
        assert_eq!(query, GameQuery { format: Format::Json, detail: Detail::FULL, wait_s: 0 });
        let query = GameQuery::read([("format", "text"), ("legal", "0"), ("wait", "20")]).unwrap();
        assert_eq!(query, GameQuery { format: Format::Text, detail: Detail::BRIEF, wait_s: 20 });

        let query = GamesQuery::read([("status", "finished"), ("agent", ""), ("limit", "1")]);
        let query = query.unwrap();
        assert_eq!((query.status, query.agent, query.limit), (Some(GameStatus::Over), None, 1));

        let query = LeaderboardQuery::read([("pool", "fast")]).unwrap();
        assert_eq!(query.division.to_string(), "renju_taraguchi10_international/fast");
        assert_eq!(query.limit, LIMIT_DEFAULT);
        assert_eq!((query.place(), query.next_place(20, "7.abc")), ((0, None), "20~7.abc".into()));
        let query = LeaderboardQuery::read([("next", "20~7.abc")]).unwrap();
        assert_eq!(query.place(), (20, Some("7.abc")));
        assert_eq!(query.next_place(5, "3.def"), "25~3.def");
    }

    #[test]
    fn pictures_are_asked_for_by_turn_and_theme() {
        let query = PictureQuery::read([("turn", "12"), ("theme", "dark")]).unwrap();
        assert_eq!(query, PictureQuery { turn: Some(TurnNumber(12)), theme: "dark" });
        assert_eq!(PictureQuery::read([]).unwrap().theme, "light");
        let error = |pair| PictureQuery::read([pair]).unwrap_err().to_string();
        assert_eq!(error(("theme", "neon")), r#"theme is "neon", not light, dark, print, page"#);
        assert!(error(("turn", "-1")).starts_with(r#"turn is "-1", not a whole number"#));
    }

    #[test]
    fn queries_name_what_is_wrong() {
        let error = |pairs: &[(&str, &str)]| {
            GamesQuery::read(pairs.iter().copied()).unwrap_err().to_string()
        };
        for limit in ["101", "0", "-1", "1.5"] {
            let wanted = format!("limit is {limit:?}, not a whole number from 1 to 100");
            assert_eq!(error(&[("limit", limit)]), wanted);
        }
        assert_eq!(error(&[("status", "dead")]), r#"status is "dead", not live or finished"#);
        assert_eq!(error(&[("agent", "é")]), r#"agent is "é", not an agent's name"#);
        assert!(error(&[("page", "2")]).starts_with("there is no field \"page\" here"));
    }
}
