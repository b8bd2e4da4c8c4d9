//! `exec:<command>`: a program that is started for each decision.
//!
//! It gets the view of the game on its standard input, which is then closed. The first line of its
//! standard output is the decision.

use std::time::{Duration, Instant};

use renju::{Play, Record};

use super::house::House;
use super::io_log::IoLog;
use super::program::{Program, shell};
use super::{Brain, BrainError, json, label_of};

/// A program that is started for each decision.
pub(super) struct Exec {
    name: String,
    command: String,
    house: House,
    io_log: Option<IoLog>,
}

impl Exec {
    pub(super) fn new(command: &str) -> Exec {
        Exec {
            name: format!("exec:{}", label_of(command)),
            command: command.to_owned(),
            house: House::stand_in(),
            io_log: None,
        }
    }
}

impl Brain for Exec {
    fn choose(&mut self, record: &Record, limit: Duration) -> Result<Play, BrainError> {
        let until = Instant::now() + limit;
        let mut program =
            Program::start_logged(shell(&self.command), &self.name, self.io_log.as_ref())?;
        // A program that ignores the view may have ended already: its answer counts.
        let told = program.say(&json::question(record, limit)?);
        program.hang_up();
        let line = match (program.hear(until), told) {
            (Err(BrainError::Gone(_)), Err(why)) => return Err(why),
            (line, _) => line?,
        };
        json::answer(&line, record, &mut self.house, until)
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
