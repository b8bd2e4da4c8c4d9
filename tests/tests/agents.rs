//! Eight agents of mixed brains play rated games against the real program, while agents and server
//! are killed at random.
//!
//! `AGENTS_GAMES=40` plays as many games (default: 3), `AGENTS_SEED` repeats the kills. For longer and
//! with house bots: `arena-load --kill`.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops where it is")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use arena::Reason;
use arena_store::Audit;
use arena_support::{Directory, Process, Random, Running, audit_of, setting};

const SERVER: &str = env!("CARGO_BIN_EXE_arena-under-test");
const AGENT: &str = env!("CARGO_BIN_EXE_renju-under-test");

/// Longest time for each game that is asked for.
const PATIENCE_PER_GAME: Duration = Duration::from_secs(60);

/// A Python function: next to a stone, now and then a nonsensical answer.
const FUNCTION: &str = "
import random
def get_move(board, color):
    n = len(board)
    print('thinking as', color)
    if random.random() < 0.02: return 'pass'
    near = [(r, c) for r in range(n) for c in range(n) if board[r][c] == 0 and any(
        board[y][x] for y in range(max(0, r - 1), min(n, r + 2)) for x in range(max(0, c - 1), min(n, c + 2)))]
    return random.choice(near or [(n // 2, n // 2)])
";

/// A Gomocup engine: the first empty point of a spiral around the last stone. It dies now and then.
const ENGINE: &str = "
import os, random, sys
board, size, take = {}, 15, False
def go():
    if random.random() < 0.03: os._exit(1)
    x, y = list(board)[-1] if board else (size // 2, size // 2)
    free = [(a, b) for a in range(size) for b in range(size) if (a, b) not in board]
    x, y = min(free, key=lambda p: (max(abs(p[0] - x), abs(p[1] - y)), random.random()))
    board[x, y] = 1
    print('MESSAGE here I go', flush=True); print(f'{x},{y}', flush=True)
for line in sys.stdin:
    word, _, rest = line.strip().partition(' ')
    if take:
        if word == 'DONE': take = False; go()
        else: x, y, who = map(int, word.split(',')); board[x, y] = who
    elif word == 'START': size = int(rest); print('OK', flush=True)
    elif word == 'BEGIN': go()
    elif word == 'TURN': x, y = map(int, rest.split(',')); board[x, y] = 2; go()
    elif word == 'BOARD': board.clear(); take = True
    elif word == 'END': break
";

/// A program for each decision: the tool decides the opening, it takes any legal move near a stone.
const PROGRAM: &str = "
import json, random, sys
view = json.load(sys.stdin)
if view['phase'] != 'play': print('null'); sys.exit()
stones = [p for p in view['moves'] if p[0] in 'abcdefghijklmno' and p[1:].isdigit()]
near = [p for p in view['legal_moves'] if any(
    abs(ord(s[0]) - 97 - p['x']) < 2 and abs(int(s[1:]) - 1 - p['y']) < 2 for s in stones)]
print(json.dumps(random.choice(near or view['legal_moves'])))
";

/// Everything on disk; removed at the end.
struct Home(Directory);

impl Home {
    fn new() -> Home {
        let home = Home(Directory::new("agents"));
        for (name, text) in [("main.py", FUNCTION), ("engine.py", ENGINE), ("think.py", PROGRAM)] {
            home.0.write(name, text);
        }
        home
    }

    /// Names and brains.
    fn agents(&self) -> Vec<(String, String)> {
        let function = format!("codeclash:{}", self.0.file("main.py"));
        let engine = format!("piskvork:exec python3 {}", self.0.file("engine.py"));
        let program = format!("exec:exec python3 {}", self.0.file("think.py"));
        let brains =
            ["house:2", "house:2", "house:1", &function, &function, &engine, &engine, &program];
        let named = |(n, brain): (usize, &&str)| (format!("agent-{n}"), (*brain).to_owned());
        brains.iter().enumerate().map(named).collect()
    }
}

/// The server and the agents as processes, all of which can be killed at any time.
struct Show {
    home: Home,
    /// `127.0.0.1:…`, after a restart as before.
    address: String,
    server: Option<Process>,
    agents: BTreeMap<String, (String, Option<Running>)>,
    kills: u32,
    server_kills: u32,
}

impl Show {
    async fn start() -> Show {
        let home = Home::new();
        let server = start_server(&home, "127.0.0.1:0").await;
        let address = server.client.base().trim_start_matches("http://").to_owned();
        let agents = home.agents().into_iter().map(|(name, brain)| (name, (brain, None))).collect();
        let mut show =
            Show { home, address, server: Some(server), agents, kills: 0, server_kills: 0 };
        for name in show.names() {
            show.start_agent(&name, &[]);
        }
        show
    }

    fn names(&self) -> Vec<String> {
        self.agents.keys().cloned().collect()
    }

    fn start_agent(&mut self, name: &str, more: &[&str]) {
        let (brain, agent) = self.agents.get_mut(name).unwrap();
        // On a busy machine a brain may be late, which must not look like a game lost to a crash.
        let sure = ["--log", "json", "--think", "10", "--on-failure", "fallback", "--brain", brain];
        let more = [&sure, more].concat();
        let (home, server) = (Path::new(self.home.0.path()), format!("http://{}", self.address));
        *agent = Some(Running::agent(AGENT, home, &server, name, &more));
    }

    /// As a power cut would.
    fn kill_agent(&mut self, name: &str) {
        self.kills += u32::from(self.agents.get_mut(name).unwrap().1.take().is_some());
    }

    async fn kill_server(&mut self) {
        self.server.take().unwrap().kill().await;
        self.server_kills += 1;
        thread::sleep(Duration::from_millis(700));
        self.server = Some(start_server(&self.home, &self.address).await);
    }

    fn client(&self) -> renju_agent::Client {
        renju_agent::Client::new(&format!("http://{}", self.address)).unwrap()
    }

    /// The agents' own words.
    fn log(&self, name: &str) -> String {
        fs::read_to_string(self.home.0.file(&format!("{name}.log"))).unwrap_or_default()
    }

    /// Number of games that the agents have seen the end of, each counted once.
    fn finished(&self) -> usize {
        let logs: Vec<String> = self.names().iter().map(|name| self.log(name)).collect();
        let over = |line: &str| {
            let value: serde_json::Value = serde_json::from_str(line).ok()?;
            (value["event"] == "over").then(|| value["game"].to_string())
        };
        let games: std::collections::BTreeSet<String> =
            logs.iter().flat_map(|log| log.lines().filter_map(over)).collect();
        games.len()
    }

    /// Lets everybody finish the game they are in, and nobody begin another. Not by an interrupt: a
    /// shell that runs this in the background lets programs ignore that until they listen for it.
    fn drain(&mut self) {
        for name in self.names() {
            if let Some(agent) = &self.agents[&name].1 {
                agent.signal("-TERM");
            }
        }
        for name in self.names() {
            if let Some(agent) = self.agents.get_mut(&name).unwrap().1.take() {
                agent.wait();
            }
        }
        // Nobody is in the queue any more. Who was seated before it could leave plays on.
        let book = fs::read_to_string(self.home.0.file("config/renju/credentials.json")).unwrap();
        let book: serde_json::Value = serde_json::from_str(&book).unwrap();
        let keys = book.as_object().unwrap().values().next().unwrap();
        for name in self.names() {
            let key = keys[&name]["api_key"].as_str().unwrap();
            let me = self.client().with_key(key).me().unwrap();
            if me.queue.active_game.is_some() {
                self.start_agent(&name, &["--games", "1"]);
            }
        }
        for name in self.names() {
            if let Some(agent) = self.agents.get_mut(&name).unwrap().1.take() {
                let status = agent.wait();
                assert!(status.success(), "{name}: {status}\n{}", self.log(&name));
            }
        }
    }

    /// Stops the server and reads its tables whole.
    async fn audit(&mut self) -> Audit {
        self.server.take().unwrap().stop().await;
        audit_of(Path::new(&self.home.0.file("data"))).await.unwrap()
    }
}

async fn start_server(home: &Home, listen: &str) -> Process {
    let arguments = ["--listen", listen, "--data", &home.0.file("data")];
    let seconds = ["--sweep-seconds", "5", "--house-seconds", "0"];
    Process::start(SERVER, &[arguments, seconds].concat()).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn agents_of_mixed_brains_lose_no_game_to_a_crash() {
    let wanted = setting("AGENTS_GAMES").unwrap_or(3_usize);
    let seed = setting("AGENTS_SEED").unwrap_or(arena_store::now().ms() as u64);
    eprintln!("AGENTS_SEED={seed} AGENTS_GAMES={wanted}");
    let mut random = Random(seed);
    let started = Instant::now();
    let mut show = Show::start().await;
    let names = show.names();
    let mut next_server_kill = Instant::now() + Duration::from_secs(4);
    while show.finished() < wanted || show.server_kills == 0 {
        let patience = PATIENCE_PER_GAME * wanted as u32 + Duration::from_secs(120);
        assert!(started.elapsed() < patience, "{} of {wanted} games", show.finished());
        thread::sleep(Duration::from_millis(500 + random.below(2_500) as u64));
        let name = &names[random.below(names.len())];
        show.kill_agent(name);
        if Instant::now() > next_server_kill {
            show.kill_server().await;
            next_server_kill = Instant::now() + Duration::from_secs(10 + random.below(15) as u64);
        }
        thread::sleep(Duration::from_millis(random.below(1_500) as u64));
        show.start_agent(name, &[]);
    }
    show.drain();
    let audit = show.audit().await;

    assert!(audit.is_clean(), "seed {seed}: {:#?}", audit.violations);
    assert_eq!((audit.live, audit.agents), (0, names.len()));
    assert!(audit.finished >= wanted, "{}", audit.finished);
    let mut reasons: BTreeMap<&str, u32> = BTreeMap::new();
    for game in audit.games.values() {
        let result = game.result().unwrap();
        *reasons.entry(result.reason.id()).or_default() += 1;
        assert!(matches!(result.reason, Reason::Board(_)), "seed {seed}: {}", game.id());
    }
    for name in &names {
        let log = show.log(name);
        assert!(!log.contains("panicked"), "{name}:\n{log}");
    }
    eprintln!(
        "{} games ({reasons:?}) in {:.0} s; agents killed {} times, the server {} times",
        audit.finished,
        started.elapsed().as_secs_f64(),
        show.kills,
        show.server_kills
    );
}
