//! `renju agent` when things go wrong, against a small server that counts what it is asked.
//!
//! The server holds one real game (`arena::Game`) and plays the other seat itself.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use arena::{
    Actor, Agent, AgentName, Decision, Division, Game, GameId, Header, KeyDigest, Pace, Player,
    Pool, Standing, Submission, Tag, Timestamp,
};
use arena_wire::{
    Body, Code, DeclareRequest, Detail, GameView, MeView, MoveRequest, OfferRequest, Problem,
    QueueView, RegisteredView, Submit, SwapRequest, parse,
};
use renju::{BySeat, Record, Ruleset, Seat};
use renju_agent::brain::{self, Brain};
use renju_agent::client::idempotency_key;

/// What the server does to requests.
#[derive(Clone, Default)]
struct Mood {
    /// Answers 503 with this `Retry-After` until then.
    busy: Option<(Instant, u32)>,
    /// Answers 401 to everything.
    unknown_key: bool,
    /// Hangs up without a reply on every n-th decision, after having made it.
    swallow_every: Option<usize>,
    /// Its clock differs by so much.
    skew_ms: i64,
    /// Nobody is there to play: the agent stays in the queue.
    lonely: bool,
    /// The other player never moves, and the server says to ask again at once.
    asleep: bool,
}

struct Arena {
    mood: Mood,
    game: Option<Game>,
    seat: Seat,
    opponent: Box<dyn Brain>,
    waiting: bool,
    /// Whether the last request could do without the legal moves.
    brief: bool,
    /// Method and path of every request.
    asked: Vec<String>,
    decisions: usize,
}

struct Server {
    url: String,
    arena: Arc<Mutex<Arena>>,
}

fn now_ms() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as i64
}

fn name(text: &str) -> AgentName {
    text.parse().unwrap()
}

impl Server {
    fn start(mood: Mood) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let arena = Arc::new(Mutex::new(Arena {
            mood,
            game: None,
            seat: Seat::Second,
            opponent: brain::open("house:0@3").unwrap(),
            waiting: false,
            brief: false,
            asked: Vec::new(),
            decisions: 0,
        }));
        let served = Arc::clone(&arena);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let arena = Arc::clone(&served);
                thread::spawn(move || serve(stream.unwrap(), &arena));
            }
        });
        Server { url, arena }
    }

    fn asked(&self) -> Vec<String> {
        self.arena.lock().unwrap().asked.clone()
    }

    fn count(&self, what: &str) -> usize {
        self.asked().iter().filter(|asked| asked.contains(what)).count()
    }
}

/// One request a connection.
fn serve(mut stream: TcpStream, arena: &Mutex<Arena>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut first = String::new();
    if reader.read_line(&mut first).unwrap_or(0) == 0 {
        return;
    }
    let mut length = 0;
    let mut line = String::new();
    while reader.read_line(&mut line).is_ok() && line.trim() != "" {
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        line.clear();
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let (method, rest) = first.split_once(' ').unwrap();
    let path = rest.split(' ').next().unwrap();
    let mut arena = arena.lock().unwrap();
    arena.asked.push(format!("{method} {path}"));
    if let Some((status, headers, body)) = arena.answer(method, path, &body) {
        let length = body.len();
        let head = format!(
            "HTTP/1.1 {status} X\r\ncontent-length: {length}\r\nconnection: close\r\n{headers}\r\n"
        );
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
    }
}

type Answer = Option<(u16, String, Vec<u8>)>;

fn ok(view: &impl serde::Serialize) -> Answer {
    Some((200, String::new(), arena_wire::json(view)))
}

fn refused(code: Code, status: u16, detail: &str) -> Answer {
    Some((status, String::new(), arena_wire::json(&Problem::new(code, status, detail))))
}

impl Arena {
    fn now(&self) -> Timestamp {
        Timestamp::from_ms(now_ms() + self.mood.skew_ms)
    }

    fn answer(&mut self, method: &str, path: &str, body: &[u8]) -> Answer {
        if let Some((until, seconds)) = self.mood.busy
            && Instant::now() < until
        {
            return Some((503, format!("retry-after: {seconds}\r\n"), b"<html>busy</html>".into()));
        }
        if self.mood.unknown_key {
            return refused(Code::Unauthenticated, 401, "the key is not known");
        }
        self.brief = path.contains("legal=0");
        let path = path.split('?').next().unwrap();
        match (method, path) {
            ("POST", "/agents/register") => {
                let agent = agent();
                let view = RegisteredView::new(&agent, "rk1_ada_secret");
                Some((201, String::new(), arena_wire::json(&view)))
            }
            ("GET", "/agents/me") => {
                let agent = agent();
                let view = MeView::new(&agent, None, &[], self.now());
                let view = MeView { queue: self.queue(), ..view };
                ok(&view)
            }
            ("POST", "/queue/join") => {
                self.waiting = true;
                if !self.mood.lonely && self.game.is_none() {
                    self.game = Some(self.new_game());
                }
                ok(&self.queue())
            }
            ("POST", "/queue/leave") => {
                self.waiting = false;
                ok(&self.queue())
            }
            ("GET", "/queue") => ok(&self.queue()),
            ("GET", _) => {
                self.let_opponent_play();
                self.show()
            }
            ("POST", _) => self.decide(path, body),
            _ => refused(Code::NotFound, 404, "there is no such thing"),
        }
    }

    fn new_game(&self) -> Game {
        let player =
            |text: &str| Player::agent(name(text), KeyDigest([0; 16]), Standing::NEW.rating);
        Game::start(Header {
            id: GameId::from_bytes([7; 10]),
            division: Division { ruleset: &Ruleset::ALL[0], pool: Pool::Fast },
            turn_ms: 60_000,
            players: BySeat { first: player("bob"), second: player("ada") },
            created: self.now(),
        })
    }

    fn queue(&self) -> QueueView<'static> {
        let mut agent = agent();
        agent.game = self.game.as_ref().map(Game::id);
        let mut view = QueueView::of(&agent, self.game.as_ref(), self.now());
        if self.waiting && self.game.is_none() {
            view.status = arena_wire::StatusName::Queued;
            view.ticket = Some("t-ada-1".to_owned());
            view.poll_after_ms = 2_000;
        }
        view
    }

    fn show(&self) -> Answer {
        let game = self.game.as_ref()?;
        let mut view =
            GameView::new(game, Some(self.seat), self.now(), Detail { legal: !self.brief });
        if self.mood.asleep {
            view.poll_after_ms = 0;
        }
        ok(&view)
    }

    fn let_opponent_play(&mut self) {
        while !self.mood.asleep {
            let Some(game) = &self.game else { return };
            if game.to_act() != Some(!self.seat) {
                return;
            }
            let mut record = Record::new(game.ruleset());
            for entry in game.log() {
                if let arena::Action::Play(play) = entry.action {
                    record.play(play).unwrap();
                }
            }
            let play = self.opponent.choose(&record, Duration::from_secs(1)).unwrap();
            let request = arena::Request::Play(game.turn(), play);
            let tag = Tag::of(&name("bob"), &game.turn().to_string());
            let by = Actor::Seat(!self.seat);
            let decision = game.apply(by, Submission { request, tag }, self.now(), &Pace::STANDARD);
            let Ok(Decision::Commit(next)) = decision else { panic!("{decision:?}") };
            self.game = Some(*next);
        }
    }

    fn decide(&mut self, path: &str, body: &[u8]) -> Answer {
        fn read<T: Body + Submit>(body: &[u8]) -> (Submission, String) {
            let request: T = parse(body).unwrap();
            let key = request.key().unwrap().to_owned();
            (request.into_submission(&name("ada"), None).unwrap(), key)
        }
        let (submission, key) = match path.rsplit('/').next().unwrap() {
            "move" => read::<MoveRequest>(body),
            "swap" => read::<SwapRequest>(body),
            "offer10" => read::<OfferRequest>(body),
            "declare" => read::<DeclareRequest>(body),
            other => panic!("{other}"),
        };
        let game = self.game.as_ref().unwrap();
        if let arena::Request::Play(turn, _) = submission.request {
            assert_eq!(key, idempotency_key(&game.id().to_string(), turn.0));
        }
        self.decisions += 1;
        let by = Actor::Seat(self.seat);
        match game.apply(by, submission, self.now(), &Pace::STANDARD) {
            Ok(Decision::Commit(next)) => self.game = Some(*next),
            Ok(Decision::Replay(_)) => {}
            Err(rejection) => {
                let problem = Problem::rejected(&rejection, 409);
                return Some((409, String::new(), arena_wire::json(&problem)));
            }
        }
        if self.mood.swallow_every.is_some_and(|n| self.decisions.is_multiple_of(n)) {
            return None;
        }
        self.show()
    }
}

fn agent() -> Agent {
    Agent::register(name("ada"), arena::KeyHash([1; 32]), Timestamp::from_ms(0))
}

/// A directory for keys and bots that goes away with the test.
struct Home(PathBuf);

impl Home {
    fn new(test: &str) -> Home {
        let dir = std::env::temp_dir().join(format!("renju-trouble-{}-{test}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).unwrap();
        Home(dir)
    }

    fn agent(&self, mode: &str, server: &str, more: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_renju"));
        command
            .args(["agent", mode, "--server", server, "--name", "ada", "--pool", "fast"])
            .args(more)
            .env("XDG_CONFIG_HOME", &self.0)
            .env_remove("RENJU_API_KEY")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn run(&self, mode: &str, server: &str, more: &[&str]) -> Output {
        self.agent(mode, server, more).output().unwrap()
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The one line on the error stream of an agent that gave up.
fn complaint(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(!text.contains("panicked"), "{text}");
    text.trim().to_owned()
}

fn told(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn signal(child: &Child, signal: &str) {
    let status = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

fn lonely() -> Mood {
    Mood { lonely: true, ..Mood::default() }
}

#[test]
fn an_unknown_server_is_named_and_tried_only_a_few_times() {
    let home = Home::new("unknown");
    // A port that was free a moment ago.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let output = home.run("daemon", &format!("http://127.0.0.1:{port}"), &[]);
    let line = complaint(&output);
    assert!(line.starts_with(&format!("renju: cannot reach http://127.0.0.1:{port}: ")), "{line}");
    assert!((1..20).contains(&told(&output).lines().count()), "{}", told(&output));

    let output = home.run("daemon", "http://no-such-host.invalid", &[]);
    let line = complaint(&output);
    assert!(line.starts_with("renju: cannot reach http://no-such-host.invalid: "), "{line}");

    let output = home.run("daemon", "127.0.0.1:8080", &[]);
    let line = "renju: \"127.0.0.1:8080\" is not a server such as http://127.0.0.1:8080";
    assert_eq!(complaint(&output), line);
}

#[test]
fn something_that_is_no_arena_is_recognised() {
    let home = Home::new("strange");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut buffer = [0; 4096];
            let _ = stream.read(&mut buffer);
            let page = "<html>\n<p>It works!</p></html>";
            let head = format!(
                "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
                page.len()
            );
            let _ = stream.write_all((head + page).as_bytes());
        }
    });
    let line = complaint(&home.run("once", &url, &[]));
    assert!(line.contains("does not answer as an arena (status 200)"), "{line}");
}

#[test]
fn a_wrong_key_is_said_so_after_one_request() {
    let server = Server::start(Mood { unknown_key: true, ..Mood::default() });
    let home = Home::new("key");
    let mut command = home.agent("daemon", &server.url, &[]);
    let output = command.env("RENJU_API_KEY", "rk1_ada_wrong").output().unwrap();
    let line = format!("renju: {} does not know the API key from RENJU_API_KEY", server.url);
    assert_eq!(complaint(&output), line);
    assert_eq!(server.asked(), ["GET /agents/me"]);
}

#[test]
fn keys_are_kept_for_their_owner_only_and_used_again() {
    use std::os::unix::fs::PermissionsExt;
    let server = Server::start(Mood::default());
    let home = Home::new("kept");
    for _ in 0..2 {
        let output = home.run("once", &server.url, &["--brain", "house:0"]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
    assert_eq!(server.count("POST /agents/register"), 1);
    let file = home.0.join("renju/credentials.json");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains(&server.url) && text.contains("rk1_ada_secret"), "{text}");
}

#[test]
fn a_busy_server_is_left_alone_and_returned_to() {
    let server = Server::start(lonely());
    let home = Home::new("busy");
    let mut child = home.agent("daemon", &server.url, &["--log", "json"]).spawn().unwrap();
    while server.count("POST /queue/join") == 0 {
        thread::sleep(Duration::from_millis(20));
    }
    let busy = Duration::from_secs(6);
    server.arena.lock().unwrap().mood.busy = Some((Instant::now() + busy, 1));
    let before = server.asked().len();
    thread::sleep(busy);
    let during = server.asked().len() - before;
    assert!((1..=6).contains(&during), "{during} requests in six seconds");
    // Then it goes on as if nothing had been.
    let before = server.asked().len();
    let until = Instant::now() + Duration::from_secs(20);
    while server.asked().len() < before + 2 {
        assert!(Instant::now() < until, "the agent did not come back");
        thread::sleep(Duration::from_millis(50));
    }
    signal(&child, "-INT");
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(0));
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    assert!(
        text.contains("is not well (status 503): <html>busy</html>; trying again in"),
        "{text}"
    );
    assert!(text.contains("\"event\":\"stopped\""), "{text}");
    assert_eq!(server.count("POST /queue/leave"), 1);
}

#[test]
fn nobody_is_asked_more_often_than_once_a_second() {
    let server = Server::start(Mood { asleep: true, ..Mood::default() });
    let home = Home::new("asleep");
    let mut child = home.agent("daemon", &server.url, &[]).spawn().unwrap();
    while server.count("GET /games/") == 0 {
        thread::sleep(Duration::from_millis(20));
    }
    thread::sleep(Duration::from_secs(5));
    let asked = server.count("GET /games/");
    assert!((3..=8).contains(&asked), "{asked} polls in five seconds");
    signal(&child, "-INT");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_wrong_clock_is_mentioned_once_and_costs_nothing() {
    let server = Server::start(Mood { skew_ms: -3_600_000, ..Mood::default() });
    let home = Home::new("skew");
    let output = home.run("daemon", &server.url, &["--games", "1"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let line = "clock is 3600 s ahead of the server's; deadlines follow the server's";
    assert_eq!(told(&output).matches(line).count(), 1, "{}", told(&output));
    assert!(told(&output).contains("won game"), "{}", told(&output));
}

#[test]
fn lost_replies_and_a_kill_in_mid_game_cost_nothing() {
    let server = Server::start(Mood { swallow_every: Some(3), ..Mood::default() });
    let home = Home::new("lost");
    let mut child = home.agent("daemon", &server.url, &["--games", "1"]).spawn().unwrap();
    while server.arena.lock().unwrap().decisions < 4 {
        thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let output = home.run("daemon", &server.url, &["--games", "1"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(told(&output).contains("won game"), "{}", told(&output));
    let arena = server.arena.lock().unwrap();
    let result = arena.game.as_ref().unwrap().result().unwrap();
    assert_eq!((result.winner, result.reason.id()), (Some(arena.seat), "five"));
}

#[test]
fn the_python_starter_plays_a_game_over_lost_replies() {
    let server = Server::start(Mood { swallow_every: Some(3), ..Mood::default() });
    let home = Home::new("python");
    for games in 1..=2 {
        let output = Command::new("python3")
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/python/starter_agent.py"))
            .args(["--name", "ada", "--server", &server.url, "--pool", "fast", "--games", "1"])
            .env("XDG_CONFIG_HOME", &home.0)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env_remove("RENJU_API_KEY")
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert!(told(&output).contains("ada won by five"), "{output:?}");
        assert_eq!(server.count("POST /agents/register"), 1, "game {games}");
        let mut arena = server.arena.lock().unwrap();
        (arena.game, arena.waiting) = (None, false);
    }
    // The tool reads the keys that the script keeps.
    let output = home.run("daemon", &server.url, &["--games", "1"]);
    assert!(told(&output).contains("won game"), "{output:?}");
    assert_eq!(server.count("POST /agents/register"), 1);
}

#[test]
fn a_brain_that_fails_does_not_lose_the_game_but_ends_the_agent() {
    for (test, brain, words) in [
        ("rubbish", "exec:echo rubbish", "not a move: rubbish; playing "),
        ("occupied", "exec:echo '\"h8\"'", "exec:echo '\"h8\"' answered h8: "),
        ("dead", "piskvork:exit 3", "the bot is gone: it ended with exit status: 3; playing "),
    ] {
        let server = Server::start(Mood::default());
        let home = Home::new(test);
        let output = home.run("daemon", &server.url, &["--brain", brain]);
        let text = told(&output);
        assert!(text.contains(words), "{text}");
        assert!(text.contains("won game"), "{text}");
        assert!(complaint(&output).contains("the brain failed"), "{output:?}");
    }
}
