//! So many requests a second by players who keep to the limits of their keys, sent when they are due
//! whether or not earlier ones have been answered.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use arena_wire::Endpoint;
use serde_json::json;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::Target;
use super::answers::Answers;
use crate::client::Ask;
use crate::guest::Guest;

/// Players, so many that each stays below its limit at the highest rate.
const PLAYERS: usize = 128;
const RULESET: &str = "renju_free";

/// Requests that may be without an answer; what is due beyond is counted and not sent.
const IN_FLIGHT_MAX: usize = 2_000;

const TICK: Duration = Duration::from_millis(5);

/// An agent and the game it plays.
#[derive(Clone, Debug)]
pub(super) struct Player {
    key: String,
    game: String,
}

/// Registers the players and seats them.
pub(super) async fn seated(target: &Target) -> io::Result<Vec<Player>> {
    let client = target.client(8);
    let mut guests = Vec::with_capacity(PLAYERS);
    for number in 0..PLAYERS {
        let guest = Guest::register(&client, &format!("flood-{number}")).await?;
        guest.join(RULESET).await?;
        guests.push(guest);
    }
    let mut players = Vec::with_capacity(PLAYERS);
    for guest in guests {
        players.push(Player { game: guest.seated().await?, key: guest.key });
    }
    Ok(players)
}

pub(super) fn start(
    target: &Target,
    rate: u32,
    players: Vec<Player>,
    answers: &Arc<Answers>,
    attackers: &mut JoinSet<()>,
) {
    let client = target.client(IN_FLIGHT_MAX);
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
                let player = players[number % players.len()].clone();
                let (client, answers) = (client.clone(), Arc::clone(&answers));
                // Its position among the requests of its player.
                let turn = number / players.len();
                requests.spawn(async move {
                    answers.reply(&client.ask(request(turn, &player)).await);
                    drop(place);
                });
            }
            sent = due;
        }
    });
}

/// Three quarters are polls; the rest looks at the agent or decides for a turn that is not there.
fn request(turn: usize, player: &Player) -> Ask<'_> {
    let ask = match turn % 8 {
        0..6 => Ask::to(Endpoint::Game, &player.game),
        6 => Ask::to(Endpoint::Me, ""),
        _ => {
            let body =
                json!({"point": "h8", "turn_number": 9_999, "idempotency_key": turn.to_string()});
            Ask::to(Endpoint::Move, &player.game).with(body.to_string())
        }
    };
    ask.by(&player.key)
}
