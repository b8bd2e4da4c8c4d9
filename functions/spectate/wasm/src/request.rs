//! Requests: the words of the first line, and the stones of the next.

use renju::notation::moves;
use renju::{Board, ByColor, Color, Play, Point, Position, Record, Ruleset};

/// A request that is being read.
pub(crate) struct Request<'a> {
    words: std::str::SplitWhitespace<'a>,
    lines: std::str::Lines<'a>,
}

/// Reason for which a request has no answer, as a sentence.
pub(crate) type Refusal = String;

impl<'a> Request<'a> {
    pub(crate) fn new(text: &'a str) -> Request<'a> {
        let mut lines = text.lines();
        let words = lines.next().unwrap_or_default().split_whitespace();
        Request { words, lines }
    }

    pub(crate) fn word(&mut self, what: &str) -> Result<&'a str, Refusal> {
        self.words.next().ok_or_else(|| format!("the request lacks {what}"))
    }

    pub(crate) fn number<T: std::str::FromStr>(&mut self, what: &str) -> Result<T, Refusal> {
        let word = self.word(what)?;
        word.parse().map_err(|_| format!("{word:?} is not {what}"))
    }

    pub(crate) fn color(&mut self) -> Result<Color, Refusal> {
        let word = self.word("a colour")?;
        let found = Color::BOTH.into_iter().find(|color| color.to_string() == word);
        found.ok_or_else(|| format!("{word:?} is not a colour"))
    }

    pub(crate) fn line(&mut self) -> &'a str {
        self.lines.next().unwrap_or_default()
    }

    pub(crate) fn points(&mut self) -> Result<Vec<Point>, Refusal> {
        moves::read(self.line()).map_err(|why| why.to_string())
    }

    /// Ruleset and side of the board, and the empty board of free play.
    pub(crate) fn start(&mut self) -> Result<Position, Refusal> {
        let ruleset = Ruleset::find(self.word("a ruleset")?).map_err(|why| why.to_string())?;
        let size: u8 = self.number("the side of a board")?;
        ruleset.check_size(size).map_err(|why| why.to_string())?;
        Position::analysis(ruleset, Board::new(size), Color::Black, ByColor::default())
            .map_err(|why| why.to_string())
    }

    /// The game with the stones of the next line, in free play.
    pub(crate) fn game(&mut self, start: Position) -> Result<Record, Refusal> {
        let mut record = Record::from_start(start);
        for point in self.points()? {
            record.play(Play::Place(point)).map_err(|why| why.to_string())?;
        }
        Ok(record)
    }
}
