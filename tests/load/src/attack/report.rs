//! What the attacks came to, as a table for docs/performance.md, and whether the promises were kept.

use std::collections::BTreeMap;
use std::fmt;

use super::honest::Waits;
use super::{Attack, FLOODS};

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
    pub(super) attack: String,
    pub(super) kind: Attack,
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
        let [least, most] = FLOODS.map(|kind| {
            let row = self.rows.iter().find(|row| row.kind == kind);
            row.and_then(|row| row.goodput)
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
        let Row { attack, played: [_, during, _], memory_mib, .. } = self;
        let mut violations = Vec::new();
        match during.moves_ms() {
            Some([_, p99]) if p99 > MOVE_P99_MAX_MS => violations
                .push(format!("{attack}: moves p99 {p99:.0} ms, more than {MOVE_P99_MAX_MS}")),
            Some(_) => {}
            None => violations.push(format!("{attack}: no move was made")),
        }
        if *memory_mib > MEMORY_MAX_MIB {
            violations.push(format!("{attack}: {memory_mib:.0} MiB, more than {MEMORY_MAX_MIB}"));
        }
        violations
    }
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
        let shown = |ms: Option<[f64; 2]>| match ms {
            Some([median, p99]) => format!("{median:.0} / {p99:.0}"),
            None => "none".to_owned(),
        };
        let moves = self.played.each_ref().map(|waits| shown(waits.moves_ms())).join(" | ");
        let polls = self.played.each_ref().map(|waits| shown(waits.polls_ms())).join(" | ");
        let failures: u32 = self.played.iter().map(|waits| waits.failures).sum();
        let answers = self.answers.iter().map(|(what, count)| format!("{what}: {count}"));
        let mut answers: Vec<String> = answers.collect();
        answers.extend(self.goodput.map(|goodput| format!("goodput {goodput:.0}/s")));
        let (attack, answers) = (&self.attack, answers.join(", "));
        let memory = self.memory_mib;
        write!(f, "| {attack} | {moves} | {polls} | {failures} | {memory:.0} MiB | {answers} |")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(kind: Attack, during: Waits, memory_mib: f64, goodput: Option<f64>) -> Row {
        let played = [Waits::default(), during, Waits::default()];
        Row { attack: "x".to_owned(), kind, played, answers: BTreeMap::new(), goodput, memory_mib }
    }

    fn violations(rows: Vec<Row>) -> usize {
        AttackReport { rows }.violations().len()
    }

    #[test]
    fn a_broken_promise_is_a_violation() {
        let quick = || Waits::of_moves(&[1_000, 250_000]);
        assert_eq!(violations(vec![row(Attack::Duels, quick(), 150.0, None)]), 0);
        assert_eq!(violations(vec![row(Attack::Duels, quick(), 150.1, None)]), 1);
        let slow = Waits::of_moves(&[1_000, 250_001]);
        assert_eq!(violations(vec![row(Attack::Duels, slow, 10.0, None)]), 0, "rounded");
        let slow = Waits::of_moves(&[1_000, 251_000]);
        assert_eq!(violations(vec![row(Attack::Duels, slow, 10.0, None)]), 1);
        assert_eq!(violations(vec![row(Attack::Duels, Waits::default(), 10.0, None)]), 1);
        let floods = |most: f64| {
            let [calm, wild] = FLOODS;
            vec![row(calm, quick(), 10.0, Some(600.0)), row(wild, quick(), 10.0, Some(most))]
        };
        assert_eq!((violations(floods(600.0)), violations(floods(599.0))), (0, 1));
    }
}
