//! The `.psq` files of Piskvork, the manager of the Gomocup tournaments.
//!
//! ```text
//! Piskvorky 15x15, 11:11, 0
//! 8,8,1500
//! 9,7,320
//! black.exe
//! white.exe
//! 0
//! ```
//!
//! A stone is `column,row,milliseconds`, both from one and the row from the *top*, as Piskvork
//! draws its board: `9,7` is i9 on 15×15. The format does not hold the ruleset, swaps, offers and
//! other decisions, stones set up before the first, or the winner.

use super::{NotationError, Place, square};
use crate::player::ByColor;
use crate::point::Point;
use crate::record::Record;

/// A game as Piskvork stores it: stones in order, the first one black.
///
/// [`Sheet::read`] restores what [`Sheet::write`] wrote if every point is on the board and every
/// name is one trimmed line that is not empty, not Piskvork's own `homo-1` or `homo-2` for a person
/// without a name, and does not look like a stone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sheet {
    /// Side of the board.
    pub size: u8,
    /// Stones in order; legality is not checked.
    pub stones: Vec<Stone>,
    /// Names of the players.
    pub players: ByColor<Option<String>>,
    /// Ending as Piskvork numbers it: 0 on the board, 15 out of time, -1 unknown.
    pub ending: i32,
}

/// One stone and the time it took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stone {
    /// Point it was placed on.
    pub point: Point,
    /// Thinking time in milliseconds.
    pub time_ms: u32,
}

impl Sheet {
    /// Sheet of the stones of a record, without names and times.
    pub fn new(record: &Record) -> Sheet {
        let position = record.position();
        Sheet {
            size: position.board().size(),
            stones: record.stones().map(|(point, _)| Stone { point, time_ms: 0 }).collect(),
            players: ByColor::default(),
            ending: if position.outcome().is_some() { 0 } else { -1 },
        }
    }

    /// Writes the file.
    pub fn write(&self) -> String {
        let Sheet { size, stones, players, ending } = self;
        // 11:11 are the players' levels as in Gomocup's files; 0 means that Black is listed first.
        let mut text = format!("Piskvorky {size}x{size}, 11:11, 0\n");
        for Stone { point, time_ms } in stones {
            let row = i16::from(*size) - i16::from(point.y());
            text += &format!("{},{row},{time_ms}\n", point.x() + 1);
        }
        let names = [one_line(&players.black), one_line(&players.white)];
        if names.iter().any(Option::is_some) {
            for (name, nameless) in names.into_iter().zip(NAMELESS) {
                text += &name.unwrap_or_else(|| nameless.to_owned());
                text.push('\n');
            }
        }
        text + &format!("{ending}\n")
    }

    /// Reads a file. Lines after the ending number are ignored, because Gomocup adds its own there.
    pub fn read(text: &str) -> Result<Sheet, NotationError> {
        let lines = text.lines().map(str::trim).enumerate();
        let mut lines = lines.filter(|(_, line)| !line.is_empty()).peekable();
        let (n, header) = lines.next().ok_or(NotationError::Ends { wanted: "its first line" })?;
        let (size, white_first) = read_header(n, header)?;
        let mut stones = Vec::new();
        while let Some((n, line)) = lines.next_if(|(_, line)| numbers(line).is_some()) {
            let stone = numbers(line).and_then(|numbers| read_stone(numbers, size));
            stones.push(stone.ok_or_else(|| {
                unreadable(n, line, "column,row,milliseconds of a stone on the board")
            })?);
        }
        let rest: Vec<&str> = lines.map(|(_, line)| line).take(3).collect();
        let number = |n: usize| rest.get(n).and_then(|line| line.parse::<i32>().ok());
        let named = number(2).is_some() || number(0).is_none();
        let name = |n: usize| {
            let name = rest.get(n).filter(|name| named && !NAMELESS.contains(name));
            name.map(|&name| name.to_owned())
        };
        let (black, white) = if white_first { (name(1), name(0)) } else { (name(0), name(1)) };
        let ending = number(if named { 2 } else { 0 }).unwrap_or(-1);
        Ok(Sheet { size, stones, players: ByColor { black, white }, ending })
    }
}

/// Names Piskvork writes for a person without a name.
const NAMELESS: [&str; 2] = ["homo-1", "homo-2"];

/// The name as one line that cannot be mistaken for a stone.
fn one_line(name: &Option<String>) -> Option<String> {
    let line = name.as_ref()?.replace(['\n', '\r'], " ");
    let line = if numbers(&line).is_some() { line.replace(',', " ") } else { line };
    Some(line.trim().to_owned()).filter(|line| !line.is_empty())
}

/// Reads the board side, and if White is listed first: Piskvork lists its two players in a fixed
/// order and the last number says which of them began.
fn read_header(n: usize, line: &str) -> Result<(u8, bool), NotationError> {
    let fields = line.trim_start_matches('\u{feff}').strip_prefix("Piskvorky ");
    let fields = fields.ok_or_else(|| {
        unreadable(n, line, "the first line of a game, such as Piskvorky 15x15, 11:11, 0")
    })?;
    let (side, rest) = fields.split_once(',').unwrap_or((fields, ""));
    let size = square(side, 'x')?;
    Ok((size, rest.rsplit(',').next().is_some_and(|first| first.trim() == "1")))
}

/// The two or three numbers of a line that can be a stone; the time defaults to zero.
fn numbers(line: &str) -> Option<[i64; 3]> {
    let mut fields = line.split(',').map(|field| field.trim().parse::<i64>());
    let (x, y) = (fields.next()?.ok()?, fields.next()?.ok()?);
    let time_ms = fields.next().unwrap_or(Ok(0)).ok()?;
    fields.next().is_none().then_some([x, y, time_ms])
}

fn read_stone([column, row, time_ms]: [i64; 3], size: u8) -> Option<Stone> {
    let x = u8::try_from(column.checked_sub(1)?).ok()?;
    let y = u8::try_from(i64::from(size).checked_sub(row)?).ok()?;
    let point = Point::new(x, y).filter(|point| point.is_on(size))?;
    Some(Stone { point, time_ms: u32::try_from(time_ms).ok()? })
}

fn unreadable(n: usize, line: &str, wanted: &'static str) -> NotationError {
    NotationError::unreadable(Place { line: n + 1, column: 1 }, line, wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::Ruleset;

    fn stone(point: &str, time_ms: u32) -> Stone {
        Stone { point: point.parse().unwrap(), time_ms }
    }

    fn names(black: &str, white: &str) -> ByColor<Option<String>> {
        let name = |name: &str| Some(name.to_owned()).filter(|name| !name.is_empty());
        ByColor { black: name(black), white: name(white) }
    }

    #[test]
    fn rows_are_counted_from_the_top() {
        let text = "Piskvorky 15x15, 11:11, 0\n8,8,1500\n9,7,320\n1,15,0\nA\nB\n0\n";
        let sheet = Sheet::read(text).unwrap();
        assert_eq!(sheet.stones, [stone("h8", 1500), stone("i9", 320), stone("a1", 0)]);
        assert_eq!((sheet.size, sheet.ending), (15, 0));
        assert_eq!(sheet.players, names("A", "B"));
        assert_eq!(sheet.write(), text);
    }

    #[test]
    fn endings_of_every_program_are_read() {
        let read = |rest: &str, first: u8| {
            let sheet =
                Sheet::read(&format!("Piskvorky 15x15, 0:6, {first}\r\n8,8\r\n{rest}")).unwrap();
            assert_eq!(sheet.stones, [stone("h8", 0)]);
            (sheet.players, sheet.ending)
        };
        assert_eq!(read("", 0), (names("", ""), -1));
        assert_eq!(read("-1", 0), (names("", ""), -1));
        assert_eq!(read("15\r\nanything\r\n", 0), (names("", ""), 15));
        assert_eq!(read("A.zip\nB.zip\n-1\n0,Freestyle15_1", 0), (names("A.zip", "B.zip"), -1));
        assert_eq!(read("A.zip\nB.zip\n0", 1), (names("B.zip", "A.zip"), 0));
        assert_eq!(read("homo-1\n7\n0", 0), (names("", "7"), 0));
    }

    #[test]
    fn names_that_would_break_the_file_are_mended() {
        let record = Record::parse(&Ruleset::ALL[6], 15, "h8 a15").unwrap();
        for (black, white, read_black, read_white) in [
            ("Smith, J.", "12", "Smith, J.", "12"),
            ("", "B", "", "B"),
            ("3,4", "5,6,7", "3 4", "5 6 7"),
            ("two\nlines ", " ", "two lines", ""),
        ] {
            let sheet = Sheet { players: names(black, white), ..Sheet::new(&record) };
            let players = names(read_black, read_white);
            assert_eq!(Sheet::read(&sheet.write()), Ok(Sheet { players, ..sheet }));
        }
    }

    #[test]
    fn broken_files_are_refused_by_line() {
        let error = |text: &str| Sheet::read(text).unwrap_err().to_string();
        assert_eq!(error(" \n"), "the text ends without its first line");
        assert_eq!(
            error("8,8,0"),
            "line 1, column 1: \"8,8,0\" is not the first line of a game, such as Piskvorky 15x15, 11:11, 0"
        );
        assert_eq!(
            error("Piskvorky 21x21, 11:11, 0"),
            "a board has a side of 5 to 20, not \"21x21\""
        );
        for line in ["16,1,0", "0,1,0", "1,16,0", "1,0,0", "1,1,-5", "-9223372036854775808,1"] {
            assert_eq!(
                error(&format!("Piskvorky 15x15, 11:11, 0\n8,8,0\n\n{line}\n")),
                format!(
                    "line 4, column 1: {line:?} is not column,row,milliseconds of a stone on the board"
                )
            );
        }
    }
}
