//! A search engine that plays every ruleset of `renju`.
//!
//! [`Engine::choose`] gives a legal play in any phase of any game: a stone, a swap, an offer. Hold one
//! engine for a game and what it has learned stays warm; [`choose`] is the same without a memory.
//! [`Level`] is the house's ladder from random to full strength, and [`solve`] finds wins by continuous
//! fours. The crate reads a clock only to keep a deadline, draws no random number that does not come
//! from a seed, and never asks anything but `renju` what the rules are.
//!
//! ```
//! use renju::{Record, Ruleset};
//! use renju_engine::{Engine, Limits, plies_to_end};
//!
//! let ruleset = Ruleset::find("renju_free")?;
//! let mut game = Record::parse(ruleset, 15, "h8 h9 i8 i9 j8 j9")?;
//! let mut engine = Engine::new(1 << 20);
//!
//! // Black has three in a row and makes four with both ends open: five follows in two more moves.
//! let choice = engine.choose(game.position(), &Limits::nodes(1_000), 0, None).unwrap();
//! assert_eq!(plies_to_end(choice.score), Some(3));
//! game.play(choice.play)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How it works
//!
//! The field keeps, for every empty cell and both colours, what a stone would make in each of its four
//! lines (`line`, `shape`) and together (`class`), and the sum of the evaluation. Where shapes alone
//! cannot tell whether a stone is a foul, the rules are asked. `search` is a principal variation search
//! with a transposition table; at every node it looks for continuous fours of the player to move
//! (`vcf`) and, after a pass, of the opponent, so that it tries only moves that stop them. Tables for the
//! evaluation and the order of moves are fitted to self-play by `examples/tune.rs` (`weights`). Openings are
//! decided by what stones are worth to Black: where [`book`] has them by that, else by shorter searches.

pub mod book;
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
mod params;
mod policy;
mod random;
mod score;
mod search;
mod shape;
mod transpositions;
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
