//! Why a request got no useful answer.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use arena_wire::{Code, Problem};

use super::trust::CERT_FILE;

/// Why a request got no useful answer.
#[derive(Debug)]
pub enum ClientError {
    /// The address is not one of a server.
    BadServer {
        /// The address.
        server: String,
    },
    /// Nobody answered.
    Unreachable {
        /// The server.
        server: String,
        /// What happened.
        why: String,
    },
    /// Somebody answered, but no safe connection came about.
    Insecure {
        /// The server.
        server: String,
        /// What happened.
        why: String,
    },
    /// The file of authorities to trust is of no use.
    BadTrust {
        /// The file.
        file: PathBuf,
        /// Why.
        why: String,
    },
    /// The arena said no, and why.
    Refused(Box<Problem<'static>>),
    /// Something answered, but not as an arena does.
    Strange {
        /// The server.
        server: String,
        /// The HTTP status.
        status: u16,
        /// How the answer begins, or what is wrong with it.
        why: String,
        /// How long it wants to be left alone.
        retry_after: Option<Duration>,
    },
}

impl ClientError {
    /// The arena's code, where it was the arena that refused.
    pub fn code(&self) -> Option<Code> {
        match self {
            ClientError::Refused(problem) => Some(problem.code),
            _ => None,
        }
    }

    /// Whether the very same request may succeed a little later.
    pub fn is_passing(&self) -> bool {
        match self {
            ClientError::BadServer { .. }
            | ClientError::Insecure { .. }
            | ClientError::BadTrust { .. } => false,
            ClientError::Unreachable { .. } => true,
            // Who did not show up for a game has to wait for minutes: the caller's business.
            ClientError::Refused(problem) => problem.retryable && problem.code != Code::CoolingDown,
            ClientError::Strange { status, .. } => *status >= 500 || *status == 429,
        }
    }

    /// How long to wait at least before another attempt.
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
                "no safe connection to {server}: {why} ({CERT_FILE} can name a file of authorities to \
                 trust)"
            ),
            ClientError::BadTrust { file, why } => {
                write!(f, "{CERT_FILE} names {}: {why}", file.display())
            }
            ClientError::Refused(problem) => {
                write!(f, "{} ({}): {}", problem.title, problem.code.code(), problem.detail)
            }
            ClientError::Strange { server, status, why, .. } if self.is_passing() => {
                write!(f, "{server} is not well (status {status}): {why}")
            }
            ClientError::Strange { server, status, why, .. } => {
                write!(f, "{server} does not answer as an arena (status {status}): {why}")
            }
        }
    }
}

impl std::error::Error for ClientError {}
