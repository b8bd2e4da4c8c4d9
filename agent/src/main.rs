//! The `renju` tool: reads its arguments, calls the library, sets the exit code.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Arg, CommandFactory, Parser, Subcommand};
use renju_agent::{
    INTERRUPTED, Stop, agent, analyze, bench, check, gomocup, manual, runner, solve,
};

/// Tools for authors of Renju agents: play rated games, match bots, query the referee and the
/// engine.
#[derive(Parser)]
#[command(
    name = "renju",
    version,
    after_help = "Start with `renju agent --help` or `renju match --help`."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play rated games in an arena
    #[command(subcommand, long_about = agent::ABOUT, after_help = agent::EXAMPLES)]
    Agent(Agent),
    /// Play games between bots on this machine
    #[command(long_about = runner::ABOUT, after_help = runner::EXAMPLES)]
    #[command(mut_arg("ruleset", with_rulesets))]
    Match(Box<runner::Options>),
    /// Run our engine as a Gomocup program
    #[command(long_about = gomocup::ABOUT, after_help = gomocup::EXAMPLES)]
    Engine(gomocup::Options),
    /// Find wins by continuous fours, or by threes and fours
    #[command(long_about = solve::ABOUT, after_help = solve::EXAMPLES)]
    Solve(solve::Options),
    /// Review a game: scores, best moves, mistakes
    #[command(long_about = analyze::ABOUT, after_help = analyze::EXAMPLES)]
    Analyze(analyze::Options),
    /// Query the referee: one JSON object per line in, one per line out
    #[command(long_about = check::ABOUT, after_help = check::EXAMPLES)]
    Check,
    /// Measure the rules on this machine
    #[command(subcommand)]
    Bench(Bench),
    /// Print completions for a shell
    #[command(after_help = manual::COMPLETIONS)]
    Completions {
        /// Shell to complete commands in
        shell: manual::Shell,
    },
    /// Print a manual page
    #[command(after_help = manual::MAN)]
    Man {
        /// Command to print the page of, such as agent daemon [default: the tool]
        command: Vec<String>,
    },
}

#[derive(Subcommand)]
enum Agent {
    /// Play game after game
    #[command(long_about = agent::ABOUT, after_help = agent::EXAMPLES)]
    #[command(mut_arg("ruleset", with_rulesets))]
    Daemon {
        #[command(flatten)]
        options: Option<agent::Options>,
        #[command(flatten)]
        limit: agent::Limit,
        /// Run the agents of this TOML file, each [[agent]] with options as its keys
        #[arg(long, value_name = "FILE", exclusive = true)]
        config: Option<PathBuf>,
    },
    /// Find a game, act whenever it is our turn within a minute, exit: for cron
    #[command(long_about = agent::ABOUT, after_help = agent::EXAMPLES)]
    #[command(mut_arg("ruleset", with_rulesets))]
    Cron(agent::CronOptions),
    /// Like cron, but exit after one decision
    #[command(long_about = agent::ABOUT, after_help = agent::EXAMPLES)]
    #[command(mut_arg("ruleset", with_rulesets))]
    Once(agent::Options),
}

#[derive(Subcommand)]
enum Bench {
    /// Measure the classification of whole boards
    #[command(long_about = bench::ABOUT, after_help = bench::EXAMPLES)]
    Fouls {
        /// JSON lines with a `board` or a `p` each; gzipped if the name ends in .gz
        file: PathBuf,
    },
}

/// Adds the list of rulesets to the help of an argument.
fn with_rulesets(argument: Arg) -> Arg {
    let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
    argument.long_help(format!("{help}\n\n{}", agent::rulesets()))
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    // Not locked: several agents write their logs from threads of their own.
    let output = BufWriter::new(io::stdout());
    match arguments.command {
        Command::Check => exit_code(check::run(io::stdin().lock(), output).map(|bad| bad == 0)),
        Command::Agent(Agent::Daemon { config: Some(file), .. }) => {
            play_rated(|stop| agent::daemons(&file, stop))
        }
        Command::Agent(Agent::Daemon { options, limit, config: None }) => {
            let options = options.expect("--name is required without --config");
            let options = agent::DaemonOptions { options, limit };
            play_rated(|stop| agent::daemon(&options, stop))
        }
        Command::Agent(Agent::Cron(options)) => play_rated(|stop| agent::cron(&options, stop)),
        Command::Agent(Agent::Once(options)) => play_rated(|stop| agent::once(&options, stop)),
        Command::Engine(options) => {
            exit_code(gomocup::run(&options, io::stdin(), output).map(|()| true))
        }
        Command::Solve(options) => solve(&options, output),
        Command::Analyze(options) => match analyze::run(&options, io::stdin().lock(), output) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => fail(&error),
        },
        Command::Match(options) => play_match(&options, output),
        Command::Completions { shell } => {
            exit_code(manual::completions(Arguments::command(), shell, output).map(|()| true))
        }
        Command::Man { command } => match manual::page(Arguments::command(), &command) {
            Ok(page) => exit_code(manual::write(&page, output).map(|()| true)),
            Err(error) => fail(&error),
        },
        Command::Bench(Bench::Fouls { file }) => match bench::fouls(&file) {
            Ok(figures) => exit_code(write_line(output, &figures.to_string()).map(|()| true)),
            Err(error) => fail(&error),
        },
    }
}

fn play_rated(play: impl FnOnce(&Stop) -> Result<(), agent::AgentError>) -> ExitCode {
    let stop = Stop::default();
    if let Err(error) = stop.on_ctrl_c() {
        return fail(&error);
    }
    match play(&stop) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error),
    }
}

fn solve(options: &solve::Options, output: impl Write) -> ExitCode {
    let done = solve::run(options, io::stdin().lock(), output);
    exit_code(done.map(|summary| {
        let _ = writeln!(io::stderr(), "{summary}");
        summary.bad == 0
    }))
}

fn play_match(options: &runner::Options, output: impl Write) -> ExitCode {
    let setup = match runner::Setup::new(options) {
        Ok(setup) => setup,
        Err(error) => return fail(&error),
    };
    let stop = Stop::default();
    if let Err(error) = stop.on_ctrl_c() {
        return fail(&error);
    }
    match runner::run(&setup, output, &stop) {
        Ok(()) if stop.is_raised() => ExitCode::from(INTERRUPTED),
        played => exit_code(played.map(|()| true)),
    }
}

fn write_line(mut output: impl Write, line: &str) -> io::Result<()> {
    writeln!(output, "{line}")?;
    output.flush()
}

/// A reader that stops early, like `head`, is not an error.
fn exit_code(done: io::Result<bool>) -> ExitCode {
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => fail(&error),
    }
}

fn fail(error: &dyn std::error::Error) -> ExitCode {
    // Nothing can be reported if the error stream is closed.
    let _ = writeln!(io::stderr(), "renju: {error}");
    ExitCode::FAILURE
}
