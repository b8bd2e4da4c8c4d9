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
        let Colors { wood, line, letter, shade, black, white, rim, accent, foul } = colors;
        format!(
            "<style>\
             path{{fill:none;stroke-linecap:round;stroke-linejoin:round}}\
             text{{font:600 13px system-ui,sans-serif;text-anchor:middle}}\
             .wood{{fill:{wood}}}\
             .grid{{stroke:{line};stroke-linecap:square}}\
             .stars{{stroke:{line};stroke-width:7}}\
             .coords{{fill:{letter};stroke:{letter}}}\
             .area{{stroke:{accent};stroke-width:2;stroke-dasharray:1 6}}\
             .shade{{stroke:{shade};stroke-width:29}}\
             .black{{stroke:{black};stroke-width:28}}\
             .rim{{stroke:{rim};stroke-width:28}}\
             .white{{stroke:{white};stroke-width:26}}\
             .on-black{{fill:{white};stroke:{white}}}\
             .on-white{{fill:{black};stroke:{black}}}\
             .last{{fill:none;stroke:{accent};stroke-width:3}}\
             .forbidden{{fill:{foul};stroke:{foul}}}\
             .offer{{fill:{letter};stroke:{letter}}}\
             .ring{{fill:{wood};stroke:{accent};stroke-width:2}}\
             .won{{stroke:{accent};stroke-width:5;stroke-opacity:.8}}\
             .proof{{stroke:{foul};stroke-width:4;stroke-opacity:.65}}\
             .void{{stroke:{foul};stroke-width:2;stroke-dasharray:2 6}}\
             .key{{fill:{wood};stroke:{foul};stroke-width:2.5}}\
             text{{stroke:none}}\
             .forbidden text{{stroke:{wood};stroke-width:4;paint-order:stroke}}\
             </style>"
        )
    }

    fn colors(self) -> Option<Colors> {
        match self {
            Theme::Light => Some(Colors {
                wood: "#ecd3a2",
                line: "#8d6c3c",
                letter: "#6b5230",
                shade: "#c9a970",
                black: "#211f1c",
                white: "#fdfbf6",
                rim: "#b9a888",
                accent: "#0f9370",
                foul: "#b3261e",
            }),
            Theme::Dark => Some(Colors {
                wood: "#8f6f41",
                line: "#4d3a1e",
                letter: "#f0dfbf",
                shade: "#785b32",
                black: "#171512",
                white: "#f3efe6",
                rim: "#b3a58b",
                accent: "#35c79c",
                foul: "#ffd2c9",
            }),
            Theme::Print => Some(Colors {
                wood: "#ffffff",
                line: "#777777",
                letter: "#333333",
                shade: "#ffffff",
                black: "#000000",
                white: "#ffffff",
                rim: "#000000",
                accent: "#777777",
                foul: "#000000",
            }),
            Theme::Page => None,
        }
    }
}

struct Colors {
    wood: &'static str,
    line: &'static str,
    letter: &'static str,
    /// Below a stone, a little larger than it.
    shade: &'static str,
    black: &'static str,
    white: &'static str,
    /// Around a white stone.
    rim: &'static str,
    /// The last move, offers, a winning row.
    accent: &'static str,
    /// Forbidden points and proofs.
    foul: &'static str,
}
