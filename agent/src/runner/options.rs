//! Arguments of `renju match`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, value_parser};

/// Long help of the subcommand.
pub const ABOUT: &str = "\
Play games between two bots on this machine, without a server.

A bot is one of
  main.py               a Python file with a function get_move(board, color), as in CodeClash
  house:<level>         house bot, 0 to 6; house:2@7 has a seed
  engine:<ms>           our engine at full strength, with this many milliseconds per move
  piskvork:<command>    a program that speaks the Gomocup protocol
  exec:<command>        a program that reads a JSON view and answers with a JSON action

Every game starts both bots anew, each program in its own process. A bot that plays an illegal move,
answers nonsense, exits, or thinks longer than --timeout loses only that game. Bots that think by the
clock share the machine: with more of them than cores they play weaker.

Standard output is what CodeClash's engine prints: a line per game, then FINAL_RESULTS and the rounds
won. The Elo difference and a progress bar go to standard error.";

/// Examples for the help page.
pub const EXAMPLES: &str = "\
Examples:
  $ renju match ada/main.py bob/main.py -r 100 -o logs
  $ renju match main.py house:2 --alternate --timeout 0.5
  $ renju match 'piskvork:./pbrain-ada' engine:500 --openings openings.txt --timeout 0.5 --sgf games
  $ renju match house:4 house:3 --openings openings.txt --concurrency 4

A file of openings has one per line, h8i9g7; each is played twice with colours swapped. Without it
colours are random; --seed repeats them.";

/// Arguments of `renju match`.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// First bot
    #[arg(value_name = "A")]
    pub one: String,
    /// Second bot
    #[arg(value_name = "B")]
    pub two: String,
    /// Number of games [default: 10, or every opening twice]
    #[arg(short, long, value_name = "GAMES", allow_negative_numbers = true)]
    #[arg(value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub rounds: Option<u32>,
    /// Side of the board [default: that of the ruleset]
    #[arg(short, long, value_name = "SIDE", allow_negative_numbers = true)]
    #[arg(value_parser = value_parser!(u8).range(5..=19))]
    pub board_size: Option<u8>,
    /// Write a JSON log of every game into this directory
    #[arg(short, long, value_name = "DIR", alias = "output-dir")]
    pub output: Option<PathBuf>,
    /// Time limit of a move in seconds, including the start of the bot
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    #[arg(default_value = "5", value_parser = seconds)]
    pub timeout: Duration,
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
    /// Number of games to play at once
    #[arg(long, value_name = "GAMES", allow_negative_numbers = true)]
    #[arg(default_value_t = 1, value_parser = value_parser!(u32).range(1..=256))]
    pub concurrency: u32,
    /// Write every game as SGF into this directory
    #[arg(long, value_name = "DIR")]
    pub sgf: Option<PathBuf>,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    if (0.001..=86_400.0).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err("a bot may think from 0.001 to 86400 seconds".to_owned())
    }
}
