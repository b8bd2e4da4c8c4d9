//! Values of requests: each type says which values it takes, to readers of the schema and to whoever sends
//! another.

use std::fmt;
use std::ops::Deref;

use arena::{AgentName, Timestamp};
use renju::{NamedOpening, Point, Ruleset};
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::fields::whole;
use crate::schema;
use crate::time::TimeView;

/// A whole number from `MIN` to `MAX`, in JSON also written `7.0`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Whole<const MIN: u32, const MAX: u32>(pub u32);

/// A text of at most `MAX` characters on one line, shown in the order it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line<const MAX: usize>(pub String);

/// The address of a web page, or nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Web(pub String);

/// An idempotency key of at least `MIN` characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Key<const MIN: usize = 1>(pub String);

/// The id of a ruleset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RulesetId(pub &'static Ruleset);

/// The id of a ruleset, or `all`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rulesets(pub Option<&'static Ruleset>);

/// One of the 26 openings by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpeningName(pub NamedOpening);

/// A time, or the start of a day, in UTC.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Since(pub Timestamp);

/// A point by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PointName(pub(crate) Point);

/// The name of an agent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name(pub AgentName);

/// Place where a list goes on, as the page before named it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Next(pub String);

/// Names all rulesets in a query.
const ALL: &str = "all";

/// The longest idempotency key.
pub(crate) const KEY_MAX: usize = 128;

/// The longest address of a page.
const WEB_MAX: usize = 200;

/// Such an address, or nothing.
const WEB: &str = r#"^(https?://[!#-&(-.0-;=?-\[\]_a-z~][!#-&(-;=?-\[\]_a-z~]*)?$"#;

/// The longest cursor.
const NEXT_MAX: usize = 512;

/// Without control characters, line separators and what turns the direction of the text.
const ONE_LINE: &str = r"^[^\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]*$";

/// Reads a text that `read` accepts; the error names what is `wanted`.
pub(crate) fn text<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    wanted: impl Fn() -> String,
    read: impl Fn(&str) -> Option<T>,
) -> Result<T, D::Error> {
    struct Reading<W, R>(W, R);

    impl<T, W: Fn() -> String, R: Fn(&str) -> Option<T>> Visitor<'_> for Reading<W, R> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(&(self.0)())
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
            (self.1)(text).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
        }
    }

    deserializer.deserialize_str(Reading(wanted, read))
}

/// Reads a value of any kind that `read` accepts; otherwise `read` returns what is wanted.
pub(crate) fn any<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    read: impl FnOnce(&Value) -> Result<T, String>,
) -> Result<T, D::Error> {
    struct Reading<R>(R);

    impl<'de, T, R: FnOnce(&Value) -> Result<T, String>> Visitor<'de> for Reading<R> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("another value")
        }

        fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<T, D::Error> {
            let value = Value::deserialize(inner)?;
            (self.0)(&value).map_err(|wanted| {
                D::Error::invalid_value(Unexpected::Other(&value.to_string()), &wanted.as_str())
            })
        }
    }

    deserializer.deserialize_newtype_struct("any", Reading(read))
}

impl<'de, const MIN: u32, const MAX: u32> Deserialize<'de> for Whole<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reading<const MIN: u32, const MAX: u32>;

        impl<const MIN: u32, const MAX: u32> Visitor<'_> for Reading<MIN, MAX> {
            type Value = Whole<MIN, MAX>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a whole number from {MIN} to {MAX}")
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
                let fitting = u32::try_from(number).ok().filter(|n| (MIN..=MAX).contains(n));
                fitting
                    .map(Whole)
                    .ok_or_else(|| E::invalid_value(Unexpected::Unsigned(number), &self))
            }

            fn visit_f64<E: Error>(self, number: f64) -> Result<Self::Value, E> {
                match whole(&number.into()) {
                    Some(number) => self.visit_u64(number),
                    None => Err(E::invalid_value(Unexpected::Float(number), &self)),
                }
            }
        }

        deserializer.deserialize_u64(Reading::<MIN, MAX>)
    }
}

/// True for a character that ends a line, controls a terminal or turns the direction of the text around it.
fn breaks_the_line(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

impl<const MIN: usize> Key<MIN> {
    /// True for a text that can be such a key.
    pub(crate) fn check(key: &str) -> bool {
        (MIN..=KEY_MAX).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic())
    }

    /// Such keys in words.
    pub(crate) fn wanted() -> String {
        format!("{MIN} to {KEY_MAX} visible ASCII characters without spaces")
    }
}

/// Lets these be read as the texts they are.
macro_rules! derefs {
    ($([$($generics:tt)*] $name:ty),*) => {$(
        impl<$($generics)*> Deref for $name {
            type Target = str;

            fn deref(&self) -> &str {
                &self.0
            }
        }
    )*};
}

derefs!([const MAX: usize] Line<MAX>, [const MIN: usize] Key<MIN>, [] Next);

/// Declares texts: which are read, and what is wanted in words.
macro_rules! texts {
    ($([$($generics:tt)*] $name:ty, $read:expr, $wanted:expr;)*) => {$(
        impl<'de, $($generics)*> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                text(deserializer, || $wanted.into(), $read)
            }
        }
    )*};
}

texts! {
    [const MAX: usize] Line<MAX>, |text| {
        let is_line = text.chars().count() <= MAX && !text.chars().any(breaks_the_line);
        is_line.then(|| Line(text.to_owned()))
    }, format!("a text of at most {MAX} characters on one line");
    [] Web, |url| {
        let is_plain = |byte: u8| byte.is_ascii_graphic() && !b"\"'<>\\^`{|}".contains(&byte);
        let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
        let is_page = url.len() <= WEB_MAX
            && host.is_some_and(|host| !host.is_empty() && !host.starts_with('/'))
            && url.bytes().all(is_plain);
        (url.is_empty() || is_page).then(|| Web(url.to_owned()))
    }, format!("an address that starts with https:// or http://, of at most {WEB_MAX} characters");
    [const MIN: usize] Key<MIN>, |key| Self::check(key).then(|| Key(key.to_owned())), Self::wanted();
    [] RulesetId, |id| Ruleset::find(id).ok().map(RulesetId),
        format!("one of {}", schema::ruleset_ids().join(", "));
    [] Rulesets, |id| match id {
        ALL => Some(Rulesets(None)),
        id => Ruleset::find(id).ok().map(|ruleset| Rulesets(Some(ruleset))),
    }, format!("{ALL} or one of {}", schema::ruleset_ids().join(", "));
    [] OpeningName, |name| {
        NamedOpening::ALL.into_iter().find(|opening| opening.name == name).map(OpeningName)
    }, "the name of an opening such as Kagetsu";
    [] Since, |text| {
        let day = || TimeView::read(&format!("{text}T00:00:00.000Z"));
        TimeView::read(text).or_else(day).map(|time| Since(time.0))
    }, "a day or a time in UTC, as 2026-05-31 or 2026-05-31T12:00:00.000Z";
    [] PointName, |name| name.parse().ok().map(PointName), "a point such as h8";
    [] Name, |name| name.parse().ok().map(Name), "an agent's name";
    [] Next, |next| {
        let is_place = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'z' | b'_' | b'.' | b'~' | b'-');
        (next.len() <= NEXT_MAX && next.bytes().all(is_place)).then(|| Next(next.to_owned()))
    }, "next of the page before";
}

/// The schemas of these types stand where they are used, so their names are nowhere.
macro_rules! schemas {
    ($([$($generics:tt)*] $name:ty => $schema:tt;)*) => {$(
        impl<$($generics)*> schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!($schema)
            }
        }
    )*};
}

pub(crate) use schemas;

schemas! {
    [const MIN: u32, const MAX: u32] Whole<MIN, MAX> =>
        {"type": "integer", "minimum": MIN, "maximum": MAX};
    [const MAX: usize] Line<MAX> => {"type": "string", "pattern": ONE_LINE, "maxLength": MAX};
    [] Web => {"type": "string", "pattern": WEB, "maxLength": WEB_MAX};
    [const MIN: usize] Key<MIN> =>
        {"type": "string", "pattern": "^[!-~]+$", "minLength": MIN, "maxLength": KEY_MAX};
    [] RulesetId => {"type": "string", "enum": (schema::ruleset_ids())};
    [] Rulesets => {"type": "string", "enum": ([&[ALL], &schema::ruleset_ids()[..]].concat())};
    [] OpeningName => {"type": "string", "enum": (NamedOpening::ALL.map(|opening| opening.name))};
    [] Since => {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:.]{12}Z)?$"};
    [] PointName => {"type": "string", "pattern": (schema::POINT)};
    [] Name => {"type": "string", "pattern": (schema::NAME)};
    [] Next => {"type": "string", "pattern": "^[0-9a-z_.~-]+$", "maxLength": NEXT_MAX};
}
