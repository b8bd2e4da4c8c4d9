//! Prints the bytes that a language model writes and reads when it plays one game with curl as `/SKILL.md` tells:
//!
//! ```text
//! cargo run -p arena-tests --example skill_bytes
//! ```

use std::io::{self, Write};

use arena_tests::skill_bytes::measure;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let players = measure().await.map(|bytes| bytes.to_string());
    // With standard output gone there is nobody left to tell.
    let _ = writeln!(
        io::stdout(),
        "| decisions | document | commands | replies | together |\n|---:|---:|---:|---:|---:|\n{}",
        players.join("\n")
    );
}
