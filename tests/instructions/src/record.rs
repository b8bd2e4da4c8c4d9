//! The record: counts, and the compiler they hold for. Another one makes other code.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

/// Counts by kind.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Record {
    pub(crate) compiler: String,
    pub(crate) counts: Vec<(String, u64)>,
}

impl Record {
    pub(crate) fn load() -> io::Result<Record> {
        let record: Value = serde_json::from_str(&fs::read_to_string(file())?)?;
        let counts = record["instructions"].as_object().into_iter().flatten();
        let counts = counts.filter_map(|(name, count)| Some((name.clone(), count.as_u64()?)));
        let compiler = record["compiler"].as_str().unwrap_or_default().to_owned();
        Ok(Record { compiler, counts: counts.collect() })
    }

    pub(crate) fn save(&self) -> io::Result<()> {
        let counts: Value = self.counts.iter().map(|(name, n)| (name.clone(), json!(n))).collect();
        let record = json!({ "compiler": self.compiler, "instructions": counts });
        fs::write(file(), format!("{record:#}\n"))
    }

    pub(crate) fn of(&self, name: &str) -> Option<u64> {
        self.counts.iter().find(|(recorded, _)| recorded == name).map(|(_, count)| *count)
    }
}

/// The compiler and what it compiles for, as it says itself.
pub(crate) fn compiler() -> io::Result<String> {
    let output = Command::new("rustc").arg("--version").output()?;
    let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Ok(format!("{version} for {}", std::env::consts::ARCH))
}

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("record.json")
}
