//! Agents that play each other and house bots while the server is killed again and again.
//!
//! In the end every decision that was granted must be in its game, no house bot may have run out of time,
//! and the audit must find nothing.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use arena_support::Random;
use serde_json::json;
use tokio::time::Instant;

use crate::crowd::Crowd;
use crate::run::{data, farewell, let_live, start};
use crate::tables::audit;
use crate::{Arguments, Outcome};

/// At most so many agents play, whatever the default of a crowd is.
const AGENTS_MAX: u32 = 24;

/// Seconds for a decision: so few that a house bot that was forgotten does not go unnoticed.
const TURN_SECONDS: &str = "12";

/// Milliseconds from kill to kill, at least and at most.
const KILL_MS: (usize, usize) = (5_000, 15_000);

/// Runs for so many minutes.
pub(crate) async fn run(
    arguments: &Arguments,
    program: &Path,
    minutes: u64,
) -> io::Result<Outcome> {
    let agents = arguments.agents.min(AGENTS_MAX);
    let arguments = Arguments { agents, ..arguments.clone() };
    let (data, _own) = data(&arguments);
    let mut listen = "127.0.0.1:0".to_owned();
    let start_at = async |listen: &str| {
        let options = ["--listen", listen, "--turn-seconds", TURN_SECONDS, "--house-seconds", "1"];
        start(program, &data, &options).await
    };
    let mut server = start_at(&listen).await?;
    let url = server.client.base();
    listen = url.trim_start_matches("http://").to_owned();
    let crowd = Arc::new(Crowd::new(&url, &arguments, true));
    let lives = let_live(&crowd).await?;

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
    let lost = farewell(&crowd, lives).await;
    server.try_stop().await?;
    let tally = std::mem::take(&mut *crowd.tally());
    let tables = audit(Path::new(&data), &tally.granted).await?;
    let violations = [
        (tally.failures, "answers were not as they should be"),
        (u64::from(lost), "agents are not done"),
        (tables.house_voided as u64, "games are void because a house bot ran out of time"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, what)| format!("{count} {what}"))
    .chain(tables.faults())
    .chain((tables.house_games == 0).then(|| "no house bot has played".to_owned()))
    .collect();
    let report = json!({
        "minutes": minutes,
        "agents": agents,
        "kills": kills,
        "requests": tally.requests,
        "unanswered": tally.unanswered,
        "failures": tally.failures,
        "failed": tally.failed,
        "agents_lost": lost,
        "start_ms_max": start_max.as_millis() as u64,
        "tables": tables,
    });
    Ok(Outcome { violations, text: report.to_string() })
}
