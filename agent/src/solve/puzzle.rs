//! A position to solve, parsed from a line of JSON.

use renju::{Board, Color, Point, Position, Ruleset};
use serde::Deserialize;
use serde_json::Value;

/// A position in which the colour to move attacks.
#[derive(Debug)]
pub(super) struct Puzzle {
    pub(super) id: Option<Value>,
    pub(super) position: Position,
}

#[derive(Deserialize)]
struct Row {
    id: Option<Value>,
    rule: Option<String>,
    size: Option<u8>,
    side: String,
    #[serde(default)]
    black: Vec<String>,
    #[serde(default)]
    white: Vec<String>,
}

impl Puzzle {
    /// Parses a line; the error says what is wrong with it.
    pub(super) fn read(line: &[u8]) -> Result<Puzzle, String> {
        let row: Row = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        let ruleset = match row.rule.as_deref() {
            None | Some("renju") => "renju_free",
            Some(id) => id,
        };
        let ruleset = Ruleset::find(ruleset).map_err(|why| why.to_string())?;
        if ruleset.pairs_to_win.is_some() {
            return Err(format!("fours prove nothing in {}: they can be captured", ruleset.id));
        }
        let size = ruleset.check_size(row.size.unwrap_or(ruleset.size));
        let mut board = Board::new(size.map_err(|why| why.to_string())?);
        for (color, names) in [(Color::Black, &row.black), (Color::White, &row.white)] {
            put_all(&mut board, color, names)?;
        }
        let attacker = match row.side.as_str() {
            "b" | "black" => Color::Black,
            "w" | "white" => Color::White,
            other => return Err(format!("side {other:?} is neither b nor w")),
        };
        if let Some(winner) = Color::BOTH.into_iter().find(|&color| board.has_five(color)) {
            return Err(format!("{winner} has five in a row already"));
        }
        let position = Position::analysis(ruleset, board, attacker, Default::default());
        Ok(Puzzle { id: row.id, position: position.map_err(|why| why.to_string())? })
    }
}

fn put_all(board: &mut Board, color: Color, names: &[String]) -> Result<(), String> {
    for name in names {
        let point: Point = name.parse().map_err(|why: renju::ParsePointError| why.to_string())?;
        let size = board.size();
        if !point.is_on(size) {
            return Err(format!("{point} is not on a {size}×{size} board"));
        }
        if !board.is_empty(point) {
            return Err(format!("{point} is occupied"));
        }
        board.put(point, color);
    }
    Ok(())
}
