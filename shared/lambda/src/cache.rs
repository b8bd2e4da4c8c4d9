//! Replies that are the same for all clients: cacheable, with an `ETag`.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use lambda_http::http::{StatusCode, header};
use lambda_http::{Body, Request, Response};
use sha2::{Digest, Sha256};

use crate::context::Context;
use crate::reply::{Reply, not_modified, with_header};

/// Most replies kept in memory.
const KEPT_MAX: usize = 64;

/// Cache time of a reply.
#[allow(missing_docs, reason = "the names say it")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    Seconds(u32),
    /// Immutable. Cached for a week only, because a release may change how it is rendered.
    Final,
}

/// The reply with an `ETag` of its body and a `Cache-Control`; "not modified" if the client has
/// that body. Refusals are left as they are.
pub fn cached(request: &Request, reply: Reply, keep: Keep) -> Reply {
    let tag = match &reply {
        Ok(response) if response.status() == StatusCode::OK => tag_of(response.body()),
        _ => return reply,
    };
    cached_as(request, &tag, keep, || reply)
}

/// The same for a tag known in advance; `make` runs only if needed.
pub fn cached_as(request: &Request, tag: &str, keep: Keep, make: impl FnOnce() -> Reply) -> Reply {
    let reply = if knows(request, tag) { not_modified() } else { make() };
    let control = match keep {
        Keep::Seconds(seconds) => format!("public, max-age={seconds}"),
        Keep::Final => "public, max-age=604800, immutable".to_owned(),
    };
    let reply = with_header(reply, header::CACHE_CONTROL, &control);
    with_header(reply, header::ETAG, tag)
}

/// Lists that read many items, by their keys, each with the time it was made.
#[derive(Debug, Default)]
pub(crate) struct Lists(Mutex<HashMap<String, (Instant, Response<Body>)>>);

impl Lists {
    fn find(&self, key: &str, age_max: Duration) -> Option<Response<Body>> {
        let lists = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lists.get(key).filter(|(made, _)| made.elapsed() < age_max).map(|(_, list)| list.clone())
    }

    fn keep(&self, key: String, list: &Response<Body>, age_max: Duration) {
        let mut lists = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lists.len() >= KEPT_MAX {
            lists.retain(|_, (made, _)| made.elapsed() < age_max);
        }
        if lists.len() >= KEPT_MAX {
            let oldest = lists.iter().min_by_key(|(_, (made, _))| *made);
            let oldest = oldest.map(|(key, _)| key.clone());
            oldest.and_then(|oldest| lists.remove(&oldest));
        }
        if !age_max.is_zero() {
            lists.insert(key, (Instant::now(), list.clone()));
        }
    }
}

impl Context {
    /// A list that takes many reads. This process makes it once in
    /// [`Settings::lists_ms`](crate::Settings), however many ask for it, and any cache may keep it for
    /// as long as `keep` says. `key` tells apart lists that differ.
    pub async fn list(
        &self,
        request: &Request,
        key: String,
        keep: Keep,
        make: impl AsyncFnOnce() -> Reply,
    ) -> Reply {
        let age_max = Duration::from_millis(self.settings().lists_ms);
        if let Some(list) = self.lists().find(&key, age_max) {
            return cached(request, Ok(list), keep);
        }
        let list = make().await?;
        if list.status() == StatusCode::OK {
            self.lists().keep(key, &list, age_max);
        }
        cached(request, Ok(list), keep)
    }
}

/// A weak tag, because compression does not change the content.
pub fn tag_of(body: &[u8]) -> String {
    let digest = Sha256::digest(body);
    let mut tag = String::from("W/\"");
    for byte in &digest[..8] {
        tag.push_str(&format!("{byte:02x}"));
    }
    tag + "\""
}

/// True if the client has the content of this tag.
pub fn knows(request: &Request, tag: &str) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let known = request.headers().get_all(header::IF_NONE_MATCH);
    known
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|known| known.trim() == "*" || opaque(known) == opaque(tag))
}

#[cfg(test)]
mod tests {
    use lambda_http::Body;
    use lambda_http::http::HeaderValue;

    use super::*;
    use crate::reply::text;

    fn asking(name: &'static str, value: &str) -> Request {
        let mut request = Request::new(Body::Empty);
        request.headers_mut().insert(name, HeaderValue::from_str(value).unwrap());
        request
    }

    #[test]
    fn a_known_tag_is_recognised_in_a_list_and_without_its_weakness() {
        let tag = tag_of(b"body");
        let strong = tag.trim_start_matches("W/");
        for known in [tag.as_str(), strong, "*", &format!("\"x\", {tag}")] {
            assert!(knows(&asking("if-none-match", known), &tag), "{known}");
        }
        for other in ["", "\"x\"", "W/\"0123\""] {
            assert!(!knows(&asking("if-none-match", other), &tag), "{other}");
        }
    }

    #[test]
    fn a_reader_that_has_the_answer_is_told_so() {
        let ask = |known| cached(&asking("if-none-match", known), text("a".into()), FIVE).unwrap();
        const FIVE: Keep = Keep::Seconds(5);
        let first = ask("");
        let tag = first.headers()["etag"].to_str().unwrap();
        assert_eq!(first.headers()["cache-control"], "public, max-age=5");
        let again = ask(tag);
        assert_eq!((again.status(), again.body().len()), (StatusCode::NOT_MODIFIED, 0));
        assert_eq!(again.headers()["etag"], tag);
        assert_eq!(again.headers()["cache-control"], "public, max-age=5");
        let refused = cached(&asking("if-none-match", "*"), not_modified(), FIVE).unwrap();
        assert!(refused.headers().is_empty(), "only an answer is tagged");
    }
}
