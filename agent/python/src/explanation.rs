//! Proofs of verdicts, with the fields of the API's `explanation`.

use pyo3::prelude::*;
use renju::Refusal;

use crate::word::{foul, mark, names};

/// All shapes that a stone on one point would make, and the verdict that follows.
#[pyclass(frozen, get_all, module = "renju_arena.rules")]
pub(crate) struct Explanation {
    point: String,
    verdict: &'static str,
    rows: Vec<Py<Row>>,
    fours: Vec<Py<Four>>,
    threes: Vec<Py<Three>>,
    text: String,
}

/// An unbroken row of five or more.
#[pyclass(frozen, get_all, module = "renju_arena.rules")]
pub(crate) struct Row {
    direction: String,
    stones: Vec<String>,
}

/// Four stones that one more makes an exact five.
#[pyclass(frozen, get_all, module = "renju_arena.rules")]
pub(crate) struct Four {
    direction: String,
    stones: Vec<String>,
    five_at: Vec<String>,
}

/// A candidate three; it counts if one of its straight fours is allowed.
#[pyclass(frozen, get_all, module = "renju_arena.rules")]
pub(crate) struct Three {
    direction: String,
    counts: bool,
    straight_fours: Vec<Py<StraightFour>>,
}

/// One way to turn a three into a straight four.
#[pyclass(frozen, get_all, module = "renju_arena.rules")]
pub(crate) struct StraightFour {
    stones: Vec<String>,
    point: String,
    five_at: Vec<String>,
    allowed: bool,
    refusal: Option<&'static str>,
    proof: Option<Py<Explanation>>,
}

#[pymethods]
impl Explanation {
    fn __str__(&self) -> &str {
        &self.text
    }
}

impl Explanation {
    pub(crate) fn new(py: Python<'_>, found: &renju::Explanation) -> PyResult<Explanation> {
        let rows = found.rows.iter().map(|row| {
            Py::new(py, Row { direction: row.direction.to_string(), stones: names(&row.stones) })
        });
        let fours = found.fours.iter().map(|four| {
            let direction = four.direction.to_string();
            let (stones, five_at) = (names(&four.stones), names(&four.wins));
            Py::new(py, Four { direction, stones, five_at })
        });
        let threes = found.threes.iter().map(|three| {
            let moves = three.moves.iter().map(|next| StraightFour::new(py, next));
            let straight_fours = moves.collect::<PyResult<_>>()?;
            let direction = three.direction.to_string();
            Py::new(py, Three { direction, counts: three.counts(), straight_fours })
        });
        Ok(Explanation {
            point: found.point.to_string(),
            verdict: mark(found.mark),
            rows: rows.collect::<PyResult<_>>()?,
            fours: fours.collect::<PyResult<_>>()?,
            threes: threes.collect::<PyResult<_>>()?,
            text: found.to_string(),
        })
    }
}

impl StraightFour {
    fn new(py: Python<'_>, next: &renju::StraightFourMove) -> PyResult<Py<StraightFour>> {
        let (refusal, proof) = match &next.refusal {
            None => (None, None),
            Some(Refusal::Five) => (Some("five"), None),
            Some(Refusal::Foul(kind, proof)) => (Some(foul(*kind)), proof.as_deref()),
        };
        let proof = proof.map(|proof| Py::new(py, Explanation::new(py, proof)?)).transpose()?;
        let straight_four = StraightFour {
            stones: names(&next.stones),
            point: next.point.to_string(),
            five_at: names(&next.wins),
            allowed: next.refusal.is_none(),
            refusal,
            proof,
        };
        Py::new(py, straight_four)
    }
}
