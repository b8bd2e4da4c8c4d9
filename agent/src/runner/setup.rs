//! A match with checked arguments.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use renju::notation::{NotationError, moves};
use renju::{Play, Record, Ruleset, UnknownRuleset, UnknownSize};

use super::options::Options;
use super::player::{Bot, Player};
use crate::brain::{self, BrainError, Random};

const ROUNDS: u32 = 10;

/// A match that can be played.
#[derive(Clone, Debug)]
pub struct Setup {
    one: Bot,
    two: Bot,
    /// Start of every game without openings.
    empty: Record,
    openings: Vec<Record>,
    alternate: bool,
    seed: u64,
    seed_given: bool,
    pub(super) rounds: u32,
    pub(super) concurrency: u32,
    pub(super) timeout: Duration,
    pub(super) output: Option<PathBuf>,
    pub(super) sgf: Option<PathBuf>,
}

/// One game to play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Pairing {
    /// Number, from one.
    pub(super) number: u32,
    /// Player in the first seat.
    pub(super) first: Player,
    /// Start of the game.
    pub(super) start: Record,
}

impl Setup {
    /// Checks the arguments. Starts no bot.
    pub fn new(options: &Options) -> Result<Setup, BadMatch> {
        let (one, two) = (bot(&options.one)?, bot(&options.two)?);
        let python = [&one, &two].iter().any(|bot| bot.python().is_some());
        let default = if python { "gomoku_exact5" } else { "renju_free" };
        let ruleset = Ruleset::find(options.ruleset.as_deref().unwrap_or(default))?;
        let empty = Record::sized(ruleset, options.board_size.unwrap_or(ruleset.size))?;
        let openings = match &options.openings {
            Some(path) => read_openings(path, &empty)?,
            None => Vec::new(),
        };
        let twice = u32::try_from(2 * openings.len()).unwrap_or(u32::MAX);
        let rounds = options.rounds.unwrap_or(if openings.is_empty() { ROUNDS } else { twice });
        Ok(Setup {
            one,
            two,
            empty,
            alternate: options.alternate || !openings.is_empty(),
            seed: options.seed.unwrap_or_else(|| u64::from(Random::new().next() as u32)),
            seed_given: options.seed.is_some(),
            openings,
            rounds,
            concurrency: options.concurrency,
            timeout: options.timeout,
            output: options.output.clone(),
            sgf: options.sgf.clone(),
        })
    }

    /// Seed of this match, if it matters and was not given.
    pub(super) fn news_of_seed(&self) -> Option<u64> {
        let lots = !self.alternate || self.one.is_house() || self.two.is_house();
        (lots && !self.seed_given).then_some(self.seed)
    }

    /// Specification for [`brain::open`]. A house player gets a different seed in every game, so
    /// that games differ and the match can be repeated.
    pub(super) fn spec(&self, player: Player, number: u32) -> String {
        let bot = self.bot(player);
        if bot.is_house() && !bot.spec.contains('@') {
            let of_game = mix(self.seed, number);
            format!("{}@{}", bot.spec, mix(of_game, 1 + player as u32))
        } else {
            bot.spec.clone()
        }
    }

    pub(super) fn bot(&self, player: Player) -> &Bot {
        match player {
            Player::One => &self.one,
            Player::Two => &self.two,
        }
    }

    /// The game with this number, from one. It depends only on the arguments and the seed.
    pub(super) fn pairing(&self, number: u32) -> Pairing {
        let index = number as usize - 1;
        let one_first =
            if self.alternate { index.is_multiple_of(2) } else { mix(self.seed, number) & 1 == 0 };
        let first = if one_first { Player::One } else { Player::Two };
        let opening = self.openings.get(index / 2 % self.openings.len().max(1));
        Pairing { number, first, start: opening.unwrap_or(&self.empty).clone() }
    }
}

fn bot(given: &str) -> Result<Bot, BadMatch> {
    let bot = Bot::new(given);
    if let Some(path) = bot.python().filter(|path| !path.is_file()) {
        return Err(BadMatch::NoFile(path.to_owned()));
    }
    match brain::open(&bot.spec) {
        Ok(_) => Ok(bot),
        Err(why) => Err(BadMatch::Bot { given: given.to_owned(), why }),
    }
}

/// Reads the openings of a file, one per line; skips empty lines and those that begin with `#`.
fn read_openings(path: &Path, empty: &Record) -> Result<Vec<Record>, BadMatch> {
    let text = fs::read_to_string(path)
        .map_err(|why| BadMatch::Unreadable { path: path.to_owned(), why })?;
    // Some editors put a byte order mark before the first line.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim_end()));
    let openings: Vec<Record> = lines
        .filter(|(_, line)| !line.is_empty() && !line.trim_start().starts_with('#'))
        .map(|(line, moves)| {
            read_opening(moves, empty).map_err(|why| BadMatch::Opening {
                path: path.to_owned(),
                line,
                why,
            })
        })
        .collect::<Result<_, _>>()?;
    if openings.is_empty() {
        return Err(BadMatch::NoOpening(path.to_owned()));
    }
    Ok(openings)
}

fn read_opening(text: &str, empty: &Record) -> Result<Record, String> {
    let mut record = empty.clone();
    let points = moves::read(text).map_err(|why| match why {
        // The text is one line of a file.
        NotationError::Unreadable { place, found, wanted } => {
            format!("column {}: {found:?} is not {wanted}", place.column)
        }
        why => why.to_string(),
    })?;
    for point in points {
        record.play(Play::Place(point)).map_err(|why| format!("{point}: {why}"))?;
    }
    match record.position().outcome() {
        Some(outcome) => Err(format!("the game is over after the opening ({})", outcome.by)),
        None => Ok(record),
    }
}

/// Random bits per number, the same for the same seed.
fn mix(seed: u64, number: u32) -> u64 {
    Random::seeded(Random::seeded(seed).next() ^ u64::from(number)).next()
}

/// Reason a match cannot be played.
#[derive(Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum BadMatch {
    /// Not a bot.
    Bot {
        given: String,
        why: BrainError,
    },
    NoFile(PathBuf),
    Ruleset(UnknownRuleset),
    Size(UnknownSize),
    Unreadable {
        path: PathBuf,
        why: io::Error,
    },
    /// An opening that cannot be played.
    Opening {
        path: PathBuf,
        /// Line number from one.
        line: usize,
        why: String,
    },
    /// A file of openings without one.
    NoOpening(PathBuf),
}

impl From<UnknownRuleset> for BadMatch {
    fn from(why: UnknownRuleset) -> BadMatch {
        BadMatch::Ruleset(why)
    }
}

impl From<UnknownSize> for BadMatch {
    fn from(why: UnknownSize) -> BadMatch {
        BadMatch::Size(why)
    }
}

impl fmt::Display for BadMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadMatch::Bot { why: why @ BrainError::Unknown(_), .. } => why.fmt(f),
            BadMatch::Bot { given, why } => write!(f, "{given}: {why}"),
            BadMatch::NoFile(path) => write!(f, "no such file: {}", path.display()),
            BadMatch::Ruleset(why) => why.fmt(f),
            BadMatch::Size(why) => why.fmt(f),
            BadMatch::Unreadable { path, why } => write!(f, "{}: {why}", path.display()),
            BadMatch::Opening { path, line, why } => {
                write!(f, "{}, line {line}: {why}", path.display())
            }
            BadMatch::NoOpening(path) => write!(f, "{} has no opening", path.display()),
        }
    }
}

impl std::error::Error for BadMatch {}

#[cfg(test)]
mod tests {
    use super::*;

    fn opening(id: &str, size: u8, text: &str) -> Result<String, String> {
        let empty = Record::sized(Ruleset::find(id).unwrap(), size).unwrap();
        read_opening(text, &empty).map(|record| record.to_string())
    }

    #[test]
    fn lots_are_fair_and_differ_by_seed() {
        for seed in [0, 1, 42, u64::MAX] {
            let ones = (1..=1_000).filter(|&number| mix(seed, number) & 1 == 0).count();
            assert!((450..=550).contains(&ones), "{seed}: {ones}");
        }
        let draw = |seed| (1..=64).map(|number| mix(seed, number) & 1).collect::<Vec<_>>();
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
    }

    #[test]
    fn an_opening_is_played_by_the_rules() {
        assert_eq!(opening("renju_free", 15, "h8i9g7"), Ok("h8 i9 g7".to_owned()));
        for (id, size, text, wanted) in [
            ("gomoku_exact5", 9, "h8j1", "j1: j1 is not on a 9×9 board"),
            ("gomoku_exact5", 15, "h8h8", "h8: h8 is occupied"),
            ("gomoku_exact5", 15, "h8h", "column 3: \"h\" is not a point such as h8"),
            (
                "gomoku_exact5",
                15,
                "a1a2b1b2c1c2d1d2e1",
                "the game is over after the opening (five)",
            ),
        ] {
            assert_eq!(opening(id, size, text), Err(wanted.to_owned()));
        }
        assert!(opening("renju_taraguchi10_rif", 15, "h8i9").is_err());
    }
}
