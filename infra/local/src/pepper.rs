//! The local deployment's secret: made once, kept beside the tables.

use std::fs;
use std::io;
use std::path::Path;

use arena_http::Pepper;

const PEPPER_FILE: &str = "pepper";

/// The pepper kept in `dir`, made on first use; a passing one without a directory.
pub fn pepper(dir: Option<&Path>) -> io::Result<Pepper> {
    let file = dir.map(|dir| dir.join(PEPPER_FILE));
    if let Some(known) = file.as_ref().and_then(|file| fs::read(file).ok()).and_then(Pepper::new) {
        return Ok(known);
    }
    let mut bytes = vec![0; Pepper::BYTES_MIN];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    if let Some(file) = file {
        if let Some(dir) = file.parent() {
            fs::create_dir_all(dir)?;
        }
        fs::write(file, &bytes)?;
    }
    Pepper::new(bytes).ok_or_else(|| io::Error::other("the pepper is too short"))
}
