//! An agent's standing in one division: its rating, its results, its latest games.

use renju::Seat;

use crate::agent::newest;
use crate::game::{Game, Reason};
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
    /// Games that did not count, which are in none of the numbers above.
    pub uncounted: u32,
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
        uncounted: 0,
        recent: Vec::new(),
    };

    /// How many games count.
    pub fn games(&self) -> u32 {
        self.won + self.lost + self.drawn
    }

    /// How many games there were, whether they count or not: grows with every write.
    pub fn listed(&self) -> u32 {
        self.games() + self.uncounted
    }

    /// The rating at `now`, its deviation grown with the time since the last game.
    pub fn rating_at(&self, now: Timestamp) -> Rating {
        match self.rated_at {
            Some(rated_at) => self.rating.idle(now.since(rated_at)),
            None => self.rating,
        }
    }

    /// The standing after a game that the agent in this seat has finished.
    #[must_use]
    pub fn after(&self, game: &Game, seat: Seat) -> Standing {
        let result = game.result().expect("a standing changes when a game is over");
        let mut next = self.clone();
        next.recent.push(game.id());
        next.recent = newest(next.recent, RECENT_MAX);
        if game.uncounted().is_some() {
            next.uncounted += 1;
            return next;
        }
        let score = result.score(seat);
        match score {
            Score::Win => next.won += 1,
            Score::Draw => next.drawn += 1,
            Score::Loss => next.lost += 1,
        }
        if score == Score::Loss && result.reason == Reason::Timeout {
            next.timeouts += 1;
        }
        let players = &game.header().players;
        next.rating = players[seat].rating.after(players[!seat].rating, score).stored();
        next.rated_at = Some(game.last_at());
        next
    }
}
