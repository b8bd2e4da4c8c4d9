//! Queue messages, on Lambda and locally.

use std::convert::Infallible;
use std::future::Future;
use std::time::Instant;

use arena::Message;
use arena_protocol::{Again, handle_all};
use arena_store::{Trace, message};
use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent, SqsMessage};
use lambda_runtime::LambdaEvent;

use crate::context::Context;
use crate::http::RuntimeError;
use crate::log;

/// Reason why a message is not handled.
#[allow(missing_docs, reason = "the names say it")]
#[derive(Debug)]
pub enum Unhandled {
    Again(Again),
    /// Not for this function, and never will be.
    Misdirected,
}

impl From<Again> for Unhandled {
    fn from(again: Again) -> Unhandled {
        Unhandled::Again(again)
    }
}

/// Handles the messages of a batch as [`handle_all`] does, each with its own notes and trace, and
/// logs them. Only those that could not be handled are reported, to be delivered again.
pub async fn handle_batch<F>(
    context: Context,
    event: SqsEvent,
    handle: impl Fn(Context, Message) -> F,
) -> SqsBatchResponse
where
    F: Future<Output = Result<(), Unhandled>>,
{
    let (all, handle) = (&context, &handle);
    let batch = event.records.into_iter().map(|record| {
        let parsed = message::parse(record.body.as_deref().unwrap_or_default());
        let message = parsed.as_ref().ok().copied();
        ((record, parsed), message)
    });
    let failed = handle_all(batch, |(record, parsed), is_served| async move {
        let (context, started) = (all.for_one(trace_of(&record)), Instant::now());
        let (kind, is_done) = match parsed {
            Ok(message) if is_served => (message::kind(&message), true),
            // Boxed, so that the type of the whole future stays within the compiler's limits.
            Ok(message) => outcome(message, Box::pin(handle(context.clone(), message)).await),
            Err(error) => poison(&error.to_string()),
        };
        log::message(&context, &record, kind, started, is_done);
        record.message_id.filter(|_| !is_done)
    });
    let mut response = SqsBatchResponse::default();
    failed.await.into_iter().for_each(|id| response.add_failure(id));
    response
}

/// The kind of a message for the log, and true if it is handled. Failures are logged.
fn outcome(message: Message, done: Result<(), Unhandled>) -> (&'static str, bool) {
    let again = match done {
        Ok(()) => return (message::kind(&message), true),
        Err(Unhandled::Misdirected) => {
            return poison(&format!("{:?} is not for this function", message::body(&message)));
        }
        Err(Unhandled::Again(again)) => again,
    };
    match again {
        Again::NotYet | Again::Noted => {}
        Again::Fault(fault) => log::fault(&fault),
        Again::NoPlay(why) => log::fault(&why),
    }
    (message::kind(&message), false)
}

/// A message that can never be handled. It is delivered again until it reaches the dead-letter
/// queue, which has an alarm.
fn poison(why: &str) -> (&'static str, bool) {
    log::notice("poison message", why);
    ("poison", false)
}

/// The trace of the request that sent a message.
fn trace_of(message: &SqsMessage) -> Option<Trace> {
    Trace::parse(message.attributes.get(message::TRACE_ATTRIBUTE)?)
}

/// Serves batches of messages on Lambda.
pub async fn serve_queue<H, F>(handle: H) -> Result<(), RuntimeError>
where
    H: Fn(Context, Message) -> F + Sync,
    F: Future<Output = Result<(), Unhandled>> + Send,
{
    let context = Context::from_env()?;
    lambda_runtime::run(lambda_runtime::service_fn(|event: LambdaEvent<SqsEvent>| {
        let answer = handle_batch(context.clone(), event.payload, &handle);
        async { Ok::<_, Infallible>(answer.await) }
    }))
    .await
}
