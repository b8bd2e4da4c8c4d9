//! The Gomocup protocol, line by line: the input and output of an engine in a whole game.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use arena_support::{Directory, record};
use renju::Ruleset;
use renju_agent::brain::{self, Brain, BrainError, IoLog};

const LIMIT: Duration = Duration::from_secs(10);

/// An engine that plays the next point of a list, logs the conversation, and misbehaves if the list
/// says so.
const ENGINE: &str = r#"
import os, sys, time
script, end, log = sys.argv[1].split(), sys.argv[2].encode().decode("unicode_escape"), open(sys.argv[3], "a")
played = int(open(sys.argv[3] + ".n").read()) if os.path.exists(sys.argv[3] + ".n") else 0
def say(text):
    log.write("< " + text + "\n"); log.flush()
    sys.stdout.write(text + end); sys.stdout.flush()
def move():
    global played
    word = script[played]; played += 1
    open(sys.argv[3] + ".n", "w").write(str(played))
    if word == "die": log.write("< (dies)\n"); log.flush(); os._exit(9)
    if word == "hang": log.write("< (hangs)\n"); log.flush(); time.sleep(60)
    if word == "talk":
        for text in ["MESSAGE thinking", "DEBUG depth 7", "", "ERROR too hot", "UNKNOWN command"]: say(text)
        return move()
    say(word)
board = False
for line in sys.stdin.buffer:
    line = line.decode().rstrip("\r\n")
    log.write("> " + line + "\n"); log.flush()
    word = line.split(" ")[0]
    if word == "START": say("OK - everything is good")
    elif word == "BEGIN" or word == "TURN": move()
    elif word == "BOARD": board = True
    elif word == "DONE": board = False; move()
    elif word == "END": break
"#;

struct Dir(Directory);

impl Dir {
    fn new(test: &str) -> Dir {
        let dir = Directory::new(&format!("piskvork-{test}"));
        dir.write("engine.py", ENGINE);
        Dir(dir)
    }

    /// An engine that answers with the words of `script` and ends its lines with `end`.
    fn engine(&self, script: &str, end: &str) -> Box<dyn Brain> {
        let dir = self.0.path();
        let end = end.escape_default();
        brain::open(&format!("piskvork:exec python3 {dir}/engine.py '{script}' '{end}' {dir}/log"))
            .unwrap()
    }

    /// The conversation so far. The time the engine is given depends on how long it took to start:
    /// the first such line is kept without its number, the others are dropped.
    fn log(&self) -> String {
        let text = fs::read_to_string(self.0.file("log")).unwrap();
        let mut log = String::new();
        for line in text.lines() {
            match line.strip_prefix("> INFO timeout_turn ") {
                None => log.push_str(line),
                Some(ms) => {
                    let ms: u128 = ms.parse().unwrap();
                    assert!((1_000..=9_500).contains(&ms), "{ms}");
                    if log.contains("timeout_turn") {
                        continue;
                    }
                    log.push_str("> INFO timeout_turn (ms)");
                }
            }
            log.push('\n');
        }
        log
    }
}

fn ask(engine: &mut dyn Brain, plays: &str) -> Result<String, BrainError> {
    engine.choose(&record("gomoku_freestyle", plays), LIMIT).map(|play| play.to_string())
}

/// The engine is Black and wins; its second answer comes after all kinds of chatter.
fn whole_game(test: &str, end: &str) -> String {
    let dir = Dir::new(test);
    let mut engine = dir.engine("7,7 talk 8,7 9,7 10,7 11,7", end);
    // Rows are counted from the top: 7,7 is h8 in either direction, 8,7 is i8, 0,14 is a1.
    assert_eq!(ask(engine.as_mut(), ""), Ok("h8".to_owned()));
    assert_eq!(ask(engine.as_mut(), "h8 a1"), Ok("i8".to_owned()));
    assert_eq!(ask(engine.as_mut(), "h8 a1 i8 b1"), Ok("j8".to_owned()));
    assert_eq!(ask(engine.as_mut(), "h8 a1 i8 b1 j8 c15"), Ok("k8".to_owned()));
    assert_eq!(ask(engine.as_mut(), "h8 a1 i8 b1 j8 c15 k8 o2"), Ok("l8".to_owned()));
    drop(engine);
    dir.log()
}

#[test]
fn a_whole_game_line_by_line() {
    let golden = "\
> START 15
< OK - everything is good
> INFO timeout_match 0
> INFO max_memory 367001600
> INFO game_type 1
> INFO rule 0
> INFO timeout_turn (ms)
> INFO time_left 2147483647
> BEGIN
< 7,7
> INFO time_left 2147483647
> TURN 0,14
< MESSAGE thinking
< DEBUG depth 7
< 
< ERROR too hot
< UNKNOWN command
< 8,7
> INFO time_left 2147483647
> TURN 1,14
< 9,7
> INFO time_left 2147483647
> TURN 2,0
< 10,7
> INFO time_left 2147483647
> TURN 14,13
< 11,7
> END
";
    assert_eq!(whole_game("lf", "\n"), golden);
    assert_eq!(whole_game("crlf", "\r\n"), golden);
}

#[test]
fn a_game_taken_up_in_the_middle_is_sent_as_a_board_in_move_order() {
    let dir = Dir::new("board");
    let mut engine = dir.engine("3,3 4,4", "\n");
    let plays = "h8 keep i9 swap g7 keep k8 keep h10 keep";
    let renju = record("renju_taraguchi10_international", plays);
    assert_eq!(engine.choose(&renju, LIMIT).unwrap().to_string(), "d12");
    // A point other than the engine's was played: it must be told.
    let renju = record("renju_taraguchi10_international", &format!("{plays} a1 a2"));
    assert_eq!(engine.choose(&renju, LIMIT).unwrap().to_string(), "e11");
    drop(engine);
    let expected = "\
> INFO rule 4
> INFO timeout_turn (ms)
> INFO time_left 2147483647
> BOARD
> 7,7,2
> 8,6,1
> 6,8,2
> 10,7,1
> 7,5,2
> DONE
< 3,3
> INFO time_left 2147483647
> BOARD
> 7,7,2
> 8,6,1
> 6,8,2
> 10,7,1
> 7,5,2
> 0,14,1
> 0,13,2
> DONE
< 4,4
> END
";
    let log = dir.log();
    assert!(log.ends_with(expected), "{log}");
}

#[test]
fn only_rulesets_with_captures_are_refused() {
    let engine = brain::open("piskvork:none").unwrap();
    for ruleset in Ruleset::ALL {
        assert_eq!(
            engine.check(ruleset).is_err(),
            ruleset.pairs_to_win.is_some(),
            "{}",
            ruleset.id
        );
    }
    // An agent may also find itself in a game that another program has joined.
    let dir = Dir::new("captures");
    let answer = dir.engine("0,0", "\n").choose(&record("gomoku_capture", "j10"), LIMIT);
    assert_eq!(answer, Err(BrainError::NoCaptures));
}

#[test]
fn a_dead_engine_is_started_once_more_within_the_decision() {
    let dir = Dir::new("dead");
    let mut engine = dir.engine("7,7 die 8,7 die die", "\n");
    assert_eq!(ask(engine.as_mut(), ""), Ok("h8".to_owned()));
    assert_eq!(ask(engine.as_mut(), "h8 a1"), Ok("i8".to_owned()));
    let log = dir.log();
    assert!(log.contains("> BOARD\n> 7,7,1\n> 0,14,2\n> DONE\n< 8,7\n"), "{log}");
    match ask(engine.as_mut(), "h8 a1 i8 b1") {
        Err(BrainError::Gone(why)) => assert_eq!(why, "it ended with exit status: 9"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_hung_engine_is_ended_in_time_and_started_for_the_next_decision() {
    let dir = Dir::new("hung");
    let mut engine = dir.engine("hang 7,7", "\n");
    let empty = record("gomoku_freestyle", "");
    let log = dir.0.file("log");
    let hangs = || fs::read_to_string(&log).is_ok_and(|text| text.contains("(hangs)"));
    // On a busy machine it may be late before it has read the question.
    while !hangs() {
        assert_eq!(engine.choose(&empty, Duration::from_secs(1)), Err(BrainError::Late));
    }
    assert_eq!(ask(engine.as_mut(), ""), Ok("h8".to_owned()));
}

#[test]
fn malformed_replies_are_named() {
    for (said, shown) in [
        ("7;7", "7;7"),
        ("99,3", "99,3"),
        ("-1,3", "-1,3"),
        ("7,7,7", "7,7,7"),
        ("\u{1b}[2J", "\u{fffd}[2J"),
    ] {
        let dir = Dir::new("malformed");
        let mut engine = dir.engine(said, "\n");
        assert_eq!(ask(engine.as_mut(), ""), Err(BrainError::Nonsense(shown.to_owned())));
    }
    let endless = "piskvork:head -c 100000 /dev/zero | tr '\\0' x; echo; cat";
    let answer = ask(brain::open(endless).unwrap().as_mut(), "");
    assert_eq!(answer, Err(BrainError::Nonsense("an endless line".to_owned())));
}

#[test]
fn an_engine_that_does_not_get_ready_is_quoted() {
    for (command, said) in [
        ("read line; echo ERROR board too large; cat", "ERROR board too large"),
        ("echo MESSAGE hello; echo; read line; echo \"huh, $line?\"; sleep 60", "huh, START 15?"),
    ] {
        let mut engine = brain::open(&format!("piskvork:{command}")).unwrap();
        let answer = engine.choose(&record("gomoku_freestyle", ""), Duration::from_secs(2));
        let why = answer.unwrap_err().to_string();
        assert_eq!(why, format!("the bot is not ready: to START it said {said}"));
    }
    let mut silent = brain::open("piskvork:sleep 60").unwrap();
    let answer = silent.choose(&record("gomoku_freestyle", ""), Duration::from_millis(300));
    assert_eq!(answer, Err(BrainError::Late));
}

#[test]
fn the_dialogue_is_logged_line_by_line() {
    let dir = Dir::new("io-log");
    let file = dir.0.write("dialogue", "");
    let mut engine = dir.engine("talk 7,7", "\r\n");
    *engine.io_log().unwrap() = Some(IoLog::append(Path::new(&file)).unwrap());
    assert_eq!(ask(engine.as_mut(), ""), Ok("h8".to_owned()));
    drop(engine);
    let text = fs::read_to_string(file).unwrap();
    let dialogue: Vec<String> = text
        .lines()
        .map(|line| {
            let (time, rest) = line.split_once(' ').unwrap();
            assert!(time.len() == 24 && time.ends_with('Z'), "{line}");
            assert!(rest.starts_with("piskvork:exec python3 engine.py 'talk 7,7' "), "{line}");
            rest.to_owned()
        })
        .collect();
    // Both sides are logged as they come; the engine's own log has the same lines.
    let said = |sign: &str, lines: &[String]| -> Vec<String> {
        let lines = lines.iter().filter_map(|line| line.split_once(&format!("{sign} ")));
        lines.map(|(_, line)| line.to_owned()).collect()
    };
    let own: Vec<String> =
        fs::read_to_string(dir.0.file("log")).unwrap().lines().map(str::to_owned).collect();
    for sign in [">", "<"] {
        assert_eq!(said(sign, &dialogue), said(sign, &own), "{text}");
    }
    assert!(said("<", &dialogue).contains(&"DEBUG depth 7".to_owned()), "{text}");
}

#[test]
fn an_error_stream_is_logged_too_and_brains_without_a_program_have_no_dialogue() {
    let dir = Directory::new("piskvork-io-error");
    let file = dir.write("dialogue", "");
    let mut program = brain::open("exec:echo warming up >&2; echo '\"a1\"'").unwrap();
    *program.io_log().unwrap() = Some(IoLog::append(Path::new(&file)).unwrap());
    assert_eq!(ask(program.as_mut(), "h8"), Ok("a1".to_owned()));
    let logged = |words: &str| fs::read_to_string(&file).unwrap().contains(words);
    assert!(logged(" > {\"ruleset\":\"gomoku_freestyle\",") && logged(" < \"a1\"\n"));
    // Another thread reads the error stream.
    let until = Instant::now() + LIMIT;
    while !logged(" ! warming up\n") {
        assert!(Instant::now() < until);
        thread::sleep(Duration::from_millis(5));
    }
    assert!(brain::open("house:2").unwrap().io_log().is_none());
}
