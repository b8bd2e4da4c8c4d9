//! A game as the list of its plays, and their text form.

use std::fmt;
use std::str::FromStr;

use crate::illegal::IllegalPlay;
use crate::offer::Offer;
use crate::player::Color;
use crate::point::Point;
use crate::position::{Play, Position};
use crate::ruleset::{Ruleset, UnknownSize};

/// A game that can be replayed: every play was legal when it was added.
///
/// The text form is the plays separated by spaces: `h8 keep i9 swap g7 …`, read by
/// [`Record::parse`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    start: Position,
    plays: Vec<Play>,
    position: Position,
}

impl Record {
    /// New game on a board of the default size.
    pub fn new(ruleset: &'static Ruleset) -> Record {
        Record::from_start(Position::new(ruleset))
    }

    /// New game on a board of side `size`.
    pub fn sized(ruleset: &'static Ruleset, size: u8) -> Result<Record, UnknownSize> {
        Position::sized(ruleset, size).map(Record::from_start)
    }

    /// Game that continues from `start`.
    pub fn from_start(start: Position) -> Record {
        Record { position: start.clone(), start, plays: Vec::new() }
    }

    /// Reads plays separated by white space.
    pub fn parse(ruleset: &'static Ruleset, size: u8, text: &str) -> Result<Record, ReadError> {
        let mut record = Record::sized(ruleset, size)?;
        for word in text.split_whitespace() {
            record.read(word)?;
        }
        Ok(record)
    }

    /// Adds one play given as text.
    pub fn read(&mut self, word: &str) -> Result<(), ReadError> {
        let play = word.parse()?;
        self.play(play).map_err(|why| ReadError::Illegal { index: self.plays.len(), play, why })
    }

    /// Adds a play; a rejected one changes nothing.
    pub fn play(&mut self, play: Play) -> Result<(), IllegalPlay> {
        self.position.advance(play)?;
        self.plays.push(play);
        Ok(())
    }

    /// The position before the first play.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// Plays in order.
    pub fn plays(&self) -> &[Play] {
        &self.plays
    }

    /// The position after the last play.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Every position of the game, from the first to the last.
    pub fn positions(&self) -> impl Iterator<Item = Position> + '_ {
        let mut position = self.start.clone();
        std::iter::once(self.start.clone()).chain(self.plays.iter().map(move |&play| {
            position.advance(play).expect("every play of a record is legal");
            position.clone()
        }))
    }

    /// Stones in playing order.
    pub fn stones(&self) -> impl Iterator<Item = (Point, Color)> + '_ {
        self.positions().zip(&self.plays).filter_map(|(position, play)| match play {
            Play::Place(point) => Some((*point, position.to_move())),
            _ => None,
        })
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, play) in self.plays.iter().enumerate() {
            write!(f, "{}{play}", if n == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

impl fmt::Display for Play {
    /// Writes `h8`, `swap`, `keep`, `put-two`, `declare:3`, `offer:d4,e5,…`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Play::Place(point) => point.fmt(f),
            Play::Swap => f.write_str("swap"),
            Play::Keep => f.write_str("keep"),
            Play::PutTwo => f.write_str("put-two"),
            Play::Declare(count) => write!(f, "declare:{count}"),
            Play::Offer(offer) => {
                f.write_str("offer:")?;
                for (n, point) in offer.points().iter().enumerate() {
                    write!(f, "{}{point}", if n == 0 { "" } else { "," })?;
                }
                Ok(())
            }
        }
    }
}

impl FromStr for Play {
    type Err = ParsePlayError;

    fn from_str(text: &str) -> Result<Play, ParsePlayError> {
        let unknown = || ParsePlayError::Unknown { text: text.chars().take(32).collect() };
        Ok(match text {
            "swap" => Play::Swap,
            "keep" => Play::Keep,
            "put-two" => Play::PutTwo,
            _ => match text.split_once(':') {
                // Only one spelling: no sign, no leading zero.
                Some(("declare", count)) if !count.starts_with(['+', '0']) => {
                    Play::Declare(count.parse().map_err(|_| unknown())?)
                }
                Some(("offer", points)) => {
                    let points: Result<Vec<Point>, _> = points.split(',').map(str::parse).collect();
                    Play::Offer(Offer::new(&points.map_err(|_| unknown())?)?)
                }
                _ => Play::Place(text.parse().map_err(|_| unknown())?),
            },
        })
    }
}

/// Error: the text is not a play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParsePlayError {
    /// Not the text of a play.
    Unknown {
        /// The text, shortened.
        text: String,
    },
    /// Not a possible offer.
    Offer(IllegalPlay),
}

impl From<IllegalPlay> for ParsePlayError {
    fn from(why: IllegalPlay) -> ParsePlayError {
        ParsePlayError::Offer(why)
    }
}

impl fmt::Display for ParsePlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParsePlayError::Unknown { text } => write!(
                f,
                "{text:?} is not a play: h8, swap, keep, put-two, declare:3 or offer:d4,e5,…"
            ),
            ParsePlayError::Offer(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for ParsePlayError {}

/// Error: the text is not a record.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "`play` and `why` say it")]
pub enum ReadError {
    /// The ruleset does not allow this board side.
    Size(UnknownSize),
    /// A word is not a play.
    Play(ParsePlayError),
    /// A play is illegal at its position.
    Illegal {
        /// Number of plays before it.
        index: usize,
        play: Play,
        why: IllegalPlay,
    },
}

impl From<UnknownSize> for ReadError {
    fn from(why: UnknownSize) -> ReadError {
        ReadError::Size(why)
    }
}

impl From<ParsePlayError> for ReadError {
    fn from(why: ParsePlayError) -> ReadError {
        ReadError::Play(why)
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Size(why) => why.fmt(f),
            ReadError::Play(why) => why.fmt(f),
            ReadError::Illegal { index, play, why } => {
                write!(f, "play {} ({play}): {why}", index + 1)
            }
        }
    }
}

impl std::error::Error for ReadError {}
