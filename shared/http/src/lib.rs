//! From a gateway's request to an answer: keys, bodies, problems, the clock.
//!
//! The only crate that knows a status code and the only one that reads a clock. It decides nothing
//! about games.

mod app;
mod auth;
mod body;
mod cache;
mod cors;
mod gate;
mod health;
mod key;
mod limit;
pub mod log;
mod page;
mod query;
mod quota;
mod received;
mod recent;
mod refusal;
mod reply;
mod serve;
mod site;
mod squeeze;
mod target;
mod workers;

pub use app::{App, Settings, StartError, Waits};
pub use auth::{bearer, has_key};
pub use body::{BODY_MAX, body, header_key, too_large};
pub use cache::{Keep, cached, cached_as, knows, tag_of};
pub use gate::{Gate, Pass, give_way};
pub use key::{ApiKey, Pepper};
pub use limit::Limiter;
pub use log::Log;
pub use page::{html, refused_page, wants_html};
pub use query::{page, query};
pub use quota::{Place, Quota};
pub use received::{address, now, received_at};
pub use refusal::{Refusal, STATUSES};
pub use reply::{
    Reply, created, not_modified, ok, replayed, respond, text, with_header, with_retry_after,
    written,
};
pub use serve::{RuntimeError, answer, serve, serve_keys, serve_queue, serve_sockets};
pub use site::{base_url, check_site, varied_by_site};
pub use target::{Target, target};
pub use workers::{NotDone, Workers};
