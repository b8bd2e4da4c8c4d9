use super::*;
use crate::codec::{LogError, item_bytes};
use crate::testing;
use arena::{Action, Entry, Tag};
use arena_support::Random;
use aws_sdk_dynamodb::types::AttributeValue;
use renju::{Play, Point};

/// The item of a game, as its writes leave it.
fn stored(game: &Game) -> Item {
    let mut item = encode_new(game.header(), game.header().created.plus(305_001), 1);
    let mut set = |name: &str, value| item.insert(name.to_owned(), value);
    set("turn_number", number(game.turn()));
    set("l", bytes(log::encode(game.log())));
    if game.result().is_some() {
        set("ix", text(over_key(game.ruleset(), 0)));
        set("ia", time(game.last_at()));
        item.remove("ar");
    }
    item
}

#[test]
fn games_round_trip() {
    for seed in 0..100 {
        let mut random = Random(seed);
        let ruleset = &Ruleset::ALL[seed as usize % Ruleset::ALL.len()];
        let game = testing::game(&mut random, ruleset, 30);
        let armed = game.result().is_none().then(|| game.header().created.plus(305_001));
        assert_eq!(decode(&stored(&game)), Ok(Stored { game, armed }), "seed {seed}");
    }
}

#[test]
fn a_house_bot_keeps_its_seat_its_level_and_the_rating_it_had() {
    for level in HouseLevel::ALL {
        for seat in Seat::BOTH {
            let mut random = Random(u64::from(level.number()));
            let game = testing::game(&mut random, &Ruleset::ALL[4], 9);
            let mut header = game.header().clone();
            header.players[seat] = Player::house_bot(level);
            header.players[seat].rating.value += 17.0;
            let game = Game::restore(header, game.log().iter().copied()).unwrap();
            let item = stored(&game);
            assert!(!item.contains_key(digest_of(seat)) && item.contains_key(digest_of(!seat)));
            assert_eq!(decode(&item).map(|stored| stored.game), Ok(game));
        }
    }
}

#[test]
fn rulesets_and_pools_are_told_apart_for_ever() {
    for ruleset in Ruleset::ALL {
        for pool in Pool::ALL {
            let division = Division { ruleset, pool };
            let header = testing::header(division, ["alice", "bob"]);
            let (turn_ms, budget_ms) = (header.turn_ms, None);
            let old = Terms { division, turn_ms, budget_ms, uncounted: None };
            assert_eq!(read_terms(&terms(&header)), Some(old));
            for uncounted in [None].into_iter().chain(Uncounted::ALL.map(Some)) {
                let budget_ms = Some(7);
                let header = Header { budget_ms, uncounted, ..header.clone() };
                let new = Terms { division, turn_ms, budget_ms, uncounted };
                assert_eq!(read_terms(&terms(&header)), Some(new));
            }
        }
    }
    let division = Division { ruleset: &Ruleset::ALL[0], pool: Pool::Standard };
    let old = testing::header(division, ["alice", "bob"]);
    const OLD: [u8; 9] = [58, 54, 14, 216, 2, 224, 147, 4, 0];
    assert_eq!(terms(&old), OLD);
    let limited = Header { budget_ms: Some(1 << 24), uncounted: Some(Uncounted::RatingGap), ..old };
    assert_eq!(terms(&limited), [&OLD[..], &[0, 0, 0, 1, 2]].concat());
    for unknown in [&[0; 9][..], &OLD[..8], &[&OLD[..], &[0, 0, 0, 1, 9]].concat()] {
        assert_eq!(read_terms(unknown), None);
    }
}

/// A game of the longest-named ruleset between agents with names of ten letters, each decision
/// taking twenty seconds.
fn forty_decisions() -> Vec<Game> {
    let division = Division { ruleset: &Ruleset::ALL[0], pool: Pool::Standard };
    let header = testing::header(division, ["aristarchu", "eratosthen"]);
    let tag = |turn: u8| Tag([turn; 8]);
    let mut game = Game::start(header);
    let mut games = vec![game.clone()];
    for turn in 1..=40 {
        let position = game.position();
        let play = if turn == 40 {
            Action::Resign(Seat::First)
        } else if position.plays().any(|play| play == Play::Keep) {
            Action::Play(Play::Keep)
        } else {
            // Columns of pairs make no five and no foul.
            let free = |point: &Point| {
                position.legal_points().any(|legal| legal == *point)
                    && (position.move_number() < 5 || (point.x() / 2 + point.y()).is_multiple_of(2))
            };
            Action::Play(Play::Place(Point::all(15).find(free).unwrap()))
        };
        let entry = Entry { action: play, elapsed: 2_000, tag: tag(turn) };
        let log = game.log().iter().copied().chain([entry]);
        game = Game::restore(game.header().clone(), log).unwrap();
        games.push(game.clone());
    }
    games
}

#[test]
fn a_game_of_forty_decisions_takes_at_most_640_bytes() {
    let games = forty_decisions();
    assert!(games[40].result().is_some() && games[39].result().is_none());
    let sizes: Vec<usize> = games.iter().map(|game| item_bytes(&stored(game))).collect();
    println!("bytes at 0, 20, 39 and 40 decisions: {:?}", [0, 20, 39, 40].map(|turn| sizes[turn]));
    assert!(sizes.iter().all(|size| *size <= 640), "{sizes:?}");
}

/// The cost of writing a decision grows with the log, which is written whole: on the largest board of
/// the arena by one unit about every 90 decisions. Only the size matters, so the stones need not make
/// a game.
#[test]
fn the_longest_game_of_the_largest_board_takes_five_write_units_a_decision() {
    let game = &forty_decisions()[0];
    let stone = |point| Entry {
        action: Action::Play(Play::Place(point)),
        elapsed: 2_000,
        tag: Tag([7; 8]),
    };
    let all: Vec<Entry> = Point::all(19).map(stone).collect();
    let units: Vec<usize> = (0..=all.len())
        .map(|turn| {
            let mut item = stored(game);
            item.insert("turn_number".to_owned(), number(turn));
            item.insert("l".to_owned(), bytes(log::encode(&all[..turn])));
            item_bytes(&item).div_ceil(1_024)
        })
        .collect();
    let first = |wanted: usize| units.iter().position(|units| *units == wanted);
    println!("decisions from which one costs 2, 3, 4, 5 units: {:?}", [2, 3, 4, 5].map(first));
    println!("units for all decisions of a full board: {}", units[1..].iter().sum::<usize>());
    assert_eq!(units[40], 1, "as most games end");
    assert!(units.is_sorted());
    assert_eq!((all.len(), units[all.len()]), (361, 5));
}

#[test]
fn damage_is_told_apart() {
    let mut random = Random(3);
    let game = testing::game(&mut random, &Ruleset::ALL[4], 12);
    let damaged = |name: &str, value: Option<AttributeValue>| {
        let mut item = stored(&game);
        match value {
            Some(value) => item.insert(name.to_owned(), value),
            None => item.remove(name),
        };
        decode(&item).unwrap_err()
    };
    for name in ["turn_number", "l", "p", "ka", "kb", "r", "o", "c"] {
        for value in [None, Some(bytes([1, 2, 3])), Some(text("?")), Some(number(-1))] {
            let is_time = name == "c" && matches!(value, Some(AttributeValue::N(_)));
            if !is_time {
                let error = damaged(name, value);
                assert!(error.to_string().starts_with("item "), "{error}");
                assert!(!error.is_newer(), "{error}");
            }
        }
    }

    let newer = damaged("l", Some(bytes([2, 0])));
    assert_eq!(newer.why, Why::Log(LogError::UnknownFormat { format: 2 }));
    assert!(newer.is_newer());
    let newer = damaged("l", Some(bytes([1, 250, 0])));
    assert_eq!(newer.why, Why::Log(LogError::UnknownKind { kind: 250, at: 1 }));
    assert!(newer.is_newer());
    let mut of_tomorrow = terms(game.header());
    of_tomorrow[4] = 9;
    for (what, name, value) in [
        ("a ruleset", "o", bytes([0; 9])),
        ("a pool", "o", bytes(of_tomorrow)),
        ("a house bot", "p", text("alice house-9")),
    ] {
        assert!(damaged(name, Some(value)).is_newer(), "{what}");
    }
    let long = damaged("turn_number", Some(number(99)));
    assert_eq!(long.why, Why::Length { turn_number: 99, entries: game.log().len() });

    let mut item = stored(&game);
    let twice = [game.log()[0], game.log()[0]];
    item.insert("l".to_owned(), bytes(log::encode(&twice)));
    item.insert("turn_number".to_owned(), number(2));
    let broken = decode(&item).unwrap_err();
    assert!(matches!(broken.why, Why::Broken(at) if at.turn.0 == 1), "{broken}");
}
