//! One decision: rebuilds the game from its view, asks the brain within the time limit, checks the
//! answer.

use std::time::Duration;

use arena_wire::{GameView, MoveKind, MoveView};
use renju::{IllegalPlay, Offer, Play, Point, Record, Ruleset};

use crate::brain::Brain;

/// Least and most time kept in reserve for a decision.
const MARGIN_MIN: Duration = Duration::from_secs(1);
const MARGIN_MAX: Duration = Duration::from_secs(30);

/// Maker of a decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum By {
    Brain,
    /// The house, for a brain that leaves the opening to it.
    Opening,
    /// The tool, in place of an answer that cannot be sent.
    Fallback,
}

/// Answer of a brain.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Answer {
    /// May be sent.
    Play(Play, By),
    /// A forbidden point, and why it is: the brain works, but does not know fouls.
    Foul(String),
    /// No answer, or one that cannot be sent, and why.
    Failure(String),
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

/// Asks the brain and checks its answer. Unless `avoid_fouls`, a foul is a play like any other: it may
/// be sent, and loses.
pub(super) fn ask(
    brain: &mut dyn Brain,
    record: &Record,
    limit: Duration,
    avoid_fouls: bool,
) -> Answer {
    let left_to_house = brain.left_to_house();
    match brain.choose(record, limit) {
        Ok(play) => match objection(record, &play, avoid_fouls) {
            None if brain.left_to_house() > left_to_house => Answer::Play(play, By::Opening),
            None => Answer::Play(play, By::Brain),
            Some(Objection { why, is_foul }) => {
                let why = format!("{} answered {play}: {why}", brain.name());
                if is_foul { Answer::Foul(why) } else { Answer::Failure(why) }
            }
        },
        Err(why) => Answer::Failure(format!("{}: {why}", brain.name())),
    }
}

/// Reason not to send a play.
struct Objection {
    why: String,
    is_foul: bool,
}

/// Objects to a play that would be rejected and, with `avoid_fouls`, to a foul while another point is
/// free.
fn objection(record: &Record, play: &Play, avoid_fouls: bool) -> Option<Objection> {
    let position = record.position();
    if let Err(why) = position.play(*play) {
        let is_foul = avoid_fouls && matches!(why, IllegalPlay::DoubleThree { .. });
        return Some(Objection { why: why.to_string(), is_foul });
    }
    let Play::Place(point) = play else { return None };
    if !avoid_fouls {
        return None;
    }
    let foul = position.forbidden_points().find(|(forbidden, _)| forbidden == point)?;
    position.legal_points().next()?;
    Some(Objection { why: format!("{point} is a foul: {}", foul.1), is_foul: true })
}

impl By {
    /// Word for the log.
    pub(super) fn id(self) -> &'static str {
        match self {
            By::Brain => "brain",
            By::Opening => "opening",
            By::Fallback => "fallback",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_foul_is_avoided_only_if_asked_for_and_is_no_failure() {
        let ruleset = Ruleset::find("renju_free").unwrap();
        let mut record = Record::new(ruleset);
        // Black's h8, h9, f10 and g10 make a double-three at h10.
        for point in ["h8", "a1", "h9", "a3", "f10", "a5", "g10", "a7"] {
            record.play(Play::Place(point.parse().unwrap())).unwrap();
        }
        let foul = objection(&record, &Play::Place("h10".parse().unwrap()), true).unwrap();
        assert!(foul.is_foul, "{}", foul.why);
        let occupied = objection(&record, &Play::Place("h8".parse().unwrap()), true).unwrap();
        assert!(!occupied.is_foul, "{}", occupied.why);
        assert!(objection(&record, &Play::Place("o15".parse().unwrap()), true).is_none());
        // A rated game shows that the brain does not know fouls.
        assert!(objection(&record, &Play::Place("h10".parse().unwrap()), false).is_none());
        let occupied = objection(&record, &Play::Place("h8".parse().unwrap()), false);
        assert!(occupied.is_some_and(|occupied| !occupied.is_foul));
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
