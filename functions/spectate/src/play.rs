//! `GET /play`: a game against a house bot, through the public API.

use arena::{HouseLevel, Pool};
use askama::Template;
use renju::{Distinct, Ruleset};

use crate::opening::{OpeningStep, steps};
use crate::words;

/// What a newcomer plays, if nothing else is asked for: no opening to learn first, an opponent that
/// can be beaten, and a pool in which an abandoned game is soon over.
const RULESET: &str = "renju_free";
const LEVEL: u8 = 1;
const POOL: Pool = Pool::Standard;

#[derive(Template)]
#[template(path = "play.html")]
pub(crate) struct PlayPage {
    rulesets: Vec<Rules>,
    levels: Vec<Choice>,
    pools: Vec<Choice>,
}

/// An option of the form.
struct Choice {
    value: String,
    words: String,
    is_default: bool,
}

/// A ruleset, with all that the page must know of it.
struct Rules {
    id: &'static str,
    title: &'static str,
    is_default: bool,
    /// Word for the rule by which two offered moves count as the same.
    distinct: &'static str,
    steps: Vec<OpeningStep>,
}

impl PlayPage {
    pub(crate) fn new() -> PlayPage {
        let rules = |ruleset: &'static Ruleset| Rules {
            id: ruleset.id,
            title: words::short(ruleset),
            is_default: ruleset.id == RULESET,
            distinct: match ruleset.distinct {
                Distinct::Point => "point",
                Distinct::Figure => "figure",
            },
            steps: steps(ruleset),
        };
        PlayPage {
            rulesets: Ruleset::ALL.iter().map(rules).collect(),
            levels: HouseLevel::ALL.iter().zip(LEVELS).map(level).collect(),
            pools: Pool::ALL.map(pool).into(),
        }
    }
}

fn level((level, about): (&HouseLevel, &str)) -> Choice {
    Choice {
        value: level.number().to_string(),
        words: format!("{}, {about}", level.name()),
        is_default: level.number() == LEVEL,
    }
}

fn pool(pool: Pool) -> Choice {
    let words = format!("{} a move", words::time(pool.turn_ms() / 1_000));
    Choice { value: pool.to_string(), words, is_default: pool == POOL }
}

/// House bots in a few words, the weakest first.
const LEVELS: [&str; 7] = [
    "plays at random",
    "wins and blocks",
    "a beginner",
    "looks ahead",
    "strong",
    "stronger",
    "full strength",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_house_bot_is_described_and_the_defaults_exist() {
        assert_eq!(LEVELS.len(), HouseLevel::ALL.len());
        assert!(Ruleset::find(RULESET).is_ok());
        assert!(usize::from(LEVEL) < LEVELS.len());
    }
}
