//! Programs beside a test.

use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};

/// A program, killed when this is dropped.
#[derive(Debug)]
pub struct Running(Child);

impl Running {
    /// Starts it without anything to read.
    pub fn start(command: &mut Command) -> Running {
        Running(command.stdin(Stdio::null()).spawn().unwrap())
    }

    /// Starts `renju agent daemon` in the fast pool. It keeps its key in `home`, and appends all that it says to
    /// `<name>.log` there.
    pub fn agent(program: &str, home: &Path, server: &str, name: &str, more: &[&str]) -> Running {
        let log = home.join(format!("{name}.log"));
        let log = File::options().create(true).append(true).open(log).unwrap();
        let mut command = Command::new(program);
        command
            .args(["agent", "daemon", "--pool", "fast", "--server", server, "--name", name])
            .args(more)
            .env("XDG_CONFIG_HOME", home.join("config"))
            .env_remove("RENJU_API_KEY")
            .stdout(log.try_clone().unwrap())
            .stderr(log);
        Running::start(&mut command)
    }

    /// Sends a signal such as `-TERM`.
    pub fn signal(&self, signal: &str) {
        let status = Command::new("kill").args([signal, &self.0.id().to_string()]).status();
        assert!(status.unwrap().success());
    }

    pub fn wait(mut self) -> ExitStatus {
        self.0.wait().unwrap()
    }

    pub fn ended(&mut self) -> io::Result<Option<ExitStatus>> {
        self.0.try_wait()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
