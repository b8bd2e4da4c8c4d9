//! Positions: the stones, the player to act and what may be decided.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use renju::notation::{diagram::Diagram, flat};
use renju::{ByColor, Phase, Point, Seat};

use crate::error::{bad_value, illegal};
use crate::explanation::Explanation;
use crate::ruleset::find;
use crate::word;

/// A position of one ruleset, from the empty board to the end of the game. It never changes: `play`
/// returns another one.
#[pyclass(frozen, eq, module = "renju_arena.rules")]
#[derive(PartialEq)]
pub(crate) struct Position(pub(crate) renju::Position);

/// Result of a game on the board.
#[pyclass(frozen, get_all, eq, module = "renju_arena.rules")]
#[derive(PartialEq)]
pub(crate) struct Outcome {
    winner: Option<&'static str>,
    reason: &'static str,
}

#[pymethods]
impl Outcome {
    fn __repr__(&self) -> String {
        format!("<Outcome {} {}>", self.winner.unwrap_or("draw"), self.reason)
    }
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (ruleset = renju::Ruleset::ALL[0].id, size = None))]
    fn new(ruleset: &str, size: Option<i64>) -> PyResult<Position> {
        start(ruleset, size).map(Position)
    }

    /// Position in free play with these stones; rows on the board are not judged.
    #[staticmethod]
    #[pyo3(signature = (board, ruleset = "renju_free", to_move = "black", pairs = (0, 0)))]
    fn from_board(
        board: &str,
        ruleset: &str,
        to_move: &str,
        pairs: (u8, u8),
    ) -> PyResult<Position> {
        let (ruleset, board) = (find(ruleset)?, flat::read(board, side(board)).map_err(bad_value)?);
        let pairs = ByColor { black: pairs.0, white: pairs.1 };
        let to_move = word::read_color(to_move)?;
        renju::Position::analysis(ruleset, board, to_move, pairs).map(Position).map_err(bad_value)
    }

    #[getter]
    fn ruleset(&self) -> &'static str {
        self.0.ruleset().id
    }

    #[getter]
    fn size(&self) -> u8 {
        self.0.board().size()
    }

    /// One character a point, rank by rank from a1: `.`, `x` for Black, `o` for White.
    #[getter]
    fn board(&self) -> String {
        flat::write(self.0.board())
    }

    #[getter]
    fn phase(&self) -> &'static str {
        word::phase(&self.0.phase())
    }

    /// Seat of the player to act; None when the game is over.
    #[getter]
    fn to_act(&self) -> Option<&'static str> {
        self.0.to_act().map(word::seat)
    }

    /// Colour of the next stone.
    #[getter]
    fn to_move(&self) -> &'static str {
        word::color(self.0.to_move())
    }

    /// Seat that holds Black now.
    #[getter]
    fn black(&self) -> &'static str {
        word::seat(self.0.seat_of(renju::Color::Black))
    }

    /// Seat that holds White now.
    #[getter]
    fn white(&self) -> &'static str {
        word::seat(self.0.seat_of(renju::Color::White))
    }

    /// Number of stones placed, including captured ones.
    #[getter]
    fn move_number(&self) -> u16 {
        self.0.move_number()
    }

    /// Pairs captured by Black and by White.
    #[getter]
    fn pairs(&self) -> (u8, u8) {
        let ByColor { black, white } = self.0.pairs();
        (black, white)
    }

    /// Number of fifth moves declared; 0 before the declaration and after the opening.
    #[getter]
    fn declared(&self) -> u8 {
        self.0.declared()
    }

    /// Number of fifth moves that an offer has here; 0 if none can be made.
    #[getter]
    fn offer_count(&self) -> u8 {
        match self.0.phase() {
            Phase::Fifth { count, .. } | Phase::Offer { count } => count,
            _ => 0,
        }
    }

    /// Points on offer, in the choice; else an empty list.
    #[getter]
    fn offered(&self) -> Vec<String> {
        match self.0.phase() {
            Phase::Choose(offer) => word::names(offer.points()),
            _ => Vec::new(),
        }
    }

    /// Result; None while the game is in progress.
    #[getter]
    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome().map(|outcome| Outcome {
            winner: outcome.winner.map(word::color),
            reason: word::ending(outcome.by),
        })
    }

    /// Every play that `play` accepts, except offers. Fouls by Black in Renju are included: they are
    /// accepted and lose.
    fn plays(&self) -> Vec<String> {
        self.0.plays().map(|play| play.to_string()).collect()
    }

    /// Points where a stone is neither rejected nor a foul.
    fn legal_points(&self) -> Vec<String> {
        self.0.legal_points().map(|point| point.to_string()).collect()
    }

    /// Points forbidden to the colour to move, with the kind of foul.
    fn forbidden_points(&self) -> BTreeMap<String, &'static str> {
        let fouls = self.0.forbidden_points();
        fouls.map(|(point, foul)| (point.to_string(), word::foul(foul))).collect()
    }

    /// One byte a point, in the order of `board`: 1 for the points of `legal_points`. Where only fouls
    /// are left these are 1, because a player cannot pass.
    fn legal_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let mut mask = self.mask(self.0.legal_points());
        if !mask.contains(&1) {
            mask = self.mask(self.0.plays().filter_map(|play| match play {
                renju::Play::Place(point) => Some(point),
                _ => None,
            }));
        }
        PyBytes::new(py, &mask)
    }

    /// As `legal_mask`: 1 for the points that can be offered together with those chosen so far.
    fn offer_mask<'py>(
        &self,
        py: Python<'py>,
        chosen: Vec<String>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        if self.offer_count() == 0 {
            return Err(illegal("no fifth moves can be offered here"));
        }
        let chosen: Vec<Point> =
            chosen.iter().map(|name| word::read_point(name)).collect::<PyResult<_>>()?;
        let (board, distinct) = (self.0.board(), self.0.ruleset().distinct);
        let same_as = |others: &[Point], point| {
            others.iter().copied().find(|&other| distinct.same(board, point, other))
        };
        for (n, &point) in chosen.iter().enumerate() {
            if !board.is_empty(point) {
                return Err(illegal(format_args!("{point} is not an empty point")));
            }
            if let Some(other) = same_as(&chosen[..n], point) {
                return Err(illegal(renju::IllegalPlay::OfferSymmetric { point, other }));
            }
        }
        let free = board.empty_points().filter(|&point| same_as(&chosen, point).is_none());
        Ok(PyBytes::new(py, &self.mask(free)))
    }

    /// The position after a play: `h8`, `swap`, `keep`, `put-two`, `declare:3`, `offer:d4,e5,…`.
    fn play(&self, play: &str) -> PyResult<Position> {
        self.0.play(word::read_play(play)?).map(Position).map_err(illegal)
    }

    /// What a stone on each point would make: as `board`, but an empty point is `.`, `5` for a stone
    /// that wins, `6` overline, `4` double-four, `3` double-three. In Renju the verdicts are Black's.
    fn classes(&self) -> String {
        self.0.classes()
    }

    /// Proof of what a stone on a point makes; None if the point is taken or the ruleset has no fouls.
    fn explain(&self, py: Python<'_>, point: &str) -> PyResult<Option<Explanation>> {
        let proof = self.0.explain(word::read_point(point)?);
        proof.map(|proof| Explanation::new(py, &proof)).transpose()
    }

    /// Points that a stone of the colour to move on a point would capture.
    fn captured_by(&self, point: &str) -> PyResult<Vec<String>> {
        let captured = self.0.captured_by(word::read_point(point)?);
        Ok(captured.map(|captured| word::names(captured.points())).unwrap_or_default())
    }

    // A position never changes, so that it is its own copy.
    fn __copy__(this: Py<Position>) -> Py<Position> {
        this
    }

    fn __deepcopy__(this: Py<Position>, _memo: &Bound<'_, PyAny>) -> Py<Position> {
        this
    }

    fn __str__(&self) -> String {
        Diagram::new(*self.0.board()).to_string()
    }

    fn __repr__(&self) -> String {
        let due = match self.0.to_act() {
            Some(Seat::First) => "first seat to ",
            Some(Seat::Second) => "second seat to ",
            None => "",
        };
        format!("<Position {}, move {}, {due}{}>", self.ruleset(), self.move_number(), self.phase())
    }
}

impl Position {
    /// One byte a point of the board, 1 for these points.
    fn mask(&self, points: impl Iterator<Item = Point>) -> Vec<u8> {
        let size = self.size();
        let mut mask = vec![0; usize::from(size) * usize::from(size)];
        for point in points {
            mask[point.index(size)] = 1;
        }
        mask
    }
}

/// Empty board of a ruleset, of its default size unless told.
pub(crate) fn start(ruleset: &str, size: Option<i64>) -> PyResult<renju::Position> {
    let ruleset = find(ruleset)?;
    let Some(size) = size else { return Ok(renju::Position::new(ruleset)) };
    let side =
        u8::try_from(size).map_err(|_| bad_value(format_args!("no board has side {size}")))?;
    renju::Position::sized(ruleset, side).map_err(bad_value)
}

/// Side of the square board that has so many points; the reader refuses a text that is not square.
fn side(board: &str) -> u8 {
    u8::try_from(board.chars().count().isqrt()).unwrap_or(u8::MAX)
}

/// `Position.from_board(board, ruleset).classes()`, without an object in between.
#[pyfunction]
#[pyo3(signature = (board, ruleset = "renju_free"))]
pub(crate) fn classes(board: &str, ruleset: &str) -> PyResult<String> {
    Position::from_board(board, ruleset, "black", (0, 0)).map(|position| position.0.classes())
}
