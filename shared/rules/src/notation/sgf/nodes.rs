//! SGF syntax: nodes, properties and escaped text, without their meaning.

use crate::notation::{NotationError, Place};

/// One node: its properties in the order they are written.
pub(super) type Node<'a> = Vec<Property<'a>>;

/// A property and its values.
pub(super) struct Property<'a> {
    /// Upper-case letters, such as `AB`.
    pub(super) ident: String,
    pub(super) values: Vec<Value<'a>>,
}

/// A value between its brackets, still escaped.
#[derive(Clone, Copy)]
pub(super) struct Value<'a> {
    pub(super) raw: &'a str,
    /// Start in the file.
    pub(super) offset: usize,
}

impl Value<'_> {
    /// Value as text of several lines.
    pub(super) fn text(&self) -> String {
        let mut text = String::with_capacity(self.raw.len());
        let mut chars = self.raw.chars().peekable();
        while let Some(mut c) = chars.next() {
            let escaped = c == '\\';
            if escaped {
                match chars.next() {
                    Some(next) => c = next,
                    None => break,
                }
            }
            match c {
                '\n' | '\r' => {
                    // Either order of the pair is one line break, and an escaped one is removed.
                    let partner = if c == '\n' { '\r' } else { '\n' };
                    chars.next_if_eq(&partner);
                    text.extend((!escaped).then_some('\n'));
                }
                c => text.push(if is_space(c) { ' ' } else { c }),
            }
        }
        text
    }

    /// Value as text of one line.
    pub(super) fn simple_text(&self) -> String {
        self.text().replace('\n', " ")
    }
}

/// Escapes the text of one line.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\\' | ']') {
            escaped.push('\\');
        }
        escaped.push(if is_space(c) { ' ' } else { c });
    }
    escaped
}

fn is_space(c: char) -> bool {
    c.is_ascii_whitespace() || c == '\u{b}'
}

/// Nodes of the main line of the first game in the file.
///
/// The main line takes the first variation at every branch, so it ends at the first closing
/// parenthesis. The rest is ignored, and no stack is needed.
pub(super) fn main_line(text: &str) -> Result<Vec<Node<'_>>, NotationError> {
    let mut nodes: Vec<Node<'_>> = Vec::new();
    let mut at = start(text).ok_or(NotationError::Ends { wanted: "the (; a game starts with" })?;
    let bytes = text.as_bytes();
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b')' => return Ok(nodes),
            b'(' => at += 1,
            byte if is_space(byte.into()) || byte == b' ' => at += 1,
            b';' => {
                nodes.push(Node::new());
                at += 1;
            }
            b'[' => {
                let value = read_value(text, at + 1)?;
                let property = nodes.last_mut().and_then(|node| node.last_mut());
                let property = property.ok_or_else(|| unreadable(text, at))?;
                property.values.push(value);
                at = value.offset + value.raw.len() + 1;
            }
            byte if byte.is_ascii_alphabetic() => {
                let len =
                    bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
                // Before FF[4] an ident could be spelled out: Black is B.
                let ident =
                    text[at..at + len].chars().filter(|c| !c.is_ascii_lowercase()).collect();
                let node = nodes.last_mut().ok_or_else(|| unreadable(text, at))?;
                node.push(Property { ident, values: Vec::new() });
                at += len;
            }
            _ => return Err(unreadable(text, at)),
        }
    }
    Err(NotationError::Ends { wanted: "the ) that closes the game" })
}

/// Offset of the first `(` with a `;` after it; mail headers and the like may come before.
fn start(text: &str) -> Option<usize> {
    text.match_indices('(')
        .map(|(at, _)| at)
        .find(|at| text[at + 1..].trim_start().starts_with(';'))
}

/// Value that starts at `offset`, up to its closing bracket.
fn read_value(text: &str, offset: usize) -> Result<Value<'_>, NotationError> {
    let mut escaped = false;
    for (n, byte) in text.bytes().enumerate().skip(offset) {
        match byte {
            b']' if !escaped => return Ok(Value { raw: &text[offset..n], offset }),
            b'\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    Err(NotationError::Ends { wanted: "the ] that closes a value" })
}

fn unreadable(text: &str, at: usize) -> NotationError {
    let found: String = text[at..].chars().take(1).collect();
    NotationError::unreadable(Place::of(text, at), &found, "the start of a node, property or value")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Formats the nodes as `ident=value` words.
    fn shown(text: &str) -> String {
        let nodes = main_line(text).unwrap();
        let node = |node: &Node<'_>| {
            let property = |property: &Property<'_>| {
                let values: Vec<_> = property.values.iter().map(Value::text).collect();
                format!("{}={}", property.ident, values.join("|"))
            };
            node.iter().map(property).collect::<Vec<_>>().join(" ")
        };
        nodes.iter().map(node).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn the_main_line_takes_the_first_variation_everywhere() {
        assert_eq!(shown("(;A[1];B[2](;C[3](;D[4])(;E[5]))(;F[6]))(;G[7])"), "A=1; B=2; C=3; D=4",);
    }

    #[test]
    fn white_space_junk_and_long_idents_are_tolerated() {
        assert_eq!(
            shown("Subject: (a game)\n\u{feff}( \r\n; Black \t[hh]\n[gg] C[]\n)rest"),
            "B=hh|gg C="
        );
        assert_eq!(shown("(;)"), "");
    }

    #[test]
    fn escaped_text_round_trips() {
        for text in [r"a]b\c:d[e", r"\", r"\\]", "]", "é漢🀄", "(;B[hh])", " x "] {
            let file = format!("(;C[{}])", escape(text));
            assert_eq!(main_line(&file).unwrap()[0][0].values[0].simple_text(), text);
        }
        assert_eq!(escape("a\r\n\tb"), "a   b");
    }

    #[test]
    fn line_breaks_are_kept_or_escaped_away() {
        let text = |raw| Value { raw, offset: 0 }.text();
        assert_eq!(text("a\r\nb\n\rc\rd\ne\tf"), "a\nb\nc\nd\ne f");
        assert_eq!(text("a\\\r\nb\\\nc\\:\\\td\\"), "abc: d");
        assert_eq!(Value { raw: "a\r\nb", offset: 0 }.simple_text(), "a b");
    }

    #[test]
    fn broken_syntax_is_refused_with_its_place() {
        let error = |text| main_line(text).map(|_| ()).unwrap_err().to_string();
        assert_eq!(error("no game (here)"), "the text ends without the (; a game starts with");
        assert_eq!(error("(;B[hh]"), "the text ends without the ) that closes the game");
        assert_eq!(error(r"(;C[a\])"), "the text ends without the ] that closes a value");
        assert_eq!(
            error("(;B[hh]\n é)"),
            "line 2, column 2: \"é\" is not the start of a node, property or value"
        );
        assert_eq!(
            error("(;[hh])"),
            "line 1, column 3: \"[\" is not the start of a node, property or value"
        );
    }
}
