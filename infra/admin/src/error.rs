//! Errors, each a sentence that says what to do.

use std::error::Error as StdError;
use std::fmt;
use std::io;

use arena_protocol::{Declined, Fault};

/// Reason why a command was not carried out, in words for the operator.
#[derive(Debug)]
pub(crate) struct Error(String);

impl Error {
    pub(crate) fn new(text: impl Into<String>) -> Error {
        Error(text.into())
    }

    /// The error and its sources in one line.
    pub(crate) fn of(error: &(dyn StdError + 'static)) -> Error {
        let sources = std::iter::successors(Some(error), |&error| error.source());
        Error(sources.map(ToString::to_string).collect::<Vec<_>>().join(": "))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<Declined> for Error {
    fn from(declined: Declined) -> Error {
        match &declined {
            Declined::Playing(name, game) => Error(format!(
                "{declined}: end it first with `game end {game}` or `game void {game}`, or ban {name} \
                 and wait for the clock"
            )),
            Declined::Over(_) => Error(format!("{declined}, and what is over stays as it is")),
            Declined::Busy => Error(format!("{declined}: try again")),
            _ => Error::of(&declined),
        }
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Error {
        Error::of(&fault)
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error::of(&error)
    }
}
