//! The `duel` function on Lambda.

use std::sync::{Arc, Mutex};

use arena_duel::{Duel, handle};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), arena_lambda::RuntimeError> {
    let duel = Arc::new(Mutex::new(Duel::new()));
    arena_lambda::serve_sockets(move |sockets, event| handle(Arc::clone(&duel), sockets, event))
        .await
}
