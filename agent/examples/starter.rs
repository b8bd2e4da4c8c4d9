//! A starter bot in Rust that speaks the Gomocup protocol. Copy it and improve it.
//!
//! ```sh
//! cargo build --release --example starter
//! renju match piskvork:target/release/examples/starter house:2
//! ```
//!
//! It wins if it can, blocks if it must, and otherwise takes the point with the most valuable
//! lines. The rules crate keeps it from fouls in Renju.

use std::cmp::Reverse;
use std::io::{self, BufRead, Write};

use renju::{Board, ByColor, Color, Direction, Play, Point, Position, Ruleset};

/// Value of a line of five with this many stones of one colour and none of the other.
const WORTH: [u32; 5] = [1, 10, 100, 1_000, 10_000];

fn main() -> io::Result<()> {
    talk(io::stdin().lock(), io::stdout().lock())
}

/// Answers one command per line until END. Unknown commands are ignored.
fn talk(input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let (mut size, mut rule, mut stones) = (15, "gomoku_freestyle", Vec::new());
    for line in input.lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["START", side] => size = side.parse().unwrap_or(size),
            ["INFO", "rule", "1"] => rule = "gomoku_exact5",
            ["INFO", "rule", "4"] => rule = "renju_free",
            ["RESTART" | "BOARD"] => stones.clear(),
            ["END"] => return Ok(()),
            // Between BOARD and DONE a line is a stone. They come in playing order, so their
            // colours alternate.
            ["TURN", stone] | [stone] => stones.extend(read(stone)),
            _ => {}
        }
        match words[..] {
            ["START", _] if !(5..=20).contains(&size) => writeln!(output, "ERROR size 5 to 20")?,
            ["START", _] | ["RESTART"] => writeln!(output, "OK")?,
            ["BEGIN" | "DONE"] | ["TURN", _] => match best(size, rule, &stones) {
                Some(point) => {
                    stones.push(point);
                    writeln!(output, "{},{}", point.x(), point.y())?;
                }
                None => writeln!(output, "ERROR no point is left")?,
            },
            _ => {}
        }
        output.flush()?;
    }
    Ok(())
}

/// Parses `7,7` or `7,7,1`: the column and the row.
fn read(text: &str) -> Option<Point> {
    let mut numbers = text.split(',').map(|number| number.parse().ok());
    Point::new(numbers.next()??, numbers.next()??)
}

/// The point to play after these stones, Black's first.
fn best(size: u8, rule: &str, stones: &[Point]) -> Option<Point> {
    let mut board = Board::new(size);
    let mut me = Color::Black;
    for &point in stones.iter().filter(|point| point.is_on(size)) {
        board.put(point, me);
        me = !me;
    }
    let ruleset = Ruleset::find(rule).ok()?;
    let position = |color| Position::analysis(ruleset, board, color, ByColor::default()).ok();
    let (mine, theirs) = (position(me)?, position(!me)?);
    let won_by = |position: &Position, point| {
        let after = position.play(Play::Place(point)).ok();
        after.and_then(|after| after.outcome()?.winner) == Some(position.to_move())
    };
    let worth = |&point: &Point| {
        let distance = Reverse(point.ring(Point::centre(size)));
        (won_by(&mine, point), won_by(&theirs, point), lines(&board, point), distance)
    };
    mine.legal_points().max_by_key(worth)
}

/// Value of all lines of five through the point, to build or to break.
fn lines(board: &Board, point: Point) -> u32 {
    let mut total = 0;
    for direction in Direction::ALL {
        for back in -4..=0 {
            let line = (back..back + 5).map(|step| point.step(direction, step));
            let on_board = |point: &Point| point.is_on(board.size());
            let Some(line) = line.map(|point| point.filter(on_board)).collect::<Option<Vec<_>>>()
            else {
                continue;
            };
            let count =
                |color| line.iter().filter(|&&point| board.get(point) == Some(color)).count();
            total += match (count(Color::Black), count(Color::White)) {
                (count, 0) | (0, count) => WORTH[count],
                _ => 0,
            };
        }
    }
    total
}
