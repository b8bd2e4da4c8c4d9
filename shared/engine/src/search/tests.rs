//! Whatever stops a search, every move it made is taken back and the field is as good as new.

use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use renju::{Board, Color, Point, Ruleset};

use super::*;
use crate::field::tests::assert_same;
use crate::random::Random;
use crate::vcf::solve;

/// Stones crowded in the middle, both colours alike.
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

/// Searches until stopped, twice: with a cold memory and with what the first one left in it.
fn check(field: &Field, limits: &Limits, stop: Option<&AtomicBool>, context: &str) {
    let mut memory =
        Memory { table: Transpositions::new(1 << 16), failures: Failures::new(1 << 10) };
    for seed in 0..2 {
        let mut search = Search::new(field.clone(), &mut memory, limits, 100, stop);
        let root = search.candidates(seed);
        assert_same(&search.field, field, context);
        if !root.is_empty() {
            search.run(root, limits.depth);
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
