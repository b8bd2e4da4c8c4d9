//! Whole games: as text, and as SGF files with their metadata.

use pyo3::prelude::*;
use renju::BySeat;
use renju::notation::sgf;

use crate::error::{bad_value, illegal};
use crate::position::{Position, start};
use crate::ruleset::find;
use crate::word;

/// A game as the list of its plays. `play` adds one; a rejected play changes nothing.
#[pyclass(eq, module = "renju_arena.rules")]
#[derive(PartialEq)]
pub(crate) struct Record(renju::Record);

#[pymethods]
impl Record {
    #[new]
    #[pyo3(signature = (text = "", ruleset = renju::Ruleset::ALL[0].id, size = None))]
    fn new(text: &str, ruleset: &str, size: Option<i64>) -> PyResult<Record> {
        let mut record = renju::Record::from_start(start(ruleset, size)?);
        for word in text.split_whitespace() {
            record.read(word).map_err(error)?;
        }
        Ok(Record(record))
    }

    /// Adds a play.
    fn play(&mut self, play: &str) -> PyResult<()> {
        self.0.play(word::read_play(play)?).map_err(illegal)
    }

    /// Plays so far.
    #[getter]
    fn plays(&self) -> Vec<String> {
        self.0.plays().iter().map(|play| play.to_string()).collect()
    }

    /// The position after the last play.
    #[getter]
    fn position(&self) -> Position {
        Position(self.0.position().clone())
    }

    /// Every position, from before the first play to after the last.
    fn positions(&self) -> Vec<Position> {
        self.0.positions().map(Position).collect()
    }

    fn __copy__(&self) -> Record {
        Record(self.0.clone())
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Record {
        self.__copy__()
    }

    fn __len__(&self) -> usize {
        self.0.plays().len()
    }

    /// The plays separated by spaces; `Record(text)` reads them back.
    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        let ruleset = self.0.start().ruleset().id;
        format!(
            "Record({:?}, {ruleset:?}, {})",
            self.0.to_string(),
            self.position().0.board().size()
        )
    }
}

/// A play that the rules reject is `IllegalPlay`, anything else that cannot be read `ValueError`.
fn error(why: renju::ReadError) -> PyErr {
    match why {
        renju::ReadError::Illegal { .. } => illegal(why),
        renju::ReadError::Size(_) | renju::ReadError::Play(_) => bad_value(why),
    }
}

/// A game with its metadata, as SGF holds it.
#[pyclass(frozen, eq, module = "renju_arena.rules")]
#[derive(PartialEq)]
pub(crate) struct Sheet(sgf::Sheet);

#[pymethods]
impl Sheet {
    /// `result` is the winner's colour, None for a draw, and the reason; without it, the result on the
    /// board.
    #[new]
    #[pyo3(signature = (record, *, first = None, second = None, result = None, date = None, event = None, place = None))]
    fn new(
        record: &Record,
        first: Option<String>,
        second: Option<String>,
        result: Option<(Option<String>, String)>,
        date: Option<String>,
        event: Option<String>,
        place: Option<String>,
    ) -> PyResult<Sheet> {
        let mut sheet = sgf::Sheet::new(record.0.clone());
        sheet.players = BySeat { first, second };
        if let Some((winner, reason)) = result {
            let winner = winner.as_deref().map(word::read_color).transpose()?;
            sheet.result = Some(sgf::Verdict { winner, reason });
        }
        Ok(Sheet(sgf::Sheet { date, event, place, ..sheet }))
    }

    /// Reads the main line of the first game. A file of another program is read as a game of `ruleset`.
    #[staticmethod]
    #[pyo3(signature = (text, ruleset = "renju_free"))]
    fn read(text: &str, ruleset: &str) -> PyResult<Sheet> {
        sgf::Sheet::read(text, find(ruleset)?).map(Sheet).map_err(bad_value)
    }

    /// The game as SGF.
    fn write(&self) -> String {
        self.0.write()
    }

    #[getter]
    fn record(&self) -> Record {
        Record(self.0.record.clone())
    }

    /// Name of the player in the first seat.
    #[getter]
    fn first(&self) -> Option<&str> {
        self.0.players.first.as_deref()
    }

    /// Name of the player in the second seat.
    #[getter]
    fn second(&self) -> Option<&str> {
        self.0.players.second.as_deref()
    }

    #[getter]
    fn result(&self) -> Option<(Option<&'static str>, &str)> {
        let verdict = self.0.result.as_ref()?;
        Some((verdict.winner.map(word::color), &verdict.reason))
    }

    #[getter]
    fn date(&self) -> Option<&str> {
        self.0.date.as_deref()
    }

    #[getter]
    fn event(&self) -> Option<&str> {
        self.0.event.as_deref()
    }

    #[getter]
    fn place(&self) -> Option<&str> {
        self.0.place.as_deref()
    }
}
