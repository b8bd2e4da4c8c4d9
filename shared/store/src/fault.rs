//! Faults from errors of the SDK and of the codec.

use std::error::Error;

use arena_protocol::{Cause, Fault};
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};

use crate::codec::Undecodable;

/// Temporary errors that DynamoDB reports with status 400.
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
    // The raw reply of a service error may contain an item; only the error itself is kept.
    let source: Box<dyn Error + Send + Sync> = match error {
        SdkError::ServiceError(refused) => Box::new(refused.into_err()),
        other => Box::new(other),
    };
    Fault::new(doing, Cause::Service { is_retryable, source })
}

/// A refusal other than a failed condition, found inside a reply.
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
