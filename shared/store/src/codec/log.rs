//! The log as bytes: a format byte, then every entry as what was decided, how long it took and the
//! tag. A 15×15 stone, a word and a verdict of the clock are one byte each:
//!
//! ```text
//! 0..=224     a stone at 15·y + x
//! 225..=231   keep, swap, put two, the first seat resigns, the second, timeout, no show
//! 232         declare; the number follows
//! 233, 234    a stone beyond 15×15; its `Point::number` mod 256 follows, 234 adds 256 to it
//! 235..=238   an operator's ruling: the first seat wins, the second, a draw, void
//! 240..=249   an offer of 1 to 10 points, which follow as stones
//! ```
//!
//! Then the hundredths of a second as a little-endian base-128 number and the eight bytes of the
//! tag. Every log has one spelling only. A kind that a version does not know is a newer one's: it
//! answers 503 and guesses nothing.

use arena::{Action, Entry, Ruling, Tag};
use renju::{OFFER_MAX, Offer, Play, Point, Seat};
use thiserror::Error;

/// The only format so far.
const FORMAT: u8 = 1;

/// Points of boards up to this side take one byte.
const NARROW: u8 = 15;
const NARROW_LAST: u8 = NARROW * NARROW - 1;

const KEEP: u8 = 225;
const SWAP: u8 = 226;
const PUT_TWO: u8 = 227;
const RESIGN_FIRST: u8 = 228;
const RESIGN_SECOND: u8 = 229;
const TIMEOUT: u8 = 230;
const NO_SHOW: u8 = 231;
const DECLARE: u8 = 232;
const WIDE_LOW: u8 = 233;
const WIDE_HIGH: u8 = 234;
const RULE_FIRST: u8 = 235;
const RULE_SECOND: u8 = 236;
const RULE_DRAW: u8 = 237;
const RULE_VOID: u8 = 238;
const OFFER_ONE: u8 = 240;
const OFFER_LAST: u8 = OFFER_ONE + OFFER_MAX as u8 - 1;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub(crate) enum LogError {
    #[error("the log has no format byte")]
    Empty,
    /// A newer version wrote it.
    #[error("the log has format {format}")]
    UnknownFormat { format: u8 },
    /// The byte starts no entry that this version knows.
    #[error("the log has an entry of kind {kind} at byte {at}")]
    UnknownKind { kind: u8, at: usize },
    /// A point, number or length is out of range, or not in its shortest form.
    #[error("the log is out of range at byte {at}")]
    OutOfRange { at: usize },
    #[error("the log ends inside an entry")]
    Truncated,
}

impl LogError {
    /// True if a newer version may have written the log.
    pub(crate) fn is_newer(&self) -> bool {
        matches!(self, LogError::UnknownFormat { .. } | LogError::UnknownKind { .. })
    }
}

pub(crate) fn encode(log: &[Entry]) -> Vec<u8> {
    // A stone takes eleven bytes unless the player thinks for three minutes.
    let mut bytes = Vec::with_capacity(1 + 12 * log.len());
    bytes.push(FORMAT);
    for entry in log {
        write_action(&mut bytes, &entry.action);
        write_number(&mut bytes, entry.elapsed);
        bytes.extend(entry.tag.0);
    }
    bytes
}

fn write_action(bytes: &mut Vec<u8>, action: &Action) {
    match *action {
        Action::Play(Play::Place(point)) => write_point(bytes, point),
        Action::Play(Play::Keep) => bytes.push(KEEP),
        Action::Play(Play::Swap) => bytes.push(SWAP),
        Action::Play(Play::PutTwo) => bytes.push(PUT_TWO),
        Action::Play(Play::Declare(count)) => bytes.extend([DECLARE, count]),
        Action::Play(Play::Offer(offer)) => {
            bytes.push(OFFER_ONE + (offer.points().len() - 1) as u8);
            offer.points().iter().for_each(|&point| write_point(bytes, point));
        }
        Action::Resign(Seat::First) => bytes.push(RESIGN_FIRST),
        Action::Resign(Seat::Second) => bytes.push(RESIGN_SECOND),
        Action::Timeout => bytes.push(TIMEOUT),
        Action::NoShow => bytes.push(NO_SHOW),
        Action::Rule(Ruling::Win(Seat::First)) => bytes.push(RULE_FIRST),
        Action::Rule(Ruling::Win(Seat::Second)) => bytes.push(RULE_SECOND),
        Action::Rule(Ruling::Draw) => bytes.push(RULE_DRAW),
        Action::Rule(Ruling::Void) => bytes.push(RULE_VOID),
    }
}

fn write_point(bytes: &mut Vec<u8>, point: Point) {
    if point.is_on(NARROW) {
        bytes.push(point.index(NARROW) as u8);
    } else {
        let number = point.number();
        bytes.extend([if number < 256 { WIDE_LOW } else { WIDE_HIGH }, number as u8]);
    }
}

fn write_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Checks the format only, not the rules.
pub(crate) fn decode(bytes: &[u8]) -> Result<Vec<Entry>, LogError> {
    let mut bytes = Bytes { bytes, at: 0 };
    match bytes.next() {
        Ok(FORMAT) => {}
        Ok(format) => return Err(LogError::UnknownFormat { format }),
        Err(_) => return Err(LogError::Empty),
    }
    let mut log = Vec::with_capacity(bytes.left() / 11);
    while bytes.left() > 0 {
        let (action, elapsed) = (bytes.action()?, bytes.number()?);
        log.push(Entry { action, elapsed, tag: Tag(bytes.array()?) });
    }
    Ok(log)
}

struct Bytes<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Bytes<'_> {
    fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    fn next(&mut self) -> Result<u8, LogError> {
        let byte = *self.bytes.get(self.at).ok_or(LogError::Truncated)?;
        self.at += 1;
        Ok(byte)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], LogError> {
        let array = self.bytes[self.at..].first_chunk().ok_or(LogError::Truncated)?;
        self.at += N;
        Ok(*array)
    }

    /// The error for the byte just read.
    fn out_of_range(&self) -> LogError {
        LogError::OutOfRange { at: self.at - 1 }
    }

    fn action(&mut self) -> Result<Action, LogError> {
        let kind = self.next()?;
        Ok(match kind {
            0..=NARROW_LAST | WIDE_LOW | WIDE_HIGH => Action::Play(Play::Place(self.point(kind)?)),
            KEEP => Action::Play(Play::Keep),
            SWAP => Action::Play(Play::Swap),
            PUT_TWO => Action::Play(Play::PutTwo),
            DECLARE => Action::Play(Play::Declare(self.next()?)),
            OFFER_ONE..=OFFER_LAST => Action::Play(Play::Offer(self.offer(kind)?)),
            RESIGN_FIRST => Action::Resign(Seat::First),
            RESIGN_SECOND => Action::Resign(Seat::Second),
            TIMEOUT => Action::Timeout,
            NO_SHOW => Action::NoShow,
            RULE_FIRST => Action::Rule(Ruling::Win(Seat::First)),
            RULE_SECOND => Action::Rule(Ruling::Win(Seat::Second)),
            RULE_DRAW => Action::Rule(Ruling::Draw),
            RULE_VOID => Action::Rule(Ruling::Void),
            _ => return Err(LogError::UnknownKind { kind, at: self.at - 1 }),
        })
    }

    /// The point that starts with `first`, a byte just read.
    fn point(&mut self, first: u8) -> Result<Point, LogError> {
        let point = match first {
            0..=NARROW_LAST => Point::from_index(usize::from(first), NARROW),
            WIDE_LOW | WIDE_HIGH => {
                let high = if first == WIDE_HIGH { 256 } else { 0 };
                let number = high + u16::from(self.next()?);
                Point::from_number(number).filter(|point| !point.is_on(NARROW))
            }
            _ => None,
        };
        point.ok_or_else(|| self.out_of_range())
    }

    fn offer(&mut self, kind: u8) -> Result<Offer, LogError> {
        let mut points = Vec::with_capacity(OFFER_MAX);
        for _ in OFFER_ONE..=kind {
            let first = self.next()?;
            points.push(self.point(first)?);
        }
        Offer::new(&points).map_err(|_| self.out_of_range())
    }

    fn number(&mut self) -> Result<u32, LogError> {
        let mut number = 0u32;
        for shift in (0..32).step_by(7) {
            let byte = self.next()?;
            let digit = u32::from(byte & 0x7f);
            if digit << shift >> shift != digit || (byte == 0 && shift > 0) {
                return Err(self.out_of_range());
            }
            number |= digit << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(self.out_of_range())
    }
}

#[cfg(test)]
mod tests;
