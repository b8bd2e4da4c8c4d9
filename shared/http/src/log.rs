//! One line of JSON on standard error for what an operator must see. Never a key, never a body.

use std::error::Error;
use std::io::Write;

/// Logs a fault with all its causes.
pub fn fault(fault: &dyn Error) {
    let mut causes = vec![fault.to_string()];
    let mut source = fault.source();
    while let Some(cause) = source {
        causes.push(cause.to_string());
        source = cause.source();
    }
    line(&serde_json::json!({ "level": "error", "fault": causes }));
}

/// Logs something worth knowing that is nobody's fault.
pub fn notice(what: &str, detail: &str) {
    line(&serde_json::json!({ "level": "notice", "what": what, "detail": detail }));
}

fn line(value: &serde_json::Value) {
    // With standard error gone there is nobody left to tell.
    let _ = writeln!(std::io::stderr(), "{value}");
}
