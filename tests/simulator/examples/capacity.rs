//! The capacity model: prints what a deployment does under load, in virtual time.
//!
//! `cargo run --release -p arena-simulator --example capacity -- --live-games 100000 --shards 8`

#![allow(clippy::print_stdout, reason = "it is a command")]

use std::collections::BTreeMap;
use std::env;
use std::fs;

use arena_simulator::{Measured, Settings, measure};

/// Memory of a function, and calls of SQS for a message: to send, receive and delete it.
const MEMORY_GB: f64 = 0.25;
const CALLS_A_MESSAGE: f64 = 3.0;

/// Functions behind the gateway.
const ROUTES: [&str; 3] = ["queue", "move", "poll"];

fn settings() -> Settings {
    let mut settings = Settings::default();
    let mut words = env::args().skip(1);
    while let Some(flag) = words.next() {
        let word = words.next().unwrap_or_default();
        let number: f64 = word.parse().unwrap_or_else(|_| panic!("{flag} needs a number"));
        match flag.as_str() {
            "--live-games" => settings.live_games = number as usize,
            "--divisions" => settings.divisions = number as usize,
            "--shards" => settings.shards = number as u8,
            "--joins-per-second" => settings.joins_per_second = number,
            "--burst" => settings.burst = number as usize,
            "--seconds" => settings.seconds = number as i64,
            "--game-seconds" => settings.game_seconds = number as i64,
            "--concurrency" => settings.concurrency = number as usize,
            "--seed" => settings.seed = number as u64,
            _ => panic!("there is no {flag}"),
        }
    }
    settings
}

fn main() {
    let settings = settings();
    let mut measured = measure(&settings);
    let seconds = settings.seconds as f64;
    let games = measured.started.max(1) as f64;
    row("games/s started", measured.started as f64 / seconds);
    row("games/s ended", measured.ended as f64 / seconds);
    times("wait of a matchable pair", &mut measured.waits);
    times("deadline lag", &mut measured.lags);
    if settings.burst > 0 {
        let (seated, last_ms) = measured.burst;
        println!("burst: {seated} of {} seated, the last after {}", settings.burst, s(last_ms));
    }
    for (name, peak) in &measured.peaks {
        let throttles = measured.throttles.get(name).copied().unwrap_or(0);
        println!(
            "{name}, busiest key: {:.0} writes/s, {:.0} reads/s; {throttles} throttles",
            peak.written, peak.read
        );
    }
    println!("transactions in conflict: {}", measured.conflicts);
    for (name, function) in &measured.lambda.functions {
        println!(
            "{name}: {:.0} calls/s of {:.0} ms, {} at once, {} refused",
            function.calls as f64 / seconds,
            function.billed_ms as f64 / function.calls.max(1) as f64,
            function.most,
            function.refused
        );
    }
    row("Lambda concurrency, peak", measured.lambda.most as f64);
    row("requests a game", requests(&measured) / games);
    row("write units a game", measured.units.written / games);
    row("read units a game", measured.units.read / games);
    row("messages a game", measured.messages as f64 / games);
    row("dollars a million games, without data out and logs", dollars(&measured) / games * 1e6);
}

fn row(name: &str, number: f64) {
    println!("{name}: {number:.1}");
}

fn s(ms: i64) -> String {
    format!("{:.1} s", ms as f64 / 1e3)
}

fn times(name: &str, ms: &mut [i64]) {
    ms.sort_unstable();
    let Some(most) = ms.last() else { return println!("{name}: none") };
    let part = |part: usize| s(ms[(ms.len() - 1) * part / 100]);
    println!("{name}: p50 {}, p99 {}, max {} of {}", part(50), part(99), s(*most), ms.len());
}

fn requests(measured: &Measured) -> f64 {
    let functions = measured.lambda.functions.iter();
    let requests = functions.filter(|(name, _)| ROUTES.contains(name));
    requests.map(|(_, function)| (function.calls + function.refused) as f64).sum()
}

/// Dollars for all that was used.
fn dollars(measured: &Measured) -> f64 {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../infra/prices.json");
    let text = fs::read_to_string(path).expect("infra/prices.json can be read");
    let prices: BTreeMap<String, serde_json::Value> =
        serde_json::from_str(&text).expect("infra/prices.json is JSON");
    let price = |name: &str| prices[name].as_f64().expect("a price is a number");
    let calls: f64 = measured.lambda.functions.values().map(|function| function.calls as f64).sum();
    let billed_ms: f64 = measured.lambda.functions.values().map(|it| it.billed_ms as f64).sum();
    let millions = requests(measured) * price("http_api_million_requests")
        + calls * price("lambda_million_requests")
        + measured.units.written * price("dynamodb_million_write_units")
        + measured.units.read * price("dynamodb_million_read_units")
        + measured.messages as f64 * CALLS_A_MESSAGE * price("sqs_million_requests");
    millions / 1e6 + billed_ms / 1e3 * MEMORY_GB * price("lambda_gb_second")
}
