//! From counters to dollars: ours, and what other designs would cost.

use std::fs;
use std::path::Path;

use arena::TurnNumber;
use arena_support::request_line;
use arena_wire::Noted;
use serde_json::Value;

use super::{DECISIONS, Measured, Step, polls};

/// Prices in dollars, pinned in `infra/prices.json`.
#[derive(Clone, Debug)]
pub struct Prices(Value);

impl Prices {
    /// Reads the file.
    pub fn pinned() -> Prices {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../infra/prices.json");
        let text = fs::read_to_string(path).expect("infra/prices.json can be read");
        Prices(serde_json::from_str(&text).expect("infra/prices.json is JSON"))
    }

    pub(super) fn of(&self, what: &str) -> f64 {
        self.0[what].as_f64().unwrap_or_else(|| panic!("infra/prices.json has no {what}"))
    }

    pub(super) fn text(&self, what: &str) -> &str {
        self.0[what].as_str().unwrap_or_else(|| panic!("infra/prices.json has no {what}"))
    }
}

/// Assumptions that cannot be measured without AWS: the time billed for a call, most of it spent waiting for
/// DynamoDB, and the memory it is billed for (the template's default).
pub(super) const BILLED_S: f64 = 0.010;
pub(super) const MEMORY_GB: f64 = 0.25;

/// CloudWatch adds so many bytes to a line. One in twenty of the requests is logged, and each message.
const LINE_OVERHEAD: f64 = 26.0;
const REQUESTS_A_LINE: f64 = 20.0;

/// SQS charges for sending, receiving and deleting. Batches would make it less.
const CALLS_A_MESSAGE: f64 = 3.0;

/// Requests a second of the whole arena on one machine with two cores (docs/performance.md, Load).
pub(super) const SERVER_REQUESTS_S: f64 = 600.0;
const MONTH_S: f64 = 730.0 * 3_600.0;

/// Use of everything that has a price by one game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Use {
    pub(super) requests: f64,
    pub(super) messages: f64,
    pub(super) write_units: f64,
    pub(super) read_units: f64,
    pub(super) reply_bytes: f64,
    pub(super) stored_bytes: f64,
}

impl Use {
    /// The reference game on our design.
    pub(super) fn ours(measured: &Measured) -> Use {
        let sum = |of: &dyn Fn(&Step) -> f64| -> f64 {
            measured.steps.iter().map(|step| step.times * of(step)).sum()
        };
        Use {
            requests: sum(&|step| f64::from(u8::from(step.is_request))),
            messages: sum(&|step| step.each.messages),
            write_units: sum(&|step| step.each.write_units),
            read_units: sum(&|step| step.each.read_units),
            reply_bytes: sum(&|step| step.each.reply_bytes),
            stored_bytes: measured.stored_bytes,
        }
    }

    /// The same game on the design one writes first: the game as a JSON map with a UUID a decision,
    /// an idempotency record in the same transaction, a read for the key, a message a decision,
    /// a poll every 15 seconds, answered in full. Queueing and the end cost what ours cost.
    pub(super) fn naive(measured: &Measured) -> Use {
        let ours = Use::ours(measured);
        let json_bytes = |decisions: u32| 2_016.0 + 102.0 * f64::from(decisions);
        let units = |bytes: f64, unit: f64| (bytes / unit).ceil();
        let decisions = f64::from(DECISIONS);
        let requests = 4.0 + decisions + polls(measured.waits, 15.0);
        // A transaction takes two units where a write takes one.
        let written: f64 =
            (1..DECISIONS).map(|n| 2.0 * (units(json_bytes(n), 1_024.0) + 1.0)).sum();
        let read = 1.0 + units(json_bytes(DECISIONS / 2), 4_096.0);
        Use {
            requests,
            messages: 2.0 + decisions,
            write_units: ours.write_units - (decisions - 1.0) + written,
            read_units: requests * read,
            reply_bytes: (requests - 4.0) * measured.plain_bytes,
            stored_bytes: json_bytes(DECISIONS),
        }
    }
}

/// Dollars for a million games, item by item.
#[derive(Clone, PartialEq, Debug)]
pub struct Bill {
    pub(super) items: Vec<(&'static str, f64)>,
}

impl Bill {
    /// Ours, behind the HTTP API.
    pub fn ours(measured: &Measured, prices: &Prices) -> Bill {
        Bill::of(Use::ours(measured), prices)
    }

    /// The design one writes first.
    pub fn naive(measured: &Measured, prices: &Prices) -> Bill {
        Bill::of(Use::naive(measured), prices)
    }

    fn of(used: Use, prices: &Prices) -> Bill {
        let calls = used.requests + used.messages;
        let billed_s = 1e6 * BILLED_S * MEMORY_GB;
        Bill {
            items: vec![
                ("HTTP API", used.requests * prices.of("http_api_million_requests")),
                ("Lambda, calls", calls * prices.of("lambda_million_requests")),
                ("Lambda, time", calls * billed_s * prices.of("lambda_gb_second")),
                ("DynamoDB, writes", used.write_units * prices.of("dynamodb_million_write_units")),
                ("DynamoDB, reads", used.read_units * prices.of("dynamodb_million_read_units")),
                ("DynamoDB, a month kept", gb(used.stored_bytes) * prices.of("dynamodb_gb_month")),
                ("SQS", used.messages * CALLS_A_MESSAGE * prices.of("sqs_million_requests")),
                ("data out", gb(used.reply_bytes) * prices.of("egress_gb")),
                ("log", logs(used.requests / REQUESTS_A_LINE + used.messages, prices)),
                ("recovery, a month kept", gb(used.stored_bytes) * prices.of("recovery_gb_month")),
            ],
        }
    }

    /// The whole of it.
    pub fn total(&self) -> f64 {
        self.items.iter().map(|(_, dollars)| dollars).sum()
    }

    /// One item.
    pub fn item(&self, name: &str) -> f64 {
        self.items.iter().find(|(item, _)| *item == name).map_or(0.0, |(_, dollars)| *dollars)
    }
}

/// So many lines a game, as arena-wire writes them, kept for half a month.
pub(super) fn logs(lines: f64, prices: &Prices) -> f64 {
    let noted = Noted {
        agent: Some("aristarchu".parse().unwrap()),
        game: Some("abcdefghijklmnop".parse().unwrap()),
        turn: Some(TurnNumber(20)),
        ..Noted::default()
    };
    let bytes = request_line(&noted).len() as f64 + LINE_OVERHEAD;
    gb(lines * bytes) * (prices.of("logs_gb") + prices.of("logs_gb_month") / 2.0)
}

/// Two machines, so that one may fail, and the same data out: dollars a million games when so many
/// million are played in a month.
pub(super) fn servers(used: Use, prices: &Prices, millions_a_month: f64) -> f64 {
    let machines = 2.0 * prices.of("server_month");
    machines / millions_a_month + gb(used.reply_bytes) * prices.of("egress_gb")
}

/// The most games a month, in millions, that such a machine can serve.
pub(super) fn server_millions_a_month(used: Use) -> f64 {
    SERVER_REQUESTS_S * MONTH_S / used.requests / 1e6
}

/// Gigabytes a million games, from bytes a game.
fn gb(bytes: f64) -> f64 {
    bytes * 1e6 / 1e9
}
