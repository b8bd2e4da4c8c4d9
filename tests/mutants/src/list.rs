//! The list of mutants, `mutants.txt`: the replaced text, the mistake, and the test that detects
//! it.

use std::fmt;
use std::path::Path;

#[derive(Clone, Debug)]
pub(crate) struct Mutant {
    /// Position in the list, 1 for the first.
    pub(crate) number: usize,
    pub(crate) name: String,
    /// Source file, from the root of the repository.
    pub(crate) file: String,
    /// Text on the first line of the block that holds `find`; without it the block is the file.
    pub(crate) within: Option<String>,
    /// The replaced text, equal but for white space; occurs once in the block.
    pub(crate) find: String,
    pub(crate) wrong: String,
    pub(crate) killed_by: Test,
}

/// One test of the workspace.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Test {
    pub(crate) package: String,
    /// File under the package's `tests`, without its extension; `lib` for unit tests.
    pub(crate) target: String,
    /// Full name, with its modules.
    pub(crate) name: String,
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.package, self.target, self.name)
    }
}

/// The mutants of the repository.
pub(crate) fn read(root: &Path) -> Result<Vec<Mutant>, String> {
    let path = root.join("tests/mutants/mutants.txt");
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{path:?}: {error}"))?;
    parse(&text)
}

/// Reads a list in the format that its first lines describe: one paragraph per mutant.
pub(crate) fn parse(text: &str) -> Result<Vec<Mutant>, String> {
    let (mut mutants, mut file) = (Vec::new(), String::new());
    for paragraph in text.split("\n\n") {
        let mut lines = paragraph.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let Some(name) = lines.next() else { continue };
        if name.ends_with(".rs") {
            name.clone_into(&mut file);
            continue;
        }
        let marked = |mark: char| {
            let lines: Vec<&str> =
                lines.clone().filter_map(|line| line.strip_prefix(mark)).collect();
            (!lines.is_empty()).then(|| lines.join("\n").trim().to_owned())
        };
        if file.is_empty() || lines.clone().any(|line| !line.starts_with(['@', '-', '+', '!'])) {
            return Err(format!(
                "{name:?} needs a file above it, and marks before its other lines"
            ));
        }
        let test = marked('!').unwrap_or_default();
        let [package, target, test] = test.split_whitespace().collect::<Vec<_>>()[..] else {
            return Err(format!("{name:?} needs `! package target test`"));
        };
        let killed_by =
            Test { package: package.to_owned(), target: target.to_owned(), name: test.to_owned() };
        mutants.push(Mutant {
            number: mutants.len() + 1,
            name: name.to_owned(),
            file: file.clone(),
            within: marked('@'),
            find: marked('-').ok_or_else(|| format!("{name:?} replaces nothing"))?,
            wrong: marked('+').unwrap_or_default(),
            killed_by,
        });
    }
    Ok(mutants)
}
