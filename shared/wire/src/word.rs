//! The stable words for the domain's plain enums in JSON.

use arena::{Pool, Reason, Uncounted};
use renju::{Color, Direction, Ending, Foul, OpeningKind, Seat, Status};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::value::{schemas, text};

/// A value that is one word in JSON: `black`, `first`, `double_three`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Word<T>(pub T);

/// A type with a word for each of its values.
pub trait Spelled: Copy + PartialEq + 'static {
    /// Every value and its word. Words are part of the API and never change.
    const WORDS: &'static [(Self, &'static str)];

    /// The word for this value.
    fn word(self) -> &'static str {
        let found = Self::WORDS.iter().find(|(value, _)| *value == self);
        found.expect("every value has a word").1
    }

    /// The value with this word.
    fn from_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(_, known)| *known == word).map(|(value, _)| *value)
    }
}

impl<T: Spelled> Serialize for Word<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.word())
    }
}

impl<'de, T: Spelled> Deserialize<'de> for Word<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Word<T>, D::Error> {
        text(deserializer, words::<T>, |word| T::from_word(word).map(Word))
    }
}

/// The words in a sentence.
pub(crate) fn words<T: Spelled>() -> String {
    let words: Vec<&str> = T::WORDS.iter().map(|(_, word)| *word).collect();
    format!("one of {}", words.join(", "))
}

schemas! {
    [T: Spelled] Word<T> =>
        {"type": "string", "enum": (T::WORDS.iter().map(|(_, word)| *word).collect::<Vec<_>>())};
}

/// Declares the words of plain enums.
macro_rules! spelled {
    ($($name:ty: $($value:ident = $word:expr),*;)*) => {$(
        impl $crate::word::Spelled for $name {
            const WORDS: &'static [(Self, &'static str)] = &[$((Self::$value, $word)),*];
        }
    )*};
}

pub(crate) use spelled;

spelled! {
    Color: Black = "black", White = "white";
    Seat: First = "first", Second = "second";
    Pool: Fast = Self::Fast.id(), Standard = Self::Standard.id(), Slow = Self::Slow.id();
    Foul: Overline = "overline", DoubleFour = "double_four", DoubleThree = "double_three";
    Direction:
        Horizontal = "horizontal", Vertical = "vertical", Rising = "rising", Falling = "falling";
    Status:
        WinCapture = "win_capture",
        LoseFive = "lose_five",
        LoseFoul = "lose_foul",
        WinFive = "win_five",
        FivePending = "five_pending",
        Draw = "draw",
        Ongoing = "ongoing";
    OpeningKind: Direct = "direct", Indirect = "indirect";
    Uncounted:
        OpponentLimit = Self::OpponentLimit.id(),
        RatingGap = Self::RatingGap.id(),
        EarlyResignation = Self::EarlyResignation.id(),
        NoShow = Self::NoShow.id(),
        Void = Self::Void.id(),
        Unrated = Self::Unrated.id();
}

const fn reason(reason: Reason) -> (Reason, &'static str) {
    (reason, reason.id())
}

impl Spelled for Reason {
    const WORDS: &'static [(Reason, &'static str)] = &[
        reason(Reason::Board(Ending::Five)),
        reason(Reason::Board(Ending::Foul(Foul::Overline))),
        reason(Reason::Board(Ending::Foul(Foul::DoubleFour))),
        reason(Reason::Board(Ending::Foul(Foul::DoubleThree))),
        reason(Reason::Board(Ending::Pairs)),
        reason(Reason::Board(Ending::BoardFull)),
        reason(Reason::Resignation),
        reason(Reason::Timeout),
        reason(Reason::NoShow),
        reason(Reason::Ruling),
        reason(Reason::Void),
    ];
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T: Spelled + std::fmt::Debug>(all: &[T]) {
        assert_eq!(T::WORDS.len(), all.len());
        for &value in all {
            assert_eq!(T::from_word(value.word()), Some(value));
            let json = serde_json::to_string(&Word(value)).unwrap();
            assert_eq!(json, format!("{:?}", value.word()));
            assert_eq!(serde_json::from_str::<Word<T>>(&json).unwrap(), Word(value));
        }
    }

    #[test]
    fn every_value_has_its_own_word() {
        check(&Color::BOTH);
        check(&Seat::BOTH);
        check(&Pool::ALL);
        check(&Direction::ALL);
        check(&Uncounted::ALL);
        check(&[OpeningKind::Direct, OpeningKind::Indirect]);
        use Status::{Draw, FivePending, LoseFive, LoseFoul, Ongoing, WinCapture, WinFive};
        check(&[WinCapture, LoseFive, LoseFoul, WinFive, FivePending, Draw, Ongoing]);
        let fouls = [Foul::Overline, Foul::DoubleFour, Foul::DoubleThree];
        check(&fouls);
        let plain = [Ending::Five, Ending::Pairs, Ending::BoardFull];
        let endings = plain.into_iter().chain(fouls.map(Ending::Foul)).map(Reason::Board);
        let by_players = [Reason::Resignation, Reason::Timeout, Reason::NoShow];
        let others = by_players.into_iter().chain([Reason::Ruling, Reason::Void]);
        check(&endings.chain(others).collect::<Vec<_>>());
    }
}
