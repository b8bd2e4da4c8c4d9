//! From a Lambda event to a reply. Three adapters: HTTP requests, queue messages, sockets.
//!
//! The only crate that knows status codes. It decides nothing about games: a handler reads the
//! request, calls a use case of `arena-protocol` and shows its outcome.

mod auth;
mod body;
mod cache;
mod context;
mod cors;
mod front;
mod gate;
mod gzip;
mod health;
mod history;
mod http;
mod key;
mod limit;
mod lines;
pub mod log;
mod notes;
mod page;
mod query;
mod queue;
mod quota;
mod received;
mod refusal;
mod reply;
mod site;
mod socket;
mod target;
mod workers;

pub use auth::{bearer, has_key, required_key};
pub use body::{BODY_MAX, body, header_key, too_large};
pub use cache::{Keep, cached, cached_as, knows, tag_of};
pub use context::{Context, Settings, StartError, Waits};
pub use front::Front;
pub use gate::{Gate, Pass, give_way};
pub use history::history;
pub use http::{RuntimeError, answer, serve, serve_keys};
pub use key::{ApiKey, Pepper};
pub use limit::Limiter;
pub use lines::game_lines;
pub use log::Log;
pub use page::{framed, html, html_with_module, refused_page, wants_html};
pub use query::{paging, query, query_of};
pub use queue::{Unhandled, handle_batch, serve_queue};
pub use quota::{Quota, Slot};
pub use received::{address, received_at};
pub use refusal::{Refusal, STATUSES};
pub use reply::{
    Reply, created, not_modified, ok, replayed, respond, see_other, text, with_header,
    with_retry_after, written,
};
pub use site::{check_site, varied_by_site};
pub use socket::serve_sockets;
pub use target::{Target, target};
pub use workers::{NotDone, Workers};
