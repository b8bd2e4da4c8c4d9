//! The real program, as `cargo run` starts it.

use std::process::Stdio;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::watch;

use crate::Client;

/// A running `arena-local`; killed when dropped.
#[derive(Debug)]
pub struct Process {
    /// Talks to it.
    pub client: Client,
    child: Child,
    output: Arc<Mutex<String>>,
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
        let mut child = Command::new(program)
            .args(["--listen", "127.0.0.1:0"])
            .args(arguments)
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("arena-local starts");
        let output = Arc::new(Mutex::new(String::new()));
        let (opened, mut open) = watch::channel(None);
        let stderr = child.stderr.take().expect("standard error is piped");
        let stdout = child.stdout.take().expect("standard output is piped");
        tokio::spawn(collect(stderr, Arc::clone(&output), None));
        tokio::spawn(collect(stdout, Arc::clone(&output), Some(opened)));
        let base = match open.wait_for(Option::is_some).await {
            Ok(base) => base.clone().expect("waited for"),
            Err(_) => panic!("arena-local did not open: {}", output.lock().unwrap()),
        };
        Process { client: Client::new(&base), child, output }
    }

    /// Ends it as a power cut would: SIGKILL, nothing is written any more.
    pub async fn kill(mut self) -> String {
        self.child.kill().await.expect("a process can be killed");
        self.output()
    }

    /// Ends it as an operator would, and waits until it has ended.
    pub async fn stop(mut self) -> String {
        let id = self.id().to_string();
        let asked = Command::new("kill").args(["-TERM", &id]).status().await;
        assert!(asked.expect("kill runs").success());
        let status = self.child.wait().await.expect("a process can be waited for");
        assert!(status.success(), "{status}: {}", self.output());
        self.output()
    }

    /// The number the system knows it by.
    pub fn id(&self) -> u32 {
        self.child.id().expect("it runs until it is killed or stopped")
    }

    /// All it has said so far.
    pub fn output(&self) -> String {
        self.output.lock().unwrap().clone()
    }
}

async fn collect(
    stream: impl AsyncRead + Unpin,
    output: Arc<Mutex<String>>,
    opened: Option<watch::Sender<Option<String>>>,
) {
    let mut lines = BufReader::new(stream).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        if let (Some(opened), Some((_, rest))) = (&opened, line.split_once("open at ")) {
            opened.send_replace(rest.split_whitespace().next().map(str::to_owned));
        }
        let mut output = output.lock().unwrap();
        output.push_str(&line);
        output.push('\n');
    }
}
