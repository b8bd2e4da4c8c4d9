//! One game between two brains. Whatever a brain does, the game ends and the match continues.

use std::time::Duration;

use renju::{BySeat, Color, IllegalPlay, Play, Point, Record, Seat};

use super::player::Player;
use super::setup::{Pairing, Setup};
use crate::brain::{self, BrainError};
use crate::stop::Stop;

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Finished {
    pub(super) number: u32,
    pub(super) record: Record,
    /// `None` is a draw.
    pub(super) winner: Option<Player>,
    pub(super) forfeit: Option<Forfeit>,
    first: Player,
}

/// A loss that was not decided on the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Forfeit {
    /// Description that names the player. May contain any text from a bot.
    pub(super) why: String,
    /// True for a loss on time.
    pub(super) late: bool,
}

impl Finished {
    /// Player who holds a colour at the end.
    pub(super) fn holder(&self, color: Color) -> Player {
        player_at(self.record.position().seat_of(color), self.first)
    }

    /// Player in a seat.
    pub(super) fn player(&self, seat: Seat) -> Player {
        player_at(seat, self.first)
    }
}

fn player_at(seat: Seat, first: Player) -> Player {
    match seat {
        Seat::First => first,
        Seat::Second => !first,
    }
}

/// A point in CodeClash's form, `board[row][column]` with rank 1 as row 0.
pub(super) fn row_and_column(point: Point) -> (u8, u8) {
    (point.y(), point.x())
}

/// Plays a game with new brains. `None` if it was interrupted.
pub(super) fn play(setup: &Setup, pairing: Pairing, stop: &Stop) -> Option<Finished> {
    let Pairing { number, first, start: mut record } = pairing;
    let mut brains =
        BySeat { first, second: !first }.map(|player| brain::open(&setup.spec(player, number)));
    let lost = loop {
        let Some(seat) = record.position().to_act() else { break None };
        if stop.is_raised() {
            return None;
        }
        let chosen = match &mut brains[seat] {
            Ok(brain) => brain.choose(&record, setup.timeout),
            Err(why) => Err(why.clone()),
        };
        let refused = match chosen {
            Ok(play) => record.play(play).err().map(|why| Refused::Play(play, why)),
            Err(why) => Some(Refused::Brain(why)),
        };
        if let Some(refused) = refused {
            break Some((player_at(seat, first), refused));
        }
    };
    let (winner, forfeit) = match lost {
        Some((loser, refused)) => (Some(!loser), Some(refused.forfeit(loser, setup.timeout))),
        None => {
            let winner = record.position().outcome().and_then(|outcome| outcome.winner);
            (winner.map(|color| player_at(record.position().seat_of(color), first)), None)
        }
    };
    Some(Finished { number, first, record, winner, forfeit })
}

/// Failure of a brain to give a legal play.
enum Refused {
    Play(Play, IllegalPlay),
    Brain(BrainError),
}

impl Refused {
    fn forfeit(self, loser: Player, limit: Duration) -> Forfeit {
        let late = matches!(self, Refused::Brain(BrainError::Late));
        let why = match self {
            Refused::Play(Play::Place(point), why) => {
                let (row, column) = row_and_column(point);
                format!("{loser} played ({row}, {column}): {why}")
            }
            Refused::Play(play, why) => format!("{loser} played {play}: {why}"),
            Refused::Brain(BrainError::Late) => {
                format!("{loser} gave no answer in {} s", limit.as_secs_f64())
            }
            Refused::Brain(why) => format!("{loser}: {why}"),
        };
        Forfeit { why, late }
    }
}
