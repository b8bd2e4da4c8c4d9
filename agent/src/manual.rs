//! `renju completions` and `renju man`: made from the definition of the command line.

use std::fmt;
use std::io::{self, Write};

use clap::Command;
use clap_mangen::Man;

pub use clap_complete::Shell;

/// Examples for the help page of `renju completions`.
pub const COMPLETIONS: &str = "\
Examples:
  $ renju completions bash > ~/.local/share/bash-completion/completions/renju
  $ renju completions fish > ~/.config/fish/completions/renju.fish
  $ renju completions zsh > \"${fpath[1]}/_renju\"";

/// Examples for the help page of `renju man`.
pub const MAN: &str = "\
Examples:
  $ renju man | man -l -
  $ renju man agent daemon > ~/.local/share/man/man1/renju-agent-daemon.1";

/// Names that lead to no command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownCommand(String);

/// Writes the completions for a shell.
pub fn completions(mut command: Command, shell: Shell, mut output: impl Write) -> io::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "renju", &mut script);
    output.write_all(&script)?;
    output.flush()
}

/// Manual page of the command that `names` lead to; without names, of the tool.
pub fn page(mut command: Command, names: &[String]) -> Result<Man, UnknownCommand> {
    command.build();
    let mut found = &command;
    for name in names {
        let next = found.find_subcommand(name);
        found = next.ok_or_else(|| UnknownCommand(names.join(" ")))?;
    }
    Ok(Man::new(found.clone()))
}

/// Writes a manual page.
pub fn write(page: &Man, mut output: impl Write) -> io::Result<()> {
    page.render(&mut output)?;
    output.flush()
}

impl fmt::Display for UnknownCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no command {:?}; renju --help lists the commands", self.0)
    }
}

impl std::error::Error for UnknownCommand {}
