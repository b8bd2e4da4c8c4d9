//! The `house` function on Lambda.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), arena_lambda::RuntimeError> {
    arena_lambda::serve_queue(arena_house::handle).await
}
