//! Pauses before retries: growing, random, no less than the server asked for.

use std::time::Duration;

use crate::brain::Random;

const FIRST: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_secs(15);

/// Upper limit of the server's wish, because a turn may be running out.
const ASKED_MAX: Duration = Duration::from_secs(60);

/// Pauses between the attempts of one call. Full jitter: anything between zero and a bound that
/// doubles, so that agents rejected together do not return together.
#[derive(Clone, Debug)]
pub(crate) struct Backoff {
    random: Random,
    bound: Duration,
}

impl Backoff {
    pub(crate) fn new(random: Random) -> Backoff {
        Backoff { random, bound: FIRST }
    }

    /// Next pause; at least what the server asked for, up to a minute.
    pub(crate) fn pause(&mut self, asked: Option<Duration>) -> Duration {
        let bound = self.bound;
        self.bound = (bound * 2).min(LONGEST);
        let jitter = self.random.below(bound.as_millis() as u64 + 1);
        asked.unwrap_or_default().min(ASKED_MAX) + Duration::from_millis(jitter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempts_in_a_minute(seed: u64, asked: Option<Duration>) -> usize {
        let mut backoff = Backoff::new(Random::seeded(seed));
        let mut waited = Duration::ZERO;
        let pauses = std::iter::from_fn(|| {
            waited += backoff.pause(asked);
            (waited < Duration::from_secs(60)).then_some(())
        });
        1 + pauses.count()
    }

    #[test]
    fn a_minute_of_trouble_costs_a_bounded_number_of_requests() {
        let counts: Vec<usize> = (0..1_000).map(|seed| attempts_in_a_minute(seed, None)).collect();
        let total: usize = counts.iter().sum();
        assert!(counts.iter().all(|&count| count <= 30), "{:?}", counts.iter().max());
        assert!((8_000..16_000).contains(&total), "{total}");
    }

    #[test]
    fn what_the_server_asks_for_is_the_least() {
        let asked = Duration::from_secs(7);
        let mut backoff = Backoff::new(Random::seeded(1));
        assert!((0..100).all(|_| backoff.pause(Some(asked)) >= asked));
        assert!(attempts_in_a_minute(1, Some(asked)) <= 9);
    }

    #[test]
    fn a_server_that_asks_for_ever_is_waited_for_a_minute() {
        let pause = Backoff::new(Random::seeded(1)).pause(Some(Duration::MAX));
        assert!((ASKED_MAX..=ASKED_MAX + FIRST).contains(&pause), "{pause:?}");
    }
}
