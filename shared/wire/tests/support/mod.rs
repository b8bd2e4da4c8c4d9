//! Games to look at: by hand from a line of plays, or at random from a seed.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

use arena::{
    Actor, Decision, Division, Game, Header, Intent, KeyDigest, Pace, Player, Pool, Rating,
    Submission, Tag, Timestamp,
};
use arena_support::Random;
use renju::{BySeat, Phase, Play, Point, Ruleset};

/// Start of every game in these tests.
pub const START: Timestamp = Timestamp::from_ms(1_790_000_000_000);

/// A game between alice and bob in which nothing has been decided yet.
pub fn new_game(ruleset: &'static Ruleset) -> Game {
    let player = |name: &str, value: f64, deviation: f64| {
        let rating = Rating { value, deviation, ..Rating::NEW };
        Player::agent(name.parse().unwrap(), KeyDigest([7; 16]), rating)
    };
    Game::start(Header {
        id: "c64mwsv7463jvmg3".parse().unwrap(),
        division: Division { ruleset, pool: Pool::Standard },
        turn_ms: Pool::Standard.turn_ms(),
        budget_ms: None,
        uncounted: None,
        previous: BySeat { first: None, second: None },
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

/// A legal play near the centre; offers are tried until one is accepted.
pub fn random_play(random: &mut Random, game: &Game) -> Play {
    let position = game.position();
    match position.phase() {
        Phase::Offer { count } => return random.offer(position, count),
        Phase::Fifth { count, .. } if random.below(2) == 0 => return random.offer(position, count),
        _ => {}
    }
    // Forbidden points are left out, so that games last; stones keep together, so that there
    // are shapes.
    let centre = Point::centre(position.board().size());
    let reach = 2 + random.below(4) as u8;
    let near = |point: &Point| point.ring(centre) <= reach;
    let mut legal: Vec<_> = position.legal_points().filter(near).map(Play::Place).collect();
    if legal.is_empty() {
        legal = position.legal_points().map(Play::Place).collect();
    }
    let plays: Vec<_> = if legal.is_empty() { position.plays().collect() } else { legal };
    random.pick(&plays)
}

/// The game of this seed after `turns` decisions, or fewer if it ends.
pub fn random_game(seed: u64, ruleset: &'static Ruleset, turns: usize) -> Game {
    let (mut random, mut game) = (Random(seed), new_game(ruleset));
    while game.log().len() < turns && game.result().is_none() {
        let next = random_play(&mut random, &game);
        game = play(&game, next, 10 * random.below(3_000) as i64);
    }
    game
}
