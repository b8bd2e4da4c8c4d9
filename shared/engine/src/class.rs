//! Combined strength of a stone in all four lines, as one word the search can act on.

use renju::{Color, Fouls, Precedence, Ruleset};

use crate::field::CellShapes;
use crate::shape::Shape;

/// Strength of a stone on an empty cell. Later is stronger, except for the last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
pub enum Class {
    /// No threat.
    #[default]
    Quiet,
    /// An open three.
    Three,
    /// An open three and a line that can become a threat.
    ThreePlus,
    /// Two open threes.
    ThreeThree,
    /// A simple four.
    Four,
    /// A simple four and a line that can become a threat.
    FourPlus,
    /// A simple four and an open three.
    FourThree,
    /// Two winning points: a straight four or two fours.
    Straight,
    /// A winning row.
    Five,
    /// Perhaps a foul; the rules must be asked.
    Barred,
}

impl Class {
    /// Number of classes.
    pub const COUNT: usize = 10;

    /// All classes in order.
    pub const ALL: [Class; Class::COUNT] = [
        Class::Quiet,
        Class::Three,
        Class::ThreePlus,
        Class::ThreeThree,
        Class::Four,
        Class::FourPlus,
        Class::FourThree,
        Class::Straight,
        Class::Five,
        Class::Barred,
    ];

    /// Says if a stone here threatens to win with the next one; legality is not checked.
    pub const fn is_four(self) -> bool {
        matches!(self, Class::Four | Class::FourPlus | Class::FourThree | Class::Straight)
    }
}

/// Shapes that may be fouls for a colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Judge {
    Free,
    /// Black in Renju.
    Renju(Precedence),
    /// Either colour where a double-three is rejected; capturing moves may be exempt.
    DoubleThree {
        captures_exempt: bool,
    },
}

impl Judge {
    pub(crate) fn of(ruleset: &Ruleset, color: Color) -> Judge {
        match ruleset.fouls {
            Fouls::Black { precedence } if color == Color::Black => Judge::Renju(precedence),
            Fouls::DoubleThree { captures_exempt } => Judge::DoubleThree { captures_exempt },
            _ => Judge::Free,
        }
    }

    /// The class of four lines with these counts.
    const fn class(self, counts: Counts) -> Class {
        let (fives, straights) = (counts.field(FIVE), counts.field(STRAIGHT));
        let (fours, threes) = (straights + counts.field(FOUR), counts.field(THREE));
        let halves = counts.field(HALF);
        let foul = match self {
            Judge::Free => false,
            Judge::Renju(_) => counts.field(OVERLINE) > 0 || fours >= 2 || threes >= 2,
            Judge::DoubleThree { .. } => threes >= 2,
        };
        if fives > 0 && !(foul && matches!(self, Judge::Renju(Precedence::FoulFirst))) {
            return Class::Five;
        }
        if foul {
            return Class::Barred;
        }
        if straights > 0 {
            return Class::Straight;
        }
        match (fours, threes, halves) {
            (0, 0, _) => Class::Quiet,
            (0, 1, 0) => Class::Three,
            (0, 1, _) => Class::ThreePlus,
            (0, _, _) => Class::ThreeThree,
            (1, 0, 0) => Class::Four,
            (1, 0, _) => Class::FourPlus,
            (1, _, _) => Class::FourThree,
            _ => Class::Straight,
        }
    }
}

/// Number of lines of a cell that make a five, a four, a three and so on, four bits per count.
#[derive(Clone, Copy)]
struct Counts(u32);

impl Counts {
    const fn field(self, shift: u32) -> u32 {
        self.0 >> shift & 15
    }
}

const FIVE: u32 = 0;
const STRAIGHT: u32 = 4;
const FOUR: u32 = 8;
const THREE: u32 = 12;
const HALF: u32 = 16;
const OVERLINE: u32 = 20;

/// Addend of each kind of shape to the counts of a class.
const KINDS: [u32; 8] =
    [0, 1 << HALF, 1 << THREE, 1 << FOUR, 2 << FOUR, 1 << STRAIGHT, 1 << FIVE, 1 << OVERLINE];

/// Kind of each shape.
const KIND: [u8; 16] = {
    let mut kind = [0; 16];
    kind[Shape::OpenTwo as usize] = 1;
    kind[Shape::WideTwo as usize] = 1;
    kind[Shape::Three as usize] = 1;
    kind[Shape::OpenThree as usize] = 2;
    kind[Shape::WideThree as usize] = 2;
    kind[Shape::Four as usize] = 3;
    kind[Shape::DoubleFour as usize] = 4;
    kind[Shape::StraightFour as usize] = 5;
    kind[Shape::Five as usize] = 6;
    kind[Shape::Overline as usize] = 7;
    kind
};

/// Number of unordered pairs of kinds, rounded up to index a table.
const PAIRS: usize = 64;

/// The pair of kinds of two shapes in one byte.
static PAIR: [u8; 256] = {
    let mut pairs = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (a, b) = (KIND[byte % 16], KIND[byte / 16]);
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        pairs[byte] = high * (high + 1) / 2 + low;
        byte += 1;
    }
    pairs
};

/// The class of every two pairs of kinds, as one judge sees it.
pub(crate) struct Classes([Class; PAIRS * PAIRS]);

impl Classes {
    /// The table of a judge.
    pub(crate) const fn of(judge: Judge) -> &'static Classes {
        static FREE: Classes = classes(Judge::Free);
        static FIVE_FIRST: Classes = classes(Judge::Renju(Precedence::FiveFirst));
        static FOUL_FIRST: Classes = classes(Judge::Renju(Precedence::FoulFirst));
        static DOUBLE_THREE: Classes = classes(Judge::DoubleThree { captures_exempt: false });
        match judge {
            Judge::Free => &FREE,
            Judge::Renju(Precedence::FiveFirst) => &FIVE_FIRST,
            Judge::Renju(Precedence::FoulFirst) => &FOUL_FIRST,
            Judge::DoubleThree { .. } => &DOUBLE_THREE,
        }
    }

    /// Class of a cell for one side.
    pub(crate) fn class(&self, shapes: CellShapes, side: usize) -> Class {
        let shapes = shapes >> (4 * side) & 0x0f0f_0f0f;
        let pairs = shapes | shapes >> 4;
        let first = usize::from(PAIR[pairs as usize & 255]);
        let second = usize::from(PAIR[pairs as usize >> 16 & 255]);
        self.0[(first * PAIRS + second) % (PAIRS * PAIRS)]
    }
}

const fn classes(judge: Judge) -> Classes {
    let mut pairs = [0; PAIRS];
    let mut high = 0;
    while high < KINDS.len() {
        let mut low = 0;
        while low <= high {
            pairs[high * (high + 1) / 2 + low] = KINDS[high] + KINDS[low];
            low += 1;
        }
        high += 1;
    }
    let mut table = [Class::Quiet; PAIRS * PAIRS];
    let mut n = 0;
    while n < PAIRS * PAIRS {
        table[n] = judge.class(Counts(pairs[n / PAIRS] + pairs[n % PAIRS]));
        n += 1;
    }
    Classes(table)
}
