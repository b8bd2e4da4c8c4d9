//! Pages of listings.
//!
//! A cursor is a position in an order, not a key of a table: its partition comes from the request
//! it is sent with. So a forged one can only skip to another position of the same public list.
//!
//! A listing merges several lists: the shards of an index, or the rulesets. It is ordered by rank, then
//! list, then by the list's own order among equals, which is unknown. So the rank, the list and the
//! key of one entry tell for every list where to continue.

#![allow(missing_docs, reason = "the names say it")]

use std::fmt;
use std::str::FromStr;

use arena::Timestamp;
use thiserror::Error;
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Paging {
    /// From 1 to 100.
    pub limit: u16,
    /// End of the page before.
    pub after: Option<Cursor>,
}

/// Largest page.
const LIMIT_MAX: u16 = 100;

impl Paging {
    pub const fn first(limit: u16) -> Paging {
        Paging { limit, after: None }
    }

    pub(crate) fn size(&self) -> usize {
        usize::from(self.limit.clamp(1, LIMIT_MAX))
    }
}
#[derive(Clone, PartialEq, Debug)]
pub struct Listing<T> {
    pub entries: Vec<T>,
    /// End of this page; `None` if it is the last.
    pub next: Option<Cursor>,
}

/// End of a page. As text it is opaque, and needs no escaping in a URL.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Cursor {
    pub(crate) rank: i64,
    pub(crate) list: u16,
    pub(crate) key: String,
}

impl Cursor {
    /// The place of a list by time after the entries of this moment and later.
    pub fn before(time: Timestamp) -> Cursor {
        Cursor { rank: time.ms(), list: u16::MAX, key: "any".to_owned() }
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.rank, self.key)?;
        // The only list of most listings has no number, here as in the tables.
        if self.list > 0 { write!(f, ".{}", self.list) } else { Ok(()) }
    }
}

impl FromStr for Cursor {
    type Err = InvalidCursor;

    fn from_str(text: &str) -> Result<Cursor, InvalidCursor> {
        let parse = || {
            let (rank, rest) = text.split_once('.')?;
            let (key, list) = rest.split_once('.').unwrap_or((rest, "0"));
            let plain = |byte: u8| {
                byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'-')
            };
            let key = Some(key).filter(|key| (3..=32).contains(&key.len()))?;
            let (rank, list) = (rank.parse().ok()?, list.parse().ok()?);
            let cursor = Cursor { rank, list, key: key.to_owned() };
            (key.bytes().all(plain) && cursor.to_string() == text).then_some(cursor)
        };
        parse().ok_or_else(|| InvalidCursor { text: text.chars().take(60).collect() })
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{text:?} is not a cursor from an earlier page")]
pub struct InvalidCursor {
    text: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_round_trip() {
        for (rank, list, key) in
            [(0, 0, "abcdefghijklmnop"), (-4_512, 1, "alice_1"), (i64::MAX, 65_535, "b-2")]
        {
            let cursor = Cursor { rank, list, key: key.to_owned() };
            assert_eq!(cursor.to_string().parse(), Ok(cursor));
        }
    }

    #[test]
    fn texts_that_no_listing_gave_out_are_refused() {
        let long = format!("1.{}", "a".repeat(33));
        let bad = ["", "1", "1.", ".abc", "x.abc", "+1.abc", "01.abc", "1.ABC", "1.ab c", &long];
        let bad_lists = ["1.abc.", "1.abc.0", "1.abc.01", "1.abc.65536", "1.abc.2.3"];
        for text in bad.into_iter().chain(bad_lists) {
            assert!(text.parse::<Cursor>().is_err(), "{text}");
        }
    }
}
