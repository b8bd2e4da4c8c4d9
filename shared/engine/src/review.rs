//! Review of a game: the value of its positions, and what each move made of it.
//!
//! The same limits give the same review: no clock is read if they have no deadline.

use std::fmt;

use renju::{
    Board, ByColor, Color, Ending, Fouls, Mark, Outcome, Phase, Play, Point, Position, Record,
};

use crate::engine::Engine;
use crate::field::Field;
use crate::limits::Limits;
use crate::score::{Score, WIN, plies_to_end};
use crate::vcf::solve;

/// Value of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Value {
    /// Score for the colour to move.
    pub score: Score,
    /// Expected line, starting with the best move; empty if the game is over.
    pub line: Vec<Point>,
}

/// Judgement on a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Judgement {
    /// A forbidden move, which loses at once.
    Foul,
    /// White can now win by fours, the last of which Black may not block.
    Trap,
    /// The move gives up a proven win.
    MissedWin,
    /// The move costs a quarter of the chances or more, or loses a position that was not lost.
    Blunder,
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Judgement::Foul => "foul",
            Judgement::Trap => "trap",
            Judgement::MissedWin => "missed-win",
            Judgement::Blunder => "blunder",
        })
    }
}

/// A stone of the game with its review.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReviewedMove {
    /// Colour of the stone.
    pub color: Color,
    /// Its point.
    pub point: Point,
    /// Score before the move, for the colour that moves.
    pub before: Score,
    /// Score after the move, for the same colour.
    pub after: Score,
    /// Expected line instead, starting with the best move.
    pub line: Vec<Point>,
    /// `None` for a good move, and for every stone of the opening, which is not played to win.
    pub judgement: Option<Judgement>,
}

/// Review of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Review {
    /// The stones in order.
    pub moves: Vec<ReviewedMove>,
    /// Mean share of the chances that a colour's moves kept, in percent; `None` without moves to
    /// judge. Stones of the opening and moves in lost positions do not count.
    pub accuracy: ByColor<Option<u8>>,
}

/// Chance in a thousand to win a position of this score, for the same colour. A proven win has all,
/// a proven loss none.
pub fn chance(score: Score) -> u32 {
    /// Score of odds of e to one, as in the fit of the evaluation.
    const SCALE: f64 = 200.0;
    match plies_to_end(score) {
        Some(_) if score > 0 => 1_000,
        Some(_) => 0,
        None => (1_000.0 / (1.0 + (-f64::from(score) / SCALE).exp())).round() as u32,
    }
}

/// Loss of chances, in a thousand, from which on a move is a blunder.
const BLUNDER: u32 = 250;

impl Value {
    /// Value by a search within the limits. Decisions of an opening do not matter: the stones are
    /// judged as if play were free.
    pub fn of(engine: &mut Engine, position: &Position, limits: &Limits) -> Value {
        if let Some(Outcome { winner, .. }) = position.outcome() {
            let score = match winner {
                Some(color) if color == position.to_move() => WIN,
                Some(_) => -WIN,
                None => 0,
            };
            return Value { score, line: Vec::new() };
        }
        let choice = engine.choose(&turned(position, position.to_move()), limits, 0, None);
        let found = choice.map(|choice| (choice.score, choice.pv));
        let (score, line) = found.unwrap_or_default();
        Value { score, line }
    }
}

impl Review {
    /// Reviews a game with an engine that has not seen it yet.
    pub fn of(record: &Record, engine: &mut Engine, limits: &Limits) -> Review {
        let positions = Review::positions(record);
        // From the end: the table then knows how the game went on.
        let values = positions.iter().rev().map(|position| Value::of(engine, position, limits));
        let mut values: Vec<Value> = values.collect();
        values.reverse();
        Review::with(record, &values)
    }

    /// The positions whose values a review needs: the one before each stone, and the last.
    pub fn positions(record: &Record) -> Vec<Position> {
        let places = record.plays().iter().map(|play| matches!(play, Play::Place(_)));
        let before = record.positions().zip(places).filter(|&(_, places)| places);
        let before = before.map(|(position, _)| position);
        before.chain([record.position().clone()]).collect()
    }

    /// The review that follows from the values of [`Review::positions`], in their order.
    pub fn with(record: &Record, values: &[Value]) -> Review {
        let positions = Review::positions(record);
        let mut moves = Vec::new();
        let mut kept: ByColor<Vec<u32>> = ByColor::default();
        let points = record.plays().iter().filter_map(|play| match play {
            Play::Place(point) => Some(*point),
            _ => None,
        });
        for ((point, at), value) in points.zip(positions.windows(2)).zip(values.windows(2)) {
            let ([position, next], [before, after]) = (at, value) else { continue };
            let color = position.to_move();
            let is_best = before.line.first() == Some(&point);
            let after = -after.score;
            // The game itself shows that as much was possible.
            let before_score = before.score.max(after);
            let after = if is_best { before_score } else { after };
            let is_free = position.phase() == Phase::Play;
            let (had, has) = (chance(before_score), chance(after));
            if is_free && had > 0 {
                kept[color].push(has * 1_000 / had);
            }
            moves.push(ReviewedMove {
                color,
                point,
                before: before_score,
                after,
                line: before.line.clone(),
                judgement: judge(next, color, had, has).filter(|_| is_free),
            });
        }
        let mean = |shares: &Vec<u32>| {
            let count = u32::try_from(shares.len()).ok().filter(|&count| count > 0)?;
            Some((shares.iter().sum::<u32>() / count / 10) as u8)
        };
        let accuracy = ByColor { black: mean(&kept.black), white: mean(&kept.white) };
        Review { moves, accuracy }
    }
}

/// Judges a move of `color` that led to `next`, from its chances before and after.
fn judge(next: &Position, color: Color, had: u32, has: u32) -> Option<Judgement> {
    let outcome = next.outcome();
    if outcome.is_some_and(|outcome| matches!(outcome.by, Ending::Foul(_))) {
        return Some(Judgement::Foul);
    }
    if has == 0 && had > 0 && color == Color::Black && is_trapped(next) {
        return Some(Judgement::Trap);
    }
    if had == 1_000 && has < 1_000 {
        return Some(Judgement::MissedWin);
    }
    let is_lost = has == 0 && had > 0 && outcome.is_none();
    (is_lost || had.saturating_sub(has) >= BLUNDER).then_some(Judgement::Blunder)
}

/// True if White, who is to move, wins by fours and Black may not block the last.
fn is_trapped(position: &Position) -> bool {
    let Fouls::Black { precedence } = position.ruleset().fouls else { return false };
    let limits = Limits { depth: u8::MAX, ..Limits::nodes(TRAP_NODES) };
    let white = turned(position, Color::White);
    let Some(line) = solve(&mut Field::new(&white), &limits, None).line else { return false };
    let mut board: Board = *position.board();
    for (&point, color) in line.iter().zip([Color::White, Color::Black].into_iter().cycle()) {
        board.put(point, color);
    }
    let ruleset = position.ruleset();
    let Ok(after) = Position::analysis(ruleset, board, Color::White, ByColor::default()) else {
        return false;
    };
    let mut fives = board.empty_points().filter(|&point| {
        after.judge(point).outcome().is_some_and(|outcome| outcome.winner == Some(Color::White))
    });
    match (fives.next(), fives.next()) {
        (Some(block), None) => {
            matches!(board.mark(block, Color::Black, precedence), Mark::Foul(_))
        }
        _ => false,
    }
}

/// Node limit of the search for the fours of a trap.
const TRAP_NODES: u64 = 20_000;

/// The stones of a position in free play, with `color` to move.
fn turned(position: &Position, color: Color) -> Position {
    Position::analysis(position.ruleset(), *position.board(), color, position.pairs())
        .expect("the board of a position has a size its ruleset allows")
}
