//! Agents that play each other and house bots while the server is killed again and again.
//!
//! In the end every decision that was granted must be in its game, no house bot may have run out of time,
//! and the audit must find nothing.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use arena_support::Random;
use serde::Serialize;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::agent::{Crowd, Play};
use crate::client::Client;
use crate::run::{Data, farewell, register, start};
use crate::tables::{self, TablesReport};
use crate::{Arguments, Outcome};

/// At most so many agents play, whatever the default of a crowd is.
const AGENTS_MAX: u32 = 24;

/// Seconds for a decision: so few that a house bot that was forgotten does not go unnoticed.
const TURN_SECONDS: &str = "12";

/// Milliseconds from kill to kill, at least and at most.
const KILL_MS: (usize, usize) = (5_000, 15_000);

#[derive(Debug, Serialize)]
struct SoakReport {
    minutes: u64,
    agents: u32,
    kills: u32,
    requests: u64,
    unanswered: u64,
    failures: u64,
    failed: Vec<String>,
    agents_lost: u32,
    start_ms_max: u128,
    tables: TablesReport,
}

/// Runs for so many minutes.
pub(crate) async fn run(
    arguments: &Arguments,
    program: &Path,
    minutes: u64,
) -> io::Result<Outcome> {
    let agents = arguments.agents.min(AGENTS_MAX);
    let arguments = Arguments { agents, ..arguments.clone() };
    let data = Data::of(&arguments);
    let mut listen = "127.0.0.1:0".to_owned();
    let start_at = async |listen: &str| {
        let options = ["--listen", listen, "--turn-seconds", TURN_SECONDS, "--house-seconds", "1"];
        start(program, data.dir(), &options).await
    };
    let mut server = start_at(&listen).await?;
    let url = server.client.base();
    listen = url.trim_start_matches("http://").to_owned();
    let client = Client::new(&url, arguments.connections as usize, arguments.rate, true);
    let crowd = Arc::new(Crowd::new(client, &arguments, Play::WithHouse));
    let (stop, stopping) = watch::channel(false);
    let mut lives = JoinSet::new();
    for agent in register(&crowd, &arguments, &stopping).await? {
        lives.spawn(agent.live());
    }

    let until = Instant::now() + Duration::from_secs(60 * minutes);
    let mut random = Random(arguments.seed);
    let (mut kills, mut start_max) = (0, Duration::ZERO);
    loop {
        let (least, most) = KILL_MS;
        let next = Duration::from_millis((least + random.below(most - least)) as u64);
        if Instant::now() + next > until {
            break;
        }
        tokio::time::sleep(next).await;
        server.kill().await;
        kills += 1;
        let begun = Instant::now();
        server = start_at(&listen).await?;
        start_max = start_max.max(begun.elapsed());
        eprintln!("kill {kills}: up again after {} ms", begun.elapsed().as_millis());
    }
    tokio::time::sleep_until(until).await;
    let _ = stop.send(true);
    let legacies = farewell(lives).await;
    let done = legacies.iter().filter(|legacy| legacy.done).count() as u32;
    server.try_stop().await?;
    let granted: Vec<_> = legacies.into_iter().flat_map(|legacy| legacy.granted).collect();
    let tables = tables::audit(Path::new(data.dir()), &granted).await?;

    let tally = crowd.client.tally();
    let report = SoakReport {
        minutes,
        agents,
        kills,
        requests: tally.requests,
        unanswered: tally.unanswered,
        failures: tally.failures,
        failed: tally.failed.clone(),
        agents_lost: agents - done,
        start_ms_max: start_max.as_millis(),
        tables,
    };
    let text = serde_json::to_string(&report).expect("a report has string keys");
    Ok(Outcome { violations: report.violations(), text })
}

impl SoakReport {
    fn violations(&self) -> Vec<String> {
        let tables = &self.tables;
        [
            (self.failures, "answers were not as they should be"),
            (u64::from(self.agents_lost), "agents are not done"),
            (tables.granted_lost as u64, "granted decisions are lost"),
            (tables.house_voided as u64, "games are void because a house bot ran out of time"),
            (tables.violations as u64, "violations were found by the audit"),
            ((tables.games_live + tables.waiting) as u64, "games and tickets are left"),
        ]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .chain((tables.house_games == 0).then(|| "no house bot has played".to_owned()))
        .collect()
    }
}
