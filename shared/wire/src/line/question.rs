//! A line read as a question about one position. What is read here makes sense; the answer trusts it.

use std::fmt::Display;

use renju::{ByColor, Fouls, Phase, Play, Point, Position, Record, Ruleset, Step, notation};
use serde::Deserialize;

use super::spot::{Decision, Spot};
use crate::request::RulesCheckRequest;

pub(super) struct Question {
    pub(super) request: RulesCheckRequest,
    /// Asks for the proof of the verdict on the point.
    pub(super) explain: bool,
    /// Fifth moves to offer; `None` is a point off the board.
    pub(super) offers: Option<Vec<Option<Point>>>,
}

/// Reason why a line cannot be answered: a sentence that names the value.
#[derive(Debug)]
pub(super) struct BadLine(pub(super) String);

impl<E: Display> From<E> for BadLine {
    fn from(error: E) -> BadLine {
        BadLine(error.to_string())
    }
}

fn refuse_if(problem: bool, sentence: impl FnOnce() -> String) -> Result<(), BadLine> {
    if problem { Err(BadLine(sentence())) } else { Ok(()) }
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
    pub(super) fn read(line: &[u8]) -> Result<Question, BadLine> {
        let text = std::str::from_utf8(line).map_err(|error| {
            format!("byte {} of the line is not UTF-8", error.valid_up_to() + 1)
        })?;
        // A list would be taken for the fields in their order.
        if !text.trim_start().starts_with('{') {
            return Err("a line must be one JSON object: {\"ruleset\":…,\"board\":…}".into());
        }
        let fields: Fields = serde_json::from_str(text).map_err(|error| in_words(&error))?;
        let ruleset = fields.ruleset()?;
        fields.refuse_clashes(ruleset)?;
        let mut request = match &fields {
            Fields { stones: Some(stones), .. } => fields.opening(ruleset, stones)?,
            Fields { board: Some(board), .. } => {
                RulesCheckRequest::of(fields.analysis(ruleset, board)?)
            }
            Fields { moves: Some(moves), .. } => fields.game(ruleset, moves)?,
            _ => return Err("one of board, moves, or stones with offers is needed".into()),
        };
        let size = request.position.board().size();
        request.point = fields.one_more.map(|spot| spot.point(size)).transpose()?;
        let on_board = |spots: Vec<Spot>| -> Result<Vec<_>, String> {
            spots.iter().map(|spot| spot.point_if_on_board(size)).collect()
        };
        let offers = fields.offers.map(on_board).transpose()?;
        Ok(Question { request, explain: fields.explain == Some(true), offers })
    }
}

/// Message of the parser, without Rust's names of numbers, which mean nothing to the reader.
fn in_words(error: &serde_json::Error) -> String {
    let (line, column) = (error.line(), error.column());
    let text = error.to_string();
    let why = text.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&text);
    match why.rsplit_once("expected ") {
        Some((before, "u8")) => {
            format!("{before}expected a number from 0 to 255 (column {column})")
        }
        Some((before, "i64")) => format!("{before}expected a whole number (column {column})"),
        _ => format!("{why} (column {column})"),
    }
}

impl Fields {
    fn ruleset(&self) -> Result<&'static Ruleset, BadLine> {
        let ruleset = Ruleset::find(&self.ruleset)?;
        let Some(captures_exempt) = self.captures_exempt else { return Ok(ruleset) };
        let wanted = Fouls::DoubleThree { captures_exempt };
        let found = match ruleset.fouls {
            Fouls::DoubleThree { .. } => Ruleset::ALL.iter().find(|other| other.fouls == wanted),
            Fouls::None | Fouls::Black { .. } => None,
        };
        Ok(found.ok_or_else(|| needless("captures_exempt", ruleset))?)
    }

    /// Refuses fields that say the same thing twice, or something this game has no use for.
    fn refuse_clashes(&self, ruleset: &Ruleset) -> Result<(), BadLine> {
        let board = ("board", self.board.is_some());
        let moves = ("moves", self.moves.is_some());
        let stones = ("stones", self.stones.is_some());
        let offers = ("offers", self.offers.is_some());
        let one_more = ("move", self.one_more.is_some());
        let to_move = ("to_move", self.to_move.is_some());
        let pairs = ("pairs", self.pairs.is_some());
        let apart: [(_, &[_]); 5] = [
            (board, &[moves]),
            (stones, &[board, moves]),
            (offers, &[board, moves]),
            (stones, &[one_more, to_move]),
            (moves, &[to_move, pairs]),
        ];
        for (one, others) in apart {
            if let Some(other) = others.iter().find(|other| one.1 && other.1) {
                return Err(BadLine(format!("{} and {} do not go together", one.0, other.0)));
            }
        }
        refuse_if(stones.1 != offers.1, || "stones and offers need each other".into())?;
        refuse_if(pairs.1 && ruleset.pairs_to_win.is_none(), || needless("pairs", ruleset))?;
        let unexplained = ruleset.fouls == Fouls::None || !one_more.1;
        refuse_if(self.explain == Some(true) && unexplained, || {
            "explain goes with move, in a ruleset that has fouls".into()
        })?;
        let Some((pairs, to_win)) = self.pairs.zip(ruleset.pairs_to_win) else { return Ok(()) };
        refuse_if(pairs.iter().any(|&pairs| pairs >= to_win), || {
            format!("{to_win} pairs have won already: pairs must be fewer")
        })
    }

    fn analysis(&self, ruleset: &'static Ruleset, text: &str) -> Result<Position, BadLine> {
        let characters = text.chars().count();
        // A board says its size itself where the ruleset knows it.
        let points = |size: u8| usize::from(size) * usize::from(size);
        let fitting = || ruleset.sizes.iter().copied().find(|&size| points(size) == characters);
        let size = ruleset.check_size(self.size.or_else(fitting).unwrap_or(ruleset.size))?;
        let due = points(size);
        refuse_if(characters != due, || {
            format!("the board has {characters} characters where {size}×{size} = {due} are due")
        })?;
        let mut letters = Point::all(size).zip(text.chars());
        if let Some((point, letter)) = letters.find(|(_, letter)| !".xo".contains(*letter)) {
            let place = point.index(size) + 1;
            return Err(BadLine(format!(
                "the board has {letter:?} on {point} (character {place}), which is not one of . x o"
            )));
        }
        let board = notation::flat::read(text, size)?;
        let word = self.to_move.as_deref().unwrap_or("x");
        let to_move = RulesCheckRequest::color_of(word)
            .ok_or_else(|| format!("{word:?} cannot be to move, only x, o, black or white can"))?;
        let [black, white] = self.pairs.unwrap_or_default();
        Ok(Position::analysis(ruleset, board, to_move, ByColor { black, white })?)
    }

    fn record(&self, ruleset: &'static Ruleset) -> Result<Record, BadLine> {
        Ok(Record::sized(ruleset, self.size.unwrap_or(ruleset.size))?)
    }

    fn game(
        &self,
        ruleset: &'static Ruleset,
        moves: &[Decision],
    ) -> Result<RulesCheckRequest, BadLine> {
        let record = self.record(ruleset)?;
        let size = record.position().board().size();
        let named = |n: usize| format!("play {} ({})", n + 1, moves[n]);
        let plays = moves
            .iter()
            .enumerate()
            .map(|(n, decision)| decision.play(size).map_err(|why| format!("{}: {why}", named(n))));
        played(record, plays, named)
    }

    /// Plays the four stones, nobody swapping, up to the choice of one fifth move or ten.
    fn opening(
        &self,
        ruleset: &'static Ruleset,
        stones: &[Spot],
    ) -> Result<RulesCheckRequest, BadLine> {
        let record = self.record(ruleset)?;
        let has_fifth = ruleset.opening.iter().any(|step| matches!(step, Step::Fifth { .. }));
        refuse_if(!has_fifth, || needless("offers", ruleset))?;
        let size = record.position().board().size();
        let plays =
            stones.iter().flat_map(|stone| [stone.point(size).map(Play::Place), Ok(Play::Keep)]);
        let request = played(record, plays, |n| format!("stone {}", n / 2 + 1))?;
        let is_fifth = matches!(request.position.phase(), Phase::Fifth { .. });
        let stones = stones.len();
        refuse_if(!is_fifth, || {
            format!("there are {stones} stones where 4 come before the offers")
        })?;
        Ok(request)
    }
}

/// The game after all plays; `named` tells the reader which of them is illegal.
fn played(
    record: Record,
    plays: impl Iterator<Item = Result<Play, String>>,
    named: impl Fn(usize) -> String,
) -> Result<RulesCheckRequest, BadLine> {
    let request = RulesCheckRequest::of_plays(record, plays)?;
    match (&request.illegal, &request.record) {
        (Some((_, why)), Some(record)) => {
            Err(BadLine(format!("{}: {why}", named(record.plays().len()))))
        }
        _ => Ok(request),
    }
}

fn needless(field: &str, ruleset: &Ruleset) -> String {
    format!("{} has no use for {field}", ruleset.id)
}
