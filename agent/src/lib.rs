//! Library of the `renju` tool, one module per subcommand.
//!
//! The binary only parses arguments, calls one function here and sets the exit code.

mod lines;
mod stop;
mod time;

pub mod agent;
pub mod analyze;
pub mod bench;
pub mod brain;
pub mod check;
pub mod client;
pub mod gomocup;
pub mod manual;
pub mod runner;
pub mod solve;

pub use client::{Client, ClientError};
pub use stop::{INTERRUPTED, Stop};
