//! SplitMix64: the same seed gives the same test for ever.

use renju::{Offer, Phase, Play, Position};

/// A generator by its seed.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// Any number.
    #[allow(
        clippy::should_implement_trait,
        reason = "it never ends, and is no iterator to its users"
    )]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// True so many times in a hundred.
    pub fn percent(&mut self, percent: u8) -> bool {
        self.below(100) < usize::from(percent)
    }

    /// One of these, of which there is at least one.
    pub fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    /// A play that is accepted; an offer half of the time where one may be made. Panics when the game is over.
    pub fn play(&mut self, position: &Position) -> Play {
        match position.phase() {
            Phase::Offer { count } => return self.offer(position, count),
            Phase::Fifth { count, .. } if self.below(2) == 0 => return self.offer(position, count),
            _ => {}
        }
        self.pick(&position.plays().collect::<Vec<_>>())
    }

    /// An offer of so many points that is accepted.
    pub fn offer(&mut self, position: &Position, count: u8) -> Play {
        let empty: Vec<_> = position.board().empty_points().collect();
        loop {
            let points: Vec<_> = (0..count).map(|_| self.pick(&empty)).collect();
            let offer = Play::Offer(Offer::new(&points).expect("at most ten points are offered"));
            if position.play(offer).is_ok() {
                return offer;
            }
        }
    }
}
