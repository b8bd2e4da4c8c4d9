//! `SWAP2BOARD`: the decisions of a Swap2 opening, made by the engine on the rules' own opening.

use renju::{Play, Point, Record, Ruleset};

/// Most decisions in an answer: three stones, or two after the decision to place them.
pub(super) const DECISIONS_MAX: u32 = 3;

/// Answers an opening of zero, three or five stones under a ruleset with Swap2; `choose` makes one decision at a time.
///
/// Returns the stones to write and the game after them: three that begin the opening, two more, or
/// one by a player who takes White. A player who takes Black places none: that is a swap in the
/// protocol.
pub(super) fn decide(
    ruleset: &'static Ruleset,
    size: u8,
    stones: &[Point],
    mut choose: impl FnMut(&Record) -> Option<Play>,
) -> Result<(Vec<Point>, Record), String> {
    let mut plays: Vec<Play> = stones.iter().copied().map(Play::Place).collect();
    match stones.len() {
        0 | 3 => {}
        5 => plays.insert(3, Play::PutTwo),
        other => return Err(format!("SWAP2BOARD has 0, 3 or 5 stones, not {other}")),
    }
    let mut record = Record::sized(ruleset, size).map_err(|why| why.to_string())?;
    for play in plays {
        record.play(play).map_err(|why| why.to_string())?;
    }
    let me = record.position().to_act();
    let mut placed = Vec::new();
    while record.position().to_act() == me {
        let play = choose(&record).ok_or("the game is over")?;
        record.play(play).map_err(|why| why.to_string())?;
        if let Play::Place(point) = play {
            placed.push(point);
        }
    }
    Ok((placed, record))
}
