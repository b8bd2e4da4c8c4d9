//! Matchmaking: reads who waits, pairs them, seats each pair on condition that both still wait.

use arena::pairing::{self, Ticket};
use arena::{Bell, Division, Timestamp, table};
use arena_http::App;
use arena_store::Commit;
use renju::BySeat;

use crate::Again;

/// Pairs whoever can be paired in a division and, if somebody is left who may be soon, looks again.
pub(crate) async fn look(
    app: &App,
    division: Division,
    attempt: u8,
    now: Timestamp,
) -> Result<(), Again> {
    let waiting = app.store.waiting(division, now).await?;
    let pairs = pairing::pair(&waiting, now);
    let mut seated = vec![false; waiting.len()];
    for (first, second) in pairs {
        let tickets = BySeat { first: &waiting[first], second: &waiting[second] };
        if seat(app, division, tickets, now).await? {
            app.note_match([waiting[first].since, waiting[second].since]);
            seated[first] = true;
            seated[second] = true;
        }
    }
    let progress = seated.contains(&true);
    let left: Vec<Ticket> =
        waiting.into_iter().zip(seated).filter(|(_, seated)| !seated).map(|(t, _)| t).collect();
    if pairing::next_look(&left, now).is_some() {
        let attempt = if progress { 1 } else { attempt.saturating_add(1) };
        app.store.ring(&[Bell::Match { division, attempt }], now).await?;
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
    let Some(plan) = table::seat(players, division, now, app.pace()) else { return Ok(false) };
    Ok(matches!(app.store.commit(&plan, now).await?, Commit::Done))
}
