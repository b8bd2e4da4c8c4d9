//! A search engine that plays every ruleset of `renju`.
//!
//! [`choose`] gives a legal play in any phase of any game: a stone, a swap, an offer. [`solve`] finds
//! wins by continuous fours. The crate reads a clock only for [`Limits::deadline`], draws no random
//! number that does not come from a seed, and never asks anything but `renju` what the rules are.

mod cell;
mod class;
mod engine;
mod evaluation;
mod field;
mod lanes;
mod level;
mod limits;
mod line;
mod moves;
mod opening;
mod random;
mod score;
mod search;
mod shape;
mod table;
mod vcf;
mod weights;

pub use class::Class;
pub use engine::{Choice, Engine, choose};
pub use field::Field;
pub use level::{Level, Style};
pub use limits::Limits;
pub use score::{Score, WIN, plies_to_end};
pub use shape::Shape;
pub use vcf::{Solution, solve};
