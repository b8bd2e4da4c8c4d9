//! One game between two brains. Whatever a brain does, the game ends and the match continues.

use std::collections::HashMap;
use std::fmt::Display;
use std::time::Duration;

use renju::{BySeat, Color, IllegalPlay, Play, Point, Record, Seat};

use super::player::Player;
use super::setup::{Pairing, Setup};
use crate::brain::{self, Brain, BrainError, PythonError};
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

/// Brains that have played a game, by player.
#[derive(Default)]
pub(super) struct Brains(HashMap<Player, Box<dyn Brain>>);

impl Brains {
    /// A brain that knows nothing of earlier games.
    fn take(
        &mut self,
        setup: &Setup,
        player: Player,
        number: u32,
    ) -> Result<Box<dyn Brain>, BrainError> {
        let mut kept = self.0.remove(&player);
        match kept.take_if(|brain| brain.renew()) {
            Some(brain) => Ok(brain),
            None => brain::open(&setup.spec(player, number)),
        }
    }
}

/// Plays a game. `None` if it was interrupted.
pub(super) fn play(
    setup: &Setup,
    pairing: Pairing,
    kept: &mut Brains,
    stop: &Stop,
) -> Option<Finished> {
    let Pairing { number, first, start: mut record } = pairing;
    let mut brains =
        BySeat { first, second: !first }.map(|player| kept.take(setup, player, number));
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
        Some((loser, refused)) => {
            let is_python = setup.bot(loser).python().is_some();
            (Some(!loser), Some(refused.forfeit(loser, is_python, setup.timeout)))
        }
        None => {
            let winner = record.position().outcome().and_then(|outcome| outcome.winner);
            (winner.map(|color| player_at(record.position().seat_of(color), first)), None)
        }
    };
    for (player, brain) in [(first, brains.first), (!first, brains.second)] {
        kept.0.extend(brain.ok().map(|brain| (player, brain)));
    }
    Some(Finished { number, first, record, winner, forfeit })
}

/// Failure of a brain to give a legal play.
enum Refused {
    Play(Play, IllegalPlay),
    Brain(BrainError),
}

impl Refused {
    fn forfeit(self, loser: Player, is_python: bool, limit: Duration) -> Forfeit {
        let late = matches!(self, Refused::Brain(BrainError::Late));
        let why = match self {
            Refused::Play(Play::Place(point), why) => {
                let (row, column) = row_and_column(point);
                if is_python {
                    invalid_move(loser, &row, &column)
                } else {
                    format!("{loser} played ({row}, {column}): {why}")
                }
            }
            Refused::Play(play, why) => format!("{loser} played {play}: {why}"),
            Refused::Brain(BrainError::Late) => {
                format!("{loser} gave no answer in {} s", limit.as_secs_f64())
            }
            Refused::Brain(BrainError::Python(why)) => as_codeclash_says(&why, loser),
            Refused::Brain(why) => format!("{loser}: {why}"),
        };
        Forfeit { why, late }
    }
}

/// Failure of a Python bot, as CodeClash's engine words it.
fn as_codeclash_says(why: &PythonError, loser: Player) -> String {
    match why {
        PythonError::Load { text, .. } => format!("Failed to load {loser}: {text}"),
        PythonError::Raised { text, .. } => format!("{loser} raised exception: {text}"),
        PythonError::Format { text, .. } => {
            format!("{loser} returned invalid move format: {text}")
        }
        PythonError::OffBoard { row, column } => invalid_move(loser, row, column),
    }
}

fn invalid_move(loser: Player, row: &dyn Display, column: &dyn Display) -> String {
    format!("{loser} made invalid move: ({row}, {column})")
}
