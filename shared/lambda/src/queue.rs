//! Queue messages, on Lambda and locally.

use std::convert::Infallible;
use std::future::Future;
use std::time::Instant;

use arena::Message;
use arena_protocol::Again;
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

/// Handles the messages of a batch one by one, each with its own notes and trace, and logs them.
/// Only those that could not be handled are reported, to be delivered again.
pub async fn handle_batch<F>(
    context: Context,
    event: SqsEvent,
    handle: impl Fn(Context, Message) -> F,
) -> SqsBatchResponse
where
    F: Future<Output = Result<(), Unhandled>>,
{
    let mut response = SqsBatchResponse::default();
    let mut handled: Vec<Message> = Vec::new();
    for message in event.records {
        let (context, started) = (context.for_one(trace_of(&message)), Instant::now());
        let body = message.body.as_deref().unwrap_or_default();
        let (kind, is_done) = match message::parse(body) {
            Ok(message) if handled.iter().any(|earlier| message.is_served_by(earlier)) => {
                (message::kind(&message), true)
            }
            Ok(message) => {
                handled.push(message);
                // Boxed, so that the type of the whole future stays within the compiler's limits.
                let done = Box::pin(handle(context.clone(), message)).await;
                outcome(message, done)
            }
            Err(error) => poison(&error.to_string()),
        };
        log::message(&context, &message, kind, started, is_done);
        if !is_done && let Some(id) = message.message_id {
            response.add_failure(id);
        }
    }
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

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use arena::Pace;
    use arena_store::{Access, Config, Store};

    use super::*;
    use crate::context::Settings;

    fn context() -> Context {
        let config = Config {
            agents_table: "agents".to_owned(),
            games_table: "games".to_owned(),
            referee_queue_url: "http://nowhere/referee".to_owned(),
            house_queue_url: "http://nowhere/house".to_owned(),
            shards: 1,
            pace: Pace::STANDARD,
        };
        let access = Access::local("http://nowhere", "http://nowhere");
        Context::new(Store::new(&access, config), Settings::standard(None))
    }

    fn batch(bodies: &[&str]) -> SqsEvent {
        let mut event = SqsEvent::default();
        for (index, body) in bodies.iter().enumerate() {
            let mut message = SqsMessage::default();
            message.message_id = Some(index.to_string());
            message.body = Some((*body).to_owned());
            event.records.push(message);
        }
        event
    }

    #[tokio::test]
    async fn a_queue_is_looked_at_once_and_only_what_failed_comes_again() {
        let bodies = [
            "match renju_free/fast 0",
            "sweep",
            "match renju_free/fast 7",
            "match renju_free/slow 0",
            "sweep",
            "nonsense",
            "house abcdefghijklmnop 3",
        ];
        let seen = Mutex::new(Vec::new());
        let handle = async |_, message: Message| {
            let mut seen = seen.lock().unwrap();
            seen.push(message::body(&message));
            match message {
                Message::House { .. } => Err(Unhandled::Misdirected),
                Message::Sweep if seen.len() > 2 => Err(Again::NotYet.into()),
                _ => Ok(()),
            }
        };
        let response = handle_batch(context(), batch(&bodies), handle).await;
        assert_eq!(*seen.lock().unwrap(), [0, 1, 3, 4, 6].map(|index| bodies[index]));
        let failed = response.batch_item_failures.into_iter();
        let failed: Vec<String> = failed.map(|failure| failure.item_identifier).collect();
        assert_eq!(failed, ["4", "5", "6"]);
    }
}
