//! The rules of a ruleset in words, made from its data: lengths, fouls, captures, and the opening step
//! by step with an example.

use renju::{
    Area, By, Color, Five, Fouls, Offer, Play, Point, Position, Precedence, Ruleset, Seat, Step,
};
use renju_picture::{Diagram, Part, diagram};

/// A step of an opening as it is shown.
pub(crate) struct Shown {
    pub(crate) words: String,
    pub(crate) svg: String,
}

/// Sentences about everything but the opening.
pub(crate) fn facts(ruleset: &Ruleset) -> Vec<String> {
    let mut facts = vec![format!("The board has {0}×{0} points.", ruleset.size)];
    let won = match (ruleset.five.black, ruleset.five.white) {
        (Five::Exactly, Five::Exactly) => {
            "Exactly five in a row win. Six or more have no effect: play goes on."
        }
        (Five::OrMore, Five::OrMore) => "Five or more in a row win.",
        (Five::Exactly, Five::OrMore) => {
            "Black wins with exactly five in a row, White with five or more."
        }
        (Five::OrMore, Five::Exactly) => {
            "Black wins with five or more in a row, White with exactly five."
        }
    };
    facts.push(won.to_owned());
    facts.extend(match ruleset.fouls {
        Fouls::None => Some("No shape is forbidden.".to_owned()),
        Fouls::Black { precedence } => {
            let both = match precedence {
                Precedence::FoulFirst => "even if it makes five as well",
                Precedence::FiveFirst => "unless it makes five as well: then it wins",
            };
            Some(format!(
                "Black may not make an overline, a double-four or a double-three: such a stone loses at once, {both}."
            ))
        }
        Fouls::DoubleThree { captures_exempt } => {
            let but = if captures_exempt { ", unless it captures" } else { "" };
            Some(format!("A double-three is rejected, for both colours{but}."))
        }
    });
    facts.extend(ruleset.pairs_to_win.map(|pairs| {
        format!(
            "A stone takes the two enemy stones between itself and another stone of its colour. {pairs} captured pairs win, and a five wins only if the opponent cannot break it at once by a capture."
        )
    }));
    if ruleset.opening.is_empty() {
        facts.push("There is no opening rule: the first stone may go anywhere.".to_owned());
    }
    facts
}

/// Steps of the opening, each with the board after it in an example.
pub(crate) fn steps(ruleset: &'static Ruleset) -> Vec<Shown> {
    let mut position = Position::new(ruleset);
    let mut shown = Vec::new();
    for step in ruleset.opening {
        let words = sentence(step, &position);
        let stone = example(step, &position);
        if let Some(play) = stone {
            // The example follows the phase that is due, so that no play of it is refused.
            position = position.play(play).unwrap_or(position);
        }
        let ring = match step {
            Step::Place { area: Area::Ring(ring), .. }
            | Step::Fifth { area: Area::Ring(ring), .. } => Some(*ring).filter(|&ring| ring > 0),
            _ => None,
        };
        let last = match stone {
            Some(Play::Place(point)) => vec![(point, number(position.move_number()))],
            Some(Play::Offer(offer)) => offer.points().iter().copied().zip('A'..).collect(),
            _ => Vec::new(),
        };
        let drawn = Diagram {
            board: position.board(),
            part: Part::ring(PART, ruleset.size),
            labels: &last,
            ring,
            coordinates: false,
        };
        shown.push(Shown { svg: diagram(&drawn, "The board after this step"), words });
    }
    shown
}

/// Ring of the part of the board that is drawn.
const PART: u8 = 5;

/// Points of the example in order of preference, within the smallest squares first.
const POINTS: [&str; 8] = ["h8", "i9", "j8", "g7", "i6", "f10", "k7", "g10"];

/// A play that the step allows, for the example.
fn example(step: &Step, position: &Position) -> Option<Play> {
    let points = || POINTS.iter().filter_map(|name| name.parse::<Point>().ok());
    let is_legal = |play: &Play| position.play(*play).is_ok();
    match step {
        Step::Place { .. } | Step::Fifth { .. } => points().map(Play::Place).find(is_legal),
        Step::Swap => Some(Play::Keep),
        Step::SwapOrPutTwo => Some(Play::PutTwo),
        Step::Declare { most } => Some(Play::Declare((*most).min(3))),
        Step::OfferDeclared => {
            let count = usize::from(position.declared());
            let free: Vec<Point> =
                points().filter(|&point| position.board().is_empty(point)).take(count).collect();
            Offer::new(&free).ok().map(Play::Offer).filter(is_legal)
        }
    }
}

fn sentence(step: &Step, position: &Position) -> String {
    let color = capital(position.to_move());
    match step {
        Step::Place { area, by } => {
            let stone = ordinal(position.move_number() + 1);
            let area = place(*area, position.board().size());
            match by {
                By::ToMove => format!("{color} places the {stone} stone {area}."),
                By::Seat(seat) => {
                    let player = if *seat == Seat::First { "first" } else { "second" };
                    let color = position.to_move();
                    format!("The {player} player places the {stone} stone, a {color} one, {area}.")
                }
            }
        }
        Step::Swap => "The other player may swap colours.".to_owned(),
        Step::SwapOrPutTwo => "The second player keeps White, or swaps to Black, or places two more stones and leaves the choice of colours to the first player.".to_owned(),
        Step::Fifth { area, count, after_swap } => {
            let area = place(*area, position.board().size());
            let but = if *after_swap { "" } else { " Whoever has just swapped may not offer." };
            format!("Black places the fifth stone {area}, or offers {count} fifth moves anywhere, no two of them symmetric. White then chooses one of them, and the opening is over.{but}")
        }
        Step::Declare { most } => {
            format!("White declares how many fifth moves Black must offer: one to {most}.")
        }
        Step::OfferDeclared => {
            "Black offers that many fifth moves, no two of them alike, and White chooses one.".to_owned()
        }
    }
}

fn place(area: Area, size: u8) -> String {
    match area {
        Area::Ring(0) => format!("on {}", Point::centre(size)),
        Area::Ring(ring) => format!("in the {0}×{0} square in the middle", 2 * ring + 1),
        Area::Board => "anywhere".to_owned(),
    }
}

fn capital(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}

fn ordinal(number: u16) -> String {
    let words = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh"];
    let word = number.checked_sub(1).and_then(|index| words.get(usize::from(index)));
    word.map_or_else(|| format!("{number}th"), |word| (*word).to_owned())
}

fn number(stones: u16) -> char {
    char::from_digit(u32::from(stones), 10).unwrap_or('•')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays of the example, if every step has one.
    fn played(ruleset: &'static Ruleset) -> Option<Position> {
        let mut position = Position::new(ruleset);
        for step in ruleset.opening {
            position = position.play(example(step, &position)?).ok()?;
        }
        Some(position)
    }

    #[test]
    fn the_example_of_every_opening_is_legal_to_its_end() {
        for ruleset in Ruleset::ALL {
            assert!(played(ruleset).is_some(), "{}", ruleset.id);
            assert_eq!(steps(ruleset).len(), ruleset.opening.len());
        }
    }

    #[test]
    fn steps_say_what_the_rules_say() {
        let words = |id: &str| -> Vec<String> {
            steps(Ruleset::find(id).unwrap()).into_iter().map(|shown| shown.words).collect()
        };
        let taraguchi = words("renju_taraguchi10_international");
        assert_eq!(taraguchi[0], "Black places the first stone on h8.");
        assert_eq!(taraguchi[6], "White places the fourth stone in the 7×7 square in the middle.");
        assert!(taraguchi[8].contains("offers 10 fifth moves anywhere"), "{}", taraguchi[8]);
        assert!(words("renju_taraguchi10_rif")[8].ends_with("just swapped may not offer."));
        assert!(words("renju_soosorv8")[5].ends_with("one to 4."));
        assert!(words("renju_soosorv8_rif")[5].ends_with("one to 8."));
        let swap2 = words("gomoku_swap2");
        assert!(swap2[4].starts_with("The second player places the fourth stone, a white one"));
        assert!(words("renju_free").is_empty());
    }

    #[test]
    fn facts_follow_the_fields_of_a_ruleset() {
        let all = |id: &str| facts(Ruleset::find(id).unwrap()).join(" ");
        assert!(all("renju_taraguchi10_international").contains("even if it makes five"));
        assert!(all("renju_free").contains("unless it makes five"));
        assert!(all("gomoku_capture").contains("5 captured pairs win"));
        assert!(all("gomoku_capture_42").contains("unless it captures"));
        assert!(all("gomoku_exact5").contains("Exactly five in a row win."));
    }
}
