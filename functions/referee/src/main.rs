//! The `referee` function on Lambda.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), arena_lambda::RuntimeError> {
    arena_lambda::serve_queue(arena_referee::handle).await
}
