//! Audit: reads both tables and reports violated invariants. For tests and operators.
//!
//! The names of the invariants are those of `docs/architecture.md`. Those about change (a log is
//! never rewritten) take two audits: [`Audit::since`].

mod check;

use std::collections::{BTreeMap, BTreeSet};

use arena::{AgentName, Division, Game, GameId, Standing, Timestamp};
use arena_protocol::{Fault, Stored};
use aws_sdk_dynamodb::types::ReturnConsumedCapacity;

use crate::codec::game::{LIST, LISTED_AT};
use crate::codec::standing::BOARD;
use crate::codec::{self, Item, PK, Reader, SK, Undecodable, item_bytes};
use crate::schema::{self, Index, Table};
use crate::{Store, fault};
use check::{Held, Snapshot};

/// Longest time a game can be in progress after its deadline; by then the referee or the sweep has
/// ended it.
const OVERDUE_MS: i64 = 190_000;

#[allow(missing_docs, reason = "the names say it")]
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Audit {
    /// One line each.
    pub violations: Vec<String>,
    pub agents: usize,
    /// Number of agents in the queue.
    pub waiting: usize,
    pub standings: usize,
    /// Number of games in progress.
    pub live: usize,
    /// Number of those that the clock should have ended: not wrong, but the referee is late.
    pub overdue: usize,
    pub finished: usize,
    /// Size of all games, as DynamoDB counts it.
    pub game_bytes: usize,
    /// Time of the last sweep.
    pub heartbeat: Option<Timestamp>,
    pub games: BTreeMap<GameId, Game>,
}

impl Audit {
    /// True without violations.
    pub fn is_clean(&self) -> bool {
        self.violations.is_empty()
    }

    /// Violations between an earlier audit and this one: a log only grows, and not after its end.
    pub fn since(&self, earlier: &Audit) -> Vec<String> {
        let mut violations = Vec::new();
        for (id, before) in &earlier.games {
            match self.games.get(id) {
                None => violations.push(format!("I13 game {id} is gone")),
                Some(after) if !after.log().starts_with(before.log()) => {
                    violations.push(format!("I13 the log of game {id} was rewritten"));
                }
                Some(after) if before.result().is_some() && after.turn() != before.turn() => {
                    violations.push(format!("I16 game {id} went on after its end"));
                }
                Some(_) => {}
            }
        }
        violations
    }
}

impl Store {
    /// Reads both tables and all indexes, and checks the arena's invariants. Concurrent writes may
    /// be half seen, so a violation counts only if there are none, or if the next audit finds it
    /// too.
    pub async fn audit(&self, now: Timestamp) -> Result<Audit, Fault> {
        let mut audit = Audit { heartbeat: self.last_heartbeat().await?, ..Audit::default() };
        let config = self.config();
        let agents = self.scan(&config.agents_table, None).await?;
        let games = self.scan(&config.games_table, None).await?;
        let tables = [
            (&config.agents_table, &schema::AGENTS, &agents),
            (&config.games_table, &schema::GAMES, &games),
        ];
        for (name, table, items) in tables {
            for index in table.indexes {
                let listed = self.scan(name, Some(index.name)).await?;
                audit.violations.extend(differences(table, index, items, &listed));
            }
        }
        let snapshot = audit.read(&agents, &games);
        audit.violations.extend(snapshot.violations());
        audit.count(snapshot, now);
        audit.game_bytes = games.iter().map(item_bytes).sum();
        Ok(audit)
    }

    async fn scan(&self, table: &str, index: Option<&str>) -> Result<Vec<Item>, Fault> {
        let (mut items, mut start) = (Vec::new(), None);
        loop {
            let output = self
                .dynamodb()
                .scan()
                .table_name(table)
                .set_index_name(index.map(str::to_owned))
                .consistent_read(index.is_none())
                .set_exclusive_start_key(start)
                .return_consumed_capacity(ReturnConsumedCapacity::Total)
                .send()
                .await
                .map_err(|error| fault::service("audit", error))?;
            self.meter().read("audit", output.consumed_capacity());
            items.extend(output.items.unwrap_or_default());
            start = output.last_evaluated_key;
            if start.is_none() {
                return Ok(items);
            }
        }
    }
}

impl Audit {
    /// Decodes all items; one that cannot be decoded is a violation.
    fn read(&mut self, agents: &[Item], games: &[Item]) -> Snapshot {
        let mut snapshot = Snapshot::default();
        for item in agents {
            let read = match Reader(item).text(SK) {
                Ok(codec::agent::SORT) => codec::agent::decode(item).map(|agent| {
                    snapshot.agents.insert(agent.name.clone(), agent);
                }),
                _ if codec::standing::is_standing(item) => read_standing(item).map(|read| {
                    snapshot.standings.push(read);
                }),
                _ => Ok(()),
            };
            self.violations.extend(read.err().map(|error| format!("I14 {error}")));
        }
        for item in games {
            match read_game(item) {
                Ok(held) => _ = snapshot.games.insert(held.game.id(), held),
                Err(error) => self.violations.push(format!("I14 {error}")),
            }
        }
        snapshot
    }

    fn count(&mut self, snapshot: Snapshot, now: Timestamp) {
        self.agents = snapshot.agents.len();
        self.waiting = snapshot.agents.values().filter(|agent| agent.waiting.is_some()).count();
        self.standings = snapshot.standings.len();
        self.games = snapshot.games.into_iter().map(|(id, held)| (id, held.game)).collect();
        self.finished = self.games.values().filter(|game| game.result().is_some()).count();
        self.live = self.games.len() - self.finished;
        let deadlines = self.games.values().filter_map(Game::deadline);
        self.overdue = deadlines.filter(|deadline| now.since(*deadline) > OVERDUE_MS).count();
    }
}

/// A standing whose item is exactly as we would write it, in any shard.
fn read_standing(item: &Item) -> Result<(AgentName, Division, Standing), Undecodable> {
    let reader = Reader(item);
    let (name, (division, standing)) = (reader.parsed(PK)?, codec::standing::decode(item)?);
    let mut wanted = codec::standing::encode(&name, division, &standing, 1);
    if let (Some(board), Some(stored)) = (wanted.get_mut(BOARD), item.get(BOARD))
        && codec::is_shard_of(reader.text(BOARD)?, &division.to_string())
    {
        board.clone_from(stored);
    }
    if wanted != *item {
        return Err(reader.bad("lp or ls"));
    }
    Ok((name, division, standing))
}

fn read_game(item: &Item) -> Result<Held, Undecodable> {
    let reader = Reader(item);
    let Stored { game, armed } = codec::game::decode(item)?;
    Ok(Held {
        game,
        armed,
        list: reader.text(LIST)?.to_owned(),
        listed_at: reader.time(LISTED_AT)?,
    })
}

/// I17: an index lists exactly the items that have its keys.
fn differences(table: &Table, index: &Index, items: &[Item], listed: &[Item]) -> Vec<String> {
    let names: Vec<&str> =
        [Some(table.partition), table.sort, Some(index.partition), Some(index.sort)]
            .into_iter()
            .flatten()
            .map(|key| key.name)
            .collect();
    let keys = |items: &[Item]| -> BTreeSet<String> {
        let key = |item: &Item| {
            let values: Option<Vec<String>> = names
                .iter()
                .map(|name| item.get(*name).map(|value| format!("{value:?}")))
                .collect();
            values.map(|values| values.join(" "))
        };
        items.iter().filter_map(key).collect()
    };
    let (expected, found) = (keys(items), keys(listed));
    let lacking = expected.difference(&found).map(|key| (key, "lacks"));
    let surplus = found.difference(&expected).map(|key| (key, "still lists"));
    lacking
        .chain(surplus)
        .map(|(key, what)| format!("I17 index {} {what} {key}", index.name))
        .collect()
}
