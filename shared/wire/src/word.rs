//! The stable words in which the domain's plain enums go over the wire.

use arena::{Pool, Reason, Uncounted};
use renju::{Color, Direction, Ending, Foul, OpeningKind, Seat, Status};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::value::{schemas, text};

/// A value that goes over the wire as one word: `black`, `first`, `double_three`.
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

impl<T> From<T> for Word<T> {
    fn from(value: T) -> Word<T> {
        Word(value)
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

impl Spelled for Color {
    const WORDS: &'static [(Color, &'static str)] =
        &[(Color::Black, "black"), (Color::White, "white")];
}

impl Spelled for Seat {
    const WORDS: &'static [(Seat, &'static str)] =
        &[(Seat::First, "first"), (Seat::Second, "second")];
}

impl Spelled for Pool {
    const WORDS: &'static [(Pool, &'static str)] = &[
        (Pool::Fast, Pool::Fast.id()),
        (Pool::Standard, Pool::Standard.id()),
        (Pool::Slow, Pool::Slow.id()),
    ];
}

impl Spelled for Foul {
    const WORDS: &'static [(Foul, &'static str)] = &[
        (Foul::Overline, "overline"),
        (Foul::DoubleFour, "double_four"),
        (Foul::DoubleThree, "double_three"),
    ];
}

impl Spelled for Direction {
    const WORDS: &'static [(Direction, &'static str)] = &[
        (Direction::Horizontal, "horizontal"),
        (Direction::Vertical, "vertical"),
        (Direction::Rising, "rising"),
        (Direction::Falling, "falling"),
    ];
}

impl Spelled for Status {
    const WORDS: &'static [(Status, &'static str)] = &[
        (Status::WinCapture, "win_capture"),
        (Status::LoseFive, "lose_five"),
        (Status::LoseFoul, "lose_foul"),
        (Status::WinFive, "win_five"),
        (Status::FivePending, "five_pending"),
        (Status::Draw, "draw"),
        (Status::Ongoing, "ongoing"),
    ];
}

impl Spelled for OpeningKind {
    const WORDS: &'static [(OpeningKind, &'static str)] =
        &[(OpeningKind::Direct, "direct"), (OpeningKind::Indirect, "indirect")];
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

impl Spelled for Uncounted {
    const WORDS: &'static [(Uncounted, &'static str)] = &[
        (Uncounted::OpponentLimit, Uncounted::OpponentLimit.id()),
        (Uncounted::RatingGap, Uncounted::RatingGap.id()),
        (Uncounted::EarlyResignation, Uncounted::EarlyResignation.id()),
        (Uncounted::NoShow, Uncounted::NoShow.id()),
        (Uncounted::Void, Uncounted::Void.id()),
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

    #[test]
    fn other_words_are_refused() {
        assert!(serde_json::from_str::<Word<Color>>("\"Black\"").is_err());
        assert!(serde_json::from_str::<Word<Color>>("7").is_err());
    }
}
