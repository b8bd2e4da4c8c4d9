//! Rulesets by id, and the names of openings.

use pyo3::prelude::*;
use renju::{NamedOpening, Step};

use crate::error::bad_value;
use crate::word::read_point;

/// The rules of one game, as data.
#[pyclass(frozen, get_all, module = "renju_arena.rules")]
pub(crate) struct Ruleset {
    id: &'static str,
    title: &'static str,
    size: u8,
    sizes: Vec<u16>,
    steps: Vec<&'static str>,
    declare_most: u8,
    captures: bool,
}

#[pymethods]
impl Ruleset {
    fn __repr__(&self) -> String {
        format!("<Ruleset {}>", self.id)
    }
}

impl From<&'static renju::Ruleset> for Ruleset {
    fn from(ruleset: &'static renju::Ruleset) -> Ruleset {
        let most = ruleset.opening.iter().filter_map(|step| match *step {
            Step::Declare { most } => Some(most),
            _ => None,
        });
        Ruleset {
            id: ruleset.id,
            title: ruleset.title,
            size: ruleset.size,
            sizes: ruleset.sizes.iter().copied().map(u16::from).collect(),
            steps: ruleset.opening.iter().map(step_name).collect(),
            declare_most: most.max().unwrap_or(0),
            captures: ruleset.pairs_to_win.is_some(),
        }
    }
}

/// The word of the phase that a step leads to.
fn step_name(step: &Step) -> &'static str {
    match step {
        Step::Place { .. } => "place",
        Step::Swap => "swap",
        Step::SwapOrPutTwo => "swap_or_put_two",
        Step::Fifth { .. } => "fifth",
        Step::Declare { .. } => "declare",
        Step::OfferDeclared => "offer",
    }
}

pub(crate) fn find(id: &str) -> PyResult<&'static renju::Ruleset> {
    renju::Ruleset::find(id).map_err(bad_value)
}

/// All rulesets, the arena's default first.
#[pyfunction]
pub(crate) fn rulesets() -> Vec<Ruleset> {
    renju::Ruleset::ALL.iter().map(Ruleset::from).collect()
}

/// Name of the opening that three stones make, such as "Kagetsu (4D)"; None if it has no name.
#[pyfunction]
pub(crate) fn named_opening(first: &str, second: &str, third: &str) -> PyResult<Option<String>> {
    let stones = [read_point(first)?, read_point(second)?, read_point(third)?];
    Ok(NamedOpening::of(stones).map(|opening| opening.to_string()))
}
