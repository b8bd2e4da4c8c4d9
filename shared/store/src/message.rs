//! Encoding of messages: one line of text.
//!
//! `timer <game> <fire ms>`, `match <ruleset>/<pool> <ms>`, `house <game> <turn>`, `sweep`, `sweep
//! <shard>`, `sweep <shard> <start ms> <game>`. `match` and `house` have queues of their own.

use std::collections::HashMap;

use arena::{Division, Message, Timestamp, TurnNumber};
use arena_protocol::{Backend, Cause, Fault};
use aws_sdk_sqs::types::{
    MessageSystemAttributeNameForSends, MessageSystemAttributeValue, SendMessageBatchRequestEntry,
};
use renju::Ruleset;
use thiserror::Error;

use crate::meter::Usage;
use crate::{Store, fault};

/// The longest delay of SQS. Emulators accept more, so it is checked here.
const DELAY_S_MAX: i64 = 900;

/// Most messages in one call.
const BATCH_MAX: usize = 10;

/// The first word of the body.
pub fn kind(message: &Message) -> &'static str {
    match message {
        Message::Timer { .. } => "timer",
        Message::Match { .. } => "match",
        Message::House { .. } => "house",
        Message::Sweep | Message::SweepOn { .. } => "sweep",
    }
}

/// The body of the SQS message.
pub fn body(message: &Message) -> String {
    let kind = kind(message);
    match message {
        Message::Timer { game, fire } => format!("{kind} {game} {}", fire.ms()),
        Message::Match { division, at } => format!("{kind} {division} {}", at.ms()),
        Message::House { game, turn } => format!("{kind} {game} {turn}"),
        Message::Sweep => kind.to_owned(),
        Message::SweepOn { shard, after: None } => format!("{kind} {shard}"),
        Message::SweepOn { shard, after: Some((created, game)) } => {
            format!("{kind} {shard} {} {game}", created.ms())
        }
    }
}

/// The system attribute of an SQS message that holds the trace of the request that sent it.
pub const TRACE_ATTRIBUTE: &str = "AWSTraceHeader";

/// Reads a body. One that cannot be read never will be, so it must not be retried.
pub fn parse(body: &str) -> Result<Message, UnknownMessage> {
    let words: Vec<&str> = body.split(' ').collect();
    let message = match words[..] {
        ["timer", game, fire] => timer(game, fire),
        ["match", division, at] => nudge(division, at),
        ["house", game, turn] => house(game, turn),
        ["sweep"] => Some(Message::Sweep),
        ["sweep", shard] => sweep_from(shard),
        ["sweep", shard, created, game] => sweep_on(shard, created, game),
        // The form from before every shard had its own chain.
        ["sweep", created, game] => sweep_on("0", created, game),
        _ => None,
    };
    message.ok_or_else(|| UnknownMessage { body: body.chars().take(80).collect() })
}

fn timer(game: &str, fire: &str) -> Option<Message> {
    Some(Message::Timer { game: game.parse().ok()?, fire: Timestamp::from_ms(fire.parse().ok()?) })
}

fn sweep_from(shard: &str) -> Option<Message> {
    Some(Message::SweepOn { shard: shard.parse().ok()?, after: None })
}

fn sweep_on(shard: &str, created: &str, game: &str) -> Option<Message> {
    let created = Timestamp::from_ms(created.parse().ok()?);
    let after = Some((created, game.parse().ok()?));
    Some(Message::SweepOn { shard: shard.parse().ok()?, after })
}

fn nudge(division: &str, at: &str) -> Option<Message> {
    let at = Timestamp::from_ms(at.parse().ok()?);
    Some(Message::Match { division: parse_division(division)?, at })
}

fn house(game: &str, turn: &str) -> Option<Message> {
    Some(Message::House { game: game.parse().ok()?, turn: TurnNumber(turn.parse().ok()?) })
}

/// Reads the `Display` form of [`Division`].
pub(crate) fn parse_division(text: &str) -> Option<Division> {
    let (ruleset, pool) = text.split_once('/')?;
    Some(Division { ruleset: Ruleset::find(ruleset).ok()?, pool: pool.parse().ok()? })
}

/// An SQS message body in none of our formats.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown message body {body:?}")]
pub struct UnknownMessage {
    body: String,
}

impl Store {
    /// Sends these messages to a queue. After a fault some may have been sent.
    pub(crate) async fn send_to(&self, queue: &str, messages: &[Message]) -> Result<(), Fault> {
        let now = self.now();
        for batch in messages.chunks(BATCH_MAX) {
            match batch {
                [message] => self.send_one(queue, message, now).await?,
                _ => self.send_all(queue, batch, now).await?,
            }
            let messages = batch.len() as u64;
            self.meter().add("send", Usage { calls: 1, messages, ..Usage::default() });
        }
        Ok(())
    }

    async fn send_one(&self, queue: &str, message: &Message, now: Timestamp) -> Result<(), Fault> {
        self.sqs()
            .send_message()
            .queue_url(queue)
            .message_body(body(message))
            .delay_seconds(delay_s(message, now)?)
            .set_message_system_attributes(self.trace_attribute())
            .send()
            .await
            .map_err(|error| fault::service("send", error))?;
        Ok(())
    }

    /// The trace of the request that sends the messages. The name is SQS's own, so that X-Ray finds
    /// it too.
    fn trace_attribute(
        &self,
    ) -> Option<HashMap<MessageSystemAttributeNameForSends, MessageSystemAttributeValue>> {
        let trace = self.trace()?;
        let value = MessageSystemAttributeValue::builder()
            .data_type("String")
            .string_value(trace.to_string())
            .build()
            .expect("a value has a type");
        Some(HashMap::from([(MessageSystemAttributeNameForSends::AwsTraceHeader, value)]))
    }

    async fn send_all(
        &self,
        queue: &str,
        messages: &[Message],
        now: Timestamp,
    ) -> Result<(), Fault> {
        let mut call = self.sqs().send_message_batch();
        for (index, message) in messages.iter().enumerate() {
            let entry = SendMessageBatchRequestEntry::builder()
                .id(index.to_string())
                .message_body(body(message))
                .delay_seconds(delay_s(message, now)?)
                .set_message_system_attributes(self.trace_attribute())
                .build()
                .expect("an entry has an id and a body");
            call = call.entries(entry);
        }
        let sent =
            call.queue_url(queue).send().await.map_err(|error| fault::service("send", error))?;
        match sent.failed().first() {
            None => Ok(()),
            Some(failed) => {
                Err(fault::refusal("send", failed.code(), failed.message().unwrap_or_default()))
            }
        }
    }
}

/// Whole seconds, rounded up: a timer that fires early has no effect.
fn delay_s(message: &Message, now: Timestamp) -> Result<i32, Fault> {
    let seconds = (message.delay_ms(now).max(0) + 999) / 1_000;
    if seconds > DELAY_S_MAX {
        return Err(Fault::new("send", Cause::Delay(seconds)));
    }
    Ok(seconds as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_round_trip() {
        let game = "abcdefghijklmnop".parse().unwrap();
        let division = Division { ruleset: &Ruleset::ALL[0], pool: arena::Pool::Slow };
        let messages = [
            (Message::Timer { game, fire: Timestamp::from_ms(17) }, "timer abcdefghijklmnop 17"),
            (
                Message::Match { division, at: Timestamp::from_ms(3) },
                "match renju_taraguchi10_international/slow 3",
            ),
            (Message::House { game, turn: TurnNumber(12) }, "house abcdefghijklmnop 12"),
            (Message::Sweep, "sweep"),
            (Message::SweepOn { shard: 3, after: None }, "sweep 3"),
            (
                Message::SweepOn { shard: 15, after: Some((Timestamp::from_ms(17), game)) },
                "sweep 15 17 abcdefghijklmnop",
            ),
        ];
        for (message, text) in messages {
            assert_eq!(body(&message), text);
            assert_eq!(parse(text), Ok(message));
        }
        let old = Message::SweepOn { shard: 0, after: Some((Timestamp::from_ms(17), game)) };
        assert_eq!(parse("sweep 17 abcdefghijklmnop"), Ok(old), "of the version before");
    }

    #[test]
    fn poison_is_told_apart() {
        for text in [
            "",
            "sweep ",
            "sweep x",
            "sweep 256",
            "sweep 0 17",
            "sweep 0 x abcdefghijklmnop",
            "SWEEP",
            "timer",
            "timer abcdefghijklmnop",
            "timer abcdefghijklmnop x",
            "timer abcdefghijklmno 17",
            "match chess/fast 0",
            "match renju_free/soon 0",
            "match renju_free/fast soon",
            "house abcdefghijklmnop",
            "house abcdefghijklmnop -1",
            "house 3 abcdefghijklmnop",
            r#"{"k":"sweep"}"#,
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
        let error = parse(&"x".repeat(1_000)).unwrap_err();
        assert!(error.to_string().len() < 140, "{error}");
    }

    #[test]
    fn delays_are_whole_seconds_and_never_over_fifteen_minutes() {
        let game = "abcdefghijklmnop".parse().unwrap();
        let now = Timestamp::from_ms(1_000_000);
        let delay = |ms| delay_s(&Message::Timer { game, fire: now.plus(ms) }, now).unwrap();
        assert_eq!([-5, 0, 1, 1_000, 1_001].map(delay), [0, 0, 1, 1, 2]);
        assert_eq!([900_000, 900_001, i64::MAX / 2].map(delay), [900, 900, 900]);
    }
}
