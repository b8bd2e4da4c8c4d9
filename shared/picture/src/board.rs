//! Full-size board.

use std::fmt::Write;

use renju::{Color, Foul, Point};

use crate::glyph::{HEIGHT, Lettering, label};
use crate::place::{CELL, column, middle, rank, side, span, stars};
use crate::proof;
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
    empty(&mut svg, scene, title, style);
    if let Some(ring) = scene.ring {
        area(&mut svg, scene.size, ring);
    }
    stones(&mut svg, scene.size, &scene.stones);
    taken(&mut svg, scene.size, &scene.taken);
    for &[from, to] in &scene.won {
        proof::line(&mut svg, "won", scene.size, from, to);
    }
    forbidden(&mut svg, "forbidden", scene.size, &scene.forbidden, style.lettering);
    forbidden(&mut svg, "forbidden later", scene.size, &scene.forbidden_later, style.lettering);
    why(&mut svg, scene);
    numbers(&mut svg, scene, style.lettering);
    if let Some(Stone { point, color, .. }) = scene.last_stone() {
        last(&mut svg, scene.size, point, color);
    }
    best(&mut svg, scene);
    ghosts(&mut svg, scene, style.lettering);
    offers(&mut svg, scene.size, &scene.offers, style.lettering);
    svg.push_str("</svg>");
    svg
}

/// Opens the picture and draws the board without anything on it.
pub(crate) fn empty(svg: &mut String, scene: &Scene, title: &str, style: Style) {
    let side = side(scene.size);
    let title = escaped(title);
    let words = escaped(&scene.words());
    let css = style.theme.style();
    put(
        svg,
        format_args!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="0 0 {side} {side}" role="img"><title>{title}</title><desc>{words}</desc>{css}<rect class="wood" width="{side}" height="{side}" rx="8"/>"#
        ),
    );
    grid(svg, scene.size);
    coordinates(svg, scene.size, style.lettering);
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
pub(crate) fn area(svg: &mut String, size: u8, ring: u8) {
    let centre = size / 2;
    let Some(low) = centre.checked_sub(ring) else { return };
    let (left, top) = (column(low) - CELL / 2, rank(centre + ring, size) - CELL / 2);
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

fn stones(svg: &mut String, size: u8, stones: &[Stone]) {
    let of = |color| {
        let stones = stones.iter().filter(move |stone| stone.color == color);
        stones.map(|stone| middle(stone.point, size))
    };
    let shade = |(x, y)| (x, y + 2);
    dots(svg, "shade", of(Color::Black).chain(of(Color::White)).map(shade));
    dots(svg, "black", of(Color::Black));
    dots(svg, "rim", of(Color::White));
    dots(svg, "white", of(Color::White));
}

fn numbers(svg: &mut String, scene: &Scene, lettering: Lettering) {
    for color in Color::BOTH {
        let mut stones = scene.stones.iter().filter(|stone| stone.color == color).peekable();
        if stones.peek().is_none() {
            continue;
        }
        put(svg, format_args!(r#"<g class="number {}">"#, on(color)));
        for &stone in stones {
            stone_number(svg, scene.size, stone, lettering);
        }
        svg.push_str("</g>");
    }
}

fn stone_number(svg: &mut String, size: u8, stone: Stone, lettering: Lettering) {
    let place = middle(stone.point, size);
    label(svg, lettering, place, &stone.number.to_string(), number_height(stone));
}

/// Height of the number on a stone: three digits must fit.
pub(crate) const fn number_height(stone: Stone) -> u8 {
    if stone.number > 99 { HEIGHT - 2 } else { HEIGHT }
}

/// Draws the ring of the last move. Its class names the stone it must be seen on.
fn last(svg: &mut String, size: u8, point: Point, color: Color) {
    let (x, y) = middle(point, size);
    put(svg, format_args!(r#"<circle class="last {}" cx="{x}" cy="{y}" r="12.5"/>"#, on(color)));
}

/// CSS class of a mark on a stone.
pub(crate) const fn on(color: Color) -> &'static str {
    match color {
        Color::Black => "on-black",
        Color::White => "on-white",
    }
}

/// Draws where the stones stood that the last move captured.
pub(crate) fn taken(svg: &mut String, size: u8, points: &[Point]) {
    for &point in points {
        let (x, y) = middle(point, size);
        put(svg, format_args!(r#"<circle class="taken" cx="{x}" cy="{y}" r="11"/>"#));
    }
}

pub(crate) fn forbidden(
    svg: &mut String,
    class: &str,
    size: u8,
    points: &[(Point, Foul)],
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

/// Draws the proof of a foul, and the stone that is only asked about.
fn why(svg: &mut String, scene: &Scene) {
    if scene.asked.is_none() && scene.proof.is_none() {
        return;
    }
    let words = scene.foul_words().unwrap_or_default();
    put(svg, format_args!(r#"<g class="why"><title>{}</title>"#, escaped(&words)));
    if let Some(Stone { point, color, .. }) = scene.asked {
        let (x, y) = middle(point, scene.size);
        put(svg, format_args!(r#"<circle class="asked-{color}" cx="{x}" cy="{y}" r="13"/>"#));
    }
    if let Some(proof) = &scene.proof {
        proof::draw(svg, scene.size, proof);
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
pub(crate) fn kind(foul: Foul) -> &'static str {
    match foul {
        Foul::Overline => "6",
        Foul::DoubleFour => "44",
        Foul::DoubleThree => "33",
    }
}

pub(crate) fn offers(svg: &mut String, size: u8, offers: &[Point], lettering: Lettering) {
    if offers.is_empty() {
        return;
    }
    for &point in offers {
        let (x, y) = middle(point, size);
        put(svg, format_args!(r#"<circle class="ring" cx="{x}" cy="{y}" r="12"/>"#));
    }
    svg.push_str(r#"<g class="offer">"#);
    for (&point, letter) in offers.iter().zip('A'..) {
        label(svg, lettering, middle(point, size), &letter.to_string(), HEIGHT);
    }
    svg.push_str("</g>");
}
