//! Arguments of `renju agent`.

use std::path::PathBuf;
use std::time::Duration;

use arena::{AgentName, HouseLevel, Opponent, Pool};
use clap::{Args, ValueEnum};
use renju::Ruleset;

use super::journal::Log;

/// Long help of the subcommand.
pub const ABOUT: &str = "\
Play rated games in an arena.

The first run registers the name and stores the key in ~/.config/renju (RENJU_API_KEY overrides
it). The agent keeps no other state: kill it at any moment, start it again, and it continues the game.
HTTPS trusts the usual CA certificates, or those in the file that SSL_CERT_FILE names.

A brain is one of
  house:<level>         house bot: 0 random, 1 wins and blocks, 2 weighs lines, 3 to 6 search ever
                        deeper
  engine:<ms>           our engine at full strength, with this many milliseconds per decision
  piskvork:<command>    a program that speaks the Gomocup protocol
  codeclash:<main.py>   a Python file with a function get_move(board, color)
  jsonl:<command>       a program that reads a line of JSON and writes a line of JSON per decision
  exec:<command>        the same, but the program is started for each decision

docs/brains.md in the repository describes the JSON, with examples in Python and JavaScript.

Programs run with the rights of this user. The tool makes swaps, offers and choices for brains that
cannot. Every stone after the opening is the brain's, a foul too. If a brain fails (an illegal move, no
answer in time, a crash), the game is resigned: games are rated, and a move by anyone else would make the
rating wrong. --on-failure changes that. The log says who made each decision: brain, opening or fallback.";

/// Examples for the help page.
pub const EXAMPLES: &str = "\
Examples:
  $ renju agent daemon --name ada --brain codeclash:main.py
  $ renju agent daemon --name ada --brain 'piskvork:./pbrain-ada' --ruleset renju_free --games 10
  $ renju agent daemon --config agents.toml
  */3 * * * * renju agent cron --name ada --brain 'exec:./think.sh' --pool slow";

/// Arguments of `renju agent`.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// Address of the arena
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    pub server: String,
    /// Name of the agent: 3 to 32 of a-z, 0-9, _ and -
    #[arg(long)]
    pub name: AgentName,
    /// Program that chooses the moves: house:LEVEL, engine:MS, piskvork:COMMAND, codeclash:FILE.py,
    /// jsonl:COMMAND, exec:COMMAND
    #[arg(long, default_value = "house:2")]
    pub brain: String,
    /// Ruleset to queue for
    #[arg(long, default_value = Ruleset::ALL[0].id, value_parser = Ruleset::find)]
    pub ruleset: &'static Ruleset,
    /// Pool to queue in: fast, standard or slow
    #[arg(long, default_value = Pool::Standard.id(), value_parser = read_pool)]
    pub pool: Pool,
    /// Opponent: anyone (a house bot if no agent comes), agents only, or house:LEVEL at once
    #[arg(long, value_name = "OPPONENT", default_value = "anyone", value_parser = read_opponent)]
    pub opponent: Opponent,
    /// Time limit for a decision, in seconds [default: nearly the whole turn; in `cron` and
    /// `once` at most the time of a run]
    #[arg(long, value_name = "SECONDS", value_parser = read_seconds)]
    pub think: Option<Duration>,
    /// Reaction to a failure of the brain: an illegal move, no answer in time, a crash
    #[arg(long, value_enum, value_name = "REACTION", default_value_t = OnFailure::Resign)]
    pub on_failure: OnFailure,
    /// Stop after so many failures of the brain; a game without one resets the count
    #[arg(long, value_name = "N", default_value_t = 3)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub max_failures: u32,
    /// Append every line to and from the brain's program to this file, with its time
    #[arg(long, value_name = "FILE")]
    pub io_log: Option<PathBuf>,
    /// Format of the log on standard output
    #[arg(long, value_enum, default_value_t = Log::Text)]
    pub log: Log,
}

/// Arguments of `renju agent daemon`.
#[derive(Args, Clone, Debug)]
pub struct DaemonOptions {
    /// Options of every mode.
    #[command(flatten)]
    pub options: Options,
    /// Options of this mode.
    #[command(flatten)]
    pub limit: Limit,
}

/// End of a daemon.
#[derive(Args, Clone, Copy, Debug)]
pub struct Limit {
    /// Stop after this many games [default: never]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub games: Option<u32>,
}

/// Arguments of `renju agent cron`.
#[derive(Args, Clone, Debug)]
pub struct CronOptions {
    /// Options of every mode.
    #[command(flatten)]
    pub options: Options,
    /// Time to play, in seconds; no decision begins later
    #[arg(long = "for", value_name = "SECONDS", default_value = "60", value_parser = read_seconds)]
    pub time: Duration,
}

/// Reaction to a failure of the brain.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum OnFailure {
    /// Resign the game, so that the rating is that of the brain
    Resign,
    /// Let a house bot of level 4 make this decision, and those where the brain would play a foul
    Fallback,
    /// Exit at once and leave the game to its clock; start again to continue it
    Exit,
}

/// List of the rulesets, for help pages.
pub fn rulesets() -> String {
    let line = |ruleset: &Ruleset| format!("  {}: {}", ruleset.id, ruleset.title);
    let lines: Vec<String> = Ruleset::ALL.iter().map(line).collect();
    format!("Rulesets:\n{}", lines.join("\n"))
}

fn read_pool(text: &str) -> Result<Pool, String> {
    text.parse().map_err(|_| "pools are fast, standard and slow".to_owned())
}

fn read_opponent(text: &str) -> Result<Opponent, String> {
    let level = text.strip_prefix("house:").and_then(|level| level.parse().ok());
    match (text, level.and_then(HouseLevel::new)) {
        ("anyone", _) => Ok(Opponent::Anyone),
        ("agents", _) => Ok(Opponent::Agents),
        (_, Some(level)) => Ok(Opponent::House(level)),
        _ => Err("opponents are anyone, agents and house:0 to house:6".to_owned()),
    }
}

fn read_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| *seconds > 0.0);
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "expected a number of seconds, such as 2.5".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_opponent_is_anyone_an_agent_or_a_house_bot_of_a_level_there_is() {
        assert_eq!(read_opponent("anyone"), Ok(Opponent::Anyone));
        assert_eq!(read_opponent("agents"), Ok(Opponent::Agents));
        for level in 0..=6 {
            let house = HouseLevel::new(level).map(Opponent::House);
            assert_eq!(read_opponent(&format!("house:{level}")).ok(), house);
            assert!(house.is_some());
        }
        for text in ["", "house", "house:", "house:7", "house:-1", "house:x", "Anyone", "agents "] {
            let why = read_opponent(text).unwrap_err();
            assert_eq!(why, "opponents are anyone, agents and house:0 to house:6", "{text:?}");
        }
    }
}
