//! Prints the cost of a million games, from counters measured now on the embedded stack and the prices in
//! `infra/prices.json`; `-- --write` puts the tables into docs/operations.md:
//!
//! ```text
//! cargo run -p arena-tests --example cost
//! ```

use std::io::{self, Write};

use arena_tests::cost::{Prices, measure, table, write_documented};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let table = table(&measure().await, &Prices::pinned());
    if std::env::args().any(|argument| argument == "--write") {
        write_documented(&table);
    }
    // With standard output gone there is nobody left to tell.
    let _ = write!(io::stdout(), "{table}");
}
