//! The referee a line at a time, as `renju check` asks it: one JSON object in, one out.
//!
//! A line is a short form of a [`RulesCheckRequest`], its answer a short form of [`RulesView`]: the
//! judgement is the same.
//!
//! [`RulesCheckRequest`]: crate::RulesCheckRequest
//! [`RulesView`]: crate::RulesView

mod question;
mod spot;

use arena::Reason;
use renju::{Color, IllegalPlay, Offer, Phase, Play, Point, Position, Seat, Status};
use serde::Serialize;

use crate::game::PhaseName;
use crate::word::Word;
use question::{BadLine, Question};

/// The answer to a line. Its fields are described on the help page of `renju check`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(transparent)]
pub struct Answer(Form);

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
enum Form {
    Points { points: String },
    Game(Game),
    Move(Move),
    Offers { offers: &'static str },
    Error { error: String },
}

/// The state of a game after its moves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Game {
    points: String,
    phase: PhaseName,
    to_act: Option<Word<Seat>>,
    to_move: Option<Word<Color>>,
    black: Word<Seat>,
    white: Word<Seat>,
    winner: Option<Word<Color>>,
    ending: Option<Word<Reason>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<[u8; 2]>,
}

/// The verdict on one more move. A rejected one has nothing but `legal` and perhaps its proof.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Move {
    legal: bool,
    /// Class of the point for the side that moves, where nothing can be captured.
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<char>,
    /// Places in the board string, in rising order.
    #[serde(skip_serializing_if = "Option::is_none")]
    captured: Option<Vec<usize>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<[u8; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<Word<Status>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<String>,
}

impl Answer {
    /// Answers one line, given without its line feed.
    pub fn to(line: &[u8]) -> Answer {
        match Question::read(line) {
            Ok(question) => Answer(Form::of(&question)),
            Err(BadLine(sentence)) => Answer::error(&sentence),
        }
    }

    /// The answer to a line that makes no sense, without the middle of a long text: what is quoted
    /// stands between the name and the reason.
    pub fn error(text: &str) -> Answer {
        const HEAD: usize = 200;
        const TAIL: usize = 200;
        let characters = text.chars().count();
        let error = if characters <= HEAD + 1 + TAIL {
            text.to_owned()
        } else {
            let tail = text.chars().skip(characters - TAIL);
            text.chars().take(HEAD).chain(['…']).chain(tail).collect()
        };
        Answer(Form::Error { error })
    }

    /// Tells whether the line made no sense.
    pub const fn is_error(&self) -> bool {
        matches!(self.0, Form::Error { .. })
    }
}

impl Form {
    fn of(Question { request, explain, offers }: &Question) -> Form {
        let position = &request.position;
        match (offers, request.point, &request.record) {
            (Some(offers), ..) => Form::Offers { offers: judge_offers(position, offers) },
            (_, Some(point), _) => Form::Move(Move::of(position, point, *explain)),
            (_, _, Some(_)) => Form::Game(Game::of(position)),
            _ => Form::Points { points: position.classes() },
        }
    }
}

impl Game {
    fn of(position: &Position) -> Game {
        let outcome = position.outcome();
        Game {
            points: position.classes(),
            phase: PhaseName::of(&position.phase()),
            to_act: position.to_act().map(Word),
            to_move: position.to_act().map(|_| Word(position.to_move())),
            black: Word(position.seat_of(Color::Black)),
            white: Word(position.seat_of(Color::White)),
            winner: outcome.and_then(|outcome| outcome.winner).map(Word),
            ending: outcome.map(|outcome| Word(Reason::Board(outcome.by))),
            pairs: pairs(position),
        }
    }
}

impl Move {
    fn of(position: &Position, point: Point, explain: bool) -> Move {
        let verdict = position.judge(point);
        let size = position.board().size();
        let places = verdict.captured.map(|captured| {
            let mut places: Vec<_> = captured.points().iter().map(|at| at.index(size)).collect();
            places.sort_unstable();
            places
        });
        let has_mark = verdict.after.is_ok() && places.is_none();
        let explanation = if explain { position.explain(point) } else { None };
        Move {
            legal: verdict.is_legal(),
            mark: has_mark.then(|| verdict.mark().letter()),
            captured: places,
            pairs: verdict.after.as_ref().ok().and_then(pairs),
            status: verdict.status().map(Word),
            explanation: explanation.map(|proof| proof.to_string()),
        }
    }
}

/// Verdict on the fifth moves: `ok`, or the first thing wrong.
fn judge_offers(position: &Position, offers: &[Option<Point>]) -> &'static str {
    if !matches!(position.phase(), Phase::Fifth { count, .. } if offers.len() == usize::from(count))
    {
        return "count";
    }
    let Some(points) = offers.iter().copied().collect::<Option<Vec<Point>>>() else {
        return "range";
    };
    match Offer::new(&points).and_then(|offer| position.play(Play::Offer(offer))) {
        Ok(_) => "ok",
        Err(IllegalPlay::Occupied { .. }) => "occupied",
        Err(IllegalPlay::OfferTwice { .. }) => "duplicate",
        Err(IllegalPlay::OfferSymmetric { .. }) => "symmetric",
        Err(IllegalPlay::OffBoard { .. }) => "range",
        Err(_) => "count",
    }
}

fn pairs(position: &Position) -> Option<[u8; 2]> {
    let pairs = position.pairs();
    position.ruleset().pairs_to_win.map(|_| [pairs.black, pairs.white])
}
