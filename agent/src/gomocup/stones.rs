//! Stones of a game as sent by a manager, one at a time or as a list that DONE ends.

use renju::{Board, Color, Direction, Point, Ruleset};

use super::{read_point, write_point};
use crate::lines::shown;

/// Stones on the board in the order they were sent.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Stones(pub(super) Vec<(Point, Color)>);

impl Stones {
    pub(super) fn has(&self, point: Point) -> bool {
        self.0.iter().any(|&(other, _)| other == point)
    }

    /// Colour of the stone of TURN: Black begins, then the colours alternate.
    pub(super) fn next(&self) -> Color {
        self.0.last().map_or(Color::Black, |&(_, color)| !color)
    }

    pub(super) fn count(&self, color: Color) -> usize {
        self.0.iter().filter(|&&(_, by)| by == color).count()
    }

    pub(super) fn board(&self, size: u8) -> Board {
        let mut board = Board::new(size);
        for &(point, color) in &self.0 {
            board.put(point, color);
        }
        board
    }

    /// Winner, in whatever order the stones were placed.
    pub(super) fn winner(&self, ruleset: &Ruleset, size: u8) -> Option<Color> {
        let board = self.board(size);
        let wins = |point, color| {
            let row = |direction| board.row_through(point, direction, color);
            let rows = Direction::ALL.into_iter().map(row);
            rows.into_iter().any(|row| ruleset.five[color].is_won_by(row))
        };
        self.0.iter().find(|&&(point, color)| wins(point, color)).map(|&(_, color)| color)
    }
}

/// Error for a text that is not a point.
pub(super) fn off_board(text: &str, size: u8) -> String {
    format!("{:?} is not x,y on a board of {size} points a side", shown(text))
}

/// Purpose of a list of stones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// `BOARD`: a move is wanted.
    Move,
    /// `YXBOARD`: no answer is wanted.
    Look,
    /// `SWAP2BOARD`: an opening decision is wanted.
    Swap2,
}

/// An unfinished list of stones.
#[derive(Clone, Debug)]
pub(super) struct List {
    pub(super) purpose: Purpose,
    size: u8,
    stones: Vec<(Point, Owner)>,
    /// A list with a bad line is discarded.
    is_bad: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Owner {
    Me,
    Opponent,
    /// Stones of an opening, not assigned to a player yet.
    Unassigned,
}

impl List {
    pub(super) fn new(purpose: Purpose, size: u8) -> List {
        List { purpose, size, stones: Vec::new(), is_bad: false }
    }

    /// Reads one line of the list.
    pub(super) fn read(&mut self, line: &str) -> Result<(), String> {
        let read = self.stone(line);
        self.is_bad |= read.is_err();
        self.stones.push(read?);
        Ok(())
    }

    /// Marks the list as bad.
    pub(super) fn spoil(&mut self) {
        self.is_bad = true;
    }

    fn stone(&self, line: &str) -> Result<(Point, Owner), String> {
        let (point, owner) = match line.match_indices(',').nth(1) {
            Some((comma, _)) => (&line[..comma], Some(line[comma + 1..].trim())),
            None => (line, None),
        };
        let owner = match (owner, self.purpose) {
            (_, Purpose::Swap2) => Owner::Unassigned,
            (Some("1"), _) => Owner::Me,
            (Some("2"), _) => Owner::Opponent,
            _ => {
                let line = shown(line);
                return Err(format!("{line:?} is no stone: x,y,1 is mine, x,y,2 the other's"));
            }
        };
        let size = self.size;
        let point = read_point(point, size).ok_or_else(|| off_board(point, size))?;
        if self.stones.iter().any(|&(other, _)| other == point) {
            return Err(format!("{} is occupied", write_point(point, size)));
        }
        Ok((point, owner))
    }

    /// The stones, and the colour to move. Black has as many stones as White when it is to move, or
    /// more in a position set up by hand.
    pub(super) fn finish(self) -> Result<(Stones, Color), String> {
        if self.is_bad {
            return Err("the list had a bad line; nothing has changed".to_owned());
        }
        let count = |owner| self.stones.iter().filter(|&&(_, of)| of == owner).count();
        let me =
            if count(Owner::Me) >= count(Owner::Opponent) { Color::Black } else { Color::White };
        let color = |index: usize, owner| match owner {
            Owner::Me => me,
            Owner::Opponent => !me,
            Owner::Unassigned => Color::BOTH[index % 2],
        };
        let stones = self.stones.iter().enumerate();
        Ok((Stones(stones.map(|(n, &(point, owner))| (point, color(n, owner))).collect()), me))
    }
}
