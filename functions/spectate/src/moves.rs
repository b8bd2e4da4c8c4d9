//! The decisions of a game in words.

use arena::Game;
use arena_wire::{MoveKind, MoveView};
use renju::Color;

/// A decision in the list of moves.
#[derive(Clone, Debug)]
pub(crate) struct Decision {
    /// Number of decisions up to this one: the turn to link to.
    pub(crate) turn: u32,
    /// Number of the stone it placed, 1 for the first.
    pub(crate) number: Option<u16>,
    /// CSS class: the stone's colour, or `word`.
    pub(crate) class: &'static str,
    /// One or two words.
    pub(crate) text: String,
    /// A sentence.
    pub(crate) words: String,
    pub(crate) seconds: f64,
    kind: MoveKind,
}

impl Decision {
    pub(crate) fn of(game: &Game, view: &MoveView) -> Decision {
        let name = &game.header().players[view.seat.0].name;
        let color = view.color.0;
        let point = view.point.map(|point| point.0.to_string()).unwrap_or_default();
        let (text, does) = match view.kind {
            MoveKind::Place => (point.clone(), format!("places {point}")),
            MoveKind::Choose => (point.clone(), format!("chooses {point}")),
            MoveKind::Swap => ("swap".into(), format!("swaps and takes {}", !color)),
            MoveKind::Keep => ("keep".into(), format!("keeps {color}")),
            MoveKind::PutTwo => ("two more".into(), "puts two more stones".into()),
            MoveKind::Declare => {
                let fifths = view.fifths.unwrap_or_default();
                (format!("{fifths} fifths"), format!("declares {fifths} fifth moves"))
            }
            MoveKind::Offer => {
                let points: Vec<String> =
                    view.points.iter().map(|point| point.0.to_string()).collect();
                (format!("offers {}", points.len()), format!("offers {}", points.join(" ")))
            }
            MoveKind::Resign => ("resigns".into(), "resigns".into()),
            MoveKind::Timeout => ("time".into(), "runs out of time".into()),
            MoveKind::NoShow => ("no show".into(), "does not show up".into()),
            MoveKind::Ruling => {
                ("ruling".into(), "is to act when an operator ends the game".into())
            }
        };
        let (text, captured) = match view.captured.as_slice() {
            [] => (text, String::new()),
            taken => {
                let points: Vec<String> = taken.iter().map(|point| point.0.to_string()).collect();
                (format!("{text} ×{}", taken.len()), format!(", captures {}", points.join(" ")))
            }
        };
        let class = match (view.point, color) {
            (None, _) => "word",
            (Some(_), Color::Black) => "black",
            (Some(_), Color::White) => "white",
        };
        Decision {
            turn: view.turn_number + 1,
            number: view.move_number,
            class,
            text,
            words: format!("{name} {does}{captured}"),
            seconds: view.seconds,
            kind: view.kind,
        }
    }
}

/// Choices of the opening that changed something: a colour, or the fifth stone.
pub(crate) fn choices(decisions: &[Decision]) -> Vec<&Decision> {
    use MoveKind::{Choose, Declare, Offer, PutTwo, Swap};
    let is_choice =
        |decision: &&Decision| matches!(decision.kind, Choose | Declare | Offer | PutTwo | Swap);
    decisions.iter().filter(is_choice).collect()
}

/// True if somebody could have swapped and nobody did.
pub(crate) fn all_kept(decisions: &[Decision]) -> bool {
    let has = |kind| decisions.iter().any(|decision| decision.kind == kind);
    has(MoveKind::Keep) && !has(MoveKind::Swap)
}

/// Number of stones placed by the first `turn` decisions.
pub(crate) fn stones(decisions: &[Decision], turn: u32) -> usize {
    decisions.iter().filter(|decision| decision.turn <= turn && decision.number.is_some()).count()
}
