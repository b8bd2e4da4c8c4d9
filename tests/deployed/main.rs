//! `infra/template.yaml`, as it is, deployed by `infra/deploy` with the real functions to a server that
//! runs them behind its gateways and queues; agents of the author's tool play three games there.
//!
//! One game ends on the board. In the second an agent is killed and the other frozen: nobody asks any
//! more, so that only the function behind the queue can end it. In the third an agent that waits alone
//! plays a house bot. A front end asks for a move over the socket.
//!
//! The account is new, with a quota of 10, and its first deployment has failed. The arena is deployed
//! twice, destroyed, and deployed again; each time `infra/deploy` ends with a game of `infra/smoke`.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops where it is")]

mod agent;
mod cloud;
mod deployment;
mod duel;

use std::time::{Duration, Instant};

use arena::{Game, GameId, Reason};
use arena_protocol::{Backend, Read};
use arena_store::{Paging, Store};
use arena_support::eventually;

use cloud::Cloud;
use deployment::Deployment;

/// Longest time of a decision here. An invocation takes a tenth of a second, on a busy machine more.
const TURN: Duration = Duration::from_secs(15);

/// After which a house bot takes the other seat: not while the two agents are still starting.
const HOUSE_AFTER: Duration = Duration::from_secs(40);

/// Longest time of the schedule, the queue and a cold start together.
const DELIVERY: Duration = Duration::from_secs(90);

#[tokio::test]
async fn agents_play_on_the_deployed_template() {
    let started = Instant::now();
    let tell = |what: &str| eprintln!("{:5.1} s: {what}", started.elapsed().as_secs_f64());
    let Some(cloud) = Cloud::start().await else { return };
    tell(&format!("{} runs", cloud.what()));
    if cloud.is_ours() {
        deployment::fail_first(&cloud);
        tell("a first deployment has failed");
    }
    let deployment = Deployment::make(&cloud, TURN, HOUSE_AFTER);
    tell(&format!("deployed at {}", deployment.url()));
    deployment.repeat();
    tell("the same version was deployed again");
    let store = deployment.store();

    let ada = agent::start(&deployment, "ada", &["--brain", "house:2"]);
    let bob = agent::start(&deployment, "bob", &["--brain", "house:1"]);
    let game = one_live_game(&store).await;
    tell(&format!("game {game} has begun"));
    agent::ends_well(&deployment, "ada", ada).await;
    agent::ends_well(&deployment, "bob", bob).await;
    let first = store.game(game, Read::Strong).await.unwrap().unwrap().game;
    let reason = first.result().unwrap().reason;
    assert!(matches!(reason, Reason::Board(_)), "{reason:?}");
    tell(&format!("game {game} is over after {} decisions: {}", first.turn(), reason.id()));

    let ada = agent::start(&deployment, "ada", &["--ruleset", "gomoku_freestyle"]);
    let bob = agent::start(&deployment, "bob", &["--ruleset", "gomoku_freestyle"]);
    let game = one_live_game(&store).await;
    // Both have decided: who then stays away loses on time, and has not merely failed to appear.
    wait(&store, game, TURN, |game| (game.turn().0 >= 4).then_some(())).await;
    drop(ada);
    wait(&store, game, TURN, |game| is_to_act(game, "ada").then_some(())).await;
    bob.signal("-STOP");
    tell(&format!("game {game}: ada is killed, bob frozen"));
    let second =
        wait(&store, game, TURN + DELIVERY, |game| game.result().is_some().then(|| game.clone()))
            .await;
    let result = second.result().unwrap();
    assert_eq!(result.reason, Reason::Timeout);
    assert_eq!(result.winner, second.seat_of(&"bob".parse().unwrap()));
    let before_the_end = second.at(arena::TurnNumber(second.turn().0 - 1));
    let lag = second.last_at().since(before_the_end.deadline().unwrap());
    tell(&format!("game {game}: ada is out of time, written {lag} ms after the deadline"));
    bob.signal("-CONT");
    agent::ends_well(&deployment, "bob", bob).await;

    duel::is_answered(&deployment).await;
    tell("the duel was answered over its socket");

    let bob = agent::start(&deployment, "bob", &["--ruleset", "gomoku_freestyle"]);
    let game = one_live_game(&store).await;
    tell(&format!("game {game}: bob plays a house bot"));
    agent::ends_well(&deployment, "bob", bob).await;
    let third = store.game(game, Read::Strong).await.unwrap().unwrap().game;
    let reason = third.result().unwrap().reason;
    assert!(matches!(reason, Reason::Board(_)), "{reason:?}");
    tell(&format!("game {game} is over after {} decisions: {}", third.turn(), reason.id()));

    tell(&format!("the canary: {}", deployment.canary_plays()));

    let heartbeat = || async { store.last_heartbeat().await.unwrap() };
    eventually("the schedule sends for a sweep", DELIVERY.as_secs(), heartbeat).await;
    assert_eq!(deployment.dead_letters().await, 0, "no message was given up");
    let audit = store.audit(arena_store::now()).await.unwrap();
    assert!(audit.is_clean(), "{:#?}", audit.violations);
    // Ours, and those of two smoke tests and the canary.
    assert_eq!((audit.agents, audit.live, audit.finished), (2 + 3, 0, 3 + 3));
    tell("the tables are sound");

    deployment.destroy();
    tell("destroyed");
    Deployment::make(&cloud, TURN, HOUSE_AFTER);
    tell("deployed again");
}

async fn one_live_game(store: &Store) -> GameId {
    let look = || async {
        let live = store.live(Paging::first(2)).await.unwrap();
        live.entries.first().copied()
    };
    eventually("the referee seats the two agents", DELIVERY.as_secs(), look).await
}

/// Looks at the tables: asking the arena would end an overdue game.
async fn wait<T>(
    store: &Store,
    id: GameId,
    patience: Duration,
    look: impl Fn(&Game) -> Option<T>,
) -> T {
    let look = || async { look(&store.game(id, Read::Strong).await.unwrap().unwrap().game) };
    eventually("the game goes on", patience.as_secs(), look).await
}

fn is_to_act(game: &Game, name: &str) -> bool {
    game.to_act() == game.seat_of(&name.parse().unwrap())
}
