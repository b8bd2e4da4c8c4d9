//! Answers that are the same for everybody: caches may keep them, and whoever has one already is
//! told so.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use lambda_http::Request;
use lambda_http::http::{HeaderValue, StatusCode, header};
use sha2::{Digest, Sha256};

use crate::reply::{Reply, not_modified, with_header};

/// How long caches may keep an answer without asking again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// So many seconds.
    Seconds(u32),
    /// It does not change any more. A week, because what is written about it may.
    Final,
}

/// The reply with an `ETag` of its body and a `Cache-Control`; "not modified" if the reader has
/// that very body. Refusals are left as they are.
pub fn cached(request: &Request, reply: Reply, keep: Keep) -> Reply {
    let response = reply?;
    if response.status() != StatusCode::OK {
        return Ok(response);
    }
    let hash = Sha256::digest(response.body().as_ref());
    let tag = format!("\"{}\"", URL_SAFE_NO_PAD.encode(&hash[..12]));
    let control = match keep {
        Keep::Seconds(seconds) => format!("public, max-age={seconds}"),
        Keep::Final => "public, max-age=604800, immutable".to_owned(),
    };
    let known = request.headers().get(header::IF_NONE_MATCH);
    let reply =
        if known.is_some_and(|known| names(known, &tag)) { not_modified() } else { Ok(response) };
    with_header(with_header(reply, header::ETAG, &tag), header::CACHE_CONTROL, &control)
}

/// Whether `If-None-Match` names the tag. A gateway that compresses makes a tag weak.
fn names(known: &HeaderValue, tag: &str) -> bool {
    let Ok(known) = known.to_str() else { return false };
    let same = |one: &str| one == "*" || one.strip_prefix("W/").unwrap_or(one) == tag;
    known.split(',').map(str::trim).any(same)
}

#[cfg(test)]
mod tests {
    use lambda_http::Body;

    use super::*;
    use crate::reply::text;

    #[test]
    fn a_reader_that_has_the_answer_is_told_so() {
        let ask = |known: Option<&str>, body: &str| {
            let mut request = Request::new(Body::Empty);
            if let Some(known) = known {
                request.headers_mut().insert(header::IF_NONE_MATCH, known.parse().unwrap());
            }
            cached(&request, text(body.to_owned()), Keep::Seconds(2)).unwrap()
        };
        let first = ask(None, "a");
        let tag = first.headers()[header::ETAG].to_str().unwrap();
        assert_eq!(first.headers()[header::CACHE_CONTROL], "public, max-age=2");
        let weak = format!("\"x\", W/{tag}");
        for known in [tag, &weak, "*"] {
            let again = ask(Some(known), "a");
            assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
            assert!(again.body().is_empty() && again.headers()[header::ETAG] == tag);
        }
        for (known, body) in [(tag, "b"), ("\"x\"", "a"), ("", "a")] {
            assert_eq!(ask(Some(known), body).status(), StatusCode::OK);
        }
    }
}
