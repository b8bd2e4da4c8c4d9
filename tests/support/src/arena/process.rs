//! The real program, as `cargo run` starts it.

use std::io;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::watch;

use crate::Client;

const START_MAX: Duration = Duration::from_secs(60);
const STOP_MAX: Duration = Duration::from_secs(30);

/// A running `arena-local`; killed when dropped.
#[derive(Debug)]
pub struct Process {
    pub client: Client,
    child: Child,
    output: Arc<Mutex<String>>,
    complaints: Arc<AtomicU64>,
}

impl Process {
    /// Starts the program on a free port and waits until it is open.
    pub async fn start(program: &str, arguments: &[&str]) -> Process {
        Process::start_with(program, arguments, &[]).await
    }

    /// As [`Process::start`], with variables set.
    pub async fn start_with(
        program: &str,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> Process {
        let process = Process::try_start(Path::new(program), arguments, variables).await;
        process.unwrap_or_else(|error| panic!("{error}"))
    }

    /// As [`Process::start_with`]; an error if it does not open.
    pub async fn try_start(
        program: &Path,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> io::Result<Process> {
        let has_address = arguments.contains(&"--listen");
        let mut child = Command::new(program)
            .args(if has_address { &[][..] } else { &["--listen", "127.0.0.1:0"] })
            // Unless a test asks for it, nobody plays but its agents.
            .arg("--no-exhibition")
            .args(arguments)
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| io::Error::other(format!("{}: {error}", program.display())))?;
        let (output, complaints) = <(Arc<Mutex<String>>, Arc<AtomicU64>)>::default();
        let (opened, mut open) = watch::channel(None);
        let stderr = child.stderr.take().expect("standard error is piped");
        let stdout = child.stdout.take().expect("standard output is piped");
        let (all, count) = (Arc::clone(&output), Arc::clone(&complaints));
        tokio::spawn(each_line(stderr, move |line| {
            // What it says on its way out is no complaint.
            count.fetch_add(u64::from(!line.starts_with("stopping")), Ordering::Relaxed);
            *all.lock().unwrap() += &format!("{line}\n");
        }));
        let all = Arc::clone(&output);
        tokio::spawn(each_line(stdout, move |line| {
            if let Some((_, rest)) = line.split_once("open at ") {
                opened.send_replace(rest.split_whitespace().next().map(str::to_owned));
            }
            *all.lock().unwrap() += &format!("{line}\n");
        }));
        let base = match tokio::time::timeout(START_MAX, open.wait_for(Option::is_some)).await {
            Ok(Ok(base)) => base.clone().expect("waited for"),
            _ => {
                let said = output.lock().unwrap();
                return Err(io::Error::other(format!(
                    "{} did not open: {said}",
                    program.display()
                )));
            }
        };
        Ok(Process { client: Client::new(&base), child, output, complaints })
    }

    /// Ends it as a power cut would: SIGKILL, nothing is written any more.
    pub async fn kill(mut self) -> String {
        self.child.kill().await.expect("a process can be killed");
        self.output()
    }

    /// Ends it as an operator would, and waits until it has ended.
    pub async fn stop(self) -> String {
        self.try_stop().await.unwrap_or_else(|error| panic!("{error}"))
    }

    /// As [`Process::stop`]; an error if it does not end, or not well.
    pub async fn try_stop(mut self) -> io::Result<String> {
        let id = self.id().to_string();
        Command::new("kill").args(["-TERM", &id]).status().await?;
        let status = tokio::time::timeout(STOP_MAX, self.child.wait()).await??;
        match status.success() {
            true => Ok(self.output()),
            false => Err(io::Error::other(format!("{status}: {}", self.output()))),
        }
    }

    /// Lines that it has written to standard error.
    pub fn complaints(&self) -> u64 {
        self.complaints.load(Ordering::Relaxed)
    }

    /// The number the system knows it by.
    pub fn id(&self) -> u32 {
        self.child.id().expect("it runs until it is killed or stopped")
    }

    pub fn output(&self) -> String {
        self.output.lock().unwrap().clone()
    }
}

async fn each_line(stream: impl AsyncRead + Unpin, mut line: impl FnMut(&str)) {
    let mut lines = BufReader::new(stream).lines();
    while let Ok(Some(next)) = lines.next_line().await {
        line(&next);
    }
}
