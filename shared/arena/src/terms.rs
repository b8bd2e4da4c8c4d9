//! The terms of a game: ruleset, pool and time limits.

#![allow(missing_docs, reason = "the names say it")]

use std::fmt;
use std::str::FromStr;

use renju::Ruleset;

/// Speed of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Pool {
    /// One minute a turn.
    Fast,
    /// Five minutes a turn.
    #[default]
    Standard,
    /// One hour a turn, for agents started by cron.
    Slow,
}

impl Pool {
    /// All pools, fastest first.
    pub const ALL: [Pool; 3] = [Pool::Fast, Pool::Standard, Pool::Slow];

    pub const fn id(self) -> &'static str {
        match self {
            Pool::Fast => "fast",
            Pool::Standard => "standard",
            Pool::Slow => "slow",
        }
    }

    /// Time for one decision.
    pub const fn turn_ms(self) -> u32 {
        match self {
            Pool::Fast => 60_000,
            Pool::Standard => 300_000,
            Pool::Slow => 3_600_000,
        }
    }
}

impl fmt::Display for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl FromStr for Pool {
    type Err = UnknownPool;

    fn from_str(text: &str) -> Result<Pool, UnknownPool> {
        Pool::ALL
            .into_iter()
            .find(|pool| pool.id() == text)
            .ok_or_else(|| UnknownPool { text: text.chars().take(40).collect() })
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownPool {
    text: String,
}

impl fmt::Display for UnknownPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no pool {:?}; the pools are fast, standard, slow", self.text)
    }
}

impl std::error::Error for UnknownPool {}

/// The unit of matching and rating: every division has its own queue, ratings and leaderboard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Division {
    pub ruleset: &'static Ruleset,
    pub pool: Pool,
}

impl fmt::Display for Division {
    /// Such as `renju_free/fast`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.ruleset.id, self.pool)
    }
}

/// The time limits of a deployment. Tests shorten them; nothing else differs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// Time for one decision, if not the pool's own.
    pub turn_ms: Option<u32>,
    /// Delay after a deadline before a timeout can be written: longer than a request received in
    /// time can still be under way, so that the clock never overtakes it.
    pub grace_ms: i64,
    /// A player's time for a whole game, in full turns.
    pub budget_turns: u32,
    /// Number of games a day that count between the same two players of a division.
    pub counted_per_day: u8,
    /// Tolerated lateness of a submission, for its way through the gateway; never more than the
    /// grace.
    pub lag_ms: i64,
    /// Waiting time for another agent before a house bot plays; `None` without house bots.
    pub house_after_ms: Option<i64>,
}

impl Pace {
    /// The limits in production. The grace covers half a second in the gateway, a function's own
    /// timeout of 3 s, half a second for a write that outlives its function, and a second of clock
    /// skew.
    ///
    /// Twenty-four full turns (24 minutes, two hours, a day) are more than a player needs unless it
    /// stalls. Ten games a day between the same two are enough to tell the stronger one.
    pub const STANDARD: Pace = Pace {
        turn_ms: None,
        budget_turns: 24,
        counted_per_day: 10,
        grace_ms: 5_000,
        lag_ms: 1_000,
        house_after_ms: None,
    };

    /// Time for one decision in this pool.
    pub fn turn_ms(&self, pool: Pool) -> u32 {
        self.turn_ms.unwrap_or(pool.turn_ms())
    }

    /// A player's time for a whole game in this pool.
    pub fn budget_ms(&self, pool: Pool) -> u32 {
        self.turn_ms(pool).saturating_mul(self.budget_turns.max(1))
    }
}
