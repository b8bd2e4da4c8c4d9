//! `piskvork:<command>`: any engine that speaks the protocol of Gomocup on its standard streams.
//!
//! Decisions the protocol cannot express (swaps, offers, choices) are made by the house.

use std::time::{Duration, Instant};

use renju::{Color, Play, Point, Record, Ruleset};

use super::house::House;
use super::io_log::IoLog;
use super::program::{Program, shell};
use super::{Brain, BrainError, GameClock, Settings, Unsupported, label_of};
use crate::gomocup::{read_point, rule, write_point};
use crate::lines::shown;

/// Time limit for an engine to start.
const START_PATIENCE: Duration = Duration::from_secs(10);

/// Memory limit of Gomocup's tournaments: 350 MiB.
const MEMORY_MAX: u32 = 350 << 20;

/// `INFO time_left` of a game without a total time limit.
const NO_CLOCK_MS: u32 = i32::MAX as u32;

/// Time limit of one decision.
#[derive(Clone, Copy)]
struct Clock {
    limit: Duration,
    until: Instant,
    game: Option<GameClock>,
}

/// An engine, restarted for each game and after each crash.
pub(super) struct Piskvork {
    name: String,
    command: String,
    house: House,
    settings: Settings,
    /// Time for the game, if it is limited.
    game: Option<GameClock>,
    io_log: Option<IoLog>,
    engine: Option<Engine>,
}

struct Engine {
    program: Program,
    /// The game at the last question.
    record: Record,
    /// Stones it knows in playing order, including its own last answer.
    known: Vec<(Point, Color)>,
    color: Color,
    turn: Option<Duration>,
}

impl Piskvork {
    pub(super) fn new(command: &str) -> Piskvork {
        Piskvork {
            name: format!("piskvork:{}", label_of(command)),
            command: command.to_owned(),
            house: House::stand_in(),
            settings: Settings::default(),
            game: None,
            io_log: None,
            engine: None,
        }
    }

    /// One attempt; an engine that failed is dropped.
    fn ask(&mut self, record: &Record, clock: Clock) -> Result<Point, BrainError> {
        let mut engine = match self.engine.take().filter(|engine| engine.plays(record)) {
            Some(engine) => engine,
            None => {
                let command = shell(&self.command);
                let program = Program::start_logged(command, &self.name, self.io_log.as_ref())?;
                let mut engine = Engine::start(program, record, clock)?;
                engine.tell_settings(&self.settings)?;
                engine
            }
        };
        let point = engine.ask(record, clock)?;
        self.engine = Some(engine);
        Ok(point)
    }
}

impl Brain for Piskvork {
    fn choose(&mut self, record: &Record, limit: Duration) -> Result<Play, BrainError> {
        self.check(record.position().ruleset())?;
        if let Some(play) = self.house.opening(record.position(), limit) {
            return Ok(play);
        }
        let clock = Clock { limit, until: Instant::now() + limit, game: self.game };
        match self.ask(record, clock) {
            // A crashed engine is restarted once; a hung one has used up the time.
            Err(BrainError::Gone(_)) if Instant::now() < clock.until => self.ask(record, clock),
            answer => answer,
        }
        .map(Play::Place)
    }

    fn check(&self, ruleset: &Ruleset) -> Result<(), BrainError> {
        ruleset.pairs_to_win.map_or(Ok(()), |_| Err(BrainError::NoCaptures))
    }

    fn configure(&mut self, settings: &Settings) -> Result<(), Unsupported> {
        self.settings = settings.clone();
        Ok(())
    }

    fn set_clock(&mut self, clock: GameClock) {
        self.game = Some(clock);
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn io_log(&mut self) -> Option<&mut Option<IoLog>> {
        Some(&mut self.io_log)
    }

    fn left_to_house(&self) -> u32 {
        self.house.openings()
    }
}

impl Engine {
    /// Prepares a program that has just been started.
    fn start(program: Program, record: &Record, clock: Clock) -> Result<Engine, BrainError> {
        let position = record.position();
        let size = position.board().size();
        let color = position.to_move();
        let mut engine =
            Engine { program, record: record.clone(), known: Vec::new(), color, turn: None };
        engine.program.say(&format!("START {size}\n"))?;
        engine.hear_ready(clock.until.min(Instant::now() + START_PATIENCE))?;
        let total = clock.game.map_or(0, |game| game.total.as_millis());
        engine.program.say(&format!(
            "INFO timeout_match {total}\nINFO max_memory {MEMORY_MAX}\nINFO game_type 1\nINFO rule {}\n",
            rule::bits(position.ruleset())
        ))?;
        if let Some(game) = clock.game.filter(|game| !game.increment.is_zero()) {
            let increment = game.increment.as_millis();
            engine.program.say(&format!("INFO time_increment {increment}\n"))?;
        }
        Ok(engine)
    }

    fn tell_settings(&mut self, settings: &Settings) -> Result<(), BrainError> {
        let nodes = settings.nodes.map(|nodes| format!("INFO max_node {nodes}\n"));
        let options = settings.options.iter().map(|(name, value)| format!("INFO {name} {value}\n"));
        let lines: String = nodes.into_iter().chain(options).collect();
        if lines.is_empty() { Ok(()) } else { self.program.say(&lines) }
    }

    /// Waits for the OK to START. Engines may say something else before it.
    fn hear_ready(&mut self, until: Instant) -> Result<(), BrainError> {
        let unready = |line: &str| BrainError::Unready(format!("to START it said {}", shown(line)));
        let mut last: Option<String> = None;
        loop {
            let line = match (self.program.hear(until), &last) {
                (Err(BrainError::Late), Some(said)) => return Err(unready(said)),
                (line, _) => line?,
            };
            match line.split_whitespace().next() {
                Some(word) if word.eq_ignore_ascii_case("ok") => return Ok(()),
                Some(word) if word.eq_ignore_ascii_case("error") => return Err(unready(&line)),
                Some(_) => last = Some(line),
                None => {}
            }
        }
    }

    /// True if this is the game it was started for.
    fn plays(&self, record: &Record) -> bool {
        super::goes_on(&self.record, record)
    }

    fn ask(&mut self, record: &Record, clock: Clock) -> Result<Point, BrainError> {
        let position = record.position();
        self.record = record.clone();
        self.tell_time(clock)?;
        self.tell_stones(record)?;
        let size = position.board().size();
        loop {
            let line = self.program.hear(clock.until)?;
            if is_aside(&line) {
                continue;
            }
            let point = read_point(&line, size);
            let point = point.ok_or_else(|| BrainError::Nonsense(shown(&line)))?;
            self.known.push((point, self.color));
            return Ok(point);
        }
    }

    fn tell_time(&mut self, clock: Clock) -> Result<(), BrainError> {
        // A little less than there is, for the network and engines that exceed their limit
        // slightly.
        let spare = (clock.limit / 10).min(Duration::from_millis(500));
        let left = clock.until.saturating_duration_since(Instant::now());
        let turn = (clock.limit - spare).min(left.saturating_sub(spare / 2));
        if self.turn != Some(turn) {
            self.program.say(&format!("INFO timeout_turn {}\n", turn.as_millis()))?;
            self.turn = Some(turn);
        }
        let left = match clock.game {
            Some(game) => game.left.saturating_sub(spare / 2).as_millis(),
            None => NO_CLOCK_MS.into(),
        };
        self.program.say(&format!("INFO time_left {left}\n"))
    }

    fn tell_stones(&mut self, record: &Record) -> Result<(), BrainError> {
        let position = record.position();
        let size = position.board().size();
        let color = position.to_move();
        let stones: Vec<(Point, Color)> = record.stones().collect();
        let text = match stones.split_last() {
            None => "BEGIN\n".to_owned(),
            Some((&(last, by), before))
                if before == self.known && by != color && color == self.color =>
            {
                format!("TURN {}\n", write_point(last, size))
            }
            _ => {
                let line = |&(point, by): &(Point, Color)| {
                    format!("{},{}\n", write_point(point, size), if by == color { 1 } else { 2 })
                };
                let lines: String = stones.iter().map(line).collect();
                format!("BOARD\n{lines}DONE\n")
            }
        };
        self.known = stones;
        self.color = color;
        self.program.say(&text)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Whether or not it listens, it is killed afterwards.
        let _ = self.program.say("END\n");
        self.program.hang_up();
        self.program.await_end();
    }
}

/// True for messages to people and for UNKNOWN.
fn is_aside(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or("");
    let asides = ["message", "debug", "error", "unknown", "ok", ""];
    asides.iter().any(|aside| word.eq_ignore_ascii_case(aside))
}
