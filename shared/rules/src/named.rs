//! The 26 named openings of Renju: thirteen direct, thirteen indirect.

use std::fmt;

use crate::point::Point;
use crate::symmetry::Symmetry;

/// A named opening: the shape of the first three stones in any orientation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NamedOpening {
    /// Direct or indirect.
    pub kind: OpeningKind,
    /// 1 to 13 within its kind.
    pub number: u8,
    /// Japanese name.
    pub name: &'static str,
    /// The third stone when the second stands on h9 (direct) or i9 (indirect).
    third: (u8, u8),
}

/// Direction of the second stone of an opening.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OpeningKind {
    /// Orthogonally next to the first stone.
    Direct,
    /// Diagonally next to the first stone.
    Indirect,
}

impl NamedOpening {
    /// All 26: the direct ones, then the indirect ones, each by number.
    pub const ALL: [NamedOpening; 26] = [
        direct(1, "Kansei", (7, 9)),
        direct(2, "Keigetsu", (8, 9)),
        direct(3, "Sosei", (9, 9)),
        direct(4, "Kagetsu", (8, 8)),
        direct(5, "Zangetsu", (9, 8)),
        direct(6, "Ugetsu", (8, 7)),
        direct(7, "Kinsei", (9, 7)),
        direct(8, "Shogetsu", (7, 6)),
        direct(9, "Kyugetsu", (8, 6)),
        direct(10, "Shingetsu", (9, 6)),
        direct(11, "Zuisei", (7, 5)),
        direct(12, "Sangetsu", (8, 5)),
        direct(13, "Yusei", (9, 5)),
        indirect(1, "Chosei", (9, 9)),
        indirect(2, "Kyogetsu", (9, 8)),
        indirect(3, "Kosei", (9, 7)),
        indirect(4, "Suigetsu", (9, 6)),
        indirect(5, "Ryusei", (9, 5)),
        indirect(6, "Ungetsu", (8, 7)),
        indirect(7, "Hogetsu", (8, 6)),
        indirect(8, "Rangetsu", (8, 5)),
        indirect(9, "Gingetsu", (7, 6)),
        indirect(10, "Myojo", (7, 5)),
        indirect(11, "Shagetsu", (6, 6)),
        indirect(12, "Meigetsu", (6, 5)),
        indirect(13, "Suisei", (5, 5)),
    ];

    /// The opening these three stones make on a 15×15 board; `None` if the first is not on h8, the
    /// second not next to it, or the third outside the 5×5 square.
    pub fn of(stones: [Point; 3]) -> Option<NamedOpening> {
        if stones[0] != Point::centre(SIZE) || !stones.iter().all(|stone| stone.is_on(SIZE)) {
            return None;
        }
        Self::ALL.into_iter().find(|opening| {
            Symmetry::ALL
                .iter()
                .any(|symmetry| opening.stones().map(|stone| symmetry.apply(stone, SIZE)) == stones)
        })
    }

    /// The three stones, with the second on h9 or i9.
    pub fn stones(&self) -> [Point; 3] {
        let second = match self.kind {
            OpeningKind::Direct => (7, 8),
            OpeningKind::Indirect => (8, 8),
        };
        [(7, 7), second, self.third]
            .map(|(x, y)| Point::new(x, y).expect("the named openings lie on the board"))
    }
}

const SIZE: u8 = 15;

const fn direct(number: u8, name: &'static str, third: (u8, u8)) -> NamedOpening {
    NamedOpening { kind: OpeningKind::Direct, number, name, third }
}

const fn indirect(number: u8, name: &'static str, third: (u8, u8)) -> NamedOpening {
    NamedOpening { kind: OpeningKind::Indirect, number, name, third }
}

impl fmt::Display for NamedOpening {
    /// Writes `Kagetsu (4D)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = if self.kind == OpeningKind::Direct { 'D' } else { 'I' };
        write!(f, "{} ({}{letter})", self.name, self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_third_stone_in_the_square_makes_exactly_one_opening() {
        let centre = Point::centre(SIZE);
        let mut counts = [0; 26];
        for second in Point::all(SIZE).filter(|point| point.ring(centre) == 1) {
            for third in Point::all(SIZE).filter(|point| (1..=2).contains(&point.ring(centre))) {
                if third != second {
                    let opening = NamedOpening::of([centre, second, third]).unwrap();
                    let index = NamedOpening::ALL.iter().position(|other| *other == opening);
                    counts[index.unwrap()] += 1;
                }
            }
        }
        // A third stone on the axis through the first two has four images, any other eight.
        let axis = [0, 7, 10, 13, 23, 25];
        for (index, count) in counts.into_iter().enumerate() {
            assert_eq!(count, if axis.contains(&index) { 4 } else { 8 }, "{index}");
        }
    }

    #[test]
    fn names_are_found_under_all_eight_symmetries() {
        for opening in NamedOpening::ALL {
            for symmetry in Symmetry::ALL {
                let turned = opening.stones().map(|stone| symmetry.apply(stone, SIZE));
                assert_eq!(NamedOpening::of(turned), Some(opening));
            }
        }
        let read = |text: &str| text.split(' ').map(|p| p.parse().unwrap()).collect::<Vec<Point>>();
        let name = |text| NamedOpening::of(read(text).try_into().unwrap()).map(|o| o.to_string());
        assert_eq!(name("h8 h9 i9").as_deref(), Some("Kagetsu (4D)"));
        assert_eq!(name("h8 g7 g9").as_deref(), Some("Hogetsu (7I)"));
        assert_eq!(name("h8 h9 k8"), None);
        assert_eq!(name("h7 h8 h9"), None);
    }
}
