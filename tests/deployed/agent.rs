//! `renju agent`, as a process.

use std::fs;
use std::time::Duration;

use arena_support::{Running, eventually};

use crate::deployment::Deployment;

const AGENT: &str = env!("CARGO_BIN_EXE_renju-under-test");

/// A whole game at a second a decision.
const PATIENCE: Duration = Duration::from_secs(240);

/// Starts an agent that plays one game.
pub(crate) fn start(deployment: &Deployment<'_>, name: &str, more: &[&str]) -> Running {
    let _ = fs::remove_file(deployment.home().join(format!("{name}.log")));
    let more = [&["--games", "1", "--think", "1"], more].concat();
    Running::agent(AGENT, deployment.home(), deployment.url(), name, &more)
}

/// Waits for the end of its game.
pub(crate) async fn ends_well(deployment: &Deployment<'_>, name: &str, mut agent: Running) {
    let look = || std::future::ready(agent.ended().unwrap());
    let status = eventually("the agent's game ends", PATIENCE.as_secs(), look).await;
    let log = fs::read_to_string(deployment.home().join(format!("{name}.log"))).unwrap();
    assert!(status.success(), "{status}\n{log}");
    assert!(log.contains("won game") || log.contains("lost game"), "{log}");
}
