//! `renju agent`, as a process.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use arena_support::eventually;

use crate::deployment::Deployment;

const AGENT: &str = env!("CARGO_BIN_EXE_renju-under-test");

/// A whole game at a second a decision.
const PATIENCE: Duration = Duration::from_secs(240);

/// An agent that plays one game; killed when dropped.
pub(crate) struct Agent {
    child: Child,
    log: PathBuf,
}

impl Agent {
    pub(crate) fn start(deployment: &Deployment, name: &str, more: &[&str]) -> Agent {
        let log = deployment.home().join(format!("{name}.log"));
        let file = fs::File::create(&log).unwrap();
        let child = Command::new(AGENT)
            .args(["agent", "daemon", "--games", "1", "--pool", "fast", "--think", "1"])
            .args(["--server", deployment.url(), "--name", name])
            .args(more)
            .env("XDG_CONFIG_HOME", deployment.home().join("config"))
            .env_remove("RENJU_API_KEY")
            .stdin(Stdio::null())
            .stdout(file.try_clone().unwrap())
            .stderr(file)
            .spawn()
            .unwrap();
        Agent { child, log }
    }

    /// Waits for the end of its game.
    pub(crate) async fn ends_well(mut self) {
        let child = &mut self.child;
        let mut ended = || {
            let status = child.try_wait().unwrap();
            async move { status }
        };
        let status = eventually("the agent's game ends", PATIENCE.as_secs(), &mut ended).await;
        let log = fs::read_to_string(&self.log).unwrap();
        assert!(status.success(), "{status}\n{log}");
        assert!(log.contains("won game") || log.contains("lost game"), "{log}");
    }

    /// As a power cut would.
    pub(crate) fn kill(self) {}

    pub(crate) fn freeze(&self) {
        self.signal("-STOP");
    }

    pub(crate) fn thaw(&self) {
        self.signal("-CONT");
    }

    fn signal(&self, signal: &str) {
        let status = Command::new("kill").args([signal, &self.child.id().to_string()]).status();
        assert!(status.unwrap().success());
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
