//! Wins by threes and fours: the puzzle set, random positions, and proofs that do not hold. Every proof
//! is checked by the rules alone.
//!
//! A debug build takes one puzzle in twenty. `VCT_NODES` is the number of nodes for each (100,000),
//! `VCT_POSITIONS` the number of random positions (100, in a release build 1,000):
//!
//! ```text
//! VCT_POSITIONS=100000 cargo test --release -p renju-engine --test vct -- --nocapture
//! ```

#![allow(clippy::unwrap_used, reason = "a test may stop on bad data")]

use std::io::Read;
use std::time::Duration;

use renju::{Board, Color, Point, Position, Record, Ruleset};
use renju_engine::{Field, Limits, Proof, Step, Threats, solve, solve_threats};

use arena_support::Random;

mod clock;
use clock::timed;

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|value| value.parse().ok())
}

fn position(ruleset: &str, plays: &str) -> Position {
    let ruleset = Ruleset::find(ruleset).unwrap();
    Record::parse(ruleset, ruleset.size, plays).unwrap().position().clone()
}

fn threats(position: &Position, nodes: u64) -> Threats {
    solve_threats(&mut Field::new(position), &Limits::nodes(nodes), None)
}

/// Value of the field `name` of a line of JSON: a string, or the strings of a list.
fn strings<'a>(line: &'a str, name: &str) -> Vec<&'a str> {
    let rest = line.split_once(&format!("\"{name}\":")).unwrap().1;
    match rest.strip_prefix('[') {
        Some(list) => list.split_once(']').unwrap().0.split('"').skip(1).step_by(2).collect(),
        None => rest.split('"').skip(1).take(1).collect(),
    }
}

fn puzzles() -> Vec<Position> {
    let mut text = String::new();
    let packed = include_bytes!("vct_puzzles.jsonl.gz");
    flate2::read::GzDecoder::new(&packed[..]).read_to_string(&mut text).unwrap();
    let read = |line: &str| {
        let mut board = Board::new(15);
        for (name, color) in [("black", Color::Black), ("white", Color::White)] {
            strings(line, name).iter().for_each(|point| board.put(point.parse().unwrap(), color));
        }
        let side = if strings(line, "side") == ["b"] { Color::Black } else { Color::White };
        let ruleset = Ruleset::find(strings(line, "rule")[0]).unwrap();
        Position::analysis(ruleset, board, side, Default::default()).unwrap()
    };
    text.lines().map(read).collect()
}

#[test]
fn the_puzzles_are_solved_by_proofs_that_hold() {
    let puzzles = puzzles();
    assert!(puzzles.len() >= 200, "{} puzzles", puzzles.len());
    let nodes = setting("VCT_NODES").unwrap_or(100_000);
    let (mut solved, mut refuted, mut steps, mut times) = (0, 0, Vec::new(), Vec::new());
    for position in puzzles.iter().step_by(if cfg!(debug_assertions) { 20 } else { 1 }) {
        let fours = solve(&mut Field::new(position), &Limits::nodes(20_000), None);
        assert_eq!(fours.line, None, "it has a win by fours\n{:?}", position.board());
        let (found, took, _) = timed(|| threats(position, nodes));
        assert!(found.nodes <= nodes + 1, "{} nodes", found.nodes);
        times.push(took);
        refuted += usize::from(found.proof.is_none() && found.complete);
        if let Some(proof) = found.proof {
            proof.verify(position).unwrap_or_else(|flaw| panic!("{flaw}\n{:?}", position.board()));
            solved += 1;
            steps.push(proof.steps.len());
        }
    }
    let tried = times.len();
    let (half, most) = (middle(&mut times), times.last().copied().unwrap_or(Duration::ZERO));
    println!("{solved} of {tried} solved and verified; half within {half:?}, all within {most:?}");
    println!("{refuted} have no win by open threes and fours");
    println!("steps of a proof: half up to {}, most {:?}", middle(&mut steps), steps.last());
    assert!(solved * 100 >= tried * 85, "{solved} of {tried}");
}

/// Sorts the values and returns the median.
fn middle<T: Ord + Copy>(values: &mut [T]) -> T {
    values.sort_unstable();
    values[values.len() / 2]
}

/// Stones around a random centre, with as many of each colour as in a game or a few more.
fn scattered(ruleset: &'static Ruleset, random: &mut Random) -> Position {
    let mut board = Board::new(15);
    let stones = 8 + random.below(24);
    let (x, y) = (4 + random.below(7), 4 + random.below(7));
    let width = 6 + random.below(8);
    let attacker = if random.below(2) == 0 { Color::Black } else { Color::White };
    for n in 0..stones {
        let near = |centre: usize, random: &mut Random| {
            (centre + random.below(width)).saturating_sub(width / 2).min(14) as u8
        };
        let point = Point::new(near(x, random), near(y, random)).unwrap();
        let color = if n % 2 == 0 || random.below(12) == 0 { attacker } else { !attacker };
        if board.is_empty(point) {
            board.put(point, color);
            if board.has_five(color) {
                board.take(point, color);
            }
        }
    }
    Position::analysis(ruleset, board, attacker, Default::default()).unwrap()
}

#[test]
fn no_claim_about_a_random_position_is_wrong() {
    let count =
        setting("VCT_POSITIONS").unwrap_or(if cfg!(debug_assertions) { 100 } else { 1_000 });
    let rulesets: Vec<&Ruleset> =
        Ruleset::ALL.iter().filter(|ruleset| ruleset.pairs_to_win.is_none()).collect();
    let (mut claims, mut beyond_fours) = (0, 0);
    // The last seed is a position in which a four of White lifts a foul of Black.
    for seed in (0..count).chain([96_827]) {
        let mut random = Random(seed);
        // Renju is where fouls make it hard.
        let ruleset = match random.below(2) {
            0 => Ruleset::find("renju_free").unwrap(),
            _ => rulesets[random.below(rulesets.len())],
        };
        let position = scattered(ruleset, &mut random);
        if let Some(proof) = threats(&position, 2_000).proof {
            proof.verify(&position).unwrap_or_else(|flaw| {
                panic!("seed {seed}, {}: {flaw}\n{:?}", ruleset.id, position.board())
            });
            claims += 1;
            beyond_fours += u64::from(proof.steps.iter().any(|step| step.replies.len() > 1));
        }
    }
    println!("{count} positions, {claims} wins claimed, {beyond_fours} with threes, none wrong");
    assert!(claims * 20 > count, "{claims} of {count}");
}

/// Black makes a three that is a four with the next stone in two ways.
const CROSS: &str = "h8 a1 i8 a3 g9 c1 g10 e1";

#[test]
fn a_three_that_meets_another_wins_for_white_and_is_a_foul_for_black() {
    let free = position("gomoku_freestyle", CROSS);
    let found = threats(&free, 10_000);
    let proof = found.proof.expect("g8 makes two open threes");
    assert_eq!(proof.verify(&free), Ok(()));
    // The double-three on g8 is forbidden, and every other attack is stopped.
    let renju = position("renju_free", CROSS);
    let found = threats(&renju, 200_000);
    if let Some(proof) = found.proof {
        assert_ne!(proof.steps[0].attack, "g8".parse().unwrap());
        assert_eq!(proof.verify(&renju), Ok(()));
    }
}

#[test]
fn a_quiet_board_has_no_threats() {
    let found = threats(&position("renju_free", "h8 i9 g7 h9"), 10_000);
    assert_eq!((found.proof, found.complete), (None, true));
}

#[test]
fn a_search_that_was_cut_short_proves_nothing() {
    let puzzle = &puzzles()[0];
    let found = threats(puzzle, 3);
    assert_eq!((found.proof, found.complete), (None, false));
}

#[test]
fn the_same_search_gives_the_same_proof() {
    for puzzle in puzzles().iter().take(5) {
        assert_eq!(threats(puzzle, 20_000), threats(puzzle, 20_000));
    }
}

fn flaw(position: &Position, proof: Proof) -> String {
    proof.verify(position).unwrap_err().to_string()
}

#[test]
fn a_proof_without_a_reply_or_with_a_wrong_move_does_not_hold() {
    let position = position("gomoku_freestyle", CROSS);
    let proof = threats(&position, 10_000).proof.unwrap();
    let moves = |count: usize| proof.line().iter().take(count).map(|p| format!("{p} ")).collect();
    let first: String = moves(1);
    for n in 0..proof.steps[0].replies.len() {
        let mut lacking = proof.clone();
        let (reply, _) = lacking.steps[0].replies.remove(n);
        assert_eq!(flaw(&position, lacking), format!("{first}{reply} is not answered"));
        let mut lost = proof.clone();
        lost.steps[0].replies[n].1 = usize::MAX;
        assert_eq!(flaw(&position, lost), format!("{first}{reply} leads to no step"));
    }
    let step = |attack: &str| Step { attack: attack.parse().unwrap(), replies: Vec::new() };
    let quiet = Proof { steps: vec![step("o15")] };
    assert_eq!(flaw(&position, quiet), "o15 b1 is not answered");
    let taken = Proof { steps: vec![step("h8")] };
    assert_eq!(flaw(&position, taken), "h8 is rejected");
    assert_eq!(flaw(&position, Proof { steps: Vec::new() }), "leads to no step");
}

#[test]
fn a_foul_or_a_five_of_the_defender_is_no_win() {
    let step = |attack: &str| Step { attack: attack.parse().unwrap(), replies: Vec::new() };
    let renju = position("renju_free", CROSS);
    assert_eq!(flaw(&renju, Proof { steps: vec![step("g8")] }), "g8 does not win");
    // White has four in a row, so a straight four comes too late.
    let late = position("gomoku_freestyle", "h8 a1 i8 a2 j8 a3 o15 a4");
    assert_eq!(flaw(&late, Proof { steps: vec![step("k8")] }), "k8 a5 saves the defender");
    let won = position("gomoku_freestyle", "h8 a1 i8 a2 j8 a3 o15 c4");
    assert_eq!(Proof { steps: vec![step("k8")] }.verify(&won), Ok(()));
    let captures = position("gomoku_capture", "j10 a1 k10 a3 l10 c1");
    let said = flaw(&captures, Proof { steps: vec![step("m10")] });
    assert!(said.contains("captured"), "{said}");
}
