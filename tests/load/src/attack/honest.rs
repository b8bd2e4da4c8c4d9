//! Two agents that play by the rules, and how long they have to wait for each poll and each move.
//!
//! They run in a thread of their own, so that the attack's work is not part of what is measured.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use arena_support::{Act, Agent, Call, Client, Reply};
use tokio::time::Instant;

use crate::tally::percentiles;

/// The pause after each round, in which both poll and move. A game of 225 stones then lasts longer than a
/// run.
const PAUSE: Duration = Duration::from_millis(350);

/// The pause before a request without an answer is sent again; one that is refused is sent again when
/// the answer says so.
const AGAIN: Duration = Duration::from_millis(200);

/// A game without an opening that nobody else plays here.
const RULESET: &str = "gomoku_freestyle";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    Before,
    During,
    After,
    Over,
}

/// Waits of the players in one phase, in microseconds, and the number of answers that were not as
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

pub(super) struct Honest {
    pub(super) game: String,
    phase: Arc<AtomicUsize>,
    thread: JoinHandle<[Waits; 3]>,
}

impl Honest {
    /// Registers two agents, waits until they are seated together and lets them play.
    pub(super) async fn sit_down(url: &str) -> Honest {
        let client = Client::new(url);
        let agents = ["honest-1", "honest-2"];
        let [one, other] = agents.map(|name| Agent::register(&client, name));
        let agents = [one.await, other.await];
        for agent in &agents {
            agent.join(RULESET).await;
        }
        let game = agents[0].seated().await;
        let phase = Arc::new(AtomicUsize::new(Phase::Before as usize));
        let player = Players {
            url: url.to_owned(),
            game: game.clone(),
            agents,
            phase: Arc::clone(&phase),
            waits: Default::default(),
        };
        let thread = thread::spawn(move || player.play());
        Honest { game, phase, thread }
    }

    /// Begins a phase: requests from now on belong to it.
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
    agents: [Agent; 2],
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
        // Of this thread's own runtime.
        let client = Client::pooled(&self.url, 2, None);
        let agents = self.agents.clone();
        let agents = agents.map(|agent| Agent::with_key(&client, &agent.name, &agent.key));
        let game = self.game.clone();
        while self.phase().is_some() {
            for agent in &agents {
                let look = agent.get(&format!("/games/{game}"));
                let Some(reply) = self.wait(Kind::Poll, look).await else { continue };
                let Some((turn, act)) = Act::quiet(&reply.json()) else { continue };
                self.wait(Kind::Move, agent.act(&game, turn, act)).await;
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// The index of the phase; `None` when the run is over.
    fn phase(&self) -> Option<usize> {
        Some(self.phase.load(Ordering::Relaxed)).filter(|&phase| phase < self.waits.len())
    }

    /// Sends until it is granted and notes how long that took, in the phase in which it began.
    async fn wait(&mut self, kind: Kind, call: Call) -> Option<Reply> {
        let phase = self.phase()?;
        let begun = Instant::now();
        let reply = loop {
            let pause = match call.try_send().await {
                Ok(reply) if reply.is_ok() => break Some(reply),
                Ok(reply) => {
                    reply.again_ms().map_or(AGAIN, |ms| Duration::from_millis(ms.max(0) as u64))
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
