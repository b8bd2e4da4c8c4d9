//! Errors of agents.

use std::fmt;
use std::io;
use std::path::PathBuf;

use super::{API_KEY, BadConfig};
use crate::brain::BrainError;
use crate::client::ClientError;

/// Reason an agent ended by itself.
#[derive(Debug)]
#[allow(missing_docs, reason = "the names of most fields say it")]
pub enum AgentError {
    /// A request failed.
    Client(ClientError),
    /// The arena rejected the key.
    WrongKey {
        /// Source of the key.
        from: String,
        server: String,
    },
    /// The key belongs to another agent.
    OtherName {
        /// Name of the agent with this key.
        known: String,
        /// Name given on the command line.
        asked: String,
    },
    /// Another agent has the name.
    NameTaken { name: String, server: String },
    /// The credentials file cannot be read or written.
    Credentials(io::Error),
    /// Another process on this machine runs the agent; its id, if it is known.
    Running { name: String, process: Option<u32> },
    /// The file of agents cannot be used.
    Config(BadConfig),
    /// Some agents of a file failed; each has said why.
    SomeFailed { failed: usize, all: usize },
    /// No such brain.
    Brain(BrainError),
    /// The dialogue cannot be logged.
    IoLog { file: PathBuf, why: String },
    /// The brain failed too often.
    BrokenBrain { failures: u32, last: String },
    /// The brain failed, and the options say to exit then.
    BrainFailed { game: String, why: String },
    /// The ruleset or the history of a game is unknown to this version.
    UnknownGame { game: String, why: String },
}

impl From<ClientError> for AgentError {
    fn from(error: ClientError) -> AgentError {
        AgentError::Client(error)
    }
}

impl fmt::Display for AgentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AgentError::Client(error) => error.fmt(f),
            AgentError::WrongKey { from, server } => {
                write!(f, "{server} rejected the API key from {from}")
            }
            AgentError::OtherName { known, asked } => {
                write!(f, "the API key belongs to {known}, not to {asked}: use --name {known}")
            }
            AgentError::NameTaken { name, server } => write!(
                f,
                "{name} is taken at {server} and its key is not here; choose another --name, or set \
                 {API_KEY}"
            ),
            AgentError::Credentials(error) => {
                write!(f, "cannot access the credentials file: {error}")
            }
            AgentError::Running { name, process } => {
                write!(f, "{name} is already running on this machine")?;
                match process {
                    Some(process) => write!(f, ", as process {process}"),
                    None => Ok(()),
                }
            }
            AgentError::Config(error) => error.fmt(f),
            AgentError::SomeFailed { failed, all } => write!(f, "{failed} of {all} agents failed"),
            AgentError::Brain(error) => error.fmt(f),
            AgentError::IoLog { file, why } => {
                write!(f, "cannot log the dialogue to {}: {why}", file.display())
            }
            AgentError::BrokenBrain { failures, last } => write!(
                f,
                "no more games: the brain has failed {failures} times since its last game without \
                 a failure; the last one was {last}"
            ),
            AgentError::BrainFailed { game, why } => {
                write!(f, "{why}; game {game} is still in progress: start again to continue")
            }
            AgentError::UnknownGame { game, why } => {
                write!(f, "game {game} cannot be played by this version: {why}")
            }
        }
    }
}

impl std::error::Error for AgentError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            AgentError::Client(error) => Some(error),
            AgentError::Credentials(error) => Some(error),
            AgentError::Config(error) => Some(error),
            AgentError::Brain(error) => Some(error),
            _ => None,
        }
    }
}
