//! The real `arena-local`, as a process of its own on a port that the system picks.

use std::io;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStderr, ChildStdout, Command};

const START_MAX: Duration = Duration::from_secs(20);
const STOP_MAX: Duration = Duration::from_secs(30);

/// So many lines of the server's own complaints are passed on; all are counted.
const COMPLAINTS_SHOWN: u64 = 20;

/// A server that is killed when this is dropped.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    pid: u32,
    /// Where it listens: `http://127.0.0.1:…`.
    pub(crate) url: String,
    complaints: Arc<AtomicU64>,
}

impl Server {
    /// Starts the program with its tables in `data` and waits until it listens.
    pub(crate) async fn start(program: &Path, data: &Path, options: &[&str]) -> io::Result<Server> {
        let mut child = Command::new(program)
            .args(options)
            .arg("--data")
            .arg(data)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| {
                io::Error::new(error.kind(), format!("{}: {error}", program.display()))
            })?;
        let gone = || io::Error::other("the server stopped before it listened");
        let pid = child.id().ok_or_else(gone)?;
        let (stdout, stderr) =
            (child.stdout.take().ok_or_else(gone)?, child.stderr.take().ok_or_else(gone)?);
        let complaints = Arc::new(AtomicU64::new(0));
        tokio::spawn(listen(BufReader::new(stderr).lines(), Arc::clone(&complaints)));

        let mut lines = BufReader::new(stdout).lines();
        let url = tokio::time::timeout(START_MAX, address(&mut lines))
            .await
            .map_err(|_| io::Error::other("the server did not say where it listens"))??
            .ok_or_else(gone)?;
        // It must never block on a pipe that nobody reads.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Ok(Server { child, pid, url, complaints })
    }

    /// Its process id.
    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }

    /// How many lines it wrote to standard error.
    pub(crate) fn complaints(&self) -> u64 {
        self.complaints.load(Ordering::Relaxed)
    }

    /// Ends it as a power cut would.
    pub(crate) async fn kill(mut self) -> io::Result<()> {
        self.child.kill().await
    }

    /// Asks it to stop and waits; an error if it does not, or not well.
    pub(crate) async fn stop(mut self) -> io::Result<()> {
        // The shell's own `kill` is everywhere, and needs no unsafe code of ours.
        let kill = format!("kill -TERM {}", self.pid);
        Command::new("sh").args(["-c", &kill]).status().await?;
        let status = tokio::time::timeout(STOP_MAX, self.child.wait())
            .await
            .map_err(|_| io::Error::other("the server did not stop when asked to"))??;
        if status.success() {
            Ok(())
        } else {
            Err(io::Error::other(format!("the server ended with {status}")))
        }
    }
}

/// The first address that the server tells.
async fn address(lines: &mut Lines<BufReader<ChildStdout>>) -> io::Result<Option<String>> {
    while let Some(line) = lines.next_line().await? {
        if let Some(url) = line.split_whitespace().find(|word| word.starts_with("http://")) {
            return Ok(Some(url.to_owned()));
        }
    }
    Ok(None)
}

async fn listen(mut lines: Lines<BufReader<ChildStderr>>, complaints: Arc<AtomicU64>) {
    while let Ok(Some(line)) = lines.next_line().await {
        // What it says on its way out is no complaint.
        if line.starts_with("stopping") {
            continue;
        }
        if complaints.fetch_add(1, Ordering::Relaxed) < COMPLAINTS_SHOWN {
            eprintln!("server: {line}");
        }
    }
}
