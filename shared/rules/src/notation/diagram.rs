//! Boards as diagrams for people, with the marks of docs/rules.md on empty points.
//!
//! ```text
//! # Two open threes meet on h8 and nowhere else.
//! 9 . . . x . . .
//! 8 . . x 3 x . .
//! 7 . . . x . . .
//!   e f g h i j k
//! ```

use std::fmt;
use std::ops::Range;

use super::{NotationError, Place, color_of, empty_board};
use crate::board::Board;
use crate::foul::{Foul, Mark};
use crate::point::Point;

/// A board, the marks on its empty points, and the part that is drawn.
///
/// As text: ranks from the top, rank numbers on the left and column letters below. Reading it back
/// gives an equal diagram if nothing stands outside the part that is drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagram {
    board: Board,
    marks: Vec<(Point, Mark)>,
    columns: Range<u8>,
    ranks: Range<u8>,
}

impl Diagram {
    /// Diagram of the whole board, without marks.
    pub fn new(board: Board) -> Diagram {
        let size = board.size();
        Diagram { board, marks: Vec::new(), columns: 0..size, ranks: 0..size }
    }

    /// Replaces the marks. Quiet marks and marks on points that are not empty are dropped.
    pub fn with_marks(mut self, marks: impl IntoIterator<Item = (Point, Mark)>) -> Diagram {
        let seen =
            |&(point, mark): &(Point, Mark)| mark != Mark::Quiet && self.board.is_empty(point);
        self.marks = marks.into_iter().filter(seen).collect();
        self.marks.sort_by_key(|&(point, _)| point);
        self.marks.dedup_by_key(|&mut (point, _)| point);
        self
    }

    /// Reads a diagram of a board of side `size`, or of a part of it; the rest is empty. Blank
    /// lines and lines that start with `#` are skipped, and the column letters may be above
    /// instead.
    pub fn read(text: &str, size: u8) -> Result<Diagram, NotationError> {
        let mut diagram = Diagram::new(empty_board(size)?);
        let mut rows: Vec<Row> = Vec::new();
        let mut columns = None;
        for (n, line) in text.lines().enumerate() {
            let cells: Cells = line.char_indices().filter(|(_, c)| !c.is_whitespace()).collect();
            match cells.first() {
                None | Some((_, '#')) => {}
                Some((_, c)) if c.is_ascii_digit() => {
                    let above = rows.last().map(|row| row.y);
                    rows.push(Row::read(n + 1, line, size, above)?);
                }
                Some(_) => columns = Some(read_columns(n + 1, line, &cells, size)?),
            }
        }
        diagram.columns = columns.ok_or(NotationError::Ends { wanted: "the column letters" })?;
        diagram.ranks = match (rows.first(), rows.last()) {
            (Some(top), Some(bottom)) => bottom.y..top.y + 1,
            _ => return Err(NotationError::Ends { wanted: "a rank" }),
        };
        let mut marks = Vec::new();
        for row in rows {
            row.fill(diagram.columns.clone(), &mut diagram.board, &mut marks)?;
        }
        Ok(diagram.with_marks(marks))
    }

    /// Board without the marks.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Marks, rank by rank from a1.
    pub fn marks(&self) -> &[(Point, Mark)] {
        &self.marks
    }

    fn letter(&self, point: Point) -> char {
        let mark = || {
            self.marks.binary_search_by_key(&point, |&(point, _)| point).map(|n| self.marks[n].1)
        };
        match self.board.get(point) {
            Some(color) => color.letter(),
            None => mark().unwrap_or_default().letter(),
        }
    }
}

impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.ranks.end.to_string().len();
        for y in self.ranks.clone().rev() {
            write!(f, "{:>width$}", y + 1)?;
            for point in self.columns.clone().filter_map(|x| Point::new(x, y)) {
                write!(f, " {}", self.letter(point))?;
            }
            writeln!(f)?;
        }
        write!(f, "{:width$}", "")?;
        for x in self.columns.clone() {
            write!(f, " {}", char::from(b'a' + x))?;
        }
        writeln!(f)
    }
}

/// Characters with their offsets in the line.
type Cells = Vec<(usize, char)>;

/// One rank of a diagram before the columns are known.
struct Row<'a> {
    line: usize,
    text: &'a str,
    y: u8,
    cells: Cells,
}

impl Row<'_> {
    fn read(
        line: usize,
        text: &str,
        size: u8,
        above: Option<u8>,
    ) -> Result<Row<'_>, NotationError> {
        let start = text.len() - text.trim_start().len();
        let end = text[start..].find(char::is_whitespace).map_or(text.len(), |len| start + len);
        let number = &text[start..end];
        let y = number.parse::<u8>().ok().and_then(|rank| rank.checked_sub(1));
        let follows = |&y: &u8| y < size && above.is_none_or(|above| y + 1 == above);
        let y = y.filter(follows).ok_or_else(|| {
            NotationError::unreadable(
                place(line, text, start),
                number,
                "the number of the next rank down",
            )
        })?;
        let cells = text.char_indices().skip_while(|&(n, _)| n < end);
        Ok(Row { line, text, y, cells: cells.filter(|(_, c)| !c.is_whitespace()).collect() })
    }

    fn fill(
        &self,
        columns: Range<u8>,
        board: &mut Board,
        marks: &mut Vec<(Point, Mark)>,
    ) -> Result<(), NotationError> {
        if self.cells.len() != columns.len() {
            let wanted = "a rank with one character for each column";
            return Err(NotationError::unreadable(
                place(self.line, self.text, 0),
                self.text,
                wanted,
            ));
        }
        for (point, &(n, c)) in columns.filter_map(|x| Point::new(x, self.y)).zip(&self.cells) {
            match (color_of(c), mark_of(c)) {
                (Some(color), _) => board.put(point, color),
                (None, Some(mark)) => marks.push((point, mark)),
                (None, None) => {
                    let place = place(self.line, self.text, n);
                    let wanted = "a stone x or o, an empty point . or a mark 3, 4, 5 or 6";
                    return Err(NotationError::unreadable(place, &c.to_string(), wanted));
                }
            }
        }
        Ok(())
    }
}

fn read_columns(
    line: usize,
    text: &str,
    cells: &Cells,
    size: u8,
) -> Result<Range<u8>, NotationError> {
    let column = |c: char| u8::try_from(c.to_ascii_lowercase()).ok()?.checked_sub(b'a');
    let mut columns: Option<Range<u8>> = None;
    for &(n, c) in cells {
        let next = columns.as_ref().map(|columns| columns.end);
        let x = column(c).filter(|&x| x < size && next.is_none_or(|next| x == next));
        let x = x.ok_or_else(|| {
            let wanted = "the letter of the next column";
            NotationError::unreadable(place(line, text, n), &c.to_string(), wanted)
        })?;
        columns = Some(columns.map_or(x, |columns| columns.start)..x + 1);
    }
    Ok(columns.unwrap_or_default())
}

fn place(line: usize, text: &str, offset: usize) -> Place {
    Place { line, ..Place::of(text, offset) }
}

fn mark_of(letter: char) -> Option<Mark> {
    [
        Mark::Quiet,
        Mark::Five,
        Mark::Foul(Foul::Overline),
        Mark::Foul(Foul::DoubleFour),
        Mark::Foul(Foul::DoubleThree),
    ]
    .into_iter()
    .find(|mark| mark.letter() == letter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::foul::Precedence;
    use crate::player::Color;
    use crate::point::{SIZE_MAX, SIZE_MIN};

    const CROSS: &str = "9 . . . x . . .\n8 . . x 3 x . .\n7 . . . x . . .\n  e f g h i j k\n";

    #[test]
    fn a_cropped_diagram_is_its_own_expectation() {
        let diagram = Diagram::read(&format!("# A cross.\n{CROSS}"), 15).unwrap();
        let computed = diagram.board().marks(Color::Black, Precedence::FiveFirst);
        assert_eq!(diagram.marks(), computed.iter().collect::<Vec<_>>());
        assert_eq!(diagram.clone().with_marks(computed.iter()).to_string(), CROSS);
        assert_eq!(diagram.with_marks([]).to_string(), CROSS.replace('3', "."));
    }

    #[test]
    fn the_whole_board_round_trips_on_every_size() {
        for size in SIZE_MIN..=SIZE_MAX {
            let mut board = Board::new(size);
            board.put(Point::centre(size), Color::Black);
            board.put(Point::new(size - 1, 0).unwrap(), Color::White);
            let diagram = Diagram::new(board).with_marks([
                (Point::new(0, size - 1).unwrap(), Mark::Five),
                (Point::new(0, 0).unwrap(), Mark::Foul(Foul::Overline)),
                (Point::centre(size), Mark::Five),
            ]);
            assert_eq!(diagram.marks().len(), 2, "the mark on a stone is left out");
            assert_eq!(Diagram::read(&diagram.to_string(), size), Ok(diagram));
        }
    }

    #[test]
    fn spaces_and_case_do_not_matter() {
        let loose = "\r\n   E F GHIJK\r\n\t9 ...X...\r\n8 ..x3x ..\n\n # no rank\n7 . . . x ...";
        assert_eq!(Diagram::read(loose, 15), Diagram::read(CROSS, 15));
    }

    #[test]
    fn what_is_wrong_with_a_diagram_is_named_with_its_place() {
        let error = |text: &str| Diagram::read(text, 15).unwrap_err().to_string();
        assert_eq!(
            error("2 . ? .\n a b c"),
            "line 1, column 5: \"?\" is not a stone x or o, an empty point . or a mark 3, 4, 5 or 6"
        );
        assert_eq!(
            error("2 . .\n 4 . .\n  a b"),
            "line 2, column 2: \"4\" is not the number of the next rank down"
        );
        assert_eq!(
            error("2 . .\n  a c"),
            "line 2, column 5: \"c\" is not the letter of the next column"
        );
        assert_eq!(
            error("2 .\n  a b"),
            "line 1, column 1: \"2 .\" is not a rank with one character for each column"
        );
        assert_eq!(
            error("16 .\na"),
            "line 1, column 1: \"16\" is not the number of the next rank down"
        );
        assert_eq!(error("1 ."), "the text ends without the column letters");
        assert_eq!(error("a b"), "the text ends without a rank");
    }
}
