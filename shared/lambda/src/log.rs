//! The log: one line of JSON on standard error for each request and message, and for events an
//! operator must see. Never a key, a body or an idempotency key: the lines of `arena-wire` have no
//! field for one.

use std::error::Error;
use std::io::Write;
use std::time::Instant;

use arena_store::environment::{VariableError, variable};
use arena_store::{Trace, now};
use arena_wire::{Code, FaultLine, MessageLine, Method, NoticeLine, Origin, RequestLine};
use aws_lambda_events::sqs::SqsMessage;
use lambda_http::http::Response;
use lambda_http::request::RequestContext;
use lambda_http::{Body, Request, RequestExt};
use serde::Serialize;

use crate::context::Context;
use crate::target::Target;

/// Log lines for requests and messages. Faults and notices are always logged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Log {
    /// A line of JSON for each message and each refusal, and for one in twenty of the requests that
    /// succeed: their effects are in the tables.
    Json,
    /// A line of JSON for each.
    All,
    /// For a quiet terminal.
    Off,
}

impl Log {
    /// Reads `ARENA_LOG`: `json`, `all` or `off`; otherwise the default of the deployment.
    pub fn from_env(default: Log) -> Result<Log, VariableError> {
        match variable("ARENA_LOG").as_deref() {
            None => Ok(default),
            Some("json") => Ok(Log::Json),
            Some("all") => Ok(Log::All),
            Some("off") => Ok(Log::Off),
            Some(text) => {
                Err(VariableError::invalid("ARENA_LOG", text.to_owned(), "json, all or off"))
            }
        }
    }
}

/// Requests that succeed, for each that is logged.
const ONE_IN: u32 = 20;

/// The logged part of a request, taken before the handler consumes it.
pub(crate) struct Asked {
    started: Instant,
    method: Option<Method>,
    route: Option<&'static str>,
    request_id: Option<String>,
    pub(crate) trace: Option<Trace>,
}

impl Asked {
    pub(crate) fn of(request: &Request, target: Option<&Target>) -> Asked {
        let route = target.map(|target| target.route);
        let context = request.lambda_context_ref();
        let invocation = context.map(|context| context.request_id.as_str());
        let at_gateway = match request.request_context_ref() {
            Some(RequestContext::ApiGatewayV2(context)) => context.request_id.as_deref(),
            _ => None,
        };
        let traced = context.and_then(|context| context.xray_trace_id.as_deref());
        let sent = || request.headers().get("x-amzn-trace-id")?.to_str().ok();
        Asked {
            started: Instant::now(),
            method: route.map(|route| route.method),
            route: route.map(|route| route.path),
            request_id: invocation.filter(|id| !id.is_empty()).or(at_gateway).map(str::to_owned),
            trace: traced.or_else(sent).and_then(Trace::parse),
        }
    }

    /// Logs a request that has been answered.
    pub(crate) fn log(&self, context: &Context, response: &Response<Body>) {
        let noted = context.notes.noted();
        let is_routine = response.status().as_u16() < 400 && !noted.has_metrics();
        let one_in = match context.settings().log {
            Log::Off => return,
            Log::Json if is_routine => self.sample(),
            Log::Json | Log::All => Some(1),
        };
        let Some(one_in) = one_in else { return };
        line(&RequestLine {
            origin: origin(context, self.started, self.request_id.as_deref()),
            method: self.method,
            route: self.route,
            status: response.status().as_u16(),
            code: response.extensions().get::<Code>().copied(),
            one_in,
            noted: &noted,
        });
    }

    /// Number of requests that the line of this one stands for; `None` if it gets no line. Ids are
    /// random; a laptop gives none, and logs everything.
    fn sample(&self) -> Option<u32> {
        let Some(id) = &self.request_id else { return Some(1) };
        let drawn = id.bytes().map(u32::from).sum::<u32>() % ONE_IN;
        (drawn == 0).then_some(ONE_IN)
    }
}

/// Logs a message that has been handled, or must be delivered again.
pub(crate) fn message(
    context: &Context,
    message: &SqsMessage,
    kind: &'static str,
    started: Instant,
    done: bool,
) {
    if context.settings().log == Log::Off {
        return;
    }
    let origin = origin(context, started, message.message_id.as_deref());
    line(&MessageLine { origin, message: kind, done, noted: &context.notes.noted() });
}

fn origin<'a>(context: &'a Context, started: Instant, request_id: Option<&'a str>) -> Origin<'a> {
    Origin {
        at: now(),
        function: &context.settings().function,
        request_id,
        trace_id: context.store.trace().map(Trace::root),
        micros: u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX),
    }
}

/// Logs a fault with all its causes.
pub fn fault(fault: &dyn Error) {
    let mut causes = vec![fault.to_string()];
    let mut source = fault.source();
    while let Some(cause) = source {
        causes.push(cause.to_string());
        source = cause.source();
    }
    line(&FaultLine { level: "error", fault: causes });
}

/// Logs an event that is not a fault.
pub fn notice(what: &str, detail: &str) {
    line(&NoticeLine { level: "notice", what, detail });
}

fn line(value: &impl Serialize) {
    let mut line = arena_wire::json(value);
    line.push(b'\n');
    // One write per line, so that lines of several threads do not mix. If standard error is gone,
    // there is no other place to report to.
    let _ = std::io::stderr().write_all(&line);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(request_id: Option<String>) -> Asked {
        Asked { started: Instant::now(), method: None, route: None, request_id, trace: None }
    }

    #[test]
    fn one_request_in_twenty_is_drawn_and_stands_for_twenty() {
        let mut bytes = [0; 16];
        let mut drawn = 0;
        for _ in 0..10_000 {
            getrandom::fill(&mut bytes).unwrap();
            let id: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            if let Some(one_in) = asked(Some(id)).sample() {
                assert_eq!(one_in, 20);
                drawn += 1;
            }
        }
        // The mean is 500 and the deviation 22.
        assert!((300..700).contains(&drawn), "{drawn} of 10,000");
        assert_eq!(asked(None).sample(), Some(1), "a laptop logs every request");
    }
}
