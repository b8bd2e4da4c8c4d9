//! The players of a match, independent of seats and colours.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::clock::TimeControl;
use crate::brain::Settings;

/// Place of a bot on the command line: `player1` is the first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Player(usize);

impl Player {
    /// The player at an index from zero.
    pub const fn new(index: usize) -> Player {
        Player(index)
    }

    /// Index from zero.
    pub const fn index(self) -> usize {
        self.0
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "player{}", self.0 + 1)
    }
}

impl FromStr for Player {
    type Err = String;

    fn from_str(text: &str) -> Result<Player, String> {
        let number = text.strip_prefix("player").and_then(|number| number.parse::<u16>().ok());
        let index = number.and_then(|number| number.checked_sub(1));
        index.map(|index| Player(index.into())).ok_or_else(|| format!("{text:?} is not a player"))
    }
}

impl From<Player> for String {
    fn from(player: Player) -> String {
        player.to_string()
    }
}

impl TryFrom<String> for Player {
    type Error = String;

    fn try_from(text: String) -> Result<Player, String> {
        text.parse()
    }
}

/// A bot from the command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Bot {
    /// Text as given.
    pub(super) given: String,
    /// Specification of its brain.
    pub(super) spec: String,
    pub(super) time: TimeControl,
    pub(super) settings: Settings,
}

impl Bot {
    /// A path ending in `.py` means the Python function in that file.
    pub(super) fn new(given: &str, time: TimeControl, settings: Settings) -> Bot {
        let bare = given.ends_with(".py") && !given.contains(':');
        let spec = if bare { format!("codeclash:{given}") } else { given.to_owned() };
        Bot { given: given.to_owned(), spec, time, settings }
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
            let bot = Bot::new(given, "0/5".parse().unwrap(), Settings::default());
            assert_eq!((bot.spec.as_str(), bot.label()), (spec, label), "{given}");
        }
    }

    #[test]
    fn a_player_is_read_as_it_is_written() {
        for index in [0, 1, 41] {
            let player = Player::new(index);
            assert_eq!(player.to_string().parse(), Ok(player));
        }
        for text in ["player0", "player", "player-1", "1", "player99999999"] {
            assert!(text.parse::<Player>().is_err(), "{text}");
        }
    }
}
