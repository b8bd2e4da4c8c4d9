//! The `referee` function on Lambda.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), arena_http::RuntimeError> {
    arena_http::serve_queue(arena_referee::handle).await
}
