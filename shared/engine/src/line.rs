//! Lookup of the shapes both colours would make on a cell of a line.
//!
//! Cells beyond the first one a colour cannot occupy make no difference to it, so of the 1,024 ways
//! to fill five cells only 120 are distinct, and the whole table fits the first-level cache.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use renju::{ByColor, Five};

use crate::shape::{HALVES, REACH, Shape, shapes};

/// Number of ways to fill one side of a window, two bits per cell.
const RAW: usize = 1 << (2 * REACH);

/// Room for the distinct ones.
const TOLD: usize = 128;

/// Shapes of every line, for one meaning of five per colour.
pub(crate) struct Lines {
    before: [u8; RAW],
    after: [u8; RAW],
    shapes: [LineShapes; TOLD * TOLD],
}

/// Shapes of Black (lower four bits) and White (upper four bits) in one line.
pub(crate) type LineShapes = u8;

pub(crate) const fn shape_of(line: LineShapes, side: usize) -> Shape {
    Shape::ALL[(line as usize >> (4 * side)) % 16 % Shape::COUNT]
}

impl Lines {
    pub(crate) fn of(five: ByColor<Five>) -> &'static Lines {
        static RENJU: LazyLock<Box<Lines>> = LazyLock::new(|| build(Five::Exactly, Five::OrMore));
        static EXACT: LazyLock<Box<Lines>> = LazyLock::new(|| build(Five::Exactly, Five::Exactly));
        static FREE: LazyLock<Box<Lines>> = LazyLock::new(|| build(Five::OrMore, Five::OrMore));
        static UPSIDE: LazyLock<Box<Lines>> = LazyLock::new(|| build(Five::OrMore, Five::Exactly));
        match (five.black, five.white) {
            (Five::Exactly, Five::OrMore) => &RENJU,
            (Five::Exactly, Five::Exactly) => &EXACT,
            (Five::OrMore, Five::OrMore) => &FREE,
            (Five::OrMore, Five::Exactly) => &UPSIDE,
        }
    }

    /// Shapes of a stone in the middle of a window of eleven cells, two bits each.
    pub(crate) fn shapes(&self, window: u64) -> LineShapes {
        let before = usize::from(self.before[window as usize % RAW]) % TOLD;
        let after = usize::from(self.after[(window >> (2 * REACH + 2)) as usize % RAW]) % TOLD;
        self.shapes[before * TOLD + after]
    }
}

/// The halves of a line as Black and as White see them, in the numbers of [`shapes`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Half([u8; 2]);

impl Half {
    /// The cells after a stone, the nearest in the lowest bits.
    fn after(raw: usize) -> Half {
        Half([0, 1].map(|side| {
            let holds = |cell: u32, side: usize| raw >> (2 * cell) >> side & 1 != 0;
            let open = (0..REACH).find(|&cell| holds(cell, 1 - side)).unwrap_or(REACH);
            let own = (0..open).filter(|&cell| holds(cell, side));
            own.fold(1 << open, |half, cell| half | 1 << cell)
        }))
    }

    /// The same as cells before a stone, where the nearest comes last.
    fn turned(self) -> Half {
        Half(self.0.map(|half| {
            let open = half.ilog2();
            1 << open | ((u16::from(half) << (u8::BITS - open)) as u8).reverse_bits()
        }))
    }
}

fn build(black: Five, white: Five) -> Box<Lines> {
    let mut lines = Box::new(Lines { before: [0; RAW], after: [0; RAW], shapes: [0; TOLD * TOLD] });
    let mut numbers = BTreeMap::new();
    for raw in 0..RAW {
        let next = numbers.len() as u8;
        let number = *numbers.entry(Half::after(raw)).or_insert(next);
        lines.after[raw] = number;
        let turned = (0..REACH)
            .fold(0, |turned, cell| turned | (raw >> (2 * cell) & 3) << (2 * (REACH - 1 - cell)));
        lines.before[turned] = number;
    }
    assert!(numbers.len() <= TOLD, "{} halves", numbers.len());
    let tables = [shapes(black), shapes(white)];
    for (&before, &row) in &numbers {
        let before = before.turned();
        for (after, &column) in &numbers {
            let line = [0, 1].map(|side| {
                tables[side][usize::from(before.0[side]) * HALVES + usize::from(after.0[side])]
                    as u8
            });
            lines.shapes[usize::from(row) * TOLD + usize::from(column)] = line[0] | line[1] << 4;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eleven cells with the new stone written `X` in the middle.
    fn made(five: Five, text: &str) -> [Shape; 2] {
        assert_eq!((text.len(), &text[5..6]), (11, "X"));
        let window = |own: u64| {
            text.bytes().enumerate().fold(0, |window, (n, byte)| match byte {
                b'x' => window | own << (2 * n),
                b'o' => window | (3 - own) << (2 * n),
                b'#' => window | 3 << (2 * n),
                _ => window,
            })
        };
        let lines = Lines::of(ByColor { black: five, white: five });
        [shape_of(lines.shapes(window(1)), 0), shape_of(lines.shapes(window(2)), 1)]
    }

    #[test]
    fn lines_make_what_the_rules_say() {
        let cases = [
            (".....X.....", Shape::WideOne, Shape::WideOne),
            ("...xxXxx...", Shape::Five, Shape::Five),
            ("..xxxXxx...", Shape::Overline, Shape::Five),
            ("....xXxx...", Shape::StraightFour, Shape::StraightFour),
            ("...oxXxx...", Shape::Four, Shape::Four),
            ("...#xXxx...", Shape::Four, Shape::Four),
            ("...oxXxxo..", Shape::Dead, Shape::Dead),
            ("...oxXxx###", Shape::Dead, Shape::Dead),
            ("...x.Xxx.x.", Shape::DoubleFour, Shape::StraightFour),
            (".xx.xX.xx..", Shape::DoubleFour, Shape::StraightFour),
            ("...xxX.x...", Shape::Four, Shape::Four),
            ("....xXx....", Shape::WideThree, Shape::WideThree),
            ("...x.Xx....", Shape::OpenThree, Shape::OpenThree),
            ("...oxXx..o.", Shape::Three, Shape::Three),
            ("....xX.....", Shape::WideTwo, Shape::WideTwo),
            (".ox..X.....", Shape::Two, Shape::Two),
            ("..o..Xo....", Shape::Dead, Shape::Dead),
            ("o....Xo....", Shape::One, Shape::One),
        ];
        for (text, exactly, or_more) in cases {
            assert_eq!(made(Five::Exactly, text), [exactly; 2], "{text}");
            assert_eq!(made(Five::OrMore, text), [or_more; 2], "{text}");
        }
    }
}
