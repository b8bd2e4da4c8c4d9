//! Errors at start, each a sentence that says what to do.

use std::error::Error;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use arena_lambda::Pepper;
use arena_store::Fault;
use dynoxide::DynoxideError;

/// Reason why the arena cannot start.
#[allow(missing_docs, reason = "the names say it")]
#[derive(Debug)]
pub enum StartError {
    /// A file or the directory of `--data` cannot be used.
    Data {
        path: PathBuf,
        why: Unusable,
    },
    /// Tables and queues could not be created.
    Tables(Box<dyn Error + Send + Sync>),
    Listen(SocketAddr, io::Error),
    /// The system has no random numbers.
    Random(getrandom::Error),
}

/// Problem with a file or directory.
#[allow(missing_docs, reason = "the names say it")]
#[derive(Debug)]
pub enum Unusable {
    /// The data directory is a file.
    NotDirectory,
    /// Its name cannot be passed to SQLite.
    NotText,
    /// Another process has locked it.
    InUse,
    Io(io::Error),
    /// It was not created by an arena.
    Foreign,
    /// The report of SQLite's integrity check.
    Damaged(String),
    /// Not opened for another reason, such as a newer version.
    Refused(DynoxideError),
    /// The length of a pepper that is too short.
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

impl From<io::Error> for Unusable {
    fn from(error: io::Error) -> Unusable {
        Unusable::Io(error)
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

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::Data { path, why } => why.describe(&path.display(), f),
            StartError::Tables(error) => {
                write!(f, "cannot create the tables and queues: {error}")?;
                let mut source = error.source();
                while let Some(error) = source {
                    write!(f, ": {error}")?;
                    source = error.source();
                }
                Ok(())
            }
            StartError::Listen(address, error) => {
                write!(f, "cannot listen on {address}: {error}")
            }
            StartError::Random(error) => write!(f, "the system has no random numbers: {error}"),
        }
    }
}

impl Unusable {
    fn describe(&self, path: &std::path::Display<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const AFRESH: &str = "move it away to start with empty tables, or choose another --data";
        match self {
            Unusable::NotDirectory => {
                write!(f, "{path} is a file: choose a directory for --data, or move the file away")
            }
            Unusable::NotText => {
                write!(f, "the name of {path} is not UTF-8: choose another --data")
            }
            Unusable::InUse => write!(
                f,
                "{path} is in use by another arena-local: stop that one, or choose another --data"
            ),
            Unusable::Io(error) => {
                write!(f, "cannot use {path}: {error}; --data can name another directory")
            }
            Unusable::Foreign => write!(f, "{path} does not hold the tables of an arena: {AFRESH}"),
            Unusable::Damaged(what) => {
                write!(f, "{path} is damaged ({what}): restore a backup, {AFRESH}")
            }
            Unusable::Refused(error) => write!(f, "cannot open {path}: {error}: {AFRESH}"),
            Unusable::ShortPepper(bytes) => write!(
                f,
                "{path} is too short ({bytes} bytes, {} are needed): restore a backup, or remove it \
                 and lose the answers to repeated registrations",
                Pepper::BYTES_MIN
            ),
        }
    }
}

impl Error for StartError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            StartError::Data { why: Unusable::Io(error), .. } | StartError::Listen(_, error) => {
                Some(error)
            }
            StartError::Data { why: Unusable::Refused(error), .. } => Some(error),
            StartError::Data { .. } => None,
            StartError::Tables(error) => error.source(),
            StartError::Random(error) => Some(error),
        }
    }
}
