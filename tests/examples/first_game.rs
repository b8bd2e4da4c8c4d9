//! Two scripted agents play a whole game against a running arena:
//!
//! ```text
//! cargo run                                                        # in one terminal
//! cargo run -p arena-tests --example first_game -- http://127.0.0.1:8080
//! ```

use std::io::{self, Write};

use arena_tests::first_game;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let base = std::env::args().nth(1).unwrap_or("http://127.0.0.1:8080".to_owned());
    // Names are taken for good, so every run brings new ones.
    let run = arena_support::now_ms() % 1_000_000;
    let names = [format!("asta-{run}"), format!("bruno-{run}")];
    let mut say = |line: &str| {
        // With standard output gone there is nobody left to tell.
        let _ = writeln!(io::stdout(), "{line}");
    };
    first_game::play(&base, [&names[0], &names[1]], &mut say).await;
}
