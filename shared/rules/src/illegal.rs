//! Reasons to reject a play, as messages that name the value.

use std::fmt;

use crate::opening::{Area, Phase};
use crate::point::Point;

/// Reason a play is rejected. The position is unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names of most fields say it")]
pub enum IllegalPlay {
    /// The point is not on the board.
    OffBoard {
        point: Point,
        size: u8,
    },
    /// A stone stands there.
    Occupied {
        point: Point,
    },
    /// The opening does not allow this point yet.
    OutsideArea {
        point: Point,
        area: Area,
    },
    /// The point is not one of those offered.
    NotOffered {
        point: Point,
    },
    /// A double-three, in a ruleset that rejects it.
    DoubleThree {
        point: Point,
    },
    /// The wrong number of offered points.
    OfferCount {
        offered: usize,
        /// `None` if the number is not known.
        wanted: Option<u8>,
    },
    /// The same point offered twice.
    OfferTwice {
        point: Point,
    },
    /// Two offered points that count as the same.
    OfferSymmetric {
        point: Point,
        /// Earlier point that it equals.
        other: Point,
    },
    /// The declared number is not allowed.
    DeclareRange {
        count: u8,
        most: u8,
    },
    /// Another kind of decision is due.
    WrongPhase {
        phase: Phase,
    },
    GameOver,
}

impl fmt::Display for IllegalPlay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            IllegalPlay::OffBoard { point, size } => {
                write!(f, "{point} is not on a {size}×{size} board")
            }
            IllegalPlay::Occupied { point } => write!(f, "{point} is occupied"),
            IllegalPlay::OutsideArea { point, area: Area::Ring(0) } => {
                write!(f, "{point} is not the centre, where this stone must go")
            }
            IllegalPlay::OutsideArea { point, area: Area::Ring(ring) } => {
                let side = 2 * u16::from(ring) + 1;
                write!(f, "{point} is outside the {side}×{side} square this stone must go in")
            }
            IllegalPlay::OutsideArea { point, area: Area::Board } => {
                write!(f, "{point} is not on the board")
            }
            IllegalPlay::NotOffered { point } => write!(f, "{point} was not offered"),
            IllegalPlay::DoubleThree { point } => write!(f, "{point} makes a double-three"),
            IllegalPlay::OfferCount { offered, wanted: Some(wanted) } => {
                write!(f, "{offered} points were offered where {wanted} are due")
            }
            IllegalPlay::OfferCount { offered, wanted: None } => {
                write!(f, "{offered} points were offered where 1 to 10 can be")
            }
            IllegalPlay::OfferTwice { point } => write!(f, "{point} is offered twice"),
            IllegalPlay::OfferSymmetric { point, other } => {
                write!(f, "{point} and {other} are symmetric")
            }
            IllegalPlay::DeclareRange { count, most } => {
                write!(f, "{count} fifth moves cannot be declared, only 1 to {most}")
            }
            IllegalPlay::WrongPhase { phase } => {
                write!(f, "the player to act must {}", phase.due())
            }
            IllegalPlay::GameOver => f.write_str("the game is over"),
        }
    }
}

impl std::error::Error for IllegalPlay {}
