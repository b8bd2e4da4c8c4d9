//! Commands about a game.

use std::io::Write;

use arena::{AgentName, Game, GameId, Ruling};
use arena_protocol::{Backend, Read, rule};
use arena_store::{Store, now};
use arena_wire::board_text;

use crate::error::Error;

pub(crate) async fn show(store: &Store, out: &mut Vec<u8>, id: GameId) -> Result<(), Error> {
    write(out, &find(store, id).await?)
}

/// Ends a game with a win of `winner`, or with a draw.
pub(crate) async fn end(
    store: &Store,
    out: &mut Vec<u8>,
    id: GameId,
    winner: Option<AgentName>,
) -> Result<(), Error> {
    let ruling = match winner {
        Some(name) => {
            let seat = find(store, id).await?.seat_of(&name);
            let no_player = || Error::new(format!("{name} does not play game {id}"));
            Ruling::Win(seat.ok_or_else(no_player)?)
        }
        None => Ruling::Draw,
    };
    write(out, &rule(store, id, ruling).await?)
}

pub(crate) async fn void(store: &Store, out: &mut Vec<u8>, id: GameId) -> Result<(), Error> {
    write(out, &rule(store, id, Ruling::Void).await?)
}

async fn find(store: &Store, id: GameId) -> Result<Game, Error> {
    let stored = store.game(id, Read::Strong).await?;
    let missing = || Error::new(format!("there is no game {id}"));
    Ok(stored.ok_or_else(missing)?.game)
}

fn write(out: &mut Vec<u8>, game: &Game) -> Result<(), Error> {
    out.write_all(board_text(game, None, now()).as_bytes())?;
    Ok(())
}
