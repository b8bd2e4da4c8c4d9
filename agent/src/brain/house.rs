//! `house:<level>`: the house player, until the engine takes over.
//!
//! Level 0 plays any legal point, 1 wins and blocks, 2 also weighs lines. No level plays a forbidden
//! point while another is left. `house:2@7` seeds it, so that the same game is played again.

use std::cmp::Reverse;
use std::time::{Duration, Instant};

use renju::{Color, Offer, Phase, Play, Point, Position, Record};

use super::evaluate::point_worth;
use super::opening;
use super::random::Random;
use super::{Brain, BrainError};

/// The strongest level there is.
pub(crate) const LEVEL_MAX: u8 = 2;

/// How many of the best points are examined for what the opponent answers.
const EXAMINED_MAX: usize = 24;

pub(crate) struct House {
    name: String,
    level: u8,
    random: Random,
}

impl House {
    /// Reads `2` or `2@7`.
    pub(crate) fn open(text: &str) -> Result<House, BrainError> {
        let (level, seed) = match text.split_once('@') {
            Some((level, seed)) => (level, Some(seed)),
            None => (text, None),
        };
        let unknown = |what: &str, wanted: &str| {
            BrainError::Gone(format!("house:{text} has no {what} from {wanted}"))
        };
        let level = level.parse().ok().filter(|level| *level <= LEVEL_MAX);
        let level = level.ok_or_else(|| unknown("level", "0 to 2"))?;
        let random = match seed.map(str::parse) {
            None => Random::new(),
            Some(Ok(seed)) => Random::seeded(seed),
            Some(Err(_)) => return Err(unknown("seed", "0 to 18446744073709551615")),
        };
        Ok(House::new(level, random))
    }

    pub(crate) fn new(level: u8, random: Random) -> House {
        House { name: format!("house:{level}"), level, random }
    }

    /// A legal play; `None` only when the game is over.
    pub(crate) fn decide(&mut self, position: &Position, limit: Duration) -> Option<Play> {
        if self.level == 0 {
            return any_play(position, &mut self.random);
        }
        match opening::decide(position, &mut self.random) {
            Some(play) => Some(play),
            None => self.point(position, Instant::now() + limit / 2).map(Play::Place),
        }
    }

    /// A point in free play: one that wins, else the best that does not lose at once.
    fn point(&mut self, position: &Position, until: Instant) -> Option<Point> {
        let me = position.to_move();
        let mut points: Vec<Point> = position.legal_points().collect();
        if points.is_empty() {
            // Every point left is forbidden: the game is lost, but it must be played.
            return any_point(position);
        }
        if let Some(&win) = points.iter().find(|&&point| wins(position, point, me)) {
            return Some(win);
        }
        let threats = threats_of(position, !me);
        let worth: Vec<i32> = Point::all(position.board().size())
            .map(|point| self.worth(position, point, me))
            .collect();
        let size = position.board().size();
        points.sort_by_key(|point| (!threats.contains(point), Reverse(worth[point.index(size)])));
        let safe = |point: &&Point| Instant::now() >= until || is_safe(position, **point);
        points.iter().take(EXAMINED_MAX).find(safe).or(points.first()).copied()
    }

    fn worth(&mut self, position: &Position, point: Point, me: Color) -> i32 {
        // A little chance, less than a difference that matters, so that games differ.
        let chance = self.random.below(16) as i32;
        match self.level {
            1 => chance,
            _ if position.board().is_empty(point) => {
                point_worth(position.board(), point, me) + chance
            }
            _ => 0,
        }
    }
}

impl Brain for House {
    fn choose(&mut self, record: &Record, limit: Duration) -> Result<Play, BrainError> {
        let play = self.decide(record.position(), limit);
        play.ok_or_else(|| BrainError::Gone("the game is over".to_owned()))
    }

    fn name(&self) -> &str {
        &self.name
    }
}

fn wins(position: &Position, point: Point, me: Color) -> bool {
    let after = position.play(Play::Place(point));
    after.is_ok_and(|after| after.outcome().is_some_and(|outcome| outcome.winner == Some(me)))
}

/// Where `opponent` would win if it were to move.
fn threats_of(position: &Position, opponent: Color) -> Vec<Point> {
    let board = *position.board();
    let turned = Position::analysis(position.ruleset(), board, opponent, position.pairs());
    let Ok(turned) = turned else { return Vec::new() };
    board.empty_points().filter(|&point| wins(&turned, point, opponent)).collect()
}

/// Whether the opponent can neither win at once after `point` nor has won by it.
fn is_safe(position: &Position, point: Point) -> bool {
    let opponent = !position.to_move();
    let Ok(after) = position.play(Play::Place(point)) else { return false };
    if let Some(outcome) = after.outcome() {
        return outcome.winner != Some(opponent);
    }
    !after.board().empty_points().any(|reply| wins(&after, reply, opponent))
}

/// Any play at all that is not a foul where that can be avoided.
fn any_play(position: &Position, random: &mut Random) -> Option<Play> {
    match position.phase() {
        Phase::Swap | Phase::SwapOrPutTwo | Phase::Declare { .. } => {
            random.pick(&position.plays().collect::<Vec<_>>())
        }
        Phase::Offer { count } => any_offer(position, count, random),
        Phase::Fifth { count, .. } if random.below(2) == 0 => any_offer(position, count, random),
        _ => {
            let points: Vec<Point> = position.legal_points().collect();
            random.pick(&points).or_else(|| any_point(position)).map(Play::Place)
        }
    }
}

fn any_point(position: &Position) -> Option<Point> {
    position.plays().find_map(|play| match play {
        Play::Place(point) => Some(point),
        _ => None,
    })
}

fn any_offer(position: &Position, count: u8, random: &mut Random) -> Option<Play> {
    let (board, distinct) = (position.board(), position.ruleset().distinct);
    let mut points: Vec<(u64, Point)> =
        board.empty_points().map(|point| (random.next(), point)).collect();
    points.sort_unstable();
    let mut offered: Vec<Point> = Vec::with_capacity(usize::from(count));
    for (_, point) in points {
        if offered.len() < usize::from(count)
            && !offered.iter().any(|&other| distinct.same(board, other, point))
        {
            offered.push(point);
        }
    }
    Offer::new(&offered).ok().map(Play::Offer)
}
