//! The audit of what the server left behind: its tables, and whether all that it granted is there.

use std::io;
use std::path::Path;

use arena_local::Stack;
use arena_store::{Access, Audit, Store};
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
    /// Decisions that were granted to the crowd and looked for.
    pub(crate) granted: usize,
    /// Those of them that are not in a log, or at another turn.
    pub(crate) granted_lost: usize,
    pub(crate) violations: usize,
    pub(crate) shown: Vec<String>,
}

impl TablesReport {
    /// Whether everything is as it should be after all games have ended.
    pub(crate) fn is_clean(&self) -> bool {
        self.violations == 0 && self.granted_lost == 0 && self.games_live == 0 && self.waiting == 0
    }
}

/// Opens the tables in `data`, which no server may be using, and audits them.
pub(crate) async fn audit(data: &Path, granted: &[Granted]) -> io::Result<TablesReport> {
    let stack = Stack::file(data).await?;
    let access = Access::local(stack.dynamodb(), stack.sqs());
    let store = Store::create(&access, PREFIX, 1).await.map_err(io::Error::other)?;
    let audit = store.audit(arena_http::now()).await.map_err(io::Error::other)?;
    stack.stop().await;
    let games = audit.games.len();
    Ok(TablesReport {
        agents: audit.agents,
        waiting: audit.waiting,
        standings: audit.standings,
        games_finished: audit.finished,
        games_live: audit.live,
        decisions: audit.games.values().map(|game| game.log().len()).sum(),
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
