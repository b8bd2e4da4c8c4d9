//! An agent's place in the queue, its keys, and the seating of two tickets.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fixtures;

use arena::pairing::opponent_hash;
use arena::seating::seat;
use arena::{
    Agent, CoolingDown, Game, GameId, Header, Join, KEY_OVERLAP_MS, Keys, Message, Opponent, Pace,
    Plan, Player, Pool, Rating, Standing, TICKET_MS, Tag, Tally, TicketId, Timestamp, UNUSED_MS,
    Wanted, Write,
};
use fixtures::{
    PACE, START, at, division, fast, flagged, gomoku, key, name, rating, resigned, standing, tag,
    waiting, wanted,
};
use renju::{BySeat, Seat};

const ANYONE: Opponent = Opponent::Anyone;

const DAY_MS: i64 = 24 * 3_600_000;

fn agent(text: &str, byte: u8) -> Agent {
    Agent::register(name(text), key(byte), START)
}

fn ticket(text: &str, epoch: u32) -> TicketId {
    TicketId { agent: name(text), epoch }
}

/// Joins the fast queue at 1500 points, without a game.
fn ask(agent: &Agent, tag: Option<Tag>, now: Timestamp) -> Result<Join, CoolingDown> {
    let current = agent.game.map(|_| over());
    let standing = standing(Rating::NEW, current.as_ref());
    agent.join(wanted(fast(), ANYONE, tag), &standing, current.as_ref(), now)
}

/// The agent after a plan whose conditions it meets.
fn after(agent: &Agent, plan: &Plan) -> Agent {
    let mut next = agent.clone();
    for write in &plan.writes {
        match write.clone() {
            Write::Join { agent: who, created, seen_epoch, seen_game, waiting, expires, joins } => {
                assert_eq!(created, agent.created);
                assert_eq!(
                    (who, seen_epoch, seen_game),
                    (agent.name.clone(), agent.epoch, agent.game)
                );
                (next.epoch, next.waiting, next.joins) = (seen_epoch + 1, Some(waiting), joins);
                next.expires = expires;
            }
            Write::Leave { agent: who, epoch, .. } => {
                assert_eq!((who, epoch), (agent.name.clone(), agent.epoch));
                assert!(next.waiting.take().is_some());
            }
            Write::Refresh { agent: who, epoch, until, expires } => {
                next.expires = expires;
                assert_eq!((who, epoch), (agent.name.clone(), agent.epoch));
                next.waiting.as_mut().unwrap().until = until;
            }
            Write::Seat { agent: who, epoch, key, game, opponents, tally } if who == agent.name => {
                assert_eq!((epoch, key), (agent.epoch, agent.keys.current));
                assert!(next.waiting.take().is_some());
                (next.game, next.opponents, next.tally) = (Some(game), opponents, tally);
            }
            Write::Keys { agent: who, seen, seen_game, is_banned, keys } => {
                assert_eq!((who, seen), (agent.name.clone(), agent.keys.current));
                assert_eq!((seen_game, is_banned), (agent.game, agent.ban.is_some()));
                next.keys = keys;
            }
            Write::Seat { .. } | Write::Create { .. } | Write::Rekey { .. } => {}
            other => panic!("{other:?} is not about a place in the queue"),
        }
    }
    next
}

/// A game that is over.
fn over() -> arena::Game {
    resigned(&gomoku(Pool::Fast), Seat::First)
}

/// The agent queued with its next ticket.
fn joined(agent: &Agent, tag: Option<Tag>, now: Timestamp) -> Agent {
    match ask(agent, tag, now) {
        Ok(Join::Commit(plan, ticket)) => {
            let next = after(agent, &plan);
            assert_eq!(next.ticket(now), Some(ticket));
            next
        }
        other => panic!("{other:?}"),
    }
}

/// Alice and bob, who have joined the fast queue at the start.
fn both_joined() -> [Agent; 2] {
    [agent("alice", 1), agent("bob", 2)].map(|agent| joined(&agent, None, START))
}

/// Both after they were seated in the fast queue, and their game's id.
fn seated(first: &Agent, second: &Agent, now: Timestamp) -> (Agent, Agent, GameId) {
    let plan = seat(BySeat { first, second }, fast(), now, &PACE).unwrap();
    let (first, second) = (after(first, &plan), after(second, &plan));
    let id = first.game.unwrap();
    (first, second, id)
}

#[test]
fn a_join_is_one_write_and_a_message() {
    let alice = agent("alice", 1);
    let tag = tag("alice", "join");
    let (fast, rating, now) = (fast(), rating(1700.0, 60.0), at(5_000));
    let opponent = Opponent::Agents;
    let join = alice.join(wanted(fast, opponent, Some(tag)), &standing(rating, None), None, now);
    let until = now.plus(600_000);
    let rated = true;
    let waiting = arena::Waiting { division: fast, since: now, until, rating, opponent, rated };
    let plan = Plan {
        messages: vec![Message::Match { division: fast, at: now.plus(1_000) }],
        writes: vec![Write::Join {
            agent: name("alice"),
            created: START,
            seen_epoch: 0,
            seen_game: None,
            waiting,
            expires: None,
            joins: vec![(tag, 1)],
        }],
    };
    assert_eq!(join, Ok(Join::Commit(plan, ticket("alice", 1))));
    assert_eq!(ticket("alice", 1).to_string(), "t_alice_1");
}

/// The end that a join for a rated or an unrated game sets.
fn expires_after_join(agent: &Agent, rated: bool, now: Timestamp) -> Option<Timestamp> {
    let wanted = Wanted { rated, ..wanted(fast(), ANYONE, None) };
    let join = agent.join(wanted, &Standing::NEW, None, now).unwrap();
    let Join::Commit(plan, _) = join else { panic!("{join:?}") };
    let [Write::Join { expires, .. }] = &plan.writes[..] else { panic!("{plan:?}") };
    *expires
}

#[test]
fn a_name_that_has_not_played_for_a_rating_is_free_again_after_thirty_days() {
    let alice = agent("alice", 1);
    let end = alice.expires.unwrap();
    assert_eq!((end.ms() % 1_000, at(UNUSED_MS).since(end)), (0, 3), "whole seconds");
    assert!(!alice.is_expired(end.plus(-1)) && alice.is_expired(end));
    let later = at(5_000);
    assert_eq!(expires_after_join(&alice, false, later), Some(end.plus(5_000)), "a guest stays");
    assert_eq!(expires_after_join(&alice, true, later), None);
    let queued = waiting(&alice, ANYONE, Rating::NEW, START);
    let guest = Agent { expires: Some(end), ..queued };
    let plan = guest.refresh(at(TICKET_MS)).unwrap();
    let [Write::Refresh { expires, .. }] = &plan.writes[..] else { panic!("{plan:?}") };
    assert_eq!(*expires, Some(end.plus(TICKET_MS)), "who waits for long stays");
    let used = Agent { expires: None, ..alice };
    assert_eq!(expires_after_join(&used, false, later), None, "an agent with a rating stays");
    assert!(!used.is_expired(at(i64::from(u32::MAX))));
}

#[test]
fn joining_twice_is_joining_once() {
    let alice = joined(&agent("alice", 1), Some(tag("alice", "one")), START);
    let queued = Ok(Join::Queued(ticket("alice", 1)));
    for tag in [Some(tag("alice", "one")), Some(tag("alice", "two")), None] {
        assert_eq!(ask(&alice, tag, at(1)), queued);
    }
    // For any division: an agent has one place at a time.
    let slow = division("renju_free", Pool::Slow);
    assert_eq!(alice.join(wanted(slow, ANYONE, None), &Standing::NEW, None, at(1)), queued);
}

#[test]
fn a_join_while_playing_names_the_game() {
    let game = gomoku(Pool::Fast);
    let mut alice = agent("alice", 1);
    (alice.game, alice.epoch) = (Some(game.id()), 1);
    alice.joins = vec![(tag("alice", "old"), 1)];
    alice.cool_until = Some(at(DAY_MS));
    for tag in [None, Some(tag("alice", "old")), Some(tag("alice", "new"))] {
        let join = alice.join(wanted(fast(), ANYONE, tag), &Standing::NEW, Some(&game), START);
        assert_eq!(join, Ok(Join::Playing(game.id())));
    }
}

#[test]
fn after_the_game_an_agent_joins_again() {
    let game = resigned(&gomoku(Pool::Fast), Seat::First);
    let mut alice = agent("alice", 1);
    (alice.game, alice.epoch) = (Some(game.id()), 7);
    let standing = standing(Rating::NEW, Some(&game));
    let join = alice.join(wanted(fast(), ANYONE, None), &standing, Some(&game), at(2_000));
    let Ok(Join::Commit(plan, ticket)) = join else { panic!("{join:?}") };
    assert_eq!(ticket.epoch, 8);
    // Conditional on the game that was read: a seat taken meanwhile makes the write fail.
    let Write::Join { seen_epoch: 7, seen_game, .. } = plan.writes[0] else { panic!("{plan:?}") };
    assert_eq!(seen_game, Some(game.id()));
}

#[test]
fn an_end_that_is_seen_before_its_ratings_is_read_again() {
    let game = resigned(&gomoku(Pool::Fast), Seat::First);
    let mut alice = agent("alice", 1);
    (alice.game, alice.epoch) = (Some(game.id()), 7);
    let before = Standing::NEW;
    let join = |division, game: &Game| {
        alice.join(wanted(division, ANYONE, None), &before, Some(game), START)
    };
    assert_eq!(join(fast(), &game), Ok(Join::HalfSeen));
    // Another division has no rating of this game, and neither does a no-show.
    for (division, game) in
        [(division("renju_free", Pool::Fast), &game), (fast(), &flagged(&gomoku(Pool::Fast)))]
    {
        assert!(matches!(join(division, game), Ok(Join::Commit(..))));
    }
}

#[test]
fn an_agent_whose_last_game_no_longer_exists_joins_again() {
    let mut alice = agent("alice", 1);
    alice.game = Some(gomoku(Pool::Fast).id());
    let join = alice.join(wanted(fast(), ANYONE, None), &Standing::NEW, None, START).unwrap();
    let Join::Commit(plan, _) = join else { panic!("{join:?}") };
    let Write::Join { seen_game, .. } = &plan.writes[0] else { panic!("{plan:?}") };
    assert_eq!(*seen_game, alice.game);
}

#[test]
fn a_late_duplicate_of_a_join_does_not_queue_again() {
    let key = Some(tag("alice", "join"));
    let alice = joined(&agent("alice", 1), key, START);
    let spent = Ok(Join::Spent(ticket("alice", 1)));

    let left = after(&alice, &alice.leave().unwrap());
    assert_eq!(ask(&left, key, at(1)), spent);

    let bob = joined(&agent("bob", 2), None, START);
    let (mut alice, _, id) = seated(&alice, &bob, at(1));
    assert_eq!(alice.game, Some(id));
    alice.game = Some(over().id());
    assert_eq!(ask(&alice, key, at(9_000)), spent);

    // Without a key, or with another, it is a new request to play.
    assert_eq!(joined(&alice, None, at(9_000)).epoch, 2);
    assert_eq!(joined(&alice, Some(tag("alice", "again")), at(9_000)).epoch, 2);
}

#[test]
fn the_four_latest_join_keys_are_remembered() {
    let keys: Vec<Tag> = (0..6).map(|n| tag("alice", &format!("join {n}"))).collect();
    let mut alice = agent("alice", 1);
    for &key in &keys {
        alice = joined(&alice, Some(key), START);
        alice = after(&alice, &alice.leave().unwrap());
    }
    let remembered: Vec<(Tag, u32)> = keys.iter().copied().zip(1..).skip(2).collect();
    assert_eq!(alice.joins, remembered);
    for &(key, epoch) in &remembered {
        assert_eq!(ask(&alice, Some(key), at(1)), Ok(Join::Spent(ticket("alice", epoch))));
    }
    assert_eq!(joined(&alice, Some(keys[1]), at(1)).epoch, 7);
    // A join without a key takes no place in the list.
    assert_eq!(joined(&alice, None, at(1)).joins, remembered);
}

#[test]
fn a_ticket_lasts_ten_minutes_and_then_makes_room_for_the_next() {
    let first = Some(tag("alice", "first"));
    let alice = joined(&agent("alice", 1), first, START);
    assert_eq!(alice.ticket(at(TICKET_MS)), Some(ticket("alice", 1)));
    assert_eq!(alice.ticket(at(TICKET_MS + 1)), None);
    assert_eq!(ask(&alice, None, at(TICKET_MS)), Ok(Join::Queued(ticket("alice", 1))));
    assert_eq!(ask(&alice, first, at(TICKET_MS + 1)), Ok(Join::Spent(ticket("alice", 1))));

    let again = joined(&alice, None, at(TICKET_MS + 1));
    assert_eq!(again.epoch, 2);
    assert_eq!(again.waiting.unwrap().since, at(TICKET_MS + 1));
}

#[test]
fn who_cools_down_may_not_join_until_it_is_over() {
    let mut alice = agent("alice", 1);
    alice.cool_until = Some(at(60_000));
    assert_eq!(ask(&alice, None, at(59_999)), Err(CoolingDown { until: at(60_000) }));
    assert_eq!(joined(&alice, None, at(60_000)).epoch, 1);
    // A duplicate of a granted request still gets that answer.
    alice.joins = vec![(tag("alice", "old"), 3)];
    let join = ask(&alice, Some(tag("alice", "old")), START);
    assert_eq!(join, Ok(Join::Spent(ticket("alice", 3))));
}

#[test]
fn a_ticket_is_given_up_for_having_run_out_only_with_the_end_that_was_read() {
    let alice = joined(&agent("alice", 1), None, START);
    assert_eq!(alice.lapse(at(TICKET_MS)), None, "it is good to the last");
    let plan = alice.lapse(at(TICKET_MS + 1)).unwrap();
    let write = Write::Leave { agent: name("alice"), epoch: 1, until: Some(at(TICKET_MS)) };
    assert_eq!(plan, Plan { messages: Vec::new(), writes: vec![write] });
    assert_eq!(after(&alice, &plan).lapse(at(TICKET_MS + 1)), None);
}

#[test]
fn a_ticket_is_overlooked_once_its_own_look_must_have_come() {
    let alice = agent("alice", 1);
    assert_eq!(alice.overlooked(at(60_000)), None);
    let alice = joined(&alice, None, START);
    assert_eq!(alice.overlooked(at(5_000)), None);
    let Some((ticket, Message::Match { at: look, .. })) = alice.overlooked(at(5_001)) else {
        panic!("it asks for a look");
    };
    assert_eq!((ticket, look), (self::ticket("alice", 1), at(5_001)));
    assert_eq!(alice.overlooked(at(TICKET_MS + 1)), None, "it has run out");
}

#[test]
fn leaving_gives_up_this_ticket_and_no_other() {
    let alice = agent("alice", 1);
    assert_eq!(alice.leave(), None);
    let alice = joined(&joined(&alice, None, START), None, at(TICKET_MS + 1));
    let plan = alice.leave().unwrap();
    let write = Write::Leave { agent: name("alice"), epoch: 2, until: None };
    assert_eq!(plan, Plan { messages: Vec::new(), writes: vec![write] });
    let left = after(&alice, &plan);
    assert_eq!((left.ticket(at(TICKET_MS + 1)), left.leave()), (None, None));
    assert_eq!(left.epoch, 2);
}

#[test]
fn a_ticket_is_prolonged_once_it_is_half_used() {
    let alice = agent("alice", 1);
    assert_eq!(alice.refresh(START), None);
    let alice = joined(&alice, None, START);
    assert_eq!(alice.refresh(START), None);
    assert_eq!(alice.refresh(at(TICKET_MS / 2)), None);

    let now = at(TICKET_MS / 2 + 1);
    let plan = alice.refresh(now).unwrap();
    let until = now.plus(TICKET_MS);
    let expected = Plan {
        messages: vec![Message::Match { division: fast(), at: now.plus(1_000) }],
        writes: vec![Write::Refresh { agent: name("alice"), epoch: 1, until, expires: None }],
    };
    assert_eq!(plan, expected);
    // The same ticket with the same start; further polls write nothing for a while.
    let refreshed = after(&alice, &plan);
    assert_eq!(refreshed.ticket(until), Some(ticket("alice", 1)));
    assert_eq!(refreshed.waiting.unwrap().since, START);
    assert_eq!(refreshed.refresh(now), None);

    assert!(alice.refresh(at(TICKET_MS)).is_some());
    assert_eq!(alice.refresh(at(TICKET_MS + 1)), None, "what has run out is not prolonged");
}

#[test]
fn a_registration_may_be_repeated_for_a_day_while_nothing_was_done() {
    let alice = agent("alice", 1);
    assert!(alice.is_same_registration(key(1), START));
    assert!(alice.is_same_registration(key(1), at(DAY_MS - 1)));
    assert!(!alice.is_same_registration(key(1), at(DAY_MS)));
    assert!(!alice.is_same_registration(key(2), START), "another secret");
    assert!(!joined(&alice, None, START).is_same_registration(key(1), at(1)));
    let rotated = after(&alice, &alice.rotate(key(2), None, START));
    let revoked = after(&rotated, &rotated.revoke_previous().unwrap());
    for changed in [rotated, revoked] {
        assert!(!changed.is_same_registration(key(1), at(1)), "that key is good no longer");
    }
}

#[test]
fn a_rotated_key_is_good_for_another_day() {
    let alice = agent("alice", 1);
    assert_eq!(alice.revoke_previous(), None);
    let plan = alice.rotate(key(2), None, at(7));
    let keys = Keys { current: key(2), previous: Some((key(1), at(7 + KEY_OVERLAP_MS))) };
    let (agent, seen, seen_game, is_banned) = (name("alice"), key(1), None, false);
    let write = Write::Keys { agent, seen, seen_game, is_banned, keys };
    assert_eq!(plan, Plan { messages: Vec::new(), writes: vec![write] });
    assert_eq!(KEY_OVERLAP_MS, DAY_MS);

    let alice = after(&alice, &plan);
    let revoked = after(&alice, &alice.revoke_previous().unwrap());
    assert_eq!(revoked.keys, Keys { current: key(2), previous: None });
    assert_eq!(revoked.revoke_previous(), None);

    let twice = after(&alice, &alice.rotate(key(3), None, at(8)));
    assert_eq!(twice.keys.previous, Some((key(2), at(8 + KEY_OVERLAP_MS))), "the first has ended");
}

#[test]
fn a_game_that_goes_on_learns_the_new_key() {
    let game = gomoku(Pool::Fast);
    let over = resigned(&game, Seat::First);
    for (text, seat) in [("alice", Seat::First), ("bob", Seat::Second)] {
        let player = agent(text, 1);
        let plan = player.rotate(key(2), Some(&game), START);
        let rekey = Write::Rekey { game: game.id(), seat, key: key(2).digest() };
        assert_eq!(plan.writes[1..], [rekey]);
        assert_eq!(player.rotate(key(2), Some(&over), START).writes.len(), 1);
    }
    assert_eq!(agent("carol", 1).rotate(key(2), Some(&game), START).writes.len(), 1);
}

#[test]
fn keys_change_only_while_the_agent_is_not_seated_anew() {
    let game = over().id();
    let mut alice = agent("alice", 1);
    alice.game = Some(game);
    alice.keys.previous = Some((key(9), at(1)));
    for plan in [alice.rotate(key(2), None, START), alice.revoke_previous().unwrap()] {
        let [Write::Keys { seen, seen_game, .. }] = plan.writes[..] else { panic!("{plan:?}") };
        assert_eq!((seen, seen_game), (key(1), Some(game)));
    }
}

#[test]
fn seating_is_one_transaction_and_the_first_timer() {
    let [alice, bob] = [(agent("alice", 1), 1600.0), (agent("bob", 2), 1450.0)]
        .map(|(agent, value)| waiting(&agent, ANYONE, rating(value, 70.0), START));
    let now = at(4_321);
    let plan = seat(BySeat { first: &bob, second: &alice }, fast(), now, &PACE).unwrap();

    let id = GameId::of(&ticket("bob", 1), &ticket("alice", 1), START);
    let header = Header {
        id,
        division: fast(),
        turn_ms: 60_000,
        budget_ms: Some(24 * 60_000),
        uncounted: None,
        previous: BySeat { first: None, second: None },
        players: BySeat {
            first: Player::agent(name("bob"), key(2).digest(), rating(1450.0, 70.0)),
            second: Player::agent(name("alice"), key(1).digest(), rating(1600.0, 70.0)),
        },
        created: now,
    };
    let armed = now.plus(65_001);
    let seat = |who: &str, byte, opponent: &str| Write::Seat {
        agent: name(who),
        epoch: 1,
        key: key(byte),
        game: id,
        opponents: vec![opponent_hash(&name(opponent))],
        tally: Tally::default().with(&name(opponent), fast(), now),
    };
    let create = Write::Create { header: Box::new(header.clone()), armed };
    let expected = Plan {
        messages: vec![Message::Timer { game: id, fire: armed }],
        writes: vec![seat("bob", 2, "alice"), seat("alice", 1, "bob"), create],
    };
    assert_eq!(plan, expected);

    let game = Game::start(header);
    assert_eq!((game.to_act(), game.deadline()), (Some(Seat::First), Some(now.plus(60_000))));
    assert_eq!(game.seat_of(&name("alice")), Some(Seat::Second));
    assert_eq!(game.seat_of(&name("carol")), None);
}

#[test]
fn the_same_tickets_make_the_same_game_and_others_another() {
    let [alice, bob] = both_joined();
    let id = |first: &Agent, second: &Agent, now| seated(first, second, now).2;
    assert_eq!(id(&alice, &bob, at(1)), id(&alice, &bob, at(90_000)));
    assert_ne!(id(&alice, &bob, at(1)), id(&bob, &alice, at(1)));
    let again = joined(&after(&alice, &alice.leave().unwrap()), None, at(1));
    assert_ne!(id(&alice, &bob, at(1)), id(&again, &bob, at(1)));
}

#[test]
fn nobody_is_seated_who_does_not_wait_here_now() {
    let [alice, bob] = both_joined();
    let try_seat = |first: &Agent, second: &Agent, division, now| {
        let plan = seat(BySeat { first, second }, division, now, &PACE);
        let mirrored = seat(BySeat { first: second, second: first }, division, now, &PACE);
        assert_eq!(plan.is_some(), mirrored.is_some());
        plan.is_some()
    };
    assert!(try_seat(&alice, &bob, fast(), at(TICKET_MS)));
    assert!(!try_seat(&alice, &bob, fast(), at(TICKET_MS + 1)), "both tickets have run out");
    let late = joined(&agent("bob", 2), None, at(1));
    assert!(!try_seat(&alice, &late, fast(), at(TICKET_MS + 1)), "one ticket has run out");
    assert!(!try_seat(&alice, &agent("bob", 2), fast(), at(1)), "one never joined");
    let left = after(&alice, &alice.leave().unwrap());
    assert!(!try_seat(&left, &bob, fast(), at(1)), "one has left");
    assert!(!try_seat(&alice, &alice, fast(), at(1)), "no agent plays itself");
    let (playing, _, _) = seated(&alice, &joined(&agent("carol", 3), None, START), at(1));
    assert!(!try_seat(&playing, &bob, fast(), at(2)), "one plays already");

    for other in [division("gomoku_exact5", Pool::Fast), division("gomoku_freestyle", Pool::Slow)] {
        assert!(!try_seat(&alice, &bob, other, at(1)), "both wait elsewhere");
        let join = agent("bob", 2).join(wanted(other, ANYONE, None), &Standing::NEW, None, START);
        let Ok(Join::Commit(plan, _)) = join else { panic!("{join:?}") };
        let elsewhere = after(&agent("bob", 2), &plan);
        assert!(!try_seat(&alice, &elsewhere, fast(), at(1)), "one waits elsewhere");
    }
}

#[test]
fn the_pace_of_a_deployment_sets_the_time_of_a_game() {
    let [alice, bob] = both_joined();
    let pace = Pace { turn_ms: Some(200), grace_ms: 50, lag_ms: 10, ..Pace::STANDARD };
    let plan = seat(BySeat { first: &alice, second: &bob }, fast(), START, &pace).unwrap();
    let Some(Write::Create { header, armed }) = plan.writes.last() else { panic!("{plan:?}") };
    assert_eq!((header.turn_ms, *armed), (200, at(251)));
}

#[test]
fn the_eight_latest_opponents_are_remembered() {
    let mut alice = agent("alice", 1);
    let opponents: Vec<String> = (0..10).map(|n| format!("opponent{n}")).collect();
    for text in &opponents {
        let opponent = joined(&agent(text, 2), None, START);
        (alice, _, _) = seated(&joined(&alice, None, START), &opponent, at(1));
        alice.game = Some(over().id());
    }
    let newest: Vec<u32> = opponents[2..].iter().map(|text| opponent_hash(&name(text))).collect();
    assert_eq!(alice.opponents, newest);
    assert_eq!((alice.epoch, alice.waiting), (10, None));
}
