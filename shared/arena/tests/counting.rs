//! Games that count for ratings, and a player's time for a whole game.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fixtures;

use arena::progress::{self, advance, finish};
use arena::seating::{seat, seat_with_house};
use arena::{
    Actor, Agent, Game, HouseLevel, Intent, Join, Message, Opponent, Pace, Plan, Pool, Rating,
    Reason, Rejection, Standing, Submission, Tag, Timestamp, Uncounted, Write,
};
use fixtures::{PACE, START, agent, altered, at, created, fast, flagged, gomoku, played, rating};
use fixtures::{resigned, standing, waiting, wanted, with_house};
use renju::{BySeat, Seat};

const DAY_MS: i64 = 24 * 3_600_000;

/// The agent after it was seated; free for the next game at once.
fn seated(agent: &Agent, plan: &Plan) -> Agent {
    let own = plan.writes.iter().find_map(|write| match write {
        Write::Seat { agent: who, tally, .. } if *who == agent.name => Some(tally.clone()),
        _ => None,
    });
    Agent { waiting: None, tally: own.unwrap(), ..agent.clone() }
}

#[test]
fn ten_games_a_day_count_between_the_same_two() {
    let mut players = ["alice", "bob"].map(agent);
    let play = |players: &mut [Agent; 2], now: Timestamp| {
        *players =
            players.each_ref().map(|agent| waiting(agent, Opponent::Agents, Rating::NEW, now));
        let [first, second] = &*players;
        let plan = seat(BySeat { first, second }, fast(), now, &PACE).unwrap();
        *players = players.each_ref().map(|agent| seated(agent, &plan));
        created(&plan).uncounted
    };
    for game in 0..10 {
        assert_eq!(play(&mut players, at(game)), None, "game {game}");
    }
    for game in 10..12 {
        assert_eq!(play(&mut players, at(game)), Some(Uncounted::OpponentLimit), "game {game}");
    }
    // A partner below the limit does not help: each agent's own count decides.
    let mut with_newcomer = [players[0].clone(), agent("bob")];
    assert_eq!(play(&mut with_newcomer, at(20)), Some(Uncounted::OpponentLimit));
    let mut with_other = [players[0].clone(), agent("carol")];
    assert_eq!(play(&mut with_other, at(20)), None);
    let evening = at(8 * 3_600_000);
    assert_eq!(play(&mut players, evening), Some(Uncounted::OpponentLimit), "the same day");
    assert_eq!(play(&mut players, at(DAY_MS)), None, "another day");
}

#[test]
fn a_house_level_counts_ten_times_a_day() {
    let pace = Pace { house_after_ms: Some(0), ..PACE };
    let play = |alice: &Agent, level| {
        let level = HouseLevel::new(level).unwrap();
        let alice = waiting(alice, Opponent::House(level), Rating::NEW, START);
        let plan = seat_with_house(&alice, fast(), START, &pace).unwrap();
        (created(&plan).uncounted, seated(&alice, &plan))
    };
    let mut alice = agent("alice");
    for _ in 0..10 {
        let (uncounted, after) = play(&alice, 3);
        assert_eq!(uncounted, None);
        alice = after;
    }
    let (uncounted, after) = play(&alice, 3);
    assert_eq!((uncounted, &after.tally), (Some(Uncounted::OpponentLimit), &alice.tally));
    assert_eq!(play(&alice, 4).0, None, "every level has its own count");
}

#[test]
fn a_win_over_a_house_bot_far_below_gives_nothing_and_a_loss_is_one() {
    let over = |value: f64, resigns: Seat| {
        let game = with_house(&limited(), Seat::Second);
        let game = altered(&game, |header| header.players.first.rating = rating(value, 80.0));
        resigned(&played(game, "h8", 10), resigns).uncounted()
    };
    assert_eq!(over(1_901.0, Seat::Second), Some(Uncounted::RatingGap));
    assert_eq!(over(1_900.0, Seat::Second), None);
    assert_eq!(over(1_901.0, Seat::First), None);
}

#[test]
fn a_win_over_an_agent_far_below_counts() {
    let game = altered(&limited(), |header| header.players.first.rating = rating(2_400.0, 80.0));
    let won = resigned(&played(game, "h8", 10), Seat::Second);
    assert_eq!(won.uncounted(), None);
}

/// The same game between players with these deviations.
fn between(deviations: [f64; 2], plays: &str) -> Game {
    let game = altered(&limited(), |header| {
        for (seat, deviation) in Seat::BOTH.into_iter().zip(deviations) {
            header.players[seat].rating = rating(1_500.0, deviation);
        }
    });
    played(game, plays, 10)
}

#[test]
fn a_resignation_before_the_fifth_stone_counts_unless_both_are_newcomers() {
    const FOUR: &str = "h8 a1 i8 a2";
    let early =
        |deviations, plays: &str| resigned(&between(deviations, plays), Seat::First).uncounted();
    let reason = Some(Uncounted::EarlyResignation);
    assert_eq!(early([350.0, 111.0], ""), reason);
    assert_eq!(early([350.0, 350.0], FOUR), reason);
    assert_eq!(early([350.0, 350.0], &format!("{FOUR} j8")), None, "five stones are a game");
    assert_eq!(early([350.0, 110.0], FOUR), None, "one of them is no newcomer");
    assert_eq!(flagged(&between([350.0, 350.0], FOUR)).uncounted(), None, "on time it is a loss");
}

#[test]
fn a_game_that_does_not_count_is_listed_and_changes_no_rating() {
    let game = resigned(&between([350.0, 350.0], "h8"), Seat::First);
    let before =
        Standing { won: 3, rated_at: Some(START), ..standing(rating(1_650.0, 90.0), None) };
    let plan = finish(game.clone(), BySeat { first: &before, second: &before });
    for write in &plan.writes[1..] {
        let Write::Rate { seen_games, standing, .. } = write else { panic!("{write:?}") };
        let expected = Standing { uncounted: 1, recent: vec![game.id()], ..before.clone() };
        assert_eq!((*seen_games, &**standing), (3, &expected));
        assert_eq!((standing.games(), standing.listed()), (3, 4));
    }
}

#[test]
fn a_game_beyond_the_limit_of_the_day_is_not_rated_however_it_ends() {
    let limit = Some(Uncounted::OpponentLimit);
    let game = altered(&limited(), |header| header.uncounted = limit);
    let game = played(game, "h8 a1 i8 a2 j8", 10);
    assert_eq!(game.uncounted(), limit);
    for over in [resigned(&game, Seat::First), flagged(&game), played(game, "a3 k8 a4 l8", 10)] {
        assert_eq!(over.uncounted(), limit);
        assert_eq!(Standing::NEW.after(&over, Seat::First).games(), 0);
    }
}

#[test]
fn a_standing_is_written_only_over_the_one_that_was_read() {
    // Games that do not count change a standing too.
    let before = Standing { won: 3, uncounted: 2, ..standing(rating(1_650.0, 90.0), None) };
    let over = resigned(&gomoku(Pool::Fast), Seat::First);
    let plan = finish(over, BySeat { first: &before, second: &Standing::NEW });
    let seen = |write: &Write| match write {
        Write::Rate { seen_games, .. } => Some(*seen_games),
        _ => None,
    };
    assert_eq!(plan.writes.iter().filter_map(seen).collect::<Vec<_>>(), [5, 0]);
}

#[test]
fn nobody_shows_up_for_a_game_that_does_not_count() {
    let over = flagged(&gomoku(Pool::Fast));
    assert_eq!(over.uncounted(), Some(Uncounted::NoShow));
    assert_eq!(gomoku(Pool::Fast).uncounted(), None, "until the end it counts");
    let old = altered(&gomoku(Pool::Fast), |header| header.players.first.rating = Rating::NEW);
    let old = resigned(&old, Seat::First);
    assert_eq!(old.uncounted(), None, "older games have counted whatever they were");
}

/// A game in which each player has 100 s, and 60 s a turn.
fn limited() -> Game {
    altered(&gomoku(Pool::Fast), |header| header.budget_ms = Some(100_000))
}

#[test]
fn a_players_time_for_the_game_shortens_its_turns_and_ends_it() {
    let fresh = limited();
    assert_eq!(fresh.deadline(), Some(START.plus(60_000)));
    assert_eq!(Seat::BOTH.map(|seat| fresh.left_ms(seat)), [Some(100_000); 2]);
    // Alice thinks 50 s, Bob 1 s.
    let game = played(played(fresh, "h8", 50_000), "a1", 1_000);
    assert_eq!(Seat::BOTH.map(|seat| game.left_ms(seat)), [Some(50_000), Some(99_000)]);
    assert_eq!(game.deadline(), Some(game.last_at().plus(50_000)), "less than a turn is left");
    let plan = advance(game.clone(), &PACE);
    let fire = game.overdue_from(&PACE).unwrap().plus(1);
    assert_eq!(
        plan.messages,
        [Message::Timer { game: game.id(), fire }],
        "before the chain's own link"
    );

    let lost = flagged(&game);
    assert_eq!(lost.result().unwrap().reason, Reason::Timeout);
    assert_eq!(lost.result().unwrap().winner, Some(Seat::Second));
    let on = played(game, "i8", 10_000);
    assert_eq!(on.deadline(), Some(on.last_at().plus(60_000)), "Bob has a whole turn");
    assert_eq!(advance(on.clone(), &PACE).messages, []);
    assert_eq!(on.left_ms(Seat::First), Some(40_000));
}

#[test]
fn a_house_bot_has_no_limit_for_the_game() {
    let game = played(with_house(&limited(), Seat::Second), "h8 a1 i8 a2", 45_000);
    assert_eq!(Seat::BOTH.map(|seat| game.left_ms(seat)), [Some(10_000), None]);
    let game = played(game, "j8", 1_000);
    assert_eq!(game.deadline(), Some(game.last_at().plus(60_000)), "after 90 of 100 s");
}

#[test]
fn games_from_before_there_was_a_limit_go_on_without_one() {
    let game = played(gomoku(Pool::Fast), "h8 a1 i8 a2 j8 a3", 59_000);
    assert_eq!((game.header().budget_ms, game.left_ms(Seat::First)), (None, None));
    assert_eq!(game.deadline(), Some(game.last_at().plus(60_000)));
}

#[test]
fn a_game_starts_with_the_pools_own_limits() {
    for (pool, minutes) in [(Pool::Fast, 24), (Pool::Standard, 120), (Pool::Slow, 24 * 60)] {
        assert_eq!(PACE.budget_ms(pool), minutes * 60_000);
    }
    let quick = Pace { turn_ms: Some(500), ..PACE };
    assert_eq!(quick.budget_ms(Pool::Slow), 12_000);
}

#[test]
fn a_decision_is_never_accepted_later_than_the_clock_may_end_the_game() {
    let pace = Pace { grace_ms: 100, lag_ms: 1_000, ..PACE };
    let game = gomoku(Pool::Fast);
    let late = |ms| {
        let request = Intent::Play(game.turn(), "h8".parse().unwrap());
        let submission = Submission { intent: request, tag: Tag([1; 8]) };
        let now = game.deadline().unwrap().plus(ms);
        game.apply(Actor::Seat(Seat::First), submission, now, &pace)
    };
    assert!(late(100).is_ok());
    assert_eq!(late(101), Err(Rejection::DeadlinePassed));
}

#[test]
fn a_ticket_carries_the_rating_as_it_is_when_the_agent_joins() {
    let alice = agent("alice");
    let before = Standing { rated_at: Some(START), ..standing(rating(1_650.0, 60.0), None) };
    let join =
        alice.join(wanted(fast(), Opponent::Anyone, None), &before, None, at(90 * DAY_MS)).unwrap();
    let Join::Commit(plan, _) = join else { panic!("{join:?}") };
    let Write::Join { waiting, .. } = &plan.writes[0] else { panic!("{plan:?}") };
    assert_eq!(waiting.rating, before.rating_at(at(90 * DAY_MS)).stored());
    assert!(waiting.rating.deviation > 150.0, "{:?}", waiting.rating);
}

#[test]
fn the_words_for_games_that_do_not_count_are_stable() {
    let words = Uncounted::ALL.map(Uncounted::id);
    assert_eq!(
        words,
        ["opponent_limit", "rating_gap", "early_resignation", "no_show", "void", "unrated"]
    );
}

/// The agent in the queue for a game outside the ratings.
fn unrated(agent: &Agent) -> Agent {
    let mut agent = waiting(agent, Opponent::Anyone, Rating::NEW, START);
    agent.waiting.as_mut().unwrap().rated = false;
    agent
}

#[test]
fn an_unrated_game_needs_two_who_want_it_and_changes_no_standing() {
    let rated = waiting(&agent("carol"), Opponent::Anyone, Rating::NEW, START);
    let [alice, bob] = [agent("alice"), agent("bob")].map(|agent| unrated(&agent));
    let mixed = BySeat { first: &alice, second: &rated };
    assert_eq!(seat(mixed, fast(), START, &PACE), None, "one of them wants a rating");
    let plan = seat(BySeat { first: &alice, second: &bob }, fast(), START, &PACE).unwrap();
    assert_eq!(created(&plan).uncounted, Some(Uncounted::Unrated));
    assert_eq!(seated(&alice, &plan).tally, alice.tally, "it is none of the games of the day");

    let over = resigned(&played(Game::start(created(&plan).clone()), "h8", 10), Seat::First);
    assert!(!over.is_rated());
    assert_eq!(progress::needs(&over), progress::Needs::Nothing);
    let plan = advance(over.clone(), &PACE);
    assert_eq!(plan.writes, [Write::Finish(Box::new(over.clone()))]);
    let join = alice_after(&over).join(
        wanted(fast(), Opponent::Anyone, None),
        &Standing::NEW,
        Some(&over),
        at(90_000),
    );
    assert!(matches!(join, Ok(Join::Commit(..))), "its end is in no standing: {join:?}");
}

/// Alice after this game.
fn alice_after(game: &Game) -> Agent {
    Agent { game: Some(game.id()), epoch: 1, ..agent("alice") }
}

#[test]
fn a_house_bot_plays_for_no_rating_too() {
    let pace = Pace { house_after_ms: Some(0), ..PACE };
    let plan = seat_with_house(&unrated(&agent("alice")), fast(), START, &pace).unwrap();
    assert_eq!(created(&plan).uncounted, Some(Uncounted::Unrated));
}
