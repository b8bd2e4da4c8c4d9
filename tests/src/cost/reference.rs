//! The size of a reply as it would be in the reference game, in which every decision takes [`THINK_S`].
//!
//! The game is played as fast as the machine can, so the times in its replies depend on how busy
//! the machine is, and so does the size of what gzip makes of them. They are replaced by the times of
//! the reference game before anything is counted.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use super::THINK_S;
use arena_support::Reply;

/// The fields of a reply that hold a moment or a duration, but for those of a decision.
const TIMES: [(&str, &str); 9] = [
    ("created_at", r#""2026-09-21T14:13:20.317Z""#),
    ("last_game_at", r#""2026-09-21T14:05:41.902Z""#),
    ("queued_since", r#""2026-09-21T14:12:58.046Z""#),
    ("ticket_expires_at", r#""2026-09-21T14:22:58.046Z""#),
    ("turn_deadline_at", r#""2026-09-21T14:21:07.583Z""#),
    ("turn_deadline_ms", "1790000467583"),
    ("turn_remaining_ms", "284219"),
    ("server_time", r#""2026-09-21T14:16:23.364Z""#),
    ("poll_after_ms", "22500"),
];

/// The bytes of the reply's body with the times of the reference game, encoded as the reply was.
pub(super) fn body_bytes(reply: &Reply) -> usize {
    if reply.header("content-encoding") != Some("gzip") {
        return with_fixed_times(reply.text()).len();
    }
    let mut text = String::new();
    GzDecoder::new(&reply.body[..]).read_to_string(&mut text).expect("the reply is text in gzip");
    assert_eq!(gzip_bytes(&text), reply.body.len(), "the arena compresses in another way");
    gzip_bytes(&with_fixed_times(&text))
}

fn gzip_bytes(text: &str) -> usize {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).expect("bytes are written to memory");
    encoder.finish().expect("bytes are written to memory").len()
}

/// The same JSON with the times of the reference game.
pub(super) fn with_fixed_times(json: &str) -> String {
    let fixed = TIMES.iter().fold(json.to_owned(), |json, (field, value)| {
        with_field(&json, field, |_| (*value).to_owned())
    });
    // Evenly around the mean: decisions that all took the same time would compress better than real ones.
    let seconds = |decision: usize| THINK_S + (decision * 7_919 % 1_999) as f64 / 100.0 - 9.99;
    with_field(&fixed, "seconds", |decision| format!("{:.2}", seconds(decision)))
}

/// The same JSON with another value wherever this field has one; the field's values hold no comma and
/// no brace.
fn with_field(json: &str, field: &str, value: impl Fn(usize) -> String) -> String {
    let name = format!("\"{field}\":");
    let mut parts = json.split(&name);
    let mut changed = parts.next().unwrap_or_default().to_owned();
    for (index, part) in parts.enumerate() {
        changed.push_str(&name);
        if part.starts_with("null") {
            changed.push_str(part);
            continue;
        }
        changed.push_str(&value(index));
        changed.push_str(&part[part.find([',', '}']).unwrap_or(part.len())..]);
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_of_a_reply_does_not_depend_on_when_it_was_given() {
        let reply = |time: &str, remaining: &str, seconds: [&str; 2]| {
            let [one, other] = seconds;
            format!(
                "{{\"server_time\":\"{time}\",\"turn_deadline_at\":null,\"moves\":[\
                 {{\"point\":\"h8\",\"seconds\":{one}}},{{\"seconds\":{other},\"point\":\"i9\"}}],\
                 \"turn_remaining_ms\":{remaining}}}"
            )
        };
        let idle = with_fixed_times(&reply("2026-01-01T00:00:00.000Z", "300000", ["0.01", "0.0"]));
        let busy = with_fixed_times(&reply("2027-12-31T23:59:59.999Z", "7", ["12.34", "299.99"]));
        assert_eq!(idle, busy);
        let expected = reply("2026-09-21T14:16:23.364Z", "284219", ["10.01", "29.23"]);
        assert_eq!(idle, expected);
    }
}
