//! The `house` function on Lambda.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), arena_http::RuntimeError> {
    arena_http::serve_queue(arena_house::handle).await
}
