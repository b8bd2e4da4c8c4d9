//! Boards as flat strings: one character per point, rank by rank from rank 1, `.`, `x` or `o`.

use super::{NotationError, Place, color_of, empty_board};
use crate::board::Board;
use crate::player::Color;
use crate::point::Point;

/// Writes a board as `size * size` characters, in the order of [`Point::index`].
pub fn write(board: &Board) -> String {
    Point::all(board.size()).map(|point| board.get(point).map_or('.', Color::letter)).collect()
}

/// Reads a board of side `size`.
pub fn read(text: &str, size: u8) -> Result<Board, NotationError> {
    let mut board = empty_board(size)?;
    let (found, wanted) = (text.chars().count(), usize::from(size) * usize::from(size));
    if found != wanted {
        return Err(NotationError::Length { found, wanted });
    }
    for (point, (n, c)) in Point::all(size).zip(text.char_indices()) {
        match color_of(c) {
            Some(color) => board.put(point, color),
            None if c == '.' => {}
            None => {
                let place = Place::of(text, n);
                return Err(NotationError::unreadable(place, &c.to_string(), "x, o or ."));
            }
        }
    }
    Ok(board)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::point::{SIZE_MAX, SIZE_MIN};

    #[test]
    fn rank_1_comes_first() {
        let text = format!(".xo..{}", ".".repeat(20));
        let board = read(&text, 5).unwrap();
        assert_eq!(board.get("b1".parse().unwrap()), Some(Color::Black));
        assert_eq!(board.get("c1".parse().unwrap()), Some(Color::White));
        assert_eq!(board.stones(), 2);
        assert_eq!(write(&board), text);
    }

    #[test]
    fn every_size_round_trips() {
        for size in SIZE_MIN..=SIZE_MAX {
            let mut board = Board::new(size);
            for point in Point::all(size).filter(|point| (point.x() + 2 * point.y()) % 3 != 0) {
                board.put(point, if point.y() % 2 == 0 { Color::Black } else { Color::White });
            }
            assert_eq!(read(&write(&board), size), Ok(board));
            assert_eq!(read(&write(&board).to_uppercase(), size), Ok(board));
        }
    }

    #[test]
    fn strings_are_refused_by_length_and_by_character() {
        let error = |text: &str| read(text, 5).unwrap_err().to_string();
        assert_eq!(error("..x"), "the board string has 3 characters where 25 are due");
        assert_eq!(error(&"..é..".repeat(5)), "line 1, column 3: \"é\" is not x, o or .");
        assert_eq!(
            read("", 0).unwrap_err().to_string(),
            "a board has a side of 5 to 20, not \"0\""
        );
    }
}
