//! A program that serves a Runtime API: started, watched through `/proc`, stopped.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use tokio::process::{Child, Command};
use tokio::time::timeout;

use crate::requests::{event, wanted};
use crate::runtime_api::RuntimeApi;
use crate::stage::Stage;

const START_MAX: Duration = Duration::from_secs(30);
const SERVE_MAX: Duration = Duration::from_secs(600);

/// A program and how it is started.
pub(crate) struct Program {
    pub(crate) name: String,
    /// The file whose size counts, if it is one of ours.
    pub(crate) binary: Option<PathBuf>,
    command: Vec<PathBuf>,
}

/// What a start takes.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    /// From `exec` to the first question for work: the fastest and the one in the middle.
    pub(crate) min: Duration,
    pub(crate) median: Duration,
    /// Processor time until then, the least of all starts.
    pub(crate) cpu: Option<Duration>,
    /// The most memory until then.
    pub(crate) peak_kb: u64,
}

/// What the requests take.
#[derive(Clone, Debug)]
pub(crate) struct Served {
    pub(crate) peak_kb: u64,
    /// Processor time a request.
    pub(crate) cpu: Option<Duration>,
    /// How often each answer was given.
    pub(crate) answers: BTreeMap<String, u32>,
}

impl Program {
    /// Every function of the workspace, found by its folder.
    pub(crate) fn functions(bootstraps: &Path) -> io::Result<Vec<Program>> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../functions");
        let mut programs = Vec::new();
        for entry in fs::read_dir(folder)? {
            let name = format!("arena-{}", entry?.file_name().to_string_lossy());
            let mut binary = bootstraps.join(&name);
            if binary.is_dir() {
                binary.push("bootstrap");
            }
            if !binary.is_file() {
                let message = format!("{} is not there: build it first (--help)", binary.display());
                return Err(io::Error::new(io::ErrorKind::NotFound, message));
            }
            let binary = fs::canonicalize(binary)?;
            programs.push(Program { name, command: vec![binary.clone()], binary: Some(binary) });
        }
        programs.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(programs)
    }

    /// What it is compared with.
    pub(crate) fn others(python: &Path) -> [Program; 2] {
        let script = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        let program =
            |name: &str, command| Program { name: name.to_owned(), binary: None, command };
        [
            program("Node, bare", vec!["node".into(), script("bare.mjs")]),
            program("Python with boto3", vec![python.to_owned(), script("bare.py")]),
        ]
    }

    /// Starts it so often, up to its first question for work.
    pub(crate) async fn start(&self, starts: u32) -> io::Result<Start> {
        let (mut times, mut cpu, mut peak_kb) = (Vec::new(), None, 0);
        for _ in 0..starts {
            let api = RuntimeApi::start(0, |_| serde_json::Value::Null).await?;
            let begun = Instant::now();
            let mut child = self.spawn(&api, &[])?;
            let asked = tokio::select! {
                asked = timeout(START_MAX, api.first_asked()) => asked.map_err(io::Error::other)?,
                ended = child.wait() => {
                    return Err(io::Error::other(format!("{} ended: {}", self.name, ended?)));
                }
            };
            let watched = Watched::of(&child);
            times.push(asked - begun);
            cpu = [cpu, watched.cpu].into_iter().flatten().min();
            peak_kb = peak_kb.max(watched.peak_kb);
            child.kill().await?;
        }
        times.sort_unstable();
        Ok(Start { min: times[0], median: times[times.len() / 2], cpu, peak_kb })
    }

    /// Lets it answer so many requests. One that is refused or fails is not measured but a mistake,
    /// the bench's or the function's.
    pub(crate) async fn serve(&self, stage: &Stage, requests: u32) -> io::Result<Served> {
        let (name, games) = (self.name.clone(), stage.games.clone());
        let api = RuntimeApi::start(requests, move |n| event(&name, &games, n)).await?;
        let endpoint = format!("http://{}", stage.dynamodb.address());
        let config = &stage.config;
        let variables = [
            ("AWS_ENDPOINT_URL", endpoint.as_str()),
            ("ARENA_AGENTS_TABLE", &config.agents_table),
            ("ARENA_GAMES_TABLE", &config.games_table),
            ("ARENA_REFEREE_QUEUE_URL", &format!("{endpoint}/000000000000/referee")),
            ("ARENA_HOUSE_QUEUE_URL", &format!("{endpoint}/000000000000/house")),
        ];
        let traces = stage.dynamodb.traces();
        let mut child = self.spawn(&api, &variables)?;
        api.first_asked().await;
        let before = Watched::of(&child);
        let answers = tokio::select! {
            answers = timeout(SERVE_MAX, api.all_answered()) => answers.map_err(io::Error::other)?,
            ended = child.wait() => {
                return Err(io::Error::other(format!("{} ended: {}", self.name, ended?)));
            }
        };
        let after = Watched::of(&child);
        child.kill().await?;
        self.check(&answers, requests, stage.dynamodb.traces() - traces)?;
        let used = after.cpu.zip(before.cpu).map(|(after, before)| after.saturating_sub(before));
        let cpu = used.map(|used| used / requests.max(1));
        Ok(Served { peak_kb: after.peak_kb, cpu, answers })
    }

    /// Whether it did what it was asked every time.
    fn check(&self, answers: &BTreeMap<String, u32>, requests: u32, traces: u32) -> io::Result<()> {
        let wanted = wanted(&self.name);
        if answers.get(wanted.answer).copied().unwrap_or(0) < requests {
            let message = format!("{} answered {answers:?}, not {}", self.name, wanted.answer);
            return Err(io::Error::other(message));
        }
        if wanted.leaves_a_trace && traces < requests {
            let message = format!("{} did something {traces} times of {requests}", self.name);
            return Err(io::Error::other(message));
        }
        Ok(())
    }

    /// With the environment that Lambda gives, and nothing of ours but where the roots of TLS are.
    fn spawn(&self, api: &RuntimeApi, variables: &[(&str, &str)]) -> io::Result<Child> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        Command::new(&self.command[0])
            .args(&self.command[1..])
            .env_clear()
            .env("PATH", path)
            .env("HOME", "/tmp")
            .env("AWS_LAMBDA_RUNTIME_API", api.address().to_string())
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
            .env("ARENA_HOUSE_QUEUE_URL", "https://sqs.us-east-1.amazonaws.com/0/house")
            .env("ARENA_PEPPER", "0123456789abcdef0123456789abcdef")
            .env("ARENA_REGISTRATIONS_PER_HOUR", "1000000")
            .envs(variables.iter().copied())
            .envs(std::env::var_os("SSL_CERT_FILE").map(|file| ("SSL_CERT_FILE", file)))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
    }
}

/// What Linux says of a process.
struct Watched {
    cpu: Option<Duration>,
    peak_kb: u64,
}

impl Watched {
    fn of(child: &Child) -> Watched {
        let folder = PathBuf::from(format!("/proc/{}", child.id().unwrap_or_default()));
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
