use super::*;
use crate::testing;
use arena::{
    Entry, Header, Holder, HouseLevel, KeyDigest, KeyHash, Opponent, Player, Pool, Waiting,
};
use renju::{BySeat, Play, Ruleset};

const DIVISION: Division = Division { ruleset: &Ruleset::ALL[4], pool: Pool::Fast };

fn at(ms: i64) -> Timestamp {
    Timestamp::from_ms(1_760_000_000_000 + ms)
}

fn name(name: &str) -> AgentName {
    name.parse().unwrap()
}

/// Two decisions, then the given one.
fn game(id: u8, start: i64, ratings: BySeat<Rating>, last: Option<Action>) -> Game {
    let mut header: Header = testing::header(DIVISION, ["alice", "bob"]);
    header.id = GameId::from_bytes([id; 10]);
    header.created = at(start);
    for seat in Seat::BOTH {
        header.players[seat].rating = ratings[seat];
        header.players[seat].holder = Holder::Agent(KeyDigest([7; 16]));
    }
    let entry = |action, elapsed, tag| Entry { action, elapsed, tag: Tag([tag; 8]) };
    let play = |point: &str| Action::Play(Play::Place(point.parse().unwrap()));
    let mut log = vec![entry(play("h8"), 100, 1), entry(play("h9"), 100, 2)];
    log.extend(last.map(|action| entry(action, 6_501, 3)));
    Game::restore(header, log).unwrap()
}

fn hold(game: Game) -> Held {
    let (list, listed_at, armed) = match game.result() {
        None => ("live#3".to_owned(), game.header().created, Some(at(65_001))),
        Some(_) => (codec::game::over_key(game.ruleset(), 0), game.last_at(), None),
    };
    Held { game, armed, list, listed_at }
}

/// Alice has beaten Bob on time and lost to him by resignation; now they play again.
fn sound() -> Snapshot {
    let mut standings = BySeat { first: Standing::NEW, second: Standing::NEW };
    let mut snapshot = Snapshot::default();
    let lasts = [Some(Action::Timeout), Some(Action::Resign(Seat::Second)), None];
    for (id, last) in (1..).zip(lasts) {
        let start = i64::from(id) * 100_000;
        let ratings = standings.as_ref().map(|standing| standing.rating_at(at(start)).stored());
        let game = game(id, start, ratings, last);
        if game.result().is_some() {
            standings = BySeat {
                first: standings.first.after(&game, Seat::First),
                second: standings.second.after(&game, Seat::Second),
            };
        }
        snapshot.games.insert(game.id(), hold(game));
    }
    for agent in ["alice", "bob"] {
        let mut agent = Agent::register(name(agent), KeyHash([7; 32]), at(0));
        agent.epoch = 3;
        agent.game = Some(GameId::from_bytes([3; 10]));
        snapshot.agents.insert(agent.name.clone(), agent);
    }
    snapshot.standings.push((name("alice"), DIVISION, standings.first));
    snapshot.standings.push((name("bob"), DIVISION, standings.second));
    snapshot
}

impl Snapshot {
    fn held(&mut self, id: u8) -> &mut Held {
        self.games.get_mut(&GameId::from_bytes([id; 10])).unwrap()
    }

    fn agent(&mut self, agent: &str) -> &mut Agent {
        self.agents.get_mut(&name(agent)).unwrap()
    }
}

#[test]
fn a_sound_arena_has_no_violations() {
    assert_eq!(sound().violations(), Vec::<String>::new());
}

/// A house bot takes over a seat.
fn against_house(held: &mut Held, seat: Seat) {
    let mut header = held.game.header().clone();
    header.players[seat] = Player::house_bot(HouseLevel::ALL[3]);
    held.game = Game::restore(header, held.game.log().iter().copied()).unwrap();
}

#[test]
fn a_house_bot_needs_no_item_and_its_opponent_is_still_looked_at() {
    let mut arena = sound();
    against_house(arena.held(3), Seat::Second);
    arena.agent("bob").game = Some(GameId::from_bytes([2; 10]));
    assert_eq!(arena.violations(), Vec::<String>::new());
    arena.agent("alice").keys.current = KeyHash([8; 32]);
    assert_eq!(arena.violations().len(), 1, "the game has not the key of alice");

    // A rated game against a house bot counts for the agent alone.
    let mut arena = sound();
    against_house(arena.held(2), Seat::Second);
    let found = arena.violations();
    assert!(found.iter().any(|found| found.starts_with("I5 the standing of bob")), "{found:?}");
}

#[test]
fn games_of_a_deleted_agent_count_neither_for_it_nor_for_the_next_of_its_name() {
    let mut arena = sound();
    arena.games.remove(&GameId::from_bytes([3; 10]));
    arena.agent("alice").game = Some(GameId::from_bytes([2; 10]));
    arena.agents.remove(&name("bob"));
    arena.standings.remove(1);
    assert_eq!(arena.violations(), Vec::<String>::new());
    let again = Agent::register(name("bob"), KeyHash([9; 32]), at(1_000_000));
    arena.agents.insert(name("bob"), again);
    assert_eq!(arena.violations(), Vec::<String>::new());
}

#[test]
fn each_damage_is_found_and_named() {
    type Damage = fn(&mut Snapshot);
    let damages: [(&str, Damage); 22] = [
        ("I1 alice plays game", |arena| arena.agent("alice").game = None),
        ("I1 bob plays game", |arena| {
            arena.agent("bob").game = Some(GameId::from_bytes([1; 10]));
        }),
        ("I7 bob plays game", |arena| _ = arena.agents.remove(&name("bob"))),
        ("I7 alice waits", |arena| {
            let (rating, opponent) = (Rating::NEW, Opponent::Anyone);
            arena.agent("alice").waiting = Some(Waiting {
                division: DIVISION,
                since: at(0),
                until: at(1),
                rating,
                opponent,
                rated: true,
            });
        }),
        ("I7 game", |arena| arena.agent("bob").keys.current = KeyHash([8; 32])),
        ("I7 game", |arena| arena.agent("bob").ban = Some("spam".to_owned())),
        ("I7 bob waits for a game although", |arena| {
            let (rating, opponent) = (Rating::NEW, Opponent::Anyone);
            arena.agent("bob").ban = Some("spam".to_owned());
            arena.agent("bob").waiting = Some(Waiting {
                division: DIVISION,
                since: at(0),
                until: at(1),
                rating,
                opponent,
                rated: true,
            });
        }),
        ("I5 bob has a standing", |arena| _ = arena.agents.remove(&name("bob"))),
        ("I7 alice is seated in game", |arena| {
            arena.games.remove(&GameId::from_bytes([3; 10]));
        }),
        ("I17 game", |arena| arena.held(1).list = "live#0".to_owned()),
        ("I17 game", |arena| arena.held(3).list = codec::game::over_key(DIVISION.ruleset, 0)),
        ("I17 game", |arena| arena.held(2).listed_at = at(0)),
        ("I17 game", |arena| arena.held(2).armed = Some(at(0))),
        ("I17 game", |arena| arena.held(3).armed = None),
        ("I5 the standing of alice", |arena| arena.standings[0].2.won += 1),
        ("I5 the standing of bob", |arena| arena.standings[1].2.timeouts += 1),
        ("I5 the standing of bob", |arena| arena.standings[1].2.rating.value += 1.0),
        ("I5 the standing of alice", |arena| _ = arena.standings[0].2.recent.pop()),
        ("I5 the standing of alice", |arena| {
            let recent = &mut arena.standings[0].2.recent;
            recent[1] = recent[0];
        }),
        ("I5 bob has 2 games", |arena| _ = arena.standings.remove(1)),
        ("I1 game ", |arena| {
            let mut header = arena.held(3).game.header().clone();
            header.players = BySeat { first: HouseLevel::ALL[1], second: HouseLevel::ALL[2] }
                .map(Player::house_bot);
            arena.held(3).game = Game::start(header);
        }),
        ("I7 alice is seated in game", |arena| against_house(arena.held(3), Seat::First)),
    ];
    for (expected, damage) in damages {
        let mut arena = sound();
        damage(&mut arena);
        let found = arena.violations();
        assert!(found.iter().any(|found| found.starts_with(expected)), "{expected}: {found:?}");
    }
}

#[test]
fn keys_count_once_and_the_clock_is_never_early() {
    let ratings = BySeat { first: Rating::NEW, second: Rating::NEW };
    let late = game(1, 0, ratings, Some(Action::Timeout));
    let mut log = late.log().to_vec();
    log[2].elapsed = 5_998;
    log[1].tag = log[0].tag;
    let early = Game::restore(late.header().clone(), log).unwrap();
    let mut found = Vec::new();
    check_log(&late, &mut found);
    assert_eq!(found, Vec::<String>::new());
    check_log(&early, &mut found);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("I3") && found[1].starts_with("I9"), "{found:?}");
}
