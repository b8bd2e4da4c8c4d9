//! Attacks on the server, and what an honest player notices of them.
//!
//! Each kind gets a fresh server. Two honest agents play on it from a thread of their own before, during
//! and after the attack, which comes from this thread and from this machine only.

mod acts;
mod flood;
mod honest;
mod report;

use std::collections::BTreeMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use arena_support::{Client, Directory, Reply};
use clap::ValueEnum;
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until};

use crate::Arguments;
use crate::process::resident_kib;
use crate::run::start;
use honest::{Honest, Phase};
pub(crate) use report::AttackReport;

/// Time for the honest players alone, before and after an attack.
const BEFORE: Duration = Duration::from_secs(6);
const AFTER: Duration = Duration::from_secs(8);

/// Time between two looks at the server's memory.
const SAMPLE: Duration = Duration::from_millis(200);

/// Attacks by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Attack {
    /// One after another all that slow the server down
    All,
    /// 1,000 sockets that send duel frames
    Duels,
    /// 2,000 spectators that wait for news
    Waiters,
    /// 200 request bodies, byte by byte
    Bodies,
    /// 16 clients that ask for pictures
    Pictures,
    /// 80 clients that hang up at once
    HangUps,
    /// 600 requests a second, then 2,000
    Flood,
    /// More requests a second than the server is able to answer
    #[value(skip)]
    Torrent,
    /// Agents of one owner that resign to each other, and wins over the weaker house bots
    Ratings,
}

impl Attack {
    /// The attacks that a name stands for.
    fn each(self) -> Vec<Attack> {
        use Attack::*;
        match self {
            All => vec![Duels, Waiters, Bodies, Pictures, HangUps, Flood, Torrent],
            Flood => vec![Flood, Torrent],
            other => vec![other],
        }
    }

    /// Requests a second of a flood, answered or not.
    fn rate(self) -> Option<u32> {
        match self {
            Attack::Flood => Some(600),
            Attack::Torrent => Some(2_000),
            _ => None,
        }
    }

    /// Number of attackers, their name, and the shortest time from one act to the next of the same.
    fn size(self) -> (usize, &'static str, Duration) {
        let (count, name, gap_ms) = match self {
            Attack::Duels => (1_000, "duel sockets", 1_000),
            Attack::Waiters => (2_000, "waiters", 1_000),
            Attack::Bodies => (200, "dripping bodies", 20),
            Attack::Pictures => (16, "picture clients", 20),
            Attack::HangUps => (80, "clients that hang up", 400),
            _ => (flood::IN_FLIGHT_MAX, "requests", 0),
        };
        (count, name, Duration::from_millis(gap_ms))
    }

    fn describe(self) -> String {
        let (count, name, _) = self.size();
        self.rate().map_or_else(|| format!("{count} {name}"), |rate| format!("{rate} {name}/s"))
    }
}

#[derive(Debug)]
struct Target {
    /// `127.0.0.1:…`.
    host: String,
    /// The game that the honest agents play.
    game: String,
    /// Address that the attack comes from.
    source: IpAddr,
    /// With a connection for each attacker.
    client: Client,
    answers: Answers,
}

impl Target {
    /// A connection of the attack.
    async fn connect(&self) -> io::Result<TcpStream> {
        let address: SocketAddr = self.host.parse().map_err(io::Error::other)?;
        let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
        socket.bind((self.source, 0).into())?;
        socket.connect(address).await
    }
}

/// Answers to the attack by what they say, such as a status.
#[derive(Debug, Default)]
struct Answers(Mutex<BTreeMap<String, u64>>);

impl Answers {
    fn count(&self, what: impl Into<String>) {
        let mut counts = self.0.lock().expect("nobody panics with the counts");
        *counts.entry(what.into()).or_default() += 1;
    }

    fn reply(&self, reply: io::Result<Reply>) {
        self.count(reply.map_or("no answer".to_owned(), |reply| reply.status.to_string()));
    }

    fn counts(&self) -> BTreeMap<String, u64> {
        self.0.lock().expect("nobody panics with the counts").clone()
    }

    /// Answers that are neither a failure nor "too many".
    fn good(&self) -> u64 {
        let is_good =
            |what: &str| what.parse().is_ok_and(|status: u16| status < 500 && status != 429);
        self.counts().iter().filter(|(what, _)| is_good(what)).map(|(_, count)| count).sum()
    }
}

/// Runs the attacks one after another, each for `arguments.attack_seconds`.
pub(crate) async fn run(
    arguments: &Arguments,
    program: &Path,
    attack: Attack,
) -> io::Result<AttackReport> {
    let mut report = AttackReport::default();
    for attack in attack.each() {
        eprintln!("{}", attack.describe());
        report.rows.push(one(attack, program, arguments).await?);
    }
    Ok(report)
}

async fn one(attack: Attack, program: &Path, arguments: &Arguments) -> io::Result<report::Row> {
    let data = Directory::new("load");
    let server = start(program, data.path(), &["--house-seconds", "0"]).await?;
    let url = server.client.base();
    let honest = Honest::sit_down(&url).await;
    let (count, _, gap) = attack.size();
    let source = arguments.attack_from;
    let target = Arc::new(Target {
        host: url.trim_start_matches("http://").to_owned(),
        game: honest.game.clone(),
        source,
        client: Client::pooled(&url, count, Some(source)),
        answers: Answers::default(),
    });
    let mut attackers = JoinSet::new();
    // What a flood needs is prepared before anything is measured.
    let flood = match attack.rate() {
        Some(rate) => Some((rate, flood::seated(&target).await)),
        None => None,
    };

    let mut memory = Memory { pid: server.id(), most_kib: 0 };
    honest.enter(Phase::Before);
    memory.watch(BEFORE).await;
    honest.enter(Phase::During);
    let begun = Instant::now();
    if let Some((rate, players)) = flood {
        attackers.spawn(flood::flood(rate, players, Arc::clone(&target)));
    } else {
        for number in 0..count {
            attackers.spawn(repeat(attack, Arc::clone(&target), number, gap));
        }
    }
    memory.watch(Duration::from_secs(arguments.attack_seconds)).await;
    let goodput =
        attack.rate().map(|_| target.answers.good() as f64 / begun.elapsed().as_secs_f64());
    attackers.shutdown().await;
    honest.enter(Phase::After);
    memory.watch(AFTER).await;

    let played = honest.get_up()?;
    if let Err(error) = server.try_stop().await {
        eprintln!("arena-load: {error}");
    }
    Ok(report::Row {
        attack,
        played,
        answers: target.answers.counts(),
        goodput,
        memory_mib: memory.most_kib as f64 / 1_024.0,
    })
}

/// Lets an attacker act again and again. They begin a millisecond after one another.
async fn repeat(attack: Attack, target: Arc<Target>, number: usize, gap: Duration) {
    sleep(Duration::from_millis(number as u64)).await;
    for round in 0.. {
        let next = Instant::now() + gap;
        acts::act(attack, &target, number, round).await;
        sleep_until(next).await;
    }
}

/// The most memory that the server was seen to use.
struct Memory {
    pid: u32,
    most_kib: u64,
}

impl Memory {
    async fn watch(&mut self, length: Duration) {
        let until = Instant::now() + length;
        while Instant::now() < until {
            self.most_kib = self.most_kib.max(resident_kib(self.pid).unwrap_or(0));
            sleep(SAMPLE).await;
        }
    }
}
