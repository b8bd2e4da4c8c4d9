#![doc = include_str!("../README.md")]

mod board;
mod capture;
mod explain;
mod foul;
mod illegal;
mod named;
pub mod notation;
mod offer;
mod opening;
mod pattern;
mod player;
mod point;
mod position;
mod record;
mod referee;
mod ruleset;
mod symmetry;

pub use board::Board;
pub use capture::Captured;
pub use explain::{Explanation, Four, Refusal, Row, StraightFourMove, Three};
pub use foul::{Foul, Mark, Marks, Precedence};
pub use illegal::IllegalPlay;
pub use named::{NamedOpening, OpeningKind};
pub use offer::{Distinct, OFFER_MAX, Offer};
pub use opening::{Area, By, Phase, Step};
pub use player::{ByColor, BySeat, Color, Seat};
pub use point::{Direction, ParsePointError, Point, SIZE_MAX, SIZE_MIN};
pub use position::{Ending, Outcome, Play, Position};
pub use record::{ParsePlayError, ReadError, Record};
pub use referee::{Status, Verdict};
pub use ruleset::{Five, Fouls, Ruleset, UnknownRuleset, UnknownSize};
pub use symmetry::Symmetry;
