//! Opening decisions: swaps, offers, choices, declarations, and stones the opponent may take over.
//!
//! A stone that a swap may hand to the opponent should be balanced, so nothing here plays to win:
//! every decision compares positions by their value for Black, from the book if it has them, else
//! from shallow searches.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use renju::{Color, Offer, Phase, Play, Point, Position};

use crate::book;
use crate::engine::{Choice, Engine};
use crate::limits::Limits;
use crate::random::Random;
use crate::score::Score;

/// Most stones compared by search.
const COMPARED: usize = 32;

/// Stones searched again before a balanced one is played.
const BALANCED_AGAIN: usize = 6;

/// Stones searched again before one of an offer is chosen.
const CHOSEN_AGAIN: usize = 3;

/// Stones searched again beyond those that an offer needs.
const OFFERED_AGAIN: usize = 4;

/// If the book has this many stones the others are ignored.
const ENOUGH: usize = 8;

/// Stones that differ by at most this are equally balanced; one is played at random.
const ALIKE: Score = 5;

/// Below this a Swap2 position is balanced enough to be made sharper by two more stones.
const BALANCED: Score = 60;

struct Driver<'a> {
    engine: &'a mut Engine,
    position: &'a Position,
    limits: Limits,
    stop: Option<&'a AtomicBool>,
    random: Random,
    nodes: u64,
}

pub(crate) fn choose(
    engine: &mut Engine,
    position: &Position,
    limits: &Limits,
    seed: u64,
    stop: Option<&AtomicBool>,
) -> Option<Choice> {
    let random = Random::new(seed ^ u64::from(position.move_number()));
    let mut driver = Driver { engine, position, limits: *limits, stop, random, nodes: 0 };
    let (play, score) = driver.decide()?;
    let pv = if let Play::Place(point) = play { vec![point] } else { Vec::new() };
    Some(Choice { play, score, nodes: driver.nodes, depth: 1, pv })
}

impl Driver<'_> {
    fn decide(&mut self) -> Option<(Play, Score)> {
        let position = self.position;
        match position.phase() {
            Phase::Swap => Some(self.swap()),
            Phase::SwapOrPutTwo => {
                let (play, score) = self.swap();
                Some(if score < BALANCED { (Play::PutTwo, 0) } else { (play, score) })
            }
            Phase::Place(_) => self.balanced().map(|(point, score)| (Play::Place(point), score)),
            Phase::Fifth { count, .. } => self.fifth(usize::from(count)),
            Phase::Offer { count } => self.offer(usize::from(count)),
            Phase::Declare { most } => {
                let fifths = self.fifths(usize::from(most));
                let count = (0..fifths.len()).min_by_key(|&n| fifths[n].0.abs()).unwrap_or(0);
                Some((Play::Declare(count as u8 + 1), 0))
            }
            Phase::Choose(offer) => {
                let worths = self.compare(offer.points().to_vec(), CHOSEN_AGAIN, |worth| worth);
                let &(worth, point) = worths.first()?;
                Some((Play::Place(point), -worth))
            }
            Phase::Play | Phase::Over(_) => None,
        }
    }

    /// Chooses the better colour; the score is its value.
    fn swap(&mut self) -> (Play, Score) {
        let limits = self.limits;
        let worth = self.worth(self.position, &limits).unwrap_or(0);
        let mine = self.position.to_act().map(|seat| self.position.color_of(seat));
        let mine = if mine == Some(Color::Black) { worth } else { -worth };
        (if mine < 0 { Play::Swap } else { Play::Keep }, mine.abs())
    }

    /// The stone that leaves both colours the same chances.
    fn balanced(&mut self) -> Option<(Point, Score)> {
        let board = self.position.board();
        let centre = Point::centre(board.size());
        let mut points: Vec<Point> = self.position.legal_points().collect();
        if board.stones() < 2 {
            // The first two stones matter little: any near the centre.
            points.retain(|point| point.ring(centre) <= 2);
            let index = self.random.below(points.len().max(1) as u64) as usize;
            return points.get(index).map(|&point| (point, 0));
        }
        self.shuffle(&mut points);
        let known = points.iter().copied().filter(|&point| self.is_known(point));
        let known: Vec<Point> = known.collect();
        if known.len() >= ENOUGH {
            points = known;
        } else {
            let close = |point: &&Point| point.ring(centre) <= 4;
            if points.iter().filter(close).count() >= ENOUGH {
                points.retain(|point| point.ring(centre) <= 4);
            }
            points.truncate(COMPARED);
        }
        let mut worths = self.compare(points, BALANCED_AGAIN, Score::abs);
        let least = worths.first()?.0.abs();
        worths.retain(|&(worth, _)| worth.abs() <= least + ALIKE);
        let (worth, point) = worths[self.random.below(worths.len() as u64) as usize];
        Some((point, -worth.abs()))
    }

    /// Offers ten fifths if even the tenth is good for Black, else plays a balanced one.
    fn fifth(&mut self, count: usize) -> Option<(Play, Score)> {
        let limits = self.limits;
        self.limits = part(&limits, 2);
        let offer = self.offer(count);
        self.limits = Limits { deadline: limits.deadline, ..part(&limits, 2) };
        let single = self.balanced().map(|(point, score)| (Play::Place(point), score));
        match (offer, single) {
            (Some(offer), Some(single)) => Some(if offer.1 > single.1 { offer } else { single }),
            (offer, single) => offer.or(single),
        }
    }

    /// Offers the best distinct fifths, scored by the last, which White will choose.
    fn offer(&mut self, count: usize) -> Option<(Play, Score)> {
        let fifths = self.fifths(count);
        let points: Vec<Point> = fifths.iter().map(|&(_, point)| point).collect();
        let play = Play::Offer(Offer::new(&points).ok()?);
        self.position.play(play).ok()?;
        Some((play, fifths.last().map_or(0, |&(worth, _)| worth)))
    }

    /// The `count` best distinct fifth stones for Black, best first.
    fn fifths(&mut self, count: usize) -> Vec<(Score, Point)> {
        let board = self.position.board();
        let (centre, distinct) = (Point::centre(board.size()), self.position.ruleset().distinct);
        let mut points: Vec<Point> = board.empty_points().collect();
        self.shuffle(&mut points);
        points.sort_by_key(|point| point.ring(centre).max(2));
        let mut different: Vec<Point> = Vec::new();
        for point in points {
            if different.len() < COMPARED
                && !different.iter().any(|&other| distinct.same(board, point, other))
            {
                different.push(point);
            }
        }
        let mut worths = self.compare(different, count + OFFERED_AGAIN, |worth| -worth);
        worths.truncate(count);
        worths
    }

    /// Ranks stones by `key` of their value for Black, lowest first: searches all of them with half of the nodes, then
    /// the first `again` with the other half, and returns only these. A single shallow search often picks a stone
    /// because its score is wrong.
    fn compare(
        &mut self,
        points: Vec<Point>,
        again: usize,
        key: fn(Score) -> Score,
    ) -> Vec<(Score, Point)> {
        let limits = self.limits;
        let mut worths: Vec<(Score, Point)> = points.into_iter().map(|point| (0, point)).collect();
        if worths.len() > again {
            self.limits = part(&limits, 2);
            self.measure(&mut worths);
            worths.sort_by_key(|&(worth, _)| key(worth));
            worths.truncate(again);
            self.limits.deadline = limits.deadline;
        }
        self.measure(&mut worths);
        worths.sort_by_key(|&(worth, _)| key(worth));
        self.limits = limits;
        worths
    }

    /// Sets the value for Black of the next stone on each point; those that no time is left for keep theirs.
    fn measure(&mut self, worths: &mut [(Score, Point)]) {
        let total = worths.len();
        for (n, (worth, point)) in worths.iter_mut().enumerate() {
            let limits = part(&self.limits, (total - n) as u32);
            let limits = Limits { nodes: (self.limits.nodes / total as u64).max(2), ..limits };
            let next = self.after(*point);
            *worth = next.and_then(|next| self.worth(&next, &limits)).unwrap_or(*worth);
        }
    }

    /// Value of a position for Black; `None` if there is no time to find it.
    fn worth(&mut self, position: &Position, limits: &Limits) -> Option<Score> {
        let known = if self.engine.uses_book { book::worth(position) } else { None };
        known.or_else(|| {
            let (worth, nodes) = self.engine.worth_for_black(position, limits, self.stop);
            self.nodes += nodes;
            worth
        })
    }

    /// Says if the book has the position after a stone on `point`.
    fn is_known(&self, point: Point) -> bool {
        self.engine.uses_book && self.after(point).is_some_and(|next| book::worth(&next).is_some())
    }

    /// The position after a stone on the empty `point`, in free play.
    fn after(&self, point: Point) -> Option<Position> {
        let (mut board, color) = (*self.position.board(), self.position.to_move());
        board.put(point, color);
        let (ruleset, pairs) = (self.position.ruleset(), self.position.pairs());
        Position::analysis(ruleset, board, !color, pairs).ok()
    }

    fn shuffle(&mut self, points: &mut [Point]) {
        for n in (1..points.len()).rev() {
            points.swap(n, self.random.below(n as u64 + 1) as usize);
        }
    }
}

/// One of `parts` equal shares of what is left of the limits.
fn part(limits: &Limits, parts: u32) -> Limits {
    let deadline = limits.deadline.map(|deadline| {
        let now = Instant::now();
        let left = deadline.checked_duration_since(now).unwrap_or(Duration::ZERO);
        now + left / parts.max(1)
    });
    Limits { deadline, nodes: limits.nodes / u64::from(parts.max(1)), ..*limits }
}
