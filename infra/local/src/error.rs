//! Errors at start, each a sentence that says what to do.

#![allow(missing_docs, reason = "the messages say it")]

use std::error::Error as StdError;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use arena_lambda::Pepper;
use arena_store::Fault;
use dynoxide::DynoxideError;
use thiserror::Error;

/// Reason why the arena cannot start.
#[derive(Debug, Error)]
pub enum StartError {
    #[error("{} {why}", path.display())]
    Data { path: PathBuf, why: Unusable },
    #[error("cannot create the tables and queues: {}", chain(.0.as_ref()))]
    Tables(Box<dyn StdError + Send + Sync>),
    #[error("cannot listen on {0}: {1}")]
    Listen(SocketAddr, io::Error),
    #[error("the system has no random numbers: {0}")]
    Random(getrandom::Error),
}

const AFRESH: &str = "move it away to start with empty tables, or choose another --data";

/// Problem with a file or directory, to follow its name.
#[derive(Debug, Error)]
pub enum Unusable {
    #[error("is a file: choose a directory for --data, or move the file away")]
    NotDirectory,
    #[error("is not a UTF-8 name: choose another --data")]
    NotText,
    #[error("has no tables of an arena: name the --data of an arena-local")]
    NoArena,
    #[error("is in use by another arena-local: stop that one, or choose another --data")]
    InUse,
    #[error("cannot be used: {0}; --data can name another directory")]
    Io(#[from] io::Error),
    #[error("does not hold the tables of an arena: {AFRESH}")]
    Foreign,
    /// With the report of SQLite's integrity check.
    #[error("is damaged ({0}): restore a backup, {AFRESH}")]
    Damaged(String),
    /// For another reason, such as a newer version.
    #[error("cannot be opened: {0}: {AFRESH}")]
    Refused(DynoxideError),
    #[error(
        "is too short ({0} bytes, {min} are needed): restore a backup, or remove it and lose the \
         answers to repeated registrations",
        min = Pepper::BYTES_MIN
    )]
    ShortPepper(usize),
}

impl StartError {
    pub(crate) fn data(path: &Path, why: Unusable) -> StartError {
        StartError::Data { path: path.to_owned(), why }
    }

    pub(crate) fn memory(error: DynoxideError) -> StartError {
        StartError::Tables(Box::new(error))
    }
}

impl From<Fault> for StartError {
    fn from(fault: Fault) -> StartError {
        StartError::Tables(Box::new(fault))
    }
}

impl From<StartError> for io::Error {
    fn from(error: StartError) -> io::Error {
        io::Error::other(error)
    }
}

/// The error and its sources in one line.
fn chain(error: &(dyn StdError + 'static)) -> String {
    let sources = std::iter::successors(Some(error), |&error| error.source());
    sources.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
