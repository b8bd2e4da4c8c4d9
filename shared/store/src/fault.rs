//! Faults: what went wrong on our side. An agent's own mistakes never come here.

use std::error::Error;
use std::fmt;

use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};

use crate::codec::Undecodable;

/// Something failed that is not the agent's doing. It keeps its source for the log; nothing of it
/// belongs in a reply.
#[derive(Debug)]
pub struct Fault {
    doing: &'static str,
    cause: Cause,
}

#[derive(Debug)]
enum Cause {
    /// A service refused, failed or did not answer.
    Service { is_retryable: bool, source: Box<dyn Error + Send + Sync> },
    /// A stored item could not be read.
    Undecodable(Undecodable),
    /// Others kept winning.
    Contention,
    /// A message would have been delayed by this many seconds.
    Delay(i64),
    /// A reply lacks what the service documents.
    Reply(&'static str),
}

/// Errors that pass by themselves. DynamoDB reports them with status 400.
const PASSING: [&str; 8] = [
    "ProvisionedThroughputExceededException",
    "ProvisionedThroughputExceeded",
    "ThrottlingException",
    "ThrottlingError",
    "RequestLimitExceeded",
    "TransactionInProgressException",
    "RequestThrottled",
    "OverLimit",
];

impl Fault {
    /// Whether the same request may succeed when it is repeated soon.
    pub fn is_retryable(&self) -> bool {
        match &self.cause {
            Cause::Service { is_retryable, .. } => *is_retryable,
            Cause::Undecodable(undecodable) => undecodable.is_newer(),
            Cause::Contention => true,
            Cause::Delay(_) | Cause::Reply(_) => false,
        }
    }

    /// Whether a stored item is damaged: no version of this program can read it, now or later.
    pub fn is_damage(&self) -> bool {
        matches!(&self.cause, Cause::Undecodable(undecodable) if !undecodable.is_newer())
    }

    pub(crate) fn service<E>(doing: &'static str, error: SdkError<E>) -> Fault
    where
        E: Error + ProvideErrorMetadata + Send + Sync + 'static,
    {
        let is_retryable = match &error {
            SdkError::ConstructionFailure(_) => false,
            SdkError::ServiceError(refused) => {
                refused.raw().status().is_server_error()
                    || refused.err().code().is_some_and(is_passing)
            }
            _ => true,
        };
        // The raw reply of a service error may hold an item; only what it says is kept.
        let source: Box<dyn Error + Send + Sync> = match error {
            SdkError::ServiceError(refused) => Box::new(refused.into_err()),
            other => Box::new(other),
        };
        Fault { doing, cause: Cause::Service { is_retryable, source } }
    }

    /// A refusal that is not about a condition, found inside a reply.
    pub(crate) fn refusal(doing: &'static str, code: &str, message: &str) -> Fault {
        let source = format!("{code}: {message}").into();
        Fault { doing, cause: Cause::Service { is_retryable: is_passing(code), source } }
    }

    pub(crate) fn contention(doing: &'static str) -> Fault {
        Fault { doing, cause: Cause::Contention }
    }

    pub(crate) fn delay(seconds: i64) -> Fault {
        Fault { doing: "ring", cause: Cause::Delay(seconds) }
    }

    pub(crate) fn reply(doing: &'static str, lacking: &'static str) -> Fault {
        Fault { doing, cause: Cause::Reply(lacking) }
    }

    pub(crate) fn undecodable(doing: &'static str) -> impl Fn(Undecodable) -> Fault {
        move |undecodable| Fault { doing, cause: Cause::Undecodable(undecodable) }
    }
}

fn is_passing(code: &str) -> bool {
    PASSING.contains(&code)
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.doing)?;
        match &self.cause {
            Cause::Service { .. } => f.write_str("the service did not do it"),
            Cause::Undecodable(_) => f.write_str("a stored item cannot be read"),
            Cause::Contention => f.write_str("others kept writing the same items"),
            Cause::Delay(seconds) => write!(f, "a message cannot be delayed by {seconds} s"),
            Cause::Reply(lacking) => write!(f, "the service replied without {lacking}"),
        }
    }
}

impl Error for Fault {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.cause {
            Cause::Service { source, .. } => Some(source.as_ref()),
            Cause::Undecodable(undecodable) => Some(undecodable),
            Cause::Contention | Cause::Delay(_) | Cause::Reply(_) => None,
        }
    }
}
