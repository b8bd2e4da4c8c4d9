//! Why a play is rejected, in words that name the value.

use std::fmt;

use crate::opening::{Area, Phase};
use crate::point::Point;

/// Why a play is rejected. The position stays as it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IllegalPlay {
    /// The point is not on the board.
    OffBoard {
        /// The point.
        point: Point,
        /// The side of the board.
        size: u8,
    },
    /// A stone stands there.
    Occupied {
        /// The point.
        point: Point,
    },
    /// The opening does not allow this point yet.
    OutsideArea {
        /// The point.
        point: Point,
        /// Where the stone may go.
        area: Area,
    },
    /// The point is not one of those offered.
    NotOffered {
        /// The point.
        point: Point,
    },
    /// A double-three, in a ruleset that rejects it.
    DoubleThree {
        /// The point.
        point: Point,
    },
    /// The wrong number of offered points.
    OfferCount {
        /// How many were offered.
        offered: usize,
        /// How many are due, where that is known.
        wanted: Option<u8>,
    },
    /// The same point offered twice.
    OfferTwice {
        /// The point.
        point: Point,
    },
    /// Two offered points that count as the same.
    OfferSymmetric {
        /// The later point.
        point: Point,
        /// The earlier point it equals.
        other: Point,
    },
    /// The declared number is not allowed.
    DeclareRange {
        /// The number.
        count: u8,
        /// The most allowed.
        most: u8,
    },
    /// Another kind of decision is due.
    WrongPhase {
        /// What is due.
        phase: Phase,
    },
    /// The game is over.
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
