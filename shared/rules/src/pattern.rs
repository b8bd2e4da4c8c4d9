//! Lookup of the shape a stone makes in one line.
//!
//! To one colour a cell is own, empty or blocked, and cells beyond a blocked one do not matter: the
//! five cells to one side of a point have 63 arrangements, so a line has 63 × 63. The table is
//! computed at compile time from the definitions at the end of this file, which are those of
//! docs/rules.md; nothing else in the crate knows a shape.

use crate::board::{REACH, Window};

/// Shapes of a stone in the middle of a window, for a colour that needs exactly five.
///
/// The lowest bit is five, the next overline, then two bits of fours, then a bit for each of the
/// offsets −3..=3 except 0 at which a stone would turn a three into a straight four.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pattern(u16);

const MIDDLE: u32 = 1 << REACH;
const FIVE: u16 = 1;
const OVERLINE: u16 = 2;
const FOUR: u16 = 4;
const STRAIGHT: u32 = 4;
/// The window's bits −3..=3 around the point, where a straight-four move can lie.
const STRAIGHT_FIRST: u32 = REACH as u32 - 3;

impl Pattern {
    pub(crate) const NONE: Pattern = Pattern(0);

    pub(crate) fn of(window: Window) -> Pattern {
        Pattern(TABLE[before(window) * HALVES + after(window)])
    }

    /// Exactly five in a row.
    pub(crate) const fn is_five(self) -> bool {
        self.0 & FIVE != 0
    }

    /// Six or more in a row.
    pub(crate) const fn is_overline(self) -> bool {
        self.0 & OVERLINE != 0
    }

    /// Number of different fours, at most two.
    pub(crate) const fn fours(self) -> u8 {
        (self.0 / FOUR % 4) as u8
    }

    /// True if there is a three, provided one of its straight-four moves is allowed.
    pub(crate) const fn has_three(self) -> bool {
        self.0 >> STRAIGHT != 0
    }

    /// The offsets at which one more stone makes a straight four.
    pub(crate) const fn straight_fours(self) -> Offsets {
        Offsets(self.0 >> STRAIGHT)
    }
}

/// Offsets of −3..=3, as bits from the lowest.
pub(crate) struct Offsets(u16);

impl Iterator for Offsets {
    type Item = i8;

    fn next(&mut self) -> Option<i8> {
        let offset = self.0.trailing_zeros() as i8 - 3;
        let any = self.0 != 0;
        self.0 &= self.0.wrapping_sub(1);
        any.then_some(offset)
    }
}

/// Code of the cells before the point: those nearer than the first blocked cell, with a leading one
/// that marks their number.
fn before(window: Window) -> usize {
    let open = (window.blocked << (u32::BITS - REACH as u32) | 1 << (u32::BITS - 1 - REACH as u32))
        .leading_zeros();
    (1 << open | (window.own & (MIDDLE - 1)) >> (REACH as u32 - open)) as usize
}

/// Code of the cells after the point.
fn after(window: Window) -> usize {
    let open = (window.blocked >> (REACH + 1) | 1 << REACH).trailing_zeros();
    (1 << open | window.own >> (REACH + 1) & ((1 << open) - 1)) as usize
}

/// Number of values of [`before`] and [`after`], including zero.
const HALVES: usize = 2 << REACH;

static TABLE: [u16; HALVES * HALVES] = {
    let mut table = [0; HALVES * HALVES];
    let mut before = 1;
    while before < HALVES {
        let mut after = 1;
        while after < HALVES {
            let (near, far) = (before.ilog2(), after.ilog2());
            let own = ((before as u32) ^ 1 << near) << (REACH as u32 - near)
                | MIDDLE
                | ((after as u32) ^ 1 << far) << (REACH + 1);
            let blocked = ((1 << (REACH as u32 - near)) - 1) | !0 << (REACH as u32 + 1 + far);
            table[before * HALVES + after] = pattern(own, blocked);
            after += 1;
        }
        before += 1;
    }
    table
};

/// Definitions of the shapes. `own` has the new stone in the middle.
const fn pattern(own: u32, blocked: u32) -> u16 {
    let empty = !(own | blocked);
    let mut pattern = 0;

    // §1: a row is unbroken; five is exactly five, an overline six or more.
    let before = (own << (u32::BITS - REACH as u32)).leading_ones();
    let after = (own >> (REACH + 1)).trailing_ones();
    match before + 1 + after {
        5 => pattern |= FIVE,
        6.. => pattern |= OVERLINE,
        _ => {}
    }

    // §2: a four is four stones, the new one among them, that one more stone makes an exact five.
    // Two windows over the same four stones are one straight four.
    let mut previous = 0;
    let mut start = 1;
    while start <= REACH {
        let five = 0b11111 << start;
        let neighbours = 1 << (start - 1) | 1 << (start + 5);
        let stones = own & five;
        if stones.count_ones() == 4
            && (empty & five).count_ones() == 1
            && own & neighbours == 0
            && stones != previous
        {
            previous = stones;
            pattern += FOUR;
        }
        start += 1;
    }

    // §3: a three is three stones, the new one among them, that one more stone makes a straight
    // four: unbroken, with two points that make an exact five.
    let mut start = 2;
    while start <= REACH {
        let four = 0b1111 << start;
        let ends = 1 << (start - 1) | 1 << (start + 4);
        let beyond = 1 << (start - 2) | 1 << (start + 5);
        if (own & four).count_ones() == 3
            && (empty & four).count_ones() == 1
            && empty & ends == ends
            && own & beyond == 0
        {
            let offset = (empty & four).trailing_zeros() - STRAIGHT_FIRST;
            pattern |= 1 << (STRAIGHT + offset);
        }
        start += 1;
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eleven cells with the new stone written `X` in the middle.
    fn look(text: &str) -> Pattern {
        assert_eq!((text.len(), &text[5..6]), (11, "X"));
        let mask = |wanted: &[u8]| {
            text.bytes().enumerate().fold(0, |mask, (cell, byte)| {
                if wanted.contains(&byte) { mask | 1 << cell } else { mask }
            })
        };
        Pattern::of(Window { own: mask(b"xX"), blocked: mask(b"o") })
    }

    #[test]
    fn lines_make_what_the_rules_say() {
        // text, five, overline, fours, straight-four offsets
        let cases: [(&str, bool, bool, u8, &[i8]); 16] = [
            (".....X.....", false, false, 0, &[]),
            ("...xxXxx...", true, false, 0, &[]),
            ("..xxxXxx...", false, true, 0, &[]),
            ("xxxxxX.....", false, true, 0, &[]),
            ("....xXxx...", false, false, 1, &[]),
            ("...oxXxxo..", false, false, 0, &[]),
            ("...oxXxx...", false, false, 1, &[]),
            // One line, two fours: the three shapes of docs/rules.md §2.
            ("...x.Xxx.x.", false, false, 2, &[]),
            (".xx.xX.xx..", false, false, 2, &[]),
            (".xxx.X.xxx.", false, false, 2, &[]),
            // Examples with one winning point each are simple fours.
            ("...xxX.x...", false, false, 1, &[]),
            // Six in a row is no five, so these are no fours.
            ("...xxX.xxx.", false, false, 0, &[]),
            // Threes: solid, broken, closed, and spoiled by a stone beyond the end.
            ("....xXx....", false, false, 0, &[-2, 2]),
            ("...x.Xx....", false, false, 0, &[-1]),
            ("...oxXx..o.", false, false, 0, &[]),
            ("..x..Xxx.x.", false, false, 1, &[]),
        ];
        for (text, five, overline, fours, straight) in cases {
            let pattern = look(text);
            assert_eq!(pattern.is_five(), five, "{text}");
            assert_eq!(pattern.is_overline(), overline, "{text}");
            assert_eq!(pattern.fours(), fours, "{text}");
            assert_eq!(pattern.straight_fours().collect::<Vec<_>>(), straight, "{text}");
        }
    }

    #[test]
    fn a_mirrored_line_makes_the_mirrored_shape() {
        for own in 0..1u32 << 11 {
            for blocked in (0..1u32 << 11).step_by(7).filter(|blocked| own & blocked == 0) {
                let (here, there) = (
                    Pattern::of(Window { own, blocked }),
                    Pattern::of(Window {
                        own: own.reverse_bits() >> 21,
                        blocked: blocked.reverse_bits() >> 21,
                    }),
                );
                let mut mirrored: Vec<i8> = there.straight_fours().map(|offset| -offset).collect();
                mirrored.reverse();
                assert_eq!(here.straight_fours().collect::<Vec<_>>(), mirrored);
                assert_eq!(here.0 & 15, there.0 & 15);
            }
        }
    }
}
