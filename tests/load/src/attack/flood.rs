//! So many requests a second by players who keep to the limits of their keys, sent when they are due
//! whether or not earlier ones have been answered.

use std::sync::Arc;
use std::time::Duration;

use arena_support::{Agent, Call, place};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::Target;

/// Players, so many that each stays below its limit at the highest rate.
const PLAYERS: usize = 128;
const RULESET: &str = "renju_free";

/// Requests that may be without an answer; what is due beyond is counted and not sent.
pub(super) const IN_FLIGHT_MAX: usize = 2_000;

const TICK: Duration = Duration::from_millis(5);

/// Registers the players and seats them; each with its game.
pub(super) async fn seated(target: &Target) -> Vec<(Agent, String)> {
    let mut agents = Vec::with_capacity(PLAYERS);
    for number in 0..PLAYERS {
        agents.push(Agent::queued(&target.client, &format!("flood-{number}"), RULESET).await);
    }
    let mut players = Vec::with_capacity(PLAYERS);
    for agent in agents {
        let game = agent.seated().await;
        players.push((agent, game));
    }
    players
}

/// Sends until it is ended itself, which ends all of its requests.
pub(super) async fn flood(rate: u32, players: Vec<(Agent, String)>, target: Arc<Target>) {
    let mut requests = JoinSet::new();
    let begun = Instant::now();
    let mut ticks = tokio::time::interval(TICK);
    let mut sent = 0;
    loop {
        ticks.tick().await;
        while requests.try_join_next().is_some() {}
        let due = (begun.elapsed().as_secs_f64() * f64::from(rate)) as usize;
        for number in sent..due {
            if requests.len() >= IN_FLIGHT_MAX {
                target.answers.count("not sent");
                continue;
            }
            let player = &players[number % players.len()];
            // Its position among the requests of its player.
            let call = request(number / players.len(), player);
            let target = Arc::clone(&target);
            requests.spawn(async move { target.answers.reply(call.try_send().await) });
        }
        sent = due;
    }
}

/// Three quarters are polls; the rest looks at the agent or decides for a turn that is not there.
fn request(turn: usize, (agent, game): &(Agent, String)) -> Call {
    match turn % 8 {
        0..6 => agent.get(&format!("/games/{game}")),
        6 => agent.get("/agents/me"),
        _ => agent.act_with(game, 9_999, place("h8"), &turn.to_string()),
    }
}
