//! Attacks on the server, and what an honest player notices of them.
//!
//! Each kind gets a fresh server. Two honest agents play on it from a thread of their own before, during
//! and after the attack, which comes from this thread and from this machine only.

mod answers;
mod bodies;
mod duels;
mod flood;
mod hangups;
mod honest;
mod pictures;
mod report;
mod waiters;

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use arena_support::Client;
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::Arguments;
use crate::process::resident_kib;
use crate::run::{Data, start};
use answers::Answers;
use honest::{Honest, Phase};
pub(crate) use report::AttackReport;

/// Time for the honest players alone, before and after an attack.
const BEFORE: Duration = Duration::from_secs(6);
const AFTER: Duration = Duration::from_secs(8);

/// Time between two looks at the server's memory.
const SAMPLE: Duration = Duration::from_millis(200);

/// Kinds of attack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Attack {
    /// Sockets that send one duel frame after another.
    Duels,
    /// Spectators that wait for news.
    Waiters,
    /// Request bodies that arrive byte by byte.
    Bodies,
    /// Requests for pictures that have to be painted.
    Pictures,
    /// Requests that hang up while the server waits for news.
    HangUps,
    /// So many requests a second, answered or not.
    Flood(u32),
}

/// A flood that the server is able to answer, and one that it is not.
pub(crate) const FLOODS: [Attack; 2] = [Attack::Flood(600), Attack::Flood(2_000)];

impl Attack {
    pub(crate) const ALL: [Attack; 7] = [
        Attack::Duels,
        Attack::Waiters,
        Attack::Bodies,
        Attack::Pictures,
        Attack::HangUps,
        FLOODS[0],
        FLOODS[1],
    ];

    fn describe(self) -> String {
        match self {
            Attack::Duels => format!("{} duel sockets", duels::SOCKETS),
            Attack::Waiters => format!("{} waiters", waiters::COUNT),
            Attack::Bodies => format!("{} dripping bodies", bodies::COUNT),
            Attack::Pictures => format!("{} picture clients", pictures::CLIENTS),
            Attack::HangUps => format!("{} clients that hang up", hangups::CLIENTS),
            Attack::Flood(rate) => format!("{rate} requests/s"),
        }
    }
}

#[derive(Clone, Debug)]
struct Target {
    /// `http://127.0.0.1:…`.
    url: String,
    /// The same without its scheme.
    host: String,
    /// The game that the honest agents play.
    game: String,
    /// Address that the attack comes from.
    source: IpAddr,
}

impl Target {
    /// A client of the attack with so many connections.
    fn client(&self, connections: usize) -> Client {
        Client::pooled(&self.url, connections, Some(self.source))
    }

    /// A connection of the attack.
    async fn connect(&self) -> io::Result<TcpStream> {
        let address: SocketAddr = self.host.parse().map_err(io::Error::other)?;
        let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
        socket.bind((self.source, 0).into())?;
        socket.connect(address).await
    }
}

/// Runs the attacks one after another, each for `arguments.attack_seconds`.
pub(crate) async fn run(
    arguments: &Arguments,
    program: &Path,
    attacks: &[Attack],
) -> io::Result<AttackReport> {
    let mut report = AttackReport::default();
    for &attack in attacks {
        eprintln!("{}", attack.describe());
        let data = Data::of(arguments);
        let seconds = Duration::from_secs(arguments.attack_seconds);
        let source = arguments.attack_from;
        report.rows.push(one(attack, program, data.dir(), seconds, source).await?);
    }
    Ok(report)
}

async fn one(
    attack: Attack,
    program: &Path,
    data: &str,
    length: Duration,
    source: IpAddr,
) -> io::Result<report::Row> {
    let server = start(program, data, &["--house-seconds", "0"]).await?;
    let url = server.client.base();
    let honest = Honest::sit_down(&url).await;
    let host = url.trim_start_matches("http://").to_owned();
    let target = Target { url, host, game: honest.game.clone(), source };
    let answers = Arc::new(Answers::default());
    let mut attackers = JoinSet::new();
    // What a flood needs is prepared before anything is measured.
    let crowd = match attack {
        Attack::Flood(_) => flood::seated(&target).await,
        _ => Vec::new(),
    };

    let mut memory = Memory { pid: server.id(), most_kib: 0 };
    honest.enter(Phase::Before);
    memory.watch(BEFORE).await;
    honest.enter(Phase::During);
    let begun = Instant::now();
    match attack {
        Attack::Duels => duels::start(&target, &answers, &mut attackers),
        Attack::Waiters => waiters::start(&target, &answers, &mut attackers),
        Attack::Bodies => bodies::start(&target, &answers, &mut attackers),
        Attack::Pictures => pictures::start(&target, &answers, &mut attackers),
        Attack::HangUps => hangups::start(&target, &answers, &mut attackers),
        Attack::Flood(rate) => flood::start(rate, crowd, &answers, &mut attackers),
    }
    memory.watch(length).await;
    let goodput = matches!(attack, Attack::Flood(_))
        .then(|| answers.good() as f64 / begun.elapsed().as_secs_f64());
    attackers.shutdown().await;
    honest.enter(Phase::After);
    memory.watch(AFTER).await;

    let played = honest.get_up()?;
    if let Err(error) = server.try_stop().await {
        eprintln!("arena-load: {error}");
    }
    Ok(report::Row {
        attack: attack.describe(),
        kind: attack,
        played,
        answers: answers.take(),
        goodput,
        memory_mib: memory.most_kib as f64 / 1_024.0,
    })
}

/// Lets so many attackers do something again and again, each no more often than every `gap`. They begin a
/// millisecond after one another, and are told their number and their round.
fn repeat<F: Future<Output = ()> + Send>(
    attackers: &mut JoinSet<()>,
    count: usize,
    gap: Duration,
    act: impl Fn(usize, usize) -> F + Clone + Send + 'static,
) {
    for number in 0..count {
        let act = act.clone();
        attackers.spawn(async move {
            tokio::time::sleep(Duration::from_millis(number as u64)).await;
            for round in 0.. {
                let next = Instant::now() + gap;
                act(number, round).await;
                tokio::time::sleep_until(next).await;
            }
        });
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
            tokio::time::sleep(SAMPLE).await;
        }
    }
}
