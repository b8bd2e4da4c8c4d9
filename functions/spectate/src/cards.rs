//! A game in a list: a small board, the names, the state.

use arena::Game;
use renju::{Color, Position};
use renju_picture::{Scene, thumbnail};

use crate::words;

#[derive(Clone, Debug)]
pub(crate) struct Card {
    pub(crate) id: String,
    pub(crate) board: String,
    pub(crate) black: String,
    pub(crate) white: String,
    pub(crate) words: String,
    pub(crate) rules: &'static str,
}

impl Card {
    pub(crate) fn of(game: &Game) -> Card {
        let name = |color| game.player(color).name.to_string();
        Card {
            id: game.id().to_string(),
            board: thumbnail(&scene(game), "the board"),
            black: name(Color::Black),
            white: name(Color::White),
            words: words::brief(game),
            rules: words::short(game.ruleset()),
        }
    }
}

/// Scene of the current position.
pub(crate) fn scene(game: &Game) -> Scene {
    Scene::after(Position::new(game.ruleset()), game.plays(), game.result().is_none())
        .expect("every play of a game's log is legal")
}
