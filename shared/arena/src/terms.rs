//! What a game is played under: the ruleset, the pool and their limits.

use std::fmt;
use std::str::FromStr;

use renju::Ruleset;

/// How fast a game is.
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
    /// All pools, the fastest first.
    pub const ALL: [Pool; 3] = [Pool::Fast, Pool::Standard, Pool::Slow];

    /// The name in requests and records.
    pub const fn id(self) -> &'static str {
        match self {
            Pool::Fast => "fast",
            Pool::Standard => "standard",
            Pool::Slow => "slow",
        }
    }

    /// How long a player may think about one decision.
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

/// No pool has this name.
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

/// Where an agent is matched and rated: every division has its own queue, ratings and leaderboard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Division {
    /// The ruleset.
    pub ruleset: &'static Ruleset,
    /// The pool.
    pub pool: Pool,
}

impl fmt::Display for Division {
    /// `renju_free/fast`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.ruleset.id, self.pool)
    }
}

/// The clock of a deployment. Tests shorten it; nothing else differs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// Time for one decision, where it is not the pool's own.
    pub turn_ms: Option<u32>,
    /// How long after a deadline a timeout may be written: longer than any request that was
    /// received in time can still be on its way, so that none is ever beaten by the clock.
    pub grace_ms: i64,
    /// How many full turns' time a player has for all its decisions of a game.
    pub budget_turns: u32,
    /// How many games a day count between the same two players of a division.
    pub counted_per_day: u8,
    /// How late a submission may be received and still count, for the way through the gateway;
    /// never more than the grace.
    pub lag_ms: i64,
    /// How long an agent waits for another before a house bot will do; `None` where there are no
    /// house bots.
    pub house_after_ms: Option<i64>,
}

impl Pace {
    /// The clock of production. The grace covers half a second in the gateway, a function's own timeout of
    /// 3 s, half a second for a write that outlives its function, and a second of clock skew.
    ///
    /// Twenty-four full turns (24 minutes, two hours, a day) are more than any player needs who does
    /// not stall. Ten games a day between the same two are enough to learn who is stronger.
    pub const STANDARD: Pace = Pace {
        turn_ms: None,
        budget_turns: 24,
        counted_per_day: 10,
        grace_ms: 5_000,
        lag_ms: 1_000,
        house_after_ms: None,
    };

    /// How long a player may think in this pool.
    pub fn turn_ms(&self, pool: Pool) -> u32 {
        self.turn_ms.unwrap_or(pool.turn_ms())
    }

    /// How long a player may think in a whole game of this pool.
    pub fn budget_ms(&self, pool: Pool) -> u32 {
        self.turn_ms(pool).saturating_mul(self.budget_turns.max(1))
    }
}
