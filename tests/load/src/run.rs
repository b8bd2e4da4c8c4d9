//! A run from start to end: server, crowd, measurement, farewell, audit.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use arena_support::{Directory, Process, Random, beginning};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::Arguments;
use crate::agent::{Agent, Crowd, Legacy, Play};
use crate::client::Client;
use crate::process::{growth, hundredths, resident_kib};
use crate::report::{Goals, Had, Report, ServerReport};
use crate::tables;

const TICK: Duration = Duration::from_secs(1);
const SAMPLE_TICKS: u64 = 2;
/// Characters of what a server that complains has said.
const OUTPUT_SHOWN: usize = 4_000;

const PROGRESS_TICKS: u64 = 5;

/// All agents should be done by then: a game that is left alone ends after a minute and a grace.
const FAREWELL_MAX: Duration = Duration::from_secs(120);

pub(crate) async fn run(arguments: Arguments) -> io::Result<Report> {
    let data = Data::of(&arguments);
    let server = match &arguments.server {
        Some(program) => {
            let agents = arguments.agents.to_string();
            let options = ["--house-seconds", "0", "--registrations", &agents];
            Some(start(program, data.dir(), &options).await?)
        }
        None => None,
    };
    let url = server.as_ref().map(|server| server.client.base()).or_else(|| arguments.url.clone());
    let url = url.ok_or_else(|| io::Error::other("there is no arena to play in"))?;
    let client = Client::new(&url, arguments.connections as usize, arguments.rate, false);
    let crowd = Arc::new(Crowd::new(client, &arguments, Play::Together));

    let (stop, stopping) = watch::channel(false);
    let started = Instant::now();
    let agents = register(&crowd, &arguments, &stopping).await?;
    let registration_s = hundredths(started.elapsed().as_secs_f64());
    eprintln!("{} agents have registered at {url} in {registration_s} s", agents.len());
    let mut lives = JoinSet::new();
    for agent in agents {
        lives.spawn(agent.live());
    }

    let pid = server.as_ref().map(Process::id);
    let mut watcher = Watcher { crowd: &crowd, pid, started: Instant::now(), samples: Vec::new() };
    watcher.watch("warm-up", arguments.warm_up).await;
    let before = pid.and_then(Had::by);
    crowd.client.begin();
    let (begun, first_sample) = (Instant::now(), watcher.samples.len());
    watcher.watch("measure", arguments.seconds).await;
    crowd.client.tally().end();
    let window = begun.elapsed();
    let after = pid.and_then(Had::by);

    eprintln!("the crowd goes home: games are resigned, queues are left");
    let _ = stop.send(true);
    let legacies = farewell(lives).await;
    let lost = arguments.agents - legacies.iter().filter(|legacy| legacy.done).count() as u32;

    let measured = crowd.client.tally().measured(window);
    let memory = growth(&watcher.samples[first_sample..]);
    let processor =
        after.zip(before).map(|(after, before)| after.since(before, window, measured.requests));
    let (mut server_report, mut tables) = (None, None);
    if let Some(server) = server {
        let complaints = server.complaints();
        if complaints > 0 {
            eprintln!("server: {}", beginning(&server.output(), OUTPUT_SHOWN));
        }
        let stop = server.try_stop().await.err().map(|error| error.to_string());
        server_report = Some(ServerReport { memory, processor, complaints, stop });
        eprintln!("the server has stopped; its tables are audited");
        let granted: Vec<_> = legacies.into_iter().flat_map(|legacy| legacy.granted).collect();
        tables = Some(tables::audit(Path::new(data.dir()), &granted).await?);
    }

    let tally = crowd.client.tally();
    let report = Report {
        ok: false,
        violations: Vec::new(),
        agents: arguments.agents,
        seconds: hundredths(window.as_secs_f64()),
        requests_all: tally.requests,
        registration_s,
        decisions: crowd.decisions.load(Ordering::Relaxed),
        measured,
        failures: tally.failures,
        failed: tally.failed.clone(),
        server: server_report,
        tables,
    };
    let goals = Goals { rate: arguments.goal, growth_percent: arguments.growth };
    Ok(report.judged(goals, lost))
}

/// Directory of the server's tables.
pub(crate) enum Data {
    /// To be kept.
    Named(String),
    /// Removed in the end.
    Own(Directory),
}

impl Data {
    pub(crate) fn of(arguments: &Arguments) -> Data {
        match &arguments.data {
            Some(dir) => Data::Named(dir.clone()),
            None => Data::Own(Directory::new("load")),
        }
    }

    pub(crate) fn dir(&self) -> &str {
        match self {
            Data::Named(dir) => dir,
            Data::Own(directory) => directory.path(),
        }
    }
}

/// Starts the server with its tables in `data`.
pub(crate) async fn start(program: &Path, data: &str, options: &[&str]) -> io::Result<Process> {
    Process::try_start(program, &[&["--data", data], options].concat(), &[]).await
}

/// Registers all agents, as many at a time as there are connections.
pub(crate) async fn register(
    crowd: &Arc<Crowd>,
    arguments: &Arguments,
    stopping: &watch::Receiver<bool>,
) -> io::Result<Vec<Agent>> {
    // A running arena may remember the crowd of the last run.
    let run = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
    let mut seeds = Random(arguments.seed);
    let mut asked = JoinSet::new();
    for number in 0..arguments.agents {
        let name = format!("load-{run}-{number}");
        let name = name.parse().map_err(|_| io::Error::other(format!("{name} is no name")))?;
        let random = Random(seeds.next());
        asked.spawn(Agent::register(Arc::clone(crowd), name, random, stopping.clone()));
    }
    let agents: Vec<Agent> = asked.join_all().await.into_iter().flatten().collect();
    if agents.len() == arguments.agents as usize {
        return Ok(agents);
    }
    let tally = crowd.client.tally();
    let why = tally.failed.first().map_or("no reason was given", String::as_str);
    Err(io::Error::other(format!("only {} agents could register: {why}", agents.len())))
}

/// Results of the agents that come home in time.
pub(crate) async fn farewell(mut lives: JoinSet<Legacy>) -> Vec<Legacy> {
    let mut legacies = Vec::with_capacity(lives.len());
    let all = async {
        while let Some(life) = lives.join_next().await {
            legacies.extend(life.ok());
        }
    };
    // Whoever is missing is counted by the caller.
    let _ = tokio::time::timeout(FAREWELL_MAX, all).await;
    legacies
}

/// Looks at the crowd and the server while they play.
struct Watcher<'a> {
    crowd: &'a Crowd,
    pid: Option<u32>,
    started: Instant,
    samples: Vec<(f64, u64)>,
}

impl Watcher<'_> {
    async fn watch(&mut self, what: &str, seconds: u64) {
        let mut ticks = tokio::time::interval(TICK);
        let mut requests = self.crowd.client.tally().requests;
        for tick in 0..=seconds {
            ticks.tick().await;
            if tick % SAMPLE_TICKS == 0
                && let Some(kib) = self.pid.and_then(resident_kib)
            {
                self.samples.push((self.started.elapsed().as_secs_f64(), kib));
            }
            if tick > 0 && tick % PROGRESS_TICKS == 0 {
                self.say(what, &mut requests);
            }
        }
    }

    fn say(&self, what: &str, requests: &mut u64) {
        let (now, failures) = {
            let tally = self.crowd.client.tally();
            (tally.requests, tally.failures)
        };
        let rate = (now - *requests) / PROGRESS_TICKS;
        *requests = now;
        let decisions = self.crowd.decisions.load(Ordering::Relaxed);
        let games = self.crowd.seats_done.load(Ordering::Relaxed) / 2;
        let memory = self.samples.last().map_or(0, |(_, kib)| kib / 1_024);
        let second = self.started.elapsed().as_secs();
        eprintln!(
            "{second:>4} s  {what:<7}  {rate:>5} requests/s  {decisions:>7} decisions  \
             {games:>5} games over  {failures} failures  server {memory} MiB"
        );
    }
}
