//! A rating over its last games, as a small SVG: the line is the rating, the band its deviation.

use std::fmt::Write;

use arena::{AgentName, Game, Rating, Standing};

const WIDE: f64 = 640.0;
const HIGH: f64 = 200.0;
const LEFT: f64 = 48.0;
const PAD: f64 = 14.0;

/// Draws the rating before each of these games, oldest first, and after the last. `None` if there
/// is no game.
pub(crate) fn draw(name: &AgentName, games: &[&Game], standing: &Standing) -> Option<String> {
    let before = games
        .iter()
        .filter_map(|game| game.seat_of(name).map(|seat| game.header().players[seat].rating));
    let ratings: Vec<Rating> = before.chain([standing.rating]).collect();
    (ratings.len() > 1).then(|| curve(&ratings))
}

fn curve(ratings: &[Rating]) -> String {
    let low = ratings.iter().map(|rating| rating.value - rating.deviation);
    let high = ratings.iter().map(|rating| rating.value + rating.deviation);
    let low = (low.fold(f64::INFINITY, f64::min) / 100.0).floor() * 100.0;
    let high = (high.fold(f64::NEG_INFINITY, f64::max) / 100.0).ceil() * 100.0;
    let x = |index: usize| LEFT + (WIDE - LEFT - PAD) * index as f64 / (ratings.len() - 1) as f64;
    let y = |value: f64| PAD + (HIGH - 2.0 * PAD) * (high - value) / (high - low).max(1.0);

    let (first, last) = (ratings[0].value.round(), ratings[ratings.len() - 1].value.round());
    let games = match ratings.len() - 1 {
        1 => "the last game".to_owned(),
        count => format!("the last {count} games"),
    };
    let mut svg = format!(
        r#"<svg class="graph" viewBox="0 0 {WIDE} {HIGH}" role="img"><title>Rating over {games}: from {first} to {last}</title>"#
    );
    // Writing to a string cannot fail.
    for value in [low, (low + high) / 2.0, high] {
        let at = y(value);
        let end = WIDE - PAD;
        let _ = write!(
            svg,
            r#"<path class="rule" d="M{LEFT} {at:.1}H{end}"/><text x="{}" y="{:.1}">{value:.0}</text>"#,
            LEFT - 8.0,
            at + 4.0
        );
    }
    let line = |values: &mut dyn Iterator<Item = (usize, f64)>| {
        let mut path = String::new();
        for (index, value) in values {
            let _ = write!(path, "{:.1} {:.1} ", x(index), y(value));
        }
        path
    };
    let above = line(&mut ratings.iter().map(|rating| rating.value + rating.deviation).enumerate());
    let below =
        line(&mut ratings.iter().map(|rating| rating.value - rating.deviation).enumerate().rev());
    let middle = line(&mut ratings.iter().map(|rating| rating.value).enumerate());
    let _ = write!(
        svg,
        r#"<path class="band" d="M{above}{below}Z"/><polyline class="curve" points="{middle}"/>"#
    );
    let _ = write!(
        svg,
        r#"<circle class="now" cx="{:.1}" cy="{:.1}" r="4"/></svg>"#,
        x(ratings.len() - 1),
        y(ratings[ratings.len() - 1].value)
    );
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_goes_from_left_to_right_within_its_frame() {
        let rating = |value, deviation| Rating { value, deviation, ..Rating::NEW };
        let svg = curve(&[rating(1500.0, 350.0), rating(1640.0, 200.0), rating(1600.0, 120.0)]);
        assert!(svg.contains("from 1500 to 1600"));
        let (_, points) = svg.split_once(r#"points=""#).unwrap();
        let points = points.split_once('"').unwrap().0;
        let numbers: Vec<f64> = points.split_whitespace().map(|n| n.parse().unwrap()).collect();
        assert_eq!(numbers.len(), 6);
        assert!(numbers.iter().step_by(2).is_sorted());
        assert!(numbers.iter().skip(1).step_by(2).all(|y| (0.0..=HIGH).contains(y)));
    }
}
