//! An agent's standing in one division: its rating, its results, its latest games.

use crate::agent::newest;
use crate::game::{GameResult, Reason};
use crate::ids::{GameId, Timestamp};
use crate::rating::{Rating, Score};

/// How many of the latest games a standing lists.
pub const RECENT_MAX: usize = 64;

/// An agent's standing in one division.
#[derive(Clone, PartialEq, Debug)]
pub struct Standing {
    /// The rating after the last game.
    pub rating: Rating,
    /// When that was; the deviation has grown since.
    pub rated_at: Option<Timestamp>,
    /// Games won.
    pub won: u32,
    /// Games lost.
    pub lost: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost on time, among the lost.
    pub timeouts: u32,
    /// The latest games, the newest last.
    pub recent: Vec<GameId>,
}

impl Standing {
    /// The standing of an agent that has not played yet.
    pub const NEW: Standing = Standing {
        rating: Rating::NEW,
        rated_at: None,
        won: 0,
        lost: 0,
        drawn: 0,
        timeouts: 0,
        recent: Vec::new(),
    };

    /// How many rated games count.
    pub fn games(&self) -> u32 {
        self.won + self.lost + self.drawn
    }

    /// The rating at `now`, its deviation grown with the time since the last game.
    pub fn rating_at(&self, now: Timestamp) -> Rating {
        match self.rated_at {
            Some(rated_at) => self.rating.idle(now.since(rated_at)),
            None => self.rating,
        }
    }

    /// The standing after a game that counts: `own` and `opponent` are the ratings it started with.
    pub fn after(
        &self,
        game: GameId,
        own: Rating,
        opponent: Rating,
        score: Score,
        result: GameResult,
        now: Timestamp,
    ) -> Standing {
        let mut next = self.clone();
        match score {
            Score::Win => next.won += 1,
            Score::Draw => next.drawn += 1,
            Score::Loss => next.lost += 1,
        }
        if score == Score::Loss && result.reason == Reason::Timeout {
            next.timeouts += 1;
        }
        next.rating = own.after(opponent, score).stored();
        next.rated_at = Some(now);
        next.recent.push(game);
        next.recent = newest(next.recent, RECENT_MAX);
        next
    }
}
