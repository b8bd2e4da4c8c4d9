//! The decisions of a game in order: what `moves` shows, found by playing the log once more.

use arena::{Action, Game};
use renju::{Color, Explanation, Fouls, Phase, Play, Point, Position, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::point::PointView;
use crate::word::Word;

/// One decision.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MoveView {
    /// The turn it was made in, from 0.
    pub turn_number: u32,
    /// The player who decided; for the clock's decisions, the player to act.
    pub seat: Word<Seat>,
    /// The colour of the stone; of the decider's stones where none was placed.
    pub color: Word<Color>,
    /// The kind of decision.
    pub kind: MoveKind,
    /// The point of the stone.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub point: Option<PointView>,
    /// Number of the stone, 1 for the first.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub move_number: Option<u16>,
    /// The stones it captured.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub captured: Vec<PointView>,
    /// The fifth moves that were offered.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub points: Vec<PointView>,
    /// The number of fifth moves declared.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fifths: Option<u8>,
    /// Thinking time in seconds.
    pub seconds: f64,
}

/// The kind of a decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MoveKind {
    /// A stone was placed.
    Place,
    /// An offered fifth move was chosen and placed.
    Choose,
    /// The colours were swapped.
    Swap,
    /// The colours were kept.
    Keep,
    /// Two more stones were announced (Swap2).
    PutTwo,
    /// A number of fifth moves was declared (Soosõrv).
    Declare,
    /// Fifth moves were offered.
    Offer,
    /// The player resigned.
    Resign,
    /// The player ran out of time.
    Timeout,
    /// The player never made a decision; the game does not count.
    NoShow,
    /// An operator of the arena ended the game.
    Ruling,
}

/// A game's log, replayed.
pub(crate) struct History {
    pub(crate) moves: Vec<MoveView>,
    /// The stones in the order they were placed, captured ones included.
    pub(crate) stones: Vec<Point>,
    /// The position before the last decision that changed it.
    pub(crate) before_last: Position,
}

impl History {
    pub(crate) fn of(game: &Game) -> History {
        let mut position = Position::new(game.ruleset());
        let mut history = History {
            moves: Vec::with_capacity(game.log().len()),
            stones: Vec::with_capacity(game.log().len()),
            before_last: position.clone(),
        };
        let last = game.log().iter().rposition(|entry| matches!(entry.action, Action::Play(_)));
        for (turn, entry) in game.log().iter().enumerate() {
            history.moves.push(MoveView {
                turn_number: turn as u32,
                seconds: f64::from(entry.elapsed) / 100.0,
                ..describe(&position, entry.action)
            });
            if last == Some(turn) {
                history.before_last = position.clone();
            }
            if let Action::Play(play) = entry.action {
                if let Play::Place(point) = play {
                    history.stones.push(point);
                }
                position.advance(play).expect("every play of a game's log is legal");
            }
        }
        history
    }

    /// The shapes of the last stone, judged by the rules for Black in Renju; `None` in other games.
    pub(crate) fn explain_last(&self) -> Option<Explanation> {
        let Fouls::Black { precedence } = self.before_last.ruleset().fouls else { return None };
        self.before_last.board().explain(*self.stones.last()?, Color::Black, precedence)
    }
}

/// A decision made in `position`, without its turn and time.
fn describe(position: &Position, action: Action) -> MoveView {
    let seat = match action {
        Action::Resign(seat) => seat,
        _ => position.to_act().expect("a log goes on only while the game does"),
    };
    let mut view = MoveView {
        turn_number: 0,
        seat: Word(seat),
        color: Word(position.color_of(seat)),
        kind: MoveKind::Place,
        point: None,
        move_number: None,
        captured: Vec::new(),
        points: Vec::new(),
        fifths: None,
        seconds: 0.0,
    };
    view.kind = match action {
        Action::Play(Play::Place(point)) => {
            view.color = Word(position.to_move());
            view.point = Some(PointView(point));
            view.move_number = Some(position.move_number() + 1);
            if let Some(captured) = position.captured_by(point) {
                view.captured = views(captured.points());
            }
            let chosen = matches!(position.phase(), Phase::Choose(_));
            if chosen { MoveKind::Choose } else { MoveKind::Place }
        }
        Action::Play(Play::Swap) => MoveKind::Swap,
        Action::Play(Play::Keep) => MoveKind::Keep,
        Action::Play(Play::PutTwo) => MoveKind::PutTwo,
        Action::Play(Play::Declare(count)) => {
            view.fifths = Some(count);
            MoveKind::Declare
        }
        Action::Play(Play::Offer(offer)) => {
            view.points = views(offer.points());
            MoveKind::Offer
        }
        Action::Resign(_) => MoveKind::Resign,
        Action::Timeout => MoveKind::Timeout,
        Action::NoShow => MoveKind::NoShow,
        Action::Rule(_) => MoveKind::Ruling,
    };
    view
}

pub(crate) fn views(points: &[Point]) -> Vec<PointView> {
    points.iter().copied().map(PointView).collect()
}
