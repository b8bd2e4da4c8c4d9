//! Request bodies: small, JSON, read strictly.

use arena_wire::{Body, Code, parse};
use lambda_http::Request;
use lambda_http::http::header;

use crate::refusal::Refusal;

/// The largest body that is looked at.
pub const BODY_MAX: usize = 4 * 1_024;

/// Reads the body. Its size and type are checked before anything is parsed; an empty one is `{}`.
pub fn body<T: Body>(request: &Request) -> Result<T, Refusal> {
    let bytes: &[u8] = request.body().as_ref();
    let announced = request
        .headers()
        .get(header::CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if bytes.len() > BODY_MAX || announced.is_some_and(|length| length > BODY_MAX) {
        return Err(too_large(announced.unwrap_or(0).max(bytes.len())));
    }
    if bytes.is_empty() {
        return Ok(parse(b"{}")?);
    }
    check_type(request)?;
    Ok(parse(bytes)?)
}

/// The refusal of a body with so many bytes, or at least so many.
pub fn too_large(bytes: usize) -> Refusal {
    let detail = format!("the body has {bytes} bytes; at most {BODY_MAX} are read");
    Refusal::plain(Code::PayloadTooLarge, detail)
}

/// JSON, or no type at all: the first thing a person tries with curl should be told apart kindly.
fn check_type(request: &Request) -> Result<(), Refusal> {
    let Some(kind) = request.headers().get(header::CONTENT_TYPE) else { return Ok(()) };
    let kind = kind.to_str().unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    let json = essence.eq_ignore_ascii_case("application/json") || essence.ends_with("+json");
    if json {
        return Ok(());
    }
    let shown: String = kind.chars().take(64).collect();
    Err(Refusal::plain(
        Code::UnsupportedMediaType,
        format!("the body is {shown:?}; send application/json"),
    ))
}

/// The `Idempotency-Key` header: an alias of the field of the same name.
pub fn header_key(request: &Request) -> Option<&str> {
    request.headers().get("idempotency-key").and_then(|value| value.to_str().ok())
}

#[cfg(test)]
mod tests {
    use arena_wire::PlainRequest;
    use lambda_http::Body;

    use super::*;

    #[test]
    fn a_body_over_4_kb_is_refused_before_it_is_parsed() {
        let read = |bytes| body::<PlainRequest>(&Request::new(Body::Text("x".repeat(bytes))));
        assert!(matches!(read(BODY_MAX), Err(Refusal::Malformed(_))));
        assert!(matches!(read(BODY_MAX + 1), Err(Refusal::Plain(Code::PayloadTooLarge, _))));
    }
}
