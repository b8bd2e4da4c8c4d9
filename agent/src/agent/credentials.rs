//! API keys on this machine: `credentials.json`, a key per server and name, readable by its owner
//! only. Beside it, a lock for each agent that runs.
//!
//! A registration is stored before it is sent: an agent killed in between repeats it with the same
//! secret and gets the same key.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

const FILE: &str = "credentials.json";

/// Credentials file of one user.
#[derive(Debug)]
pub(super) struct Credentials {
    dir: PathBuf,
}

/// State of an agent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Entry {
    ApiKey(String),
    /// Secret of a registration that may or may not have reached the server.
    Registering(String),
}

/// Right to run an agent on this machine.
pub(super) enum Claim {
    /// Held until the file is closed, at the latest when this process ends.
    Ours(File),
    /// Another process runs the agent; its id, if it is known.
    Taken(Option<u32>),
}

/// Server, then name.
type Book = BTreeMap<String, BTreeMap<String, Entry>>;

impl Credentials {
    /// Credentials in `$XDG_CONFIG_HOME/renju`, or `~/.config/renju`.
    pub(super) fn of_user() -> io::Result<Credentials> {
        let config = match std::env::var_os("XDG_CONFIG_HOME").filter(|dir| !dir.is_empty()) {
            Some(dir) => PathBuf::from(dir),
            None => match std::env::home_dir() {
                Some(home) => home.join(".config"),
                None => return Err(io::Error::other("no home directory")),
            },
        };
        Ok(Credentials { dir: config.join("renju") })
    }

    pub(super) fn file(&self) -> PathBuf {
        self.dir.join(FILE)
    }

    /// The stored entry of an agent; if there is none, `new` is stored first.
    pub(super) fn entry_or(
        &self,
        server: &str,
        name: &str,
        new: impl FnOnce() -> io::Result<Entry>,
    ) -> io::Result<Entry> {
        let _lock = self.lock()?;
        let mut book = self.read()?;
        let of_server = book.entry(server.to_owned()).or_default();
        if let Some(entry) = of_server.get(name) {
            return Ok(entry.clone());
        }
        let entry = new()?;
        of_server.insert(name.to_owned(), entry.clone());
        self.write(&book)?;
        Ok(entry)
    }

    /// Stores the entry of an agent; `None` removes it.
    pub(super) fn set(&self, server: &str, name: &str, entry: Option<Entry>) -> io::Result<()> {
        let _lock = self.lock()?;
        let mut book = self.read()?;
        let of_server = book.entry(server.to_owned()).or_default();
        match entry {
            Some(entry) => of_server.insert(name.to_owned(), entry),
            None => of_server.remove(name),
        };
        self.write(&book)
    }

    /// Claims an agent for this process. Two would disturb each other.
    pub(super) fn claim(&self, server: &str, name: &str) -> io::Result<Claim> {
        let dir = self.dir.join("running");
        fs::create_dir_all(&dir)?;
        let digest = Sha256::digest(server);
        let server: String = digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
        let path = dir.join(format!("{name}-{server}.lock"));
        let mut options = OpenOptions::new();
        let mut file = options.create(true).truncate(false).read(true).write(true).open(path)?;
        match file.try_lock() {
            Ok(()) => {
                file.set_len(0)?;
                write!(file, "{}", process::id())?;
                Ok(Claim::Ours(file))
            }
            Err(TryLockError::WouldBlock) => {
                let mut process = String::new();
                // Some systems do not let a locked file be read.
                let read = file.read_to_string(&mut process);
                Ok(Claim::Taken(read.ok().and_then(|_| process.parse().ok())))
            }
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Locks the file against other agents of this user.
    fn lock(&self) -> io::Result<File> {
        fs::create_dir_all(&self.dir)?;
        let lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(self.dir.join("credentials.lock"))?;
        lock.lock()?;
        Ok(lock)
    }

    fn read(&self) -> io::Result<Book> {
        let file = self.file();
        let text = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Book::new()),
            Err(error) => return Err(named(&file, &error)),
        };
        serde_json::from_str(&text).map_err(|error| named(&file, &error))
    }

    /// Replaces the file atomically.
    fn write(&self, book: &Book) -> io::Result<()> {
        let new = self.dir.join(format!("{FILE}.new"));
        let text = serde_json::to_string_pretty(book).map_err(io::Error::other)?;
        let mut options = OpenOptions::new();
        options.create(true).truncate(true).write(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&new)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, self.file())
    }
}

fn named(file: &Path, error: &dyn std::fmt::Display) -> io::Error {
    io::Error::other(format!("{}: {error}", file.display()))
}
