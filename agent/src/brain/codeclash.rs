//! `codeclash:<main.py>`: a Python file with a function `get_move(board, color)`.
//!
//! `board[row][col]` is 0 for an empty point, 1 for Black, 2 for White; row 0 is rank 1 and column
//! 0 is a, so a1 is `(0, 0)` and a2 is `(1, 0)`. `color` is `"black"` or `"white"`. Three more
//! functions are optional; if one is missing or returns `None`, the house decides:
//!
//! - `choose_swap(board, color)`: returns true to swap; `color` is the bot's current colour
//! - `offer_ten(board, count)`: returns `count` pairs `(row, col)`
//! - `choose_fifth(board, candidates)`: one of the `(row, col)` offered
//!
//! The bot runs in its own process, one per game. A driver calls it and answers over pipes that the
//! bot cannot reach. The processes of all games of a [`CodeClash`] are forked from one Python, which
//! has not run any code of the bot.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use renju::{Offer, Phase, Play, Point, Position, Record};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::house::House;
use super::program::Program;
use super::{Brain, BrainError, goes_on, grid};
use crate::lines::shown;

const DRIVER: &str = include_str!("codeclash/driver.py");

/// Environment variable that names another Python than the one on the path.
const PYTHON: &str = "RENJU_PYTHON";

/// Time for a bot to leave a game that is over.
const END_PATIENCE: Duration = Duration::from_secs(1);

/// A bot, loaded anew for each game and after each failure to answer.
pub(super) struct CodeClash {
    name: String,
    file: PathBuf,
    house: House,
    /// Between games.
    idle: Option<Program>,
    /// In a game.
    bot: Option<Bot>,
}

struct Bot {
    program: Program,
    /// The game at the last question.
    record: Record,
    hooks: Vec<String>,
    asked: u64,
}

/// Failure of a Python bot.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum PythonError {
    /// The file cannot be loaded.
    Load { file: String, exception: String, text: String },
    /// A function raised an exception.
    Raised { call: String, exception: String, text: String },
    /// A function returned something of the wrong form.
    Format {
        call: String,
        /// Python's `repr` of it.
        value: String,
        /// Python's `str` of it.
        text: String,
        wanted: String,
    },
    /// A move beside the board.
    #[serde(skip)]
    OffBoard { row: String, column: String },
}

#[derive(Serialize)]
struct Question<'a> {
    id: u64,
    call: &'a str,
    arguments: [Value; 2],
}

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    id: u64,
    #[serde(default)]
    hooks: Vec<String>,
    #[serde(default)]
    value: Value,
    error: Option<PythonError>,
    group: Option<i32>,
    #[serde(default)]
    over: bool,
}

impl CodeClash {
    pub(super) fn open(file: &str) -> Result<CodeClash, BrainError> {
        let file = PathBuf::from(file);
        if !file.is_file() {
            return Err(BrainError::Unknown(format!("{} is not a file", file.display())));
        }
        Ok(CodeClash {
            name: format!("codeclash:{}", file.file_name().unwrap_or_default().to_string_lossy()),
            file,
            house: House::stand_in(),
            idle: None,
            bot: None,
        })
    }

    /// Ends the game, if there is one, and keeps the Python that it was forked from.
    fn end_game(&mut self) {
        if let Some(bot) = self.bot.take() {
            self.idle = bot.leave();
        }
    }

    fn start_game(&mut self, record: &Record, until: Instant) -> Result<Bot, BrainError> {
        let program = match self.idle.take() {
            Some(program) => program,
            None => start(&self.file, &self.name)?,
        };
        Bot::join(program, record, until)
    }

    fn ask(
        &mut self,
        bot: &mut Bot,
        position: &Position,
        until: Instant,
    ) -> Result<Play, BrainError> {
        let board = json!(grid(position.board()));
        let size = position.board().size();
        let asked = match position.phase() {
            Phase::Play => {
                let value =
                    bot.call("get_move", [board, json!(position.to_move().to_string())], until)?;
                return Ok(Play::Place(read_point(&value, size)?));
            }
            Phase::Swap | Phase::SwapOrPutTwo if bot.has("choose_swap") => {
                let color = position.to_act().map(|seat| position.color_of(seat).to_string());
                match bot.call("choose_swap", [board, json!(color)], until)? {
                    Value::Bool(true) => Some(Play::Swap),
                    Value::Bool(false) => Some(Play::Keep),
                    Value::String(_) => Some(Play::PutTwo),
                    _ => None,
                }
            }
            Phase::Fifth { count, .. } | Phase::Offer { count } if bot.has("offer_ten") => {
                match bot.call("offer_ten", [board, json!(count)], until)? {
                    Value::Array(points) => Some(read_offer(&points, size)?),
                    _ => None,
                }
            }
            Phase::Choose(offer) if bot.has("choose_fifth") => {
                let offered: Vec<_> =
                    offer.points().iter().map(|point| (point.y(), point.x())).collect();
                match bot.call("choose_fifth", [board, json!(offered)], until)? {
                    Value::Null => None,
                    value => Some(Play::Place(read_point(&value, size)?)),
                }
            }
            _ => None,
        };
        let over = || BrainError::Gone("the game is over".to_owned());
        let left = until.saturating_duration_since(Instant::now());
        asked.or_else(|| self.house.opening(position, left)).ok_or_else(over)
    }
}

impl Brain for CodeClash {
    fn choose(&mut self, record: &Record, limit: Duration) -> Result<Play, BrainError> {
        let until = Instant::now() + limit;
        if self.bot.as_ref().is_some_and(|bot| !goes_on(&bot.record, record)) {
            self.end_game();
        }
        let mut bot = match self.bot.take() {
            Some(bot) => bot,
            None => self.start_game(record, until)?,
        };
        bot.record = record.clone();
        let answer = self.ask(&mut bot, record.position(), until);
        // A bot that raised an exception or returned nonsense is still running; any other is not.
        if matches!(answer, Ok(_) | Err(BrainError::Nonsense(_) | BrainError::Python(_))) {
            self.bot = Some(bot);
        }
        answer
    }

    fn renew(&mut self) -> bool {
        self.end_game();
        true
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn left_to_house(&self) -> u32 {
        self.house.openings()
    }
}

/// Starts Python without the bot.
fn start(file: &Path, name: &str) -> Result<Program, BrainError> {
    let python = std::env::var_os(PYTHON).unwrap_or_else(|| "python3".into());
    let mut command = Command::new(python);
    // Unbuffered, and without a `__pycache__` next to the bot.
    command.args(["-B", "-u", "-c", DRIVER]).arg(file);
    Program::start(command, name)
}

impl Bot {
    /// Loads the bot in a new process for the game.
    fn join(program: Program, record: &Record, until: Instant) -> Result<Bot, BrainError> {
        let mut bot = Bot { program, record: record.clone(), hooks: Vec::new(), asked: 0 };
        bot.program.say("game\n")?;
        let forked = bot.hear(until)?;
        bot.program.adopt(forked.group);
        bot.program.say("load\n")?;
        let ready = bot.hear(until)?;
        if let Some(error) = ready.error {
            return Err(BrainError::Python(error));
        }
        bot.hooks = ready.hooks;
        Ok(bot)
    }

    /// Ends the process of the game. `None` if Python cannot play another one.
    fn leave(mut self) -> Option<Program> {
        self.program.say("over\n").ok()?;
        let left = self.hear(Instant::now() + END_PATIENCE).ok()?;
        if !left.over {
            return None;
        }
        self.program.adopt(None);
        Some(self.program)
    }

    fn has(&self, hook: &str) -> bool {
        self.hooks.iter().any(|name| name == hook)
    }

    fn call(
        &mut self,
        call: &str,
        arguments: [Value; 2],
        until: Instant,
    ) -> Result<Value, BrainError> {
        self.asked += 1;
        let question = serde_json::to_string(&Question { id: self.asked, call, arguments });
        let question = question.map_err(|error| BrainError::Gone(error.to_string()))?;
        self.program.say(&format!("{question}\n"))?;
        let answer = self.hear(until)?;
        match answer.error {
            Some(error) => Err(BrainError::Python(error)),
            None if answer.id != self.asked => Err(BrainError::Gone("it lost count".to_owned())),
            None => Ok(answer.value),
        }
    }

    fn hear(&mut self, until: Instant) -> Result<Answer, BrainError> {
        let line = self.program.hear(until)?;
        serde_json::from_str(&line)
            .map_err(|_| BrainError::Gone(format!("the driver said {}", shown(&line))))
    }
}

fn read_point(value: &Value, size: u8) -> Result<Point, BrainError> {
    let coordinate = |n: usize| u8::try_from(value.get(n)?.as_i64()?).ok();
    let point = coordinate(0).zip(coordinate(1)).and_then(|(row, col)| Point::new(col, row));
    point.filter(|point| point.is_on(size)).ok_or_else(|| {
        let text = |n: usize| value.get(n).map(Value::to_string).unwrap_or_default();
        BrainError::Python(PythonError::OffBoard { row: text(0), column: text(1) })
    })
}

fn read_offer(points: &[Value], size: u8) -> Result<Play, BrainError> {
    let points: Result<Vec<Point>, BrainError> =
        points.iter().map(|value| read_point(value, size)).collect();
    let offer = Offer::new(&points?).map_err(|why| BrainError::Nonsense(why.to_string()))?;
    Ok(Play::Offer(offer))
}

impl fmt::Display for PythonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The first line of what the exception says, unless it is the name itself.
        let named = |exception: &str, text: &str| {
            let line = text.lines().next().unwrap_or_default();
            match line.strip_prefix(exception) {
                Some(_) => shown(line),
                None if line.is_empty() => shown(exception),
                None => shown(&format!("{exception}: {line}")),
            }
        };
        match self {
            PythonError::Load { file, exception, text } => {
                write!(f, "{file} cannot be loaded: {}", named(exception, text))
            }
            PythonError::Raised { call, exception, text } => {
                write!(f, "{call} raised {}", named(exception, text))
            }
            PythonError::Format { call, value, wanted, .. } => {
                write!(f, "{call} returned {}, not {wanted}", shown(value))
            }
            PythonError::OffBoard { row, column } => {
                write!(f, "({row}, {column}) is not on the board")
            }
        }
    }
}

impl std::error::Error for PythonError {}
