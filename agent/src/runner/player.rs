//! The two players of a match, independent of seats and colours.

use std::fmt;
use std::ops::Not;
use std::path::Path;

/// The player named first or second on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Player {
    One,
    Two,
}

impl Not for Player {
    type Output = Player;

    fn not(self) -> Player {
        match self {
            Player::One => Player::Two,
            Player::Two => Player::One,
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::One => "player1",
            Player::Two => "player2",
        })
    }
}

/// A bot from the command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Bot {
    /// Text as given.
    pub(super) given: String,
    /// Specification of its brain.
    pub(super) spec: String,
}

impl Bot {
    /// A path ending in `.py` means the Python function in that file.
    pub(super) fn new(given: &str) -> Bot {
        let bare = given.ends_with(".py") && !given.contains(':');
        let spec = if bare { format!("codeclash:{given}") } else { given.to_owned() };
        Bot { given: given.to_owned(), spec }
    }

    /// File of a Python function.
    pub(super) fn python(&self) -> Option<&Path> {
        self.spec.strip_prefix("codeclash:").map(Path::new)
    }

    /// True for our own player.
    pub(super) fn is_house(&self) -> bool {
        self.spec.starts_with("house:")
    }

    /// Label in brackets after the result: the directory of a Python function, as in CodeClash, or
    /// the whole text of any other brain.
    pub(super) fn label(&self) -> &str {
        match self.python() {
            Some(path) => {
                let directory = path.parent().and_then(Path::file_name);
                directory.and_then(|name| name.to_str()).unwrap_or_default()
            }
            None => &self.given,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_to_python_is_a_codeclash_bot_labelled_by_its_directory() {
        for (given, spec, label) in [
            ("main.py", "codeclash:main.py", ""),
            ("a/b/main.py", "codeclash:a/b/main.py", "b"),
            ("/ada/main.py", "codeclash:/ada/main.py", "ada"),
            ("codeclash:ada/main.py", "codeclash:ada/main.py", "ada"),
            ("house:2", "house:2", "house:2"),
            ("exec:python3 bots/main.py", "exec:python3 bots/main.py", "exec:python3 bots/main.py"),
        ] {
            let bot = Bot::new(given);
            assert_eq!((bot.spec.as_str(), bot.label()), (spec, label), "{given}");
        }
    }
}
