//! The audit of what the server left behind: its tables, and whether all that it granted is there.

use std::collections::HashSet;
use std::io;
use std::path::Path;

use arena::{Tag, TurnNumber};
use arena_local::Stack;
use arena_store::{Audit, Store};
use serde::Serialize;

use crate::agent::Granted;

/// What `arena-local` calls its tables.
const PREFIX: &str = "arena";

/// So many violations are shown; all are counted.
const SHOWN: usize = 20;

/// What the audit found.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct TablesReport {
    pub(crate) agents: usize,
    pub(crate) waiting: usize,
    pub(crate) standings: usize,
    pub(crate) games_finished: usize,
    pub(crate) games_live: usize,
    pub(crate) decisions: usize,
    pub(crate) game_bytes_mean: usize,
    /// Those of the decisions that the clock made.
    pub(crate) by_clock: usize,
    /// Decisions that were granted to the crowd and looked for.
    pub(crate) granted: usize,
    /// Those of them that are not in a log, or at another turn.
    pub(crate) granted_lost: usize,
    /// Decisions in a log that neither the clock made nor anybody was granted. An answer that was
    /// lost leaves one, and is a failure of its own.
    pub(crate) ungranted: usize,
    pub(crate) violations: usize,
    pub(crate) shown: Vec<String>,
}

impl TablesReport {
    /// Whether everything is as it should be after all games have ended.
    pub(crate) fn is_clean(&self) -> bool {
        let wrong = [self.violations, self.granted_lost, self.ungranted];
        let left = [self.games_live, self.waiting];
        wrong.into_iter().chain(left).all(|count| count == 0)
    }
}

/// Opens the tables in `data`, which no server may be using, and audits them.
pub(crate) async fn audit(data: &Path, granted: &[Granted]) -> io::Result<TablesReport> {
    let stack = Stack::file(data)?;
    let store = Store::create(&stack.access(), PREFIX, 1).await.map_err(io::Error::other)?;
    let audit = store.audit(arena_http::now()).await.map_err(io::Error::other)?;
    stack.stop().await;
    let games = audit.games.len();
    let entries = || audit.games.values().flat_map(|game| game.log());
    let by_clock = entries().filter(|entry| entry.tag == Tag::CLOCK).count();
    let known: HashSet<_> =
        granted.iter().map(|granted| (granted.game, granted.turn, granted.tag)).collect();
    let ungranted = audit.games.values().map(|game| {
        let turns = (0..).map(TurnNumber).zip(game.log());
        turns
            .filter(|(turn, entry)| {
                entry.tag != Tag::CLOCK && !known.contains(&(game.id(), *turn, entry.tag))
            })
            .count()
    });
    Ok(TablesReport {
        agents: audit.agents,
        waiting: audit.waiting,
        standings: audit.standings,
        games_finished: audit.finished,
        games_live: audit.live,
        decisions: entries().count(),
        by_clock,
        ungranted: ungranted.sum(),
        game_bytes_mean: audit.game_bytes.checked_div(games).unwrap_or(0),
        granted: granted.len(),
        granted_lost: granted.iter().filter(|granted| !is_logged(&audit, granted)).count(),
        violations: audit.violations.len(),
        shown: audit.violations.into_iter().take(SHOWN).collect(),
    })
}

/// I6: what was granted is in the log, at its turn.
fn is_logged(audit: &Audit, granted: &Granted) -> bool {
    let entry =
        audit.games.get(&granted.game).and_then(|game| game.log().get(granted.turn.0 as usize));
    entry.is_some_and(|entry| entry.tag == granted.tag)
}
