//! The data directory: created, locked, checked, and readable by its owner alone.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use arena_lambda::Pepper;
use dynoxide::{Database, DynoxideError};
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::error::{StartError, Unusable};

const LOCK_FILE: &str = "lock";
const TABLES_FILE: &str = "dynamodb.sqlite";
const PEPPER_FILE: &str = "pepper";

/// Files that SQLite keeps beside the tables while they are open, or after a crash.
const BESIDE: [&str; 2] = ["-wal", "-shm"];

/// Creates the directory if it is missing and locks it; the lock ends with the returned file, or
/// with the process.
pub(crate) fn lock(dir: &Path) -> Result<File, StartError> {
    make(dir)?;
    let path = dir.join(LOCK_FILE);
    let file = private(&path).map_err(|error| StartError::data(&path, error.into()))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StartError::data(dir, Unusable::InUse)),
        Err(TryLockError::Error(error)) => Err(StartError::data(&path, error.into())),
    }
}

/// True if an arena has made its tables in the directory.
pub(crate) fn has_tables(dir: &Path) -> bool {
    dir.join(TABLES_FILE).is_file()
}

/// Opens the tables in a locked directory. A file that is not ours is left as it is.
pub(crate) fn tables(dir: &Path) -> Result<Database, StartError> {
    let path = dir.join(TABLES_FILE);
    let name = path.to_str().ok_or_else(|| StartError::data(&path, Unusable::NotText))?;
    let wrong = |why| StartError::data(&path, why);
    for beside in BESIDE.map(|ending| PathBuf::from(format!("{name}{ending}"))) {
        if beside.exists() {
            private(&beside).map_err(|error| StartError::data(&beside, error.into()))?;
        }
    }
    let file = private(&path).and_then(|file| file.metadata());
    if file.map_err(|error| wrong(error.into()))?.len() > 0 {
        check(&path).map_err(wrong)?;
    }
    Database::new(name).map_err(|error| match error {
        DynoxideError::SqliteError(error) => wrong(unusable(&error)),
        other => wrong(Unusable::Refused(other)),
    })
}

/// Reads the secret that repeatable registrations derive their keys from, or creates it on first
/// use; without a directory it lasts as long as the process.
pub fn pepper(dir: Option<&Path>) -> Result<Pepper, StartError> {
    let mut fresh = vec![0; Pepper::BYTES_MIN];
    getrandom::fill(&mut fresh).map_err(StartError::Random)?;
    let path = dir.unwrap_or(Path::new("")).join(PEPPER_FILE);
    let bytes = match dir {
        Some(_) => kept(&path, fresh).map_err(|error| StartError::data(&path, error.into()))?,
        None => fresh,
    };
    let length = bytes.len();
    Pepper::new(bytes).ok_or_else(|| StartError::data(&path, Unusable::ShortPepper(length)))
}

/// The content of the file; a missing one is created from `fresh`.
fn kept(path: &Path, fresh: Vec<u8>) -> io::Result<Vec<u8>> {
    match File::open(path) {
        Ok(mut file) => {
            close_to_others(&file)?;
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            Ok(bytes)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // Under another name first: a crash leaves no pepper rather than a part of one.
            let unfinished = path.with_extension("new");
            let mut file = private(&unfinished)?;
            file.set_len(0)?;
            file.write_all(&fresh)?;
            file.sync_all()?;
            fs::rename(&unfinished, path)?;
            Ok(fresh)
        }
        Err(error) => Err(error),
    }
}

fn make(dir: &Path) -> Result<(), StartError> {
    match fs::metadata(dir) {
        Ok(found) if found.is_dir() => return Ok(()),
        Ok(_) => return Err(StartError::data(dir, Unusable::NotDirectory)),
        Err(_) => {}
    }
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir).map_err(|error| StartError::data(dir, error.into()))
}

/// Opens a file for its owner alone, and creates it if it is missing.
fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    close_to_others(&file)?;
    Ok(file)
}

#[cfg(unix)]
fn close_to_others(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;

    let mut permissions = file.metadata()?.permissions();
    if permissions.mode() & 0o077 == 0 {
        return Ok(());
    }
    permissions.set_mode(0o600);
    file.set_permissions(permissions)
}

#[cfg(not(unix))]
fn close_to_others(_: &File) -> io::Result<()> {
    Ok(())
}

/// Checks, without changing the file, that it holds intact tables of ours.
fn check(path: &Path) -> Result<(), Unusable> {
    let file = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .map_err(|error| unusable(&error))?;
    let count = |query| {
        file.query_row(query, [], |row| row.get::<_, u32>(0)).map_err(|error| unusable(&error))
    };
    // The emulator lists its tables in `_tables`. An empty file was just created.
    let ours = count("SELECT count(*) FROM sqlite_schema WHERE name = '_tables'")?;
    if ours == 0 && count("SELECT count(*) FROM sqlite_schema")? > 0 {
        return Err(Unusable::Foreign);
    }
    let found = file.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0));
    match found.map_err(|error| unusable(&error))?.as_str() {
        "ok" => Ok(()),
        what => Err(Unusable::Damaged(what.replace('\n', " "))),
    }
}

fn unusable(error: &rusqlite::Error) -> Unusable {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => Unusable::Foreign,
        Some(ErrorCode::DatabaseCorrupt) => Unusable::Damaged(error.to_string()),
        _ => io::Error::other(error.to_string()).into(),
    }
}
