//! Matchmaking: reads who waits, pairs them, seats each pair on condition that both still wait, and
//! seats with house bots who has waited long enough.
//!
//! Whatever fails for one pair is logged, and the others are seated: the next look tries it again.

use arena::pairing::{self, Ticket};
use arena::{Agent, Bell, Division, Timestamp, Write, table};
use arena_http::{App, log, now};
use arena_store::Commit;
use renju::BySeat;

use crate::Again;

/// How soon a look that could not even read its queue is repeated.
const RETRY_MS: i64 = 5_000;

/// What became of a ticket in this look.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It can be paired.
    Free,
    /// Its agent sits in a game.
    Seated,
    /// Its agent has left or been seated by somebody else, or something failed: not in this look.
    Aside,
}

/// Seats whoever can be seated in a division and, if somebody is left who may be soon, looks again.
pub(crate) async fn look(app: &App, division: Division) -> Result<(), Again> {
    let waiting = match app.store.tickets(division, now()).await {
        Ok(tickets) => tickets.waiting,
        Err(fault) => {
            // In place of this message, which would come again only after minutes.
            log::fault(&fault);
            return look_again(app, division, RETRY_MS).await;
        }
    };
    let mut tickets: Vec<(Ticket, Fate)> =
        waiting.into_iter().map(|ticket| (ticket, Fate::Free)).collect();
    seat_pairs(app, division, &mut tickets).await;
    for (ticket, fate) in &mut tickets {
        if *fate == Fate::Free && pairing::is_for_house(ticket, now(), app.pace()) {
            *fate = seat_with_house(app, division, ticket).await;
        }
    }
    tickets.retain(|(_, fate)| *fate != Fate::Seated);
    let left: Vec<Ticket> = tickets.into_iter().map(|(ticket, _)| ticket).collect();
    match pairing::next_look(&left, now(), app.pace()) {
        Some(delay_ms) => look_again(app, division, delay_ms).await,
        None => Ok(()),
    }
}

async fn look_again(app: &App, division: Division, delay_ms: i64) -> Result<(), Again> {
    let now = now();
    Ok(app.store.ring(&[Bell::Match { division, at: now.plus(delay_ms) }], now).await?)
}

/// Seats all who accept each other. Whoever loses a partner that way is paired anew, before it is
/// offered a house bot.
async fn seat_pairs(app: &App, division: Division, tickets: &mut [(Ticket, Fate)]) {
    loop {
        let free: Vec<usize> =
            (0..tickets.len()).filter(|&index| tickets[index].1 == Fate::Free).collect();
        let waiting: Vec<Ticket> = free.iter().map(|&index| tickets[index].0.clone()).collect();
        let pairs = pairing::pair(&waiting, now());
        if pairs.is_empty() {
            return;
        }
        for (first, second) in pairs {
            let pair = BySeat { first: &waiting[first], second: &waiting[second] };
            let fates = seat(app, division, pair).await;
            if fates.first == Fate::Seated {
                app.note_match(&[pair.first.since, pair.second.since]);
            }
            tickets[free[first]].1 = fates.first;
            tickets[free[second]].1 = fates.second;
        }
    }
}

/// What becomes of a pair: both are seated, or one of them at least is not free. The index the tickets
/// came from may be old: the agents themselves are read again, and the write holds only if both still
/// wait with these tickets. The game starts now, however long the look has taken so far.
async fn seat(app: &App, division: Division, tickets: BySeat<&Ticket>) -> BySeat<Fate> {
    let aside = BySeat { first: Fate::Aside, second: Fate::Aside };
    let now = now();
    let first = waiting(app, division, tickets.first, now).await;
    let second = waiting(app, division, tickets.second, now).await;
    let (Some(first), Some(second)) = (&first, &second) else {
        let fate = |agent: &Option<Agent>| if agent.is_some() { Fate::Free } else { Fate::Aside };
        return BySeat { first: fate(&first), second: fate(&second) };
    };
    let players = BySeat { first, second };
    let Some(plan) = table::seat(players, division, now, app.pace()) else { return aside };
    let commit = match app.store.commit(&plan, now).await {
        Ok(Commit::Done) => return BySeat { first: Fate::Seated, second: Fate::Seated },
        Ok(stale) => stale,
        Err(fault) => {
            log::fault(&fault);
            return aside;
        }
    };
    let has_lost = |ticket: &Ticket| {
        let is_its_seat =
            |write: &Write| matches!(write, Write::Seat { agent, .. } if *agent == ticket.name);
        let index = plan.writes.iter().position(is_its_seat);
        index.is_some_and(|index| commit.stale(index).is_some())
    };
    let fates = tickets.map(|ticket| if has_lost(ticket) { Fate::Aside } else { Fate::Free });
    if fates.first == Fate::Free && fates.second == Fate::Free { aside } else { fates }
}

/// The agent, if it still waits in this division. A fault is logged.
async fn waiting(app: &App, division: Division, ticket: &Ticket, now: Timestamp) -> Option<Agent> {
    let agent = match app.store.agent(&ticket.name).await {
        Ok(agent) => agent?,
        Err(fault) => {
            log::fault(&fault);
            return None;
        }
    };
    let is_here = agent.waiting.is_some_and(|waiting| waiting.division == division);
    (is_here && agent.ticket(now).is_some()).then_some(agent)
}

/// What becomes of a ticket that is to be seated with a house bot, on the same conditions.
async fn seat_with_house(app: &App, division: Division, ticket: &Ticket) -> Fate {
    let now = now();
    let Some(agent) = waiting(app, division, ticket, now).await else { return Fate::Aside };
    let Some(plan) = table::seat_with_house(&agent, division, now, app.pace()) else {
        return Fate::Free;
    };
    match app.store.commit(&plan, now).await {
        Ok(Commit::Done) => {
            app.note_match(&[ticket.since]);
            Fate::Seated
        }
        Ok(Commit::Stale(_)) => Fate::Aside,
        Err(fault) => {
            log::fault(&fault);
            Fate::Aside
        }
    }
}
