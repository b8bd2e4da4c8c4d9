//! A game in a list: the players, the state and, on a tile, a small board.

use std::cmp::Reverse;

use arena::{Game, Timestamp};
use arena_wire::{Detail, GameView};
use renju::{Color, Position};
use renju_picture::{Lettering, Scene, Style, Theme, board, thumbnail};

use crate::when::{Deadline, When};
use crate::words;

/// A live game without a decision for this long stands still, as far as a spectator can see.
const STILL_MS: i64 = 180_000;

#[derive(Clone, Debug)]
pub(crate) struct Card {
    pub(crate) id: String,
    pub(crate) sides: [Side; 2],
    pub(crate) words: String,
    pub(crate) rules: &'static str,
    pub(crate) pool: &'static str,
    /// Two house bots play.
    pub(crate) exhibition: bool,
    /// The end of a finished game.
    pub(crate) ended: Option<When>,
}

/// A player of a game in a list.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    pub(crate) color: Color,
    pub(crate) name: String,
    pub(crate) rating: f64,
    pub(crate) won: bool,
    /// Set if the player is to act.
    pub(crate) deadline: Option<Deadline>,
}

/// A game with a small board.
#[derive(Clone, Debug)]
pub(crate) struct Tile {
    pub(crate) card: Card,
    pub(crate) board: String,
}

/// A game with a large board.
#[derive(Clone, Debug)]
pub(crate) struct Feature {
    pub(crate) card: Card,
    pub(crate) board: String,
    pub(crate) opening: Option<String>,
    pub(crate) last: Option<String>,
}

impl Card {
    pub(crate) fn of(game: &Game) -> Card {
        Card {
            id: game.id().to_string(),
            sides: Color::BOTH.map(|color| Side::of(game, color)),
            words: words::brief(game),
            rules: words::short(game.ruleset()),
            pool: game.header().division.pool.id(),
            exhibition: game.is_exhibition(),
            ended: game.result().map(|_| When::of(game.last_at())),
        }
    }
}

impl Side {
    fn of(game: &Game, color: Color) -> Side {
        let seat = game.position().seat_of(color);
        let player = &game.header().players[seat];
        Side {
            color,
            name: player.name.to_string(),
            rating: player.rating.value.round(),
            won: game.result().is_some_and(|result| result.winner == Some(seat)),
            deadline: Deadline::of(game).filter(|_| game.to_act() == Some(seat)),
        }
    }
}

impl Tile {
    pub(crate) fn of(game: &Game) -> Tile {
        Tile { card: Card::of(game), board: thumbnail(&scene(game), "the board") }
    }
}

impl Feature {
    pub(crate) fn of(game: &Game, now: Timestamp) -> Feature {
        let [black, white] = Color::BOTH.map(|color| &game.player(color).name);
        let style = Style { theme: Theme::Page, lettering: Lettering::Text };
        let view = GameView::new(game, None, now, Detail::BRIEF);
        let last = view.moves.iter().flatten().rev().find_map(|shown| shown.point);
        Feature {
            card: Card::of(game),
            board: board(&scene(game), &format!("{black} – {white}"), style),
            opening: view.opening.as_ref().map(|opening| opening.name.to_string()),
            last: last.map(|point| point.0.to_string()),
        }
    }
}

/// Scene of the current position.
pub(crate) fn scene(game: &Game) -> Scene {
    Scene::after(Position::new(game.ruleset()), game.plays(), game.result().is_none())
        .expect("every play of a game's log is legal")
}

/// Orders live games by interest: those that go on, exhibitions, those that stand still, empty boards;
/// among equals the stronger players first.
pub(crate) fn interest(game: &Game, now: Timestamp) -> (u8, Reverse<i64>) {
    let kind = if game.position().move_number() == 0 {
        3
    } else if now.since(game.last_at()) > STILL_MS {
        2
    } else {
        u8::from(game.is_exhibition())
    };
    let players = &game.header().players;
    let strength = players.first.rating.conservative() + players.second.rating.conservative();
    (kind, Reverse(strength as i64))
}
