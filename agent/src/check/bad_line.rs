//! The ways a line can make no sense, each with a sentence that names the value.

use std::fmt;

use renju::{IllegalPlay, Point, UnknownRuleset, UnknownSize};

use super::spot::BadSpot;
use crate::lines::LINE_MAX;

/// Why a line cannot be answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadLine {
    /// The line is longer than 64 KiB.
    TooLong,
    /// The line is not UTF-8.
    NotUtf8 {
        /// The first wrong byte, from one.
        byte: usize,
    },
    /// The line is something else than a JSON object.
    NotAnObject,
    /// The JSON is broken, or a field is unknown, missing, doubled or of the wrong type.
    Json {
        /// What is wrong.
        why: String,
        /// Where, from one.
        column: usize,
    },
    /// No ruleset has this id.
    Ruleset(UnknownRuleset),
    /// The ruleset is not played on a board of this side.
    Size(UnknownSize),
    /// None of the fields that ask something is there.
    NothingAsked,
    /// Two fields that exclude each other.
    Clash {
        /// The one.
        one: &'static str,
        /// The other.
        other: &'static str,
    },
    /// A field the ruleset has no use for.
    Needless {
        /// The field.
        field: &'static str,
        /// The ruleset.
        ruleset: &'static str,
    },
    /// Stones without offers, or offers without stones.
    OffersAlone,
    /// The board has the wrong number of points.
    BoardLength {
        /// How many it has.
        characters: usize,
        /// The side it should have.
        size: u8,
    },
    /// A character of the board is neither empty nor a stone.
    BoardCharacter {
        /// The character.
        character: char,
        /// Where it stands.
        point: Point,
        /// The side of the board.
        size: u8,
    },
    /// The side to move is no colour.
    ToMove {
        /// The text.
        text: String,
    },
    /// A point is none.
    Point(BadSpot),
    /// A play of the list is none, or illegal where it stands.
    Play {
        /// Its place in the list, from one.
        number: usize,
        /// The play as it was written.
        play: String,
        /// What is wrong with it.
        why: String,
    },
    /// A stone the opening does not allow.
    Stone {
        /// Its place in the list, from one.
        number: usize,
        /// What is wrong with it.
        why: IllegalPlay,
    },
    /// `explain` without a move, or in a game without fouls.
    NothingToExplain,
    /// So many pairs have already won.
    PairsDecide {
        /// How many win.
        to_win: u8,
    },
    /// Not four stones before the offers.
    StoneCount {
        /// How many there are.
        stones: usize,
    },
}

impl BadLine {
    pub(crate) fn json(error: serde_json::Error) -> BadLine {
        let (line, column) = (error.line(), error.column());
        let text = error.to_string();
        let why = text.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&text);
        // Rust's names of numbers mean nothing to the reader.
        let why = match why.rsplit_once("expected ") {
            Some((before, "u8")) => format!("{before}expected a number from 0 to 255"),
            Some((before, "i64")) => format!("{before}expected a whole number"),
            _ => why.to_owned(),
        };
        BadLine::Json { why, column }
    }
}

impl From<UnknownRuleset> for BadLine {
    fn from(error: UnknownRuleset) -> BadLine {
        BadLine::Ruleset(error)
    }
}

impl From<UnknownSize> for BadLine {
    fn from(error: UnknownSize) -> BadLine {
        BadLine::Size(error)
    }
}

impl From<BadSpot> for BadLine {
    fn from(error: BadSpot) -> BadLine {
        BadLine::Point(error)
    }
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadLine::TooLong => write!(f, "the line is longer than {LINE_MAX} bytes"),
            BadLine::NotUtf8 { byte } => write!(f, "byte {byte} of the line is not UTF-8"),
            BadLine::NotAnObject => {
                f.write_str("a line must be one JSON object: {\"ruleset\":…,\"board\":…}")
            }
            BadLine::Json { why, column } => write!(f, "{why} (column {column})"),
            BadLine::Ruleset(error) => error.fmt(f),
            BadLine::Size(error) => error.fmt(f),
            BadLine::NothingAsked => {
                f.write_str("one of board, moves, or stones with offers is needed")
            }
            BadLine::Clash { one, other } => write!(f, "{one} and {other} do not go together"),
            BadLine::Needless { field, ruleset } => write!(f, "{ruleset} has no use for {field}"),
            BadLine::OffersAlone => f.write_str("stones and offers need each other"),
            BadLine::BoardLength { characters, size } => write!(
                f,
                "the board has {characters} characters where {size}×{size} = {} are due",
                u16::from(*size) * u16::from(*size)
            ),
            BadLine::BoardCharacter { character, point, size } => write!(
                f,
                "the board has {character:?} on {point} (character {}), which is not one of . x o",
                point.index(*size) + 1
            ),
            BadLine::ToMove { text } => {
                write!(f, "{text:?} cannot be to move, only x, o, black or white can")
            }
            BadLine::Point(error) => error.fmt(f),
            BadLine::Play { number, play, why } => write!(f, "play {number} ({play}): {why}"),
            BadLine::Stone { number, why } => write!(f, "stone {number}: {why}"),
            BadLine::NothingToExplain => {
                f.write_str("explain goes with move, in a ruleset that has fouls")
            }
            BadLine::PairsDecide { to_win } => {
                write!(f, "{to_win} pairs have won already: pairs must be fewer")
            }
            BadLine::StoneCount { stones } => {
                write!(f, "there are {stones} stones where 4 come before the offers")
            }
        }
    }
}

impl std::error::Error for BadLine {}
