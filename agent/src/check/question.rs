//! A line read as a question about one position. What is read here makes sense; the answer trusts it.

use renju::{
    Board, ByColor, Color, Fouls, IllegalPlay, Phase, Play, Point, Position, Ruleset, Step,
};
use serde::Deserialize;

use super::bad_line::BadLine;
use super::spot::{BadSpot, Decision, Spot};

/// What a line asks.
#[derive(Debug)]
pub(crate) enum Question {
    /// The class of every point of a board.
    Points(Position),
    /// The same, and how the game stands after a list of moves.
    Game(Position),
    /// What becomes of one more move, and perhaps why.
    Move { position: Position, point: Point, explain: bool },
    /// Whether the fifth moves may be offered; `None` is a point off the board.
    Offers { position: Position, count: u8, offers: Vec<Option<Point>> },
}

/// A line as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    ruleset: String,
    board: Option<String>,
    moves: Option<Vec<Decision>>,
    stones: Option<Vec<Spot>>,
    offers: Option<Vec<Spot>>,
    #[serde(rename = "move")]
    one_more: Option<Spot>,
    to_move: Option<String>,
    size: Option<u8>,
    pairs: Option<[u8; 2]>,
    captures_exempt: Option<bool>,
    explain: Option<bool>,
}

impl Question {
    pub(crate) fn read(line: &[u8]) -> Result<Question, BadLine> {
        let text = std::str::from_utf8(line)
            .map_err(|error| BadLine::NotUtf8 { byte: error.valid_up_to() + 1 })?;
        // A list would be taken for the fields in their order.
        if !text.trim_start().starts_with('{') {
            return Err(BadLine::NotAnObject);
        }
        let fields: Fields = serde_json::from_str(text).map_err(BadLine::json)?;
        let ruleset = fields.ruleset()?;
        fields.refuse_clashes(ruleset)?;

        if let (Some(stones), Some(offers)) = (&fields.stones, &fields.offers) {
            return read_offers(fields.empty(ruleset)?, stones, offers);
        }
        let position = match (&fields.board, &fields.moves) {
            (Some(board), _) => fields.analysis(ruleset, board)?,
            (_, Some(moves)) => play_all(fields.empty(ruleset)?, moves)?,
            (None, None) => return Err(BadLine::NothingAsked),
        };
        Ok(match &fields.one_more {
            Some(spot) => {
                let point = spot.point(position.board().size())?;
                Question::Move { position, point, explain: fields.explain == Some(true) }
            }
            None if fields.moves.is_some() => Question::Game(position),
            None => Question::Points(position),
        })
    }
}

impl Fields {
    fn ruleset(&self) -> Result<&'static Ruleset, BadLine> {
        let ruleset = Ruleset::find(&self.ruleset)?;
        match (self.captures_exempt, ruleset.fouls) {
            (None, _) => Ok(ruleset),
            (Some(captures_exempt), Fouls::DoubleThree { .. }) => Ruleset::ALL
                .iter()
                .find(|other| other.fouls == Fouls::DoubleThree { captures_exempt })
                .ok_or(BadLine::Needless { field: "captures_exempt", ruleset: ruleset.id }),
            (Some(_), _) => {
                Err(BadLine::Needless { field: "captures_exempt", ruleset: ruleset.id })
            }
        }
    }

    /// Fields that say the same thing twice, or something this game has no use for.
    fn refuse_clashes(&self, ruleset: &Ruleset) -> Result<(), BadLine> {
        let board = ("board", self.board.is_some());
        let moves = ("moves", self.moves.is_some());
        let stones = ("stones", self.stones.is_some());
        let offers = ("offers", self.offers.is_some());
        let one_more = ("move", self.one_more.is_some());
        let to_move = ("to_move", self.to_move.is_some());
        let pairs = ("pairs", self.pairs.is_some());
        let apart = [
            (board, moves),
            (stones, board),
            (stones, moves),
            (offers, board),
            (offers, moves),
            (stones, one_more),
            (stones, to_move),
            (moves, to_move),
            (moves, pairs),
        ];
        for (one, other) in apart {
            if one.1 && other.1 {
                return Err(BadLine::Clash { one: one.0, other: other.0 });
            }
        }
        if stones.1 != offers.1 {
            return Err(BadLine::OffersAlone);
        }
        if pairs.1 && ruleset.pairs_to_win.is_none() {
            return Err(BadLine::Needless { field: pairs.0, ruleset: ruleset.id });
        }
        if self.explain == Some(true) && (ruleset.fouls == Fouls::None || !one_more.1) {
            return Err(BadLine::NothingToExplain);
        }
        if let (Some(pairs), Some(to_win)) = (self.pairs, ruleset.pairs_to_win)
            && pairs.iter().any(|&pairs| pairs >= to_win)
        {
            return Err(BadLine::PairsDecide { to_win });
        }
        Ok(())
    }

    fn empty(&self, ruleset: &'static Ruleset) -> Result<Position, BadLine> {
        Ok(Position::sized(ruleset, self.size.unwrap_or(ruleset.size))?)
    }

    fn analysis(&self, ruleset: &'static Ruleset, text: &str) -> Result<Position, BadLine> {
        let characters = text.chars().count();
        // A board says its size itself where the ruleset knows it.
        let fits = |size: &u8| usize::from(*size) * usize::from(*size) == characters;
        let fitting = || ruleset.sizes.iter().copied().find(fits);
        let size = self.size.or_else(fitting).unwrap_or(ruleset.size);
        ruleset.check_size(size)?;
        if !fits(&size) {
            return Err(BadLine::BoardLength { characters, size });
        }
        let mut board = Board::new(size);
        for (point, character) in Point::all(size).zip(text.chars()) {
            match character {
                '.' => {}
                'x' => board.put(point, Color::Black),
                'o' => board.put(point, Color::White),
                _ => return Err(BadLine::BoardCharacter { character, point, size }),
            }
        }
        let to_move = self.to_move.as_deref().map_or(Ok(Color::Black), read_color)?;
        let [black, white] = self.pairs.unwrap_or_default();
        Ok(Position::analysis(ruleset, board, to_move, ByColor { black, white })?)
    }
}

fn read_color(text: &str) -> Result<Color, BadLine> {
    match text {
        "x" | "black" => Ok(Color::Black),
        "o" | "white" => Ok(Color::White),
        _ => Err(BadLine::ToMove { text: text.to_owned() }),
    }
}

fn play_all(mut position: Position, moves: &[Decision]) -> Result<Position, BadLine> {
    let size = position.board().size();
    for (n, decision) in moves.iter().enumerate() {
        decision
            .play(size)
            .and_then(|play| position.advance(play).map_err(|error| error.to_string()))
            .map_err(|why| BadLine::Play { number: n + 1, play: decision.to_string(), why })?;
    }
    Ok(position)
}

/// Plays the four stones, nobody swapping, up to the choice of one fifth move or ten.
fn read_offers(
    mut position: Position,
    stones: &[Spot],
    offers: &[Spot],
) -> Result<Question, BadLine> {
    let ruleset = position.ruleset();
    if !ruleset.opening.iter().any(|step| matches!(step, Step::Fifth { .. })) {
        return Err(BadLine::Needless { field: "offers", ruleset: ruleset.id });
    }
    let size = position.board().size();
    for (n, spot) in stones.iter().enumerate() {
        let bad = |why: IllegalPlay| BadLine::Stone { number: n + 1, why };
        let point = spot.point(size)?;
        position.advance(Play::Place(point)).map_err(bad)?;
        position.advance(Play::Keep).map_err(bad)?;
    }
    let Phase::Fifth { count, .. } = position.phase() else {
        return Err(BadLine::StoneCount { stones: stones.len() });
    };
    let offers = offers
        .iter()
        .map(|spot| match spot.point(size) {
            Ok(point) => Ok(Some(point)),
            Err(BadSpot::OffBoard { .. }) => Ok(None),
            Err(error) => Err(error),
        })
        .collect::<Result<_, _>>()?;
    Ok(Question::Offers { position, count, offers })
}
