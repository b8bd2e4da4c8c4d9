//! Full-size board.

use std::fmt::Write;

use renju::{Color, Explanation, Foul, Point};

use crate::glyph::{HEIGHT, Lettering, label};
use crate::place::{CELL, column, middle, rank, side, span, stars};
use crate::scene::{Scene, Stone};
use crate::theme::Theme;

/// Theme and lettering of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs, reason = "the types say it")]
pub struct Style {
    pub theme: Theme,
    pub lettering: Lettering,
}

/// Draws the board as an SVG document. `title` names the picture.
pub fn board(scene: &Scene, title: &str, style: Style) -> String {
    let mut svg = String::with_capacity(12 * 1024);
    let side = side(scene.size);
    let title = escaped(title);
    let words = escaped(&scene.words());
    let css = style.theme.style();
    put(
        &mut svg,
        format_args!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="0 0 {side} {side}" role="img"><title>{title}</title><desc>{words}</desc>{css}<rect class="wood" width="{side}" height="{side}" rx="8"/>"#
        ),
    );
    grid(&mut svg, scene.size);
    coordinates(&mut svg, scene.size, style.lettering);
    area(&mut svg, scene);
    stones(&mut svg, scene);
    for &[from, to] in &scene.won {
        line(&mut svg, "won", scene.size, from, to);
    }
    if let Some(proof) = &scene.proof {
        draw_proof(&mut svg, scene.size, proof);
    }
    numbers(&mut svg, scene, style.lettering);
    last(&mut svg, scene);
    forbidden(&mut svg, "forbidden", &scene.forbidden, scene.size, style.lettering);
    forbidden(&mut svg, "forbidden later", &scene.forbidden_later, scene.size, style.lettering);
    best(&mut svg, scene);
    ghosts(&mut svg, scene, style.lettering);
    offers(&mut svg, scene, style.lettering);
    svg.push_str("</svg>");
    svg
}

/// Appends formatted text, which cannot fail.
pub(crate) fn put(svg: &mut String, what: std::fmt::Arguments<'_>) {
    let _ = svg.write_fmt(what);
}

/// Escapes a text for XML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn grid(svg: &mut String, size: u8) {
    svg.push_str(r#"<path class="grid" d=""#);
    let (left, top, span) = (column(0), rank(size - 1, size), span(size));
    for line in 0..size {
        put(svg, format_args!("M{left} {}h{span}M{} {top}v{span}", rank(line, size), column(line)));
    }
    svg.push_str(r#""/><path class="stars" d=""#);
    for (x, y) in stars(size) {
        put(svg, format_args!("M{} {}h.01", column(x), rank(y, size)));
    }
    svg.push_str(r#""/>"#);
}

fn coordinates(svg: &mut String, size: u8, lettering: Lettering) {
    svg.push_str(r#"<g class="coords">"#);
    let (below, beside) = (side(size) - 14, 15);
    for index in 0..size {
        let letter = char::from(b'a' + index).to_string();
        label(svg, lettering, (column(index), below), &letter, HEIGHT);
        label(svg, lettering, (beside, rank(index, size)), &(index + 1).to_string(), HEIGHT);
    }
    svg.push_str("</g>");
}

/// Draws the square in which the opening wants the next stone.
fn area(svg: &mut String, scene: &Scene) {
    let Some(ring) = scene.ring else { return };
    let centre = scene.size / 2;
    let Some(low) = centre.checked_sub(ring) else { return };
    let (left, top) = (column(low) - CELL / 2, rank(centre + ring, scene.size) - CELL / 2);
    let wide = CELL * (2 * u16::from(ring) + 1);
    put(svg, format_args!(r#"<path class="area" d="M{left} {top}h{wide}v{wide}h-{wide}z"/>"#));
}

/// Draws stones: a line of zero length with a round end, so that all stones of a colour are one
/// path.
fn dots(svg: &mut String, class: &str, points: impl Iterator<Item = (u16, u16)>) {
    let mut is_open = false;
    for (x, y) in points {
        if !is_open {
            put(svg, format_args!(r#"<path class="{class}" d=""#));
            is_open = true;
        }
        put(svg, format_args!("M{x} {y}h.01"));
    }
    if is_open {
        svg.push_str(r#""/>"#);
    }
}

fn stones(svg: &mut String, scene: &Scene) {
    let of = |color| {
        let stones = scene.stones.iter().filter(move |stone| stone.color == color);
        stones.map(|stone| middle(stone.point, scene.size))
    };
    let shade = |(x, y)| (x, y + 2);
    dots(svg, "shade", of(Color::Black).chain(of(Color::White)).map(shade));
    dots(svg, "black", of(Color::Black));
    dots(svg, "rim", of(Color::White));
    dots(svg, "white", of(Color::White));
}

fn numbers(svg: &mut String, scene: &Scene, lettering: Lettering) {
    for (color, class) in [(Color::Black, "on-black"), (Color::White, "on-white")] {
        let mut stones = scene.stones.iter().filter(|stone| stone.color == color).peekable();
        if stones.peek().is_none() {
            continue;
        }
        put(svg, format_args!(r#"<g class="{class}">"#));
        for Stone { point, number, .. } in stones {
            let height = if *number > 99 { HEIGHT - 2 } else { HEIGHT };
            label(svg, lettering, middle(*point, scene.size), &number.to_string(), height);
        }
        svg.push_str("</g>");
    }
}

fn last(svg: &mut String, scene: &Scene) {
    let Some(point) = scene.last else { return };
    let (x, y) = middle(point, scene.size);
    put(svg, format_args!(r#"<circle class="last" cx="{x}" cy="{y}" r="12.5"/>"#));
}

fn forbidden(
    svg: &mut String,
    class: &str,
    points: &[(Point, Foul)],
    size: u8,
    lettering: Lettering,
) {
    if points.is_empty() {
        return;
    }
    put(svg, format_args!(r#"<g class="{class}">"#));
    for &(point, foul) in points {
        label(svg, lettering, middle(point, size), kind(foul), HEIGHT);
    }
    svg.push_str("</g>");
}

fn best(svg: &mut String, scene: &Scene) {
    let Some(point) = scene.best else { return };
    let (x, y) = middle(point, scene.size);
    put(svg, format_args!(r#"<circle class="best" cx="{x}" cy="{y}" r="10"/>"#));
}

/// Draws a line of play over the board.
fn ghosts(svg: &mut String, scene: &Scene, lettering: Lettering) {
    for (color, stone, text) in [
        (Color::Black, "black ghost", "on-black ghost"),
        (Color::White, "white ghost", "on-white ghost"),
    ] {
        let of = || scene.ghosts.iter().filter(move |stone| stone.color == color);
        dots(svg, stone, of().map(|stone| middle(stone.point, scene.size)));
        if of().next().is_some() {
            put(svg, format_args!(r#"<g class="{text}">"#));
            for Stone { point, number, .. } in of() {
                label(svg, lettering, middle(*point, scene.size), &number.to_string(), HEIGHT);
            }
            svg.push_str("</g>");
        }
    }
}

/// Common name of a foul.
fn kind(foul: Foul) -> &'static str {
    match foul {
        Foul::Overline => "6",
        Foul::DoubleFour => "44",
        Foul::DoubleThree => "33",
    }
}

fn offers(svg: &mut String, scene: &Scene, lettering: Lettering) {
    if scene.offers.is_empty() {
        return;
    }
    for &point in &scene.offers {
        let (x, y) = middle(point, scene.size);
        put(svg, format_args!(r#"<circle class="ring" cx="{x}" cy="{y}" r="12"/>"#));
    }
    svg.push_str(r#"<g class="offer">"#);
    for (&point, letter) in scene.offers.iter().zip('A'..) {
        label(svg, lettering, middle(point, scene.size), &letter.to_string(), HEIGHT);
    }
    svg.push_str("</g>");
}

fn line(svg: &mut String, class: &str, size: u8, from: Point, to: Point) {
    let ((x, y), (to_x, to_y)) = (middle(from, size), middle(to, size));
    put(svg, format_args!(r#"<path class="{class}" d="M{x} {y}L{to_x} {to_y}"/>"#));
}

/// Draws the fours and threes that prove a foul, and the points that complete them.
fn draw_proof(svg: &mut String, size: u8, proof: &Explanation) {
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
            for next in counted {
                let class = if three.counts() { "proof" } else { "void" };
                stretch(svg, class, size, &next.stones);
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
