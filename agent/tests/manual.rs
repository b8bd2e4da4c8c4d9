//! Completions, manual pages, help, and the files that start the tool.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::{Command, Output};

use renju::Ruleset;

const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

fn renju(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_renju"));
    command.args(arguments).env_remove("RENJU_API_KEY").output().unwrap()
}

/// Standard output of a run without an error.
fn printed(arguments: &[&str]) -> String {
    let output = renju(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    assert!(output.stderr.is_empty(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_shell_has_completions() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = printed(&["completions", shell]);
        for word in ["daemon", "cron", "match", "on-failure", "io-log"] {
            assert!(script.contains(word), "{shell} lacks {word}");
        }
    }
    assert_eq!(renju(&["completions", "tcl"]).status.code(), Some(2));
}

/// The shell itself completes; nothing is loaded but the script.
#[test]
fn bash_completes_a_command() {
    let script = printed(&["completions", "bash"]);
    let ask = "COMP_WORDS=(renju agent da); COMP_CWORD=2; _renju renju da agent; echo \"${COMPREPLY[@]}\"";
    let output = Command::new("bash").args(["-c", &format!("{script}\n{ask}")]).output();
    match output {
        Ok(output) => assert_eq!(String::from_utf8_lossy(&output.stdout), "daemon\n", "{output:?}"),
        Err(why) => eprintln!("SKIPPED completion in bash: it cannot be started: {why}"),
    }
}

#[test]
fn every_command_has_a_manual_page() {
    for (names, title) in [
        (&[][..], ".TH renju 1"),
        (&["agent", "daemon"], ".TH renju-agent-daemon 1"),
        (&["match"], ".TH renju-match 1"),
    ] {
        let page = printed(&[&["man"], names].concat());
        assert!(page.contains(title), "{page}");
        assert!(page.contains(".SH NAME") && page.contains(".SH SYNOPSIS"), "{page}");
    }
    let output = renju(&["man", "agent", "sleep"]);
    let line = "renju: there is no command \"agent sleep\"; renju --help lists the commands\n";
    assert_eq!(
        (output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()),
        (Some(1), line)
    );
}

#[test]
fn the_help_of_agents_and_matches_lists_the_rulesets() {
    for command in [&["match"][..], &["agent", "daemon"], &["agent", "cron"], &["agent", "once"]] {
        let help = printed(&[command, &["--help"]].concat());
        for ruleset in Ruleset::ALL {
            assert!(
                help.contains(&format!("{}: ", ruleset.id)),
                "{command:?} lacks {}",
                ruleset.id
            );
        }
    }
}

/// The command of a unit, as systemd would start it for the agent `ada`.
fn started(unit: &str) -> Vec<String> {
    let text = std::fs::read_to_string(format!("{FOLDER}/systemd/{unit}")).unwrap();
    let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)).unwrap_or("");
    let mut command = value("ExecStart=").replace("%h", "/no/home").replace("%i", "ada");
    for setting in value("Environment=").split_whitespace() {
        let (name, value) = setting.split_once('=').unwrap();
        command = command.replace(&format!("${{{name}}}"), value);
    }
    assert!(!command.contains(['$', '%']), "{command}");
    let mut words = command.split_whitespace().map(str::to_owned);
    assert_eq!(words.next().as_deref(), Some("/no/home/.cargo/bin/renju"));
    words.collect()
}

#[test]
fn the_units_of_systemd_start_commands_that_the_tool_knows() {
    for (unit, more, wanted) in [
        ("renju.service", None, "renju: /no/home/.config/renju/agents.toml: "),
        (
            "renju-cron@.service",
            Some("--io-log=/no/file"),
            "renju: cannot log the dialogue to /no/file",
        ),
    ] {
        let command = started(unit);
        let arguments: Vec<&str> = command.iter().map(String::as_str).chain(more).collect();
        let output = renju(&arguments);
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && text.starts_with(wanted), "{unit}: {output:?}");
    }
}

#[test]
fn archives_have_the_names_that_binstall_expects() {
    let manifest = include_str!("../Cargo.toml");
    let workflow = include_str!("../../.github/workflows/release.yml");
    assert!(manifest.contains("/v{ version }/renju-{ target }.tgz\""));
    assert!(manifest.contains("bin-dir = \"renju-{ target }/{ bin }{ binary-ext }\""));
    assert!(workflow.contains("NAME: renju-${{ matrix.target }}\n"));
    assert!(workflow.contains("tar -czf \"$NAME.tgz\" \"$NAME\"\n"));
}
