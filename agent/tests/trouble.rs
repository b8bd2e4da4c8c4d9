//! `renju agent` in trouble, against a small server that counts requests.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::{Child, Output};
use std::thread;
use std::time::{Duration, Instant};

use arena::{HouseLevel, Opponent, Pool};
use arena_wire::JoinRequest;
use common::arena::{Home, Mood, Server, complaint, signal, told};
use serde_json::Value;

fn lonely() -> Mood {
    Mood { lonely: true, ..Mood::default() }
}

#[test]
fn an_unknown_server_is_named_and_tried_only_a_few_times() {
    let home = Home::new("unknown");
    // A port that was free a moment ago.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let output = home.run("daemon", &format!("http://127.0.0.1:{port}"), &[]);
    let line = complaint(&output);
    assert!(line.starts_with(&format!("renju: cannot reach http://127.0.0.1:{port}: ")), "{line}");
    assert!((1..20).contains(&told(&output).lines().count()), "{}", told(&output));

    let output = home.run("daemon", "http://no-such-host.invalid", &[]);
    let line = complaint(&output);
    assert!(line.starts_with("renju: cannot reach http://no-such-host.invalid: "), "{line}");

    let output = home.run("daemon", "127.0.0.1:8080", &[]);
    let line = "renju: \"127.0.0.1:8080\" is not a server such as http://127.0.0.1:8080";
    assert_eq!(complaint(&output), line);
}

#[test]
fn something_that_is_no_arena_is_recognised() {
    let home = Home::new("strange");
    for status in [200, 404] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut buffer = [0; 4096];
                let _ = stream.read(&mut buffer);
                let page = "<html>\n<p>It works!</p></html>";
                let head = format!(
                    "HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
                    page.len()
                );
                let _ = stream.write_all((head + page).as_bytes());
            }
        });
        let words = format!("is not an arena (status {status})");
        for output in [home.run("once", &url, &[]), home.python(&url).output().unwrap()] {
            let line = complaint(&output);
            assert!(line.contains(&words), "{line}");
        }
    }
}

#[test]
fn the_python_starter_says_what_is_no_address() {
    let home = Home::new("address");
    for address in ["127.0.0.1:8080", "http://127.0.0.1:80x0"] {
        let line = complaint(&home.python(address).output().unwrap());
        assert!(line.contains("is not a server such as http://127.0.0.1:8080"), "{line}");
    }
}

#[test]
fn a_wrong_key_is_said_so_after_one_request() {
    let server = Server::start(Mood { unknown_key: true, ..Mood::default() });
    let home = Home::new("key");
    let mut command = home.agent("daemon", &server.url, &[]);
    let output = command.env("RENJU_API_KEY", "rk1_ada_wrong").output().unwrap();
    let line = format!("renju: {} rejected the API key from RENJU_API_KEY", server.url);
    assert_eq!(complaint(&output), line);
    assert_eq!(server.asked(), ["GET /agents/me"]);
}

#[test]
fn a_key_of_another_agent_is_not_used_under_a_wrong_name() {
    let server = Server::start(Mood::default());
    let home = Home::new("other");
    let mut command = home.agent("daemon", &server.url, &["--name", "eve"]);
    let output = command.env("RENJU_API_KEY", "rk1_ada_secret").output().unwrap();
    let line = "renju: the API key belongs to ada, not to eve: use --name ada";
    assert_eq!(complaint(&output), line);
    assert_eq!(server.asked(), ["GET /agents/me"]);
}

#[test]
fn keys_are_kept_for_their_owner_only_and_used_again() {
    use std::os::unix::fs::PermissionsExt;
    let server = Server::start(Mood::default());
    let home = Home::new("kept");
    for _ in 0..2 {
        let output = home.run("once", &server.url, &["--brain", "house:0"]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
    assert_eq!(server.count("POST /agents/register"), 1);
    let file = home.0.file("renju/credentials.json");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains(&server.url) && text.contains("rk1_ada_secret"), "{text}");
}

/// Longer than any test takes.
const LONG: Duration = Duration::from_secs(3_600);

/// Waits until a condition holds while the agent runs.
fn until(agent: &mut Child, is_so: impl Fn() -> bool) {
    while !is_so() {
        assert!(agent.try_wait().unwrap().is_none(), "the agent ended");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_busy_server_is_left_alone_and_returned_to() {
    let server = Server::start(lonely());
    let home = Home::new("busy");
    let mut child = home.agent("daemon", &server.url, &["--log", "json"]).spawn().unwrap();
    until(&mut child, || server.count("POST /queue/join") > 0);
    server.arena.lock().unwrap().mood.busy = Some((Instant::now() + LONG, 1));
    let before = server.asked().len();
    until(&mut child, || server.asked().len() > before);
    let first = Instant::now();
    until(&mut child, || server.asked().len() > before + 3);
    // Three pauses of a second or more; the first request may have been noticed late.
    assert!(first.elapsed() > Duration::from_secs(2), "three requests in {:?}", first.elapsed());
    // Then it continues normally.
    server.arena.lock().unwrap().mood.busy = None;
    let before = server.asked().len();
    until(&mut child, || server.asked().len() > before + 1);
    signal(&child, "-INT");
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(0));
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    let words = r#"server error (503): {\"message\":\"Service Unavailable\"}; trying again in"#;
    assert!(text.contains(words), "{text}");
    assert!(text.contains("\"event\":\"stopped\""), "{text}");
    assert_eq!(server.count("POST /queue/leave"), 1);
}

#[test]
fn the_server_is_asked_at_most_once_a_second() {
    let server = Server::start(Mood { asleep: true, ..Mood::default() });
    let home = Home::new("asleep");
    let mut child = home.agent("daemon", &server.url, &[]).spawn().unwrap();
    until(&mut child, || server.count("GET /games/") > 0);
    let (first, before) = (Instant::now(), server.count("GET /games/"));
    until(&mut child, || server.count("GET /games/") >= before + 3);
    // Three pauses of a second or more; the first poll may have been noticed late.
    assert!(first.elapsed() > Duration::from_secs(2), "three polls in {:?}", first.elapsed());
    signal(&child, "-INT");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_wrong_clock_is_mentioned_once_and_costs_nothing() {
    let server = Server::start(Mood { skew_ms: -3_600_000, ..Mood::default() });
    let home = Home::new("skew");
    let output = home.run("daemon", &server.url, &["--games", "1"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let line = "clock is 3600 s ahead of the server's; deadlines follow the server's";
    assert_eq!(told(&output).matches(line).count(), 1, "{}", told(&output));
    assert!(told(&output).contains("won game"), "{}", told(&output));
}

#[test]
fn lost_replies_and_a_kill_in_mid_game_cost_nothing() {
    let server = Server::start(Mood { swallow_every: Some(3), ..Mood::default() });
    let home = Home::new("lost");
    let mut child = home.agent("daemon", &server.url, &["--games", "1"]).spawn().unwrap();
    while server.arena.lock().unwrap().decisions < 4 {
        thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let output = home.run("daemon", &server.url, &["--games", "1"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(told(&output).contains("won game"), "{}", told(&output));
    let arena = server.arena.lock().unwrap();
    let result = arena.game.as_ref().unwrap().result().unwrap();
    assert_eq!((result.winner, result.reason.id()), (Some(arena.seat), "five"));
}

#[test]
fn a_run_from_cron_thinks_a_minute_at_most_however_long_the_turn() {
    let server = Server::start(Mood { turn_ms: Some(3_600_000), ..Mood::default() });
    let home = Home::new("cron");
    let file = home.0.file("view.json");
    let brain = format!("exec:read -r view; printf %s \"$view\" > {file}; echo done");
    for (more, limit_ms) in [(&[][..], 60_000), (&["--think", "90"], 90_000)] {
        let options = ["--on-failure", "fallback", "--brain", &brain];
        let output = home.run("once", &server.url, &[&options, more].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let view = fs::read_to_string(&file).unwrap();
        assert!(view.contains(&format!("\"limit_ms\":{limit_ms}")), "{view}");
    }
}

#[test]
fn a_run_from_cron_decides_as_often_as_it_is_our_turn_and_once_only_once() {
    let server = Server::start(Mood::default());
    let home = Home::new("often");
    let output = home.run("once", &server.url, &["--brain", "house:0"]);
    assert_eq!(told(&output).matches(": played ").count(), 1, "{output:?}");
    let started = Instant::now();
    let output = home.run("cron", &server.url, &["--brain", "house:0", "--for", "4"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(told(&output).matches(": played ").count() > 2, "{output:?}");
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());

    let lonely = Server::start(lonely());
    let output = Home::new("often-lonely").run("cron", &lonely.url, &["--for", "3"]);
    assert!(told(&output).contains("no opponent yet; staying in the queue"), "{output:?}");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn a_second_agent_of_the_same_name_is_told_so() {
    let server = Server::start(lonely());
    let home = Home::new("second");
    let mut first = home.agent("daemon", &server.url, &[]).spawn().unwrap();
    until(&mut first, || server.count("POST /queue/join") > 0);
    let before = server.count("POST");
    let words = format!("ada is already running on this machine, as process {}", first.id());
    let line = complaint(&home.run("daemon", &server.url, &[]));
    assert_eq!(line, format!("renju: {words}"));
    // A run from cron leaves the work to the one before it.
    for mode in ["cron", "once"] {
        let output = home.run(mode, &server.url, &[]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert!(told(&output).contains(&format!("ada: {words}\n")), "{output:?}");
    }
    assert_eq!(server.count("POST"), before);
    // The lock ends with the process, however it ends.
    first.kill().unwrap();
    first.wait().unwrap();
    let output = home.run("cron", &server.url, &["--for", "1"]);
    assert!(told(&output).contains("still waiting for an opponent"), "{output:?}");
}

#[test]
fn two_machines_under_one_name_are_noticed_in_the_queue_and_in_the_game() {
    let server = Server::start(lonely());
    let (here, there) = (Home::new("rival-here"), Home::new("rival-there"));
    let options = ["--ruleset", "renju_free", "--games", "1", "--brain", "jsonl:exit"];
    let mut first = here.agent("daemon", &server.url, &options).spawn().unwrap();
    until(&mut first, || server.count("POST /queue/join") > 0);
    let mut second = there.agent("daemon", &server.url, &[]).spawn().unwrap();
    until(&mut second, || server.count("POST /queue/join") > 1);
    let polls = server.count("GET /queue");
    until(&mut first, || server.count("GET /queue") > polls + 4);
    first.kill().unwrap();
    second.kill().unwrap();
    let texts = [first, second].map(|child| told(&child.wait_with_output().unwrap()));
    let words = "another program seems to play under this name: it waits in the queue for other";
    assert!(texts.iter().any(|text| text.matches(words).count() == 1), "{texts:?}");

    // Both think for a second, and one decision of a turn counts.
    let server = Server::start(Mood::default());
    let (here, there) = (Home::new("rival-one"), Home::new("rival-two"));
    let slow = |word: &str| format!("exec:read -r view; sleep 1; echo '{word}'");
    let daemons = [(here, slow("\"keep\"")), (there, slow("\"swap\""))].map(|(home, brain)| {
        let more = ["--brain", &brain, "--games", "1", "--max-failures", "1"];
        home.agent("daemon", &server.url, &more).spawn().unwrap()
    });
    let texts = daemons.map(|child| told(&child.wait_with_output().unwrap()));
    let words = "another program seems to play under this name: it made the decision of this turn";
    assert!(texts.iter().any(|text| text.matches(words).count() == 1), "{texts:?}");
}

#[test]
fn agents_of_one_file_play_on_when_one_of_them_fails() {
    let (one, two) = (Server::start(Mood::default()), Server::start(Mood::default()));
    let home = Home::new("several");
    let file = home.0.write(
        "agents.toml",
        &format!(
            "pool = \"fast\"\ngames = 1\nlog = \"json\"\n\
             [[agent]]\nname = \"ada\"\nserver = \"{}\"\n\
             [[agent]]\nname = \"bob\"\nserver = \"{}\"\nbrain = \"engine:20\"\n\
             [[agent]]\nname = \"eve\"\nserver = \"{}\"\nbrain = \"house:9\"\n",
            one.url, two.url, two.url
        ),
    );
    let output = home.config(&file).output().unwrap();
    assert_eq!(complaint(&output), "renju: 1 of 3 agents failed");
    let text = told(&output);
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (agent, event) in [("ada", "over"), ("bob", "over"), ("eve", "failed")] {
        let is_there = lines.iter().any(|line| line["agent"] == agent && line["event"] == event);
        assert!(is_there, "{agent} {event}: {text}");
    }
    let missing = home.0.file("missing.toml");
    let line = complaint(&home.config(&missing).output().unwrap());
    assert!(line.starts_with(&format!("renju: {missing}: ")), "{line}");
}

#[test]
fn a_place_in_the_queue_is_kept_only_for_the_games_that_are_wanted() {
    let server = Server::start(lonely());
    let home = Home::new("places");
    let (taken, kept) = ("ada: waiting for an opponent: ", "ada: still waiting for an opponent: ");
    let left = "left the queue for renju_free, fast";
    let level = HouseLevel::new(2).map(Opponent::House).unwrap();
    for (ruleset, opponent, words, joins, leaves) in [
        ("renju_free", ("anyone", Opponent::Anyone), &[taken][..], 1, 0),
        ("renju_free", ("anyone", Opponent::Anyone), &[kept], 1, 0),
        ("renju_free", ("agents", Opponent::Agents), &[left, taken], 2, 1),
        ("renju_free", ("house:2", level), &[left, taken], 3, 2),
        ("gomoku_swap2", ("house:2", level), &[left, taken], 4, 3),
    ] {
        let options = ["--ruleset", ruleset, "--opponent", opponent.0];
        let mut child = home.agent("daemon", &server.url, &options).spawn().unwrap();
        let polls = server.count("GET /queue");
        while server.count("GET /queue") == polls {
            assert!(child.try_wait().unwrap().is_none(), "the agent ended");
            thread::sleep(Duration::from_millis(20));
        }
        child.kill().unwrap();
        let text = told(&child.wait_with_output().unwrap());
        assert!(words.iter().all(|words| text.contains(words)), "{text}");
        assert!(text.contains(&format!("waiting for an opponent: {ruleset}, fast")), "{text}");
        assert_eq!(server.count("POST /queue/join"), joins, "{text}");
        assert_eq!(server.count("POST /queue/leave"), leaves, "{text}");
        let join = server.arena.lock().unwrap().waiting.clone().unwrap();
        assert_eq!((join.division().ruleset.id, join.opponent()), (ruleset, opponent.1));
    }
}

#[test]
fn the_python_starter_plays_a_game_over_lost_replies() {
    let server = Server::start(Mood { swallow_every: Some(3), ..Mood::default() });
    let home = Home::new("python");
    for games in 1..=2 {
        let output = home.python(&server.url).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert!(told(&output).contains("ada won by five"), "{output:?}");
        assert_eq!(server.count("POST /agents/register"), 1, "game {games}");
        server.arena.lock().unwrap().clear();
    }
    // The tool reads the keys stored by the script.
    let output = home.run("daemon", &server.url, &["--games", "1"]);
    assert!(told(&output).contains("won game"), "{output:?}");
    assert_eq!(server.count("POST /agents/register"), 1);
}

#[test]
fn the_python_starter_gives_up_a_place_for_other_games() {
    let server = Server::start(Mood::default());
    let home = Home::new("python-places");
    // In the standard pool, where an earlier run may have wanted to play.
    let join = JoinRequest::default();
    server.arena.lock().unwrap().waiting = Some(join);
    let output = home.python(&server.url).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let calls = ["POST /queue/leave", "POST /queue/join"].map(|call| server.count(call));
    assert_eq!(calls, [1, 1], "{output:?}");
    let join = server.arena.lock().unwrap().waiting.clone().unwrap();
    assert_eq!(join.division().pool, Pool::Fast);
}

#[test]
fn the_python_client_says_when_a_key_cannot_be_one() {
    let server = Server::start(Mood::default());
    let home = Home::new("python-key");
    let output =
        home.python(&server.url).env("RENJU_API_KEY", "rk1_ada_schlüssel").output().unwrap();
    assert_eq!(complaint(&output), "the API key has characters that no key has");
    assert_eq!(server.count("GET /agents/me"), 0);
}

#[test]
fn the_python_starter_plays_a_game_over_half_replies_and_a_busy_gateway() {
    let busy = Some((Instant::now() + Duration::from_secs(2), 1));
    let server = Server::start(Mood { busy, halve_every: Some(3), ..Mood::default() });
    let home = Home::new("half");
    let output = home.python(&server.url).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = told(&output);
    assert!(text.contains("ada won by five"), "{text}");
    assert!(text.contains("status 503; trying again in"), "{text}");
    assert!(text.contains("IncompleteRead("), "{text}");
}

#[test]
fn what_names_no_brain_or_cannot_be_logged_is_said_before_any_request() {
    let server = Server::start(Mood::default());
    let home = Home::new("names-no-brain");
    let directory = home.0.path();
    for (more, words) in [
        (&["--brain", "foo:1"][..], "there is no brain \"foo:1\"; brains are house:<level>, "),
        (&["--brain", "house:7"], "house:7 has no level from 0 to 6"),
        (&["--brain", "codeclash:/no/main.py"], "/no/main.py is not a file"),
        (
            &["--io-log", "dialogue", "--brain", "house:2"],
            "cannot log the dialogue to dialogue: only piskvork:, jsonl: and exec: brains have a \
             dialogue, not house:2",
        ),
        (
            &["--io-log", directory, "--brain", "exec:cat"],
            &format!("cannot log the dialogue to {directory}: "),
        ),
    ] {
        let line = complaint(&home.agent("once", &server.url, more).output().unwrap());
        assert!(line.starts_with(&format!("renju: {words}")), "{line}");
    }
    assert_eq!(server.asked(), Vec::<String>::new());
    assert!(!fs::exists("dialogue").unwrap());
}

/// Brains that fail, and words of the log about them.
const FAILING: [(&str, &str); 3] = [
    ("exec:echo rubbish", "exec:echo rubbish: not a move: rubbish; "),
    ("exec:echo '\"h8\"'", "exec:echo '\"h8\"' answered h8: "),
    ("piskvork:exit 3", "piskvork:exit 3: the bot is gone: it ended with exit status: 3; "),
];

#[test]
fn a_game_is_resigned_when_the_brain_fails() {
    for (n, (brain, words)) in FAILING.iter().enumerate() {
        let server = Server::start(Mood::default());
        let home = Home::new(&format!("resigns-{n}"));
        let output = home.run("daemon", &server.url, &["--brain", brain, "--games", "1"]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let text = told(&output);
        assert!(text.contains(words) && text.contains("; resigning\n"), "{text}");
        assert!(text.contains("lost game") && text.contains("turns: resign"), "{text}");
        assert!(text.contains(", 1 failure\n"), "{text}");
        assert_eq!(server.count("POST /games/"), text.matches(": played ").count() + 1, "{text}");
    }
}

#[test]
fn a_fallback_wins_the_game_but_ends_the_agent_that_fails_too_often() {
    for (n, (brain, words)) in FAILING.iter().enumerate() {
        let server = Server::start(Mood::default());
        let home = Home::new(&format!("fallback-{n}"));
        let more = ["--brain", brain, "--on-failure", "fallback"];
        let output = home.run("daemon", &server.url, &more);
        let text = told(&output);
        assert!(text.contains(words) && text.contains("; playing "), "{text}");
        assert!(text.contains("won game"), "{text}");
        let line = complaint(&output);
        assert!(
            line.contains("since its last game without a failure; the last one was "),
            "{line}"
        );
        // Another limit is not reached.
        let more = [&more[..], &["--games", "1", "--max-failures", "1000"]].concat();
        server.arena.lock().unwrap().clear();
        assert_eq!(home.run("daemon", &server.url, &more).status.code(), Some(0));
    }
}

#[test]
fn an_agent_exits_when_its_brain_fails_and_continues_the_game_with_another() {
    let server = Server::start(Mood::default());
    let home = Home::new("exits");
    let more = ["--brain", "exec:echo rubbish", "--on-failure", "exit"];
    let line = complaint(&home.run("daemon", &server.url, &more));
    assert!(line.starts_with("renju: exec:echo rubbish: not a move: rubbish; game "), "{line}");
    assert!(line.ends_with(" is still in progress: start again to continue"), "{line}");
    assert_eq!(server.count("POST /games/"), 0);
    let output = home.run("daemon", &server.url, &["--games", "1"]);
    assert!(told(&output).contains("won game"), "{output:?}");
}

/// Plays of the log in JSON by their maker, and the line at the end of the game.
fn makers(output: &Output) -> (BTreeMap<String, u32>, Value) {
    let text = told(output);
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut makers = BTreeMap::new();
    for line in lines.iter().filter(|line| line["event"] == "played") {
        *makers.entry(line["by"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    let end = lines.iter().find(|line| line["event"] == "brain").unwrap();
    (makers, end.clone())
}

#[test]
fn the_log_says_who_made_each_decision() {
    let first_free = "jsonl:while read -r view; do case $view in *'\"phase\":\"play\"'*) echo \"$view\" | \
         sed 's/.*\"legal_moves\":.\\({[^}]*}\\).*/\\1/';; *) echo null;; esac; done";
    for (test, brain, counts) in [
        ("makers-house", "house:2", [true, false, false]),
        ("makers-program", first_free, [true, true, false]),
        ("makers-none", "piskvork:exit 3", [false, true, true]),
    ] {
        let server = Server::start(Mood::default());
        let more = ["--brain", brain, "--on-failure", "fallback", "--log", "json"];
        let more = [&more[..], &["--games", "1", "--max-failures", "1000"]].concat();
        let output = Home::new(test).run("daemon", &server.url, &more);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let (makers, end) = makers(&output);
        for (by, is_there) in ["brain", "opening", "fallback"].into_iter().zip(counts) {
            let made = makers.get(by).copied().unwrap_or(0);
            assert_eq!(end[by], made, "{by}: {output:?}");
            assert_eq!(made > 0, is_there, "{by}: {output:?}");
        }
        let failures = if brain == "piskvork:exit 3" { makers["fallback"] } else { 0 };
        assert_eq!(end["failures"], failures, "{output:?}");
        let (brain, all) = (makers.get("brain").unwrap_or(&0), makers.values().sum::<u32>());
        let words = format!("brain decided {brain} of {all}");
        assert!(end["message"].as_str().unwrap().starts_with(&words), "{end}");
    }
}
