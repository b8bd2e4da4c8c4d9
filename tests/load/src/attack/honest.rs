//! Two agents that play by the rules, and how long they have to wait for each poll and each move.
//!
//! They run in a thread of their own, so that the attack's work is not part of what is measured.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use arena_support::{Act, Agent, Call, Client, Reply};
use tokio::time::{Instant, sleep};

/// The pause after each round, in which both poll and move. A game of 225 stones then lasts longer than a
/// run.
const PAUSE: Duration = Duration::from_millis(350);

/// The pause before a request without an answer is sent again; one that is refused is sent again when
/// the answer says so.
const AGAIN_MS: i64 = 200;

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
    pub(super) polls: Vec<u32>,
    pub(super) moves: Vec<u32>,
    pub(super) failures: u32,
}

pub(super) struct Honest {
    pub(super) game: String,
    phase: Arc<AtomicUsize>,
    thread: JoinHandle<[Waits; 3]>,
}

impl Honest {
    /// Registers two agents, waits until they are seated together and lets them play.
    pub(super) async fn sit_down(url: &str) -> Honest {
        let (client, pooled) = (Client::new(url), Client::pooled(url, 2, None));
        let mut agents = Vec::new();
        for name in ["honest-1", "honest-2"] {
            agents.push(Agent::queued(&client, name, RULESET).await);
        }
        let game = agents[0].seated().await;
        // Nothing is sent with these before the thread has its runtime.
        let agents = agents.iter().map(|it| Agent::with_key(&pooled, &it.name, &it.key)).collect();
        let phase = Arc::new(AtomicUsize::new(Phase::Before as usize));
        let waits = Default::default();
        let players = Players { game: game.clone(), agents, phase: Arc::clone(&phase), waits };
        let thread = thread::spawn(move || players.play());
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
    game: String,
    agents: Vec<Agent>,
    phase: Arc<AtomicUsize>,
    waits: [Waits; 3],
}

impl Players {
    #[tokio::main(flavor = "current_thread")]
    async fn play(mut self) -> [Waits; 3] {
        let (agents, game) = (self.agents.clone(), self.game.clone());
        while self.phase().is_some() {
            for agent in &agents {
                let look = agent.get(&format!("/games/{game}"));
                let Some(reply) = self.wait(look, |waits| &mut waits.polls).await else { continue };
                let Some((turn, act)) = Act::quiet(&reply.json()) else { continue };
                self.wait(agent.act(&game, turn, act), |waits| &mut waits.moves).await;
            }
            sleep(PAUSE).await;
        }
        self.waits
    }

    /// The index of the phase; `None` when the run is over.
    fn phase(&self) -> Option<usize> {
        Some(self.phase.load(Ordering::Relaxed)).filter(|&phase| phase < self.waits.len())
    }

    /// Sends until it is granted and notes how long that took, in the phase in which it began.
    async fn wait(&mut self, call: Call, list: fn(&mut Waits) -> &mut Vec<u32>) -> Option<Reply> {
        let phase = self.phase()?;
        let begun = Instant::now();
        let granted = loop {
            let reply = call.try_send().await.ok();
            if reply.as_ref().is_some_and(Reply::is_ok) {
                break reply;
            }
            self.waits[phase].failures += 1;
            if self.phase().is_none() {
                break None;
            }
            let again_ms = reply.and_then(|reply| reply.again_ms()).unwrap_or(AGAIN_MS);
            sleep(Duration::from_millis(again_ms.max(0) as u64)).await;
        };
        let micros = u32::try_from(begun.elapsed().as_micros()).unwrap_or(u32::MAX);
        list(&mut self.waits[phase]).push(micros);
        granted
    }
}
