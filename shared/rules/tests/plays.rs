//! Random games of every ruleset: `plays` lists what `play` accepts, and every step follows the
//! rules of seats, colours and endings.

mod slow;

use std::collections::BTreeSet;

use renju::{
    Color, Ending, Five, Foul, Fouls, IllegalPlay, Mark, Outcome, Phase, Play, Point, Position,
    Record, Ruleset, Seat,
};
use slow::capture::{Duel, Status};
use slow::foul::made;
use slow::playout::{any_offer, every_game, some_play, to_play};
use slow::random::Random;
use slow::{Grid, cell, offer, point};

/// Every play but offers that can be written down, on any board.
fn universe() -> impl Iterator<Item = Play> {
    let words = [Play::Swap, Play::Keep, Play::PutTwo];
    Point::all(20).map(Play::Place).chain(words).chain((0..=12).map(Play::Declare))
}

#[test]
fn plays_lists_exactly_what_play_accepts() {
    let mut positions = 0;
    for (seed, (ruleset, size)) in (1..=4).flat_map(|n| every_game().map(move |game| (n, game))) {
        let mut random = Random::new(seed);
        let mut position = Position::sized(ruleset, size).unwrap();
        while position.outcome().is_none() {
            accepts_what_it_lists(&position);
            splits_its_open_points(&position);
            judges_offers(&position, &mut random);
            position = position.play(some_play(&position, &mut random)).unwrap();
            positions += 1;
        }
        accepts_what_it_lists(&position);
        assert_eq!(position.play(Play::Keep), Err(IllegalPlay::GameOver));
    }
    eprintln!("{positions} positions");
}

fn accepts_what_it_lists(position: &Position) {
    let mut probe = position.clone();
    let mut accepted = BTreeSet::new();
    for play in universe() {
        match probe.advance(play) {
            Ok(()) => {
                accepted.insert(play.to_string());
                probe = position.clone();
            }
            Err(why) => {
                assert!(probe == *position, "{play} is rejected ({why}) but changes something")
            }
        }
    }
    let listed: Vec<String> = position.plays().map(|play| play.to_string()).collect();
    let once: BTreeSet<String> = listed.iter().cloned().collect();
    assert_eq!(listed.len(), once.len(), "a play is listed twice in {position:?}");
    assert_eq!(once, accepted, "{position:?}");
}

/// Legal and forbidden points are disjoint. Together they are all open points if fouls lose, all
/// empty points if they are rejected.
fn splits_its_open_points(position: &Position) {
    let grid = Grid::of(position.board());
    let color = position.to_move();
    let open: BTreeSet<Point> = position
        .plays()
        .filter_map(|play| if let Play::Place(at) = play { Some(at) } else { None })
        .collect();
    let legal: BTreeSet<Point> = position.legal_points().collect();
    let forbidden: Vec<(Point, Foul)> = position.forbidden_points().collect();
    let empty = || grid.empty_cells();
    let expected: Vec<(Point, Foul)> = match (position.phase(), position.ruleset().fouls) {
        (Phase::Play, Fouls::Black { precedence }) if color == Color::Black => empty()
            .filter_map(|at| match made(&grid, at, color).mark(precedence) {
                Mark::Foul(foul) => Some((point(at), foul)),
                _ => None,
            })
            .collect(),
        (Phase::Play, Fouls::DoubleThree { .. }) => empty()
            .filter(|&at| !open.contains(&point(at)))
            .map(|at| (point(at), Foul::DoubleThree))
            .collect(),
        _ => Vec::new(),
    };
    assert_eq!(forbidden, expected, "{position:?}");
    let forbidden: BTreeSet<Point> = forbidden.into_iter().map(|(at, _)| at).collect();
    assert_eq!(legal, &open - &forbidden, "{position:?}");
    assert!(legal.is_disjoint(&forbidden));
    // The outermost empty point is in no three, so there is always a legal move.
    assert!(position.phase() != Phase::Play || !open.is_empty(), "{position:?}");
}

fn judges_offers(position: &Position, random: &mut Random) {
    let distinct = position.ruleset().distinct;
    let grid = Grid::of(position.board());
    let due = match position.phase() {
        Phase::Fifth { count, .. } | Phase::Offer { count } => Some(count),
        _ => None,
    };
    for _ in 0..if due.is_some() { 50 } else { 1 } {
        // With more stones than an opening has, any list of empty points is accepted.
        let count = due.unwrap_or(1);
        let cells = any_offer(&grid, count, distinct, random);
        let legal =
            due.is_some() && offer::judge(&grid, &cells, usize::from(count), distinct).is_ok();
        let Some(play) = to_play(&cells) else {
            assert!(!legal, "{cells:?}");
            continue;
        };
        assert_eq!(position.play(play).is_ok(), legal, "{play} in {position:?}");
    }
}

#[test]
fn every_game_ends_and_every_step_keeps_to_the_rules() {
    for (seed, (ruleset, size)) in (1..=80).flat_map(|n| every_game().map(move |game| (n, game))) {
        let mut random = Random::new(seed);
        let mut record = Record::sized(ruleset, size).unwrap();
        // Captures leave at most sixteen points to be filled again; openings add decisions.
        let most = usize::from(size) * usize::from(size) + 16 + 10;
        while record.position().outcome().is_none() {
            assert!(record.plays().len() < most, "{record}");
            let before = record.position().clone();
            let play = some_play(&before, &mut random);
            record.play(play).unwrap();
            keeps_seats_and_colours(&before, play, record.position());
            if let Play::Place(at) = play {
                let expected = outcome(&before, at);
                assert_eq!(record.position().outcome(), expected, "{} {record}", ruleset.id);
            }
        }
        replays(&record);
    }
}

fn keeps_seats_and_colours(before: &Position, play: Play, after: &Position) {
    let place = || format!("{play} in {before:?}");
    let actor = before.to_act().expect("a player acted");
    let placed = u16::from(matches!(play, Play::Place(_)));
    assert_eq!(after.move_number(), before.move_number() + placed, "{}", place());
    let even = after.move_number().is_multiple_of(2);
    assert_eq!(after.to_move(), if even { Color::Black } else { Color::White }, "{}", place());
    for seat in Seat::BOTH {
        let color = before.color_of(seat);
        assert_eq!(
            after.color_of(seat),
            if play == Play::Swap { !color } else { color },
            "{}",
            place()
        );
        assert_eq!(after.seat_of(after.color_of(seat)), seat, "{}", place());
    }
    let holder = |color| Some(after.seat_of(color));
    let by_one_seat =
        after.ruleset().id.contains("soosorv") || after.ruleset().id.contains("swap2");
    let to_act = match after.phase() {
        Phase::Swap | Phase::SwapOrPutTwo => Some(!actor),
        Phase::Declare { .. } => holder(Color::White).filter(|&seat| seat == actor),
        Phase::Fifth { .. } | Phase::Offer { .. } => holder(Color::Black),
        Phase::Choose(_) => holder(Color::White),
        Phase::Place(_) if by_one_seat && after.move_number() < 3 => Some(Seat::First),
        Phase::Place(_) if after.ruleset().id.contains("swap2") => Some(Seat::Second),
        Phase::Place(_) | Phase::Play => holder(after.to_move()),
        Phase::Over(_) => None,
    };
    assert_eq!(after.to_act(), to_act, "{}", place());
}

/// Expected result of a stone on `at`, by the prose.
fn outcome(before: &Position, at: Point) -> Option<Outcome> {
    let color = before.to_move();
    let grid = Grid::of(before.board());
    let ruleset = before.ruleset();
    let won = |winner, by| Some(Outcome { winner: Some(winner), by });
    let draw = Some(Outcome { winner: None, by: Ending::BoardFull });
    if let Fouls::DoubleThree { captures_exempt } = ruleset.fouls {
        let duel = Duel { grid, to_move: color, pairs: before.pairs(), captures_exempt };
        return match duel.status(cell(at)) {
            Status::WinCapture => won(color, Ending::Pairs),
            Status::LoseFive => won(!color, Ending::Five),
            Status::WinFive => won(color, Ending::Five),
            Status::Draw => draw,
            Status::FivePending | Status::Ongoing => None,
        };
    }
    let after = grid.with(cell(at), color);
    let five = match ruleset.five[color] {
        Five::Exactly => after.has_exact_five(cell(at)),
        Five::OrMore => after.longest_row(cell(at)) >= 5,
    };
    let mark = match ruleset.fouls {
        Fouls::Black { precedence } if color == Color::Black => {
            made(&grid, cell(at), color).mark(precedence)
        }
        _ if five => Mark::Five,
        _ => Mark::Quiet,
    };
    match mark {
        Mark::Five => won(color, Ending::Five),
        Mark::Foul(foul) => won(!color, Ending::Foul(foul)),
        Mark::Quiet if after.empty_cells().next().is_none() => draw,
        Mark::Quiet => None,
    }
}

fn replays(record: &Record) {
    let last = record.position();
    let size = last.board().size();
    let again =
        Record::parse(last.ruleset(), size, &record.to_string()).expect("a record reads back");
    assert_eq!(again.position(), last);
    assert_eq!(again.plays(), record.plays());
    assert_eq!(record.positions().last().as_ref(), Some(last));
    assert_eq!(record.positions().count(), record.plays().len() + 1);
    assert_eq!(record.stones().count(), usize::from(last.move_number()));
}

/// Number of lines of `depth` plays, counted by making every play.
fn perft(position: &Position, depth: u32) -> usize {
    let deeper = |play| {
        let next = position.play(play).expect("a listed play is accepted");
        perft(&next, depth - 1)
    };
    match depth {
        0 => 1,
        1 => position.plays().count(),
        _ => position.plays().map(deeper).sum(),
    }
}

fn perfts(ruleset: &str, text: &str, depths: u32) -> Vec<usize> {
    let ruleset = Ruleset::find(ruleset).expect("the ruleset is one of ours");
    let record = Record::parse(ruleset, ruleset.size, text).expect("the start is legal");
    (1..=depths).map(|depth| perft(record.position(), depth)).collect()
}

#[test]
fn taraguchi_10_has_the_perft_counted_by_hand() {
    // 1 point, a swap choice, 8 points, a choice, 23, a choice, 46, a choice.
    let counted = [1, 2, 16, 32, 736, 1472, 67_712, 135_424];
    assert_eq!(perfts("renju_taraguchi10_international", "", 8), counted);
    assert_eq!(perfts("renju_taraguchi10_rif", "", 8), counted);
    // Then 81 - 4 points and a choice, then 220 points; an offer is not listed.
    let start = "h8 keep h9 keep j10 swap k11 keep";
    assert_eq!(perfts("renju_taraguchi10_international", start, 3), [77, 154, 154 * 220]);
    assert_eq!(perfts("renju_taraguchi10_rif", start, 3), [77, 154, 154 * 220]);
}

#[test]
fn ten_are_offered_after_any_swap_but_under_rif_not_after_the_fourth() {
    for swaps in 0..16 {
        let word = |n: u32| if swaps >> n & 1 == 1 { "swap" } else { "keep" };
        let start = format!("h8 {} h9 {} j10 {} k11 ", word(0), word(1), word(2));
        let offer = " offer:a1,b1,c1,d1,e1,f1,g1,h1,b2,c2";
        for (id, offered) in [
            ("renju_taraguchi10_international", true),
            ("renju_taraguchi10_rif", word(3) == "keep"),
        ] {
            let ruleset = Ruleset::find(id).unwrap();
            let text = start.clone() + word(3) + offer;
            assert_eq!(Record::parse(ruleset, 15, &text).is_ok(), offered, "{id} {text}");
            assert!(Record::parse(ruleset, 15, &(start.clone() + offer)).is_err(), "{id}");
        }
    }
}

#[test]
fn soosorv_8_has_the_perft_counted_by_hand() {
    // 1, 8 and 23 points, a choice, 222 points, the declaration, a choice, then only offers.
    let counted = [1, 8, 184, 368, 81_696, 326_784, 653_568, 0];
    assert_eq!(perfts("renju_soosorv8", "", 8), counted);
    let counted = [1, 8, 184, 368, 81_696, 653_568, 1_307_136, 0];
    assert_eq!(perfts("renju_soosorv8_rif", "", 8), counted);
    // One of three offered points, then the 220 others.
    let offered = "h8 h9 j10 keep a1 declare:3 swap offer:a2,d4,k9";
    assert_eq!(perfts("renju_soosorv8", offered, 2), [3, 3 * 220]);
}

#[test]
fn swap2_has_the_perft_counted_by_hand() {
    for id in ["gomoku_swap2_exact5", "gomoku_swap2"] {
        assert_eq!(perfts(id, "", 3), [225, 225 * 224, 225 * 224 * 223]);
        // Swap or keep and White places; or put two, and the other player chooses.
        let (two, three) = (222 * 221, 222 * 221 * 220);
        assert_eq!(perfts(id, "a1 h8 o15", 4), [3, 666, 3 * two, 2 * three + 2 * two]);
        assert_eq!(perfts(id, "a1 h8 o15 put-two b2 c9", 2), [2, 2 * 220]);
    }
}
