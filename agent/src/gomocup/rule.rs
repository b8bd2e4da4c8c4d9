//! The bits of `INFO rule`, in both directions.

use renju::{Five, Fouls, Ruleset};

const EXACTLY_FIVE: u32 = 1;
/// Bit for a game that continues after a five, which concerns only the manager.
const CONTINUOUS: u32 = 2;
const RENJU: u32 = 4;

/// The ruleset that these bits name.
pub(super) fn ruleset(bits: u32) -> Option<&'static Ruleset> {
    match bits & !CONTINUOUS {
        0 => Some(freestyle()),
        EXACTLY_FIVE => Some(known("gomoku_exact5")),
        RENJU => Some(known("renju_free")),
        _ => None,
    }
}

/// Default ruleset.
pub(super) fn freestyle() -> &'static Ruleset {
    known("gomoku_freestyle")
}

/// Ruleset of `SWAP2BOARD` in a game of `ruleset`.
pub(super) fn swap2(ruleset: &Ruleset) -> &'static Ruleset {
    known(match ruleset.five.white {
        Five::Exactly => "gomoku_swap2_exact5",
        Five::OrMore => "gomoku_swap2",
    })
}

fn known(id: &str) -> &'static Ruleset {
    Ruleset::find(id).expect("the rules know the games of Gomocup")
}

/// Closest bits for a ruleset without captures.
pub(crate) fn bits(ruleset: &Ruleset) -> u32 {
    match (ruleset.fouls, ruleset.five.white) {
        (Fouls::Black { .. }, _) => RENJU,
        (_, Five::Exactly) => EXACTLY_FIVE,
        (_, Five::OrMore) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_opening_by_swap2_leads_to_the_same_five() {
        for bits_sent in [0, EXACTLY_FIVE] {
            let ruleset = ruleset(bits_sent).unwrap();
            let (opening, played) = (swap2(ruleset), bits(swap2(ruleset)));
            assert_eq!(
                (opening.five, opening.fouls, played),
                (ruleset.five, ruleset.fouls, bits_sent)
            );
            assert!(!opening.opening.is_empty());
        }
    }

    #[test]
    fn a_rule_sent_is_the_rule_understood() {
        for bits_sent in [0, EXACTLY_FIVE, RENJU] {
            assert_eq!(bits(ruleset(bits_sent).unwrap()), bits_sent);
            assert_eq!(bits(ruleset(bits_sent | CONTINUOUS).unwrap()), bits_sent);
        }
        // We do not play Caro, nor Renju with an exact five for White.
        assert!([5, 8, 9, 12, u32::MAX].iter().all(|&bits| ruleset(bits).is_none()));
    }
}
