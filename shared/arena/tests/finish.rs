//! Writes at the end of a game: both standings, or the absentee's cool-down.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fixtures;

use arena::progress::{Needs, abandon, finish, needs};
use arena::{
    Agent, Game, GameId, Plan, Pool, Rating, Reason, Score, Standing, Timestamp, TurnNumber, Write,
};
use fixtures::{agent, at, flagged, full_board, gomoku, name, played, rating, resigned};
use renju::{BySeat, Ending, Seat};

const HOUR_MS: i64 = 3_600_000;

/// Alice wins with five in a row, a quarter of a minute after the start.
fn won() -> Game {
    played(gomoku(Pool::Fast), "h8 a1 i8 a2 j8 a3 k8 a4 l8", 1_735)
}

fn drawn() -> Game {
    let plays: Vec<String> = full_board().map(|point| point.to_string()).collect();
    played(gomoku(Pool::Fast), &plays.join(" "), 10)
}

fn id(n: u32) -> GameId {
    let mut bytes = [0; 10];
    bytes[..4].copy_from_slice(&n.to_le_bytes());
    GameId::from_bytes(bytes)
}

/// The standings a finished game leads to.
fn standings(game: &Game, before: BySeat<&Standing>) -> BySeat<Standing> {
    assert_eq!(needs(game), Needs::Standings);
    let plan = finish(game.clone(), before);
    assert!(plan.messages.is_empty());
    let [Write::Finish(finished), Write::Rate { .. }, Write::Rate { .. }] = &plan.writes[..] else {
        panic!("{plan:?}");
    };
    assert_eq!(**finished, *game);
    let rated = |seat: Seat, write: &Write| match write.clone() {
        Write::Rate { agent, division, seen_games, standing } => {
            let header = game.header();
            assert_eq!((agent, division), (header.players[seat].name.clone(), header.division));
            assert_eq!(seen_games, before[seat].games());
            *standing
        }
        other => panic!("{other:?}"),
    };
    BySeat {
        first: rated(Seat::First, &plan.writes[1]),
        second: rated(Seat::Second, &plan.writes[2]),
    }
}

/// The same for two newcomers.
fn first_standings(game: &Game) -> BySeat<Standing> {
    standings(game, BySeat { first: &Standing::NEW, second: &Standing::NEW })
}

#[test]
fn a_game_that_goes_on_needs_nothing() {
    assert_eq!(needs(&played(gomoku(Pool::Fast), "h8 a1", 10)), Needs::Nothing);
}

#[test]
fn a_game_is_written_over_the_turn_before_its_last_entry() {
    let game = played(gomoku(Pool::Fast), "h8 a1", 10);
    assert_eq!(Write::seen_turn(&game), TurnNumber(1));
    assert_eq!(Write::seen_turn(&resigned(&game, Seat::First)), TurnNumber(2));
}

#[test]
fn a_finish_writes_the_game_and_both_standings() {
    let game = won();
    let ratings = game.header().players.as_ref().map(|player| player.rating);
    let expected = |won, lost, rating: Rating| Standing {
        rating,
        rated_at: Some(at(9 * 1_730)),
        won,
        lost,
        drawn: 0,
        timeouts: 0,
        uncounted: 0,
        recent: vec![game.id()],
    };
    let after = first_standings(&game);
    assert_eq!(after.first, expected(1, 0, ratings.first.after(ratings.second, Score::Win)));
    assert_eq!(after.second, expected(0, 1, ratings.second.after(ratings.first, Score::Loss)));
    assert!(after.first.rating.value > 1600.0 && after.second.rating.value < 1450.0);
    assert_eq!(after.first.rating, after.first.rating.stored(), "kept as it is stored");
}

#[test]
fn every_ending_counts_for_one_player_what_it_costs_the_other() {
    let going = played(gomoku(Pool::Fast), "h8 a1 i8", 10);
    let cases = [
        (won(), Score::Win, Reason::Board(Ending::Five)),
        (drawn(), Score::Draw, Reason::Board(Ending::BoardFull)),
        (resigned(&going, Seat::First), Score::Loss, Reason::Resignation),
        (resigned(&going, Seat::Second), Score::Win, Reason::Resignation),
        (flagged(&going), Score::Win, Reason::Timeout),
        (flagged(&played(going, "a2", 10)), Score::Loss, Reason::Timeout),
    ];
    for (game, score, reason) in cases {
        let result = game.result().unwrap();
        assert_eq!((result.score(Seat::First), result.reason), (score, reason));
        let (mirrored, counts) = match score {
            Score::Win => (Score::Loss, [1, 0, 0]),
            Score::Draw => (Score::Draw, [0, 1, 0]),
            Score::Loss => (Score::Win, [0, 0, 1]),
        };
        assert_eq!(result.score(Seat::Second), mirrored);

        let after = first_standings(&game);
        let count = |standing: &Standing| [standing.won, standing.drawn, standing.lost];
        assert_eq!(count(&after.first), counts);
        assert_eq!(count(&after.second), [counts[2], counts[1], counts[0]]);
        let late = |lost: u32| if reason == Reason::Timeout { lost } else { 0 };
        assert_eq!(after.first.timeouts, late(after.first.lost));
        assert_eq!(after.second.timeouts, late(after.second.lost));
        let players = &game.header().players;
        let rated = players.first.rating.after(players.second.rating, score);
        assert_eq!(after.first.rating, rated);
    }
}

#[test]
fn the_ratings_are_those_the_game_started_with() {
    // Later changes of the standings do not matter: a game uses the ratings from its start.
    let other =
        Standing { rating: rating(2400.0, 50.0), won: 3, drawn: 2, lost: 1, ..Standing::NEW };
    let (fresh, after) =
        (first_standings(&won()), standings(&won(), BySeat { first: &other, second: &other }));
    assert_eq!(after.first.rating, fresh.first.rating);
    assert_eq!(after.second.rating, fresh.second.rating);
    assert_eq!((after.first.won, after.first.games()), (4, 7));
    assert_eq!((after.second.lost, after.second.games()), (2, 7));
}

#[test]
fn a_standing_lists_its_64_latest_games() {
    let long = Standing { recent: (0..64).map(id).collect(), ..Standing::NEW };
    let short = Standing { recent: (0..63).map(id).collect(), ..Standing::NEW };
    let game = won();
    let after = standings(&game, BySeat { first: &long, second: &short });
    let expected = |from| -> Vec<GameId> { (from..64).map(id).collect() };
    assert_eq!(after.first.recent, [&expected(1)[..], &[game.id()]].concat());
    assert_eq!(after.second.recent, [&expected(0)[..63], &[game.id()]].concat());
    assert_eq!((after.first.recent.len(), after.second.recent.len()), (64, 64));
}

#[test]
fn the_deviation_grows_while_nobody_plays() {
    let standing = first_standings(&won()).first;
    let rated_at = standing.rated_at.unwrap();
    assert_eq!(standing.rating_at(rated_at), standing.rating);
    assert_eq!(standing.rating_at(rated_at.plus(-5_000)), standing.rating, "a clock behind");
    let deviations: Vec<f64> = [0, 1, 24, 24 * 30, 24 * 365 * 2]
        .map(|hours| standing.rating_at(rated_at.plus(hours * HOUR_MS)).deviation)
        .to_vec();
    assert!(deviations.is_sorted_by(|a, b| a < b), "{deviations:?}");
    assert_eq!(deviations[4], 350.0);
    let idle = standing.rating_at(rated_at.plus(24 * HOUR_MS));
    assert_eq!(idle, standing.rating.idle(24 * HOUR_MS));
    assert_eq!((idle.value, idle.volatility), (standing.rating.value, standing.rating.volatility));
    // A newcomer's rating does not age.
    assert_eq!(Standing::NEW.rating_at(at(24 * HOUR_MS)), Rating::NEW);
}

/// The plan, the end of the penalty, and the number of no-shows.
fn cool_down(game: &Game, absentee: &Agent) -> (Plan, Timestamp, u8) {
    let plan = abandon(game.clone(), absentee);
    let Some(&Write::CoolDown { no_shows, until, .. }) = plan.writes.get(1) else {
        panic!("{plan:?}");
    };
    (plan, until, no_shows)
}

#[test]
fn who_never_decides_is_the_absentee() {
    let empty = gomoku(Pool::Fast);
    assert_eq!(needs(&flagged(&empty)), Needs::Absentee(Seat::First));
    assert_eq!(needs(&flagged(&played(empty, "h8", 10))), Needs::Absentee(Seat::Second));
}

#[test]
fn a_no_show_rates_nobody_and_keeps_the_absentee_waiting() {
    let game = flagged(&gomoku(Pool::Fast));
    assert!(game.result().unwrap().is_void());
    let alice = agent("alice");
    let (plan, until, _) = cool_down(&game, &alice);
    assert_eq!((game.last_at(), until), (at(65_000), at(125_000)));
    let cool_down = Write::CoolDown { agent: name("alice"), game: game.id(), no_shows: 1, until };
    let writes = vec![Write::Finish(Box::new(game)), cool_down];
    assert_eq!(plan, Plan { messages: Vec::new(), writes });
}

#[test]
fn the_cool_down_doubles_up_to_a_day() {
    let game = flagged(&gomoku(Pool::Fast));
    let mut alice = agent("alice");
    let mut minutes = Vec::new();
    for n in 1..=300u32 {
        let (_, until, no_shows) = cool_down(&game, &alice);
        assert_eq!(u32::from(no_shows), n.min(255));
        minutes.push(until.since(game.last_at()) / 60_000);
        (alice.no_shows, alice.cool_until) = (no_shows, Some(until));
    }
    assert_eq!(minutes[..12], [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1440]);
    assert!(minutes[12..].iter().all(|&wait| wait == 1440));
}

#[test]
fn a_day_after_its_cool_down_an_absentee_starts_again() {
    let game = flagged(&gomoku(Pool::Fast));
    let mut alice = agent("alice");
    alice.no_shows = 5;
    for (since, no_shows) in [(24 * HOUR_MS, 6), (24 * HOUR_MS + 1, 1)] {
        alice.cool_until = Some(game.last_at().plus(-since));
        assert_eq!(cool_down(&game, &alice).2, no_shows);
    }
}

#[test]
fn plays_are_what_was_played_and_names_print_as_themselves() {
    let game = resigned(&played(gomoku(Pool::Fast), "h8 a1 i8", 1_000), Seat::Second);
    let plays: Vec<String> = game.plays().map(|play| play.to_string()).collect();
    assert_eq!(plays, ["h8", "a1", "i8"]);
    assert_eq!(format!("{:?} {:?}", name("alice"), game.id()), format!("alice {}", game.id()));
    let twice = game.log().iter().chain(game.log()).copied();
    let broken = Game::restore(game.header().clone(), twice).unwrap_err();
    let text = format!("the log of game {} does not replay at turn 4", game.id());
    assert_eq!(broken.to_string(), text);
}
