//! Speed of the engine: a move and its undo, whole searches per node, the puzzle set.

#![allow(clippy::unwrap_used, reason = "a bench may stop on bad data")]

use std::io::Read;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use renju::{Board, Color, Point, Position, Record, Ruleset};
use renju_engine::{Engine, Field, Limits, solve};

fn main() {
    divan::main();
}

/// Twenty stones of a game that is still open.
const MIDDLE_GAME: &str = "h8 i9 g7 i7 i8 g8 h6 j8 f9 h9 k6 e6 f6 g9 j9 h7 k8 g6 e7 d8";

fn middle_game(ruleset: &str) -> Position {
    let ruleset = Ruleset::find(ruleset).unwrap();
    Record::parse(ruleset, 15, MIDDLE_GAME).unwrap().position().clone()
}

/// A stone near the others and its undo.
#[divan::bench(args = ["renju_free", "gomoku_freestyle", "gomoku_capture"])]
fn make_and_undo(bencher: Bencher<'_, '_>, ruleset: &str) {
    let mut field = Field::new(&middle_game(ruleset));
    let centre = Point::centre(15);
    let points: Vec<Point> =
        field.board().empty_points().filter(|point| point.ring(centre) <= 5).collect();
    bencher.counter(ItemsCount::new(points.len())).bench_local(|| {
        for &point in &points {
            field.make(black_box(point));
            field.undo();
        }
    });
}

/// A search with an empty table, short enough for a busy machine; items are nodes.
#[divan::bench(args = ["renju_free", "gomoku_freestyle", "gomoku_capture"])]
fn search(bencher: Bencher<'_, '_>, ruleset: &str) {
    let position = middle_game(ruleset);
    let mut engine = Engine::new(1 << 18);
    let mut search = || {
        engine.clear();
        engine.choose(&position, &Limits::nodes(2_000), 1, None).unwrap().nodes
    };
    bencher.counter(ItemsCount::new(search())).bench_local(search);
}

/// Every puzzle once; items are puzzles.
#[divan::bench(sample_count = 10)]
fn continuous_fours(bencher: Bencher<'_, '_>) {
    let positions = puzzles();
    bencher.counter(ItemsCount::new(positions.len())).bench(|| {
        for position in &positions {
            black_box(solve(&mut Field::new(position), &Limits::nodes(400_000), None));
        }
    });
}

fn puzzles() -> Vec<Position> {
    let mut text = String::new();
    let packed = include_bytes!("../tests/vcf_puzzles.jsonl.gz");
    flate2::read::GzDecoder::new(&packed[..]).read_to_string(&mut text).unwrap();
    let ruleset = Ruleset::find("renju_free").unwrap();
    text.lines()
        .map(|line| {
            let mut board = Board::new(15);
            for (name, color) in [("\"black\":[", Color::Black), ("\"white\":[", Color::White)] {
                let rest = &line[line.find(name).unwrap() + name.len()..];
                let list = &rest[..rest.find(']').unwrap()];
                for point in list.split('"').skip(1).step_by(2) {
                    board.put(point.parse().unwrap(), color);
                }
            }
            let black = line.contains("\"side\":\"b\"");
            let side = if black { Color::Black } else { Color::White };
            Position::analysis(ruleset, board, side, Default::default()).unwrap()
        })
        .collect()
}
