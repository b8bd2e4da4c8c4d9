//! Encoding of items. Reading checks everything and guesses nothing.

pub(crate) mod agent;
pub(crate) mod game;
pub(crate) mod log;
pub(crate) mod standing;

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use arena::{BrokenLog, Division, Rating, Timestamp};
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use thiserror::Error;

pub(crate) use log::LogError;

/// Partition key and sort key of both tables.
pub(crate) const PK: &str = "pk";
pub(crate) const SK: &str = "sk";

/// Time in seconds after which DynamoDB deletes an item of the agents table.
pub(crate) const EXPIRES: &str = "ex";

pub(crate) type Item = HashMap<String, AttributeValue>;

/// A stored item that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("item {key}: {why}")]
pub struct Undecodable {
    key: String,
    why: Why,
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum Why {
    /// Also of the wrong type.
    #[error("attribute {0} is missing or out of range")]
    Attribute(&'static str),
    /// A ruleset, a pool, a house bot or a word of a newer version.
    #[error("attribute {0} is not known to this version")]
    Unknown(&'static str),
    #[error(transparent)]
    Log(LogError),
    #[error(transparent)]
    Broken(BrokenLog),
    #[error("turn_number is {turn_number} but the log has {entries} entries")]
    Length { turn_number: u32, entries: usize },
}

impl Undecodable {
    /// True if a newer version of this program may have written the item; another instance may then
    /// be able to read it.
    pub fn is_newer(&self) -> bool {
        match &self.why {
            Why::Unknown(_) => true,
            Why::Log(why) => why.is_newer(),
            Why::Attribute(_) | Why::Broken(_) | Why::Length { .. } => false,
        }
    }
}

/// Reads the attributes of one item.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a>(pub(crate) &'a Item);

impl<'a> Reader<'a> {
    pub(crate) fn text(self, name: &'static str) -> Result<&'a str, Undecodable> {
        self.optional_text(name)?.ok_or_else(|| self.bad(name))
    }

    pub(crate) fn optional_text(self, name: &'static str) -> Result<Option<&'a str>, Undecodable> {
        match self.0.get(name) {
            None => Ok(None),
            Some(AttributeValue::S(text)) => Ok(Some(text)),
            Some(_) => Err(self.bad(name)),
        }
    }

    /// A text attribute, parsed.
    pub(crate) fn parsed<T: FromStr>(self, name: &'static str) -> Result<T, Undecodable> {
        self.text(name)?.parse().map_err(|_| self.bad(name))
    }

    pub(crate) fn number<T: FromStr>(self, name: &'static str) -> Result<T, Undecodable> {
        self.optional_number(name)?.ok_or_else(|| self.bad(name))
    }

    pub(crate) fn optional_number<T: FromStr>(
        self,
        name: &'static str,
    ) -> Result<Option<T>, Undecodable> {
        match self.0.get(name) {
            None => Ok(None),
            Some(AttributeValue::N(digits)) => digits.parse().map(Some).map_err(|_| self.bad(name)),
            Some(_) => Err(self.bad(name)),
        }
    }

    pub(crate) fn time(self, name: &'static str) -> Result<Timestamp, Undecodable> {
        self.number(name).map(Timestamp::from_ms)
    }

    pub(crate) fn optional_time(
        self,
        name: &'static str,
    ) -> Result<Option<Timestamp>, Undecodable> {
        Ok(self.optional_number(name)?.map(Timestamp::from_ms))
    }

    pub(crate) fn bytes(self, name: &'static str) -> Result<&'a [u8], Undecodable> {
        self.optional_bytes(name)?.ok_or_else(|| self.bad(name))
    }

    pub(crate) fn optional_bytes(
        self,
        name: &'static str,
    ) -> Result<Option<&'a [u8]>, Undecodable> {
        match self.0.get(name) {
            None => Ok(None),
            Some(AttributeValue::B(bytes)) => Ok(Some(bytes.as_ref())),
            Some(_) => Err(self.bad(name)),
        }
    }

    pub(crate) fn array<const N: usize>(self, name: &'static str) -> Result<[u8; N], Undecodable> {
        self.bytes(name)?.try_into().map_err(|_| self.bad(name))
    }

    /// A list of chunks of a fixed length; a missing attribute is an empty list.
    pub(crate) fn chunks<const N: usize>(
        self,
        name: &'static str,
    ) -> Result<&'a [[u8; N]], Undecodable> {
        match self.optional_bytes(name)?.unwrap_or_default().as_chunks() {
            (chunks, []) => Ok(chunks),
            _ => Err(self.bad(name)),
        }
    }

    pub(crate) fn rating(self, name: &'static str) -> Result<Rating, Undecodable> {
        Rating::from_bytes(self.bytes(name)?).ok_or_else(|| self.bad(name))
    }

    pub(crate) fn bad(self, name: &'static str) -> Undecodable {
        self.because(Why::Attribute(name))
    }

    pub(crate) fn unknown(self, name: &'static str) -> Undecodable {
        self.because(Why::Unknown(name))
    }

    pub(crate) fn because(self, why: Why) -> Undecodable {
        let part = |name| match self.0.get(name) {
            Some(AttributeValue::S(text)) => text.as_str(),
            _ => "",
        };
        Undecodable { key: format!("{}/{}", part(PK), part(SK)), why }
    }
}

/// Partition of an index that is spread over shards. The first has no number, so that what was
/// listed before a deployment was sharded is still found.
pub(crate) fn sharded(list: String, shard: u8) -> String {
    if shard == 0 { list } else { format!("{list}#{shard}") }
}

/// True if this is the key of some shard of the list.
pub(crate) fn is_shard_of(key: &str, list: &str) -> bool {
    key.strip_prefix(list).is_some_and(|shard| shard.is_empty() || shard.starts_with('#'))
}

/// Partition of the queue's index and of the leaderboard's.
pub(crate) fn division_key(division: Division, shard: u8) -> String {
    sharded(division.to_string(), shard)
}

pub(crate) fn text(text: impl Into<String>) -> AttributeValue {
    AttributeValue::S(text.into())
}

pub(crate) fn number(number: impl fmt::Display) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

pub(crate) fn time(time: Timestamp) -> AttributeValue {
    number(time.ms())
}

/// Time in seconds, rounded down, as DynamoDB's expiry requires.
pub(crate) fn seconds(time: Timestamp) -> AttributeValue {
    number(time.ms().div_euclid(1_000))
}

pub(crate) fn bytes(bytes: impl Into<Vec<u8>>) -> AttributeValue {
    AttributeValue::B(Blob::new(bytes))
}

/// Size of an item as DynamoDB counts it: names and texts as UTF-8, binaries as they are, a number
/// as a byte for every two significant digits and one more.
pub(crate) fn item_bytes(item: &Item) -> usize {
    item.iter().map(|(name, value)| name.len() + value_bytes(value)).sum()
}

fn value_bytes(value: &AttributeValue) -> usize {
    match value {
        AttributeValue::S(text) => text.len(),
        AttributeValue::B(bytes) => bytes.as_ref().len(),
        AttributeValue::N(digits) => {
            let significant = digits.trim_start_matches(['-', '0']).trim_end_matches('0');
            significant.len().div_ceil(2) + 1 + usize::from(digits.starts_with('-'))
        }
        // Our items have no other types.
        _ => 0,
    }
}

/// FNV-1a: stable across versions, unlike the standard library's hashers.
pub(crate) fn fnv_64(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_follow_the_documented_rules() {
        let size = |value| item_bytes(&Item::from([("ab".to_owned(), value)])) - 2;
        assert_eq!(size(text("größe")), 7);
        assert_eq!(size(bytes([0; 9])), 9);
        for (digits, bytes) in [("0", 1), ("7", 2), ("1000", 2), ("40", 2), ("41", 2), ("-412", 4)]
        {
            assert_eq!(size(number(digits)), bytes, "{digits}");
        }
        assert_eq!(size(number(1_760_000_000_123i64)), 8);
    }

    #[test]
    fn hashes_never_change() {
        assert_eq!(fnv_64(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv_64("foobar"), 0x8594_4171_f739_67e8);
    }
}
