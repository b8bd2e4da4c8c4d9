//! An agent's standing in one division: its rating, its results, its latest games.

#![allow(missing_docs, reason = "the names say it")]

use renju::Seat;

use crate::agent::newest;
use crate::game::{Game, Reason};
use crate::ids::{GameId, Timestamp};
use crate::rating::{Rating, Score};

/// Number of latest games listed in a standing.
pub const RECENT_MAX: usize = 64;

/// An agent's standing in one division.
#[derive(Clone, PartialEq, Debug)]
pub struct Standing {
    /// The rating after the last game.
    pub rating: Rating,
    /// Time of the last game; the deviation has grown since.
    pub rated_at: Option<Timestamp>,
    pub won: u32,
    pub lost: u32,
    pub drawn: u32,
    /// Games lost on time; also in `lost`.
    pub timeouts: u32,
    /// Games that did not count; in none of the numbers above.
    pub uncounted: u32,
    /// The latest games, newest last.
    pub recent: Vec<GameId>,
}

impl Standing {
    pub const NEW: Standing = Standing {
        rating: Rating::NEW,
        rated_at: None,
        won: 0,
        lost: 0,
        drawn: 0,
        timeouts: 0,
        uncounted: 0,
        recent: Vec::new(),
    };

    /// Number of games that count.
    pub fn games(&self) -> u32 {
        self.won + self.lost + self.drawn
    }

    /// Number of games, counted or not: grows with every write.
    pub fn listed(&self) -> u32 {
        self.games() + self.uncounted
    }

    /// The rating at `now`, with the deviation grown since the last game.
    pub fn rating_at(&self, now: Timestamp) -> Rating {
        match self.rated_at {
            Some(rated_at) => self.rating.idle(now.since(rated_at)),
            None => self.rating,
        }
    }

    /// The standing after the agent in this seat has finished a game.
    #[must_use]
    pub fn after(&self, game: &Game, seat: Seat) -> Standing {
        let result = game.result().expect("a standing changes when a game is over");
        let mut next = self.clone();
        next.recent.push(game.id());
        next.recent = newest(next.recent, RECENT_MAX);
        let Some(rating) = game.rating_after(seat) else {
            next.uncounted += 1;
            return next;
        };
        let score = result.score(seat);
        match score {
            Score::Win => next.won += 1,
            Score::Draw => next.drawn += 1,
            Score::Loss => next.lost += 1,
        }
        if score == Score::Loss && result.reason == Reason::Timeout {
            next.timeouts += 1;
        }
        next.rating = rating;
        next.rated_at = Some(game.last_at());
        next
    }
}
