//! The arena's own address, as the client sees it.

use arena_wire::Code;
use lambda_http::http::uri::Authority;
use lambda_http::http::{HeaderMap, HeaderValue, Version, header};
use lambda_http::request::RequestContext;
use lambda_http::{Request, RequestExt};

use crate::context::Context;
use crate::refusal::Refusal;
use crate::reply::Reply;

const SCHEME: &str = "x-forwarded-proto";

impl Context {
    /// The arena's address for documents, without a slash at the end: the public one, or that of the
    /// request.
    pub fn base_url(&self, request: &Request) -> String {
        self.settings().public_url.clone().unwrap_or_else(|| base_url(request))
    }
}

/// An address of the form `https://arena.example`; a slash at its end is dropped.
pub(crate) fn parse(text: &str) -> Option<String> {
    let text = text.trim_end_matches('/');
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"))?;
    is_host(host).then(|| text.to_owned())
}

/// The address the request was sent to, without a slash at the end: `https://arena.example`.
///
/// The gateway knows its own name. Elsewhere the `Host` header counts, but only if it can be a
/// host: the text is copied into documents that are read as instructions.
fn base_url(request: &Request) -> String {
    let headers = request.headers();
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let gateway = match request.request_context_ref() {
        Some(RequestContext::ApiGatewayV2(context)) => context.domain_name.as_deref(),
        _ => None,
    };
    let host = gateway.or_else(|| text(header::HOST.as_str())).filter(|host| is_host(host));
    let scheme = match text(SCHEME) {
        Some(scheme @ ("http" | "https")) => scheme,
        _ if gateway.is_some() => "https",
        _ => "http",
    };
    format!("{scheme}://{}", host.unwrap_or("localhost"))
}

/// Refuses a request that does not say clearly which address it was sent to. Cannot happen behind a
/// gateway that knows its own name.
pub fn check_site(version: Version, headers: &HeaderMap) -> Result<(), Refusal> {
    let malformed = |detail: &str| Err(Refusal::plain(Code::Malformed, detail));
    let is = |value: &HeaderValue, good: fn(&str) -> bool| value.to_str().is_ok_and(good);
    let mut hosts = headers.get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (None, _) if version < Version::HTTP_11 => {}
        (Some(host), None) if is(host, is_host) => {}
        (None, _) => return malformed("the Host header is missing"),
        (Some(_), Some(_)) => return malformed("there is more than one Host header"),
        (Some(_), None) => return malformed("the Host header is no name or address"),
    }
    let is_scheme = |scheme: &str| ["http", "https"].contains(&scheme);
    let mut schemes = headers.get_all(SCHEME).iter();
    match (schemes.next(), schemes.next()) {
        (None, _) => Ok(()),
        (Some(scheme), None) if is(scheme, is_scheme) => Ok(()),
        _ => malformed("X-Forwarded-Proto is not http or https"),
    }
}

/// The reply, which contains the requested address: a cache must not reuse it for another.
pub fn varied_by_site(reply: Reply) -> Reply {
    reply.map(|mut response| {
        let names = HeaderValue::from_static("host, x-forwarded-proto");
        response.headers_mut().append(header::VARY, names);
        response
    })
}

/// A name or an address, perhaps with a port.
fn is_host(text: &str) -> bool {
    const HOST_MAX: usize = 255;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte);
    let is_plain = (1..=HOST_MAX).contains(&text.len()) && text.bytes().all(plain);
    is_plain && text.parse::<Authority>().is_ok()
}

#[cfg(test)]
mod tests {
    use lambda_http::Body;
    use lambda_http::aws_lambda_events::apigw::ApiGatewayV2httpRequestContext;

    use super::*;

    fn base(headers: &[(&str, &str)], domain: Option<&str>) -> String {
        let mut request = Request::new(Body::Empty);
        for (name, value) in headers {
            let name: header::HeaderName = name.parse().unwrap();
            request.headers_mut().insert(name, value.parse().unwrap());
        }
        let mut context = ApiGatewayV2httpRequestContext::default();
        context.domain_name = domain.map(Into::into);
        base_url(&request.with_request_context(RequestContext::ApiGatewayV2(context)))
    }

    #[test]
    fn the_gateways_own_name_comes_first() {
        assert_eq!(
            base(&[("host", "evil.example")], Some("arena.example")),
            "https://arena.example"
        );
        assert_eq!(base(&[("host", "127.0.0.1:8080")], None), "http://127.0.0.1:8080");
        assert_eq!(
            base(&[("host", "arena.example"), ("x-forwarded-proto", "https")], None),
            "https://arena.example"
        );
        assert_eq!(base(&[("host", "[::1]:80")], None), "http://[::1]:80");
    }

    #[test]
    fn a_public_address_has_a_scheme_and_a_host_and_no_path() {
        assert_eq!(parse("https://arena.example/").as_deref(), Some("https://arena.example"));
        for text in
            ["arena.example", "ftp://a.example", "https://", "https://a.example/b", "https://<b>"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn what_cannot_be_a_host_is_not_repeated() {
        let long = "a".repeat(256);
        for host in
            ["", "a b", "a/b", "a\"b", "<script>", "a)b", "é", "a`b", "[", "a]", "::1", &long]
        {
            assert_eq!(base(&[("host", host)], None), "http://localhost", "{host}");
        }
        let odd = [("host", "a.example"), ("x-forwarded-proto", "javascript")];
        assert_eq!(base(&odd, None), "http://a.example");
    }
}
