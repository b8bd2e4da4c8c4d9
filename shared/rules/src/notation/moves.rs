//! Sequences of points without separators: `h8i9j10`.
//!
//! Points only: swaps and other decisions are not included, and legality is not checked.

use super::{NotationError, Place};
use crate::point::Point;
use crate::position::Play;

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

/// Reads the stones of a game from points as [`read`] takes them or from the text of a
/// [`Record`](crate::Record), whose swaps and other decisions are skipped.
pub fn read_stones(text: &str) -> Result<Vec<Point>, NotationError> {
    let mut stones = text.to_owned();
    let mut end = 0;
    for word in text.split_whitespace() {
        let start = end + text[end..].find(word).unwrap_or(0);
        end = start + word.len();
        if word.parse().is_ok_and(|play| !matches!(play, Play::Place(_))) {
            // The places of errors stay what they are.
            stones.replace_range(start..end, &" ".repeat(word.len()));
        }
    }
    read(&stones)
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
    fn the_decisions_of_a_record_are_skipped() {
        for (text, stones) in [
            ("h8 swap i9 keep offer:j8,j9 j8 declare:2 put-two", "h8i9j8"),
            ("h8i9 j8", "h8i9j8"),
            ("", ""),
            ("keep", ""),
        ] {
            assert_eq!(read_stones(text).map(|points| write(&points)), Ok(stones.to_owned()));
        }
        let error = |text| read_stones(text).unwrap_err().to_string();
        assert_eq!(error("h8 keep z9"), "line 1, column 9: \"z9\" is not a point such as h8");
        assert_eq!(error("keep pass"), "line 1, column 6: \"p\" is not a point such as h8");
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
