//! The trace a request belongs to, so that a message can be found by the request that sent it.
//!
//! The text comes from outside and is passed on in a header that SQS checks, so only the documented
//! form of X-Ray is accepted: `Root=1-<8 hex>-<24 hex>`, then optionally `Parent=<16 hex>` and
//! `Sampled=0|1`.

use std::fmt;

/// Root and current segment of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    header: String,
    root: (usize, usize),
}

impl Trace {
    /// Reads a trace header; `None` if it has no well-formed root. Unknown parts are dropped.
    pub fn parse(text: &str) -> Option<Trace> {
        let field = |name: &str| {
            let named = text.split(';').filter_map(|field| field.trim().split_once('='));
            named.filter(|(key, _)| *key == name).map(|(_, value)| value).next()
        };
        let root = field("Root").filter(|root| is_root(root))?;
        let mut header = format!("Root={root}");
        if let Some(parent) = field("Parent").filter(|parent| is_hex(parent, 16)) {
            header.push_str(&format!(";Parent={parent}"));
        }
        if let Some(sampled) = field("Sampled").filter(|sampled| matches!(*sampled, "0" | "1")) {
            header.push_str(&format!(";Sampled={sampled}"));
        }
        let from = "Root=".len();
        Some(Trace { header, root: (from, from + root.len()) })
    }

    /// The id to search logs for, such as `1-5759e988-bd862e3fe1be46a994272793`.
    pub fn root(&self) -> &str {
        &self.header[self.root.0..self.root.1]
    }
}

/// The form of the header.
impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.header)
    }
}

fn is_root(text: &str) -> bool {
    let mut parts = text.split('-');
    parts.next() == Some("1")
        && parts.next().is_some_and(|seconds| is_hex(seconds, 8))
        && parts.next().is_some_and(|random| is_hex(random, 24))
        && parts.next().is_none()
}

fn is_hex(text: &str, len: usize) -> bool {
    text.len() == len && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: &str = "1-5759e988-bd862e3fe1be46a994272793";

    #[test]
    fn a_trace_keeps_what_is_known_and_drops_the_rest() {
        let text = format!("Self=1-1; Root={ROOT};Parent=53995c3f42cd8ad8;Sampled=1;Lineage=a:0");
        let trace = Trace::parse(&text).unwrap();
        assert_eq!(trace.root(), ROOT);
        assert_eq!(trace.to_string(), format!("Root={ROOT};Parent=53995c3f42cd8ad8;Sampled=1"));
        assert_eq!(Trace::parse(&trace.to_string()), Some(trace));
    }

    #[test]
    fn a_malformed_part_never_gets_through() {
        let root = Trace::parse(&format!("Root={ROOT};Parent=xyz;Sampled=?")).unwrap();
        assert_eq!(root.to_string(), format!("Root={ROOT}"));
        for text in [
            "",
            "Root=",
            "Root=2-5759e988-bd862e3fe1be46a994272793",
            "Root=1-5759e988-bd862e3fe1be46a99427279",
            "Root=1-5759e988-bd862e3fe1be46a994272793-1",
            "Root=1-5759e98\u{e9}-bd862e3fe1be46a994272793",
            "rk1_alice_secret",
        ] {
            assert_eq!(Trace::parse(text), None, "{text}");
        }
    }
}
