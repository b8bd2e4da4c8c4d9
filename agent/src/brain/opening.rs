//! The opening driver: decides placements, swaps, offers, choices and declarations for brains that
//! only know how to place a stone.
//!
//! Whoever places while the opponent may still swap wants a fair position; whoever may swap takes
//! the better colour; who offers fifth moves offers Black's best; who chooses takes Black's worst.

use std::cmp::Reverse;

use renju::{Area, Color, Offer, Phase, Play, Point, Position};

use super::evaluate::Balance;
use super::random::Random;

/// How far from the middle the driver places where the whole board is open.
const RING_MAX: u8 = 3;

/// Positions whose leads differ by no more than this are equally fair.
const SLACK: i32 = 2;

/// The decision that is due in the opening; `None` in free play and after the end.
pub(crate) fn decide(position: &Position, random: &mut Random) -> Option<Play> {
    if matches!(position.phase(), Phase::Play | Phase::Over(_)) {
        return None;
    }
    let table = Table { position, balance: Balance::of(position.board()) };
    match position.phase() {
        Phase::Play | Phase::Over(_) => None,
        Phase::Place(area) => table.fair_point(area, random).map(Play::Place),
        Phase::Swap | Phase::SwapOrPutTwo => Some(table.better_color()),
        Phase::Fifth { area, count } => {
            // White answers an offer with the worst of Black's best; a single fifth stone with a
            // swap if it is unfair.
            match table.best_offer(count).filter(|&(worst, _)| worst > SLACK) {
                Some((_, offer)) => Some(Play::Offer(offer)),
                None => table.fair_point(area, random).map(Play::Place),
            }
        }
        Phase::Declare { most } => Some(Play::Declare(table.fair_count(most))),
        Phase::Offer { count } => table.best_offer(count).map(|(_, offer)| Play::Offer(offer)),
        Phase::Choose(offer) => {
            let points = offer.points().iter().copied();
            points.min_by_key(|&point| table.lead_after(point)).map(Play::Place)
        }
    }
}

struct Table<'a> {
    position: &'a Position,
    balance: Balance<'a>,
}

impl Table<'_> {
    /// Black's lead once a stone of the colour to move stands on the empty `point`.
    fn lead_after(&self, point: Point) -> i32 {
        self.balance.black_lead_after(point, self.position.to_move())
    }

    /// A point that leaves neither colour much better off.
    fn fair_point(&self, area: Area, random: &mut Random) -> Option<Point> {
        let centre = Point::centre(self.position.board().size());
        let is_near = |point: &Point| match area {
            Area::Ring(_) => true,
            Area::Board => point.ring(centre) <= RING_MAX,
        };
        let mut points: Vec<Point> = self.position.legal_points().collect();
        if points.iter().any(is_near) {
            points.retain(is_near);
        }
        let least = points.iter().map(|&point| self.lead_after(point).abs()).min()?;
        points.retain(|&point| self.lead_after(point).abs() <= least + SLACK);
        random.pick(&points)
    }

    fn better_color(&self) -> Play {
        let lead = self.balance.black_lead(self.position.to_move());
        let mine = self.position.to_act().map(|seat| self.position.color_of(seat));
        let is_mine_better = if mine == Some(Color::White) { lead <= 0 } else { lead >= 0 };
        if is_mine_better { Play::Keep } else { Play::Swap }
    }

    /// As many as are due that may be offered together, Black's best; and the lead that the worst
    /// of them leaves Black.
    fn best_offer(&self, count: u8) -> Option<(i32, Offer)> {
        let points = self.distinct_fifths(count);
        let worst = points.last().map(|&point| self.lead_after(point))?;
        Offer::new(&points).ok().map(|offer| (worst, offer))
    }

    /// With how many fifth moves on offer the position is fairest: White chooses the worst of them.
    fn fair_count(&self, most: u8) -> u8 {
        let fifths = self.distinct_fifths(most);
        let counts = (1..=most).zip(fifths);
        let fairest = counts.min_by_key(|&(_, worst)| self.lead_after(worst).abs());
        fairest.map_or(1, |(count, _)| count)
    }

    /// Black's best fifth moves, the best first, no two of which count as the same.
    fn distinct_fifths(&self, count: u8) -> Vec<Point> {
        let board = self.position.board();
        let distinct = self.position.ruleset().distinct;
        let mut empty: Vec<Point> = board.empty_points().collect();
        empty.sort_by_cached_key(|&point| Reverse(self.lead_after(point)));
        let mut chosen: Vec<Point> = Vec::with_capacity(usize::from(count));
        for point in empty {
            if chosen.len() == usize::from(count) {
                break;
            }
            if !chosen.iter().any(|&other| distinct.same(board, other, point)) {
                chosen.push(point);
            }
        }
        chosen
    }
}
