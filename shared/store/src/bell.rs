//! Bells as messages: one line of text, and nothing in it but where to look.
//!
//! `timer <game> <fire ms>`, `match <ruleset>/<pool> <ms>`, `house <game> <turn>`, `sweep`,
//! `sweep <shard>`, `sweep <shard> <start ms> <game>`. Those that begin with `house` have a queue of their own.

use std::collections::HashMap;
use std::fmt;

use arena::{Bell, Division, Timestamp, TurnNumber};
use arena_protocol::{Backend, Cause, Fault};
use aws_sdk_sqs::types::{
    MessageSystemAttributeNameForSends, MessageSystemAttributeValue, SendMessageBatchRequestEntry,
};
use renju::Ruleset;

use crate::meter::Usage;
use crate::{Store, fault};

/// The longest SQS delays a message. No emulator refuses more, so it is checked here.
const DELAY_S_MAX: i64 = 900;

/// The most messages of one call.
const BATCH_MAX: usize = 10;

/// The first word of the message that carries a bell.
pub fn kind(bell: &Bell) -> &'static str {
    match bell {
        Bell::Timer { .. } => "timer",
        Bell::Match { .. } => "match",
        Bell::House { .. } => "house",
        Bell::Sweep | Bell::SweepOn { .. } => "sweep",
    }
}

/// The message that carries a bell.
pub fn body(bell: &Bell) -> String {
    let kind = kind(bell);
    match bell {
        Bell::Timer { game, fire } => format!("{kind} {game} {}", fire.ms()),
        Bell::Match { division, at } => format!("{kind} {division} {}", at.ms()),
        Bell::House { game, turn } => format!("{kind} {game} {turn}"),
        Bell::Sweep => kind.to_owned(),
        Bell::SweepOn { shard, after: None } => format!("{kind} {shard}"),
        Bell::SweepOn { shard, after: Some((created, game)) } => {
            format!("{kind} {shard} {} {game}", created.ms())
        }
    }
}

/// The system attribute of a message that says which request sent it.
pub const TRACE_ATTRIBUTE: &str = "AWSTraceHeader";

/// The bell that a message carries. A message that carries none is poison: it never will.
pub fn parse(body: &str) -> Result<Bell, UnknownBell> {
    let words: Vec<&str> = body.split(' ').collect();
    let bell = match words[..] {
        ["timer", game, fire] => timer(game, fire),
        ["match", division, at] => nudge(division, at),
        ["house", game, turn] => house(game, turn),
        ["sweep"] => Some(Bell::Sweep),
        ["sweep", shard] => sweep_from(shard),
        ["sweep", shard, created, game] => sweep_on(shard, created, game),
        // As it was sent before there was a chain for each shard.
        ["sweep", created, game] => sweep_on("0", created, game),
        _ => None,
    };
    bell.ok_or_else(|| UnknownBell { body: body.chars().take(80).collect() })
}

fn timer(game: &str, fire: &str) -> Option<Bell> {
    Some(Bell::Timer { game: game.parse().ok()?, fire: Timestamp::from_ms(fire.parse().ok()?) })
}

fn sweep_from(shard: &str) -> Option<Bell> {
    Some(Bell::SweepOn { shard: shard.parse().ok()?, after: None })
}

fn sweep_on(shard: &str, created: &str, game: &str) -> Option<Bell> {
    let created = Timestamp::from_ms(created.parse().ok()?);
    let after = Some((created, game.parse().ok()?));
    Some(Bell::SweepOn { shard: shard.parse().ok()?, after })
}

fn nudge(division: &str, at: &str) -> Option<Bell> {
    let at = Timestamp::from_ms(at.parse().ok()?);
    Some(Bell::Match { division: parse_division(division)?, at })
}

fn house(game: &str, turn: &str) -> Option<Bell> {
    Some(Bell::House { game: game.parse().ok()?, turn: TurnNumber(turn.parse().ok()?) })
}

/// Reads what [`Division`] displays.
pub(crate) fn parse_division(text: &str) -> Option<Division> {
    let (ruleset, pool) = text.split_once('/')?;
    Some(Division { ruleset: Ruleset::find(ruleset).ok()?, pool: pool.parse().ok()? })
}

/// A message that carries no bell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownBell {
    body: String,
}

impl fmt::Display for UnknownBell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the message {:?} is none of ours", self.body)
    }
}

impl std::error::Error for UnknownBell {}

impl Store {
    /// Sends these messages to a queue. On a fault some may have been sent.
    pub(crate) async fn send_to(&self, queue: &str, bells: &[Bell]) -> Result<(), Fault> {
        let now = self.now();
        for batch in bells.chunks(BATCH_MAX) {
            match batch {
                [bell] => self.send_one(queue, bell, now).await?,
                _ => self.send_all(queue, batch, now).await?,
            }
            let messages = batch.len() as u64;
            self.meter().add("ring", Usage { calls: 1, messages, ..Usage::default() });
        }
        Ok(())
    }

    async fn send_one(&self, queue: &str, bell: &Bell, now: Timestamp) -> Result<(), Fault> {
        self.sqs()
            .send_message()
            .queue_url(queue)
            .message_body(body(bell))
            .delay_seconds(delay_s(bell, now)?)
            .set_message_system_attributes(self.trace_attribute())
            .send()
            .await
            .map_err(|error| fault::service("ring", error))?;
        Ok(())
    }

    /// Tells with each message which request sent it. Its name is SQS's own, so that X-Ray sees it too.
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

    async fn send_all(&self, queue: &str, bells: &[Bell], now: Timestamp) -> Result<(), Fault> {
        let mut call = self.sqs().send_message_batch();
        for (index, bell) in bells.iter().enumerate() {
            let entry = SendMessageBatchRequestEntry::builder()
                .id(index.to_string())
                .message_body(body(bell))
                .delay_seconds(delay_s(bell, now)?)
                .set_message_system_attributes(self.trace_attribute())
                .build()
                .expect("an entry has an id and a body");
            call = call.entries(entry);
        }
        let sent =
            call.queue_url(queue).send().await.map_err(|error| fault::service("ring", error))?;
        match sent.failed().first() {
            None => Ok(()),
            Some(failed) => {
                Err(fault::refusal("ring", failed.code(), failed.message().unwrap_or_default()))
            }
        }
    }
}

/// Whole seconds, rounded up: a timer that fires early only finds nothing to do.
fn delay_s(bell: &Bell, now: Timestamp) -> Result<i32, Fault> {
    let seconds = (bell.delay_ms(now).max(0) + 999) / 1_000;
    if seconds > DELAY_S_MAX {
        return Err(Fault::new("ring", Cause::Delay(seconds)));
    }
    Ok(seconds as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bells_round_trip() {
        let game = "abcdefghijklmnop".parse().unwrap();
        let division = Division { ruleset: &Ruleset::ALL[0], pool: arena::Pool::Slow };
        let bells = [
            (Bell::Timer { game, fire: Timestamp::from_ms(17) }, "timer abcdefghijklmnop 17"),
            (
                Bell::Match { division, at: Timestamp::from_ms(3) },
                "match renju_taraguchi10_international/slow 3",
            ),
            (Bell::House { game, turn: TurnNumber(12) }, "house abcdefghijklmnop 12"),
            (Bell::Sweep, "sweep"),
            (Bell::SweepOn { shard: 3, after: None }, "sweep 3"),
            (
                Bell::SweepOn { shard: 15, after: Some((Timestamp::from_ms(17), game)) },
                "sweep 15 17 abcdefghijklmnop",
            ),
        ];
        for (bell, text) in bells {
            assert_eq!(body(&bell), text);
            assert_eq!(parse(text), Ok(bell));
        }
        let old = Bell::SweepOn { shard: 0, after: Some((Timestamp::from_ms(17), game)) };
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
        let delay = |ms| delay_s(&Bell::Timer { game, fire: now.plus(ms) }, now).unwrap();
        assert_eq!([-5, 0, 1, 1_000, 1_001].map(delay), [0, 0, 1, 1, 2]);
        assert_eq!([900_000, 900_001, i64::MAX / 2].map(delay), [900, 900, 900]);
    }
}
