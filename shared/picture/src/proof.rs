//! Proof of a foul: drawn on the board, and in sentences for people.

use renju::{Explanation, Foul, Fouls, Mark, Point};

use crate::board::put;
use crate::place::middle;

/// Verdict on a forbidden point and its proof in plain sentences; `None` if the point is no foul.
///
/// The exact form, for experts, is the `Display` of the explanation.
pub fn foul_words(proof: &Explanation, fouls: Fouls) -> Option<String> {
    let Mark::Foul(foul) = proof.mark else { return None };
    let whom = match fouls {
        Fouls::Black { .. } => "forbidden for Black",
        Fouls::DoubleThree { .. } | Fouls::None => "not allowed",
    };
    let point = proof.point;
    let (name, makes, means) = match foul {
        Foul::Overline => (
            "Overline",
            format!("makes a row of six or more: {}", shapes(rows(proof))),
            "Black wins with exactly five.",
        ),
        Foul::DoubleFour => (
            "Double-four",
            format!("makes {} fours at once: {}", number(&fours(proof)), shapes(fours(proof))),
            "A four is one stone short of five.",
        ),
        Foul::DoubleThree => (
            "Double-three",
            format!(
                "makes {} open threes at once: {}",
                number(&threes(proof)),
                shapes(threes(proof))
            ),
            "One more stone would make an open three a four with both ends open.",
        ),
    };
    Some(format!("{name}: {whom}. A stone on {point} {makes}. {means}"))
}

fn rows(proof: &Explanation) -> Vec<&[Point]> {
    proof.rows.iter().map(|row| row.stones.as_slice()).collect()
}

fn fours(proof: &Explanation) -> Vec<&[Point]> {
    proof.fours.iter().map(|four| four.stones.as_slice()).collect()
}

/// Stones of the threes that count.
fn threes(proof: &Explanation) -> Vec<&[Point]> {
    let first = |three: &'_ &renju::Three| three.counts();
    let counted = proof.threes.iter().filter(first);
    let stones = counted.filter_map(|three| {
        three.moves.iter().find(|next| next.refusal.is_none()).map(|next| next.stones.as_slice())
    });
    stones.collect()
}

fn number(shapes: &[&[Point]]) -> String {
    match shapes.len() {
        2 => "two".into(),
        3 => "three".into(),
        4 => "four".into(),
        count => count.to_string(),
    }
}

/// `e8 g8 h8 and h7 h8 h9`.
fn shapes(shapes: Vec<&[Point]>) -> String {
    let words: Vec<String> = shapes
        .iter()
        .map(|points| points.iter().map(Point::to_string).collect::<Vec<_>>().join(" "))
        .collect();
    match words.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        _ => words.join(""),
    }
}

/// Draws the fours and threes that prove a foul, and the points that complete them.
pub(crate) fn draw(svg: &mut String, size: u8, proof: &Explanation) {
    let mut keys: Vec<Point> = Vec::new();
    for row in &proof.rows {
        stretch(svg, "proof", size, &row.stones);
    }
    if proof.rows.is_empty() {
        for four in &proof.fours {
            stretch(svg, "proof", size, &four.stones);
            keys.extend(&four.wins);
        }
        for three in proof.threes.iter().filter(|_| proof.fours.len() < 2) {
            let counted =
                three.moves.iter().filter(|next| next.refusal.is_none() == three.counts());
            let mut drawn = None;
            for next in counted {
                let class = if three.counts() { "proof" } else { "void" };
                // Most threes become a four in two ways.
                if drawn.replace(&next.stones) != Some(&next.stones) {
                    stretch(svg, class, size, &next.stones);
                }
                if three.counts() {
                    keys.push(next.point);
                }
            }
        }
    }
    keys.sort_unstable();
    keys.dedup();
    for key in keys {
        let (x, y) = middle(key, size);
        put(svg, format_args!(r#"<circle class="key" cx="{x}" cy="{y}" r="7"/>"#));
    }
}

/// Draws a line from the first of these points to the last.
fn stretch(svg: &mut String, class: &str, size: u8, points: &[Point]) {
    if let [from, .., to] = points {
        line(svg, class, size, *from, *to);
    }
}

/// Draws a line on a wider one in the colour of the wood, so that it is seen on any stone.
pub(crate) fn line(svg: &mut String, class: &str, size: u8, from: Point, to: Point) {
    let ((x, y), (to_x, to_y)) = (middle(from, size), middle(to, size));
    let path = format!("M{x} {y}L{to_x} {to_y}");
    put(svg, format_args!(r#"<path class="case" d="{path}"/><path class="{class}" d="{path}"/>"#));
}

#[cfg(test)]
mod tests {
    use super::*;
    use renju::{Position, Ruleset};

    fn words(ruleset: &str, plays: &str, point: &str) -> Option<String> {
        let ruleset = Ruleset::find(ruleset).unwrap();
        let mut position = Position::new(ruleset);
        for play in plays.split_whitespace() {
            position.advance(play.parse().unwrap()).unwrap();
        }
        foul_words(&position.explain(point.parse().unwrap()).unwrap(), ruleset.fouls)
    }

    #[test]
    fn fouls_are_told_to_people() {
        assert_eq!(
            words("renju_free", "h8 a1 g8 a3 i9 a5 i10 o1", "i8").unwrap(),
            "Double-three: forbidden for Black. A stone on i8 makes two open threes at once: \
             g8 h8 i8 and i8 i9 i10. One more stone would make an open three a four with both ends \
             open."
        );
        assert_eq!(
            words("renju_free", "h8 a1 i8 a3 k8 a5 l8 a7 g8 a9", "j8").unwrap(),
            "Overline: forbidden for Black. A stone on j8 makes a row of six or more: g8 h8 \
             i8 j8 k8 l8. Black wins with exactly five."
        );
        let fours = words("renju_free", "f8 a1 g8 a3 h8 a5 i9 a7 i10 a9 i11 o1", "i8").unwrap();
        assert!(
            fours.contains("makes two fours at once: f8 g8 h8 i8 and i8 i9 i10 i11."),
            "{fours}"
        );
        assert_eq!(words("renju_free", "h8 a1", "i8"), None);
    }

    #[test]
    fn with_captures_a_double_three_is_not_allowed_to_anyone() {
        let words = words("gomoku_capture", "j10 a1 k10 a3 l11 a5 l12 s1", "l10").unwrap();
        assert!(words.starts_with("Double-three: not allowed. A stone on l10"), "{words}");
    }
}
