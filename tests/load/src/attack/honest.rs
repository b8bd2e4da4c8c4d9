//! Two agents that play by the rules, and how long they have to wait for each poll and each move.
//!
//! They run in a thread of their own, so that the attack's work is not part of what is measured.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use arena_wire::Endpoint;
use tokio::time::Instant;

use crate::client::{Ask, Client, Reply};
use crate::guest::{Guest, quiet_move};
use crate::tally::percentiles;

/// The pause after each round, in which both poll and move. A game of 225 stones then lasts longer than a
/// run.
const PAUSE: Duration = Duration::from_millis(350);

/// The pause before a request without an answer is sent again; one that is refused is sent again when
/// the answer says so.
const AGAIN: Duration = Duration::from_millis(200);

/// A game without an opening that nobody else plays here.
const RULESET: &str = "gomoku_freestyle";

/// Parts of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    /// The players are alone.
    Before,
    /// They are not.
    During,
    /// They are alone again.
    After,
    /// The run is over.
    Over,
}

/// How long the players waited in one phase, in microseconds, and how often they were not answered as
/// they should have been.
#[derive(Clone, Debug, Default)]
pub(super) struct Waits {
    polls: Vec<u32>,
    moves: Vec<u32>,
    pub(super) failures: u32,
}

impl Waits {
    /// The median and the 99th percentile of polls, in milliseconds; `None` if there were none.
    pub(super) fn polls_ms(&self) -> Option<[f64; 2]> {
        median_and_p99(&self.polls)
    }

    /// The same of moves.
    pub(super) fn moves_ms(&self) -> Option<[f64; 2]> {
        median_and_p99(&self.moves)
    }

    #[cfg(test)]
    pub(super) fn of_moves(micros: &[u32]) -> Waits {
        Waits { moves: micros.to_vec(), ..Waits::default() }
    }
}

fn median_and_p99(micros: &[u32]) -> Option<[f64; 2]> {
    let [median, p99, _] = percentiles(micros.to_vec());
    (!micros.is_empty()).then_some([median, p99])
}

/// The players while they play.
pub(super) struct Honest {
    /// Their game.
    pub(super) game: String,
    phase: Arc<AtomicUsize>,
    thread: JoinHandle<[Waits; 3]>,
}

impl Honest {
    /// Registers two agents, waits until they are seated together and lets them play.
    pub(super) async fn sit_down(url: &str) -> io::Result<Honest> {
        let client = Client::new(url, 2, 0);
        let guests = [
            Guest::register(&client, "honest-1").await?,
            Guest::register(&client, "honest-2").await?,
        ];
        for guest in &guests {
            guest.join(RULESET).await?;
        }
        let game = guests[0].seated().await?;
        let keys = guests.map(|guest| guest.key);
        let phase = Arc::new(AtomicUsize::new(Phase::Before as usize));
        let player = Players {
            url: url.to_owned(),
            game: game.clone(),
            keys,
            phase: Arc::clone(&phase),
            waits: Default::default(),
        };
        let thread = thread::spawn(move || player.play());
        Ok(Honest { game, phase, thread })
    }

    /// What is asked from now on belongs to this phase.
    pub(super) fn enter(&self, phase: Phase) {
        self.phase.store(phase as usize, Ordering::Relaxed);
    }

    /// Ends the play; what the players waited before, during and after.
    pub(super) fn get_up(self) -> io::Result<[Waits; 3]> {
        self.enter(Phase::Over);
        self.thread.join().map_err(|_| io::Error::other("the honest players panicked"))
    }
}

struct Players {
    url: String,
    game: String,
    keys: [String; 2],
    phase: Arc<AtomicUsize>,
    waits: [Waits; 3],
}

#[derive(Clone, Copy)]
enum Kind {
    Poll,
    Move,
}

impl Players {
    fn play(mut self) -> [Waits; 3] {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime starts");
        runtime.block_on(self.rounds());
        self.waits
    }

    async fn rounds(&mut self) {
        let client = Client::new(&self.url, 2, 0);
        let keys = self.keys.clone();
        let game = self.game.clone();
        while self.phase().is_some() {
            for key in &keys {
                let look = Ask::to(Endpoint::Game, &game).by(key);
                let Some(reply) = self.wait(&client, Kind::Poll, look).await else { continue };
                let Some(body) = quiet_move(&reply) else { continue };
                let ask = Ask::to(Endpoint::Move, &game).by(key).with(body);
                self.wait(&client, Kind::Move, ask).await;
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// The index of the phase; `None` when the run is over.
    fn phase(&self) -> Option<usize> {
        Some(self.phase.load(Ordering::Relaxed)).filter(|&phase| phase < self.waits.len())
    }

    /// Sends until it is granted and notes how long that took, in the phase in which it began.
    async fn wait(&mut self, client: &Client, kind: Kind, ask: Ask<'_>) -> Option<Reply> {
        let phase = self.phase()?;
        let begun = Instant::now();
        let reply = loop {
            let pause = match client.ask(ask.clone()).await {
                Ok(reply) if reply.is_ok() => break Some(reply),
                Ok(reply) => {
                    reply.again_ms.map_or(AGAIN, |ms| Duration::from_millis(ms.max(0) as u64))
                }
                Err(_) => AGAIN,
            };
            self.waits[phase].failures += 1;
            if self.phase().is_none() {
                break None;
            }
            tokio::time::sleep(pause).await;
        };
        let micros = u32::try_from(begun.elapsed().as_micros()).unwrap_or(u32::MAX);
        let waits = &mut self.waits[phase];
        match kind {
            Kind::Poll => waits.polls.push(micros),
            Kind::Move => waits.moves.push(micros),
        }
        reply
    }
}
