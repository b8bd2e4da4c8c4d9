//! Part of a board for a lesson: stones without numbers, a mark, a square.

use std::ops::RangeInclusive;

use renju::{Board, Color, Point};

use crate::board::{escaped, put};
use crate::glyph::{HEIGHT, Lettering, label};
use crate::place::{CELL, column, middle, rank, stars};

/// A part of a board to explain something with; the page gives it colours.
#[derive(Clone, Copy, Debug)]
pub struct Diagram<'a> {
    /// The stones.
    pub board: &'a Board,
    /// Columns and ranks that are drawn, from 0.
    pub part: Part,
    /// Points with a number or a letter, on a stone or on an empty point.
    pub labels: &'a [(Point, char)],
    /// Ring around the centre that is drawn as a square.
    pub ring: Option<u8>,
    /// True if the edges name columns and ranks.
    pub coordinates: bool,
}

/// Columns and ranks from the first to the last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Part {
    pub columns: (u8, u8),
    pub ranks: (u8, u8),
}

impl Part {
    /// The whole of a board.
    pub const fn whole(size: u8) -> Part {
        let all = (0, size.saturating_sub(1));
        Part { columns: all, ranks: all }
    }

    /// The square of this ring around the centre of a board.
    pub const fn ring(ring: u8, size: u8) -> Part {
        let centre = size / 2;
        let square = (centre.saturating_sub(ring), centre.saturating_add(ring));
        Part { columns: square, ranks: square }
    }

    fn has(self, point: Point) -> bool {
        let within = |(first, last): (u8, u8), n: u8| (first..=last).contains(&n);
        within(self.columns, point.x()) && within(self.ranks, point.y())
    }
}

/// Room for the names of columns and ranks.
const MARGIN: u16 = 22;

/// Draws a diagram as an SVG element. `title` names the picture.
pub fn diagram(diagram: &Diagram<'_>, title: &str) -> String {
    let mut svg = String::with_capacity(2 * 1024);
    let (part, size) = (diagram.part, diagram.board.size());
    let half = CELL / 2;
    let (left, right) = (column(part.columns.0) - half, column(part.columns.1) + half);
    let (top, bottom) = (rank(part.ranks.1, size) - half, rank(part.ranks.0, size) + half);
    let margin = if diagram.coordinates { MARGIN } else { 0 };
    let (x, wide, high) = (left - margin, right - left + margin, bottom - top + margin);
    put(
        &mut svg,
        format_args!(
            r#"<svg class="board diagram" viewBox="{x} {top} {wide} {high}" role="img"><title>{}</title><rect class="wood" x="{x}" y="{top}" width="{wide}" height="{high}" rx="6"/>"#,
            escaped(title)
        ),
    );
    grid(&mut svg, part, size);
    if diagram.coordinates {
        coordinates(&mut svg, part, size, (left - margin / 2, bottom + margin / 2));
    }
    if let Some(ring) = diagram.ring {
        let Part { columns, ranks } = Part::ring(ring, size);
        let (x, y) = (column(columns.0) - half, rank(ranks.1, size) - half);
        let wide = CELL * (2 * u16::from(ring) + 1);
        put(&mut svg, format_args!(r#"<path class="area" d="M{x} {y}h{wide}v{wide}h-{wide}z"/>"#));
    }
    for (class, color) in [("black", Color::Black), ("rim", Color::White), ("white", Color::White)]
    {
        let stones = diagram.board.stones_of(color).filter(|&stone| part.has(stone));
        let dots: String = stones.map(|stone| dot(middle(stone, size))).collect();
        if !dots.is_empty() {
            put(&mut svg, format_args!(r#"<path class="{class}" d="{dots}"/>"#));
        }
    }
    for &(point, letter) in diagram.labels {
        let class = match diagram.board.get(point) {
            Some(Color::Black) => "on-black",
            Some(Color::White) => "on-white",
            None => {
                let (x, y) = middle(point, size);
                put(&mut svg, format_args!(r#"<circle class="ring" cx="{x}" cy="{y}" r="12"/>"#));
                "offer"
            }
        };
        put(&mut svg, format_args!(r#"<g class="{class}">"#));
        label(&mut svg, Lettering::Text, middle(point, size), &letter.to_string(), HEIGHT);
        svg.push_str("</g>");
    }
    svg.push_str("</svg>");
    svg
}

fn dot((x, y): (u16, u16)) -> String {
    format!("M{x} {y}h.01")
}

fn all((first, last): (u8, u8)) -> RangeInclusive<u8> {
    first..=last
}

/// Draws the lines of the part. Where the board goes on, they reach half a step beyond the last point.
fn grid(svg: &mut String, part: Part, size: u8) {
    let half = CELL / 2;
    let beyond = |is_edge: bool| if is_edge { 0 } else { half };
    let (columns, ranks) = (part.columns, part.ranks);
    let left = column(columns.0) - beyond(columns.0 == 0);
    let right = column(columns.1) + beyond(columns.1 + 1 == size);
    let top = rank(ranks.1, size) - beyond(ranks.1 + 1 == size);
    let bottom = rank(ranks.0, size) + beyond(ranks.0 == 0);
    svg.push_str(r#"<path class="grid" d=""#);
    for y in all(ranks) {
        put(svg, format_args!("M{left} {}H{right}", rank(y, size)));
    }
    for x in all(columns) {
        put(svg, format_args!("M{} {top}V{bottom}", column(x)));
    }
    svg.push_str(r#""/>"#);
    let is_shown = |&(x, y): &(u8, u8)| all(columns).contains(&x) && all(ranks).contains(&y);
    let dots: String = stars(size)
        .into_iter()
        .filter(is_shown)
        .map(|(x, y)| dot((column(x), rank(y, size))))
        .collect();
    if !dots.is_empty() {
        put(svg, format_args!(r#"<path class="stars" d="{dots}"/>"#));
    }
}

fn coordinates(svg: &mut String, part: Part, size: u8, (beside, below): (u16, u16)) {
    svg.push_str(r#"<g class="coords">"#);
    for x in all(part.columns) {
        let letter = char::from(b'a' + x).to_string();
        label(svg, Lettering::Text, (column(x), below), &letter, HEIGHT);
    }
    for y in all(part.ranks) {
        label(svg, Lettering::Text, (beside, rank(y, size)), &(y + 1).to_string(), HEIGHT);
    }
    svg.push_str("</g>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_shows_its_own_stones_and_names_its_lines() {
        let mut board = Board::new(15);
        let [shown, hidden]: [Point; 2] = ["h8", "a1"].map(|name| name.parse().unwrap());
        board.put(shown, Color::Black);
        board.put(hidden, Color::White);
        let drawn = Diagram {
            board: &board,
            part: Part::ring(2, 15),
            labels: &[(shown, '1')],
            ring: Some(1),
            coordinates: true,
        };
        let svg = diagram(&drawn, "one & one");
        for part in
            ["one &amp; one", ">f<", ">j<", ">6<", ">10<", "class=\"black\"", "class=\"area\""]
        {
            assert!(svg.contains(part), "{part}: {svg}");
        }
        for part in [">e<", ">11<", "class=\"white\""] {
            assert!(!svg.contains(part), "{part}: {svg}");
        }
        assert_eq!(svg.matches('M').count(), 5 + 5 + 1 + 1 + 1, "lines, star, stone, square");
    }
}
