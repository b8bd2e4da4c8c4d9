//! Continuous fours on the puzzle set; each line is checked by a verifier that knows only the
//! rules.
//!
//! With `VCF_TIMES` set the times are checked too, which makes sense only in a release build:
//!
//! ```text
//! VCF_TIMES=1 cargo test --release -p renju-engine --test vcf -- --nocapture
//! ```

#![allow(clippy::unwrap_used, reason = "a test may stop on bad data")]

use std::io::Read;
use std::time::Duration;

use renju::{Board, Color, Mark, Point, Position, Precedence, Ruleset};
use renju_engine::{Field, Limits, solve};

mod clock;
use clock::timed;

struct Puzzle {
    id: String,
    side: Color,
    board: Board,
}

/// Values of the JSON array of strings called `name`.
fn strings<'a>(line: &'a str, name: &str) -> Vec<&'a str> {
    let from = line.find(&format!("\"{name}\":")).unwrap() + name.len() + 3;
    let rest = &line[from..];
    let list = if rest.starts_with('[') { &rest[1..rest.find(']').unwrap()] } else { rest };
    let one = !rest.starts_with('[');
    let mut parts = list.split('"').skip(1).step_by(2);
    if one { parts.next().into_iter().collect() } else { parts.collect() }
}

fn puzzles() -> Vec<Puzzle> {
    let mut text = String::new();
    let packed = include_bytes!("vcf_puzzles.jsonl.gz");
    flate2::read::GzDecoder::new(&packed[..]).read_to_string(&mut text).unwrap();
    text.lines()
        .map(|line| {
            let mut board = Board::new(15);
            for (name, color) in [("black", Color::Black), ("white", Color::White)] {
                for point in strings(line, name) {
                    board.put(point.parse().unwrap(), color);
                }
            }
            let side = if strings(line, "side") == ["b"] { Color::Black } else { Color::White };
            Puzzle { id: strings(line, "id")[0].to_owned(), side, board }
        })
        .collect()
}

/// Says if a stone of `color` wins at once, by the rules alone.
fn makes_five(board: &Board, point: Point, color: Color) -> bool {
    match color {
        Color::Black => board.mark(point, color, Precedence::FiveFirst) == Mark::Five,
        Color::White => renju::Direction::ALL.into_iter().any(|direction| {
            board.is_empty(point) && board.row_through(point, direction, color) >= 5
        }),
    }
}

fn is_foul(board: &Board, point: Point, color: Color) -> bool {
    color == Color::Black
        && matches!(board.mark(point, color, Precedence::FiveFirst), Mark::Foul(_))
}

fn fives(board: &Board, color: Color) -> Vec<Point> {
    board.empty_points().filter(|&point| makes_five(board, point, color)).collect()
}

/// Checks that every attacker move is a four, every reply the only block, and the end a double
/// threat, a forbidden block or a five.
fn verify(board: &Board, side: Color, line: &[Point]) -> Result<(), String> {
    let mut board = *board;
    for (n, moves) in line.chunks(2).enumerate() {
        let attack = moves[0];
        let wrong = |why: &str| Err(format!("move {n} {attack}: {why}"));
        let last = 2 * n + moves.len() == line.len();
        if makes_five(&board, attack, side) {
            return if last && moves.len() == 1 { Ok(()) } else { wrong("the line goes on") };
        }
        if is_foul(&board, attack, side) {
            return wrong("is a foul");
        }
        if fives(&board, !side).iter().any(|&five| five != attack) {
            return wrong("lets the defender make five");
        }
        board.put(attack, side);
        let threats = fives(&board, side);
        match (threats.as_slice(), moves) {
            ([], _) => return wrong("is no four"),
            ([_, _, ..], [_]) if last => return Ok(()),
            ([block], [_]) if last && is_foul(&board, *block, !side) => return Ok(()),
            ([block], [_, reply]) if block == reply && !is_foul(&board, *reply, !side) => {
                board.put(*reply, !side);
            }
            _ => return wrong("is not answered by the only block"),
        }
    }
    Err("the line ends before the win".to_owned())
}

#[test]
fn the_puzzles_are_solved_with_lines_that_hold() {
    let ruleset = Ruleset::find("renju_free").unwrap();
    let puzzles = puzzles();
    let (mut solved, mut times) = (0, Vec::new());
    for puzzle in &puzzles {
        let position =
            Position::analysis(ruleset, puzzle.board, puzzle.side, Default::default()).unwrap();
        let (solution, took, _) =
            timed(|| solve(&mut Field::new(&position), &Limits::nodes(400_000), None));
        times.push(took);
        match solution.line {
            Some(line) => {
                verify(&puzzle.board, puzzle.side, &line)
                    .unwrap_or_else(|why| panic!("{}: {why}\n{:?}", puzzle.id, puzzle.board));
                solved += 1;
            }
            None => println!("{} is not solved, {} nodes", puzzle.id, solution.nodes),
        }
    }
    times.sort_unstable();
    let (p95, most) = (times[times.len() * 95 / 100], times[times.len() - 1]);
    println!("{solved} of {} solved and verified, p95 {p95:?}, most {most:?}", puzzles.len());
    assert!(solved * 100 >= puzzles.len() * 98);
    if std::env::var_os("VCF_TIMES").is_some() {
        assert!(p95 <= Duration::from_millis(10) && most <= Duration::from_millis(200));
    }
}

#[test]
fn a_quiet_board_has_no_continuous_fours() {
    let ruleset = Ruleset::find("renju_free").unwrap();
    let record = renju::Record::parse(ruleset, 15, "h8 i9 g7 f6 j8").unwrap();
    let solution = solve(&mut Field::new(record.position()), &Limits::default(), None);
    assert_eq!((solution.line, solution.complete), (None, true));
}
