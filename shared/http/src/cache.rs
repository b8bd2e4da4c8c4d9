//! Answers that are the same for everybody: caches may keep them, whoever has one already is told so,
//! and whoever asks for it gets them compressed.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use lambda_http::http::{HeaderMap, HeaderValue, StatusCode, header};
use lambda_http::{Body, Request, Response};
use sha2::{Digest, Sha256};

use crate::reply::{Reply, not_modified, with_header};

/// Less than this is one packet either way.
const COMPRESS_MIN: usize = 1_400;

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
    let tag = match &reply {
        Ok(response) if response.status() == StatusCode::OK => tag_of(response.body()),
        _ => return reply,
    };
    cached_as(request, &tag, keep, || reply)
}

/// The same where the tag is known before the answer, which is made only if it is needed.
pub fn cached_as(request: &Request, tag: &str, keep: Keep, make: impl FnOnce() -> Reply) -> Reply {
    let reply = if knows(request, tag) { not_modified() } else { compressed(request, make()?) };
    let control = match keep {
        Keep::Seconds(seconds) => format!("public, max-age={seconds}"),
        Keep::Final => "public, max-age=604800, immutable".to_owned(),
    };
    let reply = with_header(reply, header::CACHE_CONTROL, &control);
    let reply = with_header(reply, header::VARY, "accept-encoding");
    with_header(reply, header::ETAG, tag)
}

/// A weak tag: the same content compressed is the same to its reader.
pub fn tag_of(body: &[u8]) -> String {
    let digest = Sha256::digest(body);
    let mut tag = String::from("W/\"");
    for byte in &digest[..8] {
        tag.push_str(&format!("{byte:02x}"));
    }
    tag + "\""
}

/// Whether the reader says that it has what this tag stands for.
fn knows(request: &Request, tag: &str) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let known = request.headers().get_all(header::IF_NONE_MATCH);
    known
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|known| known.trim() == "*" || opaque(known) == opaque(tag))
}

fn compressed(request: &Request, mut response: Response<Body>) -> Reply {
    let is_text = matches!(response.body(), Body::Text(_));
    if is_text && response.body().len() >= COMPRESS_MIN && takes_gzip(request.headers()) {
        let body = gzip(response.body());
        *response.body_mut() = Body::Binary(body);
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    Ok(response)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 3), Compression::new(5));
    encoder
        .write_all(bytes)
        .and_then(|()| encoder.finish())
        .expect("writing to memory does not fail")
}

/// Whether gzip is asked for, and not with a weight of nought.
fn takes_gzip(headers: &HeaderMap) -> bool {
    headers
        .get_all(header::ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|coding| {
            let (name, weight) = coding.split_once(';').unwrap_or((coding, "q=1"));
            let weight = weight.trim().trim_start_matches("q=").parse().unwrap_or(1.0_f32);
            matches!(name.trim(), "gzip" | "*") && weight > 0.0
        })
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn only_who_asks_for_it_gets_gzip() {
        let takes = |value: &str| takes_gzip(asking("accept-encoding", value).headers());
        assert!(takes("gzip") && takes("br, gzip;q=0.5") && takes("*"));
        assert!(!takes("") && !takes("br") && !takes("gzip;q=0") && !takes("gzip; q=0"));
    }

    #[test]
    fn an_answer_is_small_tagged_and_spared() {
        let body = "calm ".repeat(1_000);
        const FIVE: Keep = Keep::Seconds(5);
        let make = || crate::reply::text(body.clone());
        let whole = cached(&Request::new(Body::Empty), make(), FIVE).unwrap();
        assert_eq!(whole.body().len(), 5_000);
        let small = cached(&asking("accept-encoding", "gzip"), make(), FIVE).unwrap();
        assert!(small.body().len() < 100);
        assert_eq!(small.headers()["content-encoding"], "gzip");
        assert_eq!(small.headers()["vary"], "accept-encoding");
        assert_eq!(small.headers()["etag"], whole.headers()["etag"]);
        assert_eq!(small.headers()["cache-control"], "public, max-age=5");
        let tag = small.headers()["etag"].to_str().unwrap();
        let spared = cached(&asking("if-none-match", tag), make(), FIVE).unwrap();
        assert_eq!((spared.status(), spared.body().len()), (StatusCode::NOT_MODIFIED, 0));
        assert_eq!(spared.headers()["etag"], tag);
        assert_eq!(spared.headers()["cache-control"], "public, max-age=5");
    }
}
