//! gzip for clients that accept it; egress is billed per byte, and a game with its legal moves
//! shrinks to a quarter.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use lambda_http::http::{HeaderValue, StatusCode, header};
use lambda_http::{Body, Request, Response};

/// Shorter bodies gain little.
const BYTES_MIN: usize = 512;

pub(crate) fn accepts_gzip(request: &Request) -> bool {
    let accepted = request.headers().get_all(header::ACCEPT_ENCODING).iter();
    accepted.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(',')).any(
        |coding| {
            let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
            let refused = ["q=0", "q=0.0", "q=0.00", "q=0.000"].contains(&weight.trim());
            name.trim().eq_ignore_ascii_case("gzip") && !refused
        },
    )
}

/// The response in gzip, if the client accepts it, it is worth it, and it is not encoded yet. Adds
/// `Vary` wherever the encoding depends, or may depend, on the client.
pub(crate) fn compressed(mut response: Response<Body>, accepts_gzip: bool) -> Response<Body> {
    let vary = HeaderValue::from_static("accept-encoding");
    if response.status() == StatusCode::NOT_MODIFIED {
        response.headers_mut().append(header::VARY, vary);
        return response;
    }
    let kind = response.headers().get(header::CONTENT_TYPE);
    let content = match response.body() {
        Body::Text(text) => text.as_bytes(),
        // Pictures are compressed already.
        Body::Binary(bytes) if kind.is_some_and(|kind| kind == "application/wasm") => bytes,
        _ => return response,
    };
    if content.len() < BYTES_MIN || response.headers().contains_key(header::CONTENT_ENCODING) {
        return response;
    }
    if !accepts_gzip {
        response.headers_mut().append(header::VARY, vary);
        return response;
    }
    let mut encoder = GzEncoder::new(Vec::with_capacity(content.len() / 2), Compression::default());
    let written = encoder.write_all(content).and_then(|()| encoder.finish());
    let bytes = written.expect("bytes are written to memory without fail");
    *response.body_mut() = Body::Binary(bytes);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    headers.append(header::VARY, vary);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asks_with(accepted: &str) -> bool {
        let mut request = Request::new(Body::Empty);
        let value = HeaderValue::from_str(accepted).unwrap();
        request.headers_mut().insert(header::ACCEPT_ENCODING, value);
        accepts_gzip(&request)
    }

    #[test]
    fn gzip_is_for_those_who_accept_it() {
        assert!(["gzip", "deflate, GZIP;q=0.5", "br,gzip"].into_iter().all(asks_with));
        assert!(!["", "br", "gzip;q=0", "x-gzipped", "gzip; q=0.0"].into_iter().any(asks_with));
        assert!(!accepts_gzip(&Request::new(Body::Empty)));
    }

    #[test]
    fn only_long_texts_and_modules_are_compressed_and_only_once() {
        let text = |bytes: usize| Response::new(Body::Text("x".repeat(bytes)));
        let short = compressed(text(BYTES_MIN - 1), true);
        assert!(matches!(short.body(), Body::Text(_)) && short.headers().is_empty());
        let long = compressed(text(BYTES_MIN), true);
        let Body::Binary(bytes) = long.body() else { panic!("{long:?}") };
        assert!(bytes.starts_with(&[0x1f, 0x8b]) && bytes.len() < 100);
        assert_eq!(long.headers()["content-encoding"], "gzip");
        let plain = compressed(text(BYTES_MIN), false);
        assert!(matches!(plain.body(), Body::Text(_)));
        let binary = |kind| {
            let mut response = Response::new(Body::Binary(vec![0; BYTES_MIN]));
            response.headers_mut().insert("content-type", HeaderValue::from_static(kind));
            compressed(response, true)
        };
        assert_eq!(binary("application/wasm").headers()["content-encoding"], "gzip");
        assert!(!binary("image/png").headers().contains_key("content-encoding"));
        let mut known = Response::new(Body::Empty);
        *known.status_mut() = StatusCode::NOT_MODIFIED;
        for response in [long, plain, compressed(known, true)] {
            assert_eq!(response.headers()["vary"], "accept-encoding");
        }
        let mut encoded = text(BYTES_MIN);
        encoded.headers_mut().insert("content-encoding", HeaderValue::from_static("br"));
        assert!(matches!(compressed(encoded, true).body(), Body::Text(_)));
    }
}
