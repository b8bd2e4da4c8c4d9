//! Brains: every phase of every ruleset, and bots that misbehave in every way we could think of.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use arena_support::{Directory, record};
use renju::{Ending, Phase, Play, Record, Ruleset};
use renju_agent::brain::{self, Brain, BrainError, PythonError};

const LIMIT: Duration = Duration::from_secs(20);

/// Plays a game; every play is legal, and a foul only if nothing else is left.
fn play_out(ruleset: &'static Ruleset, brains: &mut [Box<dyn Brain>; 2]) -> Record {
    let mut record = Record::new(ruleset);
    while let Some(seat) = record.position().to_act() {
        let brain = &mut brains[seat as usize];
        let play = brain.choose(&record, LIMIT).unwrap();
        let forced = record.position().legal_points().next().is_none();
        record.play(play).unwrap_or_else(|why| panic!("{} {record} {play}: {why}", ruleset.id));
        let by = record.position().outcome().map(|outcome| outcome.by);
        assert!(forced || !matches!(by, Some(Ending::Foul(_))), "{}: {record}", ruleset.id);
    }
    record
}

fn open(specs: [&str; 2]) -> [Box<dyn Brain>; 2] {
    specs.map(|spec| brain::open(spec).unwrap())
}

/// Files that go away with the test.
struct Dir(Directory);

impl Dir {
    fn new(test: &str) -> Dir {
        Dir(Directory::new(&format!("brains-{test}")))
    }

    /// A brain from a Python bot.
    fn bot(&self, source: &str) -> Box<dyn Brain> {
        brain::open(&format!("codeclash:{}", self.0.write("main.py", source))).unwrap()
    }

    /// A brain from a Python program.
    fn exec(&self, source: &str) -> Box<dyn Brain> {
        brain::open(&format!("exec:python3 {}", self.0.write("think.py", source))).unwrap()
    }
}

/// Answer of the brain after `plays` of Gomoku.
fn said(brain: &mut dyn Brain, plays: &str, limit: Duration) -> Result<String, BrainError> {
    brain.choose(&record("gomoku_freestyle", plays), limit).map(|play| play.to_string())
}

fn nonsense(answer: Result<String, BrainError>) -> String {
    match answer {
        Err(BrainError::Nonsense(what)) => what,
        Err(BrainError::Python(what)) => what.to_string(),
        other => panic!("{other:?}"),
    }
}

fn gone(answer: Result<String, BrainError>) -> String {
    match answer {
        Err(BrainError::Gone(why)) => why,
        Err(BrainError::Python(why @ PythonError::Load { .. })) => why.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_house_plays_every_ruleset_to_its_end_without_a_foul() {
    let mut phases = Vec::new();
    for ruleset in Ruleset::ALL {
        for specs in [
            ["house:0@1", "house:1@2"],
            ["house:2@3", "house:3@4"],
            ["house:4@5", "house:3@6"],
            ["engine:5", "house:2@7"],
        ] {
            let record = play_out(ruleset, &mut open(specs));
            for position in record.positions() {
                let kind = std::mem::discriminant(&position.phase());
                if !phases.contains(&kind) {
                    phases.push(kind);
                }
            }
        }
    }
    // Place, swap, swap-or-put-two, fifth, declare, offer, choose, play, over.
    assert_eq!(phases.len(), 9);
}

#[test]
fn the_house_decides_the_opening_for_brains_that_cannot_wherever_chance_leads() {
    // The decision is legal in any position.
    let mut chance = 1_u64;
    for ruleset in Ruleset::ALL {
        for _ in 0..4 {
            let mut program = brain::open("exec:echo null").unwrap();
            let mut record = Record::new(ruleset);
            while !matches!(record.position().phase(), Phase::Play | Phase::Over(_)) {
                let decided = program.choose(&record, LIMIT).unwrap();
                record.position().play(decided).unwrap_or_else(|why| panic!("{record}: {why}"));
                let plays: Vec<Play> = record.position().plays().collect();
                chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let wandered = plays.get((chance >> 33) as usize % plays.len().max(1));
                record.play(*wandered.unwrap_or(&decided)).unwrap();
            }
        }
    }
}

#[test]
fn the_house_wins_blocks_and_respects_fouls() {
    for level in ["house:1", "house:2", "house:3", "house:6", "engine:50"] {
        let mut house = brain::open(level).unwrap();
        let mut plays = |ruleset, plays| house.choose(&record(ruleset, plays), LIMIT).unwrap();
        let five = plays("gomoku_freestyle", "e8 e1 f8 f1 g8 g1 h8 h1");
        assert!(["d8", "i8"].contains(&five.to_string().as_str()), "{five}");
        assert_eq!(plays("gomoku_freestyle", "e8 d8 f8 a1 g8 c3 h8").to_string(), "i8");
        // Six in a row does not win here: e8 to h8 and j8, so i8 would make six.
        let exact = plays("gomoku_exact5", "e8 e1 f8 f1 g8 g1 h8 a1 j8 a3");
        assert_eq!(exact.to_string(), "d8");
        // White has a four, and nothing else stops it.
        let block = plays("renju_free", "h8 a1 h9 b1 o1 c1 o3 d1");
        assert_eq!(block.to_string(), "e1");
    }
}

#[test]
fn a_stronger_level_wins() {
    let ruleset = Ruleset::find("gomoku_freestyle").unwrap();
    let wins = (0..10).filter(|seed| {
        let record = play_out(ruleset, &mut open(["house:0@7", &format!("house:2@{seed}")]));
        record.position().outcome().and_then(|outcome| outcome.winner) == Some(renju::Color::White)
    });
    assert_eq!(wins.count(), 10);
}

#[test]
fn specs_that_name_no_brain_say_what_does() {
    for (spec, word) in [
        ("alphago", "piskvork:<command>"),
        ("gtp:x", "exec:<command>"),
        ("house:9", "level from 0 to 6"),
        ("engine:", "engine:500"),
        ("engine:fast", "engine:500"),
        ("house:1@x", "seed"),
        ("exec: ", "exec:<command>"),
        ("jsonl:", "jsonl:<command>"),
        ("codeclash:/no/such/main.py", "not a file"),
    ] {
        let error = brain::open(spec).err().unwrap().to_string();
        assert!(error.contains(word) && !error.contains('\n'), "{error}");
    }
}

#[test]
fn a_python_function_plays_and_sees_the_board_as_codeclash_shows_it() {
    let dir = Dir::new("sees");
    let mut bot = dir.bot(
        "def get_move(board, color):\n\
         \x20   assert len(board) == 15 and board[7][7] == 1 and board[8][10] == 2 and color == 'black'\n\
         \x20   print('Draws: 99')\n\
         \x20   return (0, 1)\n",
    );
    assert_eq!(said(bot.as_mut(), "h8 k9", LIMIT), Ok("b1".to_owned()));
    assert_eq!(bot.name(), "codeclash:main.py");
}

#[test]
fn a_python_function_may_return_whatever_int_takes() {
    let dir = Dir::new("int");
    for value in ["(1.0, 2.9)", "['1', ' 2 ']", "[True, 2]", "(Like(1), Like(2))"] {
        let mut bot = dir.bot(&format!(
            "class Like:\n def __init__(self, n): self.n = n\n def __int__(self): return self.n\n\
             def get_move(board, color): return {value}\n"
        ));
        assert_eq!(said(bot.as_mut(), "h8", LIMIT), Ok("c2".to_owned()), "{value}");
    }
}

#[test]
fn nothing_is_left_beside_a_python_bot() {
    let dir = Dir::new("beside");
    dir.0.write("helper.py", "HERE = (0, 0)\n");
    let mut bot = dir.bot("import helper\ndef get_move(board, color): return helper.HERE\n");
    assert_eq!(said(bot.as_mut(), "h8", LIMIT), Ok("a1".to_owned()));
    let mut names: Vec<_> =
        fs::read_dir(dir.0.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["helper.py", "main.py"]);
}

#[test]
fn a_python_bot_keeps_its_memory_within_a_game_and_loses_it_after() {
    let dir = Dir::new("memory");
    let mut bot =
        dir.bot("n = -1\ndef get_move(board, color):\n global n\n n += 1\n return [0, n]\n");
    assert_eq!(said(bot.as_mut(), "h8", LIMIT), Ok("a1".to_owned()));
    assert_eq!(said(bot.as_mut(), "h8 a1 i9", LIMIT), Ok("b1".to_owned()));
    assert_eq!(said(bot.as_mut(), "g7", LIMIT), Ok("a1".to_owned()));
}

#[test]
fn a_python_bot_starts_anew_in_a_game_that_begins_like_the_last_one() {
    let dir = Dir::new("renewed");
    dir.0.write("helper.py", "seen = []\n");
    let mut bot = dir.bot(
        "import helper\ndef get_move(board, color):\n helper.seen.append(1)\n return [0, len(helper.seen)]\n",
    );
    for _ in 0..3 {
        assert_eq!(said(bot.as_mut(), "h8", LIMIT), Ok("b1".to_owned()));
        assert_eq!(said(bot.as_mut(), "h8 b1 i9", LIMIT), Ok("c1".to_owned()));
        assert!(bot.renew());
    }
}

#[test]
fn random_numbers_of_a_python_bot_differ_from_game_to_game() {
    let dir = Dir::new("random");
    let drawn = dir.0.file("drawn");
    let mut bot = dir.bot(&format!(
        "import random\n\
         with open({drawn:?}, 'a') as file: print(random.random(), file=file)\n\
         def get_move(board, color): return (0, 0)\n"
    ));
    for _ in 0..3 {
        assert_eq!(said(bot.as_mut(), "h8", LIMIT), Ok("a1".to_owned()));
        assert!(bot.renew());
    }
    let drawn = fs::read_to_string(drawn).unwrap();
    let mut drawn: Vec<&str> = drawn.lines().collect();
    drawn.sort_unstable();
    drawn.dedup();
    assert_eq!(drawn.len(), 3);
}

#[test]
fn the_programs_of_a_python_bot_end_with_its_game() {
    let dir = Dir::new("leftover");
    let pids = dir.0.file("pids");
    let mut bot = dir.bot(&format!(
        "import subprocess\n\
         child = subprocess.Popen(['sleep', '600'])\n\
         with open({pids:?}, 'a') as pids: print(child.pid, file=pids)\n\
         def get_move(board, color): return (0, 0)\n"
    ));
    assert_eq!(said(bot.as_mut(), "h8", LIMIT), Ok("a1".to_owned()));
    assert!(bot.renew());
    assert_eq!(said(bot.as_mut(), "h8", LIMIT), Ok("a1".to_owned()));
    let lives = |pid: &str| {
        // A process that has ended may wait for its parent as a zombie.
        let asked = Command::new("ps").args(["-o", "stat=", "-p", pid]).output().unwrap();
        let state = String::from_utf8(asked.stdout).unwrap();
        !state.trim().is_empty() && !state.starts_with('Z')
    };
    let pids = fs::read_to_string(pids).unwrap();
    let pids: Vec<&str> = pids.lines().collect();
    assert_eq!(pids.len(), 2);
    let ends = |pid: &str| {
        let until = Instant::now() + LIMIT;
        while lives(pid) && Instant::now() < until {
            thread::sleep(Duration::from_millis(10));
        }
        !lives(pid)
    };
    assert!(ends(pids[0]) && lives(pids[1]));
    drop(bot);
    assert!(ends(pids[1]));
}

#[test]
fn python_bots_that_misbehave_only_fail_themselves() {
    let dir = Dir::new("misbehave");
    let ask = |body: &str| {
        said(
            dir.bot(&format!("import os, sys\ndef get_move(board, color):\n {body}\n")).as_mut(),
            "h8",
            LIMIT,
        )
    };
    assert_eq!(nonsense(ask("return 'h8'")), "get_move returned 'h8', not (row, col)");
    assert_eq!(nonsense(ask("return None")), "get_move returned None, not (row, col)");
    assert_eq!(nonsense(ask("return (1, 2, 3)")), "get_move returned (1, 2, 3), not (row, col)");
    assert_eq!(
        nonsense(ask("return (1, [])")),
        "get_move raised TypeError: int() argument must be a string, a bytes-like object or a real number, not 'list'"
    );
    assert_eq!(
        nonsense(ask("return (1, 1e999)")),
        "get_move raised OverflowError: cannot convert float infinity to integer"
    );
    assert_eq!(nonsense(ask("return (15, 0)")), "(15, 0) is not on the board");
    assert_eq!(nonsense(ask("return (-1, 0)")), "(-1, 0) is not on the board");
    assert_eq!(nonsense(ask("return (10**30, 0)")), "(1e+30, 0) is not on the board");
    assert_eq!(nonsense(ask("1 / 0")), "get_move raised ZeroDivisionError: division by zero");
    assert_eq!(nonsense(ask("sys.exit(3)")), "get_move raised SystemExit: 3");
    assert_eq!(gone(ask("os._exit(3)")), "it ended with exit status: 3");
    assert_eq!(gone(ask("os.kill(os.getpid(), 9)")), "it ended with signal: 9 (SIGKILL)");
    assert_eq!(gone(ask("os.kill(os.getpid(), 15)")), "it ended with signal: 15 (SIGTERM)");
    assert_eq!(ask("os.close(1); os.close(0); return (0, 0)"), Ok("a1".to_owned()));
    // The referee rejects the occupied point.
    assert_eq!(ask("return (7, 7)"), Ok("h8".to_owned()));
    // Printed output is never an answer.
    assert_eq!(
        ask(
            "print('{\"id\": 1, \"value\": [3, 3]}', flush=True); os.write(1, b'{\"id\":1,\"value\":[3,3]}\\n'); return (0, 0)"
        ),
        Ok("a1".to_owned())
    );
}

#[test]
fn python_files_that_cannot_be_loaded_say_why() {
    let dir = Dir::new("load");
    let why = |source: &str| gone(said(dir.bot(source).as_mut(), "h8", LIMIT));
    assert!(why("def get_move(:\n").contains("cannot be loaded: SyntaxError"));
    assert!(why("import no_such_module\n").contains("No module named 'no_such_module'"));
    assert!(why("import sys; sys.exit(0)\n").contains("SystemExit"));
    assert!(why("x = 1\n").contains("it has no function get_move(board, color)"));
}

#[test]
fn a_hanging_bot_is_ended_in_time_and_asked_anew() {
    let dir = Dir::new("hang");
    let flag = dir.0.file("hung");
    let mut bot = dir.bot(&format!(
        "import os\ndef get_move(board, color):\n if not os.path.exists({flag:?}):\n  open({flag:?}, 'w').close()\n  while True: pass\n return (0, 0)\n"
    ));
    // On a busy machine it may be late before it has read the question.
    while !fs::exists(&flag).unwrap() {
        assert_eq!(said(bot.as_mut(), "h8", Duration::from_secs(1)), Err(BrainError::Late));
    }
    assert_eq!(said(bot.as_mut(), "h8", LIMIT), Ok("a1".to_owned()));
}

#[test]
fn hooks_decide_the_opening_where_they_are_there() {
    let dir = Dir::new("hooks");
    let mut bot = dir.bot(
        "def get_move(board, color): return (0, 0)\n\
         def choose_swap(board, color): return color == 'black'\n\
         def offer_ten(board, count): return [(0, c) for c in range(8)] + [(1, 1), (1, 2)] if count == 10 else None\n\
         def choose_fifth(board, candidates): return candidates[2]\n",
    );
    let mut after = |plays: &str| {
        let record = record("renju_taraguchi10_international", plays);
        let play = bot.choose(&record, LIMIT).unwrap();
        record.position().play(play).unwrap();
        play.to_string()
    };
    assert_eq!(after(""), "h8");
    assert_eq!(after("h8"), "keep");
    assert_eq!(after("h8 swap i9"), "swap");
    let opening = "h8 keep i9 keep j10 keep k8 keep";
    let offer = after(opening);
    assert_eq!(offer, "offer:a1,b1,c1,d1,e1,f1,g1,h1,b2,c2");
    assert_eq!(after(&format!("{opening} {offer}")), "c1");
}

#[test]
fn without_hooks_the_driver_offers_ten_that_differ() {
    let dir = Dir::new("driver");
    let mut bot = dir.bot("def get_move(board, color): return (0, 0)\n");
    let record = record("renju_soosorv8_rif", "h8 h9 h10 keep a1 declare:8 keep");
    let play = bot.choose(&record, LIMIT).unwrap();
    let Play::Offer(offer) = play else { panic!("{play}") };
    assert_eq!(offer.points().len(), 8);
    let mut after = record.clone();
    after.play(play).unwrap();
    assert!(
        matches!(bot.choose(&after, LIMIT).unwrap(), Play::Place(point) if offer.points().contains(&point))
    );
}

#[test]
fn a_program_reads_a_view_and_writes_a_decision() {
    let dir = Dir::new("exec");
    let mut program = dir.exec(
        "import json, sys\n\
         view = json.load(sys.stdin)\n\
         assert view['moves'] == ['h8', 'i9'] and view['color'] == 'black' == view['turn_color']\n\
         assert view['board'][7] == '.......x.......' and view['board'][6] == '........o......'\n\
         assert view['phase'] == 'play' and len(view['legal_moves']) == 223 and view['limit_ms'] > 0\n\
         print(json.dumps(view['legal_moves'][0]))\n",
    );
    assert_eq!(said(program.as_mut(), "h8 i9", LIMIT), Ok("a1".to_owned()));
}

#[test]
fn decisions_are_the_bodies_of_the_api() {
    let cases = [
        (r#"{"point":"H8"}"#, "h8"),
        (r#"{"x":7,"y":7,"comment":"the middle"}"#, "h8"),
        (r#"{"swap":true}"#, "swap"),
        (r#"{"swap":false}"#, "keep"),
        (r#"{"swap":"put_two"}"#, "put-two"),
        (r#"{"fifths":3}"#, "declare:3"),
        (r#"{"candidates":["a1",{"x":1,"y":0}]}"#, "offer:a1,b1"),
        (r#""keep""#, "keep"),
    ];
    for (said_text, play) in cases {
        let mut program = brain::open(&format!("exec:echo '{said_text}'")).unwrap();
        assert_eq!(said(program.as_mut(), "h8", LIMIT), Ok(play.to_owned()), "{said_text}");
    }
    for text in ["h8", "{}", "[7,7]", r#"{"x":7}"#, r#"{"point":"z99"}"#, r#"{"swap":1}"#, "null"] {
        let mut program = brain::open(&format!("exec:echo '{text}'")).unwrap();
        assert_eq!(nonsense(said(program.as_mut(), "h8", LIMIT)), text);
    }
    // In the opening null leaves the decision to the driver.
    let mut program = brain::open("exec:echo null").unwrap();
    let swap = record("renju_taraguchi10_rif", "h8");
    assert!(matches!(program.choose(&swap, LIMIT), Ok(Play::Swap | Play::Keep)));
}

/// Answers with the next word of a list for each line that it reads; `die` ends it, `hang` hangs it.
fn script(words: &str) -> Box<dyn Brain> {
    let body = "read -r view || exit; case $word in die) exit 9;; hang) sleep 60;; \
                *) echo \"$word\";; esac";
    brain::open(&format!("jsonl:for word in {words}; do {body}; done")).unwrap()
}

#[test]
fn one_program_answers_line_by_line_over_several_games() {
    let mut program = script(r#"'"a1"' '{"point":"b1"}' '"c1"'"#);
    assert_eq!(said(program.as_mut(), "h8", LIMIT), Ok("a1".to_owned()));
    assert_eq!(said(program.as_mut(), "h8 a1 i9", LIMIT), Ok("b1".to_owned()));
    assert_eq!(said(program.as_mut(), "g7", LIMIT), Ok("c1".to_owned()));
    // It has ended after its last word, and is started again.
    assert_eq!(said(program.as_mut(), "g7 h7 i7", LIMIT), Ok("a1".to_owned()));
}

#[test]
fn a_program_that_fails_is_started_again_for_the_next_decision() {
    let mut program = script(r#"'"a1"' rubbish '"b1"'"#);
    assert_eq!(said(program.as_mut(), "h8", LIMIT), Ok("a1".to_owned()));
    assert_eq!(nonsense(said(program.as_mut(), "h8", LIMIT)), "rubbish");
    assert_eq!(said(program.as_mut(), "h8", LIMIT), Ok("a1".to_owned()));

    let mut program = script("die");
    assert_eq!(gone(said(program.as_mut(), "h8", LIMIT)), "it ended with exit status: 9");

    let mut program = script(r#"'"a1"' hang"#);
    assert_eq!(said(program.as_mut(), "h8", LIMIT), Ok("a1".to_owned()));
    let late = said(program.as_mut(), "h8", Duration::from_millis(300));
    assert_eq!(late, Err(BrainError::Late));
    assert_eq!(said(program.as_mut(), "h8", LIMIT), Ok("a1".to_owned()));
}

#[test]
fn a_program_may_not_write_two_lines_for_a_decision() {
    let both = r#"jsonl:while read -r view; do printf '"a1"\n"b1"\n'; done"#;
    let mut program = brain::open(both).unwrap();
    assert_eq!(said(program.as_mut(), "h8", LIMIT), Ok("a1".to_owned()));
    // Both lines are one write; the second is read a moment after the first.
    std::thread::sleep(Duration::from_millis(500));
    let why = nonsense(said(program.as_mut(), "h8", LIMIT));
    assert_eq!(why, r#"more than one line for a decision: "b1""#);
}

#[test]
fn programs_that_end_or_hang_are_reported() {
    let mut program = brain::open("exec:echo 'no licence' >&2; exit 7").unwrap();
    assert_eq!(
        gone(said(program.as_mut(), "h8", LIMIT)),
        "it ended with exit status: 7: no licence"
    );
    let mut program = brain::open("exec:sleep 60 | cat").unwrap();
    assert_eq!(said(program.as_mut(), "h8", Duration::from_millis(300)), Err(BrainError::Late));
    let mut program = brain::open("exec:/no/such/program").unwrap();
    assert!(gone(said(program.as_mut(), "h8", LIMIT)).contains("/no/such/program"));
}
