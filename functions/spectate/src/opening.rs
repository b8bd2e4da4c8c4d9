//! Steps of an opening procedure, as the page of a game in the opening shows them.

use std::cmp::Ordering;

use arena::Game;
use renju::{Area, Color, Phase, Point, Ruleset, Step};

/// One step: one decision, but that an offer is followed by a choice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OpeningStep {
    /// CSS class: the colour of the stone, or `choice`.
    pub(crate) class: &'static str,
    /// A number or a sign.
    pub(crate) sign: String,
    /// Some letters after the sign, if the step leaves a choice besides the point.
    pub(crate) more: String,
    /// The step in words.
    pub(crate) words: String,
    /// Ring in which the stone must be placed.
    pub(crate) ring: Option<u8>,
}

/// Steps of a ruleset's opening, from its data; none if the first stone may go anywhere and nothing
/// is chosen.
pub(crate) fn steps(ruleset: &Ruleset) -> Vec<OpeningStep> {
    let mut stones = 0_u16;
    let mut shown = Vec::with_capacity(ruleset.opening.len());
    for step in ruleset.opening {
        let places = matches!(step, Step::Place { .. } | Step::Fifth { .. } | Step::OfferDeclared);
        stones += u16::from(places);
        let (more, words, ring) = match *step {
            Step::Place { area, .. } => {
                let (place, ring) = area_words(area, ruleset.size);
                (String::new(), format!("stone {stones} {place}"), ring)
            }
            Step::Swap => (String::new(), "swap or keep".into(), None),
            Step::SwapOrPutTwo => ("+2".into(), "swap, keep or put two more stones".into(), None),
            Step::Fifth { area, count, .. } => {
                let (place, ring) = area_words(area, ruleset.size);
                let words = format!("stone {stones} {place}, or {count} points to choose from");
                (format!("or {count}"), words, ring)
            }
            Step::Declare { most } => {
                (format!("1–{most}"), format!("say how many fifth moves, up to {most}"), None)
            }
            Step::OfferDeclared => {
                ("?".into(), format!("offers for stone {stones}, and the choice of one"), None)
            }
        };
        let (class, sign) = match *step {
            Step::Swap | Step::SwapOrPutTwo => ("choice", "⇄".into()),
            Step::Declare { .. } => ("choice", String::new()),
            // Black places the odd stones, whoever sits where.
            _ if stones % 2 == 1 => (color_class(Color::Black), stones.to_string()),
            _ => (color_class(Color::White), stones.to_string()),
        };
        shown.push(OpeningStep { class, sign, more, words, ring });
    }
    shown
}

/// Place of a step in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Progress {
    Done,
    Current,
    Later,
}

/// The steps of a game that is in its opening; none of another game.
pub(crate) fn strip(game: &Game) -> Vec<(OpeningStep, Progress)> {
    let turn = game.turn().0 as usize;
    let current = match game.position().phase() {
        _ if game.result().is_some() => return Vec::new(),
        Phase::Play | Phase::Over(_) => return Vec::new(),
        // An offer and the choice are one step.
        Phase::Choose(_) => turn.saturating_sub(1),
        _ => turn,
    };
    let progress = |index: usize| match index.cmp(&current) {
        Ordering::Less => Progress::Done,
        Ordering::Equal => Progress::Current,
        Ordering::Greater => Progress::Later,
    };
    let steps = steps(game.ruleset()).into_iter().enumerate();
    steps.map(|(index, step)| (step, progress(index))).collect()
}

fn color_class(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

fn area_words(area: Area, size: u8) -> (String, Option<u8>) {
    match area {
        Area::Ring(0) => (format!("on {}", Point::centre(size)), Some(0)),
        Area::Ring(ring) => {
            let side = 2 * u16::from(ring) + 1;
            (format!("inside the {side}×{side} square"), Some(ring))
        }
        Area::Board => ("anywhere".into(), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strip(ruleset: &str) -> String {
        let steps = steps(Ruleset::find(ruleset).unwrap());
        let words = steps.iter().map(|step| format!("{}{}", step.sign, step.more));
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn strips_follow_from_the_rules() {
        assert_eq!(strip("renju_taraguchi10_international"), "1 ⇄ 2 ⇄ 3 ⇄ 4 ⇄ 5or 10 ⇄");
        assert_eq!(strip("renju_soosorv8_rif"), "1 2 3 ⇄ 4 1–8 ⇄ 5?");
        assert_eq!(strip("gomoku_swap2"), "1 2 3 ⇄+2 4 5 ⇄");
        assert_eq!(strip("renju_free"), "");
    }

    #[test]
    fn a_square_is_named_only_where_there_is_one() {
        let tara = steps(&Ruleset::ALL[0]);
        assert_eq!((tara[0].words.as_str(), tara[0].ring), ("stone 1 on h8", Some(0)));
        assert_eq!(tara[4].words, "stone 3 inside the 5×5 square");
        let swap2 = steps(Ruleset::find("gomoku_swap2").unwrap());
        assert_eq!((swap2[1].words.as_str(), swap2[1].ring), ("stone 2 anywhere", None));
    }
}
