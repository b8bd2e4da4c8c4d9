//! `renju bench`: speed of the rules on this machine.
//!
//! All input is parsed before the clock starts.

use std::fmt;
use std::hint::black_box;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use renju::{Board, Color, Point, Precedence};
use serde::{Deserialize, Serialize};

use crate::lines::{self, Line, Lines};

/// Long help of `bench fouls`.
pub const ABOUT: &str = "\
Measure the classification of whole boards: for every empty point of every position, is it a five, a
foul or an ordinary move for Black in Renju?

Prints one JSON line. The best of five passes over the file counts; reading and parsing do not.
  ns_per_board             a board with its stones in place
  ns_per_point             the same per point (225)
  ns_per_board_with_setup  including setting up the stones from the 225 cells";

/// Examples for the help page.
pub const EXAMPLES: &str = "\
Examples:
  $ renju bench fouls agent/tests/data/renju_forbidden.jsonl.gz
  {\"positions\":20000,\"ns_per_board\":…,\"ns_per_point\":…,\"ns_per_board_with_setup\":…,\"best_of\":5}

A line of the file is {\"board\":\"225 characters . x o\"}. A solved position {\"p\":\"…\"} works too:
its marks 3 4 5 6 are read as empty points. Other fields are ignored.";

const SIZE: u8 = 15;
const CELLS: usize = SIZE as usize * SIZE as usize;
const PASSES: u32 = 5;

/// Results in nanoseconds. Displayed as one JSON object.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Figures {
    /// Number of positions in the file.
    pub positions: usize,
    /// Time for a board with its stones in place.
    pub ns_per_board: f64,
    /// Time per point of such a board.
    pub ns_per_point: f64,
    /// Time for a board that is first set up from its cells.
    pub ns_per_board_with_setup: f64,
    /// Number of passes; the fastest counts.
    pub best_of: u32,
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}

/// Reason a file cannot be measured.
#[derive(Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum BenchError {
    Read {
        file: PathBuf,
        source: io::Error,
    },
    Line {
        file: PathBuf,
        /// Line number from one.
        line: usize,
        why: String,
    },
    Empty {
        file: PathBuf,
    },
}

/// Measures the classification of every position in `file`.
pub fn fouls(file: &Path) -> Result<Figures, BenchError> {
    let cells = read(file)?;
    let boards: Vec<Board> = cells.iter().map(set_up).collect();
    let marks = |board: &Board| {
        black_box(black_box(board).marks(Color::Black, Precedence::FiveFirst));
    };
    let ns_per_board = best_ns(&boards, marks);
    let ns_per_board_with_setup = best_ns(&cells, |cells| marks(&set_up(black_box(cells))));
    Ok(Figures {
        positions: boards.len(),
        ns_per_board: rounded(ns_per_board),
        ns_per_point: rounded(ns_per_board / CELLS as f64),
        ns_per_board_with_setup: rounded(ns_per_board_with_setup),
        best_of: PASSES,
    })
}

/// Time per item in the fastest pass.
fn best_ns<T>(items: &[T], measured: impl Fn(&T)) -> f64 {
    let pass = |_| {
        let start = Instant::now();
        items.iter().for_each(&measured);
        start.elapsed().as_nanos() as f64 / items.len() as f64
    };
    (0..PASSES).map(pass).fold(f64::INFINITY, f64::min)
}

fn rounded(ns: f64) -> f64 {
    (ns * 100.0).round() / 100.0
}

/// Point by point from a1.
type Cells = [Option<Color>; CELLS];

fn set_up(cells: &Cells) -> Board {
    let mut board = Board::new(SIZE);
    for (point, cell) in Point::all(SIZE).zip(cells) {
        if let Some(color) = *cell {
            board.put(point, color);
        }
    }
    board
}

fn read(file: &Path) -> Result<Vec<Cells>, BenchError> {
    let unreadable = |source| BenchError::Read { file: file.to_owned(), source };
    let mut lines = Lines::new(lines::open(file).map_err(unreadable)?);
    let mut positions = Vec::new();
    while let Some(line) = lines.read().map_err(unreadable)? {
        let cells = match line {
            Line::Text(text) => read_cells(text),
            Line::TooLong => Err("the line is too long".to_owned()),
        };
        let bad = |why| BenchError::Line { file: file.to_owned(), line: positions.len() + 1, why };
        positions.push(cells.map_err(bad)?);
    }
    if positions.is_empty() {
        return Err(BenchError::Empty { file: file.to_owned() });
    }
    Ok(positions)
}

#[derive(Deserialize)]
struct Row {
    board: Option<String>,
    p: Option<String>,
}

fn read_cells(line: &[u8]) -> Result<Cells, String> {
    let row: Row = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    let (text, marks) = match (&row.board, &row.p) {
        (Some(board), None) => (board, ""),
        (None, Some(solved)) => (solved, "3456"),
        _ => return Err("expected board or p".to_owned()),
    };
    if text.chars().count() != CELLS {
        return Err(format!("the board has {} characters, not {CELLS}", text.chars().count()));
    }
    let mut cells = [None; CELLS];
    for (n, (cell, character)) in cells.iter_mut().zip(text.chars()).enumerate() {
        *cell = match character {
            'x' => Some(Color::Black),
            'o' => Some(Color::White),
            '.' => None,
            mark if marks.contains(mark) => None,
            _ => return Err(format!("{character:?} (character {}) is not one of . x o", n + 1)),
        };
    }
    Ok(cells)
}

impl fmt::Display for BenchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BenchError::Read { file, source } => {
                write!(f, "{} cannot be read: {source}", file.display())
            }
            BenchError::Line { file, line, why } => {
                write!(f, "{}, line {line}: {why}", file.display())
            }
            BenchError::Empty { file } => write!(f, "{} has no position", file.display()),
        }
    }
}

impl std::error::Error for BenchError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            BenchError::Read { source, .. } => Some(source),
            _ => None,
        }
    }
}
