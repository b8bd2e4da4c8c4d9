//! A rating over its last games, as a small SVG: the line is the rating, the band its deviation.

use std::fmt::Write;

use arena::{AgentName, Game, Rating, Standing, Timestamp};
use arena_wire::TimeView;

const WIDE: f64 = 420.0;
const HIGH: f64 = 220.0;
const LEFT: f64 = 44.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 24.0;
const BOTTOM: f64 = 30.0;

/// A rating and the time since which it holds.
type Rated = (Timestamp, Rating);

/// Draws the rating before each of these games, oldest first, and after the last. `None` if there
/// is no game.
pub(crate) fn draw(name: &AgentName, games: &[&Game], standing: &Standing) -> Option<String> {
    let end = games.last()?.last_at();
    let before = games.iter().filter_map(|game| {
        let seat = game.seat_of(name)?;
        Some((game.header().created, game.header().players[seat].rating))
    });
    let ratings: Vec<Rated> = before.chain([(end, standing.rating)]).collect();
    (ratings.len() > 1).then(|| curve(&ratings))
}

fn curve(ratings: &[Rated]) -> String {
    let low = ratings.iter().map(|(_, rating)| rating.value - rating.deviation);
    let high = ratings.iter().map(|(_, rating)| rating.value + rating.deviation);
    let low = (low.fold(f64::INFINITY, f64::min) / 100.0).floor() * 100.0;
    let high = (high.fold(f64::NEG_INFINITY, f64::max) / 100.0).ceil() * 100.0;
    let last = ratings.len() - 1;
    let x = |index: usize| LEFT + (WIDE - LEFT - RIGHT) * index as f64 / last as f64;
    let y = |value: f64| TOP + (HIGH - TOP - BOTTOM) * (high - value) / (high - low).max(1.0);
    let value = |index: usize| ratings[index].1.value;
    let peak = (0..=last).max_by(|&a, &b| value(a).total_cmp(&value(b))).unwrap_or(last);

    let games =
        if last == 1 { "the last game".to_owned() } else { format!("the last {last} games") };
    let [from, to] = ends([ratings[0].0, ratings[last].0]);
    let mut svg = format!(
        r#"<svg class="graph" viewBox="0 0 {WIDE} {HIGH}" role="img"><title>Rating over {games}: from {:.0} to {:.0}, at most {:.0}</title>"#,
        value(0),
        value(last),
        value(peak)
    );
    // Writing to a string cannot fail.
    for value in [low, (low + high) / 2.0, high] {
        let at = y(value);
        let _ = write!(
            svg,
            r#"<path class="rule" d="M{LEFT} {at:.1}H{}"/><text x="{}" y="{:.1}">{value:.0}</text>"#,
            WIDE - RIGHT,
            LEFT - 6.0,
            at + 4.5
        );
    }
    for (class, at, text) in [("from", LEFT, from), ("", WIDE - RIGHT, to)] {
        let _ = write!(svg, r#"<text class="{class}" x="{at}" y="{}">{text}</text>"#, HIGH - 8.0);
    }
    let line = |values: &mut dyn Iterator<Item = (usize, f64)>| {
        let mut path = String::new();
        for (index, value) in values {
            let _ = write!(path, "{:.1} {:.1} ", x(index), y(value));
        }
        path
    };
    let bound = |sign: f64| move |(_, rating): &Rated| rating.value + sign * rating.deviation;
    let above = line(&mut ratings.iter().map(bound(1.0)).enumerate());
    let below = line(&mut ratings.iter().map(bound(-1.0)).enumerate().rev());
    let middle = line(&mut ratings.iter().map(bound(0.0)).enumerate());
    let _ = write!(
        svg,
        r#"<path class="band" d="M{above}{below}Z"/><polyline class="curve" points="{middle}"/>"#
    );
    for index in [peak, last] {
        let (x, y) = (x(index), y(value(index)));
        let _ = write!(svg, r#"<circle class="now" cx="{x:.1}" cy="{y:.1}" r="4"/>"#);
    }
    // The label stays within the frame.
    let (class, at) = if peak * 2 < last { ("from", x(peak)) } else { ("", x(peak)) };
    let _ = write!(
        svg,
        r#"<text class="{class}" x="{at:.1}" y="{:.1}">peak {:.0}</text></svg>"#,
        y(value(peak)) - 9.0,
        value(peak)
    );
    svg
}

/// The ends of the axis: days, or times if both are on one day.
fn ends(times: [Timestamp; 2]) -> [String; 2] {
    let texts = times.map(|time| TimeView(time).to_string());
    let part = if texts[0][..10] == texts[1][..10] { 11..16 } else { 0..10 };
    texts.map(|text| text[part.clone()].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rated(hour: i64, value: f64, deviation: f64) -> Rated {
        let at = Timestamp::from_ms(1_780_228_800_000 + hour * 3_600_000);
        (at, Rating { value, deviation, ..Rating::NEW })
    }

    #[test]
    fn a_curve_goes_from_left_to_right_within_its_frame() {
        let svg =
            curve(&[rated(0, 1500.0, 350.0), rated(20, 1640.0, 200.0), rated(40, 1600.0, 120.0)]);
        for shown in
            ["from 1500 to 1600, at most 1640", ">peak 1640<", ">2026-05-31<", ">2026-06-02<"]
        {
            assert!(svg.contains(shown), "{shown}: {svg}");
        }
        let (_, points) = svg.split_once(r#"points=""#).unwrap();
        let points = points.split_once('"').unwrap().0;
        let numbers: Vec<f64> = points.split_whitespace().map(|n| n.parse().unwrap()).collect();
        assert_eq!(numbers.len(), 6);
        assert!(numbers.iter().step_by(2).is_sorted());
        assert!(numbers.iter().skip(1).step_by(2).all(|y| (0.0..=HIGH).contains(y)));
    }

    #[test]
    fn one_day_has_times_on_its_axis() {
        let [from, to] = ends([rated(0, 0.0, 0.0).0, rated(1, 0.0, 0.0).0]);
        assert_eq!([from, to], ["12:00", "13:00"]);
    }
}
