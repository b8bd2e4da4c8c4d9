//! Matchmaking: reads the queue, pairs its tickets, seats each pair on condition that both are
//! still queued, and seats agents that have waited long enough with house bots.
//!
//! A pair that fails is noted and the others are seated; the next run tries it again. A run seats
//! many pairs at once and ends in time: what is left, it leaves to the next run.

use arena::pairing::{self, Ticket};
use arena::{Agent, Division, Message, Timestamp, Write, seating};
use futures_util::future::{join, join_all};
use renju::BySeat;

use crate::backend::{Backend, Note};
use crate::commit::{Commit, commit};
use crate::fault::Fault;

/// Delay of the next run when the queue could not be read.
const RETRY_MS: i64 = 5_000;

/// Pairs seated at once. `join_all` polls up to thirty futures in place.
const AT_ONCE: usize = 30;

/// A run seats nobody later than this, so that several fit into a function's timeout.
const RUN_MS: i64 = 4_000;

/// State of a ticket in this run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Free,
    Seated,
    /// Its agent has left or was seated elsewhere, or a call failed: not in this run.
    Aside,
}

/// Seats all agents of a division that can be seated, and schedules the next run if others can be
/// seated soon.
pub(crate) async fn pair<B: Backend>(world: &B, division: Division) -> Result<(), Fault> {
    let end = world.now().plus(RUN_MS);
    let waiting = match world.tickets(division, world.now()).await {
        Ok(tickets) => tickets.waiting,
        Err(fault) => {
            // Instead of redelivery of this message, which would take minutes.
            world.note(Note::Failed(&fault));
            return look_again(world, division, RETRY_MS).await;
        }
    };
    let mut tickets: Vec<(Ticket, Fate)> =
        waiting.into_iter().map(|ticket| (ticket, Fate::Free)).collect();
    let is_done = seat_pairs(world, division, &mut tickets, end).await
        && seat_with_houses(world, division, &mut tickets, end).await;
    if !is_done {
        return look_again(world, division, 0).await;
    }
    tickets.retain(|(_, fate)| *fate != Fate::Seated);
    let left: Vec<Ticket> = tickets.into_iter().map(|(ticket, _)| ticket).collect();
    match pairing::next_pairing_ms(&left, world.now(), world.pace()) {
        Some(delay_ms) => look_again(world, division, delay_ms).await,
        None => Ok(()),
    }
}

async fn look_again<B: Backend>(world: &B, division: Division, delay_ms: i64) -> Result<(), Fault> {
    world.send(&[Message::Match { division, at: world.now().plus(delay_ms) }]).await
}

/// Seats all pairs that accept each other. A ticket that loses its partner is paired again before
/// it is offered a house bot. False if the run ended before all were seated.
async fn seat_pairs<B: Backend>(
    world: &B,
    division: Division,
    tickets: &mut [(Ticket, Fate)],
    end: Timestamp,
) -> bool {
    loop {
        let free: Vec<usize> =
            (0..tickets.len()).filter(|&index| tickets[index].1 == Fate::Free).collect();
        let waiting: Vec<Ticket> = free.iter().map(|&index| tickets[index].0.clone()).collect();
        let mut pairs = pairing::pair(&waiting, world.now());
        if pairs.is_empty() {
            return true;
        }
        // Another run over the same tickets, at another time, starts with another pair.
        let start = world.now().ms().unsigned_abs() as usize % pairs.len();
        pairs.rotate_left(start);
        for some in pairs.chunks(AT_ONCE) {
            if world.now() > end {
                return false;
            }
            let pair = |&(first, second): &(usize, usize)| BySeat {
                first: &waiting[first],
                second: &waiting[second],
            };
            let fates = join_all(some.iter().map(|some| seat(world, division, pair(some)))).await;
            for (&(first, second), fates) in some.iter().zip(fates) {
                tickets[free[first]].1 = fates.first;
                tickets[free[second]].1 = fates.second;
            }
        }
    }
}

/// Seats the free tickets that have waited long enough with house bots. False if the run ended
/// before all were seated.
async fn seat_with_houses<B: Backend>(
    world: &B,
    division: Division,
    tickets: &mut [(Ticket, Fate)],
    end: Timestamp,
) -> bool {
    let now = world.now();
    let is_due = |(ticket, fate): &&mut (Ticket, Fate)| {
        *fate == Fate::Free && pairing::is_for_house(ticket, now, world.pace())
    };
    let mut due: Vec<&mut (Ticket, Fate)> = tickets.iter_mut().filter(is_due).collect();
    for some in due.chunks_mut(AT_ONCE) {
        if world.now() > end {
            return false;
        }
        let seats = some.iter().map(|(ticket, _)| seat_with_house(world, division, ticket));
        let fates = join_all(seats).await;
        for ((_, fate), seated) in some.iter_mut().zip(fates) {
            *fate = seated;
        }
    }
    true
}

/// Seats a pair: afterwards both are seated, or at least one is not free. The tickets come from an
/// index that may lag, so the agents are read again, and the write requires that both are still
/// queued with these tickets. The game starts now, however long the run has taken so far.
async fn seat<B: Backend>(world: &B, division: Division, tickets: BySeat<&Ticket>) -> BySeat<Fate> {
    let both = |fate| BySeat { first: fate, second: fate };
    let (first, second) =
        join(waiting(world, division, tickets.first), waiting(world, division, tickets.second))
            .await;
    let (Some(first), Some(second)) = (&first, &second) else {
        let fate = |agent: &Option<Agent>| if agent.is_some() { Fate::Free } else { Fate::Aside };
        return BySeat { first: fate(&first), second: fate(&second) };
    };
    let players = BySeat { first, second };
    let Some(plan) = seating::seat(players, division, world.now(), world.pace()) else {
        return both(Fate::Aside);
    };
    let committed = match commit(world, &plan).await {
        Ok(Commit::Done) => {
            matched(world, &[tickets.first.since, tickets.second.since]);
            return both(Fate::Seated);
        }
        Ok(stale) => stale,
        Err(fault) => {
            world.note(Note::Failed(&fault));
            return both(Fate::Aside);
        }
    };
    let has_lost = |ticket: &Ticket| {
        let is_its_seat =
            |write: &Write| matches!(write, Write::Seat { agent, .. } if *agent == ticket.name);
        let index = plan.writes.iter().position(is_its_seat);
        index.is_some_and(|index| committed.stale(index).is_some())
    };
    let fates = tickets.map(|ticket| if has_lost(ticket) { Fate::Aside } else { Fate::Free });
    if fates == both(Fate::Free) { both(Fate::Aside) } else { fates }
}

/// Seats a ticket with a house bot, on the same conditions.
async fn seat_with_house<B: Backend>(world: &B, division: Division, ticket: &Ticket) -> Fate {
    let Some(agent) = waiting(world, division, ticket).await else { return Fate::Aside };
    let Some(plan) = seating::seat_with_house(&agent, division, world.now(), world.pace()) else {
        return Fate::Free;
    };
    match commit(world, &plan).await {
        Ok(Commit::Done) => {
            matched(world, &[ticket.since]);
            Fate::Seated
        }
        Ok(Commit::Stale(_)) => Fate::Aside,
        Err(fault) => {
            world.note(Note::Failed(&fault));
            Fate::Aside
        }
    }
}

fn matched<B: Backend>(world: &B, since: &[Timestamp]) {
    world.note(Note::Matched(since));
}

/// The agent, if it is still queued in this division. A fault is noted.
async fn waiting<B: Backend>(world: &B, division: Division, ticket: &Ticket) -> Option<Agent> {
    let agent = match world.agent(&ticket.name).await {
        Ok(agent) => agent?,
        Err(fault) => {
            world.note(Note::Failed(&fault));
            return None;
        }
    };
    let is_here = agent.waiting.is_some_and(|waiting| waiting.division == division);
    (is_here && agent.ticket(world.now()).is_some()).then_some(agent)
}
