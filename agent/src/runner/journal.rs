//! File of `--resume`: the terms of a match, then one line per finished game.
//!
//! A match that is killed leaves at most one incomplete line, at the end; it is cut off.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
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

/// Reads the file. `None` if there is none, or it is empty.
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
    let complete = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
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
        let length = match past {
            Some(past) => past.length,
            None => begin(path, terms)?,
        };
        let mut file = OpenOptions::new().write(true).open(path)?;
        file.try_lock().map_err(|_| {
            io::Error::new(io::ErrorKind::ResourceBusy, "another match is writing this file")
        })?;
        file.set_len(length)?;
        file.seek(SeekFrom::End(0))?;
        Ok(Journal { path: path.to_owned(), file })
    }

    /// Adds a game.
    pub(super) fn write(&mut self, played: &Played) -> io::Result<()> {
        let line = format!("{}\n", serde_json::to_string(played)?);
        self.file.write_all(line.as_bytes()).map_err(|why| named(&self.path, &why))
    }
}

/// Makes a file with the terms only, all of them at once; returns its length.
fn begin(path: &Path, terms: &Terms) -> io::Result<u64> {
    let line = format!("{}\n", serde_json::to_string(terms)?);
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    fs::write(&new, &line)?;
    fs::rename(&new, path)?;
    Ok(line.len() as u64)
}
