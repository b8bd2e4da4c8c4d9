//! Where the arena is, as the reader of a document sees it.

use lambda_http::http::header;
use lambda_http::request::RequestContext;
use lambda_http::{Request, RequestExt};

/// The address the request was sent to, without a slash at the end: `https://arena.example`.
///
/// The gateway knows its own name. Where there is none the `Host` header counts, but only if it can
/// be a host: the text ends up in documents, which are read as instructions.
pub fn base_url(request: &Request) -> String {
    let headers = request.headers();
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let gateway = match request.request_context_ref() {
        Some(RequestContext::ApiGatewayV2(context)) => context.domain_name.as_deref(),
        _ => None,
    };
    let host = gateway.or_else(|| text(header::HOST.as_str())).filter(|host| is_host(host));
    let scheme = match text("x-forwarded-proto") {
        Some(scheme @ ("http" | "https")) => scheme,
        _ if gateway.is_some() => "https",
        _ => "http",
    };
    format!("{scheme}://{}", host.unwrap_or("localhost"))
}

/// A name or an address, perhaps with a port.
fn is_host(text: &str) -> bool {
    const HOST_MAX: usize = 255;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte);
    (1..=HOST_MAX).contains(&text.len()) && text.bytes().all(plain)
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
    fn what_cannot_be_a_host_is_not_repeated() {
        let long = "a".repeat(256);
        for host in ["", "a b", "a/b", "a\"b", "<script>", "a)b", "é", "a`b", &long] {
            assert_eq!(base(&[("host", host)], None), "http://localhost", "{host}");
        }
        let odd = [("host", "a.example"), ("x-forwarded-proto", "javascript")];
        assert_eq!(base(&odd, None), "http://a.example");
    }
}
