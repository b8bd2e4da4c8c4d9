//! The job of an event source mapping: receives messages, calls a function, deletes what it
//! handled. If the function panics or times out, the messages of its batch are delivered again.

use std::collections::HashSet;
use std::future::Future;
use std::time::Duration;

use arena_lambda::log;
use arena_store::schema::{HOUSE_BATCH, HOUSE_TIMEOUT_S, REFEREE_TIMEOUT_S};
use arena_store::{Access, Config as Names};
use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent, SqsMessage};
use aws_sdk_sqs::config::timeout::TimeoutConfig;
use aws_sdk_sqs::types::{DeleteMessageBatchRequestEntry, Message, MessageSystemAttributeName};
use aws_sdk_sqs::{Client, Config};
use tokio::sync::watch;

use crate::server;

/// Most messages received at once.
const BATCH_MAX: i32 = 10;
const WAIT_S: i32 = 20;
/// A long poll outlasts the timeouts of all other calls.
const RECEIVE_TIMEOUT: Duration = Duration::from_secs(25);
const ERROR_PAUSE: Duration = Duration::from_millis(500);
/// An empty queue normally blocks the receive; one that does not must not keep a core busy.
const EMPTY_PAUSE: Duration = Duration::from_millis(100);

/// A queue and its consumer's limits.
pub(crate) struct Source {
    client: Client,
    queue_url: String,
    batch: i32,
    /// Timeout of the function for a batch.
    limit: Duration,
}

impl Source {
    /// The referee's queue, as deployed.
    pub(crate) fn referee(access: &Access, names: &Names) -> Source {
        Source {
            client: access.sqs(),
            queue_url: names.referee_queue_url.clone(),
            batch: BATCH_MAX,
            limit: Duration::from_secs(REFEREE_TIMEOUT_S.into()),
        }
    }

    /// The queue of matchmaking. Deployed, its batches are larger: a mapping collects them.
    pub(crate) fn matches(access: &Access, names: &Names) -> Source {
        Source { queue_url: names.match_queue_url.clone(), ..Source::referee(access, names) }
    }

    /// The house bots' queue, as deployed.
    pub(crate) fn house(access: &Access, names: &Names) -> Source {
        Source {
            client: access.sqs(),
            queue_url: names.house_queue_url.clone(),
            batch: HOUSE_BATCH as i32,
            limit: Duration::from_secs(HOUSE_TIMEOUT_S.into()),
        }
    }
}

/// Feeds `handler` from a queue until the sending half of `stop` is dropped.
pub(crate) async fn run<F, R>(source: Source, handler: F, stop: watch::Receiver<()>)
where
    F: Fn(SqsEvent) -> R,
    R: Future<Output = SqsBatchResponse> + Send + 'static,
{
    let mut stopped = std::pin::pin!(server::stopped(stop));
    loop {
        let messages = tokio::select! {
            () = &mut stopped => return,
            messages = receive(&source) => messages,
        };
        // Not inside the `select!`: a received batch is finished before stopping.
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
    R: Future<Output = SqsBatchResponse> + Send + 'static,
{
    let mut event = SqsEvent::default();
    event.records = messages.iter().map(record).collect();
    let Some(response) = within(source.limit, handler(event)).await else { return };
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
        // A failed delete only means that a message is delivered twice.
        let deleted = source.client.delete_message_batch();
        let _ = deleted.queue_url(&source.queue_url).set_entries(Some(handled)).send().await;
    }
}

/// The function's answer, unless it panicked or timed out.
async fn within<R>(limit: Duration, call: R) -> Option<SqsBatchResponse>
where
    R: Future<Output = SqsBatchResponse> + Send + 'static,
{
    let mut call = tokio::spawn(call);
    match tokio::time::timeout(limit, &mut call).await {
        // A panic has already been reported on standard error.
        Ok(answered) => answered.ok(),
        Err(_) => {
            call.abort();
            log::notice("function timeout", &format!("a batch took longer than {limit:?}"));
            None
        }
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

#[cfg(test)]
mod tests {
    use aws_sdk_sqs::types::QueueAttributeName;
    use tokio::sync::mpsc;

    use super::*;
    use crate::Stack;

    /// A function that records its batches and then acts as told.
    async fn drive<R>(
        bodies: &[&str],
        limit: Duration,
        answer: impl Fn(Vec<SqsMessage>) -> R + Send + Sync + 'static,
    ) -> (mpsc::UnboundedReceiver<String>, watch::Sender<()>, Stack)
    where
        R: Future<Output = SqsBatchResponse> + Send + 'static,
    {
        let stack = Stack::memory().unwrap();
        let client = stack.access().sqs();
        let queue = client.create_queue().queue_name("work");
        let queue = queue.attributes(QueueAttributeName::VisibilityTimeout, "1").send().await;
        let queue_url = queue.unwrap().queue_url.unwrap();
        for body in bodies {
            let sent = client.send_message().queue_url(&queue_url).message_body(*body);
            sent.send().await.unwrap();
        }
        let source = Source { client, queue_url, batch: 1, limit };
        let (noted, notes) = mpsc::unbounded_channel();
        let (stop, stopping) = watch::channel(());
        let handler = move |event: SqsEvent| {
            for message in &event.records {
                noted.send(message.body.clone().unwrap()).unwrap();
            }
            answer(event.records)
        };
        tokio::spawn(run(source, handler, stopping));
        (notes, stop, stack)
    }

    /// Deliveries of each message, once one came three times and another at least once.
    async fn counts(
        notes: &mut mpsc::UnboundedReceiver<String>,
        thrice: &str,
        other: &str,
    ) -> [usize; 2] {
        let mut counts = [0; 2];
        while counts[0] < 3 || counts[1] < 1 {
            let note = tokio::time::timeout(Duration::from_secs(60), notes.recv()).await;
            let note = note.expect("a message comes again").expect("the pump is running");
            counts[0] += usize::from(note == thrice);
            counts[1] += usize::from(note == other);
        }
        counts
    }

    const AMPLE: Duration = Duration::from_secs(600);

    #[tokio::test]
    async fn a_message_that_failed_comes_again_and_one_that_was_handled_does_not() {
        let (mut notes, _stop, _stack) = drive(&["bad", "good"], AMPLE, |messages| async move {
            let mut response = SqsBatchResponse::default();
            for message in messages {
                if message.body.as_deref() == Some("bad") {
                    response.add_failure(message.message_id.unwrap());
                }
            }
            response
        })
        .await;
        assert_eq!(counts(&mut notes, "bad", "good").await[1], 1);
    }

    #[tokio::test]
    async fn a_function_that_panics_costs_one_batch() {
        let (mut notes, _stop, _stack) = drive(&["panic", "good"], AMPLE, |messages| async move {
            assert_eq!(messages[0].body.as_deref(), Some("good"), "as the test wants it");
            SqsBatchResponse::default()
        })
        .await;
        counts(&mut notes, "panic", "good").await;
    }

    #[tokio::test]
    async fn a_function_that_takes_too_long_costs_one_batch() {
        let limit = Duration::from_millis(10);
        let (mut notes, _stop, _stack) = drive(&["hang", "good"], limit, |messages| async move {
            if messages[0].body.as_deref() == Some("hang") {
                std::future::pending::<()>().await;
            }
            SqsBatchResponse::default()
        })
        .await;
        counts(&mut notes, "hang", "good").await;
    }
}
