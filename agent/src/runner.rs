//! `renju match`: games between brains on this machine, without a server.
//!
//! Standard output is exactly the block CodeClash reads, or one JSON object; everything for people
//! goes to standard error. A bot's words reach neither unescaped.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

mod bad_match;
mod clock;
mod elo;
mod files;
mod game;
mod journal;
mod openings;
mod options;
mod pairs;
mod per_player;
mod player;
mod report;
mod setup;
mod sprt;
mod summary;
mod table;

pub use bad_match::BadMatch;
pub use clock::TimeControl;
pub use elo::{Elo, Tally};
pub use options::{ABOUT, EXAMPLES, Options};
pub use pairs::{Estimate, Pentanomial};
pub use per_player::{EngineOption, PerPlayer};
pub use player::Player;
pub use setup::Setup;
pub use sprt::{Hypothesis, Model, Sprt};

use game::{Brains, Finished, Played};
use journal::Journal;
use report::Report;

use crate::stop::Stop;

/// Longest delay before an interruption is noticed.
const POLL: Duration = Duration::from_millis(50);

/// A game that is over.
enum Game {
    /// From the file of `--resume`.
    Known(Played),
    New(Box<Finished>),
}

/// Plays the match and writes the results to `output`.
///
/// If `stop` is set, running games are abandoned and the results so far are written. Returns
/// after every bot has been stopped.
pub fn run(setup: &Setup, output: impl Write, stop: &Stop) -> io::Result<()> {
    files::prepare(setup)?;
    let past = setup.past.as_ref();
    let mut journal = match &setup.resume {
        Some(path) => Some(Journal::open(path, &setup.terms, past)?),
        None => None,
    };
    let mut report = Report::new(setup, output)?;
    report.begin()?;
    let known: BTreeMap<u32, Game> = past
        .into_iter()
        .flat_map(|past| past.games.range(..=setup.games()))
        .map(|(number, played)| (*number, Game::Known(played.clone())))
        .collect();
    let schedule =
        Schedule { next: AtomicU32::new(1), known: known.keys().copied().collect(), setup };
    // The workers' own flag: a match also ends because it is decided.
    let halt = Stop::default();
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..setup.concurrency.min(setup.games()) {
            let (sender, schedule, halt) = (sender.clone(), &schedule, &halt);
            scope.spawn(move || {
                let mut brains = Brains::default();
                while let Some(finished) = schedule.play_next(&mut brains, halt) {
                    if sender.send(finished).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let told = tell(&receiver, known, stop, |game| match game {
            Game::Known(played) => report.game(played),
            Game::New(finished) => {
                files::write(setup, &finished)?;
                if let Some(journal) = &mut journal {
                    journal.write(&finished.played)?;
                }
                report.game(finished.played)
            }
        });
        halt.raise();
        told.and_then(|()| report.end())
    })
}

/// Games to play, handed out to workers.
struct Schedule<'a> {
    setup: &'a Setup,
    next: AtomicU32,
    /// Games that need not be played.
    known: BTreeSet<u32>,
}

impl Schedule<'_> {
    /// Plays the next game. `None` if there is none left, or it was abandoned.
    fn play_next(&self, brains: &mut Brains, halt: &Stop) -> Option<Finished> {
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number > self.setup.games() || halt.is_raised() {
                return None;
            }
            if !self.known.contains(&number) {
                return game::play(self.setup, self.setup.pairing(number), brains, halt);
            }
        }
    }
}

/// Passes the games on in the order of their numbers, as soon as all earlier ones are there, until
/// there are no more, `each` breaks, or `stop` is set.
fn tell(
    receiver: &Receiver<Finished>,
    mut early: BTreeMap<u32, Game>,
    stop: &Stop,
    mut each: impl FnMut(Game) -> io::Result<ControlFlow<()>>,
) -> io::Result<()> {
    let mut due = 1;
    while !stop.is_raised() {
        while let Some(game) = early.remove(&due) {
            if each(game)?.is_break() {
                return Ok(());
            }
            due += 1;
        }
        match receiver.recv_timeout(POLL) {
            Ok(finished) => {
                early.insert(finished.played.number, Game::New(Box::new(finished)));
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    // After an interruption some numbers are missing; finished games still count.
    early.extend(
        receiver.try_iter().map(|finished| (finished.played.number, Game::New(Box::new(finished)))),
    );
    for game in early.into_values() {
        if each(game)?.is_break() {
            break;
        }
    }
    Ok(())
}
