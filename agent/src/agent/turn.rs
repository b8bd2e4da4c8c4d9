//! One decision: rebuilds the game from its view, asks the brain within the time limit, checks the
//! play.

use std::time::Duration;

use arena_wire::{GameView, MoveKind, MoveView};
use renju::{IllegalPlay, Offer, Play, Point, Record, Ruleset};

use crate::brain::{Brain, BrainError, House};

/// Least and most time kept in reserve for a decision.
const MARGIN_MIN: Duration = Duration::from_secs(1);
const MARGIN_MAX: Duration = Duration::from_secs(30);

/// A decision that may be sent.
pub(super) struct Chosen {
    pub(super) play: Play,
    /// Set if it is not the brain's.
    pub(super) instead: Option<Instead>,
}

/// Reason the brain's play was replaced.
pub(super) struct Instead {
    pub(super) why: String,
    /// The point is forbidden in this ruleset: the brain works, but does not know fouls.
    pub(super) is_foul: bool,
}

/// The game as a record, or the reason this version cannot play it.
pub(super) fn record_of(game: &GameView<'_>) -> Result<Record, String> {
    let ruleset = Ruleset::find(&game.ruleset).map_err(|why| why.to_string())?;
    let mut record = Record::sized(ruleset, game.board.0.size()).map_err(|why| why.to_string())?;
    for made in game.moves.as_ref().ok_or("the view of the game has no moves")? {
        let Some(play) = play_of(made) else { continue };
        record.play(play).map_err(|why| format!("turn {}: {why}", made.turn_number))?;
    }
    if record.position().board() != &game.board.0 {
        return Err("the board is not what its moves make".to_owned());
    }
    Ok(record)
}

/// Play of a decision on the board; `None` for one that ends the game.
fn play_of(made: &MoveView) -> Option<Play> {
    match made.kind {
        MoveKind::Place | MoveKind::Choose => made.point.map(|point| Play::Place(point.0)),
        MoveKind::Swap => Some(Play::Swap),
        MoveKind::Keep => Some(Play::Keep),
        MoveKind::PutTwo => Some(Play::PutTwo),
        MoveKind::Declare => made.fifths.map(Play::Declare),
        MoveKind::Offer => {
            let points: Vec<Point> = made.points.iter().map(|point| point.0).collect();
            Offer::new(&points).ok().map(Play::Offer)
        }
        MoveKind::Resign | MoveKind::Timeout | MoveKind::NoShow | MoveKind::Ruling => None,
    }
}

/// Thinking time if `left` is left of a turn of `turn`: a margin is kept for the network, a lost
/// reply and a replacement move.
pub(super) fn thinking_time(left: Duration, turn: Duration) -> Duration {
    let margin = (turn / 10).clamp(MARGIN_MIN, MARGIN_MAX);
    left.saturating_sub(margin).max(left / 4)
}

/// The brain's play if it may be sent, else a replacement.
pub(super) fn choose(
    brain: &mut dyn Brain,
    stand_in: &mut House,
    record: &Record,
    limit: Duration,
) -> Result<Chosen, BrainError> {
    let answer = brain.choose(record, limit);
    let instead = match answer {
        Ok(play) => match objection(record, &play) {
            None => return Ok(Chosen { play, instead: None }),
            Some(Instead { why, is_foul }) => {
                Instead { why: format!("{} answered {play}: {why}", brain.name()), is_foul }
            }
        },
        Err(why) => Instead { why: format!("{}: {why}", brain.name()), is_foul: false },
    };
    let play = stand_in.choose(record, MARGIN_MIN / 2)?;
    Ok(Chosen { play, instead: Some(instead) })
}

/// Reason not to send a play: it would be rejected, or it is a foul and another point is free.
fn objection(record: &Record, play: &Play) -> Option<Instead> {
    let position = record.position();
    if let Err(why) = position.play(*play) {
        let is_foul = matches!(why, IllegalPlay::DoubleThree { .. });
        return Some(Instead { why: why.to_string(), is_foul });
    }
    let Play::Place(point) = play else { return None };
    let foul = position.forbidden_points().find(|(forbidden, _)| forbidden == point)?;
    position.legal_points().next()?;
    Some(Instead { why: format!("{point} is a foul: {}", foul.1), is_foul: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_foul_is_objected_to_but_is_no_failure() {
        let ruleset = Ruleset::find("renju_free").unwrap();
        let mut record = Record::new(ruleset);
        // Black's h8, h9, f10 and g10 make a double-three at h10.
        for point in ["h8", "a1", "h9", "a3", "f10", "a5", "g10", "a7"] {
            record.play(Play::Place(point.parse().unwrap())).unwrap();
        }
        let foul = objection(&record, &Play::Place("h10".parse().unwrap())).unwrap();
        assert!(foul.is_foul, "{}", foul.why);
        let occupied = objection(&record, &Play::Place("h8".parse().unwrap())).unwrap();
        assert!(!occupied.is_foul, "{}", occupied.why);
        assert!(objection(&record, &Play::Place("o15".parse().unwrap())).is_none());
    }

    #[test]
    fn a_margin_is_kept_but_never_all_of_it() {
        let seconds = Duration::from_secs_f64;
        assert_eq!(thinking_time(seconds(60.0), seconds(60.0)), seconds(54.0));
        assert_eq!(thinking_time(seconds(3600.0), seconds(3600.0)), seconds(3570.0));
        assert_eq!(thinking_time(seconds(2.0), seconds(60.0)), seconds(0.5));
        assert_eq!(thinking_time(seconds(3.0), seconds(3.0)), seconds(2.0));
        assert_eq!(thinking_time(seconds(0.0), seconds(60.0)), seconds(0.0));
    }
}
