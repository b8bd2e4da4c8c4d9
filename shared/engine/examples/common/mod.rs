//! Random openings, for the examples that play games.

use std::ops::Range;

use arena_support::Random;
use renju::{Phase, Play, Point, Record, Ruleset};
use renju_engine::{Engine, Limits};

/// Nodes of the search that judges an opening.
const NODES: u64 = 1_000;

/// A random number of stones from the range `stones`, near the centre, with a score of at most `most` for either
/// side. Half of the openings are like those of Taraguchi-10, where each stone may be a step further from the
/// centre than the one before; the others are anywhere in a square.
///
/// # Panics
/// If the ruleset has an opening rule.
pub(crate) fn opening(
    engine: &mut Engine,
    ruleset: &'static Ruleset,
    stones: Range<usize>,
    most: i32,
    random: &mut Random,
) -> Record {
    loop {
        let mut record = Record::new(ruleset);
        assert_eq!(record.position().phase(), Phase::Play, "{} has an opening rule", ruleset.id);
        let middle = record.position().board().size() / 2;
        let count = stones.start + random.below(stones.len());
        let square = 2 + random.below(3);
        let (least, furthest) = if random.below(2) == 0 { (0, 4) } else { (square, square) };
        for _ in 0..8 * count {
            let reach = record.plays().len().clamp(least, furthest);
            let mut at = || middle - reach as u8 + random.below(2 * reach + 1) as u8;
            let _taken = record.play(Play::Place(Point::new(at(), at()).unwrap()));
            if record.plays().len() == count || record.position().phase() != Phase::Play {
                break;
            }
        }
        engine.clear();
        let choice = engine.choose(record.position(), &Limits::nodes(NODES), 0, None);
        if choice.is_some_and(|choice| choice.score.abs() <= most) {
            return record;
        }
    }
}
