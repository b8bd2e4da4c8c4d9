//! Random but repeatable games for the tests of this crate.

use arena::{
    Action, Division, Entry, Game, GameId, Header, KeyDigest, Player, Pool, Rating, Tag, Timestamp,
};
use renju::{BySeat, Offer, Phase, Play, Point, Position, Ruleset, Seat};

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    }

    pub(crate) fn below(&mut self, most: usize) -> usize {
        (self.next() % most as u64) as usize
    }
}

pub(crate) fn header(division: Division, names: [&str; 2]) -> Header {
    let player = |name: &str, seat: u8| {
        let rating = Rating { value: 1500.0 + f64::from(seat), ..Rating::NEW };
        Player::agent(name.parse().unwrap(), KeyDigest([seat; 16]), rating)
    };
    Header {
        id: GameId::from_bytes(*b"0123456789"),
        division,
        turn_ms: division.pool.turn_ms(),
        budget_ms: None,
        uncounted: None,
        players: BySeat { first: player(names[0], 1), second: player(names[1], 2) },
        created: Timestamp::from_ms(1_760_000_000_123),
    }
}

/// A game of up to `most` entries.
pub(crate) fn game(random: &mut Random, ruleset: &'static Ruleset, most: usize) -> Game {
    let header = header(Division { ruleset, pool: Pool::Standard }, ["alice", "bob"]);
    let mut log = Vec::new();
    let mut position = Position::new(ruleset);
    while log.len() < most && position.to_act().is_some() {
        let action = match random.below(100) {
            0 => Action::Resign(if random.below(2) == 0 { Seat::First } else { Seat::Second }),
            1 => Action::Timeout,
            2 => Action::NoShow,
            _ => Action::Play(play(random, &position)),
        };
        let elapsed = (random.next() >> (32 + random.below(32))) as u32;
        log.push(Entry { action, elapsed, tag: Tag(random.next().to_be_bytes()) });
        let Action::Play(play) = action else { break };
        position.advance(play).unwrap();
    }
    Game::restore(header, log).unwrap()
}

fn play(random: &mut Random, position: &Position) -> Play {
    let offers = match position.phase() {
        Phase::Offer { count } => Some(count),
        Phase::Fifth { count, .. } => Some(count).filter(|_| random.below(2) == 0),
        _ => None,
    };
    if let Some(count) = offers {
        return offer(random, position, usize::from(count));
    }
    let plays: Vec<Play> = position.plays().collect();
    plays[random.below(plays.len())]
}

fn offer(random: &mut Random, position: &Position, count: usize) -> Play {
    let size = position.board().size();
    loop {
        let points: Vec<Point> = (0..count)
            .map(|_| Point::from_index(random.below(usize::from(size).pow(2)), size).unwrap())
            .collect();
        let play = Play::Offer(Offer::new(&points).unwrap());
        if position.play(play).is_ok() {
            return play;
        }
    }
}
