//! Invariants between games, agents and standings.

use std::collections::{BTreeMap, HashSet};

use arena::{
    Action, Agent, AgentName, Division, Game, GameId, RECENT_MAX, Rating, Reason, Score, Standing,
    Tag, Timestamp, TurnNumber,
};
use renju::Seat;

use crate::codec;

/// Everything that could be decoded.
#[derive(Default)]
pub(super) struct Snapshot {
    pub(super) agents: BTreeMap<AgentName, Agent>,
    pub(super) standings: Vec<(AgentName, Division, Standing)>,
    pub(super) games: BTreeMap<GameId, Held>,
}

/// A game and the other attributes of its item.
pub(super) struct Held {
    pub(super) game: Game,
    pub(super) armed: Option<Timestamp>,
    pub(super) list: String,
    pub(super) listed_at: Timestamp,
}

/// Unit of time in the log: an entry may have been made up to this much later than it says.
const TICK_MS: i64 = 10;

/// Largest error of a deviation that was rounded.
const ROUNDING: f64 = 1e-3;

impl Snapshot {
    pub(super) fn violations(&self) -> Vec<String> {
        let mut found = Vec::new();
        for held in self.games.values() {
            check_log(&held.game, &mut found);
            check_lists(held, &mut found);
            self.check_players(&held.game, &mut found);
        }
        for agent in self.agents.values() {
            self.check_agent(agent, &mut found);
        }
        self.check_standings(&mut found);
        found
    }

    /// I1, I7: the agents of a live game are seated in it and nowhere else, and it has their keys,
    /// but none of a banned agent. A finished game may be of an agent that was deleted.
    fn check_players(&self, game: &Game, found: &mut Vec<String>) {
        let id = game.id();
        for seat in Seat::BOTH {
            let name = &game.header().players[seat].name;
            let Some(key) = game.header().players[seat].key() else { continue };
            if game.result().is_some() {
                continue;
            }
            let Some(agent) = self.agents.get(name) else {
                found.push(format!("I7 {name} plays game {id} but is no agent"));
                continue;
            };
            if agent.game != Some(id) {
                let seated = agent.game.map_or("none".to_owned(), |game| game.to_string());
                found.push(format!("I1 {name} plays game {id} but was last seated in {seated}"));
            }
            if agent.waiting.is_some() {
                found.push(format!("I7 {name} waits for a game while it plays game {id}"));
            }
            if agent.digest() != *key {
                let whose = if agent.ban.is_some() { "has a key" } else { "does not have the key" };
                found.push(format!("I7 game {id} {whose} of {name}"));
            }
        }
        if game.header().players.first.name == game.header().players.second.name {
            found.push(format!("I1 both players of game {id} are the same"));
        }
        if game.is_exhibition() && game.is_rated() {
            found.push(format!("I1 game {id} is rated but has no agent"));
        }
    }

    /// I7: the game an agent was last seated in exists and knows it. A banned agent does not wait.
    fn check_agent(&self, agent: &Agent, found: &mut Vec<String>) {
        if agent.ban.is_some() && agent.waiting.is_some() {
            found.push(format!("I7 {} waits for a game although it is banned", agent.name));
        }
        let (name, Some(id)) = (&agent.name, agent.game) else { return };
        match self.games.get(&id) {
            None => found.push(format!("I7 {name} is seated in game {id}, which does not exist")),
            Some(held) if held.game.seat_of(name).is_none() => {
                found.push(format!("I7 {name} is seated in game {id}, which others play"));
            }
            Some(_) => {}
        }
    }

    /// I5: every standing equals the one computed from its agent's finished games in the division.
    /// Games from before the agent was registered are of one that had the name and was deleted.
    fn check_standings(&self, found: &mut Vec<String>) {
        let mut records: BTreeMap<(&AgentName, String), Vec<&Game>> = BTreeMap::new();
        for Held { game, .. } in self.games.values() {
            if game.is_rated() && game.result().is_some_and(|result| !result.is_void()) {
                let players = Seat::BOTH.map(|seat| &game.header().players[seat]);
                let is_its = |agent: &&Agent| game.header().created >= agent.created;
                for name in players.map(|player| &player.name) {
                    if self.agents.get(name).filter(is_its).is_some() {
                        let division = game.header().division.to_string();
                        records.entry((name, division)).or_default().push(game);
                    }
                }
            }
        }
        for (name, division, standing) in &self.standings {
            if !self.agents.contains_key(name) {
                found.push(format!("I5 {name} has a standing in {division} but is no agent"));
                continue;
            }
            let games = records.remove(&(name, division.to_string())).unwrap_or_default();
            if let Err(why) = check_standing(name, standing, games) {
                found.push(format!("I5 the standing of {name} in {division}: {why}"));
            }
        }
        for ((name, division), games) in records {
            let count = games.len();
            found.push(format!("I5 {name} has {count} games in {division} but no standing"));
        }
    }
}

/// I3, I9: no idempotency key counts twice, and the clock ends only what is overdue.
fn check_log(game: &Game, found: &mut Vec<String>) {
    let id = game.id();
    let mut tags = HashSet::new();
    for (turn, entry) in game.log().iter().enumerate() {
        if entry.tag != Tag::CLOCK && !tags.insert(entry.tag) {
            found.push(format!("I3 game {id} has the same key twice, again at turn {turn}"));
        }
        if matches!(entry.action, Action::Timeout | Action::NoShow) {
            let before = game.at(TurnNumber(turn as u32));
            let ended = before.last_at().plus(i64::from(entry.elapsed) * TICK_MS + TICK_MS);
            if before.deadline().is_none_or(|deadline| ended <= deadline) {
                let took_ms = ended.since(before.last_at());
                let what = format!("was ended by the clock {took_ms} ms into turn {turn}");
                found.push(format!("I9 game {id} {what}"));
            }
        }
    }
}

/// I17: a game in progress is listed as live and has a timer; one that is over has neither.
fn check_lists(held: &Held, found: &mut Vec<String>) {
    let Held { game, armed, list, listed_at } = held;
    let id = game.id();
    let is_listed = match game.result() {
        None => list.starts_with("live#") && *listed_at == game.header().created,
        Some(_) => {
            let over = codec::game::over_key(game.ruleset(), 0);
            codec::is_shard_of(list, &over) && *listed_at == game.last_at()
        }
    };
    if !is_listed {
        found.push(format!("I17 game {id} is listed as {list} at {}", listed_at.ms()));
    }
    if armed.is_some() == game.result().is_some() {
        let what = if armed.is_some() { "is over but has a timer" } else { "has no timer" };
        found.push(format!("I17 game {id} {what}"));
    }
}

/// Counts the games again and replays the rating from first to last.
fn check_standing(name: &AgentName, standing: &Standing, games: Vec<&Game>) -> Result<(), String> {
    let count = |is: &dyn Fn(Score, Reason) -> bool| {
        let counted = games.iter().filter(|game| game.uncounted().is_none());
        let results = counted.filter(|game| {
            let (score, _, _) = side(name, game);
            game.result().is_some_and(|result| is(score, result.reason))
        });
        results.count() as u32
    };
    let uncounted = games.iter().filter(|game| game.uncounted().is_some());
    let lost_on_time = |score, reason| score == Score::Loss && reason == Reason::Timeout;
    let counters = [
        ("won", standing.won, count(&|score, _| score == Score::Win)),
        ("lost", standing.lost, count(&|score, _| score == Score::Loss)),
        ("drawn", standing.drawn, count(&|score, _| score == Score::Draw)),
        ("timeouts", standing.timeouts, count(&lost_on_time)),
        ("uncounted", standing.uncounted, uncounted.count() as u32),
    ];
    for (what, stored, counted) in counters {
        if stored != counted {
            return Err(format!("{what} is {stored}, but {counted} games say so"));
        }
    }

    let mut rating = Rating::NEW;
    let mut rated_at = None;
    for game in in_order(standing, games)? {
        let (score, own, opponent) = side(name, game);
        if !continues(rating, rated_at, own, game.header().created) {
            let id = game.id();
            return Err(format!("game {id} started with {own:?} after {rating:?}"));
        }
        if game.uncounted().is_none() {
            rating = own.after(opponent, score);
            rated_at = Some(game.last_at());
        }
    }
    if (rating, rated_at) != (standing.rating, standing.rated_at) {
        return Err(format!("the games make it {rating:?}, not {:?}", standing.rating));
    }
    Ok(())
}

/// The result for `name`, and both ratings at the start of the game.
fn side(name: &AgentName, game: &Game) -> (Score, Rating, Rating) {
    let seat = game.seat_of(name).expect("a record holds only games of its agent");
    let result = game.result().expect("a record holds only finished games");
    let players = &game.header().players;
    (result.score(seat), players[seat].rating, players[!seat].rating)
}

/// The games in the order they were rated: the latest as the standing lists them, which is exact;
/// earlier ones by their ends, which is inexact if clocks differed.
fn in_order<'a>(standing: &Standing, games: Vec<&'a Game>) -> Result<Vec<&'a Game>, String> {
    let older = games.len().checked_sub(standing.recent.len());
    let older = older.ok_or("it lists more games than were finished")?;
    if older > 0 && standing.recent.len() < RECENT_MAX {
        return Err(format!("it lists {} of {} games", standing.recent.len(), games.len()));
    }
    let (recent, mut rest): (Vec<&Game>, Vec<&Game>) =
        games.into_iter().partition(|game| standing.recent.contains(&game.id()));
    if rest.len() != older {
        return Err("it lists a game twice, or one that is not its own".to_owned());
    }
    rest.sort_by_key(|game| game.last_at());
    let place = |game: &&Game| standing.recent.iter().position(|id| *id == game.id());
    let mut recent = recent;
    recent.sort_by_key(place);
    Ok(rest.into_iter().chain(recent).collect())
}

/// True if a game that started with `own` can follow a game that left `before`: between the two
/// only the deviation grows, by no more than the time that passed.
fn continues(before: Rating, since: Option<Timestamp>, own: Rating, start: Timestamp) -> bool {
    let most = since.map_or(before, |since| before.idle(start.since(since)));
    own.value == before.value
        && own.volatility == before.volatility
        && own.deviation >= before.deviation - ROUNDING
        && own.deviation <= most.deviation + ROUNDING
}

#[cfg(test)]
mod tests;
