//! One game between two brains. Whatever a brain does, the game ends and the match continues.

use std::collections::HashMap;
use std::fmt::Display;
use std::time::Instant;

use renju::{BySeat, Color, IllegalPlay, Play, Point, Record, Seat};
use serde::{Deserialize, Serialize};

use super::clock::Clock;
use super::player::Player;
use super::setup::{Pairing, Setup};
use crate::brain::{self, Brain, BrainError, PythonError};
use crate::stop::Stop;

/// Most brains that a worker keeps; each may be a process.
const KEPT_MAX: usize = 8;

/// Result of a game, as it is counted and kept.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Played {
    /// Number from one.
    #[serde(rename = "game")]
    pub(super) number: u32,
    /// Player in the first seat.
    pub(super) first: Player,
    pub(super) second: Player,
    /// `None` is a draw.
    pub(super) winner: Option<Player>,
    /// Stones placed, including those of the opening.
    pub(super) stones: u16,
    #[serde(flatten)]
    pub(super) end: End,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "end", rename_all = "snake_case")]
pub(super) enum End {
    /// By the rules of the game.
    Board,
    /// A draw by `--draw-after`.
    DrawAfter,
    Forfeit(Forfeit),
}

/// A loss that was not decided on the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Forfeit {
    pub(super) by: Cause,
    /// Description that names the player. May contain any text from a bot.
    pub(super) why: String,
}

/// Kind of a forfeit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Cause {
    Time,
    /// An illegal move, or an answer that is not a move.
    Illegal,
    /// The program ended, raised an exception or could not be started.
    Crash,
}

/// A game that was just played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Finished {
    pub(super) played: Played,
    pub(super) record: Record,
}

impl Played {
    pub(super) fn forfeit(&self) -> Option<&Forfeit> {
        match &self.end {
            End::Forfeit(forfeit) => Some(forfeit),
            End::Board | End::DrawAfter => None,
        }
    }

    /// Player who lost.
    pub(super) fn loser(&self) -> Option<Player> {
        self.winner.map(|winner| if winner == self.first { self.second } else { self.first })
    }

    /// Half points of one of the two players.
    pub(super) fn half_points(&self, player: Player) -> usize {
        match self.winner {
            None => 1,
            Some(winner) => 2 * usize::from(winner == player),
        }
    }
}

impl Finished {
    /// Player who holds a colour at the end.
    pub(super) fn holder(&self, color: Color) -> Player {
        self.player(self.record.position().seat_of(color))
    }

    /// Player in a seat.
    pub(super) fn player(&self, seat: Seat) -> Player {
        match seat {
            Seat::First => self.played.first,
            Seat::Second => self.played.second,
        }
    }
}

/// A point in CodeClash's form, `board[row][column]` with rank 1 as row 0.
pub(super) fn row_and_column(point: Point) -> (u8, u8) {
    (point.y(), point.x())
}

/// Brains between two games, by player.
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
        if let Some(kept) = self.0.remove(&player) {
            return Ok(kept);
        }
        let mut brain = brain::open(&setup.spec(player, number))?;
        let configured = brain.configure(&setup.bot(player).settings);
        configured.map_err(|why| BrainError::Gone(why.to_string()))?;
        Ok(brain)
    }

    /// Keeps the brain for the next game of the player if it can play another one. All others end
    /// here, with their programs and tables.
    fn keep(&mut self, player: Player, brain: Result<Box<dyn Brain>, BrainError>) {
        if let Ok(mut brain) = brain
            && self.0.len() < KEPT_MAX
            && brain.renew()
        {
            self.0.insert(player, brain);
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
    let Pairing { number, players, start: mut record } = pairing;
    let mut brains = players.map(|player| kept.take(setup, player, number));
    let mut clocks = players.map(|player| Clock::new(setup.bot(player).time));
    let lost = loop {
        let Some(seat) = record.position().to_act() else { break None };
        if setup.draw_after.is_some_and(|most| record.position().move_number() >= most) {
            break None;
        }
        if stop.is_raised() {
            return None;
        }
        let chosen = match &mut brains[seat] {
            Ok(brain) => choose(brain.as_mut(), &record, &mut clocks[seat]),
            Err(why) => Err(why.clone()),
        };
        let refused = match chosen {
            Ok(play) => record.play(play).err().map(|why| Refused::Play(play, why)),
            Err(why) => Some(Refused::Brain(why)),
        };
        if let Some(refused) = refused {
            break Some((seat, refused));
        }
    };
    kept.keep(players.first, brains.first);
    kept.keep(players.second, brains.second);
    let (winner, end) = match (lost, record.position().outcome()) {
        (Some((seat, refused)), _) => {
            let loser = players[seat];
            let is_python = setup.bot(loser).python().is_some();
            let forfeit = refused.forfeit(loser, is_python, &clocks[seat]);
            (Some(players[!seat]), End::Forfeit(forfeit))
        }
        (None, Some(outcome)) => {
            let winner = outcome.winner.map(|color| players[record.position().seat_of(color)]);
            (winner, End::Board)
        }
        (None, None) => (None, End::DrawAfter),
    };
    let BySeat { first, second } = players;
    let stones = record.position().move_number();
    Some(Finished { played: Played { number, first, second, winner, stones, end }, record })
}

/// Asks for a play and stops the clock. The time of a late answer is not deducted.
fn choose(brain: &mut dyn Brain, record: &Record, clock: &mut Clock) -> Result<Play, BrainError> {
    if let Some(of_game) = clock.of_game() {
        brain.set_clock(of_game);
    }
    let asked = Instant::now();
    let play = brain.choose(record, clock.limit())?;
    clock.spend(asked.elapsed());
    Ok(play)
}

/// Failure of a brain to give a legal play.
enum Refused {
    Play(Play, IllegalPlay),
    Brain(BrainError),
}

impl Refused {
    /// Words for the failure; those of CodeClash for a Python bot.
    fn forfeit(self, loser: Player, is_python: bool, clock: &Clock) -> Forfeit {
        let (by, why) = match self {
            Refused::Play(Play::Place(point), why) => {
                let (row, column) = row_and_column(point);
                let text = match is_python {
                    true => invalid_move(loser, &row, &column),
                    false => format!("{loser} played ({row}, {column}): {why}"),
                };
                (Cause::Illegal, text)
            }
            Refused::Play(play, why) => (Cause::Illegal, format!("{loser} played {play}: {why}")),
            Refused::Brain(BrainError::Late) => {
                (Cause::Time, format!("{loser} {}", clock.exceeded()))
            }
            Refused::Brain(BrainError::Python(why)) => as_codeclash_says(&why, loser),
            Refused::Brain(why @ BrainError::Nonsense(_)) => {
                (Cause::Illegal, format!("{loser}: {why}"))
            }
            Refused::Brain(why) => (Cause::Crash, format!("{loser}: {why}")),
        };
        Forfeit { by, why }
    }
}

/// Failure of a Python bot, as CodeClash's engine words it.
fn as_codeclash_says(why: &PythonError, loser: Player) -> (Cause, String) {
    match why {
        PythonError::Load { text, .. } => (Cause::Crash, format!("Failed to load {loser}: {text}")),
        PythonError::Raised { text, .. } => {
            (Cause::Crash, format!("{loser} raised exception: {text}"))
        }
        PythonError::Format { text, .. } => {
            (Cause::Illegal, format!("{loser} returned invalid move format: {text}"))
        }
        PythonError::OffBoard { row, column } => (Cause::Illegal, invalid_move(loser, row, column)),
    }
}

fn invalid_move(loser: Player, row: &dyn Display, column: &dyn Display) -> String {
    format!("{loser} made invalid move: ({row}, {column})")
}
