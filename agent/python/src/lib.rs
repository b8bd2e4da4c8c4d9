//! The crate `renju` as a Python module, `renju_arena.rules`.
//!
//! Points, plays and records are text, as in the arena's API: `h8`, `swap`, `declare:2`. Colours, seats,
//! phases and fouls have the API's words. No rule is written here. `renju_arena/_rules.pyi` has the types.

use pyo3::prelude::*;

mod error;
mod explanation;
mod position;
mod record;
mod ruleset;
mod word;

#[pymodule]
mod _rules {
    #[pymodule_export]
    use crate::error::IllegalPlay;
    #[pymodule_export]
    use crate::explanation::{Explanation, Four, Row, StraightFour, Three};
    #[pymodule_export]
    use crate::position::{Outcome, Position, classes};
    #[pymodule_export]
    use crate::record::{Record, Sheet};
    #[pymodule_export]
    use crate::ruleset::{Ruleset, named_opening, rulesets};
}
