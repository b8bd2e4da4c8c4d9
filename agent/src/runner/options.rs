//! Arguments of `renju match`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, value_parser};
use renju::{SIZE_MAX, SIZE_MIN};

use super::clock::{TimeControl, seconds};
use super::per_player::{EngineOption, PerPlayer};
use super::setup::{BOTS_MAX, ROUNDS_MAX};
use super::sprt::Sprt;

/// Long help of the subcommand.
pub const ABOUT: &str = "\
Play games between bots on this machine, without a server.

A bot is one of
  main.py               a Python file with a function get_move(board, color), as in CodeClash
  house:<level>         house bot, 0 to 6; house:2@7 has a seed
  engine:<ms>           our engine at full strength, with this many milliseconds per move
  piskvork:<command>    a program that speaks the Gomocup protocol
  exec:<command>        a program that reads a JSON view and answers with a JSON action

Two bots play a match. More than two play a league, each against each, or a --gauntlet, the first
against each other one; -r is then the number of games of two bots.

In every game both bots start anew, each program in its own process. A bot that plays an illegal
move, answers nonsense, exits, or thinks too long loses only that game. Bots that think by the clock
share the machine: with more of them than cores they play weaker.

Standard output is what CodeClash's engine prints: a line per game, then FINAL_RESULTS and the rounds
won. Elo differences, tests, forfeits and a progress bar go to standard error.";

/// Examples for the help page.
pub const EXAMPLES: &str = "\
Examples:
  $ renju match ada/main.py bob/main.py -r 100 -o logs
  $ renju match main.py house:2 --alternate --timeout 0.5
  $ renju match 'piskvork:./pbrain-ada' engine:500 --openings openings.txt --timeout 0.5 --sgf games
  $ renju match 'piskvork:./new' 'piskvork:./old' --openings openings.txt --shuffle --tc 60/5 \\
      --sprt elo0=0,elo1=10 --concurrency 4 --resume match.jsonl
  $ renju match house:1 house:2 house:3 house:4 -r 20 --json league.json
  $ renju match 'piskvork:./new' engine:1000 engine:2000 --gauntlet -r 100 --nodes 50000 \\
      --option 1:thread_num=2

--sprt also takes alpha=0.05 and beta=0.05, the probabilities of a wrong decision, and
model=normalized or model=logistic, the scale of elo0 and elo1.

--tc, --nodes and --option are for all bots, or for one if its number comes first: --tc 2:60/1.

A file of openings has one per line, h8i9g7, or Gomocup's offsets from the centre, 0,0, 1,-1, -1,1;
each is played twice with colours swapped. Without it colours are random; --seed repeats them.

docs/match.md explains all of this step by step.";

/// Arguments of `renju match`.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// First bot
    #[arg(value_name = "A")]
    pub one: String,
    /// Second bot
    #[arg(value_name = "B")]
    pub two: String,
    /// More bots, up to 64 in all
    #[arg(value_name = "C", num_args = 0..=BOTS_MAX - 2)]
    pub others: Vec<String>,
    /// Let the first bot play each other one, instead of each against each
    #[arg(long)]
    pub gauntlet: bool,
    /// Number of games of two bots [default: 10; every opening twice; 100000 with --sprt]
    #[arg(short, long, value_name = "GAMES", allow_negative_numbers = true)]
    #[arg(value_parser = value_parser!(u32).range(1..=i64::from(ROUNDS_MAX)))]
    pub rounds: Option<u32>,
    /// Side of the board [default: that of the ruleset]
    #[arg(short, long, value_name = "SIDE", allow_negative_numbers = true)]
    #[arg(value_parser = value_parser!(u8).range(i64::from(SIZE_MIN)..=i64::from(SIZE_MAX)))]
    pub board_size: Option<u8>,
    /// Write a JSON log of every game into this directory
    #[arg(short, long, value_name = "DIR", alias = "output-dir")]
    pub output: Option<PathBuf>,
    /// Time limit of a move in seconds, including the start of the bot, for bots without --tc
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    #[arg(default_value = "5", value_parser = seconds)]
    pub timeout: Duration,
    /// Time limits in seconds: of the game (0 is none), of a move, and an increment per move
    #[arg(long, value_name = "[N:]MATCH/TURN+INC", allow_hyphen_values = true)]
    pub tc: Vec<PerPlayer<TimeControl>>,
    /// Positions searched per move, for `engine:<ms>` and Gomocup engines that know `max_node`
    #[arg(long, value_name = "[N:]NODES", value_parser = nodes)]
    pub nodes: Vec<PerPlayer<u64>>,
    /// Send `INFO name value` to a Gomocup engine before each game
    #[arg(long, value_name = "[N:]NAME=VALUE")]
    pub option: Vec<PerPlayer<EngineOption>>,
    /// Let the bots start alternately instead of at random
    #[arg(long)]
    pub alternate: bool,
    /// Seed of the random choices, to repeat a match
    #[arg(long)]
    pub seed: Option<u64>,
    /// Ruleset [default: gomoku_exact5 if a bot is a Python file, renju_free otherwise]
    #[arg(long, value_name = "ID")]
    pub ruleset: Option<String>,
    /// Start from the openings in this file, each twice with colours swapped
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Take the openings in random order
    #[arg(long, requires = "openings")]
    pub shuffle: bool,
    /// Call a game drawn when this many stones have been placed
    #[arg(long, value_name = "STONES", value_parser = value_parser!(u16).range(1..=1_000))]
    pub draw_after: Option<u16>,
    /// Stop when it is decided if the first bot is stronger by elo0 (H0) or by elo1 (H1)
    #[arg(long, value_name = "elo0=0,elo1=10")]
    pub sprt: Option<Sprt>,
    /// Number of games to play at once
    #[arg(long, value_name = "GAMES", allow_negative_numbers = true)]
    #[arg(default_value_t = 1, value_parser = value_parser!(u32).range(1..=256))]
    pub concurrency: u32,
    /// Write every game as SGF into this directory
    #[arg(long, value_name = "DIR")]
    pub sgf: Option<PathBuf>,
    /// Keep finished games in this file; if it has some, continue after them
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
    /// Write results and statistics as JSON; - is standard output, instead of the usual text
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

fn nodes(text: &str) -> Result<PerPlayer<u64>, String> {
    let nodes: PerPlayer<u64> = text.parse()?;
    match nodes.value {
        0 => Err("a search has at least one position".to_owned()),
        _ => Ok(nodes),
    }
}
