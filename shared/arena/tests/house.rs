//! House bots: seating, messages, and the effect of their games on ratings.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fixtures;

use arena::house::{self, Call};
use arena::pairing::opponent_hash;
use arena::progress::{Needs, advance, finish, needs};
use arena::seating::{seat, seat_with_house};
use arena::timer::{TimerStep, step};
use arena::{
    Action, Actor, Agent, Decision, Game, GameId, Holder, HouseLevel, Intent, Message, Opponent,
    Pace, Plan, Player, Pool, Rating, Reason, Rejection, Standing, Submission, Tag, TicketId,
    Timestamp, TurnNumber, Uncounted, Write,
};
use fixtures::{
    START, agent, at, created, division, fast, flagged, gomoku, key, name, next, played, rating,
    resigned, with_house,
};
use renju::{BySeat, Play, Seat};

const PACE: Pace = Pace { house_after_ms: Some(10_000), ..Pace::STANDARD };

fn level(number: u8) -> HouseLevel {
    HouseLevel::new(number).unwrap()
}

/// Alice in the queue since the start, for this opponent.
fn waiting(opponent: Opponent, rating: Rating) -> Agent {
    fixtures::waiting(&agent("alice"), opponent, rating, START)
}

/// A game of gomoku in which a house bot has this seat.
fn against_house(seat: Seat) -> Game {
    with_house(&gomoku(Pool::Fast), seat)
}

#[test]
fn seating_with_a_house_bot_is_one_agent_the_game_and_its_messages() {
    let mut alice = waiting(Opponent::Anyone, rating(1730.0, 70.0));
    alice.opponents = vec![opponent_hash(&name("bob"))];
    let now = at(10_000);
    assert_eq!(seat_with_house(&alice, fast(), at(9_999), &PACE), None, "not yet");
    let plan = seat_with_house(&alice, fast(), now, &PACE).unwrap();

    let header = created(&plan);
    let house = Seat::BOTH.into_iter().find(|&seat| header.players[seat].house().is_some());
    let house = house.unwrap();
    assert_eq!(header.players[house], Player::house_bot(level(4)));
    let expected = Player::agent(name("alice"), key(1).digest(), rating(1730.0, 70.0));
    assert_eq!(header.players[!house], expected);
    let [Write::Seat { agent, epoch, key: with, game, opponents, .. }, _] = &plan.writes[..] else {
        panic!("{plan:?}");
    };
    assert_eq!((agent, *epoch, *with, *game), (&alice.name, 1, key(1), header.id));
    assert_eq!(*opponents, alice.opponents, "a house bot does not push out whom to avoid");

    let fire = now.plus(65_001);
    let mut messages = vec![Message::Timer { game: header.id, fire }];
    if house == Seat::First {
        messages.push(Message::House { game: header.id, turn: TurnNumber(0) });
    }
    assert_eq!(plan.messages, messages);
}

#[test]
fn the_same_ticket_names_the_same_game_and_seats_are_tossed() {
    let mut firsts = 0;
    for epoch in 1..=400 {
        let mut alice = waiting(Opponent::House(level(2)), Rating::NEW);
        alice.epoch = epoch;
        let plan = seat_with_house(&alice, fast(), START, &PACE).unwrap();
        let again = seat_with_house(&alice, fast(), at(5_000), &PACE).unwrap();
        let header = created(&plan);
        assert_eq!(header.id, created(&again).id);
        let is_first = header.players.first.house().is_some();
        assert_eq!(is_first, created(&again).players.first.house().is_some());
        let ticket = |agent: &str| TicketId { agent: name(agent), epoch };
        let (house, agent) = (ticket("house-2"), ticket("alice"));
        let (first, second) = if is_first { (house, agent) } else { (agent, house) };
        assert_eq!(header.id, GameId::of(&first, &second, alice.waiting.unwrap().since));
        firsts += u32::from(is_first);
    }
    assert!((160..240).contains(&firsts), "{firsts}");
}

#[test]
fn a_seat_is_chosen_outside_the_ratings_and_drawn_within() {
    for seat in Seat::BOTH {
        let mut rated = Vec::new();
        for epoch in 1..=40 {
            let mut alice = waiting(Opponent::HouseAs(level(2), seat), Rating::NEW);
            alice.epoch = epoch;
            let seated = |alice: &Agent| {
                let plan = seat_with_house(alice, fast(), START, &PACE).unwrap();
                let header = created(&plan).clone();
                let own = Seat::BOTH.into_iter().find(|&own| header.players[own].house().is_none());
                (own.unwrap(), header.uncounted)
            };
            rated.push(seated(&alice).0);
            alice.waiting.as_mut().unwrap().rated = false;
            assert_eq!(seated(&alice), (seat, Some(Uncounted::Unrated)));
        }
        assert!(Seat::BOTH.into_iter().all(|seat| rated.contains(&seat)), "{rated:?}");
    }
}

#[test]
fn a_wish_is_kept_whatever_the_matchmaker_thinks() {
    let [anyone, agents, wanted] = [Opponent::Anyone, Opponent::Agents, Opponent::House(level(6))]
        .map(|opponent| waiting(opponent, Rating::NEW));
    let much_later = at(500_000);
    assert_eq!(seat_with_house(&agents, fast(), much_later, &PACE), None);
    assert!(seat_with_house(&anyone, fast(), much_later, &PACE).is_some());
    let plan = seat_with_house(&wanted, fast(), START, &PACE).unwrap();
    let players = &created(&plan).players;
    assert_eq!(players.first.house().or(players.second.house()), Some(level(6)));

    let bob = Agent { name: name("bob"), ..anyone.clone() };
    let pair =
        |alice: &Agent| seat(BySeat { first: alice, second: &bob }, fast(), START, &PACE).is_some();
    assert_eq!([pair(&anyone), pair(&agents), pair(&wanted)], [true, true, false]);

    for (agent, why) in [
        (Agent { waiting: None, ..anyone.clone() }, "it no longer waits"),
        (waiting(Opponent::Anyone, Rating::NEW), "there are no house bots"),
    ] {
        let pace = if agent.waiting.is_none() { PACE } else { Pace::STANDARD };
        assert_eq!(seat_with_house(&agent, fast(), much_later, &pace), None, "{why}");
    }
    let elsewhere = division("renju_free", Pool::Fast);
    assert_eq!(seat_with_house(&anyone, elsewhere, much_later, &PACE), None);
    assert_eq!(seat_with_house(&anyone, fast(), at(600_001), &PACE), None, "it has run out");
}

#[test]
fn every_decision_that_leaves_a_house_bot_to_act_calls_it() {
    let game = against_house(Seat::Second);
    assert_eq!(house::message(&game), None);
    let game = played(game, "h8", 1_000);
    let message = Message::House { game: game.id(), turn: TurnNumber(1) };
    assert_eq!(advance(game.clone(), &PACE).messages, [message]);
    let answered = played(game.clone(), "a1", 1_000);
    assert_eq!(advance(answered, &PACE).messages, []);
    assert_eq!(house::message(&resigned(&game, Seat::First)), None, "who is over is not called");

    // Keeping the colours leaves the same bot to act: one more message is sent.
    let game = fixtures::start(division("renju_taraguchi10_rif", Pool::Fast));
    let kept = played(with_house(&game, Seat::Second), "h8 keep", 1_000);
    assert_eq!(kept.to_act(), Some(Seat::Second));
    let message = Message::House { game: kept.id(), turn: TurnNumber(2) };
    assert_eq!(advance(kept, &PACE).messages, [message]);
}

#[test]
fn a_message_leads_to_a_move_in_its_turn_only() {
    let game = played(against_house(Seat::Second), "h8", 1_000);
    let call = |game, turn| house::call(game, TurnNumber(turn));
    assert_eq!(call(None, 1), Call::Soon, "the game may be about to exist");
    assert_eq!(call(Some(&game), 2), Call::Soon);
    assert_eq!(call(Some(&game), 1), Call::Act(Seat::Second, level(3)));
    assert_eq!(call(Some(&game), 0), Call::Drop, "the turn is past");
    let answered = played(game.clone(), "a1", 1_000);
    assert_eq!(call(Some(&answered), 1), Call::Drop);
    assert_eq!(call(Some(&answered), 2), Call::Drop, "the agent is to act");
    let over = resigned(&game, Seat::First);
    for turn in 0..4 {
        assert_eq!(call(Some(&over), turn), Call::Drop);
    }
}

#[test]
fn a_doubled_call_repeats_itself_or_is_refused() {
    let game = played(against_house(Seat::Second), "h8", 1_000);
    let submit = |game: &Game, submission| {
        game.apply(Actor::Seat(Seat::Second), submission, game.last_at().plus(10), &PACE)
    };
    let [a1, a2] = ["a1", "a2"].map(|point| {
        let play = Play::Place(point.parse().unwrap());
        house::submission(&game, level(3), play)
    });
    let after = submit(&game, a1).unwrap().into_commit().unwrap();
    assert_eq!(submit(&after, a1), Ok(Decision::Replay(TurnNumber(1))));
    assert_eq!(submit(&after, a2), Err(Rejection::KeyReused), "it thought of another play");
    let later = played(after, "i8", 10);
    let another = house::submission(&later, level(3), Play::Place("a3".parse().unwrap()));
    assert_ne!(another.tag, a1.tag);
    assert!(submit(&later, another).is_ok());
}

#[test]
fn a_late_house_bot_is_called_again_by_the_timer_and_whoever_minds() {
    let game = played(against_house(Seat::Second), "h8", 1_000);
    let message = Message::House { game: game.id(), turn: TurnNumber(1) };
    assert_eq!(house::late_message(&game, game.last_at().plus(15_000)), None);
    assert_eq!(house::late_message(&game, game.last_at().plus(15_001)), Some(message));
    let agents_turn = played(game.clone(), "a1", 1_000);
    assert_eq!(house::late_message(&agents_turn, at(60_000)), None);

    let fire = at(40_000);
    let messages =
        |game: &Game, now: Timestamp| match step(Some((game, Some(fire))), fire, now, &PACE) {
            TimerStep::Rearm(plan) => plan.messages,
            other => panic!("{other:?}"),
        };
    let timer = Message::Timer { game: game.id(), fire: game.last_at().plus(65_001) };
    assert_eq!(messages(&game, fire), [timer, message]);
    assert_eq!(messages(&game, at(9_000)).len(), 1, "it may still be thinking");
}

#[test]
fn only_the_agent_is_rated_and_against_the_fixed_rating() {
    for seat in Seat::BOTH {
        let game = against_house(!seat);
        let over = resigned(&game, seat);
        assert_eq!(needs(&over), Needs::Standings);
        let plan = finish(over, BySeat { first: &Standing::NEW, second: &Standing::NEW });
        let [Write::Finish(_), Write::Rate { agent, seen_games: 0, standing, .. }] =
            &plan.writes[..]
        else {
            panic!("{plan:?}");
        };
        let own = &game.header().players[seat];
        assert_eq!(*agent, own.name);
        let expected = own.rating.after(level(3).rating(), arena::Score::Loss);
        assert_eq!((standing.lost, standing.rating), (1, expected));
    }
}

#[test]
fn a_house_bot_out_of_time_is_nobodys_win_and_nobodys_fault() {
    let never_moved = played(against_house(Seat::Second), "h8", 1_000);
    let had_moved = played(against_house(Seat::Second), "h8 a1 i8", 1_000);
    for game in [never_moved, had_moved] {
        let over = flagged(&game);
        assert_eq!(over.log().last().unwrap().action, Action::NoShow);
        let result = over.result().unwrap();
        assert_eq!(
            (result.winner, result.reason, !result.is_void()),
            (None, Reason::NoShow, false)
        );
        assert_eq!(needs(&over), Needs::Nothing);
        let plan = advance(over.clone(), &PACE);
        assert_eq!(
            plan,
            Plan { messages: Vec::new(), writes: vec![Write::Finish(Box::new(over))] }
        );
    }
    // The agent's own clock runs as usual.
    let game = against_house(Seat::Second);
    assert_eq!(needs(&flagged(&game)), Needs::Absentee(Seat::First));
    let timeout = flagged(&played(game, "h8 a1", 1_000));
    assert_eq!(timeout.result().unwrap().reason, Reason::Timeout);
    assert_eq!(timeout.result().unwrap().winner, Some(Seat::Second));
}

#[test]
fn a_house_bot_has_no_key_and_a_change_of_key_never_reaches_its_seat() {
    let game = against_house(Seat::Second);
    assert_eq!(game.header().players.second.key(), None);
    let alice = Agent { game: Some(game.id()), ..agent("alice") };
    let plan = alice.rotate(key(2), Some(&game), START);
    assert_eq!(
        plan.writes[1..],
        [Write::Rekey { game: game.id(), seat: Seat::First, key: key(2).digest() }]
    );
    let header = game.header();
    assert_eq!(header.players.second.holder, Holder::House(level(3)));
    // An agent cannot use the house bot's idempotency key: tags are bound to names.
    let theirs = house::submission(&game, level(3), Play::Keep).tag;
    assert_ne!(theirs, Tag::of(&name("alice"), &format!("{}-0", game.id())));
    let resign = Submission { intent: Intent::Resign, tag: Tag([1; 8]) };
    assert!(next(&game, Actor::Seat(Seat::First), resign, at(5)).result().is_some());
}
