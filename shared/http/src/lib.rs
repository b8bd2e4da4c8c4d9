//! From a gateway's request to an answer: keys, bodies, problems, the clock.
//!
//! The only crate that knows a status code and the only one that reads a clock. It decides nothing
//! about games.

mod app;
mod auth;
mod body;
mod key;
mod limit;
pub mod log;
mod page;
mod publish;
mod received;
mod refusal;
mod reply;
mod serve;
mod target;

pub use app::{App, Settings, StartError};
pub use auth::bearer;
pub use body::{BODY_MAX, body, header_key};
pub use key::{ApiKey, Pepper};
pub use limit::Limiter;
pub use page::{html, origin, refused_page, wants_html};
pub use publish::{FOREVER_S, LASTING_S, published, published_as, tag_of};
pub use received::{address, now, received_at};
pub use refusal::Refusal;
pub use reply::{
    Reply, created, file, not_modified, ok, replayed, respond, text, with_header, with_retry_after,
};
pub use serve::{RuntimeError, serve, serve_queue};
pub use target::{Target, target};
