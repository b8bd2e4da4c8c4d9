//! Matchmaking: reads the queue, pairs its tickets, seats each pair on condition that both are
//! still queued, and seats agents that have waited long enough with house bots.
//!
//! A pair that fails is noted and the others are seated; the next run tries it again.

use arena::pairing::{self, Ticket};
use arena::{Agent, Division, Message, Timestamp, Write, seating};
use renju::BySeat;

use crate::backend::{Backend, Note};
use crate::commit::{Commit, commit};
use crate::fault::Fault;

/// Delay of the next run when the queue could not be read.
const RETRY_MS: i64 = 5_000;

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
    seat_pairs(world, division, &mut tickets).await;
    for (ticket, fate) in &mut tickets {
        if *fate == Fate::Free && pairing::is_for_house(ticket, world.now(), world.pace()) {
            *fate = seat_with_house(world, division, ticket).await;
        }
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
/// it is offered a house bot.
async fn seat_pairs<B: Backend>(world: &B, division: Division, tickets: &mut [(Ticket, Fate)]) {
    loop {
        let free: Vec<usize> =
            (0..tickets.len()).filter(|&index| tickets[index].1 == Fate::Free).collect();
        let waiting: Vec<Ticket> = free.iter().map(|&index| tickets[index].0.clone()).collect();
        let pairs = pairing::pair(&waiting, world.now());
        if pairs.is_empty() {
            return;
        }
        for (first, second) in pairs {
            let pair = BySeat { first: &waiting[first], second: &waiting[second] };
            let fates = seat(world, division, pair).await;
            tickets[free[first]].1 = fates.first;
            tickets[free[second]].1 = fates.second;
        }
    }
}

/// Seats a pair: afterwards both are seated, or at least one is not free. The tickets come from an
/// index that may lag, so the agents are read again, and the write requires that both are still
/// queued with these tickets. The game starts now, however long the run has taken so far.
async fn seat<B: Backend>(world: &B, division: Division, tickets: BySeat<&Ticket>) -> BySeat<Fate> {
    let both = |fate| BySeat { first: fate, second: fate };
    let first = waiting(world, division, tickets.first).await;
    let second = waiting(world, division, tickets.second).await;
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
