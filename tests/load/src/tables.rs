//! The audit of what the server left behind: its tables, and whether all that it granted is there.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::Path;

use arena::{Game, Reason, Tag, TurnNumber};
use arena_support::audit_of;
use renju::Seat;
use serde::Serialize;

use crate::tally::Granted;

/// So many violations are shown; all are counted.
const SHOWN: usize = 20;

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
    /// Decisions in a log that neither the clock nor a house bot made nor anybody was granted. An answer that was
    /// lost leaves one, and is a failure of its own.
    pub(crate) ungranted: usize,
    pub(crate) house_games: usize,
    /// Those of them that are void because the house bot ran out of time.
    pub(crate) house_voided: usize,
    /// Finished games by how they ended.
    pub(crate) reasons: BTreeMap<&'static str, usize>,
    pub(crate) violations: usize,
    pub(crate) shown: Vec<String>,
}

impl TablesReport {
    /// Counts that should be zero after all games have ended, each as a line if it is not.
    pub(crate) fn faults(&self) -> impl Iterator<Item = String> {
        let counts = [
            (self.granted_lost, "granted decisions are lost"),
            (self.violations, "violations were found by the audit"),
            (self.games_live + self.waiting, "games and tickets are left"),
        ];
        counts.into_iter().filter(|(count, _)| *count > 0).map(|(n, what)| format!("{n} {what}"))
    }
}

/// Opens the tables in `data`, which no server may be using, and audits them.
pub(crate) async fn audit(data: &Path, granted: &[Granted]) -> io::Result<TablesReport> {
    let audit = audit_of(data).await?;
    let games = audit.games.len();
    let entries = || audit.games.values().flat_map(|game| game.log());
    // I6: what was granted is in the log, at its turn, and nothing else is.
    let logged: HashSet<Granted> = audit.games.values().flat_map(by_agents).collect();
    let known: HashSet<Granted> = granted.iter().copied().collect();
    let house_games = || audit.games.values().filter(|game| has_house(game));
    let mut reasons = BTreeMap::new();
    for result in audit.games.values().filter_map(Game::result) {
        *reasons.entry(result.reason.id()).or_default() += 1;
    }
    Ok(TablesReport {
        agents: audit.agents,
        waiting: audit.waiting,
        standings: audit.standings,
        games_finished: audit.finished,
        games_live: audit.live,
        decisions: entries().count(),
        by_clock: entries().filter(|entry| entry.tag == Tag::CLOCK).count(),
        ungranted: logged.difference(&known).count(),
        house_games: house_games().count(),
        house_voided: house_games().filter(|game| is_voided_by_house(game)).count(),
        reasons,
        game_bytes_mean: audit.game_bytes.checked_div(games).unwrap_or(0),
        granted: granted.len(),
        granted_lost: known.difference(&logged).count(),
        violations: audit.violations.len(),
        shown: audit.violations.into_iter().take(SHOWN).collect(),
    })
}

/// Decisions of a game that neither the clock nor a house bot made.
fn by_agents(game: &Game) -> impl Iterator<Item = Granted> {
    let turns = (0..).map(TurnNumber).zip(game.log()).zip(game.deciders());
    turns
        .filter(|((_, entry), seat)| {
            entry.tag != Tag::CLOCK && game.header().players[*seat].house().is_none()
        })
        .map(|((turn, entry), _)| (game.id(), turn, entry.tag))
}

fn has_house(game: &Game) -> bool {
    Seat::BOTH.into_iter().any(|seat| game.header().players[seat].house().is_some())
}

fn is_voided_by_house(game: &Game) -> bool {
    let absentee = game.deciders().last().map(|seat| &game.header().players[*seat]);
    game.result().is_some_and(|result| result.reason == Reason::NoShow)
        && absentee.is_some_and(|player| player.house().is_some())
}
