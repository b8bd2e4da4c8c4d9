//! Files of openings, one per line: `h8i9g7`, or Gomocup's offsets from the centre, `0,0, 1,-1`.

use std::fs;
use std::path::{Path, PathBuf};

use renju::notation::{NotationError, moves};
use renju::{Play, Point, Record};

use super::bad_match::BadMatch;

/// Reads a file; skips empty lines and those that begin with `#`.
pub(super) fn read(path: &Path, empty: &Record) -> Result<Vec<Record>, BadMatch> {
    let text = fs::read_to_string(path)
        .map_err(|why| BadMatch::Unreadable { path: path.to_owned(), why })?;
    // Some editors put a byte order mark before the first line.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim_end()));
    let openings: Vec<Record> = lines
        .filter(|(_, line)| !line.is_empty() && !line.trim_start().starts_with('#'))
        .map(|(line, text)| {
            read_one(text, empty).map_err(|why| BadMatch::Line {
                path: PathBuf::from(path),
                line,
                why,
            })
        })
        .collect::<Result<_, _>>()?;
    if openings.is_empty() {
        return Err(BadMatch::NoOpening(path.to_owned()));
    }
    Ok(openings)
}

fn read_one(text: &str, empty: &Record) -> Result<Record, String> {
    let size = empty.position().board().size();
    // A name of a point begins with a letter.
    let is_number = |c: char| c.is_ascii_digit() || c == '-' || c == '+';
    let points = match text.trim_start().starts_with(is_number) {
        true => offsets(text, size)?,
        false => moves::read(text).map_err(|why| match why {
            NotationError::Unreadable { place, found, wanted } => {
                format!("column {}: {found:?} is not {wanted}", place.column)
            }
            why => why.to_string(),
        })?,
    };
    let mut record = empty.clone();
    for point in points {
        record.play(Play::Place(point)).map_err(|why| format!("{point}: {why}"))?;
    }
    match record.position().outcome() {
        Some(outcome) => Err(format!("the game is over after the opening ({})", outcome.by)),
        None => Ok(record),
    }
}

/// Columns to the right and rows down from the centre; on an even board that is the point right of
/// and below the middle.
fn offsets(text: &str, size: u8) -> Result<Vec<Point>, String> {
    let numbers: Vec<i16> = text
        .split(',')
        .map(|word| word.trim().parse().map_err(|_| format!("{:?} is not an offset", word.trim())))
        .collect::<Result<_, _>>()?;
    if !numbers.len().is_multiple_of(2) {
        return Err(format!("{} numbers are not pairs of offsets", numbers.len()));
    }
    let centre = i32::from(size / 2);
    let place = |pair: &[i16]| {
        let x = u8::try_from(i32::from(pair[0]) + centre).ok()?;
        let from_top = u8::try_from(i32::from(pair[1]) + centre).ok()?;
        Point::new(x, size.checked_sub(1)?.checked_sub(from_top)?).filter(|point| point.is_on(size))
    };
    let read = |pair: &[i16]| {
        place(pair)
            .ok_or_else(|| format!("{},{} is not on a {size}×{size} board", pair[0], pair[1]))
    };
    numbers.chunks_exact(2).map(read).collect()
}

#[cfg(test)]
mod tests {
    use renju::Ruleset;

    use super::*;

    fn opening(id: &str, size: u8, text: &str) -> Result<String, String> {
        let empty = Record::sized(Ruleset::find(id).unwrap(), size).unwrap();
        read_one(text, &empty).map(|record| record.to_string())
    }

    #[test]
    fn an_opening_is_played_by_the_rules() {
        assert_eq!(opening("renju_free", 15, "h8i9g7"), Ok("h8 i9 g7".to_owned()));
        for (id, size, text, wanted) in [
            ("gomoku_exact5", 9, "h8j1", "j1: j1 is not on a 9×9 board"),
            ("gomoku_exact5", 15, "h8h8", "h8: h8 is occupied"),
            ("gomoku_exact5", 15, "h8h", "column 3: \"h\" is not a point such as h8"),
            ("gomoku_exact5", 15, "  h8h", "column 5: \"h\" is not a point such as h8"),
            (
                "gomoku_exact5",
                15,
                "a1a2b1b2c1c2d1d2e1",
                "the game is over after the opening (five)",
            ),
        ] {
            assert_eq!(opening(id, size, text), Err(wanted.to_owned()));
        }
        assert!(opening("renju_taraguchi10_rif", 15, "h8i9").is_err());
    }

    #[test]
    fn offsets_go_right_and_down_from_the_centre() {
        for (size, text, wanted) in [
            (15, "0,0, 1,-1, -2,3", "h8 i9 f5"),
            (15, "  -7,-7,7,7", "a15 o1"),
            (15, "+1,0 , 0,+1", "i8 h7"),
            (9, "0,0", "e5"),
            (10, "0,0, -5,-5, 4,4", "f5 a10 j1"),
        ] {
            assert_eq!(opening("gomoku_freestyle", size, text), Ok(wanted.to_owned()), "{text}");
        }
        for (text, wanted) in [
            ("0,0, 8,0", "8,0 is not on a 15×15 board"),
            ("0,0, 0,-8", "0,-8 is not on a 15×15 board"),
            ("0,0, 1", "3 numbers are not pairs of offsets"),
            ("0,0, x,1", "\"x\" is not an offset"),
            ("0,0,", "\"\" is not an offset"),
            ("32767,0", "32767,0 is not on a 15×15 board"),
            ("0,0, 0,0", "h8: h8 is occupied"),
        ] {
            assert_eq!(opening("gomoku_freestyle", 15, text), Err(wanted.to_owned()));
        }
    }
}
