//! What a stone makes in all four lines at once, as one word the search can act on.

use renju::{Color, Fouls, Precedence, Ruleset};

use crate::shape::Shape;

/// What a stone on an empty cell is good for. Later is stronger, but for the last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
pub enum Class {
    /// No threat and nothing near one.
    #[default]
    Quiet,
    /// One line that can become a threat.
    Two,
    /// Two such lines.
    TwoTwo,
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
    /// Perhaps a foul; only the rules can say.
    Barred,
}

impl Class {
    /// How many classes there are.
    pub const COUNT: usize = 12;

    /// Every class, in order.
    pub const ALL: [Class; Class::COUNT] = [
        Class::Quiet,
        Class::Two,
        Class::TwoTwo,
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

    /// Whether a stone here threatens to win with the next one, if it is legal at all.
    pub const fn is_four(self) -> bool {
        matches!(self, Class::Four | Class::FourPlus | Class::FourThree | Class::Straight)
    }
}

/// Which shapes may be fouls for a colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Judge {
    /// None.
    Free,
    /// Black in Renju.
    Renju(Precedence),
    /// Either colour where a double-three is rejected.
    DoubleThree,
}

impl Judge {
    pub(crate) fn of(ruleset: &Ruleset, color: Color) -> Judge {
        match ruleset.fouls {
            Fouls::Black { precedence } if color == Color::Black => Judge::Renju(precedence),
            Fouls::DoubleThree { .. } => Judge::DoubleThree,
            _ => Judge::Free,
        }
    }

    /// The class of four lines with these counts.
    pub(crate) const fn class(self, counts: Counts) -> Class {
        let (fives, straights) = (counts.field(FIVE), counts.field(STRAIGHT));
        let (fours, threes) = (straights + counts.field(FOUR), counts.field(THREE));
        let halves = counts.field(HALF);
        let foul = match self {
            Judge::Free => false,
            Judge::Renju(_) => counts.field(OVERLINE) > 0 || fours >= 2 || threes >= 2,
            Judge::DoubleThree => threes >= 2,
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
            (0, 0, 0) => Class::Quiet,
            (0, 0, 1) => Class::Two,
            (0, 0, _) => Class::TwoTwo,
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

/// How many of a cell's lines make a five, a four, a three and so on: four bits a count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Counts(u32);

impl Counts {
    const fn field(self, shift: u32) -> u32 {
        self.0 >> shift & 15
    }

    /// The counts when one line changes.
    pub(crate) const fn replace(self, old: Shape, new: Shape) -> Counts {
        Counts(self.0 + COUNTED[new as usize] - COUNTED[old as usize])
    }
}

const FIVE: u32 = 0;
const STRAIGHT: u32 = 4;
const FOUR: u32 = 8;
const THREE: u32 = 12;
const HALF: u32 = 16;
const OVERLINE: u32 = 20;

/// What each shape adds to the counts of a class, four bits a count.
const COUNTED: [u32; Shape::COUNT] = {
    let mut counted = [0; Shape::COUNT];
    counted[Shape::Five as usize] = 1 << FIVE;
    counted[Shape::StraightFour as usize] = 1 << STRAIGHT;
    counted[Shape::DoubleFour as usize] = 2 << FOUR;
    counted[Shape::Four as usize] = 1 << FOUR;
    counted[Shape::OpenThree as usize] = 1 << THREE;
    counted[Shape::WideThree as usize] = 1 << THREE;
    counted[Shape::Three as usize] = 1 << HALF;
    counted[Shape::OpenTwo as usize] = 1 << HALF;
    counted[Shape::WideTwo as usize] = 1 << HALF;
    counted[Shape::Overline as usize] = 1 << OVERLINE;
    counted
};
