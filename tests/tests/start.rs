//! The real program when it starts: what it refuses, and what it says then.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::Duration;

use arena_support::{Agent, Directory, Process};
use tokio::process::Command;

use crate::restart::PROGRAM;

/// A program that starts after all would run for ever.
const START_MAX: Duration = Duration::from_secs(60);

async fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(PROGRAM);
    let output = command.args(arguments).stdin(Stdio::null()).kill_on_drop(true).output();
    match tokio::time::timeout(START_MAX, output).await {
        Ok(output) => output.unwrap(),
        Err(_) => panic!("{arguments:?} is not refused"),
    }
}

/// The one line that the program says about a start that fails.
async fn refusal(arguments: &[&str]) -> String {
    let Output { status, stdout, stderr } = run(arguments).await;
    let said = String::from_utf8(stderr).unwrap();
    assert_eq!((status.code(), stdout.as_slice()), (Some(1), &b""[..]), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    said.trim_end().strip_prefix("arena-local: ").unwrap_or_else(|| panic!("{said}")).to_owned()
}

/// As [`refusal`], for a port that is free and a data directory.
async fn refusal_of(data: &str) -> String {
    refusal(&["--listen", "127.0.0.1:0", "--data", data]).await
}

fn file(data: &Directory, name: &str) -> PathBuf {
    Path::new(data.path()).join(name)
}

/// A directory with tables in which something is written, and no server.
async fn with_tables(name: &str) -> Directory {
    let data = Directory::new(name);
    let process = Process::start(PROGRAM, &["--data", data.path()]).await;
    for agent in 0..50 {
        Agent::register(&process.client, &format!("agent-{agent}")).await;
    }
    process.stop().await;
    data
}

#[tokio::test]
async fn a_second_server_on_the_same_data_is_refused() {
    let data = Directory::new("locked");
    let first = Process::start(PROGRAM, &["--data", data.path()]).await;
    let said = refusal_of(data.path()).await;
    let expected = format!(
        "{} is in use by another arena-local: stop that one, or choose another --data",
        data.path()
    );
    assert_eq!(said, expected);
    first.client.get("/health").send().await.ok();
    // A lock does not outlive its holder, however that ended.
    first.kill().await;
    Process::start(PROGRAM, &["--data", data.path()]).await;
}

#[tokio::test]
async fn a_data_directory_that_is_a_file_is_refused() {
    let data = Directory::new("not-a-directory");
    fs::write(data.path(), "a shopping list").unwrap();
    let said = refusal_of(data.path()).await;
    let expected =
        format!("{} is a file: choose a directory for --data, or move the file away", data.path());
    assert_eq!(said, expected);
    fs::remove_file(data.path()).unwrap();
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_data_directory_that_cannot_be_written_is_named() {
    // Nobody makes a file here, not even the superuser.
    for (data, path) in [("/sys", "/sys/lock"), ("/sys/arena-data", "/sys/arena-data")] {
        let said = refusal_of(data).await;
        assert!(said.starts_with(&format!("{path} cannot be used: ")), "{said}");
        assert!(said.ends_with("; --data can name another directory"), "{said}");
    }
}

#[tokio::test]
async fn tables_that_are_no_database_are_refused_and_left_alone() {
    let data = Directory::new("garbage");
    let tables = file(&data, "dynamodb.sqlite");
    fs::create_dir(data.path()).unwrap();
    fs::write(&tables, "a shopping list\n".repeat(1_000)).unwrap();
    let said = refusal_of(data.path()).await;
    assert_eq!(said, foreign(&tables));
    assert_eq!(fs::read_to_string(&tables).unwrap(), "a shopping list\n".repeat(1_000));
}

#[tokio::test]
async fn tables_of_another_program_are_refused_and_left_alone() {
    let data = Directory::new("foreign");
    let tables = file(&data, "dynamodb.sqlite");
    fs::create_dir(data.path()).unwrap();
    let other = rusqlite::Connection::open(&tables).unwrap();
    other.execute_batch("CREATE TABLE bookmarks (url TEXT)").unwrap();
    drop(other);
    let before = fs::read(&tables).unwrap();
    assert_eq!(refusal_of(data.path()).await, foreign(&tables));
    assert_eq!(fs::read(&tables).unwrap(), before);
}

fn foreign(tables: &Path) -> String {
    format!(
        "{} does not hold the tables of an arena: move it away to start with empty tables, or \
         choose another --data",
        tables.display()
    )
}

#[tokio::test]
async fn damaged_tables_are_refused() {
    let data = with_tables("damaged").await;
    let tables = file(&data, "dynamodb.sqlite");
    let whole = fs::read(&tables).unwrap();
    let page = usize::from(u16::from_be_bytes([whole[16], whole[17]]));
    assert!(whole.len() > 4 * page);
    // Some page in the middle; every page but the first; an end that is missing.
    let mut one = whole.clone();
    one[2 * page..3 * page].fill(0x5a);
    let mut most = whole.clone();
    most[page..].fill(0x5a);
    for damaged in [one, most, whole[..whole.len() / 2].to_vec()] {
        fs::write(&tables, &damaged).unwrap();
        let said = refusal_of(data.path()).await;
        assert!(said.starts_with(&format!("{} is damaged (", tables.display())), "{said}");
        let advice = "): restore a backup, move it away to start with empty tables, or choose \
                      another --data";
        assert!(said.ends_with(advice), "{said}");
    }
    fs::write(&tables, &whole).unwrap();
    let process = Process::start(PROGRAM, &["--data", data.path()]).await;
    process.client.get("/agents/agent-49").send().await.ok();
}

#[tokio::test]
async fn a_pepper_that_cannot_be_one_is_refused_and_left_alone() {
    let data = with_tables("pepper").await;
    let pepper = file(&data, "pepper");
    for short in ["", "salt"] {
        fs::write(&pepper, short).unwrap();
        let said = refusal_of(data.path()).await;
        let expected = format!("{} is too short ({} bytes, 32 are", pepper.display(), short.len());
        assert!(said.starts_with(&expected), "{said}");
        assert_eq!(fs::read_to_string(&pepper).unwrap(), short);
    }
    fs::remove_file(&pepper).unwrap();
    fs::create_dir(&pepper).unwrap();
    let said = refusal_of(data.path()).await;
    assert!(said.starts_with(&format!("{} cannot be used: ", pepper.display())), "{said}");
}

#[tokio::test]
async fn an_address_in_use_is_named() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let said = refusal(&["--ephemeral", "--listen", &address.to_string()]).await;
    assert!(said.starts_with(&format!("cannot listen on {address}: ")), "{said}");
    let port = address.port().to_string();
    let said = refusal(&["--ephemeral", "--listen", "127.0.0.1:0", "--duel-port", &port]).await;
    assert!(said.starts_with(&format!("cannot listen on {address}: ")), "{said}");
}

#[tokio::test]
async fn settings_that_make_no_sense_are_refused() {
    for (flag, value) in [
        ("--turn-seconds", "0"),
        ("--turn-seconds", "604801"),
        ("--turn-seconds", "4294967296"),
        ("--grace-seconds", "3601"),
        ("--sweep-seconds", "0"),
        ("--sweep-seconds", "18446744073709551615"),
        ("--house-seconds", "4294967295"),
        ("--wait-seconds", "301"),
        ("--requests", "0"),
        ("--registrations", "-1"),
    ] {
        let set = format!("{flag}={value}");
        let output = run(&["--ephemeral", "--listen", "127.0.0.1:0", &set]).await;
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{set}: {said}");
        assert!(said.contains(&format!("invalid value '{value}' for '{flag}")), "{said}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn what_is_kept_is_readable_by_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;

    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let files = ["lock", "pepper", "dynamodb.sqlite", "dynamodb.sqlite-wal", "dynamodb.sqlite-shm"];
    let data = Directory::new("private");
    let process = Process::start(PROGRAM, &["--data", data.path()]).await;
    Agent::register(&process.client, "alice").await;
    assert_eq!(mode(Path::new(data.path())), 0o700);
    assert_eq!(files.map(|name| mode(&file(&data, name))), [0o600; 5]);
    process.kill().await;
    // Those of earlier versions were open to everybody.
    for name in files {
        fs::set_permissions(file(&data, name), PermissionsExt::from_mode(0o644)).unwrap();
    }
    let _process = Process::start(PROGRAM, &["--data", data.path()]).await;
    assert_eq!(files.map(|name| mode(&file(&data, name))), [0o600; 5]);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn one_port_is_open_and_no_other() {
    let process = Process::start(PROGRAM, &["--ephemeral"]).await;
    let id = process.id();
    let is_socket = |entry: fs::DirEntry| {
        let link = fs::read_link(entry.path()).ok()?;
        link.to_str()?.strip_prefix("socket:[")?.strip_suffix(']').map(str::to_owned)
    };
    let mut sockets = fs::read_dir(format!("/proc/{id}/fd")).unwrap().flatten();
    let sockets: Vec<String> = sockets.by_ref().filter_map(is_socket).collect();
    let tables = ["tcp", "tcp6"].map(|table| fs::read_to_string(format!("/proc/{id}/net/{table}")));
    let listening = tables.iter().flatten().flat_map(|table| table.lines()).filter(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        fields[3] == "0A" && sockets.iter().any(|socket| socket == fields[9])
    });
    assert_eq!(listening.count(), 1);
}
