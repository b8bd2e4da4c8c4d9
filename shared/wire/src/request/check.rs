//! `POST /rules/check`: a position, by its moves or by its stones, and perhaps a point to judge.

use renju::{
    Board, ByColor, Color, IllegalPlay, Play, Point, Position, Record, Ruleset, SIZE_MAX, SIZE_MIN,
    notation,
};
use serde_json::Value;

use crate::fields::{Fields, Malformed, shown};
use crate::point::{BoardView, PointRequest};

/// A question to the referee.
#[derive(Clone, PartialEq, Debug)]
pub struct RulesCheckRequest {
    /// The position asked about.
    pub position: Position,
    /// The game that led to it, when it was given by its moves.
    pub record: Option<Record>,
    /// The first move that is illegal, and why; the position is the one before it.
    pub illegal: Option<(Play, IllegalPlay)>,
    /// The point to judge.
    pub point: Option<Point>,
}

impl RulesCheckRequest {
    /// A question about a position without a history.
    pub(crate) const fn of(position: Position) -> RulesCheckRequest {
        RulesCheckRequest { position, record: None, illegal: None, point: None }
    }

    /// A question about a game. It stops at the first play that is illegal or cannot be read.
    pub(crate) fn of_plays<E>(
        mut record: Record,
        plays: impl IntoIterator<Item = Result<Play, E>>,
    ) -> Result<RulesCheckRequest, E> {
        let mut illegal = None;
        for play in plays {
            let play = play?;
            if let Err(why) = record.play(play) {
                illegal = Some((play, why));
                break;
            }
        }
        let position = record.position().clone();
        Ok(RulesCheckRequest { position, record: Some(record), illegal, point: None })
    }

    /// The colour that a word or the letter of its stones names.
    pub(crate) fn color_of(word: &str) -> Option<Color> {
        match word {
            "black" | "x" => Some(Color::Black),
            "white" | "o" => Some(Color::White),
            _ => None,
        }
    }

    pub(super) const FIELDS: &'static [&'static str] =
        &["ruleset", "moves", "position", "point", "size"];

    pub(super) fn read(fields: &mut Fields) -> Result<RulesCheckRequest, Malformed> {
        let ruleset = fields.ruleset()?.unwrap_or(&Ruleset::ALL[0]);
        let size = take_size(fields, ruleset)?;
        let point = fields.take("point");
        let point = point.map(|value| PointRequest::read("point", &value)).transpose()?;
        let mut request = match (fields.take("moves"), fields.take("position")) {
            (Some(moves), None) => {
                // Every play is read first: one that is none is refused wherever it stands.
                let plays = read_plays(&moves)?.into_iter().map(Ok);
                let record = Record::sized(ruleset, size.unwrap_or(ruleset.size))
                    .expect("the size was checked, and a ruleset allows its own");
                RulesCheckRequest::of_plays(record, plays)?
            }
            (None, Some(Value::Object(map))) => {
                let mut stones = Fields::of(map, &["board", "to_move", "pairs"])?;
                RulesCheckRequest::of(read_position(ruleset, size, &mut stones)?)
            }
            (None, Some(value)) => {
                return Err(Malformed::value("position", &value, "an object with a board"));
            }
            (Some(_), Some(value)) => {
                return Err(Malformed::value("position", &value, "absent where moves are given"));
            }
            (None, None) => return Err(Malformed::missing("moves or position")),
        };
        request.point = point.map(|point| point.0);
        Ok(request)
    }
}

fn take_size(fields: &mut Fields, ruleset: &'static Ruleset) -> Result<Option<u8>, Malformed> {
    let Some(size) = fields.number("size")? else { return Ok(None) };
    ruleset.check_size(size).map(Some).map_err(|_| wrong_size("size", size, ruleset))
}

fn wrong_size(field: &str, size: u8, ruleset: &Ruleset) -> Malformed {
    let sizes: Vec<String> = ruleset.sizes.iter().map(u8::to_string).collect();
    let wanted = format!("a board of {}, one of {}", ruleset.id, sizes.join(", "));
    Malformed::value(field, &Value::from(size), &wanted)
}

/// Moves are a list of plays and points, or all of them in one text.
fn read_plays(moves: &Value) -> Result<Vec<Play>, Malformed> {
    match moves {
        Value::String(text) => text.split_whitespace().map(read_play).collect(),
        Value::Array(list) => list
            .iter()
            .map(|value| match value {
                Value::String(word) => read_play(word),
                point => PointRequest::read("moves", point).map(|point| Play::Place(point.0)),
            })
            .collect(),
        value => Err(Malformed::value("moves", value, "a list of plays")),
    }
}

fn read_play(word: &str) -> Result<Play, Malformed> {
    word.parse().map_err(|_| {
        let wanted = "a play: h8, swap, keep, put-two, declare:3 or offer:d4,e5,…";
        Malformed::value("moves", &Value::from(shown(word)), wanted)
    })
}

fn read_position(
    ruleset: &'static Ruleset,
    size: Option<u8>,
    fields: &mut Fields,
) -> Result<Position, Malformed> {
    let board = match fields.take("board") {
        Some(value) => read_board(size, &value)?,
        None => return Err(Malformed::missing("board")),
    };
    let to_move =
        fields.word("to_move", RulesCheckRequest::color_of, || "black or white".into())?;
    let by_count = || match board.stones() % 2 {
        0 => Color::Black,
        _ => Color::White,
    };
    let pairs = read_pairs(fields)?;
    Position::analysis(ruleset, board, to_move.unwrap_or_else(by_count), pairs)
        .map_err(|_| wrong_size("board", board.size(), ruleset))
}

/// A board is a list of ranks, the highest first, or one text from rank 1 up.
fn read_board(size: Option<u8>, value: &Value) -> Result<Board, Malformed> {
    let board = match value {
        Value::Array(list) => {
            let ranks: Option<Vec<&str>> = list.iter().map(Value::as_str).collect();
            let ranks = ranks.ok_or_else(|| Malformed::value("board", value, "a list of texts"))?;
            BoardView::read(&ranks)?.0
        }
        Value::String(text) => {
            let points = text.chars().count();
            let side = (SIZE_MIN..=SIZE_MAX).find(|&side| usize::from(side).pow(2) == points);
            let wanted = |why: &str| Malformed::value("board", value, why);
            let side = side.ok_or_else(|| wanted("one character for each point"))?;
            notation::flat::read(text, side)
                .map_err(|why| wanted(&format!("a board of ., x and o: {why}")))?
        }
        _ => return Err(Malformed::value("board", value, "a list of ranks or one text")),
    };
    match size {
        Some(size) if size != board.size() => {
            let wanted = format!("the side of the board, {}", board.size());
            Err(Malformed::value("size", &Value::from(size), &wanted))
        }
        _ => Ok(board),
    }
}

fn read_pairs(fields: &mut Fields) -> Result<ByColor<u8>, Malformed> {
    let mut pairs = match fields.take("pairs") {
        None => return Ok(ByColor::default()),
        Some(Value::Object(map)) => Fields::of(map, &["black", "white"])?,
        Some(value) => {
            return Err(Malformed::value("pairs", &value, r#"such as {"black":0,"white":2}"#));
        }
    };
    Ok(ByColor {
        black: pairs.number("black")?.unwrap_or(0),
        white: pairs.number("white")?.unwrap_or(0),
    })
}
