//! Pairing: a pure function of the tickets in one pool and the time. It reads no table; a stale
//! ticket costs a failed transaction, nothing else.
//!
//! - Two tickets are **acceptable** to each other once both have waited long enough for their
//!   difference: each accepts 100 points plus 5 for every second it waited, and any difference
//!   after 60 seconds. The same owner is never acceptable.
//! - **Small pools wait less.** With fewer than 12 others, time counts faster in proportion: with
//!   a single other, a ticket accepts 60 points more every second, and any difference after
//!   5 seconds.
//! - **Rematches last.** Agents that have not met recently are paired first; then those that met
//!   longest ago; the opponents of the last game come last. So no rematch is made while either
//!   player has a fresh acceptable opponent, and two lone agents still play.
//! - **House bots** are for the rest: an available agent is always preferred. An agent that asked
//!   for a house bot is not paired with agents.
//! - The agent that has waited longest chooses first. It takes the nearest rating; then the one
//!   that has waited longest; then the lesser name.
//! - **Seats** are assigned by a hash of both names and epochs: the same two tickets always get the
//!   same seats (a retry names the same game); the next join is a new assignment. Only against a
//!   house bot, outside the ratings, an agent can choose its seat.

#![allow(missing_docs, reason = "the names say it")]

use crate::house::Opponent;
use crate::ids::{AgentName, Timestamp};
use crate::rating::Rating;
use crate::terms::Pace;

/// Difference in points accepted at once.
const WINDOW_POINTS: f64 = 100.0;

/// Waiting time for one more point: 5 points a second.
const POINT_MS: f64 = 200.0;

/// In a large pool, a ticket this old accepts any rating.
const PATIENCE_MS: i64 = 60_000;

/// Number of other tickets from which a pool is large; in smaller ones tickets wait less.
const MANY: usize = 12;

/// Shortest delay of the next pairing, so that a pool that cannot settle costs little.
const PAIRING_MIN_MS: i64 = 2_000;

/// Longest delay of the next pairing; by then all tickets accept each other.
const PAIRING_MAX_MS: i64 = 60_000;

/// Number of newest opponents avoided in each round of pairing.
const AVOIDED: [usize; 5] = [usize::MAX, 4, 2, 1, 0];

/// An agent in the queue, with at most one ticket in a pool.
#[derive(Clone, PartialEq, Debug)]
pub struct Ticket {
    pub name: AgentName,
    /// Join counter of the agent, 1 for the first.
    pub epoch: u32,
    /// Time of the join. A time in the future (clocks differ) counts as now.
    pub since: Timestamp,
    /// Its rating in this pool; finite.
    pub rating: Rating,
    /// [`opponent_hash`] of its recent opponents, newest last.
    pub recent: Vec<u32>,
    /// Hash of the owner; agents with the same owner are never paired. `None` matches no one.
    pub owner: Option<u64>,
    pub opponent: Opponent,
    /// A ticket accepts only those with the same wish.
    pub rated: bool,
}

/// Short form of an opponent's name (FNV-1a). A collision at worst postpones a game.
pub fn opponent_hash(name: &AgentName) -> u32 {
    fnv1a(FNV_OFFSET, name.as_str().as_bytes())
}

/// Pairs all tickets that accept each other: `(first seat, second seat)`, as indices of `waiting`.
/// No two of the remaining tickets accept each other. The order of `waiting` does not matter.
///
/// O(n log n) for sorting; then each ticket searches outward from its rating, past those that
/// refuse it (owners, recent opponents, newcomers far away). O(n²) only if nearly all refuse.
pub fn pair(waiting: &[Ticket], now: Timestamp) -> Vec<(usize, usize)> {
    let mut order: Vec<usize> =
        (0..waiting.len()).filter(|&index| waiting[index].opponent.may_be_agent()).collect();
    order.sort_by_key(|&index| waiting[index].seniority());
    let mut pairs = Vec::new();
    loop {
        let queue: Vec<&Ticket> = order.iter().map(|&index| &waiting[index]).collect();
        let mut pool = Pool::new(&queue, now);
        for avoided in AVOIDED {
            for (a, b) in pool.round(avoided) {
                let is_first = sits_first(queue[a].identity(), queue[b].identity());
                let (first, second) = if is_first { (a, b) } else { (b, a) };
                pairs.push((order[first], order[second]));
            }
            if !pool.put_off {
                break;
            }
        }
        let mut paired = pool.paired.into_iter();
        let before = order.len();
        order.retain(|_| !paired.next().unwrap_or_default());
        // Fewer tickets remain, and may accept each other sooner.
        if order.len() == before || order.len() > MANY {
            return pairs;
        }
    }
}

/// True if the ticket, unpaired by [`pair`], is to be seated with a house bot.
pub fn is_for_house(ticket: &Ticket, now: Timestamp, pace: &Pace) -> bool {
    ticket.house_at(now, pace).is_some_and(|at| at <= now)
}

/// Milliseconds until it can be worth running [`pair`] again on the tickets it `left`, from 2 000
/// to 60 000; `None` if no two of them can ever meet and none accepts a house bot. (A new ticket
/// brings its own message.)
///
/// A game that is due but does not exist is one whose transaction failed. It is retried after as
/// long as it has been overdue, so the delays grow 2, 4, 8 seconds and so on.
///
/// O(n²) in the remaining tickets, which are few.
pub fn next_pairing_ms(left: &[Ticket], now: Timestamp, pace: &Pace) -> Option<i64> {
    let willing = left.iter().filter(|ticket| ticket.opponent.may_be_agent());
    let crowd = Crowd::of(willing);
    let pairs = left.iter().enumerate().flat_map(|(index, a)| {
        left[index + 1..].iter().filter_map(move |b| acceptable_at(a, b, crowd.others(a), now))
    });
    let houses = left.iter().filter_map(|ticket| ticket.house_at(now, pace));
    let delay = |at: Timestamp| at.ms().saturating_sub(now.ms()).saturating_abs();
    pairs.chain(houses).map(delay).min().map(|delay| delay.clamp(PAIRING_MIN_MS, PAIRING_MAX_MS))
}

/// Largest clock difference between two functions. A ticket further in the future dates from before
/// a clock was set back.
const SKEW_MS: i64 = 5_000;

/// Waiting time at which a ticket accepts any rating.
const LONG_MS: i64 = 3_600_000;

/// The time from which a ticket counts as waiting. The age of one from before a clock was set back
/// is unknown and taken as long; otherwise it would wait until the clock has caught up.
pub(crate) fn counts_from(since: Timestamp, now: Timestamp) -> Timestamp {
    if since.since(now) > SKEW_MS { now.plus(-LONG_MS) } else { since }
}

impl Ticket {
    /// Sort key: the ticket that has waited longest is the least.
    fn seniority(&self) -> (Timestamp, &AgentName, u32) {
        (self.since, &self.name, self.epoch)
    }

    /// The input of the seat hash.
    fn identity(&self) -> (&AgentName, u32) {
        (&self.name, self.epoch)
    }

    /// The time from which the ticket accepts a house bot.
    fn house_at(&self, now: Timestamp, pace: &Pace) -> Option<Timestamp> {
        let since = counts_from(self.since, now);
        self.opponent.house(since, self.rating, pace).map(|(_, at)| at)
    }

    fn gap(&self, other: &Ticket) -> f64 {
        (self.rating.value - other.rating.value).abs()
    }

    /// True if `other` is among the `newest` last opponents.
    fn met(&self, other: &Ticket, newest: usize) -> bool {
        let skipped = self.recent.len().saturating_sub(newest);
        let recent = &self.recent[skipped..];
        !recent.is_empty() && recent.contains(&opponent_hash(&other.name))
    }
}

/// Number of tickets with each wish for a rating.
#[derive(Clone, Copy)]
struct Crowd {
    rated: usize,
    unrated: usize,
}

impl Crowd {
    fn of<'a>(tickets: impl Iterator<Item = &'a Ticket>) -> Crowd {
        let (mut rated, mut unrated) = (0, 0);
        for ticket in tickets {
            *(if ticket.rated { &mut rated } else { &mut unrated }) += 1;
        }
        Crowd { rated, unrated }
    }

    /// Number of others that a ticket could meet.
    fn others(self, ticket: &Ticket) -> usize {
        (if ticket.rated { self.rated } else { self.unrated }).saturating_sub(1)
    }
}

/// Time both must have waited, with this number of `others` each, to accept a difference of `gap`
/// points.
fn patience_ms(gap: f64, others: usize) -> i64 {
    let ms = ((gap - WINDOW_POINTS) * POINT_MS).clamp(0.0, PATIENCE_MS as f64);
    (ms * others.min(MANY) as f64 / MANY as f64).ceil() as i64
}

/// The time from which the two accept each other, with this number of `others` each; the later
/// ticket decides. `None` means never.
fn acceptable_at(a: &Ticket, b: &Ticket, others: usize, now: Timestamp) -> Option<Timestamp> {
    let willing = a.opponent.may_be_agent() && b.opponent.may_be_agent();
    if !willing
        || a.rated != b.rated
        || (a.owner.is_some() && a.owner == b.owner)
        || a.name == b.name
    {
        return None;
    }
    let both = counts_from(a.since, now).max(counts_from(b.since, now)).min(now);
    Some(Timestamp::from_ms(both.ms().saturating_add(patience_ms(a.gap(b), others))))
}

/// The tickets by rank (that is, by seniority) and by rating in both directions.
struct Pool<'a> {
    queue: &'a [&'a Ticket],
    crowd: Crowd,
    now: Timestamp,
    paired: Vec<bool>,
    /// True if the last round refused a game only because the two had met.
    put_off: bool,
    /// By rating; of equals, the senior first.
    upward: Vec<usize>,
    downward: Vec<usize>,
}

impl<'a> Pool<'a> {
    fn new(queue: &'a [&'a Ticket], now: Timestamp) -> Pool<'a> {
        let value = |&rank: &usize| queue[rank].rating.value;
        let mut upward: Vec<usize> = (0..queue.len()).collect();
        let mut downward = upward.clone();
        upward.sort_by(|a, b| value(a).total_cmp(&value(b)));
        downward.sort_by(|a, b| value(b).total_cmp(&value(a)));
        let crowd = Crowd::of(queue.iter().copied());
        let paired = vec![false; queue.len()];
        Pool { queue, crowd, now, paired, put_off: false, upward, downward }
    }

    /// Pairs all that accept each other and are not among each other's `avoided` newest opponents.
    fn round(&mut self, avoided: usize) -> Vec<(usize, usize)> {
        self.put_off = false;
        let mut above = Line::new(&self.upward, &self.paired);
        let mut below = Line::new(&self.downward, &self.paired);

        let mut pairs = Vec::new();
        for rank in 0..self.queue.len() {
            if self.paired[rank] {
                continue;
            }
            // Paired or not, a ticket that has chosen leaves the round: those it refused would
            // refuse it too. So the lines hold only juniors.
            let found = self.nearest(rank, avoided, &above, &below);
            for gone in found.into_iter().chain([rank]) {
                above.remove(gone);
                below.remove(gone);
            }
            if let Some(found) = found {
                self.paired[rank] = true;
                self.paired[found] = true;
                pairs.push((rank, found));
            }
        }
        pairs
    }

    /// The junior nearest in rating that `rank` can play now; of equally near ones the most senior.
    fn nearest(
        &mut self,
        rank: usize,
        avoided: usize,
        above: &Line,
        below: &Line,
    ) -> Option<usize> {
        let queue = self.queue;
        let ticket = queue[rank];
        let others = self.crowd.others(ticket);
        let waited_ms = self.now.since(counts_from(ticket.since, self.now)).max(0);
        let gap = |rank: usize| queue.get(rank).map_or(f64::INFINITY, |other| ticket.gap(other));

        let (mut up, mut down) = (above.next[rank], below.next[rank]);
        loop {
            let near = if (gap(up), up) <= (gap(down), down) { up } else { down };
            let other = queue.get(near)?;
            if patience_ms(ticket.gap(other), others) > waited_ms {
                return None;
            }
            if acceptable_at(ticket, other, others, self.now).is_some_and(|at| at <= self.now) {
                if !ticket.met(other, avoided) && !other.met(ticket, avoided) {
                    return Some(near);
                }
                self.put_off = true;
            }
            // Juniors of the same rating are in both lines.
            if near == up {
                up = above.next[up];
            }
            if near == down {
                down = below.next[down];
            }
        }
    }
}

/// A linked list of ranks; the rank after the last ends it.
struct Line {
    next: Vec<usize>,
    previous: Vec<usize>,
}

impl Line {
    fn new(order: &[usize], paired: &[bool]) -> Line {
        let end = order.len();
        let mut line = Line { next: vec![end; end + 1], previous: vec![end; end + 1] };
        let mut last = end;
        for rank in order.iter().copied().filter(|&rank| !paired[rank]).chain([end]) {
            line.next[last] = rank;
            line.previous[rank] = last;
            last = rank;
        }
        line
    }

    fn remove(&mut self, rank: usize) {
        let (previous, next) = (self.previous[rank], self.next[rank]);
        self.next[previous] = next;
        self.previous[next] = previous;
    }
}

/// True if `a` has the first seat, by names and epochs. Neither can choose, because the draw takes
/// both.
pub(crate) fn sits_first(a: (&AgentName, u32), b: (&AgentName, u32)) -> bool {
    let lesser = a <= b;
    let mut hash = FNV_OFFSET;
    for (name, epoch) in if lesser { [a, b] } else { [b, a] } {
        hash = fnv1a(hash, name.as_str().as_bytes());
        hash = fnv1a(hash, &epoch.to_le_bytes());
    }
    // The low bit of FNV is a mere parity, constant if both epochs grow in step; the top bit of
    // this product depends on all bits.
    let lesser_first = hash.wrapping_mul(0x9E37_79B1) >> 31 == 0;
    lesser == lesser_first
}

const FNV_OFFSET: u32 = 0x811C_9DC5;
const FNV_PRIME: u32 = 0x0100_0193;

fn fnv1a(hash: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(hash, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(FNV_PRIME))
}

#[cfg(test)]
mod tests;
