//! What an event source mapping does: takes messages, calls a function, deletes what it handled.

use std::collections::HashSet;
use std::future::Future;
use std::time::Duration;

use arena_store::Access;
use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent, SqsMessage};
use aws_sdk_sqs::config::timeout::TimeoutConfig;
use aws_sdk_sqs::types::{DeleteMessageBatchRequestEntry, Message, MessageSystemAttributeName};
use aws_sdk_sqs::{Client, Config};
use tokio::sync::watch;

use crate::server;

const BATCH_MAX: i32 = 10;
const WAIT_S: i32 = 20;
/// A long poll outlasts the timeouts that suit every other call.
const RECEIVE_TIMEOUT: Duration = Duration::from_secs(25);
const ERROR_PAUSE: Duration = Duration::from_millis(500);
/// A queue that is empty makes us wait itself; one that does not must not keep a core busy.
const EMPTY_PAUSE: Duration = Duration::from_millis(100);

/// Where messages come from.
pub(crate) struct Source {
    client: Client,
    queue_url: String,
    batch: i32,
}

impl Source {
    /// As many messages at once as a function may be handed.
    pub(crate) fn batched(access: &Access, queue_url: &str) -> Source {
        Source { client: access.sqs(), queue_url: queue_url.to_owned(), batch: BATCH_MAX }
    }

    /// One message at a time, for a function that takes long for each.
    pub(crate) fn one_by_one(access: &Access, queue_url: &str) -> Source {
        Source { batch: 1, ..Source::batched(access, queue_url) }
    }
}

/// Feeds `handler` from a queue until the sending half of `stop` is dropped.
pub(crate) async fn run<F, R>(source: Source, handler: F, stop: watch::Receiver<()>)
where
    F: Fn(SqsEvent) -> R,
    R: Future<Output = SqsBatchResponse>,
{
    let mut stopped = std::pin::pin!(server::stopped(stop));
    loop {
        let messages = tokio::select! {
            () = &mut stopped => return,
            messages = receive(&source) => messages,
        };
        // Not inside the `select!`: a batch that was taken is finished before stopping.
        match messages {
            Some(messages) if !messages.is_empty() => {
                dispatch(&source, &handler, messages).await;
            }
            Some(_) => tokio::time::sleep(EMPTY_PAUSE).await,
            None => tokio::time::sleep(ERROR_PAUSE).await,
        }
    }
}

async fn receive(source: &Source) -> Option<Vec<Message>> {
    let patient = TimeoutConfig::builder()
        .operation_timeout(RECEIVE_TIMEOUT)
        .operation_attempt_timeout(RECEIVE_TIMEOUT)
        .read_timeout(RECEIVE_TIMEOUT)
        .build();
    let received = source.client.receive_message();
    received
        .queue_url(&source.queue_url)
        .max_number_of_messages(source.batch)
        .wait_time_seconds(WAIT_S)
        .message_system_attribute_names(MessageSystemAttributeName::All)
        .customize()
        .config_override(Config::builder().timeout_config(patient))
        .send()
        .await
        .ok()
        .map(|output| output.messages.unwrap_or_default())
}

async fn dispatch<F, R>(source: &Source, handler: &F, messages: Vec<Message>)
where
    F: Fn(SqsEvent) -> R,
    R: Future<Output = SqsBatchResponse>,
{
    let mut event = SqsEvent::default();
    event.records = messages.iter().map(record).collect();
    let response = handler(event).await;
    let failed: HashSet<String> =
        response.batch_item_failures.into_iter().map(|failure| failure.item_identifier).collect();

    let handled: Vec<_> = messages
        .into_iter()
        .filter(|message| !message.message_id.as_ref().is_some_and(|id| failed.contains(id)))
        .filter_map(|message| {
            DeleteMessageBatchRequestEntry::builder()
                .id(message.message_id?)
                .receipt_handle(message.receipt_handle?)
                .build()
                .ok()
        })
        .collect();
    if !handled.is_empty() {
        // A failed delete only means that a bell rings twice.
        let deleted = source.client.delete_message_batch();
        let _ = deleted.queue_url(&source.queue_url).set_entries(Some(handled)).send().await;
    }
}

fn record(message: &Message) -> SqsMessage {
    let mut record = SqsMessage::default();
    record.message_id = message.message_id.clone();
    record.receipt_handle = message.receipt_handle.clone();
    record.body = message.body.clone();
    record.event_source = Some("aws:sqs".to_owned());
    record.attributes = message
        .attributes
        .iter()
        .flatten()
        .map(|(name, value)| (name.as_str().to_owned(), value.clone()))
        .collect();
    record
}
