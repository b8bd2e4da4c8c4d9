//! Matchmaking: reads who waits, pairs them, seats each pair on condition that both still wait, and
//! seats with house bots who has waited long enough.

use arena::pairing::{self, Ticket};
use arena::{Bell, Division, Plan, Timestamp, table};
use arena_http::App;
use arena_store::Commit;
use renju::BySeat;

use crate::Again;

/// Seats whoever can be seated in a division and, if somebody is left who may be soon, looks again.
pub(crate) async fn look(app: &App, division: Division, now: Timestamp) -> Result<(), Again> {
    let waiting = app.store.waiting(division, now).await?;
    let mut seated = vec![false; waiting.len()];
    for (first, second) in pairing::pair(&waiting, now) {
        let tickets = BySeat { first: &waiting[first], second: &waiting[second] };
        if seat(app, division, tickets, now).await? {
            app.note_match(&[waiting[first].since, waiting[second].since]);
            seated[first] = true;
            seated[second] = true;
        }
    }
    for (ticket, seated) in waiting.iter().zip(&mut seated) {
        if !*seated && pairing::is_for_house(ticket, now, app.pace()) {
            *seated = seat_with_house(app, division, ticket, now).await?;
            if *seated {
                app.note_match(&[ticket.since]);
            }
        }
    }
    let left: Vec<Ticket> =
        waiting.into_iter().zip(seated).filter(|(_, seated)| !seated).map(|(t, _)| t).collect();
    if let Some(delay_ms) = pairing::next_look(&left, now, app.pace()) {
        app.store.ring(&[Bell::Match { division, at: now.plus(delay_ms) }], now).await?;
    }
    Ok(())
}

/// Whether the pair is seated. The index the tickets came from may be old: the agents themselves
/// are read again, and the write holds only if both still wait with these tickets.
async fn seat(
    app: &App,
    division: Division,
    tickets: BySeat<&Ticket>,
    now: Timestamp,
) -> Result<bool, Again> {
    let first = app.store.agent(&tickets.first.name).await?;
    let second = app.store.agent(&tickets.second.name).await?;
    let (Some(first), Some(second)) = (first, second) else { return Ok(false) };
    let players = BySeat { first: &first, second: &second };
    sit(app, table::seat(players, division, now, app.pace()), now).await
}

/// Whether the agent is seated with a house bot, on the same conditions.
async fn seat_with_house(
    app: &App,
    division: Division,
    ticket: &Ticket,
    now: Timestamp,
) -> Result<bool, Again> {
    let Some(agent) = app.store.agent(&ticket.name).await? else { return Ok(false) };
    sit(app, table::seat_with_house(&agent, division, now, app.pace()), now).await
}

async fn sit(app: &App, plan: Option<Plan>, now: Timestamp) -> Result<bool, Again> {
    let Some(plan) = plan else { return Ok(false) };
    Ok(matches!(app.store.commit(&plan, now).await?, Commit::Done))
}
