//! Faults from what the SDK and the codec report.

use std::error::Error;

use arena_protocol::{Cause, Fault};
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};

use crate::codec::Undecodable;

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

pub(crate) fn service<E>(doing: &'static str, error: SdkError<E>) -> Fault
where
    E: Error + ProvideErrorMetadata + Send + Sync + 'static,
{
    let is_retryable = match &error {
        SdkError::ConstructionFailure(_) => false,
        SdkError::ServiceError(refused) => {
            refused.raw().status().is_server_error() || refused.err().code().is_some_and(is_passing)
        }
        _ => true,
    };
    // The raw reply of a service error may hold an item; only what it says is kept.
    let source: Box<dyn Error + Send + Sync> = match error {
        SdkError::ServiceError(refused) => Box::new(refused.into_err()),
        other => Box::new(other),
    };
    Fault::new(doing, Cause::Service { is_retryable, source })
}

/// A refusal that is not about a condition, found inside a reply.
pub(crate) fn refusal(doing: &'static str, code: &str, message: &str) -> Fault {
    let source = format!("{code}: {message}").into();
    Fault::new(doing, Cause::Service { is_retryable: is_passing(code), source })
}

pub(crate) fn undecodable(doing: &'static str) -> impl Fn(Undecodable) -> Fault {
    move |why| {
        let is_newer = why.is_newer();
        Fault::new(doing, Cause::Unreadable { is_newer, source: Box::new(why) })
    }
}

fn is_passing(code: &str) -> bool {
    PASSING.contains(&code)
}
