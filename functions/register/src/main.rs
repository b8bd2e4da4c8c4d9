//! The `register` function on Lambda.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), arena_http::RuntimeError> {
    arena_http::serve_keys(arena_register::handle).await
}
