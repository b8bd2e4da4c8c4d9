//! The `move` function on Lambda.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), arena_http::RuntimeError> {
    arena_http::serve(arena_move::handle).await
}
