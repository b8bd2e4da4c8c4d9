//! Log of the dialogue with a program: every line with its time.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use arena_wire::TimeView;

use crate::lines::visible;
use crate::time::now;

/// Log file; all clones share it.
#[derive(Clone, Debug)]
pub struct IoLog(Arc<Mutex<File>>);

/// Direction of a line.
#[derive(Clone, Copy)]
pub(super) enum Way {
    /// From the tool to the program.
    In,
    /// From the program to the tool.
    Out,
    /// Error stream of the program.
    Error,
}

/// Log of one program.
#[derive(Clone)]
pub(super) struct Tap {
    log: IoLog,
    name: String,
}

impl IoLog {
    /// Opens a file to append to.
    pub fn append(file: &Path) -> io::Result<IoLog> {
        let file = OpenOptions::new().create(true).append(true).open(file)?;
        Ok(IoLog(Arc::new(Mutex::new(file))))
    }

    /// Log of the program with this name.
    pub(super) fn tap(&self, name: &str) -> Tap {
        Tap { log: self.clone(), name: name.to_owned() }
    }
}

impl Tap {
    /// Writes the lines of `text`. A full disk does not stop a game.
    pub(super) fn write(&self, way: Way, text: &str) {
        let sign = match way {
            Way::In => '>',
            Way::Out => '<',
            Way::Error => '!',
        };
        let head = format!("{} {} {sign}", TimeView(now()), self.name);
        let line = |line: &str| {
            let line: String = line.chars().map(visible).collect();
            format!("{head} {line}\n")
        };
        let text = text.strip_suffix('\n').unwrap_or(text);
        let lines: String = text.split('\n').map(line).collect();
        let mut file = self.log.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = file.write_all(lines.as_bytes());
    }
}
