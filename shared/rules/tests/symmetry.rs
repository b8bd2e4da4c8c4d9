//! Every verdict is the same for all eight symmetries of the board.

mod slow;

use std::collections::BTreeSet;
use std::mem::discriminant;

use renju::{
    Board, ByColor, Color, IllegalPlay, Offer, Phase, Play, Point, Position, Precedence, Ruleset,
    Symmetry,
};
use slow::playout::{any_offer, every_game, some_play, to_play};
use slow::random::{Kind, Random};
use slow::{Grid, point};

fn turned_board(board: &Board, symmetry: Symmetry) -> Board {
    let size = board.size();
    let mut turned = Board::new(size);
    for color in Color::BOTH {
        for stone in board.stones_of(color) {
            turned.put(symmetry.apply(stone, size), color);
        }
    }
    turned
}

fn turned_offer(offer: Offer, symmetry: Symmetry, size: u8) -> Offer {
    let points: Vec<Point> =
        offer.points().iter().map(|&point| symmetry.apply(point, size)).collect();
    Offer::new(&points).expect("a turned offer has as many points")
}

fn turned_play(play: Play, symmetry: Symmetry, size: u8) -> Play {
    match play {
        Play::Place(point) => Play::Place(symmetry.apply(point, size)),
        Play::Offer(offer) => Play::Offer(turned_offer(offer, symmetry, size)),
        Play::Swap | Play::Keep | Play::PutTwo | Play::Declare(_) => play,
    }
}

fn turned_phase(phase: Phase, symmetry: Symmetry, size: u8) -> Phase {
    match phase {
        Phase::Choose(offer) => Phase::Choose(turned_offer(offer, symmetry, size)),
        _ => phase,
    }
}

/// True if two answers are equal, apart from the points in a rejection.
fn same_verdict(a: &Result<Position, IllegalPlay>, b: &Result<Position, IllegalPlay>) -> bool {
    match (a, b) {
        (Ok(_), Ok(_)) => true,
        (Err(a), Err(b)) => discriminant(a) == discriminant(b),
        _ => false,
    }
}

/// Plays listed by `plays`: the points, turned, and the rest.
fn listed(position: &Position, turn: impl Fn(Point) -> Point) -> (BTreeSet<Point>, Vec<Play>) {
    let (places, words): (Vec<Play>, Vec<Play>) =
        position.plays().partition(|play| matches!(play, Play::Place(_)));
    let point = |play| if let Play::Place(at) = play { Some(turn(at)) } else { None };
    (places.into_iter().filter_map(point).collect(), words)
}

#[test]
fn the_eight_symmetries_are_a_group_of_different_maps() {
    let size = 9;
    let map = |symmetry: Symmetry| -> Vec<Point> {
        Point::all(size).map(|point| symmetry.apply(point, size)).collect()
    };
    let maps: BTreeSet<Vec<Point>> = Symmetry::ALL.into_iter().map(map).collect();
    assert_eq!(maps.len(), 8);
    for a in Symmetry::ALL {
        for b in Symmetry::ALL {
            let both = map(a).into_iter().map(|point| b.apply(point, size)).collect::<Vec<_>>();
            assert!(maps.contains(&both), "{a:?} {b:?}");
        }
    }
}

#[test]
fn marks_turn_with_the_board() {
    for seed in 1..=600 {
        let mut random = Random::new(seed);
        let size = random.pick(&[5, 9, 14, 15, 15, 15, 19, 20]);
        let kind = random.pick(&Kind::ALL);
        let board = kind.board(&mut random, size).to_board();
        for symmetry in Symmetry::ALL {
            let turned = turned_board(&board, symmetry);
            for color in Color::BOTH {
                for precedence in [Precedence::FiveFirst, Precedence::FoulFirst] {
                    let (here, there) =
                        (board.marks(color, precedence), turned.marks(color, precedence));
                    for at in Point::all(size) {
                        let to = symmetry.apply(at, size);
                        let context = || format!("seed {seed} {symmetry:?} {at}\n{board:?}");
                        assert_eq!(here.get(at), there.get(to), "{}", context());
                        let single = turned.mark(to, color, precedence);
                        assert_eq!(here.get(at), single, "{}", context());
                    }
                }
                assert_eq!(board.has_five(color), turned.has_five(color));
            }
        }
    }
}

#[test]
fn captures_and_endings_turn_with_the_board() {
    for seed in 1..=60 {
        let mut random = Random::new(seed);
        let id = random.pick(&["gomoku_capture", "gomoku_capture_42"]);
        let ruleset = Ruleset::find(id).unwrap();
        let size = random.pick(ruleset.sizes);
        let kind = random.pick(&[Kind::Melee, Kind::Melee, Kind::Local, Kind::Star]);
        let board = kind.board(&mut random, size).to_board();
        let color = random.color(50);
        let pairs = ByColor { black: random.below(5) as u8, white: random.below(5) as u8 };
        let here = Position::analysis(ruleset, board, color, pairs).unwrap();
        for symmetry in Symmetry::ALL {
            let turned = turned_board(&board, symmetry);
            let there = Position::analysis(ruleset, turned, color, pairs).unwrap();
            for at in Point::all(size) {
                let to = symmetry.apply(at, size);
                let context = || format!("{id} seed {seed} {color} {symmetry:?} {at}\n{board:?}");
                let (a, b) = (here.play(Play::Place(at)), there.play(Play::Place(to)));
                assert!(same_verdict(&a, &b), "{}", context());
                let (Ok(a), Ok(b)) = (a, b) else { continue };
                assert_eq!(a.outcome(), b.outcome(), "{}", context());
                assert_eq!(a.pairs(), b.pairs(), "{}", context());
                assert!(turned_board(a.board(), symmetry) == *b.board(), "{}", context());
            }
        }
    }
}

#[test]
fn offers_turn_with_the_board() {
    let mut verdicts = [0, 0];
    for seed in 1..=300 {
        let mut random = Random::new(seed);
        let id = random.pick(&["renju_taraguchi10_international", "renju_taraguchi10_rif"]);
        let ruleset = Ruleset::find(id).unwrap();
        let mut games = Symmetry::ALL.map(|symmetry| (symmetry, Position::new(ruleset)));
        while !matches!(games[0].1.phase(), Phase::Fifth { .. }) {
            let play = match games[0].1.phase() {
                Phase::Swap => Play::Keep,
                _ => some_play(&games[0].1, &mut random),
            };
            for (symmetry, position) in &mut games {
                position.advance(turned_play(play, *symmetry, 15)).unwrap();
            }
        }
        let grid = Grid::of(games[0].1.board());
        for _ in 0..10 {
            let cells = any_offer(&grid, 10, ruleset.distinct, &mut random);
            let on_board = cells.iter().all(|&cell| point(cell).is_on(15));
            let Some(play) = to_play(&cells).filter(|_| on_board) else { continue };
            let here = games[0].1.play(play);
            verdicts[usize::from(here.is_ok())] += 1;
            for (symmetry, position) in &games {
                let there = position.play(turned_play(play, *symmetry, 15));
                assert!(
                    same_verdict(&here, &there),
                    "{id} seed {seed} {symmetry:?} {play}\n{grid}"
                );
            }
        }
    }
    eprintln!("{} offers refused, {} accepted", verdicts[0], verdicts[1]);
    assert!(verdicts.iter().all(|&count| count > 500));
}

#[test]
fn whole_games_turn_with_the_board() {
    for (seed, (ruleset, size)) in (1..=3).flat_map(|n| every_game().map(move |game| (n, game))) {
        let mut random = Random::new(seed);
        let start = Position::sized(ruleset, size).unwrap();
        let mut games = Symmetry::ALL.map(|symmetry| (symmetry, start.clone()));
        while games[0].1.outcome().is_none() {
            let play = some_play(&games[0].1, &mut random);
            for (symmetry, position) in &mut games {
                position.advance(turned_play(play, *symmetry, size)).unwrap();
            }
            let [(_, here), others @ ..] = &games;
            for (symmetry, there) in others {
                let turned = |at| symmetry.apply(at, size);
                let context = || format!("{} seed {seed} {symmetry:?} {here:?}", ruleset.id);
                assert_eq!(listed(here, turned), listed(there, |at| at), "{}", context());
                let legal: BTreeSet<Point> = here.legal_points().map(turned).collect();
                assert_eq!(legal, there.legal_points().collect(), "{}", context());
                assert_eq!(
                    turned_phase(here.phase(), *symmetry, size),
                    there.phase(),
                    "{}",
                    context()
                );
                assert_eq!(here.to_act(), there.to_act(), "{}", context());
                assert_eq!(here.pairs(), there.pairs(), "{}", context());
                assert!(turned_board(here.board(), *symmetry) == *there.board(), "{}", context());
            }
        }
    }
}
