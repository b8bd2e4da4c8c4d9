//! Rulesets as rows of data, found by id.

use std::fmt;

use crate::foul::Precedence;
use crate::offer::Distinct;
use crate::opening::{self, Step};
use crate::player::ByColor;

/// The rules of one game, as data.
///
/// The rows of [`Ruleset::ALL`] are the named ones; [`Ruleset::duel`] has variants of one of them.
/// Two rulesets are equal if all fields are.
#[derive(PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Ruleset {
    /// Stable name used in records and requests.
    pub id: &'static str,
    /// Title for display.
    pub title: &'static str,
    /// Board sides allowed.
    pub sizes: &'static [u8],
    /// Default board side.
    pub size: u8,
    /// Length of a winning row, by colour.
    pub five: ByColor<Five>,
    /// Forbidden shapes, and their consequence.
    pub fouls: Fouls,
    /// Number of captured pairs that win; `None` without captures.
    pub pairs_to_win: Option<u8>,
    /// Opening procedure; free play follows.
    pub opening: &'static [Step],
    /// Rule by which two offered fifth moves count as the same.
    pub distinct: Distinct,
}

/// Length of a winning row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Five {
    /// Six or more do not win.
    Exactly,
    /// Five or more.
    OrMore,
}

impl Five {
    /// True if an unbroken row of this length wins.
    pub const fn is_won_by(self, row: u8) -> bool {
        match self {
            Five::Exactly => row == 5,
            Five::OrMore => row >= 5,
        }
    }
}

/// Forbidden shapes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fouls {
    /// No shape is forbidden.
    None,
    /// Double-three, double-four and overline by Black: the move is accepted and loses at once.
    Black {
        /// Rule for a stone that also makes a five.
        precedence: Precedence,
    },
    /// Double-three by either colour: the move is rejected. A row of five or more is exempt.
    DoubleThree {
        /// True if a move that captures is exempt too.
        captures_exempt: bool,
    },
}

impl Ruleset {
    /// All named rulesets, the default first.
    pub const ALL: &'static [Ruleset] = &[
        Ruleset {
            id: "renju_taraguchi10_international",
            title: "Renju, Taraguchi-10 (international): a swap after each of four moves, then one fifth move or ten",
            fouls: Fouls::Black { precedence: Precedence::FoulFirst },
            opening: opening::TARAGUCHI_10,
            distinct: Distinct::Point,
            ..RENJU
        },
        Ruleset {
            id: "renju_taraguchi10_rif",
            title: "Renju, Taraguchi-10 (RIF): offering ten takes the place of the swap after move 4",
            opening: opening::TARAGUCHI_10_RIF,
            ..RENJU
        },
        Ruleset {
            id: "renju_soosorv8",
            title: "Renju, Soosõrv with one to four fifth moves",
            opening: opening::SOOSORV_4,
            ..RENJU
        },
        Ruleset {
            id: "renju_soosorv8_rif",
            title: "Renju, Soosõrv-8 (RIF) with one to eight fifth moves",
            opening: opening::SOOSORV_8,
            ..RENJU
        },
        RENJU,
        EXACT,
        GOMOKU,
        Ruleset {
            id: "gomoku_swap2_exact5",
            title: "Gomoku, championship rule: Swap2 opening, exactly five wins, six or more plays on",
            five: EXACT.five,
            ..SWAP_2
        },
        SWAP_2,
        CAPTURE,
        Ruleset {
            id: "gomoku_capture_42",
            title: "Gomoku with captures where a capturing move may make a double-three",
            fouls: Fouls::DoubleThree { captures_exempt: true },
            ..CAPTURE
        },
    ];

    /// Finds a ruleset by its id.
    pub fn find(id: &str) -> Result<&'static Ruleset, UnknownRuleset> {
        Self::ALL
            .iter()
            .find(|ruleset| ruleset.id == id)
            .ok_or_else(|| UnknownRuleset { id: id.chars().take(64).collect() })
    }

    /// Gomoku with captures as agreed by two players: the number of pairs that win (`None`: no
    /// captures) and if a double-three is rejected. `None` if the number of pairs is not allowed.
    ///
    /// These are not in [`Ruleset::ALL`]: no game is recorded or rated under them.
    pub fn duel(pairs_to_win: Option<u8>, double_three: bool) -> Option<&'static Ruleset> {
        static BARRED: [Ruleset; DUELS] = duels(CAPTURE.fouls);
        static FREE: [Ruleset; DUELS] = duels(Fouls::None);
        let rows = if double_three { &BARRED } else { &FREE };
        match pairs_to_win {
            None => rows.first(),
            Some(0) => None,
            Some(pairs) => rows.get(usize::from(pairs)),
        }
    }

    /// Largest number of pairs to win in a duel.
    pub const PAIRS_MAX: u8 = 10;

    /// Checks that the game may be played on a board of side `size`.
    pub fn check_size(&'static self, size: u8) -> Result<u8, UnknownSize> {
        if self.sizes.contains(&size) { Ok(size) } else { Err(UnknownSize { ruleset: self, size }) }
    }
}

const RENJU: Ruleset = Ruleset {
    id: "renju_free",
    title: "Renju without an opening rule, for analysis and engines",
    sizes: &[15],
    size: 15,
    five: ByColor { black: Five::Exactly, white: Five::OrMore },
    fouls: Fouls::Black { precedence: Precedence::FiveFirst },
    pairs_to_win: None,
    opening: &[],
    distinct: Distinct::Figure,
};

const GOMOKU: Ruleset = Ruleset {
    id: "gomoku_freestyle",
    title: "Gomoku: five or more wins",
    sizes: &[5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20],
    five: ByColor { black: Five::OrMore, white: Five::OrMore },
    fouls: Fouls::None,
    ..RENJU
};

const EXACT: Ruleset = Ruleset {
    id: "gomoku_exact5",
    title: "Gomoku: exactly five wins, six or more plays on",
    five: ByColor { black: Five::Exactly, white: Five::Exactly },
    ..GOMOKU
};

const SWAP_2: Ruleset = Ruleset {
    id: "gomoku_swap2",
    title: "Gomoku: Swap2 opening, five or more wins",
    opening: opening::SWAP_2,
    ..GOMOKU
};

const CAPTURE: Ruleset = Ruleset {
    id: "gomoku_capture",
    title: "Gomoku with captures: five that cannot be broken, or five pairs; no double-three",
    sizes: &[15, 19],
    size: 19,
    fouls: Fouls::DoubleThree { captures_exempt: false },
    pairs_to_win: Some(5),
    ..GOMOKU
};

/// One per number of pairs, and one without captures.
const DUELS: usize = Ruleset::PAIRS_MAX as usize + 1;

const fn duels(fouls: Fouls) -> [Ruleset; DUELS] {
    let mut rows = [const { Ruleset { id: "gomoku_duel", ..CAPTURE } }; DUELS];
    let mut pairs = 0;
    while pairs < DUELS {
        rows[pairs].pairs_to_win = if pairs == 0 { None } else { Some(pairs as u8) };
        rows[pairs].fouls = fouls;
        pairs += 1;
    }
    rows
}

/// Error: no ruleset has this id.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownRuleset {
    id: String,
}

impl fmt::Display for UnknownRuleset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no ruleset {:?}; the rulesets are ", self.id)?;
        for (n, ruleset) in Ruleset::ALL.iter().enumerate() {
            write!(f, "{}{}", if n == 0 { "" } else { ", " }, ruleset.id)?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownRuleset {}

/// Error: the ruleset does not allow this board side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownSize {
    ruleset: &'static Ruleset,
    size: u8,
}

impl fmt::Display for UnknownSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnknownSize { ruleset, size } = self;
        write!(f, "{} is not played on a {size}×{size} board", ruleset.id)
    }
}

impl std::error::Error for UnknownSize {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_found_by_its_id_and_allows_its_own_size() {
        for ruleset in Ruleset::ALL {
            assert_eq!(Ruleset::find(ruleset.id), Ok(ruleset));
            assert_eq!(ruleset.check_size(ruleset.size), Ok(ruleset.size));
        }
        let error = Ruleset::find("chess").unwrap_err().to_string();
        assert!(error.starts_with("there is no ruleset \"chess\"; the rulesets are renju_tara"));
        let error = Ruleset::ALL[0].check_size(19).unwrap_err().to_string();
        assert_eq!(error, "renju_taraguchi10_international is not played on a 19×19 board");
    }
}
