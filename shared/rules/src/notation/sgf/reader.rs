//! Conversion of the properties of an SGF file into a record.

use super::PAIRS;
use super::nodes::{Node, Value};
use crate::board::Board;
use crate::notation::{NotationError, Place, empty_board};
use crate::player::{ByColor, Color};
use crate::point::Point;
use crate::position::{Play, Position};
use crate::record::Record;
use crate::ruleset::Ruleset;

/// A parsed file before its first stone.
pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) nodes: &'a [Node<'a>],
    pub(super) size: u8,
    /// True if this crate wrote the file, so that its comments hold decisions.
    pub(super) own: bool,
}

impl<'a> Reader<'a> {
    /// Replays the game of the file.
    pub(super) fn record(&self, ruleset: &'static Ruleset) -> Result<Record, NotationError> {
        let mut record = Record::from_start(self.start(ruleset)?);
        for node in self.nodes {
            // The properties of a node are unordered: play its stone first, then the decisions.
            for property in node {
                if let Some((color, value)) = color_of(&property.ident).zip(property.values.first())
                {
                    self.place(&mut record, color, value)?;
                }
            }
            for value in values(std::slice::from_ref(node), "C").filter(|_| self.own) {
                self.decide(&mut record, value)?;
            }
        }
        Ok(record)
    }

    fn place(
        &self,
        record: &mut Record,
        color: Color,
        value: &Value<'_>,
    ) -> Result<(), NotationError> {
        let play = Play::Place(self.point(value, value.raw)?);
        let place = || Place::of(self.text, value.offset);
        // If the game is over, report that and not the wrong turn.
        if record.position().outcome().is_none() && record.position().to_move() != color {
            return Err(NotationError::OutOfTurn { place: place(), color });
        }
        record.play(play).map_err(|why| NotationError::Illegal { place: place(), play, why })
    }

    /// Plays the decisions among the lines of a comment; other lines are for people.
    fn decide(&self, record: &mut Record, comment: &Value<'_>) -> Result<(), NotationError> {
        for line in comment.text().lines() {
            match line.trim().parse() {
                Ok(Play::Place(_)) | Err(_) => {}
                Ok(play) => record.play(play).map_err(|why| {
                    let place = Place::of(self.text, comment.offset);
                    NotationError::Illegal { place, play, why }
                })?,
            }
        }
        Ok(())
    }

    /// Position before the first play: the empty board unless stones or a turn are set up.
    fn start(&self, ruleset: &'static Ruleset) -> Result<Position, NotationError> {
        let plays =
            |node: &Node<'_>| node.iter().any(|property| color_of(&property.ident).is_some());
        let first = self.nodes.iter().position(plays);
        let (before, after) =
            self.nodes.split_at(first.map_or(self.nodes.len(), |first| first + 1));
        if let Some(value) = ["AB", "AW"].iter().find_map(|ident| values(after, ident).next()) {
            return Err(self.unreadable(value, "a stone set up before the first play"));
        }
        let mut board = empty_board(self.size)?;
        for (ident, color) in [("AB", Color::Black), ("AW", Color::White)] {
            for value in values(before, ident) {
                self.set_up(&mut board, color, value)?;
            }
        }
        let turn = values(before, "PL").next();
        if turn.is_none() && board.stones() == 0 {
            return Ok(Position::sized(ruleset, self.size)?);
        }
        let to_move = match turn.and_then(|turn| turn.raw.trim().chars().next()) {
            Some('B' | 'b' | '1') => Color::Black,
            Some('W' | 'w' | '2') => Color::White,
            _ => {
                let [black, white] = Color::BOTH.map(|color| board.stones_of(color).count());
                if black <= white { Color::Black } else { Color::White }
            }
        };
        let pairs = values(before, "C").filter(|_| self.own).find_map(read_pairs);
        Ok(Position::analysis(ruleset, board, to_move, pairs.unwrap_or_default())?)
    }

    /// Puts the stone, or the rectangle of stones, that `value` names.
    fn set_up(
        &self,
        board: &mut Board,
        color: Color,
        value: &Value<'_>,
    ) -> Result<(), NotationError> {
        let (one, other) = value.raw.split_once(':').unwrap_or((value.raw, value.raw));
        let (one, other) = (self.point(value, one)?, self.point(value, other)?);
        for y in one.y().min(other.y())..=one.y().max(other.y()) {
            for x in one.x().min(other.x())..=one.x().max(other.x()) {
                match Point::new(x, y).filter(|&point| board.is_empty(point)) {
                    Some(point) => board.put(point, color),
                    None => return Err(self.unreadable(value, "an empty point")),
                }
            }
        }
        Ok(())
    }

    /// Reads `hh`, and `h8` as some programs write it.
    fn point(&self, value: &Value<'_>, text: &str) -> Result<Point, NotationError> {
        let text = text.trim();
        let from_letters = || {
            let &[column, row] = text.as_bytes() else { return None };
            let row = row.checked_sub(b'a').filter(|&row| row < self.size)?;
            Point::new(column.checked_sub(b'a')?, self.size - 1 - row)
        };
        from_letters()
            .or_else(|| text.parse().ok())
            .filter(|point| point.is_on(self.size))
            .ok_or_else(|| self.unreadable(value, "a point of the board"))
    }

    fn unreadable(&self, value: &Value<'_>, wanted: &'static str) -> NotationError {
        NotationError::unreadable(Place::of(self.text, value.offset), value.raw, wanted)
    }
}

/// Colour whose stones or turn a property names.
fn color_of(ident: &str) -> Option<Color> {
    match ident {
        "B" => Some(Color::Black),
        "W" => Some(Color::White),
        _ => None,
    }
}

/// Values of a property in these nodes.
fn values<'n, 'a>(nodes: &'n [Node<'a>], ident: &'n str) -> impl Iterator<Item = &'n Value<'a>> {
    let properties = nodes.iter().flatten().filter(move |property| property.ident == ident);
    properties.flat_map(|property| &property.values)
}

fn read_pairs(comment: &Value<'_>) -> Option<ByColor<u8>> {
    comment.text().lines().find_map(|line| {
        let (black, white) = line.trim().strip_prefix(PAIRS)?.split_once(',')?;
        Some(ByColor { black: black.parse().ok()?, white: white.parse().ok()? })
    })
}

#[cfg(test)]
mod tests {
    use crate::notation::sgf::Sheet;
    use crate::ruleset::Ruleset;

    fn read(text: &str) -> Result<Sheet, String> {
        let default = Ruleset::find("gomoku_freestyle").unwrap();
        Sheet::read(text, default).map_err(|error| error.to_string())
    }

    #[test]
    fn files_from_elsewhere_are_read_as_games_of_the_default_ruleset() {
        let sheet = read(
            "(;GM[4]SZ[15:15]RU[Renju]KM[0]PB[ ]PW[]PC[Tallinn];B[hh]C[swap\nkeep];W[ia]BL[9])",
        );
        let sheet = sheet.unwrap();
        assert_eq!(sheet.record.to_string(), "h8 i15");
        assert_eq!(sheet.record.position().ruleset().id, "gomoku_freestyle");
        assert_eq!((sheet.players.first.as_deref(), sheet.players.second), (Some(" "), None));
        assert_eq!(sheet.place.as_deref(), Some("Tallinn"));
        assert_eq!(read("(;Black[h8];White[o15])").unwrap().record.to_string(), "h8 o15");
        assert_eq!(read("(;SZ[19];B[aa];W[ss])").unwrap().record.to_string(), "a19 s1");
        assert_eq!(read("(;SZ[20];B[aa];W[tt])").unwrap().record.to_string(), "a20 t1");
    }

    #[test]
    fn comments_for_people_are_skipped_in_our_own_files() {
        let text = "(;RU[gomoku_swap2];B[hh]C[a fine start\nh9];W[ih];B[jh]C[Why\\: see below.\n swap\nb1])";
        assert_eq!(read(text).unwrap().record.to_string(), "h8 i8 j8 swap");
    }

    #[test]
    fn rectangles_of_stones_are_set_up() {
        let sheet = read("(;AB[aa:cb]AW[oo];PL[w];W[hh])").unwrap();
        let start = sheet.record.start().board();
        assert_eq!(start.stones(), 7);
        assert!(!start.is_empty("c14".parse().unwrap()) && start.is_empty("d15".parse().unwrap()));
        assert_eq!(sheet.record.to_string(), "h8");
        let turn = |text| read(text).unwrap().record.position().to_move().to_string();
        assert_eq!(
            [turn("(;AB[aa])"), turn("(;AB[aa]AW[bb])"), turn("(;PL[White])")],
            ["white", "black", "white"]
        );
    }

    #[test]
    fn games_that_cannot_be_are_refused_with_their_place() {
        for (text, error) in [
            ("(;B[hh]\n;B[ii])", "line 2, column 4: black places a stone when white is to move"),
            ("(;B[hh];W[hh])", "line 1, column 11: h8: h8 is occupied"),
            ("(;B[hh];W[])", "line 1, column 11: \"\" is not a point of the board"),
            ("(;B[tt])", "line 1, column 5: \"tt\" is not a point of the board"),
            ("(;SZ[9];B[ij])", "line 1, column 11: \"ij\" is not a point of the board"),
            ("(;B[é])", "line 1, column 5: \"é\" is not a point of the board"),
            ("(;SZ[25])", "a board has a side of 5 to 20, not \"25\""),
            ("(;SZ[15:19])", "a board has a side of 5 to 20, not \"15:19\""),
            ("(;SZ[19]RU[renju_free])", "renju_free is not played on a 19×19 board"),
            ("(;AB[aa][aa])", "line 1, column 10: \"aa\" is not an empty point"),
            (
                "(;B[hh];AW[aa])",
                "line 1, column 12: \"aa\" is not a stone set up before the first play",
            ),
            (
                "(;RU[gomoku_swap2]C[keep])",
                "line 1, column 21: keep: the player to act must place a stone",
            ),
        ] {
            assert_eq!(read(text), Err(error.to_owned()));
        }
    }
}
