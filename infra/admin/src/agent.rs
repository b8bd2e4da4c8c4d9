//! Commands about an agent.

use std::io::Write;

use arena::{Agent, AgentName, Game, Timestamp};
use arena_lambda::ApiKey;
use arena_protocol::{Backend, Read, ban as ban_agent, delete as delete_agent, unban as end_ban};
use arena_store::{Store, now};
use arena_wire::TimeView;

use crate::error::Error;

pub(crate) async fn show(store: &Store, out: &mut Vec<u8>, name: &AgentName) -> Result<(), Error> {
    let missing = || Error::new(format!("there is no agent {name}"));
    let agent = store.agent(name).await?.ok_or_else(missing)?;
    let standings = store.profile(name).await?.map(|(_, standings)| standings);
    let now = now();
    let none = || "none".to_owned();
    let previous = agent.keys.previous.filter(|(_, until)| now < *until);
    let queue = agent
        .waiting
        .filter(|waiting| now <= waiting.until)
        .map(|waiting| format!("{} since {}", waiting.division, time(waiting.since)));
    let cooling = agent.cool_until.filter(|until| now < *until);
    let lines = [
        ("name", name.to_string()),
        ("registered", time(agent.created)),
        ("owner", agent.owner.clone().unwrap_or_else(none)),
        ("bio", agent.bio.clone().unwrap_or_else(none)),
        ("ban", agent.ban.clone().unwrap_or_else(none)),
        ("replaced key", previous.map_or_else(none, |(_, until)| format!("until {}", time(until)))),
        ("queue", queue.unwrap_or_else(none)),
        ("cannot join", cooling.map_or_else(none, |until| format!("until {}", time(until)))),
        ("last game", last_game(store, &agent).await?),
    ];
    for (what, value) in lines {
        writeln!(out, "{what:13} {value}")?;
    }
    for (division, standing) in standings.unwrap_or_default() {
        let rating = standing.rating_at(now);
        writeln!(
            out,
            "{division}: {:.0} ± {:.0}, {} won, {} lost ({} on time), {} drawn, {} did not count",
            rating.value,
            rating.deviation,
            standing.won,
            standing.lost,
            standing.timeouts,
            standing.drawn,
            standing.uncounted
        )?;
    }
    Ok(())
}

async fn last_game(store: &Store, agent: &Agent) -> Result<String, Error> {
    let Some(id) = agent.game else { return Ok("none".to_owned()) };
    let stored = store.game(id, Read::Strong).await?;
    let state = match stored.as_ref().map(|stored| stored.game.result()) {
        None => "gone",
        Some(None) => "in progress",
        Some(Some(_)) => "over",
    };
    Ok(format!("{id}, {state}"))
}

pub(crate) async fn ban(
    store: &Store,
    out: &mut Vec<u8>,
    name: &AgentName,
    why: &str,
) -> Result<(), Error> {
    let agent = ban_agent(store, name, why).await?;
    writeln!(out, "{name} is banned and is told: {why}")?;
    if let Some(game) = live_game(store, &agent).await? {
        let id = game.id();
        writeln!(out, "its game {id} goes on: its clock ends it, or `game end {id}`")?;
    }
    Ok(())
}

async fn live_game(store: &Store, agent: &Agent) -> Result<Option<Game>, Error> {
    let Some(id) = agent.game else { return Ok(None) };
    let stored = store.game(id, Read::Strong).await?;
    Ok(stored.map(|stored| stored.game).filter(|game| game.result().is_none()))
}

pub(crate) async fn unban(store: &Store, out: &mut Vec<u8>, name: &AgentName) -> Result<(), Error> {
    match end_ban(store, name).await?.ban {
        Some(why) => writeln!(out, "{name} is no longer banned (it was: {why})")?,
        None => writeln!(out, "{name} was not banned")?,
    }
    Ok(())
}

pub(crate) async fn delete(
    store: &Store,
    out: &mut Vec<u8>,
    name: &AgentName,
) -> Result<(), Error> {
    delete_agent(store, name).await?;
    writeln!(out, "{name} is deleted; its finished games stay, and its name is free")?;
    Ok(())
}

pub(crate) async fn reset_key(
    store: &Store,
    out: &mut Vec<u8>,
    name: &AgentName,
) -> Result<(), Error> {
    let key = ApiKey::random(name).map_err(|error| Error::new(error.to_string()))?;
    arena_protocol::reset_key(store, name, key.hash()).await?;
    // The key alone, so that a script can read it.
    writeln!(out, "{}", key.reveal())?;
    Ok(())
}

fn time(at: Timestamp) -> String {
    TimeView(at).to_string()
}
