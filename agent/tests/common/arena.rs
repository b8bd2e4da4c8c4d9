//! A small arena for tests of agents: it holds one real game (`arena::Game`), plays the other seat
//! itself, counts what it is asked and misbehaves as told.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use arena::{
    Actor, Agent, AgentName, Decision, Division, Game, GameId, Header, KeyDigest, Pace, Player,
    Pool, Standing, Submission, Tag, Timestamp,
};
use arena_support::Directory;
use arena_wire::{
    Body, Code, DeclareRequest, Detail, GameView, JoinRequest, MeView, MoveRequest, OfferRequest,
    OpponentView, Problem, QueueView, RegisteredView, ResignRequest, Submit, SwapRequest, Word,
    parse,
};
use renju::{BySeat, Record, Ruleset, Seat};
use renju_agent::brain::{self, Brain};
use renju_agent::client::idempotency_key;

/// Treatment of requests by the server.
#[derive(Clone, Default)]
pub(crate) struct Mood {
    /// Answers 503 with this `Retry-After` until then, as a gateway does: JSON, but no problem.
    pub(crate) busy: Option<(Instant, u32)>,
    /// Answers 401 to everything.
    pub(crate) unknown_key: bool,
    /// Hangs up without a reply on every n-th decision, after having made it.
    pub(crate) swallow_every: Option<usize>,
    /// Hangs up in the middle of every n-th reply.
    pub(crate) halve_every: Option<usize>,
    /// Its clock differs by so much.
    pub(crate) skew_ms: i64,
    /// Length of a turn; a minute unless told.
    pub(crate) turn_ms: Option<u32>,
    /// Nobody is there to play: the agent stays in the queue.
    pub(crate) lonely: bool,
    /// The other player never moves, and the server says to ask again at once.
    pub(crate) asleep: bool,
}

pub(crate) struct Arena {
    pub(crate) mood: Mood,
    pub(crate) game: Option<Game>,
    pub(crate) seat: Seat,
    opponent: Box<dyn Brain>,
    pub(crate) waiting: Option<JoinRequest>,
    /// True if the last request could do without the legal moves.
    brief: bool,
    /// Method and path of every request.
    asked: Vec<String>,
    pub(crate) decisions: usize,
}

pub(crate) struct Server {
    pub(crate) url: String,
    pub(crate) arena: Arc<Mutex<Arena>>,
}

fn now_ms() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as i64
}

fn name(text: &str) -> AgentName {
    text.parse().unwrap()
}

impl Server {
    pub(crate) fn start(mood: Mood) -> Server {
        Server::behind("http", mood, |stream| stream)
    }

    /// The same behind whatever `wrap` makes of a connection.
    pub(crate) fn behind<S: Read + Write>(
        scheme: &str,
        mood: Mood,
        wrap: impl Fn(TcpStream) -> S + Send + Sync + 'static,
    ) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("{scheme}://{}", listener.local_addr().unwrap());
        let wrap = Arc::new(wrap);
        let arena = Arc::new(Mutex::new(Arena {
            mood,
            game: None,
            seat: Seat::Second,
            opponent: brain::open("house:0@3").unwrap(),
            waiting: None,
            brief: false,
            asked: Vec::new(),
            decisions: 0,
        }));
        let served = Arc::clone(&arena);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (arena, wrap) = (Arc::clone(&served), Arc::clone(&wrap));
                thread::spawn(move || serve(wrap(stream.unwrap()), &arena));
            }
        });
        Server { url, arena }
    }

    pub(crate) fn asked(&self) -> Vec<String> {
        self.arena.lock().unwrap().asked.clone()
    }

    pub(crate) fn count(&self, what: &str) -> usize {
        self.asked().iter().filter(|asked| asked.contains(what)).count()
    }
}

/// One request a connection.
fn serve(mut stream: impl Read + Write, arena: &Mutex<Arena>) {
    let mut reader = BufReader::new(&mut stream);
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
        let is_halved = arena.mood.halve_every.is_some_and(|n| arena.asked.len().is_multiple_of(n));
        let sent = if is_halved { &body[..length / 2] } else { &body };
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(sent));
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

    /// Forgets the game and the place in the queue.
    pub(crate) fn clear(&mut self) {
        (self.game, self.waiting) = (None, None);
    }

    fn answer(&mut self, method: &str, path: &str, body: &[u8]) -> Answer {
        if let Some((until, seconds)) = self.mood.busy
            && Instant::now() < until
        {
            let body = br#"{"message":"Service Unavailable"}"#;
            return Some((503, format!("retry-after: {seconds}\r\n"), body.into()));
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
                self.waiting = Some(parse(body).unwrap());
                if !self.mood.lonely && self.game.is_none() {
                    self.game = Some(self.new_game());
                }
                ok(&self.queue())
            }
            ("POST", "/queue/leave") => {
                self.waiting = None;
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
            turn_ms: self.mood.turn_ms.unwrap_or(60_000),
            budget_ms: None,
            uncounted: None,
            previous: BySeat { first: None, second: None },
            players: BySeat { first: player("bob"), second: player("ada") },
            created: self.now(),
        })
    }

    fn queue(&self) -> QueueView<'static> {
        let mut agent = agent();
        agent.game = self.game.as_ref().map(Game::id);
        let mut view = QueueView::of(&agent, self.game.as_ref(), self.now());
        if let (Some(join), None) = (&self.waiting, &self.game) {
            let division = join.division();
            view.status = arena_wire::StatusName::Queued;
            view.ticket = Some("t-ada-1".to_owned());
            view.ruleset = Some(division.ruleset.id.into());
            view.pool = Some(Word(division.pool));
            view.house = Some(OpponentView(join.opponent()));
            view.rated = Some(join.rated.unwrap_or(true));
            view.poll_after_ms = 2_000;
        }
        view
    }

    fn show(&self) -> Answer {
        let game = self.game.as_ref()?;
        let mut view = GameView::new(
            game,
            Some(self.seat),
            self.now(),
            Detail { legal: !self.brief, ..Detail::FULL },
        );
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
            let request = arena::Intent::Play(game.turn(), play);
            let tag = Tag::of(&name("bob"), &game.turn().to_string());
            let by = Actor::Seat(!self.seat);
            let decision =
                game.apply(by, Submission { intent: request, tag }, self.now(), &Pace::STANDARD);
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
            "resign" => read::<ResignRequest>(body),
            other => panic!("{other}"),
        };
        let game = self.game.as_ref().unwrap();
        if let arena::Intent::Play(turn, _) = submission.intent {
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
pub(crate) struct Home(pub(crate) Directory);

impl Home {
    pub(crate) fn new(test: &str) -> Home {
        let dir = Directory::new(&format!("trouble-{test}"));
        std::fs::create_dir_all(dir.path()).unwrap();
        Home(dir)
    }

    pub(crate) fn agent(&self, mode: &str, server: &str, more: &[&str]) -> Command {
        let mut command = self.renju();
        command
            .args(["agent", mode, "--server", server, "--pool", "fast"])
            .args(if more.contains(&"--name") { &[][..] } else { &["--name", "ada"] })
            .args(more);
        command
    }

    /// The agents of a file.
    pub(crate) fn config(&self, file: &str) -> Command {
        let mut command = self.renju();
        command.args(["agent", "daemon", "--config", file]);
        command
    }

    fn renju(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_renju"));
        command
            .env("XDG_CONFIG_HOME", self.0.path())
            .env_remove("RENJU_API_KEY")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// The starter agent in Python, for one game.
    pub(crate) fn python(&self, server: &str) -> Command {
        let mut command = Command::new("python3");
        command
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/python/starter_agent.py"))
            .args(["--name", "ada", "--server", server, "--pool", "fast", "--games", "1"])
            .env("XDG_CONFIG_HOME", self.0.path())
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env_remove("RENJU_API_KEY");
        command
    }

    pub(crate) fn run(&self, mode: &str, server: &str, more: &[&str]) -> Output {
        self.agent(mode, server, more).output().unwrap()
    }
}

/// The one line on the error stream of an agent that gave up.
pub(crate) fn complaint(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(!text.contains("panicked"), "{text}");
    text.trim().to_owned()
}

pub(crate) fn told(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn signal(child: &Child, signal: &str) {
    let status = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}
