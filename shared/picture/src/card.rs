//! Picture for shared links: a board, and beside it names, ratings, result and rules.

use renju::Color;

use crate::board::{Style, board, put};
use crate::glyph::{Lettering, glyph};
use crate::scene::Scene;
use crate::theme::Theme;

/// Width of a card.
pub const CARD_WIDTH: u32 = 1_200;
/// Height of a card.
pub const CARD_HEIGHT: u32 = 630;

/// Texts of a card.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Card<'a> {
    pub players: Option<[CardPlayer<'a>; 2]>,
    /// One sentence.
    pub headline: &'a str,
    /// Short lines below it.
    pub about: &'a [&'a str],
}

/// A player on a card, Black first.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub struct CardPlayer<'a> {
    pub name: &'a str,
    /// Such as `1500 ± 350`.
    pub rating: String,
    pub won: bool,
}

/// Left edge of the texts.
const LEFT: f32 = 640.0;
/// Width of the texts.
const WIDE: f32 = 520.0;
const INK: &str = "#26231e";
const SOFT: &str = "#655f53";
const ACCENT: &str = "#0b6e54";

/// Draws a card as an SVG document without any font.
pub fn card(scene: &Scene, card: &Card<'_>) -> String {
    let mut svg = String::with_capacity(32 * 1024);
    put(
        &mut svg,
        format_args!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {CARD_WIDTH} {CARD_HEIGHT}"><rect width="{CARD_WIDTH}" height="{CARD_HEIGHT}" fill="#f7f4ed"/>"##
        ),
    );
    let style = Style { theme: Theme::Light, lettering: Lettering::Strokes };
    let place = r#"<svg x="32" y="32" width="566" height="566" "#;
    svg.push_str(&board(scene, "", style).replacen("<svg ", place, 1));
    write(&mut svg, (LEFT + 44.0, 44.0), 24.0, SOFT, "Renju Arena");
    stone(&mut svg, (LEFT + 14.0, 56.0), 14.0, Color::Black);
    let mut top = 150.0;
    for (player, color) in card.players.iter().flatten().zip(Color::BOTH) {
        stone(&mut svg, (LEFT + 26.0, top + 26.0), 26.0, color);
        let ink = if player.won { ACCENT } else { INK };
        write(&mut svg, (LEFT + 76.0, top), 34.0, ink, player.name);
        write(&mut svg, (LEFT + 76.0, top + 56.0), 22.0, SOFT, &player.rating);
        top += 125.0;
    }
    for line in wrapped(card.headline, 30.0, WIDE, 3) {
        write(&mut svg, (LEFT, top), 30.0, INK, &line);
        top += 50.0;
    }
    let mut bottom = 577.0 - 40.0 * card.about.len().saturating_sub(1) as f32;
    for line in card.about {
        write(&mut svg, (LEFT, bottom), 21.0, SOFT, line);
        bottom += 40.0;
    }
    svg.push_str("</svg>");
    svg
}

fn stone(svg: &mut String, (x, y): (f32, f32), radius: f32, color: Color) {
    let (fill, rim) = match color {
        Color::Black => ("#211f1c", "#211f1c"),
        Color::White => ("#fdfbf6", "#b9a888"),
    };
    put(
        svg,
        format_args!(
            r#"<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}" stroke="{rim}" stroke-width="2"/>"#
        ),
    );
}

/// Space after a glyph, in glyph units of a tenth of the height.
const GAP: f32 = 2.2;

fn width(text: &str, height: f32) -> f32 {
    text.chars().map(|letter| glyph(letter).0 + GAP).sum::<f32>() * height / 10.0
}

/// Writes a line from `left` on, smaller or cut off if it is too long.
fn write(svg: &mut String, (left, top): (f32, f32), height: f32, ink: &str, text: &str) {
    let room = LEFT + WIDE - left;
    let scale = (room / width(text, height)).clamp(0.6, 1.0);
    let (height, top) = (height * scale, top + height * (1.0 - scale));
    let text = cut(text, height, room);
    put(svg, format_args!(r#"<g stroke="{ink}" stroke-width="1.35">"#));
    let (mut x, scale) = (left, height / 10.0);
    for letter in text.chars() {
        let (wide, path) = glyph(letter);
        if !path.is_empty() {
            put(
                svg,
                format_args!(
                    r#"<path transform="translate({x:.1} {top:.1}) scale({scale:.3})" d="{path}"/>"#
                ),
            );
        }
        x += (wide + GAP) * scale;
    }
    svg.push_str("</g>");
}

/// The text, or as much of it as fits before a `…`.
fn cut(text: &str, height: f32, room: f32) -> String {
    let mut cut = text.to_owned();
    // Half a unit of tolerance: a line may have been scaled to fit exactly.
    while width(&cut, height) > room + 0.5 && cut.chars().count() > 1 {
        let keep = cut.trim_end_matches('…').chars().count() - 1;
        cut = cut.chars().take(keep).collect::<String>() + "…";
    }
    cut
}

/// Lines of whole words; what does not fit into `most` lines is left to [`cut`].
fn wrapped(text: &str, height: f32, room: f32, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let is_last = lines.len() == most;
        match lines.last_mut() {
            Some(line) if is_last || width(&format!("{line} {word}"), height) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_of_a_name_a_rating_or_a_sentence_has_a_glyph() {
        let signs = "-–_.,:·…()±?õ'";
        let letters = ('a'..='z').chain('A'..='Z').chain('0'..='9');
        for letter in letters.chain(signs.chars()) {
            assert!(!glyph(letter).1.is_empty(), "{letter}");
        }
    }

    #[test]
    fn long_texts_stay_inside_the_card() {
        let name = "w".repeat(32);
        let short = cut(&name, 20.0, 300.0);
        assert!(short.ends_with('…') && width(&short, 20.0) <= 300.5, "{short}");
        assert_eq!(cut("ada", 20.0, 300.0), "ada");
        let sentence = "a rather long sentence that takes more than a single line of text";
        let lines = wrapped(sentence, 30.0, WIDE, 3);
        assert!((2..=3).contains(&lines.len()), "{lines:?}");
        assert_eq!(lines.join(" "), sentence);
        assert!(lines.iter().all(|line| width(line, 30.0) <= WIDE), "{lines:?}");
        assert_eq!(wrapped(&"word ".repeat(60), 30.0, WIDE, 3).len(), 3);
    }
}
