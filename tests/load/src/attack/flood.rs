//! So many requests a second by players who keep to the limits of their keys, sent when they are due
//! whether or not earlier ones have been answered.

use std::sync::Arc;
use std::time::Duration;

use arena_support::{Agent, Call, place};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::Target;
use super::answers::Answers;

/// Players, so many that each stays below its limit at the highest rate.
const PLAYERS: usize = 128;
const RULESET: &str = "renju_free";

/// Requests that may be without an answer; what is due beyond is counted and not sent.
const IN_FLIGHT_MAX: usize = 2_000;

const TICK: Duration = Duration::from_millis(5);

/// Registers the players and seats them; each with its game.
pub(super) async fn seated(target: &Target) -> Vec<(Agent, String)> {
    let client = target.client(IN_FLIGHT_MAX);
    let mut agents = Vec::with_capacity(PLAYERS);
    for number in 0..PLAYERS {
        let agent = Agent::register(&client, &format!("flood-{number}")).await;
        agent.join(RULESET).await;
        agents.push(agent);
    }
    let mut players = Vec::with_capacity(PLAYERS);
    for agent in agents {
        let game = agent.seated().await;
        players.push((agent, game));
    }
    players
}

pub(super) fn start(
    rate: u32,
    players: Vec<(Agent, String)>,
    answers: &Arc<Answers>,
    attackers: &mut JoinSet<()>,
) {
    let answers = Arc::clone(answers);
    let places = Arc::new(Semaphore::new(IN_FLIGHT_MAX));
    attackers.spawn(async move {
        // Ends all of them when it is ended itself.
        let mut requests = JoinSet::new();
        let begun = Instant::now();
        let mut ticks = tokio::time::interval(TICK);
        let mut sent = 0;
        loop {
            ticks.tick().await;
            while requests.try_join_next().is_some() {}
            let due = (begun.elapsed().as_secs_f64() * f64::from(rate)) as usize;
            for number in sent..due {
                let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
                    answers.count("not sent");
                    continue;
                };
                let player = &players[number % players.len()];
                // Its position among the requests of its player.
                let call = request(number / players.len(), player);
                let answers = Arc::clone(&answers);
                requests.spawn(async move {
                    answers.reply(&call.try_send().await);
                    drop(place);
                });
            }
            sent = due;
        }
    });
}

/// Three quarters are polls; the rest looks at the agent or decides for a turn that is not there.
fn request(turn: usize, (agent, game): &(Agent, String)) -> Call {
    match turn % 8 {
        0..6 => agent.get(&format!("/games/{game}")),
        6 => agent.get("/agents/me"),
        _ => agent.act_with(game, 9_999, place("h8"), &turn.to_string()),
    }
}
