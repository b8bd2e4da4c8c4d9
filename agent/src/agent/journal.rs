//! Log of an agent: one line per event, as text or JSON.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use arena_wire::TimeView;
use clap::ValueEnum;
use serde_json::{Map, Value};

use crate::time::now;

/// Format of the log.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Default, Debug)]
pub enum Log {
    /// Text for people.
    #[default]
    Text,
    /// One JSON object per line.
    Json,
}

/// Log writer; all clones share the output.
#[derive(Clone)]
pub(super) struct Journal {
    log: Log,
    name: String,
    output: Arc<Mutex<dyn Write + Send>>,
}

impl Journal {
    pub(super) fn new(log: Log, name: &str, output: impl Write + Send + 'static) -> Journal {
        Journal { log, name: name.to_owned(), output: Arc::new(Mutex::new(output)) }
    }

    /// Writes an event: a word for programs, a sentence for people, and details.
    pub(super) fn write(&self, event: &str, sentence: &str, details: &[(&str, Value)]) {
        let time = TimeView(now()).to_string();
        let line = match self.log {
            Log::Text => format!("{} {}: {sentence}", clock(&time), self.name),
            Log::Json => {
                let mut object = Map::new();
                object.insert("time".to_owned(), time.into());
                object.insert("agent".to_owned(), self.name.as_str().into());
                object.insert("event".to_owned(), event.into());
                object.insert("message".to_owned(), sentence.into());
                let details = details.iter().map(|(key, value)| ((*key).to_owned(), value.clone()));
                object.extend(details);
                Value::Object(object).to_string()
            }
        };
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        // An agent without a reader keeps playing.
        let _ = writeln!(output, "{line}").and_then(|()| output.flush());
    }
}

/// Standard output, line by line.
pub(super) fn standard_output() -> impl Write + Send + 'static {
    io::stdout()
}

/// Extracts `12:34:56` from `2026-01-31T12:34:56.789Z`.
fn clock(time: &str) -> &str {
    time.get(11..19).unwrap_or(time)
}
