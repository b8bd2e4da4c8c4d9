//! `arena-admin`: operators' commands. It decides nothing: a command is a use case of
//! `arena-protocol`, so it can be given while agents play.

mod agent;
mod error;
mod game;
mod place;
mod tables;

use std::io::{self, Write};
use std::process::ExitCode;

use arena::{AgentName, GameId};
use clap::{Parser, Subcommand};

use crate::error::Error;
use crate::place::Place;

/// Operators' commands for an arena on AWS, on an emulator or in a data directory
#[derive(Parser)]
#[command(
    name = "arena-admin",
    version,
    after_help = "\
Without --stage and --data, tables are those of ARENA_AGENTS_TABLE and ARENA_GAMES_TABLE, which also win over
those of the stage. Credentials and region are those of the aws command. Exit status 1 means that the command
was declined or failed, or that the audit found violations. After a failed call of AWS, look before you run it again."
)]
struct Arguments {
    #[command(flatten)]
    place: Place,

    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Agents: show, ban, unban, delete, reset-key
    #[command(subcommand)]
    Agent(AgentCommand),
    /// Games: show, end, void
    #[command(subcommand)]
    Game(GameCommand),
    /// Check all tables and indexes; a violation counts if it is found twice
    Audit,
    /// Print all finished games as JSON, one in a line, as /games/export.ndjson shows them
    Export,
}

#[derive(Subcommand)]
enum AgentCommand {
    /// Print an agent and its standings
    Show { name: AgentName },
    /// Refuse all requests of an agent; a game in progress ends by its clock, or by `game end`
    Ban {
        name: AgentName,
        /// Reason, as the agent is told
        #[arg(long, value_name = "TEXT", value_parser = reason)]
        why: String,
    },
    /// End a ban
    Unban { name: AgentName },
    /// Remove an agent, its keys, its ticket and its standings; its finished games stay
    Delete { name: AgentName },
    /// Replace the API key, print the new one, and end all others at once
    ResetKey { name: AgentName },
}

#[derive(Subcommand)]
enum GameCommand {
    /// Print a game
    Show { id: GameId },
    /// End a game in progress and rate its players
    #[command(group(clap::ArgGroup::new("result").required(true)))]
    End {
        id: GameId,
        /// Player that wins
        #[arg(long, value_name = "NAME", group = "result")]
        winner: Option<AgentName>,
        #[arg(long, group = "result")]
        draw: bool,
    },
    /// End a game in progress; it counts for nobody
    Void { id: GameId },
}

/// Most characters of a reason.
const REASON_MAX: usize = 500;

fn reason(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() || text.chars().any(char::is_control) || text.chars().count() > REASON_MAX {
        return Err(format!("a reason is one line of 1 to {REASON_MAX} characters"));
    }
    Ok(text.to_owned())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let mut out = Vec::new();
    let done = run(Arguments::parse(), &mut out).await;
    // A command that failed may have printed something before.
    let printed = io::stdout().write_all(&out).and_then(|()| io::stdout().flush());
    match done.and_then(|()| printed.map_err(Error::from)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If standard error is gone, there is no other place to report to.
            let _ = writeln!(io::stderr(), "arena-admin: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: Arguments, out: &mut Vec<u8>) -> Result<(), Error> {
    let opened = arguments.place.open().await?;
    let store = opened.store();
    match arguments.command {
        Command::Agent(command) => match command {
            AgentCommand::Show { name } => agent::show(store, out, &name).await,
            AgentCommand::Ban { name, why } => agent::ban(store, out, &name, &why).await,
            AgentCommand::Unban { name } => agent::unban(store, out, &name).await,
            AgentCommand::Delete { name } => agent::delete(store, out, &name).await,
            AgentCommand::ResetKey { name } => agent::reset_key(store, out, &name).await,
        },
        Command::Game(command) => match command {
            GameCommand::Show { id } => game::show(store, out, id).await,
            GameCommand::End { id, winner, .. } => game::end(store, out, id, winner).await,
            GameCommand::Void { id } => game::void(store, out, id).await,
        },
        Command::Audit => tables::audit(store, out).await,
        Command::Export => tables::export(store).await,
    }
}
