//! Games to look at: by hand from a line of plays, or at random from a seed.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

use arena::{
    Actor, Decision, Division, Game, Header, Intent, KeyDigest, Pace, Player, Pool, Rating,
    Submission, Tag, TicketId, Timestamp,
};
use renju::{BySeat, Phase, Play, Point, Ruleset};

/// When every game of these tests starts.
pub const START: Timestamp = Timestamp::from_ms(1_790_000_000_000);

/// A game between alice and bob in which nothing has been decided yet.
pub fn new_game(ruleset: &'static Ruleset) -> Game {
    let player = |name: &str, value: f64, deviation: f64| {
        let rating = Rating { value, deviation, ..Rating::NEW };
        Player::agent(name.parse().unwrap(), KeyDigest([7; 16]), rating)
    };
    let ticket = |agent: &str| TicketId { agent: agent.parse().unwrap(), epoch: 1 };
    Game::start(Header {
        id: arena::GameId::of(&ticket("alice"), &ticket("bob")),
        division: Division { ruleset, pool: Pool::Standard },
        turn_ms: Pool::Standard.turn_ms(),
        budget_ms: None,
        uncounted: None,
        players: BySeat {
            first: player("alice", 1512.345, 80.01),
            second: player("bob", 1500.0, 350.0),
        },
        created: START,
    })
}

/// The game after one more request by the player to act, `ms` after the last.
pub fn submit(game: &Game, intent: Intent, ms: i64) -> Game {
    let seat = game.to_act().unwrap();
    let name = &game.header().players[seat].name;
    let tag = Tag::of(name, &format!("key-{}", game.turn()));
    let submission = Submission { intent, tag };
    let now = game.last_at().plus(ms);
    match game.apply(Actor::Seat(seat), submission, now, &Pace::STANDARD) {
        Ok(Decision::Commit(next)) => *next,
        other => panic!("turn {}: {other:?}", game.turn()),
    }
}

/// The game after one more play.
pub fn play(game: &Game, play: Play, ms: i64) -> Game {
    submit(game, Intent::Play(game.turn(), play), ms)
}

/// A game by its plays, each taking a little longer than the one before.
pub fn game(ruleset: &str, plays: &str) -> Game {
    let start = new_game(Ruleset::find(ruleset).unwrap());
    plays.split_whitespace().fold(start, |game, word| {
        let ms = 1_500 + 730 * i64::from(game.turn().0);
        play(&game, word.parse().unwrap(), ms)
    })
}

/// A small generator of random numbers (SplitMix64).
pub struct Random(pub u64);

impl Random {
    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `most`.
    pub fn below(&mut self, most: usize) -> usize {
        (self.number() % most as u64) as usize
    }

    /// A legal play; offers are tried until one is accepted.
    pub fn play(&mut self, game: &Game) -> Play {
        let position = game.position();
        let count = match position.phase() {
            Phase::Offer { count } => Some(count),
            Phase::Fifth { count, .. } if self.below(2) == 0 => Some(count),
            _ => None,
        };
        if let Some(count) = count {
            let empty: Vec<_> = position.board().empty_points().collect();
            loop {
                let points: Vec<_> = (0..count).map(|_| empty[self.below(empty.len())]).collect();
                let offer = Play::Offer(renju::Offer::new(&points).unwrap());
                if position.play(offer).is_ok() {
                    return offer;
                }
            }
        }
        // Forbidden points are left out, so that games last; stones keep together, so that there
        // are shapes.
        let centre = Point::centre(position.board().size());
        let reach = 2 + self.below(4) as u8;
        let near = |point: &Point| point.ring(centre) <= reach;
        let mut legal: Vec<_> = position.legal_points().filter(near).map(Play::Place).collect();
        if legal.is_empty() {
            legal = position.legal_points().map(Play::Place).collect();
        }
        let plays: Vec<_> = if legal.is_empty() { position.plays().collect() } else { legal };
        plays[self.below(plays.len())]
    }

    /// A game after `turns` random decisions, or fewer if it ends.
    pub fn game(&mut self, ruleset: &'static Ruleset, turns: usize) -> Game {
        let mut game = new_game(ruleset);
        while game.log().len() < turns && game.result().is_none() {
            let next = self.play(&game);
            game = play(&game, next, 10 * self.below(3_000) as i64);
        }
        game
    }
}
