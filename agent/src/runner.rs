//! `renju match`: games between two brains on this machine, without a server.
//!
//! Standard output is exactly the block CodeClash reads; everything for people goes to standard
//! error. A bot's words reach neither unescaped.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

mod elo;
mod files;
mod game;
mod options;
mod pairs;
mod player;
mod report;
mod setup;
mod sprt;

pub use elo::{Elo, Tally};
pub use options::{ABOUT, EXAMPLES, Options};
pub use pairs::{Estimate, Pentanomial};
pub use player::Player;
pub use setup::{BadMatch, Setup};
pub use sprt::{Hypothesis, Model, Sprt};

use game::{Brains, Finished};
use report::Report;

use crate::stop::Stop;

/// Longest delay before an interruption is noticed.
const POLL: Duration = Duration::from_millis(50);

/// Plays the match, writes the results to `output`, and returns the results of the finished games.
///
/// If `stop` is set, running games are abandoned and the results so far are written. Returns
/// after every bot has been stopped.
pub fn run(setup: &Setup, output: impl Write, stop: &Stop) -> io::Result<Tally> {
    files::prepare(setup)?;
    let mut report = Report::new(setup, output);
    report.begin()?;
    let next = AtomicU32::new(1);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..setup.concurrency.min(setup.rounds) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                let mut brains = Brains::default();
                while let Some(finished) = play_next(setup, next, &mut brains, stop) {
                    if sender.send(finished).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let told = tell(&receiver, stop, |finished| {
            files::write(setup, finished)?;
            report.game(finished)
        });
        if told.is_err() {
            stop.raise();
        }
        told.and_then(|()| report.end())
    })
}

/// Plays the next game. `None` if there is none left, or it was abandoned.
fn play_next(
    setup: &Setup,
    next: &AtomicU32,
    brains: &mut Brains,
    stop: &Stop,
) -> Option<Finished> {
    let number = next.fetch_add(1, Ordering::Relaxed);
    if number > setup.rounds || stop.is_raised() {
        return None;
    }
    game::play(setup, setup.pairing(number), brains, stop)
}

/// Passes the games on in the order of their numbers, as soon as all earlier ones are there.
fn tell(
    receiver: &Receiver<Finished>,
    stop: &Stop,
    mut each: impl FnMut(&Finished) -> io::Result<()>,
) -> io::Result<()> {
    let mut early = BTreeMap::new();
    let mut due = 1;
    while !stop.is_raised() {
        match receiver.recv_timeout(POLL) {
            Ok(finished) => {
                early.insert(finished.number, finished);
            }
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => break,
        }
        while let Some(finished) = early.remove(&due) {
            each(&finished)?;
            due += 1;
        }
    }
    // After an interruption some numbers are missing; finished games still count.
    early.extend(receiver.try_iter().map(|finished| (finished.number, finished)));
    early.values().try_for_each(each)
}
