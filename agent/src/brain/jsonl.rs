//! `jsonl:<command>`: a program that runs for all decisions: one line in, one line out.
//!
//! Every line has the whole game, so the program may play several games one after the other.

use std::time::{Duration, Instant};

use renju::{Play, Record};

use super::house::House;
use super::io_log::IoLog;
use super::program::{Program, shell};
use super::{Brain, BrainError, json, label_of};
use crate::lines::shown;

/// A program that is started for the first decision, and again after each failure.
pub(super) struct Jsonl {
    name: String,
    command: String,
    house: House,
    io_log: Option<IoLog>,
    program: Option<Program>,
}

impl Jsonl {
    pub(super) fn new(command: &str) -> Jsonl {
        Jsonl {
            name: format!("jsonl:{}", label_of(command)),
            command: command.to_owned(),
            house: House::stand_in(),
            io_log: None,
            program: None,
        }
    }

    /// One attempt. A program that failed is dropped: a late line must not answer the next question.
    fn ask(
        &mut self,
        record: &Record,
        limit: Duration,
        until: Instant,
    ) -> Result<Play, BrainError> {
        let mut program = match self.program.take() {
            Some(program) => program,
            None => Program::start_logged(shell(&self.command), &self.name, self.io_log.as_ref())?,
        };
        if let Some(line) = program.unread() {
            let line = shown(&line);
            return Err(BrainError::Nonsense(format!("more than one line for a decision: {line}")));
        }
        program.say(&json::question(record, limit)?)?;
        let line = program.hear(until)?;
        let play = json::answer(&line, record, &mut self.house, until)?;
        self.program = Some(program);
        Ok(play)
    }
}

impl Brain for Jsonl {
    fn choose(&mut self, record: &Record, limit: Duration) -> Result<Play, BrainError> {
        let until = Instant::now() + limit;
        let was_running = self.program.is_some();
        match self.ask(record, limit, until) {
            // It may have ended since the last decision.
            Err(BrainError::Gone(_)) if was_running && Instant::now() < until => {
                let left = until.saturating_duration_since(Instant::now());
                self.ask(record, left, until)
            }
            answer => answer,
        }
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
