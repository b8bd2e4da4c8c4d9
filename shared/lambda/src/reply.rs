//! Replies: JSON, text, "not modified", problems.

use arena_wire::Problem;
use lambda_http::http::{HeaderName, HeaderValue, StatusCode, header};
use lambda_http::{Body, Response};
use serde::Serialize;

use crate::refusal::{Refusal, names};

/// Result of a handler.
pub type Reply = Result<Response<Body>, Refusal>;

/// Header of a reply to a repeated request.
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// 200 with a JSON body.
pub fn ok(view: &impl Serialize) -> Reply {
    Ok(json(StatusCode::OK, "application/json", view))
}

/// 201 with a JSON body.
pub fn created(view: &impl Serialize) -> Reply {
    Ok(json(StatusCode::CREATED, "application/json", view))
}

/// 200 with plain text.
pub fn text(body: String) -> Reply {
    Ok(typed(StatusCode::OK, "text/plain; charset=utf-8", body))
}

/// 200 with a body of this content type, without sniffing.
pub fn written(kind: &'static str, body: impl Into<Body>) -> Reply {
    let reply = Ok(typed(StatusCode::OK, kind, body));
    with_header(reply, header::X_CONTENT_TYPE_OPTIONS, "nosniff")
}

/// 304: unchanged since the client last asked.
pub fn not_modified() -> Reply {
    let mut response = Response::new(Body::Empty);
    *response.status_mut() = StatusCode::NOT_MODIFIED;
    Ok(response)
}

/// 303 to another address of the site.
pub fn see_other(location: &str) -> Reply {
    let mut response = Response::new(Body::Empty);
    *response.status_mut() = StatusCode::SEE_OTHER;
    with_header(Ok(response), header::LOCATION, location)
}

/// The reply, marked as a repetition if it is one.
pub fn replayed(reply: Reply, is_replay: bool) -> Reply {
    reply.map(|mut response| {
        if is_replay {
            response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
        }
        response
    })
}

/// The reply with one more header. An invalid value is left out.
pub fn with_header(reply: Reply, name: HeaderName, value: &str) -> Reply {
    reply.map(|mut response| {
        if let Ok(value) = HeaderValue::from_str(value) {
            response.headers_mut().insert(name, value);
        }
        response
    })
}

/// The reply with `Retry-After`, in whole seconds, rounded up.
pub fn with_retry_after(reply: Reply, ms: i64) -> Reply {
    with_header(reply, header::RETRY_AFTER, &seconds(ms).to_string())
}

fn seconds(ms: i64) -> i64 {
    (ms.max(0) + 999) / 1_000
}

/// The response to a reply. A fault is logged once, in full.
pub fn respond(reply: Reply) -> Response<Body> {
    reply.unwrap_or_else(|refusal| {
        refused(&refusal, |status, problem| json(status, "application/problem+json", problem))
    })
}

/// The response to a refusal, in the form `show` gives it. A fault is logged here.
pub(crate) fn refused(
    refusal: &Refusal,
    show: impl FnOnce(StatusCode, &Problem<'_>) -> Response<Body>,
) -> Response<Body> {
    if let Refusal::Fault(fault) = refusal {
        crate::log::fault(fault);
    }
    refusal.with_problem(|problem| {
        let status = StatusCode::from_u16(problem.status);
        let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = show(status, problem);
        // For the log; it is not sent.
        response.extensions_mut().insert(problem.code);
        let headers = response.headers_mut();
        if let Some(ms) = problem.retry_after_ms {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds(ms)));
        }
        if let Refusal::NotAllowed(allowed) = refusal
            && let Ok(allowed) = HeaderValue::from_str(&names(allowed))
        {
            headers.insert(header::ALLOW, allowed);
        }
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    })
}

fn json(status: StatusCode, kind: &'static str, view: &impl Serialize) -> Response<Body> {
    let body = serde_json::to_string(view).expect("a view has string keys and finite numbers");
    typed(status, kind, body)
}

pub(crate) fn typed(
    status: StatusCode,
    kind: &'static str,
    body: impl Into<Body>,
) -> Response<Body> {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    // A reply to one agent must not reach another from a cache.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
