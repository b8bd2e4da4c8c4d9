//! Files of one test.

use std::fs;
use std::path::PathBuf;

/// A directory of this process that is removed at the end.
#[derive(Debug)]
pub struct Directory(PathBuf);

impl Directory {
    /// A directory that does not exist yet.
    pub fn new(name: &str) -> Directory {
        let path = std::env::temp_dir().join(format!("arena-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Directory(path)
    }

    /// Its path as an argument.
    pub fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }

    /// The path of a file in it.
    pub fn file(&self, name: &str) -> String {
        format!("{}/{name}", self.path())
    }

    /// Writes a file; its path.
    pub fn write(&self, name: &str, text: &str) -> String {
        fs::create_dir_all(&self.0).unwrap();
        fs::write(self.0.join(name), text).unwrap();
        self.file(name)
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        // It may never have been made; and a directory left in the temporary one harms nobody.
        let _ = fs::remove_dir_all(&self.0);
    }
}
