//! A program that serves a Runtime API: started, watched through `/proc`, killed.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

const START_MAX: Duration = Duration::from_secs(30);

/// A program and its command line.
pub(crate) struct Program {
    pub(crate) name: String,
    command: Vec<std::ffi::OsString>,
}

/// Time and memory of a start.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    /// From `exec` to the first request for work: the fastest and the median.
    pub(crate) min: Duration,
    pub(crate) median: Duration,
    /// Processor time until then, the least of all starts.
    pub(crate) cpu: Option<Duration>,
    /// The most memory until then.
    pub(crate) peak_kb: u64,
}

impl Program {
    pub(crate) fn new<S: AsRef<OsStr>>(
        name: &str,
        command: impl IntoIterator<Item = S>,
    ) -> Program {
        let command = command.into_iter().map(|part| part.as_ref().to_owned()).collect();
        Program { name: name.to_owned(), command }
    }

    /// Starts it so often, up to its first request for work.
    pub(crate) fn start(&self, starts: u32) -> io::Result<Start> {
        let (mut times, mut cpu, mut peak_kb) = (Vec::new(), None, 0);
        for _ in 0..starts {
            let api = TcpListener::bind("127.0.0.1:0")?;
            let begun = Instant::now();
            let mut child = self.spawn(&api.local_addr()?.to_string())?;
            let asked = self.first_request(api, &mut child);
            let watched = Watched::of(&child);
            let _ = child.kill();
            child.wait()?;
            times.push(asked? - begun);
            cpu = [cpu, watched.cpu].into_iter().flatten().min();
            peak_kb = peak_kb.max(watched.peak_kb);
        }
        times.sort_unstable();
        Ok(Start { min: times[0], median: times[times.len() / 2], cpu, peak_kb })
    }

    /// The time of the first `GET /next`, which is never answered: there is no work.
    fn first_request(&self, api: TcpListener, child: &mut Child) -> io::Result<Instant> {
        let (asked, first) = mpsc::channel();
        thread::spawn(move || -> io::Result<()> {
            let (stream, _) = api.accept()?;
            let mut line = String::new();
            BufReader::new(&stream).read_line(&mut line)?;
            // Nobody waits any more for a program that was too slow.
            let _ = asked.send((Instant::now(), line));
            // The connection stays open until the program is killed.
            io::copy(&mut &stream, &mut io::sink()).map(drop)
        });
        let until = Instant::now() + START_MAX;
        while Instant::now() < until {
            match first.recv_timeout(Duration::from_millis(50)) {
                Ok((at, line)) if line.contains("/runtime/invocation/next ") => return Ok(at),
                Ok((_, line)) => return Err(self.error(&format!("asked for {line:?}"))),
                Err(RecvTimeoutError::Disconnected) => return Err(self.error("hung up")),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Some(status) = child.try_wait()? {
                return Err(self.error(&format!("ended: {status}")));
            }
        }
        Err(self.error(&format!("asked for no work within {START_MAX:?}")))
    }

    fn error(&self, what: &str) -> io::Error {
        io::Error::other(format!("{} {what}", self.name))
    }

    /// With the environment that Lambda gives, and nothing of ours but where the roots of TLS are.
    fn spawn(&self, api: &str) -> io::Result<Child> {
        Command::new(&self.command[0])
            .args(&self.command[1..])
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", "/tmp")
            .env("AWS_LAMBDA_RUNTIME_API", api)
            .env("AWS_LAMBDA_FUNCTION_NAME", format!("coldstart-{}", self.name))
            .env("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "256")
            .env("AWS_LAMBDA_FUNCTION_VERSION", "1")
            .env("AWS_LAMBDA_LOG_GROUP_NAME", "one")
            .env("AWS_LAMBDA_LOG_STREAM_NAME", "one")
            .env("AWS_REGION", "us-east-1")
            .env("AWS_ACCESS_KEY_ID", "bench")
            .env("AWS_SECRET_ACCESS_KEY", "bench")
            .env("ARENA_AGENTS_TABLE", "agents")
            .env("ARENA_GAMES_TABLE", "games")
            .env("ARENA_REFEREE_QUEUE_URL", "https://sqs.us-east-1.amazonaws.com/0/referee")
            .env("ARENA_MATCH_QUEUE_URL", "https://sqs.us-east-1.amazonaws.com/0/match")
            .env("ARENA_HOUSE_QUEUE_URL", "https://sqs.us-east-1.amazonaws.com/0/house")
            .env("ARENA_PEPPER_PARAMETER", "/pepper")
            .env("AWS_ENDPOINT_URL_SSM", parameter_store()?)
            .envs(std::env::var_os("SSL_CERT_FILE").map(|file| ("SSL_CERT_FILE", file)))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
    }
}

/// Address of a server that answers one request as Parameter Store does, for the function that reads a
/// secret before it asks for work. Plain HTTP: on AWS, setting up TLS and the way there come on top.
fn parameter_store() -> io::Result<String> {
    const REPLY: &str = r#"{"Parameter":{"Value":"0123456789abcdef0123456789abcdef"}}"#;
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let url = format!("http://{}", listener.local_addr()?);
    thread::spawn(move || -> io::Result<()> {
        let (mut stream, _) = listener.accept()?;
        let mut request = BufReader::new(stream.try_clone()?);
        let mut line = String::new();
        while request.read_line(&mut line)? > 2 {
            line.clear();
        }
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/x-amz-json-1.1\r\ncontent-length";
        write!(stream, "{head}: {}\r\n\r\n{REPLY}", REPLY.len())?;
        io::copy(&mut request, &mut io::sink()).map(drop)
    });
    Ok(url)
}

/// Figures of a process, from `/proc`.
struct Watched {
    cpu: Option<Duration>,
    peak_kb: u64,
}

impl Watched {
    fn of(child: &Child) -> Watched {
        let folder = PathBuf::from(format!("/proc/{}", child.id()));
        let status = fs::read_to_string(folder.join("status")).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak_kb = peak.and_then(|peak| peak.split_whitespace().next()?.parse().ok());
        // In nanoseconds, unlike the ticks of `stat`; of every thread.
        let threads = fs::read_dir(folder.join("task")).into_iter().flatten().flatten();
        let cpu = threads
            .map(|thread| {
                let text = fs::read_to_string(thread.path().join("schedstat")).ok()?;
                text.split_whitespace().next()?.parse::<u64>().ok()
            })
            .try_fold(0, |sum, ns| Some(sum + ns?))
            .filter(|ns| *ns > 0);
        Watched { cpu: cpu.map(Duration::from_nanos), peak_kb: peak_kb.unwrap_or(0) }
    }
}
