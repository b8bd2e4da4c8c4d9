//! Named mistakes in the real sources, each of which a named test must detect. All of them are
//! woven into one copy of the repository, built once; an environment variable switches one on.
//!
//! ```text
//! cargo run -p arena-mutants                 # all; exit code 1 if one survives
//! cargo run -p arena-mutants -- ticket       # by a part of the name, or by number
//! cargo run -p arena-mutants -- --list
//! ```
//!
//! The woven copy is `target/mutants/tree`, the output of each test `target/mutants/log`.

mod list;
mod run;
mod weave;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::{env, fs, thread};

use clap::Parser;

use list::{Mutant, Test};

/// Weaves named mistakes into a copy of the sources and runs the test that must detect each
#[derive(Parser)]
#[command(name = "arena-mutants", version)]
struct Arguments {
    /// Only mutants whose name or file contains this, or the one with this number
    filter: Option<String>,

    /// List the mutants without running them
    #[arg(long)]
    list: bool,

    /// Build with optimisation
    #[arg(long)]
    release: bool,

    /// Print the table as Markdown
    #[arg(long)]
    markdown: bool,

    /// Tests at a time
    #[arg(long, value_name = "COUNT", default_value_t = 2)]
    jobs: usize,
}

/// Longest panic text that is shown.
const HOW_MAX: usize = 72;

fn main() -> ExitCode {
    match work(&Arguments::parse()) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            // If standard error is gone, there is no other place to report to.
            let _ = writeln!(io::stderr(), "arena-mutants: {error}");
            ExitCode::from(2)
        }
    }
}

/// The number of mutants that survive.
fn work(arguments: &Arguments) -> Result<usize, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("a repository");
    let all = list::read(root)?;
    let is_meant = |mutant: &&Mutant| {
        let Some(text) = &arguments.filter else { return true };
        [&mutant.name, &mutant.file].iter().any(|word| word.contains(text))
            || mutant.number.to_string() == *text
    };
    let mutants: Vec<&Mutant> = all.iter().filter(is_meant).collect();
    if mutants.is_empty() {
        return Err("there is no such mutant".to_owned());
    }
    if arguments.list {
        let rows = mutants.iter().map(|mutant| cells(mutant).to_vec()).collect();
        return print(&["", "mutant", "file", "killed by"], rows, arguments.markdown).map(|()| 0);
    }

    // All are woven in whatever is run, so that the next run need not build again.
    let woven = weave::weave(root, &all)?;
    let target = env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    let target = std::path::absolute(target).map_err(|error| error.to_string())?;
    let [tree, logs] = ["tree", "log"].map(|name| target.join("mutants").join(name));
    weave::copy(root, &tree, &woven).map_err(|error| format!("{tree:?}: {error}"))?;
    fs::create_dir_all(&logs).map_err(|error| format!("{logs:?}: {error}"))?;

    let mut tests: Vec<&Test> = mutants.iter().map(|mutant| &mutant.killed_by).collect();
    tests.sort_unstable();
    tests.dedup();
    let programs = run::build(&tree, &target, &tests, arguments.release)?;
    let run = |test: &Test, mutant: Option<usize>, log: String| {
        let key = (test.package.clone(), test.target.clone());
        let program = programs.get(&key).ok_or_else(|| format!("{test}: no such target"))?;
        let done = run::run(program, &test.name, mutant, &logs.join(log));
        done.map_err(|error| format!("{test}: {error}"))
    };

    let sound = each(&tests, arguments.jobs, |test| run(test, None, format!("{test}.txt")));
    for (test, done) in tests.iter().zip(sound) {
        if let (Some(how), _) = done? {
            return Err(format!("{test} fails without a mutant: {how}"));
        }
    }
    let done = each(&mutants, arguments.jobs, |mutant| {
        run(&mutant.killed_by, Some(mutant.number), format!("{}.txt", mutant.number))
    });
    let (mut rows, mut survivors) = (Vec::new(), 0);
    for (mutant, done) in mutants.iter().zip(done) {
        let (how, took) = done?;
        survivors += usize::from(how.is_none());
        let how = how.map_or("SURVIVES".to_owned(), |how| how.chars().take(HOW_MAX).collect());
        let [number, name, file, test] = cells(mutant);
        rows.push(vec![number, name, file, test, how, format!("{:.1}", took.as_secs_f64())]);
    }
    print(&["", "mutant", "file", "killed by", "how", "s"], rows, arguments.markdown)?;
    let killed = mutants.len() - survivors;
    say(&format!("\n{killed} of {} mutants are killed.", mutants.len()))?;
    Ok(survivors)
}

/// The results of `job`, in the order of the items; `jobs` run at once.
fn each<T: Sync, R: Send>(items: &[T], jobs: usize, job: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let (next, done) = (Mutex::new(items.iter().enumerate()), Mutex::new(BTreeMap::new()));
    thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                while let Some((index, item)) = { next.lock().expect("no job panics").next() } {
                    let result = job(item);
                    done.lock().expect("no job panics").insert(index, result);
                }
            });
        }
    });
    done.into_inner().expect("no job panics").into_values().collect()
}

fn cells(mutant: &Mutant) -> [String; 4] {
    let Mutant { number, name, file, killed_by, .. } = mutant;
    [number.to_string(), name.clone(), file.clone(), killed_by.to_string()]
}

/// Prints a table with aligned columns, or as Markdown.
fn print(head: &[&str], rows: Vec<Vec<String>>, markdown: bool) -> Result<(), String> {
    let head: Vec<String> = head.iter().map(|&cell| cell.to_owned()).collect();
    if markdown {
        let rule = vec!["---".to_owned(); head.len()];
        return [head, rule].into_iter().chain(rows).try_for_each(|row| {
            let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
            say(&format!("| {} |", cells.join(" | ")))
        });
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..head.len()).map(|column| width(column).unwrap_or(0)).collect();
    [head].iter().chain(&rows).try_for_each(|row| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
        say(cells.collect::<Vec<_>>().join("  ").trim_end())
    })
}

fn say(line: &str) -> Result<(), String> {
    writeln!(io::stdout(), "{line}").map_err(|error| error.to_string())
}
