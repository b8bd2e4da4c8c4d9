//! The tables that a command works on: of a stage on AWS, of an emulator, or of a data directory.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use arena::Pace;
use arena_local::Stack;
use arena_protocol::Note;
use arena_store::environment::variable;
use arena_store::{Access, Config, Store};
use clap::Args;

use crate::error::Error;

#[derive(Args)]
pub(crate) struct Place {
    /// Stage of a deployment, such as prod
    #[arg(long, value_name = "STAGE", global = true, conflicts_with = "data")]
    stage: Option<String>,

    /// Address of an emulator of AWS
    #[arg(long, value_name = "URL", global = true, conflicts_with = "data")]
    endpoint: Option<String>,

    /// Data directory of an arena-local that is not running
    #[arg(long, value_name = "DIR", global = true)]
    data: Option<PathBuf>,
}

/// The tables, open for a command.
pub(crate) struct Opened {
    store: Store,
    /// Declared after the store, whose requests it answers.
    _stack: Option<Stack>,
}

impl Opened {
    pub(crate) fn store(&self) -> &Store {
        &self.store
    }
}

impl Place {
    pub(crate) async fn open(&self) -> Result<Opened, Error> {
        let (store, stack) = match &self.data {
            Some(dir) => {
                let stack = Stack::existing(dir).map_err(|error| Error::of(&error))?;
                (stack.open(Pace::STANDARD).await?, Some(stack))
            }
            None => (self.deployed()?, None),
        };
        let listener = Arc::new(|note: Note<'_>| report(note));
        Ok(Opened { store: store.on_behalf(None, listener), _stack: stack })
    }

    fn deployed(&self) -> Result<Store, Error> {
        let known = self.variables()?;
        let lookup = |name: &'static str| variable(name).or_else(|| known.get(name).cloned());
        let wrong = |error| Error::new(format!("{error}; --stage reads it from a deployment"));
        let config = Config::from_variables(&lookup).map_err(wrong)?;
        let access = match &self.endpoint {
            Some(url) if lookup("AWS_ACCESS_KEY_ID").is_none() => Access::local(url, url),
            Some(url) => {
                let (dynamodb, sqs) = (Some(url.clone()), Some(url.clone()));
                let access = Access::from_variables(&lookup).map_err(wrong)?;
                Access { dynamodb, sqs, is_local: true, ..access }
            }
            None => Access::from_variables(&lookup).map_err(wrong)?,
        };
        Ok(Store::new(&access, config))
    }

    /// Variables that the environment need not have: those of the stage's functions, and the
    /// credentials and the region of the aws command. Commands send no message, so queues need no
    /// address.
    fn variables(&self) -> Result<HashMap<String, String>, Error> {
        let queues = ["REFEREE", "MATCH", "HOUSE"];
        let queues = queues.map(|queue| format!("ARENA_{queue}_QUEUE_URL"));
        let mut known: HashMap<String, String> =
            queues.map(|name| (name, "none".to_owned())).into();
        let is_emulator = self.endpoint.is_some();
        if variable("AWS_REGION").is_none() {
            let region = variable("AWS_DEFAULT_REGION")
                .or_else(|| aws(&["configure", "get", "region"]).ok())
                .or(is_emulator.then(|| "us-east-1".to_owned()));
            let region = region.ok_or_else(|| Error::new("no region: set AWS_REGION"))?;
            known.insert("AWS_REGION".to_owned(), region.trim().to_owned());
        }
        if variable("AWS_ACCESS_KEY_ID").is_none() && !is_emulator {
            let lines = aws(&["configure", "export-credentials", "--format", "env-no-export"])?;
            let pairs = lines.lines().filter_map(|line| line.trim().split_once('='));
            known.extend(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())));
        }
        if let Some(stage) = &self.stage {
            let function = format!("renju-arena-{stage}-referee");
            let mut arguments = vec!["lambda", "get-function-configuration"];
            arguments.extend(["--function-name", &function, "--output", "json"]);
            arguments.extend(["--query", "Environment.Variables"]);
            let region = variable("AWS_REGION").or_else(|| known.get("AWS_REGION").cloned());
            let region = region.unwrap_or_default();
            arguments.extend(["--region", &region]);
            if let Some(url) = &self.endpoint {
                arguments.extend(["--endpoint-url", url]);
            }
            let variables: HashMap<String, String> = serde_json::from_str(&aws(&arguments)?)
                .map_err(|error| Error::new(format!("the variables of {function}: {error}")))?;
            // An empty variable counts as unset.
            known.extend(variables.into_iter().filter(|(_, value)| !value.is_empty()));
        }
        Ok(known)
    }
}

/// Output of the aws command.
fn aws(arguments: &[&str]) -> Result<String, Error> {
    let output = Command::new("aws").args(arguments).output();
    let output =
        output.map_err(|error| Error::new(format!("the aws command is needed: {error}")))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(Error::new(format!("aws {}: {said}", arguments.join(" "))));
    }
    String::from_utf8(output.stdout).map_err(|error| Error::of(&error))
}

/// Tells what a list left out.
fn report(note: Note<'_>) {
    let what = match note {
        Note::Unreadable(why) => format!("skipped: {why}"),
        Note::Failed(fault) => fault.to_string(),
        _ => return,
    };
    // If standard error is gone, there is no other place to report to.
    let _ = writeln!(io::stderr(), "arena-admin: {what}");
}
