//! A run from start to end: server, crowd, measurement, farewell, audit.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use arena_support::{Directory, Process, Random, beginning};
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::agent::Agent;
use crate::crowd::Crowd;
use crate::process::{cpu, growth, hundredths, processor, resident_kib};
use crate::tables::audit;
use crate::{Arguments, Outcome};

const TICK: Duration = Duration::from_secs(1);
const SAMPLE_TICKS: u64 = 2;
/// Characters of what a server that complains has said.
const OUTPUT_SHOWN: usize = 4_000;

const PROGRESS_TICKS: u64 = 5;

/// Growth of the server's memory in the second half, in percent a minute.
const GROWTH_MAX: f64 = 10.0;

/// All agents should be done by then: a game that is left alone ends after a minute and a grace.
const FAREWELL_MAX: Duration = Duration::from_secs(120);

pub(crate) async fn run(arguments: &Arguments) -> io::Result<Outcome> {
    let (data, _own) = data(arguments);
    let server = match &arguments.server {
        Some(program) => {
            let agents = arguments.agents.to_string();
            let options = ["--house-seconds", "0", "--registrations", &agents];
            Some(start(program, &data, &options).await?)
        }
        None => None,
    };
    let url = server.as_ref().map(|server| server.client.base()).or_else(|| arguments.url.clone());
    let url = url.ok_or_else(|| io::Error::other("there is no arena to play in"))?;
    let crowd = Arc::new(Crowd::new(&url, arguments, false));
    let started = Instant::now();
    let lives = let_live(&crowd).await?;
    let registration_s = hundredths(started.elapsed().as_secs_f64());
    eprintln!("{} agents have registered at {url} in {registration_s} s", lives.len());

    let pid = server.as_ref().map(Process::id);
    let mut watcher = Watcher { crowd: &crowd, pid, started: Instant::now(), samples: Vec::new() };
    watcher.watch("warm-up", arguments.warm_up).await;
    let before = pid.and_then(cpu);
    let (begun, first_sample) = (Instant::now(), watcher.samples.len());
    crowd.tally().measured_since = Some(begun);
    watcher.watch("measure", arguments.seconds).await;
    crowd.tally().measured_since = None;
    let window = begun.elapsed();
    let after = pid.and_then(cpu);

    eprintln!("the crowd goes home: games are resigned, queues are left");
    let lost = farewell(&crowd, lives).await;
    let tally = std::mem::take(&mut *crowd.tally());
    let measured = tally.measured(window);
    let mut violations = Vec::new();
    let mut unless = |good: bool, what: String| {
        if !good {
            violations.push(what);
        }
    };
    let (rate, goal) = (measured["per_second"].as_f64().unwrap_or_default(), arguments.goal);
    unless(rate >= f64::from(goal), format!("{rate} requests/s, not {goal}"));
    unless(tally.failures == 0, format!("{} failures", tally.failures));
    unless(lost == 0, format!("{lost} agents are not done"));
    let (mut server_report, mut tables) = (None, None);
    if let Some(server) = server {
        let complaints = server.complaints();
        if complaints > 0 {
            eprintln!("server: {}", beginning(&server.output(), OUTPUT_SHOWN));
        }
        let stop = server.try_stop().await.err().map(|error| error.to_string());
        eprintln!("the server has stopped; its tables are audited");
        let audited = audit(Path::new(&data), &tally.granted).await?;
        let memory = growth(&watcher.samples[first_sample..]);
        let requests = measured["requests"].as_u64().unwrap_or_default();
        let processor =
            before.zip(after).map(|(before, after)| processor(before, after, window, requests));
        unless(complaints == 0, format!("{complaints} complaints"));
        unless(stop.is_none(), stop.clone().unwrap_or_default());
        if let Some(percent) = memory.as_ref().and_then(|it| it["slope_percent_per_min"].as_f64()) {
            unless(percent <= GROWTH_MAX, format!("memory grows by {percent} % a minute"));
        }
        unless(audited.ungranted == 0, format!("{} decisions were not granted", audited.ungranted));
        audited.faults().for_each(|fault| unless(false, fault));
        server_report = Some(json!({
            "memory": memory, "processor": processor, "complaints": complaints, "stop": stop,
        }));
        tables = Some(audited);
    }
    let report = json!({
        "ok": violations.is_empty(),
        "violations": violations,
        "agents": arguments.agents,
        "seconds": hundredths(window.as_secs_f64()),
        "requests_all": tally.requests,
        "registration_s": registration_s,
        "decisions": tally.granted.len(),
        "measured": measured,
        // Answers that were none, or not what they should be, at any time.
        "failures": tally.failures,
        "failed": tally.failed,
        "server": server_report,
        "tables": tables,
    });
    Ok(Outcome { violations, text: report.to_string() })
}

/// Directory of the server's tables, and what removes it in the end unless it was named.
pub(crate) fn data(arguments: &Arguments) -> (String, Option<Directory>) {
    match &arguments.data {
        Some(path) => (path.clone(), None),
        None => {
            let own = Directory::new("load");
            (own.path().to_owned(), Some(own))
        }
    }
}

/// Starts the server with its tables in `data`.
pub(crate) async fn start(program: &Path, data: &str, options: &[&str]) -> io::Result<Process> {
    Process::try_start(program, &[&["--data", data], options].concat(), &[]).await
}

/// Registers all agents, as many at a time as there are connections, and lets them play.
pub(crate) async fn let_live(crowd: &Arc<Crowd>) -> io::Result<JoinSet<bool>> {
    // A running arena may remember the crowd of the last run.
    let run = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
    let mut seeds = Random(crowd.arguments.seed);
    let mut asked = JoinSet::new();
    for number in 0..crowd.arguments.agents {
        let name = format!("load-{run}-{number}");
        let name = name.parse().map_err(|_| io::Error::other(format!("{name} is no name")))?;
        asked.spawn(Agent::register(Arc::clone(crowd), name, Random(seeds.next())));
    }
    let agents: Vec<Agent> = asked.join_all().await.into_iter().flatten().collect();
    if agents.len() != crowd.arguments.agents as usize {
        let tally = crowd.tally();
        let why = tally.failed.first().map_or("no reason was given", String::as_str);
        let why = format!("only {} agents could register: {why}", agents.len());
        return Err(io::Error::other(why));
    }
    Ok(agents.into_iter().map(Agent::live).collect())
}

/// Sends all agents home; the number of those that do not come home in time, or not done.
pub(crate) async fn farewell(crowd: &Crowd, mut lives: JoinSet<bool>) -> u32 {
    crowd.stop.send_replace(true);
    let mut lost = crowd.arguments.agents;
    let all = async {
        while let Some(life) = lives.join_next().await {
            lost -= u32::from(life.unwrap_or(false));
        }
    };
    let _ = tokio::time::timeout(FAREWELL_MAX, all).await;
    lost
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
        let mut requests = self.crowd.tally().requests;
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
        let tally = self.crowd.tally();
        let rate = (tally.requests - *requests) / PROGRESS_TICKS;
        *requests = tally.requests;
        let (decisions, games) = (tally.granted.len(), tally.seats_done / 2);
        let (failures, second) = (tally.failures, self.started.elapsed().as_secs());
        let memory = self.samples.last().map_or(0, |(_, kib)| kib / 1_024);
        eprintln!(
            "{second:>4} s  {what:<7}  {rate:>5} requests/s  {decisions:>7} decisions  \
             {games:>5} games over  {failures} failures  server {memory} MiB"
        );
    }
}
