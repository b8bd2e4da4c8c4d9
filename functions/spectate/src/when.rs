//! Times on pages. The text is the same in every copy of a page; `ago.js` and `clock.js` replace it by one
//! that counts.

use arena::{Game, Timestamp};
use arena_wire::TimeView;

/// A moment in the past: the value of `datetime`, and a text for readers without scripts.
#[derive(Clone, Debug)]
pub(crate) struct When {
    pub(crate) iso: String,
    /// Such as `2026-05-31 12:00 UTC`.
    pub(crate) text: String,
}

impl When {
    pub(crate) fn of(time: Timestamp) -> When {
        let iso = TimeView(time).to_string();
        let text = format!("{} {} UTC", &iso[..10], &iso[11..16]);
        When { iso, text }
    }
}

/// The end of the time of the player to act.
#[derive(Clone, Debug)]
pub(crate) struct Deadline {
    /// In ms since 1970.
    pub(crate) ms: i64,
    /// Such as `by 12:00:59`.
    pub(crate) text: String,
}

impl Deadline {
    /// `None` if the game is over.
    pub(crate) fn of(game: &Game) -> Option<Deadline> {
        let at = game.deadline()?;
        Some(Deadline { ms: at.ms(), text: format!("by {}", &TimeView(at).to_string()[11..19]) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_read_by_people_and_by_scripts() {
        let when = When::of(Timestamp::from_ms(1_780_228_859_123));
        assert_eq!(when.iso, "2026-05-31T12:00:59.123Z");
        assert_eq!(when.text, "2026-05-31 12:00 UTC");
    }
}
