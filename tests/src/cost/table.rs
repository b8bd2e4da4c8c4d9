//! The bill as it stands in docs/operations.md.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use super::bill::{
    BILLED_S, MEMORY_GB, SERVER_REQUESTS_S, Use, logs, server_millions_a_month, servers,
};
use super::{Bill, DECISIONS, Measured, POLL_S, Prices, THINK_S};

const START: &str =
    "<!-- cost: written by `cargo run -p arena-tests --example cost -- --write` -->\n";
const END: &str = "<!-- end of cost -->\n";

/// Figures that a run may move by this part: ids and thinking times change how well a reply is compressed.
const TOLERANCE: f64 = 0.05;

/// The measured game, its bill, and what others would pay.
pub fn table(measured: &Measured, prices: &Prices) -> String {
    let (ours, bill) = (Use::ours(measured), Bill::ours(measured, prices));
    let (naive, naive_bill) = (Use::naive(measured), Bill::naive(measured, prices));
    let mut text = format!(
        "The reference game: {DECISIONS} decisions of {THINK_S} s, polls every {POLL_S} s while the \
         opponent thinks, clients that accept gzip.\n\n\
         | operation | a game | write units | read units | messages | bytes out |\n\
         |---|---:|---:|---:|---:|---:|\n"
    );
    for step in &measured.steps {
        let each = step.each;
        let _ = writeln!(
            text,
            "| {} | {:.1} | {:.1} | {:.1} | {:.1} | {:.0} |",
            step.what,
            step.times,
            each.write_units,
            each.read_units,
            each.messages,
            each.reply_bytes
        );
    }
    for (what, used) in [("a game", ours), ("a game, naive", naive)] {
        let _ = writeln!(
            text,
            "| **{what}** | {:.0} requests | {:.0} | {:.0} | {:.0} | {:.0} |",
            used.requests, used.write_units, used.read_units, used.messages, used.reply_bytes
        );
    }
    let _ = write!(
        text,
        "\nDollars for a million games with the default template ({}, {}; each call is billed {:.0} ms of {MEMORY_GB} GB, an \
         assumption):\n\n\
         | | ours | naive |\n|---|---:|---:|\n",
        prices.text("region"),
        prices.text("date"),
        BILLED_S * 1e3,
    );
    for ((item, dollars), (_, of_naive)) in bill.items.iter().zip(&naive_bill.items) {
        let _ = writeln!(text, "| {item} | {dollars:.1} | {of_naive:.1} |");
    }
    let total = bill.total();
    let most = server_millions_a_month(ours);
    let _ = write!(
        text,
        "| **total** | **{total:.0}** | **{:.0}** |\n\n\
         Naive stores the game as JSON, writes an idempotency record in a transaction, reads the key, \
         sends a message for each decision, and is polled every 15 s with full replies without gzip.\n\n\
         | variant | dollars a million games |\n|---|---:|\n\
         | ours behind a Function URL, without the HTTP API | {:.0} |\n\
         | ours, if no client accepts gzip | {:.0} |\n\
         | ours, with a log line for each request (`Log=all`) | {:.0} |\n\
         | two servers, at one million games a month | {:.0} |\n\
         | two servers, at {most:.0} million games a month, the most that one can serve ({SERVER_REQUESTS_S:.0} \
         requests/s) | {:.0} |\n\n\
         Two servers are cheaper from about {:.1} million games a month, without the work to maintain \
         them. Idle, the arena costs next to nothing and the servers {:.0} dollars a month.\n",
        naive_bill.total(),
        total - bill.item("HTTP API"),
        total - bill.item("data out") + uncompressed(measured, prices),
        total - bill.item("log") + logs(ours.requests + ours.messages, prices),
        servers(ours, prices, 1.0),
        servers(ours, prices, most),
        2.0 * prices.of("server_month") / (total - bill.item("data out")),
        2.0 * prices.of("server_month"),
    );
    text
}

/// Data out if every poll with news were sent as it is, and the reply to a decision as well, which is
/// never longer.
fn uncompressed(measured: &Measured, prices: &Prices) -> f64 {
    let bytes = (measured.waits + f64::from(DECISIONS)) * measured.plain_bytes;
    bytes / 1e3 * prices.of("egress_gb")
}

/// The table that stands in docs/operations.md.
pub fn documented() -> String {
    let text = fs::read_to_string(page()).expect("docs/operations.md can be read");
    let (_, rest) = text.split_once(START).expect("docs/operations.md has a table of costs");
    let (table, _) = rest.split_once(END).expect("the table of costs has an end");
    table.to_owned()
}

/// Puts the table into docs/operations.md.
pub fn write_documented(table: &str) {
    let text = fs::read_to_string(page()).expect("docs/operations.md can be read");
    let (before, rest) = text.split_once(START).expect("docs/operations.md has a table of costs");
    let (_, after) = rest.split_once(END).expect("the table of costs has an end");
    let text = format!("{before}{START}{table}{END}{after}");
    fs::write(page(), text).expect("docs/operations.md can be written");
}

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/operations.md")
}

/// The first words in which two tables differ by more than a run may move them.
pub fn differs<'a>(one: &'a str, other: &'a str) -> Option<(&'a str, &'a str)> {
    let words = |text: &'a str| text.split_whitespace();
    let number = |word: &str| word.trim_matches('*').parse::<f64>().ok();
    let is_same = |a: &str, b: &str| match (number(a), number(b)) {
        (Some(a), Some(b)) => (a - b).abs() <= (a.abs() * TOLERANCE).max(0.11),
        _ => a == b,
    };
    let pairs = words(one).map(Some).chain(std::iter::repeat(None));
    let others = words(other).map(Some).chain(std::iter::repeat(None));
    pairs
        .zip(others)
        .take_while(|(a, b)| a.is_some() || b.is_some())
        .map(|(a, b)| (a.unwrap_or_default(), b.unwrap_or_default()))
        .find(|(a, b)| !is_same(a, b))
}
