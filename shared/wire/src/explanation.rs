//! The proof of a verdict: the lines and points that make a five or a foul.

use std::borrow::Cow;

use renju::{Direction, Explanation, Mark, Refusal, StraightFourMove};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::history::views;
use crate::point::PointView;
use crate::word::{Spelled, Word};

/// The most bytes of a proof in words.
const TEXT_MAX: usize = 16 * 1024;

/// The shapes that a stone on a point would make, and the verdict that follows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ExplanationView {
    /// The point.
    pub point: PointView,
    /// `quiet`, `five`, `overline`, `double_four` or `double_three`.
    #[schemars(extend("enum" = ["quiet", "five", "overline", "double_four", "double_three"]))]
    pub verdict: Cow<'static, str>,
    /// Rows of five or more that the stone completes.
    pub rows: Vec<RowView>,
    /// The different fours that contain the stone.
    pub fours: Vec<FourView>,
    /// The threes that contain the stone, also those that do not count.
    pub threes: Vec<ThreeView>,
    /// The whole explanation in words.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub text: Option<String>,
}

/// An unbroken row of five or more.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RowView {
    /// Its direction.
    pub direction: Word<Direction>,
    /// Its stones.
    pub stones: Vec<PointView>,
}

/// Four stones that one more makes an exact five.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FourView {
    /// Its direction.
    pub direction: Word<Direction>,
    /// Its stones.
    pub stones: Vec<PointView>,
    /// The points where one more makes five: two for a straight four.
    pub five_at: Vec<PointView>,
}

/// A candidate three.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ThreeView {
    /// Its direction.
    pub direction: Word<Direction>,
    /// True if one of its straight-four moves is allowed.
    pub counts: bool,
    /// Every way to turn it into a straight four.
    pub straight_fours: Vec<StraightFourView>,
}

/// One way to turn a three into a straight four.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StraightFourView {
    /// The three stones.
    pub stones: Vec<PointView>,
    /// The point of the fourth stone.
    pub point: PointView,
    /// The points where the straight four would make five.
    pub five_at: Vec<PointView>,
    /// True if the fourth stone may go there.
    pub allowed: bool,
    /// The reason if it may not: `five`, `overline`, `double_four` or `double_three`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(extend("enum" = ["five", "overline", "double_four", "double_three"]))]
    pub refusal: Option<Cow<'static, str>>,
    /// For a foul, its own proof; left out where proofs are nested too deep.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub proof: Option<Box<ExplanationView>>,
}

/// The start of a text that is too long to send.
fn cut(mut text: String) -> String {
    if text.len() > TEXT_MAX {
        text.truncate(text.floor_char_boundary(TEXT_MAX));
        text.push('…');
    }
    text
}

/// The word for a mark.
fn verdict(mark: Mark) -> &'static str {
    match mark {
        Mark::Quiet => "quiet",
        Mark::Five => "five",
        Mark::Foul(foul) => foul.word(),
    }
}

impl ExplanationView {
    /// The explanation as JSON, and in words.
    pub fn of(explanation: &Explanation) -> ExplanationView {
        ExplanationView {
            text: Some(cut(explanation.to_string())),
            ..ExplanationView::nested(explanation)
        }
    }

    /// The explanation without words: those of the outermost one contain all others.
    fn nested(explanation: &Explanation) -> ExplanationView {
        let rows = explanation
            .rows
            .iter()
            .map(|row| RowView { direction: Word(row.direction), stones: views(&row.stones) });
        let fours = explanation.fours.iter().map(|four| FourView {
            direction: Word(four.direction),
            stones: views(&four.stones),
            five_at: views(&four.wins),
        });
        let threes = explanation.threes.iter().map(|three| ThreeView {
            direction: Word(three.direction),
            counts: three.counts(),
            straight_fours: three.moves.iter().map(StraightFourView::of).collect(),
        });
        ExplanationView {
            point: PointView(explanation.point),
            verdict: verdict(explanation.mark).into(),
            rows: rows.collect(),
            fours: fours.collect(),
            threes: threes.collect(),
            text: None,
        }
    }
}

impl StraightFourView {
    fn of(next: &StraightFourMove) -> StraightFourView {
        let nested = |proof| Box::new(ExplanationView::nested(proof));
        let (refusal, proof) = match &next.refusal {
            None => (None, None),
            Some(Refusal::Five) => (Some("five".into()), None),
            Some(Refusal::Foul(foul, proof)) => {
                (Some(verdict(Mark::Foul(*foul)).into()), proof.as_deref().map(nested))
            }
        };
        StraightFourView {
            stones: views(&next.stones),
            point: PointView(next.point),
            five_at: views(&next.wins),
            allowed: next.refusal.is_none(),
            refusal,
            proof,
        }
    }
}
