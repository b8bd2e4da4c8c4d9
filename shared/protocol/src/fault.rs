//! Faults: failures on our side. An agent's own mistakes are [`Refused`](crate::Refused).

use std::error::Error;
use std::fmt;

/// A failure on our side. Keeps its source for the log; nothing of it belongs in a reply.
#[derive(Debug)]
pub struct Fault {
    doing: &'static str,
    cause: Cause,
}

/// Cause of a fault.
#[allow(missing_docs, reason = "the names say it")]
#[derive(Debug)]
pub enum Cause {
    /// An AWS call was refused, failed or timed out; the same call may succeed soon or not.
    Service { is_retryable: bool, source: Box<dyn Error + Send + Sync> },
    /// A stored item could not be decoded; perhaps a newer version of this program wrote it.
    Unreadable { is_newer: bool, source: Box<dyn Error + Send + Sync> },
    /// Other writers kept changing the same items.
    Contention,
    /// A message would have to be delayed by this many seconds.
    Delay(i64),
    /// A reply lacks what AWS documents.
    Reply(&'static str),
}

impl Fault {
    /// A fault that occurred while `doing` something.
    pub fn new(doing: &'static str, cause: Cause) -> Fault {
        Fault { doing, cause }
    }

    pub(crate) fn contention(doing: &'static str) -> Fault {
        Fault::new(doing, Cause::Contention)
    }

    /// True if the same request may succeed when repeated soon.
    pub fn is_retryable(&self) -> bool {
        match &self.cause {
            Cause::Service { is_retryable, .. } => *is_retryable,
            Cause::Unreadable { is_newer, .. } => *is_newer,
            Cause::Contention => true,
            Cause::Delay(_) | Cause::Reply(_) => false,
        }
    }

    /// True if a stored item is damaged: no version of this program can read it, now or later.
    pub fn is_damage(&self) -> bool {
        matches!(self.cause, Cause::Unreadable { is_newer: false, .. })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.doing)?;
        match &self.cause {
            Cause::Service { .. } => f.write_str("AWS call failed"),
            Cause::Unreadable { .. } => f.write_str("a stored item cannot be decoded"),
            Cause::Contention => f.write_str("other writers kept changing the same items"),
            Cause::Delay(seconds) => write!(f, "a message cannot be delayed by {seconds} s"),
            Cause::Reply(lacking) => write!(f, "AWS replied without {lacking}"),
        }
    }
}

impl Error for Fault {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.cause {
            Cause::Service { source, .. } | Cause::Unreadable { source, .. } => {
                Some(source.as_ref())
            }
            Cause::Contention | Cause::Delay(_) | Cause::Reply(_) => None,
        }
    }
}
