//! Errors of the client.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use arena_wire::{Code, Problem};

use super::trust::CERT_FILE;

/// Reason a request failed.
#[derive(Debug)]
#[allow(missing_docs, reason = "the names of most fields say it")]
pub enum ClientError {
    /// Not the address of a server.
    BadServer { server: String },
    /// No connection.
    Unreachable { server: String, why: String },
    /// No secure connection.
    Insecure { server: String, why: String },
    /// Unusable file of CA certificates.
    BadTrust { file: PathBuf, why: String },
    /// The arena refused the request.
    Refused(Box<Problem<'static>>),
    /// The response is not one of an arena.
    Strange {
        server: String,
        status: u16,
        /// Start of the response, or what is wrong with it.
        why: String,
        /// Value of `Retry-After`.
        retry_after: Option<Duration>,
    },
}

impl ClientError {
    /// Problem code, if the arena refused the request.
    pub fn code(&self) -> Option<Code> {
        match self {
            ClientError::Refused(problem) => Some(problem.code),
            _ => None,
        }
    }

    /// True if the same request may succeed later.
    pub fn is_passing(&self) -> bool {
        match self {
            ClientError::BadServer { .. }
            | ClientError::Insecure { .. }
            | ClientError::BadTrust { .. } => false,
            ClientError::Unreachable { .. } => true,
            // An agent that missed a game has to wait for minutes; the caller handles that.
            ClientError::Refused(problem) => problem.retryable && problem.code != Code::CoolingDown,
            ClientError::Strange { status, .. } => *status >= 500 || *status == 429,
        }
    }

    /// Shortest pause before another attempt.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            ClientError::Refused(problem) => {
                let ms = problem.retry_after_ms.and_then(|ms| u64::try_from(ms).ok());
                ms.map(Duration::from_millis)
            }
            ClientError::Strange { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClientError::BadServer { server } => {
                write!(f, "{server:?} is not a server such as http://127.0.0.1:8080")
            }
            ClientError::Unreachable { server, why } => write!(f, "cannot reach {server}: {why}"),
            ClientError::Insecure { server, why } => write!(
                f,
                "no secure connection to {server}: {why} ({CERT_FILE} can name a file of CA certificates)"
            ),
            ClientError::BadTrust { file, why } => {
                write!(f, "{CERT_FILE} names {}: {why}", file.display())
            }
            ClientError::Refused(problem) => {
                write!(f, "{} ({}): {}", problem.title, problem.code.code(), problem.detail)
            }
            ClientError::Strange { server, status, why, .. } if self.is_passing() => {
                write!(f, "{server}: server error ({status}): {why}")
            }
            ClientError::Strange { server, status, why, .. } => {
                write!(f, "{server} is not an arena (status {status}): {why}")
            }
        }
    }
}

impl std::error::Error for ClientError {}
