//! Source of choices. In a random world they come from a seed. In a small world they come from a
//! script: choices beyond it take their first option, and the next script takes the next option of
//! the last choice that has one, until every schedule has been run.

use crate::faults::{Fault, Faults};
use crate::rng::Rng;

/// The choices of one schedule of a small world.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    /// Each choice, and its number of options.
    choices: Vec<(u16, u16)>,
    /// Number of choices made in this run.
    made: usize,
    /// Faults that may still strike.
    faults_left: u32,
}

impl Script {
    /// The first schedule, or the one that these choices lead to.
    pub(crate) fn of(choices: &[u16], faults_max: u32) -> Script {
        let choices = choices.iter().map(|&choice| (choice, u16::MAX)).collect();
        Script { choices, made: 0, faults_left: faults_max }
    }

    fn choose(&mut self, options: usize) -> usize {
        if options < 2 {
            return 0;
        }
        if self.made == self.choices.len() {
            self.choices.push((0, 0));
        }
        let (choice, known) = &mut self.choices[self.made];
        *known = u16::try_from(options).expect("a handful of options");
        self.made += 1;
        usize::from((*choice).min(*known - 1))
    }

    /// The schedule after this one; `None` if it was the last.
    pub(crate) fn next(mut self, faults_max: u32) -> Option<Script> {
        self.choices.truncate(self.made);
        while let Some((choice, options)) = self.choices.pop() {
            if choice + 1 < options {
                self.choices.push((choice + 1, options));
                return Some(Script { choices: self.choices, made: 0, faults_left: faults_max });
            }
        }
        None
    }

    /// Number of choices made.
    pub(crate) fn made(&self) -> usize {
        self.made
    }

    /// The choices as a line that replays them.
    pub(crate) fn line(&self) -> String {
        let made = &self.choices[..self.made];
        made.iter().map(|(choice, _)| choice.to_string()).collect::<Vec<_>>().join(",")
    }
}

pub(crate) enum Choices {
    Random(Rng),
    Scripted(Script, Rng),
}

impl Choices {
    /// Index of the task that runs first, of `ready` tasks that are ready at the same time.
    pub(crate) fn order(&mut self, ready: usize) -> usize {
        match self {
            Choices::Random(_) => 0,
            Choices::Scripted(script, _) => script.choose(ready),
        }
    }

    /// True if a fault strikes. In a script every possible fault is a choice, except one that
    /// always strikes.
    pub(crate) fn strikes(&mut self, fault: Fault, faults: &Faults) -> bool {
        let rate = faults.rate(fault);
        match self {
            Choices::Random(rng) => rng.chance(rate),
            Choices::Scripted(..) if rate == 0 => false,
            Choices::Scripted(..) if rate >= 10_000 => true,
            Choices::Scripted(script, _) => {
                let strikes = script.faults_left > 0 && script.choose(2) == 1;
                script.faults_left -= u32::from(strikes);
                strikes
            }
        }
    }

    /// A duration: random, or the shortest.
    pub(crate) fn within(&mut self, least: i64, most: i64) -> i64 {
        match self {
            Choices::Random(rng) => rng.within(least, most),
            Choices::Scripted(..) => least,
        }
    }

    /// Randomness that is not a choice: always the same in a small world.
    pub(crate) fn rng(&mut self) -> &mut Rng {
        match self {
            Choices::Random(rng) | Choices::Scripted(_, rng) => rng,
        }
    }

    pub(crate) fn script(self) -> Option<Script> {
        match self {
            Choices::Random(_) => None,
            Choices::Scripted(script, _) => Some(script),
        }
    }

    pub(crate) fn is_scripted(&self) -> bool {
        matches!(self, Choices::Scripted(..))
    }
}
