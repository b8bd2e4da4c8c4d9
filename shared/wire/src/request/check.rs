//! `POST /rules/check`: a position, by its moves or by its stones, and perhaps a point to judge.

use renju::{
    Board, ByColor, Color, IllegalPlay, Play, Point, Position, Record, Ruleset, SIZE_MAX, SIZE_MIN,
    notation,
};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::Body;
use crate::fields::{Malformed, shown};
use crate::point::{BoardView, PointRequest};
use crate::reading::from_object;
use crate::schema;
use crate::value::{RulesetId, Whole, schemas, text};
use crate::word::Word;

/// A question to the referee.
#[derive(Clone, PartialEq, Debug, JsonSchema)]
#[schemars(with = "Written")]
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
}

/// The question as it is written.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("oneOf" = [
    {"required": ["moves"], "properties": {"moves": {"not": {"type": "null"}}, "position": {"type": "null"}}},
    {"required": ["position"], "properties": {"position": {"not": {"type": "null"}}, "moves": {"type": "null"}}},
]))]
struct Written {
    /// renju_taraguchi10_international if absent
    ruleset: Option<RulesetId>,
    /// the decisions of a game in order, as a list or as one text such as "h8 keep h9 swap"; instead of position
    #[schemars(with = "Option<Moves>")]
    moves: Option<Value>,
    /// the stones of a position without a history; instead of moves
    position: Option<Stones>,
    /// the point to judge
    point: Option<PointRequest>,
    /// the side of the board; the usual one of the ruleset if absent
    size: Option<Size>,
}

type Size = Whole<{ SIZE_MIN as u32 }, { SIZE_MAX as u32 }>;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object with a board")]
struct Stones {
    /// . is empty, x black, o white: a list of the ranks from the highest down, or one text that starts at a1
    #[schemars(with = "Ranks")]
    board: Value,
    /// black where absent and the number of stones is even
    #[schemars(with = "Option<Word<Color>>")]
    to_move: Option<Side>,
    /// the pairs that each colour has captured, 0 if absent
    pairs: Option<Pairs>,
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = r#"such as {"black":0,"white":2}"#)]
struct Pairs {
    black: Option<Whole<0, 255>>,
    white: Option<Whole<0, 255>>,
}

/// A colour by its word or by the letter of its stones.
struct Side(Color);

impl<'de> Deserialize<'de> for Side {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Side, D::Error> {
        let wanted = || "black or white".into();
        text(deserializer, wanted, |word| RulesCheckRequest::color_of(word).map(Side))
    }
}

/// A list of plays and points, or all of them in one text.
struct Moves;

/// A list of ranks, the highest first, or one text from rank 1 up.
struct Ranks;

schemas! {
    [] Moves => {
        "oneOf": [
            {
                "type": "array",
                "items": {
                    "oneOf": [
                        {
                            "type": "string",
                            "description": "h8, swap, keep, put-two, declare:3 or offer:d4,e5,…",
                        },
                        (schema::by_coordinates()),
                    ],
                },
            },
            {"type": "string", "description": "the same in one text, with spaces between"},
        ],
    };
    [] Ranks => {
        "oneOf": [
            {
                "type": "array",
                "items": {"type": "string", "pattern": "^[.xoXO]+$"},
                "minItems": SIZE_MIN,
                "maxItems": SIZE_MAX,
                "description": "ranks as GET /games/{id} shows them, the highest first",
            },
            {
                "type": "string",
                "pattern": "^[.xoXO]+$",
                "description": "all points in one text, rank by rank from a1",
            },
        ],
    };
}

impl Body for RulesCheckRequest {
    fn from_object(object: &Map<String, Value>) -> Result<RulesCheckRequest, Malformed> {
        from_object::<Written>(object)?.question()
    }
}

impl Written {
    fn question(self) -> Result<RulesCheckRequest, Malformed> {
        let ruleset = self.ruleset.map_or(&Ruleset::ALL[0], |id| id.0);
        let size = self.size.map(|size| size.0 as u8);
        if let Some(size) = size {
            ruleset.check_size(size).map_err(|_| wrong_size("size", size, ruleset))?;
        }
        let request = match (&self.moves, self.position) {
            (Some(moves), None) => {
                // Every play is read first: one that is none is refused wherever it stands.
                let plays = read_plays(moves)?.into_iter().map(Ok);
                let record = Record::sized(ruleset, size.unwrap_or(ruleset.size))
                    .expect("the size was checked, and a ruleset allows its own");
                RulesCheckRequest::of_plays(record, plays)?
            }
            (None, Some(stones)) => RulesCheckRequest::of(stones.position(ruleset, size)?),
            (Some(moves), Some(_)) => {
                return Err(Malformed::value("moves", moves, "absent where position is given"));
            }
            (None, None) => return Err(Malformed::missing("moves or position")),
        };
        Ok(RulesCheckRequest { point: self.point.map(|point| point.0), ..request })
    }
}

impl Stones {
    fn position(self, ruleset: &'static Ruleset, size: Option<u8>) -> Result<Position, Malformed> {
        let board = read_board(size, &self.board)?;
        let by_count = if board.stones() % 2 == 0 { Color::Black } else { Color::White };
        let to_move = self.to_move.map_or(by_count, |side| side.0);
        let taken = self.pairs.unwrap_or_default();
        let [black, white] =
            [taken.black, taken.white].map(|pairs| pairs.unwrap_or_default().0 as u8);
        Position::analysis(ruleset, board, to_move, ByColor { black, white })
            .map_err(|_| wrong_size("board", board.size(), ruleset))
    }
}

fn wrong_size(field: &str, size: u8, ruleset: &Ruleset) -> Malformed {
    let sizes: Vec<String> = ruleset.sizes.iter().map(u8::to_string).collect();
    let wanted = format!("a board of {}, one of {}", ruleset.id, sizes.join(", "));
    Malformed::value(field, &Value::from(size), &wanted)
}

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
