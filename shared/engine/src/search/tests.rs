//! However a search is stopped, all its moves are undone and the field is unchanged.

use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use renju::{Board, Color, Point, Ruleset};

use super::*;
use crate::field::tests::assert_same;
use crate::random::Random;
use crate::vcf::solve;

/// Stones crowded in the middle, evenly of both colours.
fn crowd(ruleset: &'static Ruleset, seed: u64) -> Field {
    let mut random = Random::new(seed);
    let mut board = Board::new(ruleset.size);
    let centre = Point::centre(ruleset.size);
    let mut color = Color::Black;
    while board.stones() < 12 {
        let points: Vec<Point> = board.empty_points().filter(|p| p.ring(centre) <= 3).collect();
        board.put(points[random.below(points.len() as u64) as usize], color);
        color = !color;
    }
    Field::of(ruleset, &board, color, [0; 2])
}

/// Searches until stopped, twice: with an empty memory and with the one the first search left.
fn check(field: &Field, limits: &Limits, stop: Option<&AtomicBool>, context: &str) {
    let (table, mut failures) = (Transpositions::new(1 << 16), Failures::new(1 << 10));
    for seed in 0..2 {
        let memory = Memory { table: &table, failures: &mut failures, threats: None };
        let mut search = Search::new(field.clone(), memory, limits, 100, stop);
        let root = search.candidates(seed);
        assert_same(&search.field, field, context);
        if !root.is_empty() {
            search.run(root, 1..=limits.depth);
        }
        assert_same(&search.field, field, context);
    }
    if !field.captures() {
        let mut solved = field.clone();
        solve(&mut solved, limits, stop);
        assert_same(&solved, field, context);
    }
}

#[test]
fn a_search_out_of_nodes_leaves_the_field_as_it_was() {
    for ruleset in Ruleset::ALL {
        for seed in 0..2 {
            let field = crowd(ruleset, seed);
            for nodes in (1..16).chain([50, 99, 257, 700, 2_000]) {
                let context = format!("{} seed {seed}, {nodes} nodes", ruleset.id);
                check(&field, &Limits::nodes(nodes), None, &context);
            }
        }
    }
}

#[test]
fn a_search_out_of_time_leaves_the_field_as_it_was() {
    for ruleset in Ruleset::ALL {
        let field = crowd(ruleset, 1);
        for micros in [0, 100, 700, 2_000, 6_000] {
            let deadline = Some(Instant::now() + Duration::from_micros(micros));
            let limits = Limits { deadline, ..Limits::nodes(20_000) };
            check(&field, &limits, None, &format!("{}, {micros} µs", ruleset.id));
        }
    }
}

#[test]
fn a_search_told_to_stop_leaves_the_field_as_it_was() {
    for ruleset in Ruleset::ALL {
        let field = crowd(ruleset, 1);
        for micros in [0, 100, 700, 2_000, 6_000] {
            let stop = AtomicBool::new(micros == 0);
            thread::scope(|scope| {
                scope.spawn(|| {
                    thread::sleep(Duration::from_micros(micros));
                    stop.store(true, Ordering::Relaxed);
                });
                let context = format!("{}, a flag after {micros} µs", ruleset.id);
                check(&field, &Limits::nodes(20_000), Some(&stop), &context);
            });
        }
    }
}

#[test]
fn an_iteration_that_is_cut_short_gives_no_move_that_only_failed_low() {
    let limits = Limits { depth: 64, ..Limits::nodes(3_000) };
    let (mut cut, mut finished) = (0, 0);
    for seed in 0..8 {
        let (table, mut failures) = (Transpositions::new(1 << 16), Failures::new(1 << 10));
        let memory = Memory { table: &table, failures: &mut failures, threats: None };
        let field = crowd(Ruleset::find("renju_free").unwrap(), seed);
        let mut search = Search::new(field, memory, &limits, 0, None);
        let mut root = search.candidates(seed);
        for depth in 1.. {
            // No move beats an immediate win, so all fail low.
            let found = search.root(&mut root, depth, WIN - 1, WIN);
            if search.budget.is_over() {
                assert_eq!(found, None, "seed {seed}, depth {depth}");
                cut += 1;
                break;
            }
            assert!(found.is_some_and(|(_, score)| score < WIN), "seed {seed}, depth {depth}");
            finished += 1;
        }
    }
    assert!(cut == 8 && finished >= 8, "{cut} cut short, {finished} finished");
}

/// A position with far too many black stones and fouls everywhere.
fn full_of_fouls(seed: u64) -> Field {
    let mut random = Random::new(seed);
    let mut board = Board::new(15);
    for _ in 0..30 {
        let point = Point::new(4 + random.below(7) as u8, 4 + random.below(7) as u8).unwrap();
        let color = if random.below(3) == 0 { Color::White } else { Color::Black };
        if board.is_empty(point) {
            board.put(point, color);
        }
    }
    Field::of(Ruleset::find("renju_free").unwrap(), &board, Color::Black, [0; 2])
}

#[test]
fn there_is_a_move_to_search_as_long_as_one_near_a_stone_is_allowed() {
    let limits = Limits::nodes(10_000);
    let mut forbidden_blocks = 0;
    for seed in 0..1_600 {
        let field = full_of_fouls(seed);
        let (table, mut failures) = (Transpositions::new(1 << 10), Failures::new(1 << 10));
        let memory = Memory { table: &table, failures: &mut failures, threats: None };
        let is_left = field.near().any(|(cell, _)| field.is_allowed(cell, Color::Black));
        let wins = field.winning_cells(Color::Black).0;
        let loses = field.winning_cells(Color::White).0;
        let blocked = loses.is_some_and(|cell| !field.is_allowed(cell, Color::Black));
        forbidden_blocks += u32::from(wins.is_none() && blocked && is_left);
        let root = Search::new(field, memory, &limits, 100, None).candidates(seed);
        assert_eq!(!root.is_empty(), is_left, "seed {seed}");
    }
    assert!(forbidden_blocks > 3, "{forbidden_blocks} positions in which the block is a foul");
}

#[test]
fn fours_given_up_for_want_of_nodes_are_found_with_more() {
    let mut hard = 0;
    for seed in 0..3_000 {
        let (table, mut failures) = (Transpositions::new(1 << 10), Failures::new(1 << 10));
        let memory = Memory { table: &table, failures: &mut failures, threats: None };
        let field = crowd(Ruleset::find("gomoku_freestyle").unwrap(), seed);
        let limits = Limits::nodes(10_000);
        let mut search = Search::new(field, memory, &limits, 100, None);
        let few = search.fours(0, 3, 60);
        if let (None, Some(_)) = (few, solve(&mut search.field.clone(), &limits, None).line) {
            hard += 1;
            assert!(search.fours(0, 5_000, 60).is_some(), "seed {seed}");
        }
    }
    assert!(hard > 3, "{hard} positions need more than a few nodes");
}

#[test]
fn what_one_search_has_learned_saves_nodes_to_another_on_the_same_table() {
    let field = crowd(Ruleset::find("renju_free").unwrap(), 3);
    let table = Transpositions::new(1 << 20);
    let nodes = |table| {
        let mut failures = Failures::new(1 << 10);
        let memory = Memory { table, failures: &mut failures, threats: None };
        let mut search = Search::new(field.clone(), memory, &Limits::nodes(u64::MAX), 100, None);
        let root = search.candidates(1);
        search.run(root, 1..=6).nodes
    };
    let alone = nodes(&table);
    let helped = std::thread::scope(|scope| scope.spawn(|| nodes(&table)).join().unwrap());
    assert!(helped < alone / 2, "{helped} of {alone} nodes");
}
