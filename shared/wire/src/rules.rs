//! `POST /rules/check`: the referee's verdict on a position and, for a point, its proof.

use std::borrow::Cow;

use arena::Reason;
use renju::{Color, Fouls, IllegalPlay, Outcome, Phase, Play, Point, Position, Seat, Status};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::explanation::ExplanationView;
use crate::game::{OpeningView, PairsView, PhaseName};
use crate::history::views;
use crate::point::{BoardView, ForbiddenView, PointView};
use crate::problem::reason_of;
use crate::request::RulesCheckRequest;
use crate::value::RulesetId;
use crate::word::Word;

/// The verdict on a position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RulesView {
    /// The ruleset.
    #[schemars(with = "RulesetId")]
    pub ruleset: Cow<'static, str>,
    /// The side of the board.
    pub size: u8,
    /// The stones.
    pub board: BoardView,
    /// The board with the class of every empty point: `.` ordinary, `5` wins, and forbidden by
    /// `6` an overline, `4` two fours, `3` two threes. In Renju the classes are Black's.
    #[schemars(inner(regex(pattern = "^[.xo3456]+$")))]
    pub points: Vec<String>,
    /// The kind of decision that is due.
    pub phase: PhaseName,
    /// The player to act; null when the game is over.
    pub to_act: Option<Word<Seat>>,
    /// The colour of the next stone; null when the game is over.
    pub to_move: Option<Word<Color>>,
    /// The player who holds Black; null for a position without a history.
    pub black: Option<Word<Seat>>,
    /// Number of stones placed so far.
    pub move_number: u16,
    /// The points where a stone may be placed now without losing by a foul.
    pub legal_moves: Vec<PointView>,
    /// The points forbidden to the colour to move.
    pub forbidden_moves: Vec<ForbiddenView>,
    /// The fifth moves on offer.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub offer10_candidates: Option<Vec<PointView>>,
    /// The captured pairs, where stones can be captured.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pairs: Option<PairsView>,
    /// The named opening.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub opening: Option<OpeningView<'static>>,
    /// The result; null while the game is live.
    pub outcome: Option<OutcomeView>,
    /// The first move of the list that is illegal; the position is the one before it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub illegal: Option<IllegalView>,
    /// The verdict on the point that was asked about.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub verdict: Option<PointVerdict>,
}

/// The result of a game on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OutcomeView {
    /// The colour that won; null for a draw.
    pub winner: Option<Word<Color>>,
    /// The reason.
    pub reason: Word<Reason>,
}

impl From<Outcome> for OutcomeView {
    fn from(outcome: Outcome) -> OutcomeView {
        OutcomeView { winner: outcome.winner.map(Word), reason: Word(Reason::Board(outcome.by)) }
    }
}

/// An illegal play and the reason.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct IllegalView {
    /// Its turn in the list, from 0.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub turn_number: Option<usize>,
    /// The play.
    pub play: String,
    /// The stable word: `occupied`, `outside_area`…
    #[schemars(schema_with = "crate::schema::illegal_reason")]
    pub reason: Cow<'static, str>,
    /// The reason as a sentence.
    pub detail: String,
}

impl IllegalView {
    fn of(turn: Option<usize>, play: Play, why: &IllegalPlay) -> IllegalView {
        IllegalView {
            turn_number: turn,
            play: play.to_string(),
            reason: reason_of(why).into(),
            detail: why.to_string(),
        }
    }
}

/// The verdict on a stone of the colour to move on one point.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PointVerdict {
    /// The point.
    pub point: PointView,
    /// The colour of the stone; null when the game is over.
    pub color: Option<Word<Color>>,
    /// True if the move is accepted and no foul.
    pub legal: bool,
    /// The reason if it is rejected.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub illegal: Option<IllegalView>,
    /// The result if the move ends the game.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub outcome: Option<OutcomeView>,
    /// State of the game for the player who places the stone; `five_pending` is a five that a capture
    /// can still break.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub status: Option<Word<Status>>,
    /// The stones it captures.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub captured: Vec<PointView>,
    /// The shapes a stone there would make: Black's in Renju; in a game with captures those of a
    /// double-three.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub explanation: Option<ExplanationView>,
}

impl RulesView {
    /// The answer to a question.
    pub fn of(request: &RulesCheckRequest) -> RulesView {
        let position = &request.position;
        let (board, size) = (position.board(), position.board().size());
        let going_on = position.to_act();
        let stones = || request.record.iter().flat_map(|record| record.stones());
        let first: Vec<Point> = stones().map(|(point, _)| point).take(3).collect();
        RulesView {
            ruleset: position.ruleset().id.into(),
            size,
            board: BoardView(*board),
            points: ranks(position),
            phase: PhaseName::of(&position.phase()),
            to_act: going_on.map(Word),
            to_move: going_on.map(|_| Word(position.to_move())),
            black: request.record.as_ref().map(|_| Word(position.seat_of(Color::Black))),
            move_number: position.move_number(),
            legal_moves: position.legal_points().map(PointView).collect(),
            forbidden_moves: ForbiddenView::all(position).collect(),
            offer10_candidates: match position.phase() {
                Phase::Choose(offer) => Some(views(offer.points())),
                _ => None,
            },
            pairs: PairsView::of(position),
            opening: OpeningView::of(&first, size),
            outcome: position.outcome().map(OutcomeView::from),
            illegal: request.illegal.as_ref().map(|(play, why)| {
                let turn = request.record.as_ref().map(|record| record.plays().len());
                IllegalView::of(turn, *play, why)
            }),
            verdict: request.point.map(|point| PointVerdict::of(position, point)),
        }
    }
}

impl PointVerdict {
    /// The verdict on a stone of the colour to move on `point`.
    pub fn of(position: &Position, point: Point) -> PointVerdict {
        let verdict = position.judge(point);
        let rejection = verdict.after.as_ref().err();
        // With captures a six is no foul, so that only the double-three is worth a proof.
        let proved = matches!(position.ruleset().fouls, Fouls::Black { .. })
            || matches!(rejection, Some(IllegalPlay::DoubleThree { .. }));
        let explanation = if proved { position.explain(point) } else { None };
        PointVerdict {
            point: PointView(point),
            color: position.to_act().map(|_| Word(verdict.color)),
            legal: verdict.is_legal(),
            explanation: explanation.as_ref().map(ExplanationView::of),
            illegal: rejection.map(|why| IllegalView::of(None, Play::Place(point), why)),
            outcome: verdict.outcome().map(OutcomeView::from),
            status: verdict.status().map(Word),
            captured: verdict.captured.map_or_else(Vec::new, |captured| views(captured.points())),
        }
    }
}

/// The classes of all points, a text for each rank, the highest first.
fn ranks(position: &Position) -> Vec<String> {
    let (classes, size) = (position.classes(), usize::from(position.board().size()));
    let rank = |y: usize| classes[y * size..][..size].to_owned();
    (0..size).rev().map(rank).collect()
}
