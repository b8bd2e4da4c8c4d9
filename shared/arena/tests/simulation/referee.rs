//! The referee: answers bells. What a bell says is never trusted, only looked at.

use std::collections::BTreeMap;
use std::rc::Rc;

use arena::pairing::{self, Ticket};
use arena::timer::{self, Ring};
use arena::{
    Actor, Agent, AgentName, Bell, Division, GameId, Opponent, Submission, Timestamp, table,
};
use renju::BySeat;

use super::handlers::{call_again, enforce, update};
use super::mutants::Mutant;
use super::process::{Failed, Process, Read};

/// A timer this late is taken for lost.
const LATE_MS: i64 = 60_000;

/// A ticket this old has been missed by its own message.
const MISSED_MS: i64 = 30_000;

/// How many games one message of a sweep looks at: few, so that sweeps go on over several.
const SWEEP_PAGE: usize = 3;

/// Answers one bell; a message that fails is delivered again. One look at a queue serves all the
/// messages of a batch about it, which `paired` remembers.
pub(crate) async fn answer(
    process: &Process,
    bell: Bell,
    paired: &mut Vec<Division>,
) -> Result<(), Failed> {
    match bell {
        Bell::Match { division, .. } if paired.contains(&division) => Ok(()),
        Bell::Timer { game, fire } => answer_timer(process, game, fire).await,
        Bell::Match { division, .. } => {
            paired.push(division);
            answer_match(process, division).await
        }
        Bell::House { .. } => unreachable!("house bots have a queue of their own"),
        Bell::Sweep => sweep(process).await,
        Bell::SweepOn { after, .. } => sweep_games(process, after).await,
    }
}

async fn answer_timer(process: &Process, id: GameId, fire: Timestamp) -> Result<(), Failed> {
    let world = &process.world;
    let item = process.read(Read::Strong, |store, at| store.game(id, at)).await?;
    let mut state = item.as_ref().map(|item| (&*item.game, item.armed));
    if world.is(Mutant::RearmUnchecked) {
        state = state.map(|(game, _)| (game, Some(fire)));
    }
    match (timer::ring(state, fire, process.now(), &world.pace), item) {
        (Ring::Drop, _) => Ok(()),
        (Ring::Rearm(_), Some(item)) if world.is(Mutant::TimeoutUnchecked) => {
            let loaded = (item, Read::Strong);
            update(process, loaded, Actor::Clock, Submission::FLAG, process.now()).await?;
            Ok(())
        }
        (Ring::Rearm(mut plan), _) => {
            if world.is(Mutant::HouseForgotten) {
                plan.bells.retain(|bell| matches!(bell, Bell::Timer { .. }));
            }
            process.commit(plan).await.map(|_| ())
        }
        (Ring::Flag, Some(item)) => enforce(process, item, Read::Strong).await.map(|_| ()),
        (Ring::Later | Ring::Flag, _) => Err(Failed),
    }
}

async fn answer_match(process: &Process, division: Division) -> Result<(), Failed> {
    let now = process.now();
    let waiting: Vec<Rc<Agent>> = process.query(|store, at| store.pool(at)).await?;
    let tickets: Vec<Ticket> =
        waiting.iter().filter_map(|agent| ticket(agent, division, now)).collect();

    let mut left = tickets.clone();
    for (first, second) in pairing::pair(&tickets, now) {
        let names = BySeat { first: &tickets[first].name, second: &tickets[second].name };
        if seat(process, names, division).await? {
            left.retain(|ticket| ticket.name != *names.first && ticket.name != *names.second);
        }
    }
    let pace = process.world.pace;
    let is_unasked = process.world.is(Mutant::HouseUnasked);
    for ticket in left.clone() {
        if (is_unasked || pairing::is_for_house(&ticket, now, &pace))
            && seat_with_house(process, &ticket.name, division).await?
        {
            left.retain(|other| other.name != ticket.name);
        }
    }
    if let Some(delay_ms) = pairing::next_look(&left, now, &pace) {
        process.ring(Bell::Match { division, at: now.plus(delay_ms) }).await?;
    }
    Ok(())
}

/// The index entry of an agent that waits in this division.
fn ticket(agent: &Agent, division: Division, now: Timestamp) -> Option<Ticket> {
    agent.ticket(now)?;
    let waiting = agent.waiting.filter(|waiting| waiting.division == division)?;
    let owner = agent.owner.as_ref().map(|owner| owner.bytes().map(u64::from).sum());
    Some(Ticket {
        name: agent.name.clone(),
        epoch: agent.epoch,
        since: waiting.since,
        rating: waiting.rating,
        recent: agent.opponents.clone(),
        owner,
        opponent: waiting.opponent,
    })
}

/// Whether the agent now sits at a table with a house bot.
async fn seat_with_house(
    process: &Process,
    name: &AgentName,
    division: Division,
) -> Result<bool, Failed> {
    let agent = process.read(Read::Eventual, |store, at| store.agent(name, at)).await?;
    let Some(mut agent) = agent.map(|agent| (*agent).clone()) else { return Ok(false) };
    if let Some(waiting) = agent.waiting.as_mut().filter(|_| process.world.is(Mutant::HouseUnasked))
    {
        waiting.opponent = Opponent::Anyone;
    }
    match table::seat_with_house(&agent, division, process.now(), &process.world.pace) {
        Some(plan) => Ok(process.commit(plan).await?.is_ok()),
        None => Ok(false),
    }
}

/// Whether the two now sit at a table. The agents may be read stale: the plan's conditions decide.
async fn seat(
    process: &Process,
    names: BySeat<&AgentName>,
    division: Division,
) -> Result<bool, Failed> {
    let first = process.read(Read::Eventual, |store, at| store.agent(names.first, at)).await?;
    let second = process.read(Read::Eventual, |store, at| store.agent(names.second, at)).await?;
    let (Some(first), Some(second)) = (first, second) else { return Ok(false) };
    let players = BySeat { first: &*first, second: &*second };
    match table::seat(players, division, process.now(), &process.world.pace) {
        Some(plan) => Ok(process.commit(plan).await?.is_ok()),
        None => Ok(false),
    }
}

/// Looks at everything: what every lost message leaves behind is found here.
async fn sweep(process: &Process) -> Result<(), Failed> {
    let now = process.now();
    sweep_games(process, None).await?;
    let mut divisions: BTreeMap<String, Division> = BTreeMap::new();
    let mut lapsed = Vec::new();
    for agent in process.query(|store, at| store.pool(at)).await? {
        let waiting = agent.waiting.expect("the index lists who waits");
        if agent.ticket(now).is_none() {
            lapsed.push(agent.name.clone());
        } else if now.since(waiting.since) > MISSED_MS {
            divisions.insert(waiting.division.to_string(), waiting.division);
        }
    }
    for name in lapsed {
        let agent = process.read(Read::Strong, |store, at| store.agent(&name, at)).await?;
        if let Some(plan) = agent.and_then(|agent| agent.lapse(now)) {
            let _ = process.commit(plan).await?;
        }
    }
    if process.world.is(Mutant::SweepSkipsQueues) {
        divisions.clear();
    }
    for division in divisions.into_values() {
        process.ring(Bell::Match { division, at: now }).await?;
    }
    Ok(())
}

/// Looks at one page of the live games and leaves the rest to the next message.
async fn sweep_games(process: &Process, after: Option<(Timestamp, GameId)>) -> Result<(), Failed> {
    if process.world.is(Mutant::SweepSkipsGames) {
        return Ok(());
    }
    let now = process.now();
    let mut page: Vec<(Timestamp, GameId)> = process
        .query(|store, at| store.live(at))
        .await?
        .into_iter()
        .filter(|place| after.is_none_or(|after| *place > after))
        .collect();
    page.sort_unstable();
    let goes_on = page.len() > SWEEP_PAGE;
    page.truncate(SWEEP_PAGE);
    if let Some(&last) = page.last().filter(|_| goes_on) {
        process.ring(Bell::SweepOn { shard: 0, after: Some(last) }).await?;
    }
    for (_, id) in page {
        let item = process.read(Read::Strong, |store, at| store.game(id, at)).await?;
        let Some(item) = item else { continue };
        let Some(overdue) = item.game.overdue_from(&process.world.pace) else { continue };
        if now > overdue {
            enforce(process, item, Read::Strong).await?;
            continue;
        }
        call_again(process, &item.game).await?;
        if let Some(fire) = item.armed.filter(|fire| now.since(*fire) > LATE_MS) {
            answer_timer(process, id, fire).await?;
        }
    }
    Ok(())
}
