//! SQS: deadlines, matchmaking, the sweep.
//!
//! A message says where to look and has no authority. Whatever it leads to is decided from what is
//! read now and written on condition, so a lost, late or doubled message changes nothing.

mod clock;
mod matchmaker;
mod sweep;

use std::collections::HashSet;
use std::time::Instant;

use arena::{Bell, Timestamp};
use arena_http::{App, log, now};
use arena_store::{Fault, bell};
use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent, SqsMessage};

/// Why a message must come again.
#[derive(Debug)]
pub(crate) enum Again {
    /// What it names may be about to exist.
    NotYet,
    /// Something failed on our side.
    Fault(Fault),
    /// Something failed on our side and is in the log already.
    Logged,
}

impl From<Fault> for Again {
    fn from(fault: Fault) -> Again {
        Again::Fault(fault)
    }
}

/// Handles a batch; what could not be handled is reported, and only that comes again.
pub async fn handle(app: App, event: SqsEvent) -> SqsBatchResponse {
    let mut response = SqsBatchResponse::default();
    let mut paired = HashSet::new();
    for message in event.records {
        let (app, started) = (app.for_one(log::trace_of(&message)), Instant::now());
        let (kind, is_done) = is_done(&app, &message, &mut paired).await;
        log::bell(&app, &message, kind, started, is_done);
        if !is_done && let Some(id) = message.message_id {
            response.add_failure(id);
        }
    }
    response
}

/// Handles one message: of which kind it is, and whether it is dealt with. `paired` remembers the
/// queues this batch has looked at: one look serves all the messages about a queue.
async fn is_done(
    app: &App,
    message: &SqsMessage,
    paired: &mut HashSet<String>,
) -> (&'static str, bool) {
    let bell = match bell::parse(message.body.as_deref().unwrap_or_default()) {
        Ok(bell) => bell,
        Err(error) => {
            // Comes again until it reaches the dead-letter queue, where an alarm finds it.
            log::notice("poison message", &error.to_string());
            return ("poison", false);
        }
    };
    let kind = bell::kind(&bell);
    if let Bell::Match { division, .. } = bell
        && !paired.insert(division.to_string())
    {
        return (kind, true);
    }
    // Boxed, so that the type of the whole function's future stays within the compiler's limits.
    let is_done = match Box::pin(ring(app, bell, now())).await {
        Ok(()) => true,
        Err(Again::NotYet | Again::Logged) => false,
        Err(Again::Fault(fault)) => {
            log::fault(&fault);
            false
        }
    };
    (kind, is_done)
}

async fn ring(app: &App, bell: Bell, now: Timestamp) -> Result<(), Again> {
    match bell {
        Bell::Timer { game, fire } => clock::look(app, game, fire, now).await,
        Bell::Match { division, .. } => matchmaker::look(app, division).await,
        // Not for us, but nobody shall wait for it in vain.
        Bell::House { .. } => Ok(app.store.ring(&[bell], now).await?),
        Bell::Sweep => sweep::look(app, now).await,
        Bell::SweepOn { shard, after } => sweep::games(app, shard, after, now).await,
    }
}
