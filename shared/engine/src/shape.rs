//! What a stone makes in one line, from nothing to a five, looked up in a table.
//!
//! The definitions are those of docs/rules.md, widened downwards for the evaluation. Each shape is
//! defined by the best shape one more stone leads to, so the whole table follows from the five.

use std::sync::LazyLock;

use renju::Five;

/// How far a line is looked at to each side of a cell.
pub(crate) const REACH: u32 = 5;

/// The best a stone makes in one line, the stone included. Later is stronger.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
pub enum Shape {
    /// Never a five.
    #[default]
    Dead,
    /// Six or more, for a colour that needs exactly five.
    Overline,
    /// Alone, and never an open three.
    One,
    /// Alone, with room on both sides.
    OpenOne,
    /// Two stones that can only become a closed three.
    Two,
    /// Two stones that can become an open three.
    OpenTwo,
    /// An open two with at least three ways to become an open three.
    WideTwo,
    /// Three stones that one more makes a simple four.
    Three,
    /// Three stones that one more makes a straight four.
    OpenThree,
    /// An open three with two ways to become a straight four.
    WideThree,
    /// Four stones with one winning point.
    Four,
    /// Two fours in one line, for a colour that needs exactly five.
    DoubleFour,
    /// A four with two winning points.
    StraightFour,
    /// A winning row.
    Five,
}

impl Shape {
    /// How many shapes there are.
    pub const COUNT: usize = 14;

    /// Every shape, the weakest first.
    pub const ALL: [Shape; Shape::COUNT] = [
        Shape::Dead,
        Shape::Overline,
        Shape::One,
        Shape::OpenOne,
        Shape::Two,
        Shape::OpenTwo,
        Shape::WideTwo,
        Shape::Three,
        Shape::OpenThree,
        Shape::WideThree,
        Shape::Four,
        Shape::DoubleFour,
        Shape::StraightFour,
        Shape::Five,
    ];
}

/// How many numbers the cells to one side of a stone are told apart by: those nearer than the first
/// blocked cell, with a leading one that tells how many they are.
const HALVES: usize = 2 << REACH;

/// The raw bits of one side: own and blocked, five each.
const RAW: usize = 1 << (2 * REACH);

/// Shapes of every line around a stone, for one meaning of five.
pub(crate) struct Table {
    before: [u8; RAW],
    after: [u8; RAW],
    shapes: [Shape; HALVES * HALVES],
}

impl Table {
    /// The table of a colour that wins with `five`.
    pub(crate) fn of(five: Five) -> &'static Table {
        static EXACTLY: LazyLock<Box<Table>> = LazyLock::new(|| build(Five::Exactly));
        static OR_MORE: LazyLock<Box<Table>> = LazyLock::new(|| build(Five::OrMore));
        match five {
            Five::Exactly => &EXACTLY,
            Five::OrMore => &OR_MORE,
        }
    }

    /// What a stone makes in the middle of a line: bit [`REACH`] of both words is the stone's cell,
    /// which neither word need hold.
    pub(crate) fn shape(&self, own: u32, blocked: u32) -> Shape {
        const SIDE: u32 = (1 << REACH) - 1;
        let before = own & SIDE | (blocked & SIDE) << REACH;
        let after = own >> (REACH + 1) & SIDE | (blocked >> (REACH + 1) & SIDE) << REACH;
        let before = usize::from(self.before[before as usize]);
        let after = usize::from(self.after[after as usize]);
        self.shapes[(before * HALVES + after) % (HALVES * HALVES)]
    }
}

fn build(five: Five) -> Box<Table> {
    let mut table = Box::new(Table {
        before: [0; RAW],
        after: [0; RAW],
        shapes: [Shape::Dead; HALVES * HALVES],
    });
    for raw in 0..RAW as u32 {
        let (own, blocked) = (raw & 31, raw >> REACH);
        let open = (blocked | 1 << REACH).trailing_zeros();
        table.after[raw as usize] = (1 << open | own & ((1 << open) - 1)) as u8;
        let open = (blocked << (u32::BITS - REACH) | 1 << (u32::BITS - 1 - REACH)).leading_zeros();
        table.before[raw as usize] = (1 << open | own >> (REACH - open)) as u8;
    }
    // One more stone makes the number of its side larger, so every line that one more stone leads
    // to has been looked at before.
    for before in (1..HALVES).rev() {
        for after in (1..HALVES).rev() {
            table.shapes[before * HALVES + after] = define(&table, five, before, after);
        }
    }
    table
}

/// The definitions.
fn define(table: &Table, five: Five, before: usize, after: usize) -> Shape {
    let (near, far) = (before.ilog2(), after.ilog2());
    let lower = (before as u32 ^ 1 << near) << (REACH - near);
    let own = lower | 1 << REACH | (after as u32 ^ 1 << far) << (REACH + 1);
    let below = (!(own << (u32::BITS - REACH))).leading_zeros();
    let above = (!(own >> (REACH + 1))).trailing_zeros();
    let row = below + 1 + above;
    if five.is_won_by(row as u8) {
        return Shape::Five;
    }
    if row > 5 {
        return Shape::Overline;
    }
    let mut ways = [0u8; Shape::COUNT];
    let first_own = REACH - near;
    for bit in (first_own..=REACH + far).filter(|bit| own >> bit & 1 == 0) {
        let next = if bit < REACH {
            table.shapes[(before | 1 << (bit - first_own)) * HALVES + after]
        } else {
            table.shapes[before * HALVES + (after | 1 << (bit - REACH - 1))]
        };
        ways[next as usize] += 1;
    }
    let ways = |shape: Shape| ways[shape as usize];
    let open_threes = ways(Shape::OpenThree) + ways(Shape::WideThree);
    match ways(Shape::Five) {
        0 => {}
        1 => return Shape::Four,
        _ if five == Five::OrMore || row == 4 => return Shape::StraightFour,
        _ => return Shape::DoubleFour,
    }
    match ways(Shape::StraightFour) {
        0 => {}
        1 => return Shape::OpenThree,
        _ => return Shape::WideThree,
    }
    if ways(Shape::Four) + ways(Shape::DoubleFour) > 0 {
        return Shape::Three;
    }
    match open_threes {
        0 => {}
        1..=2 => return Shape::OpenTwo,
        _ => return Shape::WideTwo,
    }
    if ways(Shape::Three) > 0 {
        Shape::Two
    } else if ways(Shape::OpenTwo) + ways(Shape::WideTwo) > 0 {
        Shape::OpenOne
    } else if ways(Shape::Two) > 0 {
        Shape::One
    } else {
        Shape::Dead
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eleven cells with the new stone written `X` in the middle.
    fn look(five: Five, text: &str) -> Shape {
        assert_eq!((text.len(), &text[5..6]), (11, "X"));
        let mask = |wanted: u8| {
            (0..11).filter(|&n| text.as_bytes()[n] == wanted).fold(0, |mask, n| mask | 1 << n)
        };
        Table::of(five).shape(mask(b'x'), mask(b'o'))
    }

    #[test]
    fn lines_make_what_the_rules_say() {
        let cases = [
            (".....X.....", Shape::OpenOne, Shape::OpenOne),
            ("...xxXxx...", Shape::Five, Shape::Five),
            ("..xxxXxx...", Shape::Overline, Shape::Five),
            ("....xXxx...", Shape::StraightFour, Shape::StraightFour),
            ("...oxXxx...", Shape::Four, Shape::Four),
            ("...oxXxxo..", Shape::Dead, Shape::Dead),
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
            assert_eq!(look(Five::Exactly, text), exactly, "{text}");
            assert_eq!(look(Five::OrMore, text), or_more, "{text}");
        }
    }
}
