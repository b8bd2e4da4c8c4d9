//! The result of the attacks as a table for docs/performance.md, and the promises that were not kept.

use std::collections::BTreeMap;
use std::fmt;

use super::Attack;
use super::honest::Waits;
use crate::tally::percentiles;

/// The most an honest player may wait for a move beside any attack, at the 99th percentile.
const MOVE_P99_MAX_MS: f64 = 250.0;

/// The most memory the server may use.
const MEMORY_MAX_MIB: f64 = 150.0;

#[derive(Debug, Default)]
pub(crate) struct AttackReport {
    pub(super) rows: Vec<Row>,
}

#[derive(Debug)]
pub(super) struct Row {
    pub(super) attack: Attack,
    /// The honest players before, during and after.
    pub(super) played: [Waits; 3],
    pub(super) answers: BTreeMap<String, u64>,
    /// Good answers to a flood a second.
    pub(super) goodput: Option<f64>,
    pub(super) memory_mib: f64,
}

impl AttackReport {
    /// The promises that were not kept, one line each.
    pub(crate) fn violations(&self) -> Vec<String> {
        let mut violations: Vec<String> = self.rows.iter().flat_map(Row::violations).collect();
        let [least, most] = [Attack::Flood, Attack::Torrent].map(|flood| {
            self.rows.iter().find(|row| row.attack == flood).and_then(|row| row.goodput)
        });
        if let (Some(least), Some(most)) = (least, most)
            && most < least
        {
            violations.push(format!("goodput falls from {least:.0}/s to {most:.0}/s"));
        }
        violations
    }
}

impl Row {
    fn violations(&self) -> Vec<String> {
        let (attack, memory_mib) = (self.attack.describe(), self.memory_mib);
        let mut violations = Vec::new();
        match median_and_p99(&self.played[1].moves) {
            Some([_, p99]) if p99 > MOVE_P99_MAX_MS => violations
                .push(format!("{attack}: moves p99 {p99:.0} ms, more than {MOVE_P99_MAX_MS}")),
            Some(_) => {}
            None => violations.push(format!("{attack}: no move was made")),
        }
        if memory_mib > MEMORY_MAX_MIB {
            violations.push(format!("{attack}: {memory_mib:.0} MiB, more than {MEMORY_MAX_MIB}"));
        }
        violations
    }
}

/// In milliseconds; `None` of nothing.
fn median_and_p99(micros: &[u32]) -> Option<[f64; 2]> {
    let [median, p99, _] = percentiles(micros.to_vec());
    (!micros.is_empty()).then_some([median, p99])
}

/// The table in Markdown.
impl fmt::Display for AttackReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "| attack | moves before | during | after | polls before | during | after | failures | \
             memory max | answers to the attack |\n|---|---|---|---|---|---|---|---:|---:|---|"
        )?;
        self.rows.iter().try_for_each(|row| writeln!(f, "{row}"))
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |micros: &[u32]| match median_and_p99(micros) {
            Some([median, p99]) => format!("{median:.0} / {p99:.0}"),
            None => "none".to_owned(),
        };
        let moves = self.played.each_ref().map(|waits| shown(&waits.moves)).join(" | ");
        let polls = self.played.each_ref().map(|waits| shown(&waits.polls)).join(" | ");
        let failures: u32 = self.played.iter().map(|waits| waits.failures).sum();
        let answers = self.answers.iter().map(|(what, count)| format!("{what}: {count}"));
        let mut answers: Vec<String> = answers.collect();
        answers.extend(self.goodput.map(|goodput| format!("goodput {goodput:.0}/s")));
        let (attack, answers) = (self.attack.describe(), answers.join(", "));
        let memory = self.memory_mib;
        write!(f, "| {attack} | {moves} | {polls} | {failures} | {memory:.0} MiB | {answers} |")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn violations(rows: &[(Attack, &[u32], f64, Option<f64>)]) -> usize {
        let rows = rows.iter().map(|&(attack, moves, memory_mib, goodput)| {
            let during = Waits { moves: moves.to_vec(), ..Waits::default() };
            let played = [Waits::default(), during, Waits::default()];
            Row { attack, played, answers: BTreeMap::new(), goodput, memory_mib }
        });
        AttackReport { rows: rows.collect() }.violations().len()
    }

    #[test]
    fn a_broken_promise_is_a_violation() {
        let one = |moves: &[u32], memory| violations(&[(Attack::Duels, moves, memory, None)]);
        let quick = &[1_000, 250_000];
        assert_eq!((one(quick, 150.0), one(quick, 150.1)), (0, 1));
        assert_eq!((one(&[1_000, 250_001], 10.0), one(&[1_000, 251_000], 10.0)), (0, 1), "rounded");
        assert_eq!(one(&[], 10.0), 1);
        let floods = |most: f64| {
            let rows = [(Attack::Flood, 600.0), (Attack::Torrent, most)];
            violations(&rows.map(|(flood, goodput)| (flood, &quick[..], 10.0, Some(goodput))))
        };
        assert_eq!((floods(600.0), floods(599.0)), (0, 1));
    }
}
