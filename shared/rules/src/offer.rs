//! Offered fifth moves, and which of them count as the same.

use std::fmt;

use crate::board::Board;
use crate::illegal::IllegalPlay;
use crate::player::Color;
use crate::point::Point;
use crate::symmetry;

/// Most fifth moves any opening offers.
pub const OFFER_MAX: usize = 10;

/// List of up to ten offered points, in the order given. `Position::play` decides if they may be
/// offered.
#[derive(Clone, Copy)]
pub struct Offer {
    points: [Point; OFFER_MAX],
    len: u8,
}

impl Offer {
    /// Makes an offer; refuses an empty list and more than ten points.
    pub fn new(points: &[Point]) -> Result<Offer, IllegalPlay> {
        let mut offer = Offer { points: [Point::centre(1); OFFER_MAX], len: points.len() as u8 };
        match offer.points.get_mut(..points.len()) {
            Some(slots) if !points.is_empty() => slots.copy_from_slice(points),
            _ => return Err(IllegalPlay::OfferCount { offered: points.len(), wanted: None }),
        }
        Ok(offer)
    }

    /// Points in the order given.
    pub fn points(&self) -> &[Point] {
        &self.points[..usize::from(self.len)]
    }

    /// Checks the offer against the position it is made in: the count first, then each point, then
    /// that no two are the same.
    pub(crate) fn check(
        &self,
        board: &Board,
        count: u8,
        distinct: Distinct,
    ) -> Result<(), IllegalPlay> {
        let points = self.points();
        if self.len != count {
            return Err(IllegalPlay::OfferCount { offered: points.len(), wanted: Some(count) });
        }
        let size = board.size();
        if let Some(&point) = points.iter().find(|point| !point.is_on(size)) {
            return Err(IllegalPlay::OffBoard { point, size });
        }
        if let Some(&point) = points.iter().find(|&&point| !board.is_empty(point)) {
            return Err(IllegalPlay::Occupied { point });
        }
        if let Some((point, _)) = first_pair(points, |a, b| a == b) {
            return Err(IllegalPlay::OfferTwice { point });
        }
        if let Some((point, other)) = first_pair(points, |a, b| distinct.same(board, a, b)) {
            return Err(IllegalPlay::OfferSymmetric { point, other });
        }
        Ok(())
    }
}

fn first_pair(points: &[Point], same: impl Fn(Point, Point) -> bool) -> Option<(Point, Point)> {
    points.iter().enumerate().find_map(|(n, &point)| {
        points[..n].iter().find(|&&other| same(point, other)).map(|&other| (point, other))
    })
}

impl PartialEq for Offer {
    fn eq(&self, other: &Offer) -> bool {
        self.points() == other.points()
    }
}

impl Eq for Offer {}

impl fmt::Debug for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.points().fmt(f)
    }
}

/// Rule by which two offered fifth moves count as the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Distinct {
    /// A symmetry of the board maps one point to the other, whatever stands on it (docs/rules.md
    /// §9).
    Point,
    /// The two five-stone figures are congruent by rotation, reflection and translation (RIF).
    Figure,
}

impl Distinct {
    /// True if offers of `a` and `b` on this board count as the same.
    ///
    /// # Panics
    /// If there are more than four stones, because nothing is offered then.
    pub fn same(self, board: &Board, a: Point, b: Point) -> bool {
        assert!(usize::from(board.stones()) < FIGURE_MAX, "fifth moves follow four stones");
        match self {
            Distinct::Point => symmetry::class(a, board.size()) == symmetry::class(b, board.size()),
            Distinct::Figure => figure(board, a) == figure(board, b),
        }
    }
}

/// Number of stones of a figure, including the offered one.
const FIGURE_MAX: usize = 5;

type Figure = [(u8, u8, bool); FIGURE_MAX];

/// The stones on the board and a black one on `fifth`, turned and shifted to a normal form.
fn figure(board: &Board, fifth: Point) -> Figure {
    let black = board.stones_of(Color::Black).chain([fifth]).map(|point| (point, true));
    let white = board.stones_of(Color::White).map(|point| (point, false));
    let mut stones = [(Point::centre(1), false); FIGURE_MAX];
    let mut len = 0;
    for (slot, stone) in stones.iter_mut().zip(black.chain(white)) {
        *slot = stone;
        len += 1;
    }
    let stones = &stones[..len];
    symmetry::Symmetry::ALL
        .iter()
        .map(|symmetry| {
            let turned = |point| symmetry.apply(point, board.size());
            let left = stones.iter().map(|&(point, _)| turned(point).x()).min().unwrap_or(0);
            let low = stones.iter().map(|&(point, _)| turned(point).y()).min().unwrap_or(0);
            let mut figure = [(0, 0, false); FIGURE_MAX];
            for (slot, &(point, black)) in figure.iter_mut().zip(stones) {
                let point = turned(point);
                *slot = (point.x() - left, point.y() - low, black);
            }
            figure[..len].sort_unstable();
            figure
        })
        .min()
        .unwrap_or_default()
}
