//! Boards and games in the text forms that people and other programs use.
//!
//! Nothing here judges a game; [`Position`](crate::Position) does that. No input makes a reader
//! panic.

use std::fmt;

use crate::board::Board;
use crate::illegal::IllegalPlay;
use crate::player::Color;
use crate::point::{SIZE_MAX, SIZE_MIN};
use crate::position::Play;
use crate::ruleset::UnknownSize;

pub mod diagram;
pub mod flat;
pub mod moves;
pub mod psq;
pub mod sgf;

/// Position in a text, both numbers from one; columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

impl Place {
    /// Place of the byte at `offset`, or the end of the text.
    pub(crate) fn of(text: &str, offset: usize) -> Place {
        let before = text.get(..offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Place {
            line: 1 + before.matches('\n').count(),
            column: 1 + before[line_start..].chars().count(),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Reason a text cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names of most fields say it")]
pub enum NotationError {
    /// Unexpected text.
    Unreadable {
        place: Place,
        /// Text found there, shortened.
        found: String,
        /// Expected text, as the end of a sentence.
        wanted: &'static str,
    },
    /// The text ends too soon.
    Ends {
        /// Missing text, as the end of a sentence.
        wanted: &'static str,
    },
    /// Not a possible board side.
    Size {
        /// Side as written.
        found: String,
    },
    /// A board string of the wrong length.
    Length {
        /// Number of characters.
        found: usize,
        /// Number of points of the board.
        wanted: usize,
    },
    /// A stone of the colour that is not to move.
    OutOfTurn { place: Place, color: Color },
    /// A play that is illegal at its position.
    Illegal { place: Place, play: Play, why: IllegalPlay },
    /// The ruleset does not allow this board side.
    Ruleset(UnknownSize),
}

impl NotationError {
    fn unreadable(place: Place, found: &str, wanted: &'static str) -> NotationError {
        NotationError::Unreadable { place, found: short(found), wanted }
    }
}

impl From<UnknownSize> for NotationError {
    fn from(why: UnknownSize) -> NotationError {
        NotationError::Ruleset(why)
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotationError::Unreadable { place, found, wanted } => {
                write!(f, "{place}: {found:?} is not {wanted}")
            }
            NotationError::Ends { wanted } => write!(f, "the text ends without {wanted}"),
            NotationError::Size { found } => {
                write!(f, "a board has a side of {SIZE_MIN} to {SIZE_MAX}, not {found:?}")
            }
            NotationError::Length { found, wanted } => {
                write!(f, "the board string has {found} characters where {wanted} are due")
            }
            NotationError::OutOfTurn { place, color } => {
                write!(f, "{place}: {color} places a stone when {} is to move", !*color)
            }
            NotationError::Illegal { place, play, why } => write!(f, "{place}: {play}: {why}"),
            NotationError::Ruleset(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for NotationError {}

/// Start of a text, for an error message.
fn short(text: &str) -> String {
    text.chars().take(32).collect()
}

/// Colour of the stone with this letter, in either case.
fn color_of(letter: char) -> Option<Color> {
    Color::BOTH.into_iter().find(|color| color.letter() == letter.to_ascii_lowercase())
}

/// Empty board of a size given by input.
fn empty_board(size: u8) -> Result<Board, NotationError> {
    if (SIZE_MIN..=SIZE_MAX).contains(&size) {
        Ok(Board::new(size))
    } else {
        Err(NotationError::Size { found: size.to_string() })
    }
}

/// Side of a board written as two equal numbers with `separator` between them.
fn square(text: &str, separator: char) -> Result<u8, NotationError> {
    let side =
        |text: &str| text.trim().parse().ok().filter(|side| (SIZE_MIN..=SIZE_MAX).contains(side));
    match text.split_once(separator) {
        Some((width, height)) => side(width).filter(|&width| side(height) == Some(width)),
        None => side(text),
    }
    .ok_or_else(|| NotationError::Size { found: short(text.trim()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_lines_and_characters_from_one() {
        let text = "é1\nab\n";
        let place = |offset| Place::of(text, offset).to_string();
        assert_eq!(place(0), "line 1, column 1");
        assert_eq!(place(2), "line 1, column 2");
        assert_eq!(place(4), "line 2, column 1");
        assert_eq!(place(99), "line 3, column 1");
    }

    #[test]
    fn only_square_boards_from_5_to_20_are_read() {
        assert_eq!(square("15:15", ':'), Ok(15));
        assert_eq!(square(" 20 ", ':'), Ok(20));
        for text in ["15:16", "4", "21", "", ":", "-15", "15:", "999"] {
            let error = square(text, ':').unwrap_err().to_string();
            assert_eq!(error, format!("a board has a side of 5 to 20, not {text:?}"));
        }
        assert!(empty_board(4).is_err() && empty_board(5).is_ok() && empty_board(21).is_err());
    }
}
