//! HTML pages: their security headers, and refusals as pages.

use arena_wire::Problem;
use lambda_http::http::{HeaderValue, StatusCode, header};
use lambda_http::{Body, Request, Response};

use crate::refusal::Refusal;
use crate::reply::{Reply, refused, typed, with_header};

/// No external content, nothing inline, no framing but by those named.
macro_rules! policy {
    ($ancestors:literal) => {
        concat!(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; ",
            "connect-src 'self'; form-action 'self'; base-uri 'none'; manifest-src 'self'; ",
            "frame-ancestors ",
            $ancestors
        )
    };
}

const POLICY: &str = policy!("'none'");

/// 200 with a page.
pub fn html(body: String) -> Reply {
    Ok(page(StatusCode::OK, body))
}

/// 200 with a page that may compile a WebAssembly module of the arena.
pub fn html_with_module(body: String) -> Reply {
    let policy = POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'");
    with_header(html(body), header::CONTENT_SECURITY_POLICY, &policy)
}

/// The page, which any site may show in a frame.
pub fn framed(reply: Reply) -> Reply {
    with_header(reply, header::CONTENT_SECURITY_POLICY, policy!("*"))
}

/// A page that explains a refusal, with the same status as for a program.
pub fn refused_page(refusal: &Refusal, show: impl FnOnce(&Problem<'_>) -> String) -> Reply {
    Ok(refused(refusal, |status, problem| page(status, show(problem))))
}

/// True for a request from a browser.
pub fn wants_html(request: &Request) -> bool {
    let accept = request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accept.is_some_and(|accept| accept.contains("text/html"))
}

fn page(status: StatusCode, body: String) -> Response<Body> {
    let mut response = typed(status, "text/html; charset=utf-8", body);
    let rules = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
    ];
    for (name, value) in rules {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}
