//! Time and origin of a request, as the gateway saw it: independent of cold starts and queueing.

use arena::Timestamp;
use arena_store::now;
use lambda_http::request::RequestContext;
use lambda_http::{Request, RequestExt};

use crate::front::Viewer;

/// Time of receipt by the gateway.
pub fn received_at(request: &Request) -> Timestamp {
    match request.request_context_ref() {
        Some(RequestContext::ApiGatewayV2(context)) if context.time_epoch > 0 => {
            Timestamp::from_ms(context.time_epoch)
        }
        _ => now(),
    }
}

/// The client's address, if the front or the gateway tells. Behind a front the gateway sees only the
/// front.
pub fn address(request: &Request) -> Option<&str> {
    if let Some(Viewer(address)) = request.extensions().get() {
        return Some(address);
    }
    match request.request_context_ref() {
        Some(RequestContext::ApiGatewayV2(context)) => context.http.source_ip.as_deref(),
        _ => None,
    }
}
