//! Whole games as SGF, version `FF[4]`, game `GM[4]` (Gomoku and Renju).
//!
//! A stone is a node. Decisions between two stones (a swap, a declaration, an offer) are in the
//! node's comment, one per line as in a [`Record`]'s text; offered points are also labelled A, B,
//! C… for any viewer. `RU` holds the ruleset's id. `RE` holds the result in SGF's terms; `GC` holds
//! a reason that `RE` cannot express.

use super::{NotationError, square};
use crate::player::{ByColor, BySeat, Color};
use crate::point::Point;
use crate::position::{Outcome, Play, Position};
use crate::record::Record;
use crate::ruleset::Ruleset;

mod nodes;
mod reader;

use nodes::{escape, main_line};
use reader::Reader;

/// A game with its metadata.
///
/// [`Sheet::read`] restores what [`Sheet::write`] wrote, except: line breaks and tabs in a text
/// become spaces, an empty text becomes `None`, and a record that does not start on the empty board
/// becomes one that starts in free play with the first seat as Black, because its opening, swaps
/// and earlier stones are not stored.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Sheet {
    pub record: Record,
    /// Names of the players.
    pub players: BySeat<Option<String>>,
    /// Result of the game, on the board or not.
    pub result: Option<Verdict>,
    /// Date; SGF wants `2026-03-14`.
    pub date: Option<String>,
    pub event: Option<String>,
    pub place: Option<String>,
}

/// Result of a game as written in a file.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Verdict {
    /// Winner; `None` is a draw.
    pub winner: Option<Color>,
    /// Reason; may be empty. SGF knows `Resign`, `Time` and `Forfeit`, also as their first letters,
    /// and a score.
    pub reason: String,
}

impl From<Outcome> for Verdict {
    fn from(outcome: Outcome) -> Verdict {
        Verdict { winner: outcome.winner, reason: outcome.by.to_string() }
    }
}

impl Verdict {
    /// Value of `RE`, and of `GC` if `RE` cannot hold the reason.
    fn write(&self) -> (String, Option<&str>) {
        let reason = self.reason.as_str();
        let known = matches!(reason, "" | "R" | "Resign" | "T" | "Time" | "F" | "Forfeit")
            || reason.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let (inside, beside) = if known { (reason, None) } else { ("", Some(reason)) };
        match self.winner {
            Some(color) => (format!("{}+{inside}", ident_of(color)), beside),
            None => ("Draw".to_owned(), Some(reason).filter(|reason| !reason.is_empty())),
        }
    }

    /// `None` for an unknown result, an unfinished game, and anything else SGF allows.
    fn read(text: &str) -> Option<Verdict> {
        let text = text.trim_start();
        let (winner, reason) = text.split_once('+').unwrap_or((text, ""));
        let winner = match (winner, text.contains('+')) {
            ("B" | "b" | "Black", true) => Some(Color::Black),
            ("W" | "w" | "White", true) => Some(Color::White),
            ("Draw" | "draw", _) | ("0", false) => None,
            _ => return None,
        };
        Some(Verdict { winner, reason: reason.to_owned() })
    }
}

impl Sheet {
    /// Sheet of a record with its result on the board and no metadata.
    pub fn new(record: Record) -> Sheet {
        let result = record.position().outcome().map(Verdict::from);
        let players = BySeat::default();
        Sheet { record, players, result, date: None, event: None, place: None }
    }

    /// Writes the file.
    pub fn write(&self) -> String {
        self.write_annotated(&[])
    }

    /// Writes the file with a line of comment for each stone; an empty one is left out.
    pub fn write_annotated(&self, notes: &[String]) -> String {
        let mut notes = notes.iter();
        let (start, end) = (self.record.start(), self.record.position());
        let size = start.board().size();
        let mut text = format!("(;FF[4]GM[4]CA[UTF-8]AP[renju:{}]\n", env!("CARGO_PKG_VERSION"));
        text += &format!("SZ[{size}]RU[{}]", start.ruleset().id);
        let (result, reason) = self.result.as_ref().map(Verdict::write).unzip();
        let reason = reason.flatten().map(str::to_owned);
        for (ident, value) in [
            ("PB", &self.players[end.seat_of(Color::Black)]),
            ("PW", &self.players[end.seat_of(Color::White)]),
            ("DT", &self.date),
            ("EV", &self.event),
            ("PC", &self.place),
            ("RE", &result),
            ("GC", &reason),
        ] {
            if let Some(value) = value.as_ref().filter(|value| !value.is_empty()) {
                text += &format!("{ident}[{}]", escape(value));
            }
        }
        let mut comments = write_setup(start, &mut text);
        for (position, &play) in self.record.positions().zip(self.record.plays()) {
            match play {
                Play::Place(point) => {
                    write_comments(&mut comments, &mut text);
                    let color = ident_of(position.to_move());
                    text += &format!("\n;{color}[{}]", letters(point, size));
                    let note = notes.next().filter(|note| !note.is_empty());
                    comments.extend(note.map(|note| escape(note)));
                }
                Play::Offer(offer) => {
                    comments.push(play.to_string());
                    text += "LB";
                    for (point, label) in offer.points().iter().zip('A'..) {
                        text += &format!("[{}:{label}]", letters(*point, size));
                    }
                }
                _ => comments.push(play.to_string()),
            }
        }
        write_comments(&mut comments, &mut text);
        text + ")\n"
    }

    /// Reads the main line of the first game of a file.
    ///
    /// A file whose `RU` is not the id of a ruleset comes from another program: it is read as a
    /// game of `default`, stones only. Unknown properties are skipped.
    pub fn read(text: &str, default: &'static Ruleset) -> Result<Sheet, NotationError> {
        let nodes = main_line(text)?;
        let info = |ident: &str| {
            let property = nodes.iter().flatten().find(|property| property.ident == ident)?;
            let text = property.values.first()?.simple_text();
            Some(text).filter(|text| !text.is_empty())
        };
        let own = info("RU").and_then(|id| Ruleset::find(&id).ok());
        let ruleset = own.unwrap_or(default);
        let size = info("SZ").map_or(Ok(ruleset.size), |size| square(&size, ':'))?;
        let reader = Reader { text, nodes: &nodes, size, own: own.is_some() };
        let record = reader.record(ruleset)?;
        let mut players = BySeat::default();
        players[record.position().seat_of(Color::Black)] = info("PB");
        players[record.position().seat_of(Color::White)] = info("PW");
        let mut result = info("RE").and_then(|result| Verdict::read(&result));
        if let Some(verdict) = result.as_mut().filter(|verdict| verdict.reason.is_empty()) {
            // In files of other programs the comment can be about anything.
            verdict.reason = info("GC").filter(|_| own.is_some()).unwrap_or_default();
        }
        Ok(Sheet {
            record,
            players,
            result,
            date: info("DT"),
            event: info("EV"),
            place: info("PC"),
        })
    }
}

/// Writes the stones of a start other than the empty board; returns the comments it needs.
fn write_setup(start: &Position, text: &mut String) -> Vec<String> {
    let board = start.board();
    if Position::sized(start.ruleset(), board.size()).as_ref() == Ok(start) {
        return Vec::new();
    }
    for color in Color::BOTH {
        let stones: Vec<Point> = board.stones_of(color).collect();
        if !stones.is_empty() {
            *text += &format!("A{}", ident_of(color));
            text.extend(stones.iter().map(|&point| format!("[{}]", letters(point, board.size()))));
        }
    }
    *text += &format!("PL[{}]", ident_of(start.to_move()));
    let ByColor { black, white } = start.pairs();
    if (black, white) == (0, 0) { Vec::new() } else { vec![format!("{PAIRS}{black},{white}")] }
}

/// Prefix of the comment with the pairs captured before the start.
const PAIRS: &str = "pairs:";

fn write_comments(comments: &mut Vec<String>, text: &mut String) {
    if !comments.is_empty() {
        *text += &format!("C[{}]", comments.join("\n"));
        comments.clear();
    }
}

fn ident_of(color: Color) -> char {
    match color {
        Color::Black => 'B',
        Color::White => 'W',
    }
}

/// SGF form of a point: the column's letter, then the rank's, counted from the top.
fn letters(point: Point, size: u8) -> String {
    let row = size.saturating_sub(point.y() + 1);
    [b'a' + point.x(), b'a' + row].map(char::from).iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ruleset(id: &str) -> &'static Ruleset {
        Ruleset::find(id).unwrap()
    }

    fn sheet(id: &str, plays: &str) -> Sheet {
        let ruleset = ruleset(id);
        Sheet::new(Record::parse(ruleset, ruleset.size, plays).unwrap())
    }

    #[test]
    fn a_game_is_written_as_any_viewer_expects_it() {
        let mut sheet = sheet("renju_soosorv8", "h8 i9 g9 swap f8 declare:2 keep offer:h10,j7 h10");
        sheet.players.first = Some("Ada [a] \\o/".to_owned());
        sheet.players.second = Some("Bo".to_owned());
        sheet.date = Some("2026-03-14".to_owned());
        sheet.result = Some(Verdict { winner: Some(Color::White), reason: "Resign".to_owned() });
        let text = format!(
            "(;FF[4]GM[4]CA[UTF-8]AP[renju:{}]\n\
             SZ[15]RU[renju_soosorv8]PB[Bo]PW[Ada [a\\] \\\\o/]DT[2026-03-14]RE[W+Resign]\n\
             ;B[hh]\n;W[ig]\n;B[gg]C[swap]\n\
             ;W[fh]LB[hf:A][ji:B]C[declare:2\nkeep\noffer:h10,j7]\n;B[hf])\n",
            env!("CARGO_PKG_VERSION")
        );
        assert_eq!(sheet.write(), text);
        assert_eq!(Sheet::read(&text, ruleset("renju_free")), Ok(sheet));
    }

    #[test]
    fn notes_stand_before_the_decisions_and_are_not_read_as_such() {
        let sheet = sheet("gomoku_swap2", "h8 i9 g9 swap f8");
        let notes = ["", "g9 [odd]: a blunder", "good"].map(str::to_owned);
        let text = sheet.write_annotated(&notes);
        assert!(
            text.contains(";B[hh]\n;W[ig]C[g9 [odd\\]: a blunder]\n;B[gg]C[good\nswap]"),
            "{text}"
        );
        assert_eq!(Sheet::read(&text, ruleset("renju_free")), Ok(sheet));
    }

    #[test]
    fn results_are_read_in_every_usual_spelling() {
        let read = |text| Verdict::read(text).map(|verdict| (verdict.winner, verdict.reason));
        assert_eq!(read("B+R"), Some((Some(Color::Black), "R".to_owned())));
        assert_eq!(read("W+"), Some((Some(Color::White), String::new())));
        assert_eq!(read("White+Time"), Some((Some(Color::White), "Time".to_owned())));
        assert_eq!(read("0"), Some((None, String::new())));
        assert_eq!(read("Draw"), Some((None, String::new())));
        for text in ["?", "Void", "", "B", "+", "Bo+1"] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }

    #[test]
    fn results_are_written_in_words_that_every_viewer_knows() {
        for (winner, word) in
            [(None, "Draw"), (Some(Color::Black), "B+"), (Some(Color::White), "W+")]
        {
            for reason in ["", "Resign", "T", "3.5", "five", "out of time + more", "+", " ", "]"] {
                let mut sheet = sheet("renju_free", "h8");
                sheet.result = Some(Verdict { winner, reason: reason.to_owned() });
                let text = sheet.write();
                let known = winner.is_some() && ["Resign", "T", "3.5"].contains(&reason);
                let value = if known { format!("{word}{reason}") } else { word.to_owned() };
                assert!(text.contains(&format!("RE[{value}]")), "{text}");
                assert_eq!(Sheet::read(&text, ruleset("renju_free")), Ok(sheet));
            }
        }
        let foreign = "(;FF[4]GM[4]RU[Renju]RE[B+]GC[a fine game];B[hh])";
        let sheet = Sheet::read(foreign, ruleset("renju_free")).unwrap();
        assert_eq!(sheet.result.map(|verdict| verdict.reason), Some(String::new()));
    }

    #[test]
    fn the_result_on_the_board_is_filled_in() {
        let sheet = sheet("gomoku_freestyle", "a1 b1 a2 b2 a3 b3 a4 b4 a5");
        assert!(sheet.write().contains("RE[B+]GC[five]"), "{}", sheet.write());
        assert_eq!(Sheet::read(&sheet.write(), ruleset("renju_free")), Ok(sheet));
    }

    #[test]
    fn stones_that_were_set_up_round_trip() {
        let mut board = crate::Board::new(19);
        board.put("c3".parse().unwrap(), Color::Black);
        board.put("s19".parse().unwrap(), Color::White);
        for (pairs, turn) in [((0, 0), Color::White), ((4, 1), Color::Black)] {
            let pairs = ByColor { black: pairs.0, white: pairs.1 };
            let start = Position::analysis(ruleset("gomoku_capture"), board, turn, pairs).unwrap();
            let mut sheet = Sheet::new(Record::from_start(start));
            assert_eq!(Sheet::read(&sheet.write(), ruleset("renju_free")), Ok(sheet.clone()));
            sheet.record.read("j10").unwrap();
            assert_eq!(Sheet::read(&sheet.write(), ruleset("renju_free")), Ok(sheet));
        }
    }
}
