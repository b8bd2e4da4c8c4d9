//! The `spectate` function on Lambda.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), arena_http::RuntimeError> {
    arena_http::serve(arena_spectate::handle).await
}
