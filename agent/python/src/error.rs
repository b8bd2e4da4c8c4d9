//! Errors of `renju` as Python exceptions, with their messages.

use std::fmt::Display;

use pyo3::PyErr;
use pyo3::exceptions::PyValueError;

pyo3::create_exception!(
    renju_arena.rules,
    IllegalPlay,
    PyValueError,
    "The rules do not allow this play here. Nothing has changed."
);

/// Error for a value that cannot be read: a text, a size, the id of a ruleset.
pub(crate) fn bad_value(why: impl Display) -> PyErr {
    PyValueError::new_err(why.to_string())
}

/// Error for a play that the rules reject.
pub(crate) fn illegal(why: impl Display) -> PyErr {
    IllegalPlay::new_err(why.to_string())
}
