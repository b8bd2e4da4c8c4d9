//! The `spectate` function on Lambda.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), arena_lambda::RuntimeError> {
    arena_lambda::serve(arena_spectate::handle).await
}
