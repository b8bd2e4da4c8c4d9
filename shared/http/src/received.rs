//! When and from where a request arrived, as the gateway saw it: free of cold starts and queueing.

use std::time::{SystemTime, UNIX_EPOCH};

use arena::Timestamp;
use lambda_http::request::RequestContext;
use lambda_http::{Request, RequestExt};

/// The time now. The only place that reads a clock.
pub fn now() -> Timestamp {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_ms(i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX))
}

/// When the gateway received the request.
pub fn received_at(request: &Request) -> Timestamp {
    match request.request_context_ref() {
        Some(RequestContext::ApiGatewayV2(context)) if context.time_epoch > 0 => {
            Timestamp::from_ms(context.time_epoch)
        }
        _ => now(),
    }
}

/// The client's address, if the gateway tells.
pub fn address(request: &Request) -> Option<&str> {
    match request.request_context_ref() {
        Some(RequestContext::ApiGatewayV2(context)) => context.http.source_ip.as_deref(),
        _ => None,
    }
}
