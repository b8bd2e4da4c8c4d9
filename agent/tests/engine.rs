//! `renju engine`: whole sessions with the real program, line by line, and unexpected lines.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use arena_support::Random;
use renju::{Play, Point, Record, Ruleset};
use renju_agent::gomocup::{Reply, Session};

/// Long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program and its output.
struct Engine {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Engine {
    fn start() -> Engine {
        Engine::start_with(&[])
    }

    fn start_with(options: &[&str]) -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_renju"))
            .arg("engine")
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                sender.send(line.unwrap()).unwrap();
            }
        });
        Engine { child, input, lines }
    }

    fn say(&mut self, text: &str) {
        self.input.write_all(text.as_bytes()).unwrap();
        self.input.flush().unwrap();
    }

    /// Number of its threads, if the system reports it.
    fn threads(&self) -> Option<usize> {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).ok()?;
        Some(tasks.count())
    }

    fn hear(&self) -> String {
        self.lines.recv_timeout(PATIENCE).unwrap()
    }

    /// Checks that it ends by itself without further output.
    fn ends_well(mut self) {
        assert_eq!(self.lines.recv_timeout(PATIENCE).ok(), None);
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
    }
}

/// Coordinates of `x,y`.
fn spot(text: &str) -> Option<(u8, u8)> {
    let mut numbers = text.split(',').map(|number| number.parse().ok());
    Some((numbers.next()??, numbers.next()??))
}

/// Runs the session of a file with the program. In `< *` every star is some empty point.
fn converse(file: &str, end: &str) {
    let path = format!("{}/tests/data/engine/{file}.txt", env!("CARGO_MANIFEST_DIR"));
    let mut engine = Engine::start();
    let mut occupied = BTreeSet::new();
    for (number, line) in std::fs::read_to_string(path).unwrap().lines().enumerate() {
        let at = format!("{file}, line {}", number + 1);
        if let Some(said) = line.strip_prefix('>') {
            let said = said.trim();
            engine.say(&format!("{said}{end}"));
            let last = said.rsplit(' ').next().unwrap();
            match said.split(' ').next().unwrap().to_ascii_uppercase().as_str() {
                "START" | "RESTART" | "BOARD" | "YXBOARD" | "SWAP2BOARD" => occupied.clear(),
                "TAKEBACK" => drop(spot(last).map(|spot| occupied.remove(&spot))),
                _ => occupied.extend(spot(last)),
            }
        } else if let Some(wanted) = line.strip_prefix("< ") {
            let heard = engine.hear();
            if wanted.contains('*') {
                let spots: Vec<_> = heard.split(' ').map(spot).collect();
                assert_eq!(spots.len(), wanted.split(' ').count(), "{at}: {heard}");
                for spot in spots {
                    let (x, y) = spot.unwrap_or_else(|| panic!("{at}: {heard}"));
                    assert!(x < 20 && y < 20 && occupied.insert((x, y)), "{at}: {heard}");
                }
            } else {
                assert_eq!(heard, wanted, "{at}");
                occupied.extend(spot(wanted));
            }
        }
    }
    engine.ends_well();
}

#[test]
fn a_manager_is_answered_line_by_line() {
    converse("manager", "\n");
    converse("manager", "\r\n");
}

#[test]
fn bad_lines_are_named_and_the_conversation_goes_on() {
    converse("errors", "\n");
    converse("errors", "\r\n");
}

#[test]
fn renju_knows_forbidden_points() {
    converse("renju", "\n");
}

#[test]
fn an_opening_by_swap2_is_answered() {
    converse("swap2", "\n");
}

#[test]
fn the_end_of_the_input_and_the_word_end_stop_a_long_thought() {
    for goodbye in ["END\n", ""] {
        let mut engine = Engine::start();
        engine.say("START 15\nINFO timeout_turn 600000\nTURN 7,7\n");
        assert_eq!(engine.hear(), "OK");
        thread::sleep(Duration::from_millis(300));
        engine.say(goodbye);
        let Engine { mut child, input, lines } = engine;
        drop(input);
        // The best move so far is written.
        assert!(spot(&lines.recv_timeout(PATIENCE).unwrap()).is_some());
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
}

#[test]
fn a_second_thread_thinks_when_it_is_asked_for() {
    let asked = [
        (&[][..], "", 0),
        (&["--threads", "2"], "", 1),
        (&[], "INFO thread_num 2\n", 1),
        (&["--threads", "2"], "INFO thread_num 1\n", 0),
    ];
    for (options, info, helpers) in asked {
        let mut engine = Engine::start_with(options);
        engine.say(&format!("START 15\n{info}INFO timeout_turn 600000\nTURN 7,7\n"));
        assert_eq!(engine.hear(), "OK");
        // The deciding thread, the reading thread, and the helpers.
        let wanted = 2 + helpers;
        while engine.threads().is_some_and(|threads| threads < wanted) {
            assert!(engine.child.try_wait().unwrap().is_none(), "the engine ended");
            thread::sleep(Duration::from_millis(20));
        }
        // Time for one too many to appear.
        thread::sleep(Duration::from_millis(200));
        assert!(engine.threads().is_none_or(|threads| threads == wanted), "{options:?} {info}");
        engine.say("END\n");
        assert!(spot(&engine.hear()).is_some());
        engine.ends_well();
    }
}

#[test]
fn a_move_without_time_is_played_at_once() {
    let mut engine = Engine::start();
    engine.say("START 15\nINFO timeout_turn 0\nTURN 7,7\n");
    assert_eq!(engine.hear(), "OK");
    assert!(spot(&engine.hear()).is_some());
    engine.say("INFO timeout_turn 30000\nINFO time_left -5\nTURN 0,0\n");
    assert!(spot(&engine.hear()).is_some());
    engine.say("END\n");
    engine.ends_well();
}

/// A session in this process, and the stones of its game.
struct Player(Session);

impl Player {
    fn new(size: u8, rule: u8) -> Player {
        let mut player = Player(Session::default());
        assert_eq!(player.hear(&format!("START {size}")), Reply::Line("OK".to_owned()));
        for info in [format!("rule {rule}"), "max_node 400".to_owned(), "max_memory 1".to_owned()] {
            assert_eq!(player.hear(&format!("INFO {info}")), Reply::Silence);
        }
        player
    }

    fn hear(&mut self, line: &str) -> Reply {
        self.0.hear(line, Instant::now(), &AtomicBool::new(false))
    }
}

#[test]
fn two_engines_play_a_legal_game_by_every_rule() {
    for (ruleset, rule, size) in [
        ("gomoku_freestyle", 0, 9),
        ("gomoku_freestyle", 0, 20),
        ("gomoku_exact5", 1, 15),
        ("gomoku_exact5", 1, 20),
        ("renju_free", 4, 15),
    ] {
        let mut players = [Player::new(size, rule), Player::new(size, rule)];
        let mut record = Record::sized(Ruleset::find(ruleset).unwrap(), size).unwrap();
        let mut say = "BEGIN".to_owned();
        while record.position().outcome().is_none() {
            let turn = record.plays().len() % 2;
            let Reply::Line(said) = players[turn].hear(&say) else { panic!("{ruleset}: {say}") };
            let (x, y) = spot(&said).unwrap_or_else(|| panic!("{ruleset}: {record} {said}"));
            let point = Point::new(x, size - 1 - y).unwrap();
            assert!(
                record.position().legal_points().any(|legal| legal == point),
                "{record} {point}"
            );
            record.play(Play::Place(point)).unwrap();
            say = format!("TURN {said}");
        }
    }
}

/// A line that may or may not make sense.
fn some_line(random: &mut Random) -> String {
    let number = |random: &mut Random| match random.below(12) {
        0 => random.pick(&["", "-1", "x", "255", "256", "99999999999999999999"]).to_owned(),
        _ => random.below(9).to_string(),
    };
    let (x, y, who) = (number(random), number(random), 1 + random.below(2));
    let sense = random.pick(&[
        "START 7",
        "START",
        "RESTART",
        "BEGIN",
        "TURN",
        "TURN",
        "TURN",
        "TURN",
        "STONE",
        "STONE",
        "STONE",
        "BOARD",
        "DONE",
        "DONE",
        "SWAP2BOARD",
        "YXBOARD",
        "YXSHOWFORBID",
        "TAKEBACK",
        "INFO rule",
        "INFO time_left",
        "INFO max_memory",
        "INFO max_node",
        "ABOUT",
        "RECTSTART",
        "INFO",
        "",
    ]);
    let line = match sense {
        "STONE" => format!("{x},{y},{who}"),
        "TURN" | "TAKEBACK" | "RECTSTART" => format!("{sense} {x},{y}"),
        "START" | "INFO rule" | "INFO time_left" | "INFO max_node" | "INFO" => {
            format!("{sense} {x}")
        }
        other => other.to_owned(),
    };
    match random.below(20) {
        0 => line.chars().rev().collect(),
        1 => line.replace(' ', "\t").to_ascii_lowercase(),
        2 => format!("{line}\u{0}é☃"),
        3 => line.replace(',', ", "),
        _ => line,
    }
}

/// Stones mentioned in a session: the spots that must be taken.
#[derive(Default)]
struct Watcher {
    taken: BTreeSet<(u8, u8)>,
    listed: Option<BTreeSet<(u8, u8)>>,
}

impl Watcher {
    /// Checks that moves go to empty points of the board, and that any other output is one line of
    /// the protocol.
    fn check(&mut self, line: &str, reply: &Reply) {
        let words: Vec<String> = line.split_whitespace().map(str::to_ascii_uppercase).collect();
        let word = words.first().map_or("", String::as_str);
        if let Reply::Line(said) = reply {
            assert!(!said.contains(['\n', '\r', '\0']), "{line:?}: {said:?}");
            let known = ["OK", "SWAP", "ERROR ", "UNKNOWN ", "FORBID ", "name="];
            let points: Option<Vec<_>> = said.split(' ').map(spot).collect();
            match points {
                Some(points) => {
                    if word == "DONE" {
                        self.taken = self.listed.take().unwrap();
                    } else if word == "TURN" {
                        self.taken.extend(spot(&words[1..].concat()));
                    }
                    for point in points {
                        assert!(self.taken.insert(point), "{line:?}: {said:?} is taken");
                    }
                }
                None => assert!(known.iter().any(|known| said.starts_with(known)), "{said:?}"),
            }
        }
        let is_ok = *reply == Reply::Line("OK".to_owned());
        match word {
            "START" | "RESTART" if is_ok => *self = Watcher::default(),
            "TAKEBACK" if is_ok => {
                self.taken.remove(&spot(&words[1..].concat()).unwrap());
            }
            "BOARD" | "YXBOARD" | "SWAP2BOARD" if *reply == Reply::Silence => {
                self.listed = Some(BTreeSet::new());
            }
            "DONE" => {
                // A position to set, or an opening that was swapped.
                let is_error = matches!(reply, Reply::Line(said) if said.starts_with("ERROR"));
                let listed = self.listed.take();
                self.taken = listed.filter(|_| !is_error).unwrap_or_else(|| self.taken.clone());
            }
            "TURN" if matches!(reply, Reply::Line(said) if said.contains("over")) => {
                // A stone that ends the game stays.
                self.taken.extend(spot(&words[1..].concat()));
            }
            _ => match &mut self.listed {
                Some(listed) if *reply == Reply::Silence => {
                    let stone: String = words.concat();
                    listed.extend(spot(&stone));
                }
                _ => {}
            },
        }
    }
}

#[test]
fn unexpected_lines_never_panic_and_every_move_is_to_an_empty_point() {
    for seed in 0..24 {
        let (mut player, mut random) = (Player::new(7, 0), Random(seed));
        let mut watcher = Watcher::default();
        for _ in 0..300 {
            let line = some_line(&mut random);
            let reply = player.hear(&line);
            if line.split_whitespace().next().is_some_and(|word| word.eq_ignore_ascii_case("end")) {
                break;
            }
            watcher.check(&line, &reply);
            if line.to_ascii_lowercase().contains("max_node") {
                // Thinking up to the clock is tested elsewhere.
                player.hear("INFO max_node 100");
            }
        }
    }
}

#[test]
fn a_line_too_long_to_be_read_spoils_the_list_it_stands_in() {
    let mut engine = Engine::start();
    engine.say("START 15\n");
    assert_eq!(engine.hear(), "OK");
    let long = "9".repeat(1 << 20);
    engine.say(&format!("BOARD\n7,7,1\n{long},8,2\nDONE\n"));
    assert_eq!(engine.hear(), "ERROR the line is too long");
    assert_eq!(engine.hear(), "ERROR the list had a bad line; nothing has changed");
    engine.say("END\n");
    engine.ends_well();
}
