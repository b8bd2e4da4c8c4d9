//! A search engine that plays every ruleset of `renju`.
//!
//! [`Engine::choose`] gives a legal play in any phase of any game: a stone, a swap, an offer. Keep
//! one engine for a game so that its table stays warm; [`choose`] starts with an empty one.
//! [`Level`] is the ladder of house bots from random to full strength. [`solve`] finds wins by
//! continuous fours, [`solve_threats`] wins by threes and fours with a [`Proof`], and [`Review`]
//! judges the moves of a game. The crate reads the clock only to keep a deadline, takes all
//! randomness from a seed, and gets the rules from `renju` alone.
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
//! The field keeps, for every empty cell and both colours, the shapes a stone would make in its
//! four lines (`line`, `shape`) and their combined `class`. If shapes alone cannot tell a foul, the
//! rules are asked. `search` is a principal variation search with a transposition table; its numbers
//! are in `params`. At every node it looks for continuous fours of the player to move (`vcf`) and,
//! after a pass, of the opponent, so that it tries only moves that stop them. At the root a share of
//! the nodes goes to wins by threes and fours (`vct`): our own, and the opponent's after the move we
//! would play. Positions are judged by a small `net` over the shapes of all cells, fitted to self-play
//! by `examples/positions.rs` and `examples/train.rs`; the tables of the move order (`weights`) by
//! `examples/tune.rs`. Opening decisions compare positions by their value for Black, from the [`book`]
//! if it has them, else from shorter searches.

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
mod net;
mod opening;
mod params;
mod policy;
mod proof;
mod random;
mod review;
mod score;
mod search;
mod shape;
mod transpositions;
mod vcf;
mod vct;
mod weights;

pub use class::Class;
pub use engine::{Choice, Engine, choose};
pub use field::Field;
pub use level::{Level, Style};
pub use limits::Limits;
pub use proof::{Flaw, Proof, Step};
pub use review::{Judgement, Review, ReviewedMove, Value, chance};
pub use score::{Score, WIN, plies_to_end};
pub use shape::Shape;
pub use vcf::{Solution, solve};
pub use vct::{Threats, solve_threats};
