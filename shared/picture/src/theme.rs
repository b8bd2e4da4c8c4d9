//! Colours of a standalone picture.

/// Colours of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Theme {
    /// A light wooden board.
    #[default]
    Light,
    /// A dark wooden board.
    Dark,
    /// Black on white.
    Print,
    /// No colours of its own: the page styles the classes.
    Page,
}

impl Theme {
    /// All themes.
    pub const ALL: [Theme; 4] = [Theme::Light, Theme::Dark, Theme::Print, Theme::Page];

    /// Stable name.
    pub const fn id(self) -> &'static str {
        match self {
            Theme::Light => "light",
            Theme::Dark => "dark",
            Theme::Print => "print",
            Theme::Page => "page",
        }
    }

    /// Finds a theme by its stable name.
    pub fn find(id: &str) -> Option<Theme> {
        Theme::ALL.into_iter().find(|theme| theme.id() == id)
    }

    /// Style sheet inside the picture; empty if the page has one.
    pub(crate) fn style(self) -> String {
        let Some(colors) = self.colors() else { return String::new() };
        let Colors { wood, grid, letter, shade, black, white, edge, .. } = colors;
        let Colors { mark, foul, on_black, on_white, .. } = colors;
        format!(
            "<style>\
             path{{fill:none;stroke-linecap:round;stroke-linejoin:round}}\
             text{{font:600 13px system-ui,sans-serif;text-anchor:middle}}\
             .wood{{fill:{wood}}}\
             .grid{{stroke:{grid};stroke-linecap:square}}\
             .stars{{stroke:{grid};stroke-width:7}}\
             .coords{{fill:{letter};stroke:{letter}}}\
             .area{{stroke:{mark};stroke-width:2;stroke-dasharray:1 6}}\
             .shade{{stroke:{shade};stroke-width:29}}\
             .black{{stroke:{black};stroke-width:28}}\
             .rim{{stroke:{edge};stroke-width:28}}\
             .white{{stroke:{white};stroke-width:26}}\
             .on-black{{fill:{white};stroke:{white}}}\
             .on-white{{fill:{black};stroke:{black}}}\
             .last{{fill:none;stroke-width:3}}\
             .last.on-black{{stroke:{on_black}}}\
             .last.on-white{{stroke:{on_white}}}\
             .taken{{fill:none;stroke:{mark};stroke-width:2;stroke-dasharray:3 4}}\
             .asked-black{{fill:{black};fill-opacity:.6}}\
             .asked-white{{fill:{white};fill-opacity:.7}}\
             .forbidden{{fill:{foul};stroke:{foul}}}\
             .offer{{fill:{letter};stroke:{letter}}}\
             .ring{{fill:{wood};stroke:{mark};stroke-width:2}}\
             .case{{stroke:{wood};stroke-width:8}}\
             .won{{stroke:{mark};stroke-width:4}}\
             .proof{{stroke:{foul};stroke-width:4}}\
             .void{{stroke:{foul};stroke-width:2;stroke-dasharray:2 6}}\
             .key{{fill:{wood};stroke:{foul};stroke-width:2.5}}\
             text{{stroke:none}}\
             .forbidden text{{stroke:{wood};stroke-width:4;paint-order:stroke}}\
             </style>"
        )
    }

    /// Colours of the theme; `None` if the page gives them.
    pub const fn colors(self) -> Option<Colors> {
        match self {
            Theme::Light => Some(Colors {
                wood: "#ecd3a2",
                grid: "#8d6c3c",
                letter: "#6b5230",
                shade: "#c9a970",
                black: "#211f1c",
                white: "#fdfbf6",
                edge: "#857350",
                mark: "#0b6e54",
                foul: "#a8231b",
                on_black: "#35c79c",
                on_white: "#0b6e54",
            }),
            Theme::Dark => Some(Colors {
                wood: "#8f6f41",
                grid: "#38280f",
                letter: "#f0dfbf",
                shade: "#785b32",
                black: "#171512",
                white: "#f3efe6",
                edge: "#5a4a2c",
                mark: "#c9f7e6",
                foul: "#ffd2c9",
                on_black: "#35c79c",
                on_white: "#0b6e54",
            }),
            Theme::Print => Some(Colors {
                wood: "#ffffff",
                grid: "#777777",
                letter: "#333333",
                shade: "#ffffff",
                black: "#000000",
                white: "#ffffff",
                edge: "#000000",
                mark: "#666666",
                foul: "#000000",
                on_black: "#aaaaaa",
                on_white: "#666666",
            }),
            Theme::Page => None,
        }
    }
}

/// Colours of a board, as `#rrggbb`. What is drawn on something else has a contrast of 3 to 1 to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Colors {
    pub wood: &'static str,
    pub grid: &'static str,
    /// Coordinates, and the letters of offers.
    pub letter: &'static str,
    /// Below a stone, a little larger than it.
    pub shade: &'static str,
    pub black: &'static str,
    pub white: &'static str,
    /// Around a white stone.
    pub edge: &'static str,
    /// On wood: offers, a winning row, the square of the opening.
    pub mark: &'static str,
    /// On wood: forbidden points and proofs.
    pub foul: &'static str,
    /// On a black stone: the last move.
    pub on_black: &'static str,
    /// On a white stone: the last move.
    pub on_white: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance of `#rrggbb`, as WCAG 2 defines it.
    fn luminance(color: &str) -> f64 {
        let part = |at: usize| {
            let value = f64::from(u8::from_str_radix(&color[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    }

    fn contrast(one: &str, other: &str) -> f64 {
        let [one, other] = [one, other].map(|color| luminance(color) + 0.05);
        one.max(other) / one.min(other)
    }

    #[test]
    fn every_mark_is_seen_on_what_it_is_drawn_on() {
        assert!((contrast("#000000", "#ffffff") - 21.0).abs() < 1e-9);
        for theme in Theme::ALL {
            let Some(colors) = theme.colors() else { continue };
            for (what, color, ground) in [
                ("letters on wood", colors.letter, colors.wood),
                ("marks on wood", colors.mark, colors.wood),
                ("fouls on wood", colors.foul, colors.wood),
                ("last move on a black stone", colors.on_black, colors.black),
                ("last move on a white stone", colors.on_white, colors.white),
                ("number on a black stone", colors.white, colors.black),
                ("edge of a white stone", colors.edge, colors.white),
                ("black stones on wood", colors.black, colors.wood),
            ] {
                let found = contrast(color, ground);
                assert!(found >= 3.0, "{theme:?}: {what} has only {found:.2}");
            }
        }
    }
}
