//! A small board for a list of games: lines and stones only, in a few hundred bytes.

use renju::Color;

use crate::board::{escaped, put};
use crate::scene::Scene;

/// Draws a small board with points ten units apart; the page gives it colours.
pub fn thumbnail(scene: &Scene, title: &str) -> String {
    let size = u16::from(scene.size);
    let (side, span) = (10 * size + 10, 10 * (size - 1));
    let at = |x: u8, y: u8| (10 + 10 * u16::from(x), 10 * size - 10 * u16::from(y));
    let mut svg = String::with_capacity(2 * 1024);
    put(
        &mut svg,
        format_args!(
            r#"<svg class="board small" viewBox="0 0 {side} {side}" role="img"><title>{}</title><rect class="wood" width="{side}" height="{side}" rx="4"/><path class="grid" d=""#,
            escaped(title)
        ),
    );
    for line in 1..=size {
        put(&mut svg, format_args!("M10 {0}h{span}M{0} 10v{span}", 10 * line));
    }
    svg.push_str(r#""/>"#);
    for (class, color) in [("black", Color::Black), ("rim", Color::White), ("white", Color::White)]
    {
        put(&mut svg, format_args!(r#"<path class="{class}" d=""#));
        for stone in scene.stones.iter().filter(|stone| stone.color == color) {
            let (x, y) = at(stone.point.x(), stone.point.y());
            put(&mut svg, format_args!("M{x} {y}h.01"));
        }
        svg.push_str(r#""/>"#);
    }
    if let Some(last) = scene.last {
        let (x, y) = at(last.x(), last.y());
        put(&mut svg, format_args!(r#"<path class="last" d="M{x} {y}h.01"/>"#));
    }
    svg.push_str("</svg>");
    svg
}
