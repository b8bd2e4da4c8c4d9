//! Random but repeatable games for the tests of this crate.

use arena::{
    Action, Division, Entry, Game, GameId, Header, KeyDigest, Player, Pool, Rating, Ruling, Tag,
    Timestamp,
};
use arena_support::Random;
use renju::{BySeat, Position, Ruleset, Seat};

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
        previous: BySeat { first: None, second: None },
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
            3 => Action::Rule(Ruling::Win(Seat::Second)),
            4 => Action::Rule(Ruling::Void),
            _ => Action::Play(random.play(&position)),
        };
        let elapsed = (random.next() >> (32 + random.below(32))) as u32;
        log.push(Entry { action, elapsed, tag: Tag(random.next().to_be_bytes()) });
        let Action::Play(play) = action else { break };
        position.advance(play).unwrap();
    }
    Game::restore(header, log).unwrap()
}
