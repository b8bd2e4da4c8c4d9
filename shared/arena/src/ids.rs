//! Ids, names and times shared by all crates.

#![allow(missing_docs, reason = "the names say it")]

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

/// Milliseconds since 1970, UTC.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Timestamp(i64);

impl Timestamp {
    pub const fn from_ms(ms: i64) -> Timestamp {
        Timestamp(ms)
    }

    pub const fn ms(self) -> i64 {
        self.0
    }

    /// `ms` later, or earlier if negative.
    pub const fn plus(self, ms: i64) -> Timestamp {
        Timestamp(self.0.saturating_add(ms))
    }

    /// Milliseconds from `earlier` to this; negative if `earlier` is later.
    pub const fn since(self, earlier: Timestamp) -> i64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// Number of decisions in a game. A submission must name it, and every write checks it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct TurnNumber(pub u32);

impl fmt::Display for TurnNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// An agent's name: 3 to 32 of a–z, 0–9, `_` and `-`, starting with a letter or digit.
/// ASCII only, so that no two names look alike.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AgentName(String);

impl AgentName {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// True for names that only house bots can have.
    pub fn is_reserved(&self) -> bool {
        self.0.starts_with(HOUSE_PREFIX)
    }

    /// Refuses a reserved name.
    pub fn for_agent(self) -> Result<AgentName, InvalidId> {
        if self.is_reserved() { Err(InvalidId { what: RESERVED, text: self.0 }) } else { Ok(self) }
    }
}

/// Prefix of the names of house bots.
pub(crate) const HOUSE_PREFIX: &str = "house-";

/// The noun in the error for a reserved name.
const RESERVED: &str = "name for an agent";

impl FromStr for AgentName {
    type Err = InvalidId;

    /// Lower-cases the text first.
    fn from_str(text: &str) -> Result<AgentName, InvalidId> {
        let name = text.to_ascii_lowercase();
        let plain = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let (3..=32, Some(first)) = (name.len(), name.as_bytes().first()) else {
            return Err(InvalidId::name(text));
        };
        let inner = |byte: &u8| plain(byte) || matches!(byte, b'_' | b'-');
        if plain(first) && name.as_bytes().iter().all(inner) {
            Ok(AgentName(name))
        } else {
            Err(InvalidId::name(text))
        }
    }
}

impl fmt::Display for AgentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for AgentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One stay of an agent in the queue; every join has the next epoch.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TicketId {
    pub agent: AgentName,
    /// Join counter of the agent, 1 for the first.
    pub epoch: u32,
}

impl fmt::Display for TicketId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t_{}_{}", self.agent, self.epoch)
    }
}

/// Written as 16 characters of base 32.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GameId([u8; 10]);

const BASE_32: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

impl GameId {
    /// The game between two tickets, the later of which was issued at `since`; pairing the same
    /// tickets again gives the same id. Epochs start anew with a name that was deleted and
    /// registered again; times do not.
    pub fn of(first: &TicketId, second: &TicketId, since: Timestamp) -> GameId {
        let hash = Sha256::digest(format!("{first} {second} {}", since.ms()));
        let mut id = [0; 10];
        id.copy_from_slice(&hash[..10]);
        GameId(id)
    }

    pub const fn from_bytes(bytes: [u8; 10]) -> GameId {
        GameId(bytes)
    }

    pub const fn bytes(self) -> [u8; 10] {
        self.0
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = self.0.iter().fold(0u128, |bits, byte| bits << 8 | u128::from(*byte));
        for digit in (0..16).rev() {
            let index = (bits >> (5 * digit)) as usize & 31;
            write!(f, "{}", BASE_32[index] as char)?;
        }
        Ok(())
    }
}

impl fmt::Debug for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for GameId {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<GameId, InvalidId> {
        let invalid = || InvalidId { what: "game id", text: text.chars().take(40).collect() };
        if text.len() != 16 {
            return Err(invalid());
        }
        let mut bits = 0u128;
        for byte in text.bytes() {
            let digit = BASE_32.iter().position(|&digit| digit == byte).ok_or_else(invalid)?;
            bits = bits << 5 | digit as u128;
        }
        let mut id = [0; 10];
        id.copy_from_slice(&bits.to_be_bytes()[6..]);
        Ok(GameId(id))
    }
}

/// Hash of an idempotency key and the agent that used it; enough to recognise a repetition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tag(pub [u8; 8]);

impl Tag {
    /// The tag of entries that no agent submitted: the clock's and an operator's.
    pub const CLOCK: Tag = Tag([0; 8]);

    pub fn of(agent: &AgentName, key: &str) -> Tag {
        let hash = Sha256::new().chain_update(agent.as_str()).chain_update([0]).chain_update(key);
        let mut tag = [0; 8];
        tag.copy_from_slice(&hash.finalize()[..8]);
        Tag(tag)
    }
}

/// The part of a player's key hash that its game stores, so that polling authenticates without
/// another read.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyDigest(pub [u8; 16]);

impl KeyDigest {
    /// The digest of no key: a game has it for a player that is banned.
    pub const NONE: KeyDigest = KeyDigest([0; 16]);
}

impl fmt::Debug for KeyDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyDigest")
    }
}

/// Error of the `FromStr` implementations here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvalidId {
    what: &'static str,
    text: String,
}

impl InvalidId {
    fn name(text: &str) -> InvalidId {
        InvalidId { what: "name", text: text.chars().take(40).collect() }
    }
}

impl fmt::Display for InvalidId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a {}", self.text, self.what)?;
        match self.what {
            "name" => {
                f.write_str(": 3 to 32 of a-z, 0-9, _ and -, starting with a letter or digit")
            }
            RESERVED => write!(f, ": {HOUSE_PREFIX}… are the arena's own players"),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for InvalidId {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_lower_cased_and_checked() {
        assert_eq!("Alice_1".parse::<AgentName>().unwrap().as_str(), "alice_1");
        for text in ["", "ab", "-ab", "_ab", "a b", "älice", "a.b", &"a".repeat(33)] {
            assert!(text.parse::<AgentName>().is_err(), "{text}");
        }
    }

    #[test]
    fn an_agent_cannot_be_called_like_a_house_bot() {
        let name = |text: &str| text.parse::<AgentName>().unwrap();
        assert_eq!(name("househusband").for_agent(), Ok(name("househusband")));
        let error = name("House-9").for_agent().unwrap_err();
        let said = "\"house-9\" is not a name for an agent: house-… are the arena's own players";
        assert_eq!(error.to_string(), said);
    }

    #[test]
    fn game_ids_round_trip_and_name_the_same_pairing_again() {
        let ticket = |agent: &str, epoch| TicketId { agent: agent.parse().unwrap(), epoch };
        let of = |alice, bob, since| {
            GameId::of(&ticket("alice", alice), &ticket("bob", bob), Timestamp::from_ms(since))
        };
        let id = of(1, 7, 5);
        assert_eq!(id.to_string().len(), 16);
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!(id, of(1, 7, 5));
        assert_ne!(id, of(2, 7, 5));
        assert_ne!(id, of(1, 7, 6), "the same tickets of a name that was registered again");
        for text in ["", "abc", "ABCDEFGHIJKLMNOP", "abcdefghijklmno1", "abcdefghijklmnopq"] {
            assert!(text.parse::<GameId>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_key_of_one_agent_is_not_the_same_key_of_another() {
        let [alice, bob] = ["alice", "bob"].map(|name| name.parse::<AgentName>().unwrap());
        assert_eq!(Tag::of(&alice, "k"), Tag::of(&alice, "k"));
        assert_ne!(Tag::of(&alice, "k"), Tag::of(&bob, "k"));
    }
}
