//! A copy of the repository with every mutant in it, each behind `::arena::mutant(number)`.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{fs, io};

use crate::list::Mutant;

/// The file that gets the switch.
const SWITCH_FILE: &str = "shared/arena/src/lib.rs";

const SWITCH: &str = "
extern crate self as arena;

/// True if the mutant with this number is switched on.
pub fn mutant(number: u32) -> bool {
    static ON: std::sync::OnceLock<Option<u32>> = std::sync::OnceLock::new();
    let on = || std::env::var(\"ARENA_MUTANT\").ok().map(|text| text.parse().expect(\"a number\"));
    *ON.get_or_init(on) == Some(number)
}
";

/// All files with mutants, woven. The error names each mutant that does not fit.
pub(crate) fn weave(root: &Path, mutants: &[Mutant]) -> Result<BTreeMap<String, String>, String> {
    let mut files: BTreeMap<&str, Vec<&Mutant>> = BTreeMap::from([(SWITCH_FILE, Vec::new())]);
    for mutant in mutants {
        files.entry(&mutant.file).or_default().push(mutant);
    }
    let (mut woven, mut misfits) = (BTreeMap::new(), Vec::new());
    for (file, mutants) in files {
        let path = root.join(file);
        let source = fs::read_to_string(&path).map_err(|error| format!("{file}: {error}"))?;
        if !knows_arena(&path) {
            misfits
                .push(format!("{file}: its crate does not depend on arena, where the switch is"));
        }
        match weave_file(&source, &mutants) {
            Ok(mut text) => {
                text.push_str(if file == SWITCH_FILE { SWITCH } else { "" });
                woven.insert(file.to_owned(), text);
            }
            Err(why) => misfits.extend(why),
        }
    }
    if misfits.is_empty() { Ok(woven) } else { Err(misfits.join("\n")) }
}

/// True if the crate of a source file is `arena` or depends on it.
fn knows_arena(file: &Path) -> bool {
    let manifest = file.ancestors().map(|folder| folder.join("Cargo.toml")).find(|it| it.exists());
    let text = manifest.and_then(|path| fs::read_to_string(path).ok()).unwrap_or_default();
    text.lines().any(|line| line.starts_with("arena.") || line == "name = \"arena\"")
}

/// The source with the mutants in it; several in one place are alternatives.
fn weave_file(source: &str, mutants: &[&Mutant]) -> Result<String, Vec<String>> {
    let (mut places, mut misfits) = (BTreeMap::<_, Vec<_>>::new(), Vec::new());
    for mutant in mutants {
        match place(source, mutant) {
            Ok((span, wrong)) => {
                places.entry((span.start, span.end)).or_default().push((mutant, wrong));
            }
            Err(why) => misfits.push(format!("{}: {:?} {why}", mutant.file, mutant.name)),
        }
    }
    let (mut text, mut end, mut last) = (String::new(), 0, "");
    for (span, here) in &places {
        let (mutant, _) = &here[0];
        if span.0 < end {
            misfits.push(format!("{}: {:?} overlaps {last:?}", mutant.file, mutant.name));
            continue;
        }
        let right = &source[span.0..span.1];
        let wrong = here.iter().map(|(mutant, wrong)| {
            format!("if ::arena::mutant({}) {{ {wrong} }} else ", mutant.number)
        });
        let choice = format!("{}{{ {right} }}", wrong.collect::<String>());
        // A statement is put in braces, a value in parentheses, because it may be part of a larger
        // one.
        let is_statement = right.ends_with([';', '}']);
        let choice = if is_statement { format!("{{ {choice} }}") } else { format!("({choice})") };
        text += &source[end..span.0];
        text += &choice;
        (end, last) = (span.1, &mutant.name);
    }
    text += &source[end..];
    if misfits.is_empty() { Ok(text) } else { Err(misfits) }
}

/// The span of a mutant's value or statement, and its replacement. A common start of both sides up
/// to `=`, `=>` or the colon of a field is kept.
fn place(source: &str, mutant: &Mutant) -> Result<(Range<usize>, String), String> {
    let block = match &mutant.within {
        Some(first) => block(source, first)?,
        None => 0..source.len(),
    };
    let span = once(source, &mutant.find, block)?;
    let [find, wrong] = [&mutant.find, &mutant.wrong].map(|text| text.split_whitespace());
    let is_same = |(find, wrong): &(&str, &str)| find == wrong && !find.contains('"');
    let mut same = find.clone().zip(wrong.clone()).take_while(is_same);
    let head = same.position(|(word, _)| ["=", "=>"].contains(&word) || is_field(word));
    let head = head.map_or(0, |last| last + 1);
    if head == 0 && mutant.find.trim().starts_with("let ") {
        return Err("takes a whole `let` away: begin both sides with it".to_owned());
    }
    let words: Vec<&str> = find.take(head).collect();
    let start = fit(source, span.start, &words).expect("a part of what fits");
    let start = span.end - source[start..span.end].trim_start().len();
    let wrong = wrong.skip(head).collect::<Vec<_>>().join(" ");
    match wrong.strip_suffix(';') {
        Some(wrong) if head > 0 && source[..span.end].ends_with(';') => {
            Ok((start..span.end - 1, wrong.to_owned()))
        }
        _ => Ok((start..span.end, wrong)),
    }
}

fn is_field(word: &str) -> bool {
    word.strip_suffix(':').is_some_and(|name| name.chars().all(is_part_of_name))
}

fn is_part_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The block that begins on the line of `first` and ends before the brace below it.
fn block(source: &str, first: &str) -> Result<Range<usize>, String> {
    let start = once(source, first, 0..source.len())?.start;
    let line = source[..start].rfind('\n').map_or(0, |end| end + 1);
    let indent = &source[line..start - source[line..start].trim_start().len()];
    let length = source[start..].find(&format!("\n{indent}}}"));
    Ok(start..start + length.ok_or_else(|| format!("needs a block that begins {first:?}"))?)
}

/// The only occurrence of the words of `text` in the block.
fn once(source: &str, text: &str, block: Range<usize>) -> Result<Range<usize>, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let first = words.first().ok_or("replaces nothing")?;
    let starts = source[block.clone()].match_indices(first).map(|(at, _)| block.start + at);
    let spans = starts.filter_map(|start| Some(start..fit(source, start, &words)?));
    let spans: Vec<Range<usize>> =
        spans.filter(|span| span.end <= block.end && is_whole(source, span)).collect();
    match &spans[..] {
        [span] => Ok(span.clone()),
        [] => Err(format!("no longer fits: {:?} is not there", words.join(" "))),
        more => Err(format!("is ambiguous: {:?} is there {} times", words.join(" "), more.len())),
    }
}

/// The end of the words, if they occur at `start` with white space between them.
fn fit(source: &str, start: usize, words: &[&str]) -> Option<usize> {
    let mut rest = &source[start..];
    for (index, word) in words.iter().enumerate() {
        let next = rest.trim_start();
        if index > 0 && next.len() == rest.len() {
            return None;
        }
        rest = next.strip_prefix(word)?;
    }
    Some(source.len() - rest.len())
}

/// True if the span cuts no name at either end.
fn is_whole(source: &str, span: &Range<usize>) -> bool {
    let cuts = |at: usize| {
        let before = source[..at].chars().next_back().is_some_and(is_part_of_name);
        before && source[at..].chars().next().is_some_and(is_part_of_name)
    };
    !cuts(span.start) && !cuts(span.end)
}

/// Makes `tree` a copy of the repository as it is on disk, except for the `woven` files. Unchanged
/// files are not written, so that little is built again.
pub(crate) fn copy(root: &Path, tree: &Path, woven: &BTreeMap<String, String>) -> io::Result<()> {
    let git = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let listed =
        Command::new("git").args(git).current_dir(root).stderr(Stdio::inherit()).output()?;
    if !listed.status.success() {
        return Err(io::Error::other("git ls-files failed"));
    }
    let listed = String::from_utf8_lossy(&listed.stdout);
    let files: BTreeSet<&str> =
        listed.split_terminator('\0').filter(|file| root.join(file).is_file()).collect();
    for path in files_in(tree)? {
        let file = path.strip_prefix(tree).ok().and_then(Path::to_str);
        if !file.is_some_and(|file| files.contains(file)) {
            fs::remove_file(path)?;
        }
    }
    for file in files {
        let (from, to) = (root.join(file), tree.join(file));
        let bytes = match woven.get(file) {
            Some(text) => text.clone().into_bytes(),
            None => fs::read(&from)?,
        };
        if !fs::read(&to).is_ok_and(|there| there == bytes) {
            fs::create_dir_all(to.parent().expect("a file is in a folder"))?;
            fs::write(&to, bytes)?;
            fs::set_permissions(&to, fs::metadata(from)?.permissions())?;
        }
    }
    Ok(())
}

fn files_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    if folder.is_dir() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() { files.extend(files_in(&path)?) } else { files.push(path) }
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::list;

    const SOURCE: &str = r#"
fn one(&self) -> u32 {
    let sum = self.a + 1;
    check(sum, "a = 1 AND b = 2")?;
    Some(Item {
        id: self.id,
        sum,
    })
}

fn two(&self) -> bool {
    self.a == 1 && self.ab == 1
}
"#;

    /// The lines that differ from the source, or the error.
    fn woven(list: &str) -> String {
        let mutants = list::parse(&format!("a.rs\n\n{list}")).unwrap();
        match weave_file(SOURCE, &mutants.iter().collect::<Vec<_>>()) {
            Ok(text) => {
                let lines = text.lines().zip(SOURCE.lines()).filter(|(woven, line)| woven != line);
                lines.map(|(woven, _)| woven.trim()).collect::<Vec<_>>().join("\n")
            }
            Err(why) => why.join("\n"),
        }
    }

    #[test]
    fn values_fields_bindings_and_statements_are_replaced() {
        let value = "value\n- self.a == 1\n+ true\n! p t n";
        let field = "field\n- id: self.id\n+ id: 0\n! p t n";
        let binding = "binding\n- let sum = self.a + 1;\n+ let sum = self.a;\n! p t n";
        let statement = "statement\n- check(sum, \"a = 1 AND b = 2\")?;\n! p t n";
        let choice = |wrong, right| format!("if ::arena::mutant(1) {{{wrong}}} else {{ {right} }}");
        assert_eq!(woven(value), format!("({}) && self.ab == 1", choice(" true ", "self.a == 1")));
        assert_eq!(woven(field), format!("id: ({}),", choice(" 0 ", "self.id")));
        assert_eq!(woven(binding), format!("let sum = ({});", choice(" self.a ", "self.a + 1")));
        assert_eq!(
            woven(statement),
            format!("{{ {} }}", choice("  ", "check(sum, \"a = 1 AND b = 2\")?;"))
        );
        let text = "text\n- \"a = 1 AND b = 2\"\n+ \"a = 1\"\n! p t n";
        let choice = choice(" \"a = 1\" ", "\"a = 1 AND b = 2\"");
        assert_eq!(woven(text), format!("check(sum, ({choice}))?;"));
    }

    #[test]
    fn two_mutants_of_one_place_are_alternatives() {
        let list = "a\n- sum = self.a + 1\n+ sum = 0\n! p t n\n\nb\n- self.a + 1\n+ 2\n! p t n";
        let choice = "if ::arena::mutant(1) { 0 } else if ::arena::mutant(2) { 2 } else";
        assert_eq!(woven(list), format!("let sum = ({choice} {{ self.a + 1 }});"));
    }

    #[test]
    fn what_does_not_fit_is_named() {
        for (list, why) in [
            ("- self.b", "no longer fits: \"self.b\" is not there"),
            ("- sum", "is ambiguous: \"sum\" is there 3 times"),
            ("@ fn two\n- sum", "no longer fits: \"sum\" is not there"),
            ("@ fn three\n- sum", "no longer fits: \"fn three\" is not there"),
            ("- let sum = self.a + 1;", "takes a whole `let` away: begin both sides with it"),
        ] {
            assert_eq!(woven(&format!("bad\n{list}\n! p t n")), format!("a.rs: \"bad\" {why}"));
        }
        let nested = "outer\n- self.a == 1\n! p t n\n\ninner\n@ fn two\n- self.a\n! p t n";
        assert_eq!(woven(nested), "a.rs: \"outer\" overlaps \"inner\"");
    }

    #[test]
    fn every_mutant_of_the_list_fits_its_file_once() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        let mutants = list::read(root).unwrap();
        let names: BTreeSet<&str> = mutants.iter().map(|mutant| &*mutant.name).collect();
        assert_eq!(names.len(), mutants.len(), "a name is used twice");
        if let Err(misfits) = weave(root, &mutants) {
            panic!("\n{misfits}");
        }
    }
}
