//! Sequences of points without separators: `h8i9j10`.
//!
//! Points only: swaps and other decisions are not included, and legality is not checked.

use super::{NotationError, Place};
use crate::point::Point;

/// Writes the points one after the other, `h8i9j10`.
pub fn write(points: &[Point]) -> String {
    points.iter().map(Point::to_string).collect()
}

/// Reads points, with or without white space and commas between them.
pub fn read(text: &str) -> Result<Vec<Point>, NotationError> {
    let mut points = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let digits = &rest[letter.len_utf8()..];
        let after = digits.trim_start_matches(|c: char| c.is_ascii_digit());
        if letter == ',' || letter.is_whitespace() {
            rest = digits;
            continue;
        }
        let word = &rest[..rest.len() - after.len()];
        let point = word.parse().map_err(|_| {
            let place = Place::of(text, text.len() - rest.len());
            NotationError::unreadable(place, word, "a point such as h8")
        })?;
        points.push(point);
        rest = after;
    }
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::point::SIZE_MAX;

    #[test]
    fn every_pair_of_points_round_trips() {
        for first in Point::all(SIZE_MAX) {
            for second in Point::all(SIZE_MAX) {
                assert_eq!(read(&write(&[first, second])), Ok(vec![first, second]));
            }
        }
        assert_eq!(read(""), Ok(Vec::new()));
    }

    #[test]
    fn separators_and_case_do_not_matter() {
        let points = read("h8i9j10a1").unwrap();
        assert_eq!(write(&points), "h8i9j10a1");
        for text in ["h8 i9 j10 a1", "h8,i9,j10,a1", " H8, I9\n\tj10a1 ,", "h8i9 j10,a1"] {
            assert_eq!(read(text).as_ref(), Ok(&points), "{text:?}");
        }
    }

    #[test]
    fn a_word_that_is_no_point_is_named_with_its_place() {
        for (text, place, word) in [
            ("h8i", "line 1, column 3", "i"),
            ("h8\ni21", "line 2, column 1", "i21"),
            ("8h", "line 1, column 1", "8"),
            ("h8é9", "line 1, column 3", "é9"),
            ("h8h0", "line 1, column 3", "h0"),
            ("h8u1", "line 1, column 3", "u1"),
            ("h8;i9", "line 1, column 3", ";"),
            ("h123456789012", "line 1, column 1", "h123456789012"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert_eq!(error, format!("{place}: {word:?} is not a point such as h8"));
        }
    }
}
