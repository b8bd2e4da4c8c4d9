//! A Gomocup session: its state, and the answer to each line.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use renju::{Color, Play, Point, Position, Ruleset};
use renju_engine::{Engine, Limits};

use super::clock::Clock;
use super::stones::{List, Purpose, Stones, off_board};
use super::swap2;
use super::{coordinates, read_point, rule, write_point};
use crate::lines::shown;

/// Answer to ABOUT.
const ABOUT: &str = concat!(
    "name=\"Renju Arena\", version=\"",
    env!("CARGO_PKG_VERSION"),
    "\", author=\"the Renju Arena project\""
);

/// Fixed, so that the same moves are chosen at the same depth.
const SEED: u64 = 0;

/// Node limit if a move is wanted at once.
const AT_ONCE: u64 = 2_000;

/// Default size of the transposition table, its least useful size, and the other memory used.
const TABLE_BYTES: u64 = 64 << 20;
const TABLE_BYTES_MIN: u64 = 1 << 20;
const OTHER_BYTES: u64 = 32 << 20;

/// Answer to a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// No answer.
    Silence,
    /// One line.
    Line(String),
    /// End of the session.
    End,
}

/// One side of a session. The engine's table is kept from move to move.
pub struct Session {
    engine: Option<Engine>,
    table_bytes: u64,
    threads: usize,
    nodes: u64,
    clock: Clock,
    ruleset: &'static Ruleset,
    /// Side of the board after START.
    size: Option<u8>,
    stones: Stones,
    list: Option<List>,
}

impl Default for Session {
    fn default() -> Session {
        Session {
            engine: None,
            table_bytes: TABLE_BYTES,
            threads: 1,
            nodes: u64::MAX,
            clock: Clock::default(),
            ruleset: rule::freestyle(),
            size: None,
            stones: Stones::default(),
            list: None,
        }
    }
}

/// True if a line ends the session.
pub(super) fn is_end(line: &str) -> bool {
    line.trim().eq_ignore_ascii_case("end")
}

/// A line to write, none, or an error text.
type Answer = Result<Option<String>, String>;

impl Session {
    /// A session with this many threads and nodes per move, unless the manager asks for other
    /// numbers.
    pub fn new(threads: usize, nodes: Option<u64>) -> Session {
        Session { threads, nodes: nodes.unwrap_or(u64::MAX), ..Session::default() }
    }

    /// Answers a line that arrived at `at`, from which the clock runs. Setting `stop` ends a search
    /// early; the answer is then the best move so far.
    pub fn hear(&mut self, line: &str, at: Instant, stop: &AtomicBool) -> Reply {
        if is_end(line) {
            return Reply::End;
        }
        match self.answer(line.trim(), at, stop) {
            Ok(None) => Reply::Silence,
            Ok(Some(line)) => Reply::Line(line),
            Err(why) => Reply::Line(format!("ERROR {why}")),
        }
    }

    /// Answers a line that was too long to be read.
    pub fn hear_too_much(&mut self) -> Reply {
        if let Some(list) = &mut self.list {
            list.spoil();
        }
        Reply::Line("ERROR the line is too long".to_owned())
    }

    fn answer(&mut self, line: &str, at: Instant, stop: &AtomicBool) -> Answer {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (word, rest) = (word.to_ascii_uppercase(), rest.trim());
        // Also in the middle of a list.
        if line.is_empty() {
            return Ok(None);
        }
        if let Some(list) = &mut self.list {
            if word == "DONE" {
                return self.done(at, stop);
            }
            if !word.starts_with(|first: char| first.is_ascii_alphabetic()) {
                return list.read(line).map(|()| None);
            }
            // A command ends an unfinished list.
            self.list = None;
        }
        match word.as_str() {
            "START" => self.start(rest),
            "RESTART" => self.restart(),
            "BEGIN" => self.begin(at, stop),
            "TURN" => self.turn(rest, at, stop),
            "BOARD" => self.begin_list(Purpose::Move),
            "YXBOARD" => self.begin_list(Purpose::Look),
            "SWAP2BOARD" => self.begin_list(Purpose::Swap2),
            "DONE" => Err("DONE ends a list that BOARD begins".to_owned()),
            "TAKEBACK" => self.take_back(rest),
            "INFO" => self.info(rest),
            "ABOUT" => Ok(Some(ABOUT.to_owned())),
            "YXSHOWFORBID" => self.show_forbidden(),
            "RECTSTART" => Err("only square boards are played: START n".to_owned()),
            _ => Ok(Some(format!("UNKNOWN command {}", shown(&word)))),
        }
    }

    fn start(&mut self, rest: &str) -> Answer {
        let size =
            rest.parse::<u8>().map_err(|_| format!("START needs a size, not {:?}", shown(rest)))?;
        self.ruleset.check_size(size).map_err(|why| why.to_string())?;
        self.size = Some(size);
        self.restart()
    }

    fn restart(&mut self) -> Answer {
        self.size()?;
        self.stones = Stones::default();
        self.clock.restart();
        self.forget();
        Ok(Some("OK".to_owned()))
    }

    fn begin(&mut self, at: Instant, stop: &AtomicBool) -> Answer {
        self.size()?;
        if !self.stones.0.is_empty() {
            return Err("BEGIN is for an empty board".to_owned());
        }
        self.place(Color::Black, at, stop)
    }

    fn turn(&mut self, rest: &str, at: Instant, stop: &AtomicBool) -> Answer {
        let point = self.point(rest)?;
        if self.stones.has(point) {
            return Err(format!("{} is occupied", shown(rest)));
        }
        self.check_unfinished()?;
        let color = self.stones.next();
        self.stones.0.push((point, color));
        self.place(!color, at, stop)
    }

    fn take_back(&mut self, rest: &str) -> Answer {
        let point = self.point(rest)?;
        match self.stones.0.pop_if(|&mut (last, _)| last == point) {
            Some(_) => Ok(Some("OK".to_owned())),
            None => Err(format!("{} is not the last stone", shown(rest))),
        }
    }

    fn begin_list(&mut self, purpose: Purpose) -> Answer {
        self.list = Some(List::new(purpose, self.size()?));
        Ok(None)
    }

    fn done(&mut self, at: Instant, stop: &AtomicBool) -> Answer {
        let Some(list) = self.list.take() else { return Ok(None) };
        let purpose = list.purpose;
        let (stones, me) = list.finish()?;
        match purpose {
            Purpose::Swap2 => self.swap2(&stones, at, stop),
            Purpose::Look => {
                self.stones = stones;
                Ok(None)
            }
            Purpose::Move => {
                self.stones = stones;
                self.place(me, at, stop)
            }
        }
    }

    fn swap2(&mut self, stones: &Stones, at: Instant, stop: &AtomicBool) -> Answer {
        let size = self.size()?;
        let points: Vec<Point> = stones.0.iter().map(|&(point, _)| point).collect();
        let time = self.clock.thinking_time(0) / swap2::DECISIONS_MAX;
        let mut until = at;
        let ruleset = rule::swap2(self.ruleset);
        let decided = swap2::decide(ruleset, size, &points, |record| {
            until += time;
            self.choose(record.position(), until, time, stop)
        });
        let (placed, record) = decided?;
        self.clock.used += at.elapsed();
        self.stones = Stones(record.stones().collect());
        let placed: Vec<String> =
            placed.into_iter().map(|point| write_point(point, size)).collect();
        Ok(Some(if placed.is_empty() { "SWAP".to_owned() } else { placed.join(" ") }))
    }

    /// Places a stone of `color` in free play.
    fn place(&mut self, color: Color, at: Instant, stop: &AtomicBool) -> Answer {
        let size = self.size()?;
        self.check_unfinished()?;
        let position = self.position(color)?;
        let own_stones = u32::try_from(self.stones.count(color)).unwrap_or(u32::MAX);
        let time = self.clock.thinking_time(own_stones);
        let play = self.choose(&position, at + time, time, stop);
        self.clock.used += at.elapsed();
        match play {
            Some(Play::Place(point)) => {
                self.stones.0.push((point, color));
                Ok(Some(write_point(point, size)))
            }
            _ => Err("the game is over".to_owned()),
        }
    }

    fn choose(
        &mut self,
        position: &Position,
        deadline: Instant,
        time: Duration,
        stop: &AtomicBool,
    ) -> Option<Play> {
        let most = if time.is_zero() { AT_ONCE } else { u64::MAX };
        let limits = Limits { deadline: Some(deadline), ..Limits::nodes(self.nodes.min(most)) };
        let (bytes, threads) = (self.table_bytes, self.threads);
        let engine = self.engine.get_or_insert_with(|| engine(bytes, threads));
        engine.choose(position, &limits, SEED, Some(stop)).map(|choice| choice.play)
    }

    fn info(&mut self, rest: &str) -> Answer {
        let (key, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let number = || {
            let value = value.trim().parse::<i64>();
            value.map_err(|_| format!("INFO {} needs a number", shown(key)))
        };
        let ms = || number().map(|ms| Duration::from_millis(u64::try_from(ms).unwrap_or(0)));
        match key.to_ascii_lowercase().as_str() {
            "timeout_turn" => self.clock.turn = ms()?,
            "timeout_match" => self.clock.game = Some(ms()?).filter(|game| !game.is_zero()),
            // Below zero the time is overdrawn.
            "time_left" => self.clock.left = Some(ms()?),
            "max_node" => {
                self.nodes =
                    u64::try_from(number()?).ok().filter(|&most| most > 0).unwrap_or(u64::MAX);
            }
            "max_memory" => {
                let most = u64::try_from(number()?).ok().filter(|&most| most > 0);
                let fitting = most.map_or(TABLE_BYTES, |most| most.saturating_sub(OTHER_BYTES) / 2);
                let fitting = fitting.clamp(TABLE_BYTES_MIN, TABLE_BYTES);
                if self.table_bytes != fitting {
                    self.table_bytes = fitting;
                    self.renew();
                }
            }
            "thread_num" => {
                let threads = usize::try_from(number()?).unwrap_or(1).clamp(1, Engine::THREADS_MAX);
                if self.threads != threads {
                    self.threads = threads;
                    self.renew();
                }
            }
            "rule" => return self.rule(number()?),
            // Kind of opponent, folders, and anything else.
            _ => {}
        }
        Ok(None)
    }

    fn rule(&mut self, bits: i64) -> Answer {
        let known = u32::try_from(bits).ok().and_then(rule::ruleset);
        let ruleset = known.ok_or_else(|| format!("rule {bits} is not played, only 0, 1 and 4"))?;
        if let Some(size) = self.size {
            ruleset.check_size(size).map_err(|why| why.to_string())?;
        }
        if ruleset != self.ruleset {
            self.ruleset = ruleset;
            self.forget();
        }
        Ok(None)
    }

    /// Points forbidden to Black, if it is to move.
    fn show_forbidden(&self) -> Answer {
        let size = self.size()?;
        // Lists come in any order: only the counts tell whose turn it is.
        let is_blacks = self.stones.count(Color::Black) <= self.stones.count(Color::White);
        let position = self.position(Color::Black)?;
        let points = position.forbidden_points().filter(|_| is_blacks);
        let points = points.map(|(point, _)| {
            let (x, y) = coordinates(point, size);
            format!("{x:02}{y:02}")
        });
        Ok(Some(format!("FORBID {}.", points.collect::<String>())))
    }

    fn size(&self) -> Result<u8, String> {
        self.size.ok_or_else(|| "START comes first".to_owned())
    }

    fn point(&self, text: &str) -> Result<Point, String> {
        let size = self.size()?;
        let off = || off_board(text, size);
        read_point(text, size).ok_or_else(off)
    }

    fn position(&self, to_move: Color) -> Result<Position, String> {
        let board = self.stones.board(self.size()?);
        let position = Position::analysis(self.ruleset, board, to_move, Default::default());
        position.map_err(|why| why.to_string())
    }

    fn check_unfinished(&self) -> Result<(), String> {
        match self.stones.winner(self.ruleset, self.size()?) {
            Some(winner) => Err(format!("the game is over: {winner} has five in a row")),
            None => Ok(()),
        }
    }

    /// Forgets what was learned in another game or under other rules.
    fn forget(&mut self) {
        match &mut self.engine {
            Some(engine) => engine.clear(),
            // Now, while the clock is not running.
            None if self.size.is_some() => {
                self.engine = Some(engine(self.table_bytes, self.threads));
            }
            None => {}
        }
    }

    /// Creates an engine with the manager's new limits.
    fn renew(&mut self) {
        self.engine = None;
        self.forget();
    }
}

fn engine(table_bytes: u64, threads: usize) -> Engine {
    let bytes = usize::try_from(table_bytes).unwrap_or(usize::MAX);
    Engine::new(bytes).with_threads(threads)
}
