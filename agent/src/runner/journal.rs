//! File of `--resume`: the terms of a match, then one line per finished game.
//!
//! A match that is killed leaves at most one incomplete line, at the end; it is cut off.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::bad_match::BadMatch;
use super::files::named;
use super::game::Played;

/// Everything that decides which games are played, and how.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Terms {
    pub(super) bots: Vec<Entrant>,
    pub(super) gauntlet: bool,
    pub(super) ruleset: String,
    pub(super) board_size: u8,
    /// SHA-256 of the openings in the order in which they are played.
    pub(super) openings: Option<String>,
    pub(super) alternate: bool,
    pub(super) draw_after: Option<u16>,
    pub(super) sprt: Option<String>,
    pub(super) seed: u64,
}

/// A bot and its settings.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Entrant {
    pub(super) bot: String,
    pub(super) time: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) nodes: Option<u64>,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub(super) options: Map<String, Value>,
}

/// The part of a match that is in a file.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Past {
    pub(super) terms: Terms,
    pub(super) games: BTreeMap<u32, Played>,
    /// Length of the complete lines in bytes.
    length: u64,
}

/// Reads the file. `None` if there is none, or it has no complete line.
pub(super) fn read(path: &Path) -> Result<Option<Past>, BadMatch> {
    let bytes = match fs::read(path) {
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(why) => return Err(BadMatch::Unreadable { path: path.to_owned(), why }),
        Ok(bytes) if bytes.is_empty() => return Ok(None),
        Ok(bytes) => bytes,
    };
    let bad = |line: usize, why: &serde_json::Error| BadMatch::Line {
        path: path.to_owned(),
        line,
        why: format!("not written by renju match: {why}"),
    };
    let complete = complete(&bytes);
    if complete == 0 {
        return Ok(None);
    }
    let mut lines = bytes[..complete].split_inclusive(|byte| *byte == b'\n');
    let terms = lines.next().unwrap_or_default();
    let terms = serde_json::from_slice(terms).map_err(|why| bad(1, &why))?;
    let mut games = BTreeMap::new();
    for (index, line) in lines.enumerate() {
        let played: Played = serde_json::from_slice(line).map_err(|why| bad(index + 2, &why))?;
        games.insert(played.number, played);
    }
    Ok(Some(Past { terms, games, length: complete as u64 }))
}

/// Name of the first term that differs, with its value in the file and its value now.
pub(super) fn difference(past: &Terms, now: &Terms) -> Option<(String, String, String)> {
    let fields = |terms| match serde_json::to_value(terms) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    };
    let past = fields(past);
    fields(now).into_iter().find_map(|(name, now)| {
        let before = past.get(&name).unwrap_or(&Value::Null);
        (*before != now).then(|| (name, before.to_string(), now.to_string()))
    })
}

/// The file, open for the games to come. No other match can open it.
pub(super) struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Continues the file after `past`, or makes one.
    pub(super) fn open(path: &Path, terms: &Terms, past: Option<&Past>) -> io::Result<Journal> {
        Journal::try_open(path, terms, past).map_err(|why| named(path, &why))
    }

    fn try_open(path: &Path, terms: &Terms, past: Option<&Past>) -> io::Result<Journal> {
        let busy = |why| io::Error::new(io::ErrorKind::ResourceBusy, why);
        let mut options = OpenOptions::new();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(path)?;
        file.try_lock().map_err(|_| busy("another match is writing this file"))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let length = complete(&bytes) as u64;
        if length != past.map_or(0, |past| past.length) {
            return Err(busy("another match has written this file; start again to continue it"));
        }
        file.set_len(length)?;
        file.seek(SeekFrom::End(0))?;
        if past.is_none() {
            file.write_all(format!("{}\n", serde_json::to_string(terms)?).as_bytes())?;
        }
        Ok(Journal { path: path.to_owned(), file })
    }

    /// Adds a game.
    pub(super) fn write(&mut self, played: &Played) -> io::Result<()> {
        let line = format!("{}\n", serde_json::to_string(played)?);
        self.file.write_all(line.as_bytes()).map_err(|why| named(&self.path, &why))
    }
}

/// Length of the complete lines.
fn complete(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1)
}
