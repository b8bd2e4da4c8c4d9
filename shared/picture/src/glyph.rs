//! Digits and letters: as text, or as strokes for renderers without fonts.

use std::fmt::Write;

use crate::letters;

/// Rendering of numbers and letters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Lettering {
    /// Text in a font of the reader.
    #[default]
    Text,
    /// Built-in strokes, for a renderer without fonts.
    Strokes,
}

/// Writes `text`, `height` units high, around a point.
pub(crate) fn label(
    svg: &mut String,
    lettering: Lettering,
    (x, y): (u16, u16),
    text: &str,
    height: u8,
) {
    // Writing to a string cannot fail.
    let _ = match lettering {
        // Capitals and digits of common fonts are about 0.72 of the font size.
        Lettering::Text if height == HEIGHT => {
            write!(svg, r#"<text x="{x}" y="{}">{text}</text>"#, tenths(y * 10 + 47))
        }
        Lettering::Text => {
            let (size, y) = (f32::from(height) * 1.4, f32::from(y) + f32::from(height) * 0.5);
            write!(svg, r#"<text x="{x}" y="{y:.1}" font-size="{size:.0}">{text}</text>"#)
        }
        Lettering::Strokes => strokes(svg, (x, y), text, height),
    };
}

/// Default height of a label.
pub(crate) const HEIGHT: u8 = 9;

/// Formats a number of tenths without a trailing zero.
fn tenths(number: u16) -> String {
    match number % 10 {
        0 => (number / 10).to_string(),
        tenth => format!("{}.{tenth}", number / 10),
    }
}

/// Space between two glyphs, in glyph units.
const GAP: f32 = 2.2;

fn strokes(svg: &mut String, (x, y): (u16, u16), text: &str, height: u8) -> std::fmt::Result {
    let glyphs: Vec<(f32, &str)> = text.chars().map(glyph).collect();
    let wide: f32 = glyphs.iter().map(|(wide, _)| wide + GAP).sum::<f32>() - GAP;
    let scale = f32::from(height) / 10.0;
    let mut left = f32::from(x) - wide * scale / 2.0;
    let top = f32::from(y) - f32::from(height) / 2.0;
    for (wide, path) in glyphs {
        write!(
            svg,
            r#"<path stroke-width="1.5" transform="translate({left:.2} {top:.2}) scale({scale})" d="{path}"/>"#
        )?;
        left += (wide + GAP) * scale;
    }
    Ok(())
}

/// Width and strokes of a glyph; capitals and digits are ten units high.
pub(crate) fn glyph(letter: char) -> (f32, &'static str) {
    match letter {
        '0' => (6.0, "M3 0C1 0 0 2 0 5S1 10 3 10 6 8 6 5 5 0 3 0Z"),
        '1' => (3.5, "M.5 2L3 0V10"),
        '2' => (6.0, "M.3 2.5C.5 .8 1.7 0 3 0C4.8 0 5.8 1.2 5.8 2.7C5.8 5 2 7 0 10H6"),
        '3' => (
            6.0,
            "M.4 1.6C1 .6 2 0 3 0C4.7 0 5.6 1.1 5.6 2.4C5.6 3.8 4.5 4.7 2.6 4.7\
             C4.7 4.7 6 5.7 6 7.3C6 9 4.7 10 3 10C1.6 10 .6 9.4 0 8.2",
        ),
        '4' => (6.0, "M4.5 10V0L0 7H6"),
        '5' => (
            6.0,
            "M5.5 0H1L.6 4.6C1.2 4.1 2 3.8 3 3.8C4.8 3.8 6 5 6 6.8C6 8.7 4.7 10 2.9 10\
             C1.6 10 .6 9.4 0 8.4",
        ),
        '6' => (
            6.0,
            "M5.2 1C4.6 .3 4 0 3.2 0C1.2 0 0 2 0 5.5C0 8.5 1.2 10 3 10C4.8 10 6 8.7 6 6.9\
             C6 5.1 4.8 4 3.1 4C1.6 4 .4 4.9 0 6.4",
        ),
        '7' => (6.0, "M0 0H6L2.2 10"),
        '8' => (
            6.0,
            "M3 4.7C1.4 4.7 .5 3.7 .5 2.4C.5 1 1.5 0 3 0S5.5 1 5.5 2.4C5.5 3.7 4.6 4.7 3 4.7\
             C1.2 4.7 0 5.8 0 7.3C0 8.9 1.2 10 3 10S6 8.9 6 7.3C6 5.8 4.8 4.7 3 4.7Z",
        ),
        '9' => (
            6.0,
            "M.8 9C1.4 9.7 2 10 2.8 10C4.8 10 6 8 6 4.5C6 1.5 4.8 0 3 0C1.2 0 0 1.3 0 3.1\
             C0 4.9 1.2 6 2.9 6C4.4 6 5.6 5.1 6 3.6",
        ),
        'a' => (
            5.5,
            "M5.5 3.5V10M5.5 6.7C5.5 4.8 4.4 3.5 2.9 3.5C1.2 3.5 0 4.8 0 6.7S1.2 10 2.9 10C4.4 10 5.5 8.7 5.5 6.7",
        ),
        'b' => (
            5.5,
            "M0 0V10M0 6.7C0 4.8 1.1 3.5 2.7 3.5C4.4 3.5 5.5 4.8 5.5 6.7S4.4 10 2.7 10C1.1 10 0 8.7 0 6.7",
        ),
        'c' => (
            5.2,
            "M5.2 4.6C4.6 3.9 3.9 3.5 3 3.5C1.2 3.5 0 4.8 0 6.7S1.2 10 3 10C3.9 10 4.6 9.6 5.2 8.9",
        ),
        'd' => (
            5.5,
            "M5.5 0V10M5.5 6.7C5.5 4.8 4.4 3.5 2.9 3.5C1.2 3.5 0 4.8 0 6.7S1.2 10 2.9 10C4.4 10 5.5 8.7 5.5 6.7",
        ),
        'e' => (
            5.6,
            "M0 6.6H5.6C5.6 4.7 4.5 3.5 2.9 3.5C1.2 3.5 0 4.8 0 6.7S1.2 10 3 10C4 10 4.8 9.6 5.3 8.8",
        ),
        'f' => (4.5, "M4.5 .2C4.2 0 3.9 0 3.6 0C2.2 0 1.8 .8 1.8 2.2V10M0 3.5H4.2"),
        'g' => (
            5.5,
            "M5.5 6.7C5.5 4.8 4.4 3.5 2.9 3.5C1.2 3.5 0 4.8 0 6.7S1.2 10 2.9 10C4.4 10 5.5 8.7 5.5 6.7M5.5 3.5V10.5C5.5 12.2 4.5 13 2.9 13C1.9 13 1.1 12.7 .5 12.1",
        ),
        'h' => (5.0, "M0 0V10M0 6.3C0 4.6 1.1 3.5 2.6 3.5C4.2 3.5 5 4.6 5 6.2V10"),
        'i' => (1.6, "M.8 3.5V10M.8 .8v.01"),
        'j' => (1.8, "M1.6 3.5V11C1.6 12.4 1 13 0 13M1.6 .8v.01"),
        'k' => (5.2, "M0 0V10M5 3.5L0 7.3M2 6L5.2 10"),
        'l' => (1.6, "M.8 0V10"),
        'm' => (
            8.0,
            "M0 3.5V10M0 6C0 4.4 .9 3.5 2.1 3.5S4 4.4 4 6V10M4 6C4 4.4 4.9 3.5 6.1 3.5S8 4.4 8 6V10",
        ),
        'n' => (5.0, "M0 3.5V10M0 6.3C0 4.6 1.1 3.5 2.6 3.5C4.2 3.5 5 4.6 5 6.2V10"),
        'o' => (5.8, "M2.9 3.5C1.2 3.5 0 4.8 0 6.7S1.2 10 2.9 10S5.8 8.7 5.8 6.7S4.6 3.5 2.9 3.5Z"),
        'p' => (
            5.5,
            "M0 3.5V13M0 6.7C0 4.8 1.1 3.5 2.7 3.5C4.4 3.5 5.5 4.8 5.5 6.7S4.4 10 2.7 10C1.1 10 0 8.7 0 6.7",
        ),
        'q' => (
            5.5,
            "M5.5 3.5V13M5.5 6.7C5.5 4.8 4.4 3.5 2.9 3.5C1.2 3.5 0 4.8 0 6.7S1.2 10 2.9 10C4.4 10 5.5 8.7 5.5 6.7",
        ),
        'r' => (3.6, "M0 3.5V10M0 6.3C0 4.6 1 3.5 2.4 3.5C2.8 3.5 3.1 3.6 3.4 3.7"),
        's' => (
            5.0,
            "M4.8 4.5C4.3 3.9 3.5 3.5 2.6 3.5C1.2 3.5 .2 4.2 .2 5.2C.2 7.3 5 6 5 8.3C5 9.4 4 10 2.6 10C1.5 10 .6 9.6 0 8.9",
        ),
        't' => (4.2, "M1.8 1V7.8C1.8 9.3 2.4 10 3.4 10C3.7 10 4 9.9 4.2 9.8M0 3.5H4"),
        'A' => (6.4, "M0 10L3.2 0L6.4 10M1.1 6.8H5.3"),
        'B' => (
            6.0,
            "M0 0V10H3.4C5 10 6 9 6 7.4S5 4.8 3.4 4.8H0M3.4 4.8C4.7 4.8 5.6 3.9 5.6 2.4S4.7 0 3.2 0H0",
        ),
        'C' => (6.0, "M6 1.6C5.3 .6 4.4 0 3.2 0C1.2 0 0 2 0 5S1.2 10 3.2 10C4.4 10 5.3 9.4 6 8.4"),
        'D' => (6.2, "M0 0V10H2.6C5 10 6.2 8 6.2 5S5 0 2.6 0Z"),
        'E' => (5.4, "M5.4 0H0V10H5.4M0 4.8H4.6"),
        'F' => (5.4, "M5.4 0H0V10M0 4.8H4.6"),
        'G' => (
            6.1,
            "M6 1.6C5.3 .6 4.4 0 3.2 0C1.2 0 0 2 0 5S1.2 10 3.2 10C5 10 6.1 8.8 6.1 6.8V5.4H3.4",
        ),
        'H' => (6.0, "M0 0V10M6 0V10M0 4.8H6"),
        'I' => (1.6, "M.8 0V10"),
        'J' => (3.8, "M3.8 0V7C3.8 9 3 10 1.8 10C.9 10 .3 9.6 0 9"),
        _ => letters::glyph(letter),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_a_board_is_lettered_with_has_a_glyph() {
        for letter in ('0'..='9').chain('a'..='t').chain('A'..='J') {
            assert!(!glyph(letter).1.is_empty(), "{letter}");
        }
    }
}
