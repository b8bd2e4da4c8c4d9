//! File of several agents, in TOML: a table `[[agent]]` each, whose keys are the options of `renju
//! agent daemon`. Keys before the first table hold for all agents.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, Command, FromArgMatches};
use toml::{Table, Value};

use super::options::{DaemonOptions, Options};

/// Reason a file of agents cannot be used.
#[derive(Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub struct BadConfig {
    pub file: PathBuf,
    pub why: String,
}

/// Reads a file of agents.
pub(super) fn read(file: &Path) -> Result<Vec<DaemonOptions>, BadConfig> {
    let bad = |why: String| BadConfig { file: file.to_owned(), why };
    let text = fs::read_to_string(file).map_err(|error| bad(error.to_string()))?;
    parse(&text).map_err(bad)
}

fn parse(text: &str) -> Result<Vec<DaemonOptions>, String> {
    let mut common: Table = text.parse().map_err(|error: toml::de::Error| {
        let start = error.span().map_or(0, |span| span.start);
        let line = 1 + text.get(..start).unwrap_or_default().matches('\n').count();
        format!("line {line}: {}", error.message())
    })?;
    let tables = match common.remove("agent") {
        Some(Value::Array(tables)) if !tables.is_empty() => tables,
        _ => return Err("there is no [[agent]]".to_owned()),
    };
    let mut agents = Vec::new();
    let mut names = BTreeSet::new();
    for (index, table) in tables.into_iter().enumerate() {
        let number = index + 1;
        let Value::Table(own) = table else {
            return Err(format!("agent {number} is not a table [[agent]]"));
        };
        let agent = read_agent(&common, own).map_err(|why| format!("agent {number}: {why}"))?;
        let Options { name, server, .. } = &agent.options;
        if !names.insert((server.clone(), name.as_str().to_owned())) {
            return Err(format!("agent {number}: {name} is there already"));
        }
        agents.push(agent);
    }
    Ok(agents)
}

/// Reads the keys as arguments of the command line, so that both have the same checks and defaults.
fn read_agent(common: &Table, own: Table) -> Result<DaemonOptions, String> {
    let mut keys = common.clone();
    keys.extend(own);
    let arguments: Vec<String> = keys
        .iter()
        .map(|(key, value)| Ok(format!("--{key}={}", text_of(key, value)?)))
        .collect::<Result<_, String>>()?;
    let command = Command::new("agent").no_binary_name(true).disable_help_flag(true);
    let matches = DaemonOptions::augment_args(command).try_get_matches_from(arguments);
    matches.and_then(|matches| DaemonOptions::from_arg_matches(&matches)).map_err(|error| {
        let text = error.to_string();
        let sentence = text.split("\n\n").next().unwrap_or_default();
        let words: Vec<&str> = sentence.split_whitespace().collect();
        words.join(" ").trim_start_matches("error: ").to_owned()
    })
}

fn text_of(key: &str, value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Integer(number) => Ok(number.to_string()),
        Value::Float(number) => Ok(number.to_string()),
        _ => Err(format!("{key} is neither a text nor a number")),
    }
}

impl fmt::Display for BadConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file.display(), self.why)
    }
}

impl std::error::Error for BadConfig {}

#[cfg(test)]
mod tests {
    use arena::{Opponent, Pool};

    use super::*;
    use crate::agent::OnFailure;

    #[test]
    fn keys_are_options_and_those_at_the_top_hold_for_all() {
        let agents = parse(
            "pool = \"fast\"\nserver = \"http://127.0.0.1:9\"\n\
             [[agent]]\nname = \"ada\"\nbrain = \"jsonl:./ada --depth 3\"\ngames = 2\nthink = 1.5\n\
             [[agent]]\nname = \"bob\"\npool = \"slow\"\nopponent = \"agents\"\n\
             ruleset = \"renju_free\"\non-failure = \"exit\"\n",
        )
        .unwrap();
        let [ada, bob] = &agents[..] else { panic!("{agents:?}") };
        assert_eq!((ada.options.name.as_str(), ada.limit.games), ("ada", Some(2)));
        assert_eq!(ada.options.brain, "jsonl:./ada --depth 3");
        assert_eq!((ada.options.pool, bob.options.pool), (Pool::Fast, Pool::Slow));
        assert_eq!(ada.options.think.map(|think| think.as_millis()), Some(1_500));
        assert_eq!(bob.options.server, "http://127.0.0.1:9");
        assert_eq!((bob.options.ruleset.id, bob.limit.games), ("renju_free", None));
        assert_eq!(bob.options.opponent, Opponent::Agents);
        assert_eq!(bob.options.on_failure, OnFailure::Exit);
        assert_eq!(bob.options.brain, "house:2");
    }

    #[test]
    fn the_file_of_the_documentation_can_be_read() {
        let page = include_str!("../../../docs/agents.md");
        let (_, rest) = page.split_once("```toml\n").unwrap();
        let agents = parse(rest.split_once("```").unwrap().0).unwrap();
        let names: Vec<&str> = agents.iter().map(|agent| agent.options.name.as_str()).collect();
        assert_eq!(names, ["ada", "bob"]);
        assert_eq!(agents[0].options.pool, Pool::Fast);
    }

    #[test]
    fn a_mistake_is_named() {
        for (text, wanted) in [
            ("", "there is no [[agent]]"),
            ("[agent]\nname = \"ada\"", "there is no [[agent]]"),
            ("agent = [1]", "agent 1 is not a table [[agent]]"),
            ("\n[[agent]\n", "line 2: "),
            (
                "[[agent]]\npool = \"fast\"",
                "agent 1: the following required arguments were not provided: --name <NAME>",
            ),
            (
                "[[agent]]\nname = \"ada\"\n[[agent]]\nname = \"bob\"\npool = \"quick\"",
                "agent 2: invalid value 'quick' for '--pool <POOL>': pools are fast, standard and slow",
            ),
            (
                "[[agent]]\nname = \"ada\"\nbrian = \"house:2\"",
                "agent 1: unexpected argument '--brian' found",
            ),
            (
                "[[agent]]\nname = \"ada\"\nbrain = [\"house:2\"]",
                "agent 1: brain is neither a text nor a number",
            ),
            (
                "[[agent]]\nname = \"ada\"\n[[agent]]\nname = \"ada\"",
                "agent 2: ada is there already",
            ),
        ] {
            let why = parse(text).unwrap_err();
            assert!(why.starts_with(wanted), "{text}: {why}");
        }
    }
}
