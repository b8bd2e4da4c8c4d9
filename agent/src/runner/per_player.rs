//! Settings of one player or of all: `VALUE`, or `2:VALUE` for the second.

use std::fmt::Display;
use std::str::FromStr;

use super::player::Player;

/// A value from the command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PerPlayer<T> {
    /// `None` is every player.
    pub player: Option<Player>,
    /// The value.
    pub value: T,
}

impl<T> PerPlayer<T> {
    /// True if the value is for this player.
    pub(super) fn is_for(&self, player: Player) -> bool {
        self.player.is_none_or(|of| of == player)
    }
}

/// Value of a player: the last one for it alone, or else the last one for all.
pub(super) fn of<T>(given: &[PerPlayer<T>], player: Player) -> Option<&T> {
    let last = |of: Option<Player>| given.iter().rev().find(|each| each.player == of);
    last(Some(player)).or_else(|| last(None)).map(|each| &each.value)
}

impl<T: FromStr<Err: Display>> FromStr for PerPlayer<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<PerPlayer<T>, String> {
        let numbered = text.split_once(':').and_then(|(number, value)| {
            let index = number.parse::<u16>().ok()?.checked_sub(1)?;
            Some((Player::new(index.into()), value))
        });
        let (player, value) = match numbered {
            Some((player, value)) => (Some(player), value),
            None => (None, text),
        };
        let value = value.parse().map_err(|why: T::Err| why.to_string())?;
        Ok(PerPlayer { player, value })
    }
}

/// An option of a Gomocup engine, `name=value`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineOption {
    /// A word.
    pub name: String,
    /// Anything on one line.
    pub value: String,
}

impl FromStr for EngineOption {
    type Err = String;

    fn from_str(text: &str) -> Result<EngineOption, String> {
        let (name, value) = text
            .split_once('=')
            .ok_or_else(|| format!("{text:?} is not of the form name=value"))?;
        if name.is_empty() || name.contains(|c: char| c.is_whitespace() || c.is_control()) {
            return Err(format!("{name:?} is not the name of an option"));
        }
        if value.contains(char::is_control) {
            return Err(format!("the value of {name} is not on one line"));
        }
        Ok(EngineOption { name: name.to_owned(), value: value.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_and_a_colon_name_a_player() {
        let read =
            |text: &str| text.parse::<PerPlayer<u64>>().map(|each| (each.player, each.value));
        assert_eq!(read("5000"), Ok((None, 5_000)));
        assert_eq!(read("2:5000"), Ok((Some(Player::new(1)), 5_000)));
        assert!(read("0:5000").is_err() && read("x:5000").is_err() && read("1:").is_err());
    }

    #[test]
    fn the_value_of_a_player_precedes_that_of_all() {
        let given: Vec<PerPlayer<u64>> =
            ["2:7", "5", "2:8", "6"].map(|text| text.parse().unwrap()).into();
        assert_eq!((of(&given, Player::new(0)), of(&given, Player::new(1))), (Some(&6), Some(&8)));
        assert_eq!(of::<u64>(&[], Player::new(0)), None);
    }

    #[test]
    fn an_option_is_one_word_and_one_line() {
        let read = |text: &str| text.parse::<PerPlayer<EngineOption>>();
        let option = read("1:path=C:/nets a=b").unwrap();
        assert_eq!(option.player, Some(Player::new(0)));
        assert_eq!(
            (option.value.name.as_str(), option.value.value.as_str()),
            ("path", "C:/nets a=b")
        );
        for text in ["threads", "=4", "a b=1", "a=1\nSTOP"] {
            assert!(read(text).is_err(), "{text:?}");
        }
    }
}
