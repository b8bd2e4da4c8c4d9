//! The counters: a whole game over HTTP, every operation by what the services say it consumed.

use std::collections::BTreeMap;

use arena_store::Usage;
use serde_json::json;

use super::{DECISIONS, Measured, POLL_S, Spent, Step, THINK_S, polls, reference};
use arena_support::{Act, Call, Match, Setup, TARAGUCHI, TestArena, quiet_play};

/// Plays the reference game. The players have played before, as most have: that makes the end
/// dearer, because the leaderboard moves.
pub async fn measure() -> Measured {
    // The game is played faster than in life: no reply may warn of the limit of a key.
    let setup = Setup { messages: false, requests_per_second: 1_000, ..Setup::default() };
    let arena = TestArena::with(setup).await;
    let names = ["aristarchu", "eratosthen", "hipparchus", "posidonius"];
    let [one, other, third, fourth] = arena.agents(names).await;
    for [winner, loser] in [[&one, &third], [&other, &fourth]] {
        let players = arena.seat(TARAGUCHI, [winner.clone(), loser.clone()]).await;
        loser.resign(&players.id).await.ok();
    }
    let bytes_before = arena.audit().await.game_bytes;
    let idle = message(&arena, "sweep").await;

    let (agents, mut tallies) = ([one, other], Tallies::default());
    for agent in &agents {
        let join = agent.post("/queue/join").json(&json!({}));
        tallies.add("join the queue", request(&arena, join).await);
        tallies.add("look at the queue", request(&arena, agent.get("/queue")).await);
    }
    // Each join has sent a message; the first to arrive seats both.
    for _ in 0..2 {
        tallies.add("matchmaking", message(&arena, &format!("match {TARAGUCHI}/standard 0")).await);
    }
    let players = Match::of(agents).await;
    play(&arena, &players, &mut tallies).await;
    let read_units = tallies.each("sweep").read_units - idle.read_units;
    tallies.add("sweep, for a live game", Spent { read_units, ..Spent::default() });
    let stored_bytes = (arena.finish().await.game_bytes - bytes_before) as f64;

    let (decisions, waits) = (f64::from(DECISIONS), tallies.0["poll, game changed"].len() as f64);
    let [yes, no] = [true, false];
    let step = |what, is_request, times| Step { what, is_request, times, each: tallies.each(what) };
    let steps = vec![
        step("join the queue", yes, 2.0),
        step("look at the queue", yes, 2.0),
        step("matchmaking", no, 2.0),
        step("decision", yes, decisions - 1.0),
        step("last decision", yes, 1.0),
        step("poll, game changed", yes, waits),
        step("poll, not modified", yes, polls(waits, POLL_S) - waits),
        step("timer, re-armed", no, 2.0),
        step("timer, after the end", no, 1.0),
        step("sweep, for a live game", no, decisions * THINK_S / 60.0),
    ];
    Measured { steps, waits, stored_bytes, plain_bytes: tallies.each("plain").reply_bytes }
}

/// Forty decisions, the last a resignation. Whenever it is the other player's turn, that one looks
/// twice: once there is news, once there is none.
async fn play(arena: &TestArena, players: &Match, tallies: &mut Tallies) {
    let mut timer = String::new();
    for turn in 0..DECISIONS {
        let game = arena.stored(&players.id).await;
        let actor = game.header().players[game.to_act().unwrap()].name.clone();
        let actor = players.player(&actor.as_str().into());
        let is_last = turn + 1 == DECISIONS;
        let act = if is_last {
            arena_support::resign()
        } else {
            Act::parse(&quiet_play(game.position()).to_string())
        };
        let spent = request(arena, actor.act(&players.id, turn.into(), act)).await;
        if is_last {
            tallies.add("last decision", spent);
        } else {
            tallies.add("decision", spent);
            timer = arena.timer_of(&players.id).await;
        }

        let game = arena.stored(&players.id).await;
        let next = game.to_act().map(|seat| game.header().players[seat].name.as_str());
        if next != Some(&actor.name) {
            let look = players.other(actor).get(&format!("/games/{}", players.id));
            let plain = look.send().await;
            let reply_bytes = reference::with_fixed_times(plain.text()).len() as f64;
            tallies.add("plain", Spent { reply_bytes, ..Spent::default() });
            let again = look.clone().header("if-none-match", plain.header("etag").unwrap());
            tallies.add("poll, game changed", request(arena, look).await);
            tallies.add("poll, not modified", request(arena, again).await);
        }
        if [DECISIONS / 3, 2 * DECISIONS / 3].contains(&turn) {
            tallies.add("timer, re-armed", message(arena, &timer).await);
            tallies.add("sweep", message(arena, "sweep").await);
        }
    }
    tallies.add("timer, after the end", message(arena, &timer).await);
}

async fn request(arena: &TestArena, call: Call) -> Spent {
    let before = arena.context().store.meter().total();
    let reply = call.header("accept-encoding", "gzip").send().await;
    assert!(reply.status == 200 || reply.status == 304, "{}", reply.status);
    let head = reply.headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4);
    spent_since(arena, before, head.sum::<usize>() + reference::body_bytes(&reply))
}

async fn message(arena: &TestArena, body: &str) -> Spent {
    let before = arena.context().store.meter().total();
    assert_eq!(arena.deliver(&[body]).await, Vec::<usize>::new(), "{body}");
    spent_since(arena, before, 0)
}

fn spent_since(arena: &TestArena, before: Usage, reply_bytes: usize) -> Spent {
    let used = arena.context().store.meter().total() - before;
    Spent {
        write_units: used.write_units,
        read_units: used.read_units,
        messages: used.messages as f64,
        reply_bytes: reply_bytes as f64,
    }
}

/// Calls by operation.
#[derive(Default)]
struct Tallies(BTreeMap<&'static str, Vec<Spent>>);

impl Tallies {
    fn add(&mut self, operation: &'static str, spent: Spent) {
        self.0.entry(operation).or_default().push(spent);
    }

    /// The mean of an operation's calls, of which there is at least one.
    fn each(&self, operation: &str) -> Spent {
        let calls = &self.0[operation];
        let mean = |of: fn(&Spent) -> f64| calls.iter().map(of).sum::<f64>() / calls.len() as f64;
        Spent {
            write_units: mean(|spent| spent.write_units),
            read_units: mean(|spent| spent.read_units),
            messages: mean(|spent| spent.messages),
            reply_bytes: mean(|spent| spent.reply_bytes),
        }
    }
}
