//! The `register` function on Lambda.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), arena_lambda::RuntimeError> {
    arena_lambda::serve_keys(arena_register::handle).await
}
