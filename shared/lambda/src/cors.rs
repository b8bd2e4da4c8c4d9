//! CORS: open to all origins, because the API uses no cookies.
//!
//! A preflight request is answered by the function that receives it.

use arena_wire::{Found, Route};
use lambda_http::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use lambda_http::{Body, Request, RequestExt, Response};

use crate::refusal::names;

/// Request headers that the API reads.
const HEADERS: &str = "authorization, content-type, idempotency-key, if-none-match";

/// Response headers that scripts can read, besides those they always can.
const EXPOSED: &str =
    "allow, etag, idempotency-replayed, link, ratelimit, ratelimit-policy, retry-after";

/// Content types of which a page consists. Scripts of other origins have no use for them.
const OF_PAGES: [&str; 3] = ["text/html", "text/css", "text/javascript"];

/// Allows scripts of every origin to read a reply that is no part of a page, if the request has an
/// origin or the reply is cacheable. Not otherwise, because egress is billed per byte. A reply without
/// content ("not modified") may be of either.
pub(crate) fn share(headers: &mut HeaderMap, has_origin: bool) {
    let value = |name| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_kept = value(header::CACHE_CONTROL).starts_with("public");
    let is_of_page = OF_PAGES.iter().any(|kind| value(header::CONTENT_TYPE).starts_with(kind));
    if !is_of_page && (has_origin || is_kept) {
        open(headers);
    }
}

fn open(headers: &mut HeaderMap) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
}

/// The answer to `OPTIONS`, also as a preflight request; `None` for other requests.
pub(crate) fn options(request: &Request) -> Option<Response<Body>> {
    if request.method() != Method::OPTIONS {
        return None;
    }
    let Found::WrongMethod(allowed) = Route::find("OPTIONS", request.raw_http_path()) else {
        return None;
    };
    let mut response = Response::new(Body::Empty);
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    let allowed = HeaderValue::from_str(&names(&allowed)).ok()?;
    headers.insert(header::ALLOW, allowed.clone());
    if !request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD) {
        return Some(response);
    }
    open(headers);
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, allowed);
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(HEADERS));
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
    Some(response)
}
