//! Captures against a plain opponent: alpha-beta to a fixed depth over a count of lines and pairs, which
//! knows nothing but the rules.
//!
//! `CAPTURE_GAMES` (4 if not set) scales it; with forty the engine must win ninety in a hundred:
//!
//! ```text
//! CAPTURE_GAMES=40 cargo test --release -p renju-engine --test alphabeta -- --nocapture
//! ```

#![allow(clippy::unwrap_used, reason = "a test may stop on bad data")]

use renju::{Board, Color, Direction, Play, Point, Position, Ruleset};
use renju_engine::{Engine, Limits};

mod random;
use random::Random;

const DEPTH: u32 = 3;
const WIDTH: usize = 10;
const WON: i32 = 1_000_000;

/// What a row of five cells with so many stones of one colour and none of the other is worth.
const ROWS: [i32; 6] = [0, 1, 8, 60, 400, 20_000];

/// The rows of five cells that begin at `points`, for `me`.
fn rows(board: &Board, points: impl Iterator<Item = (Point, Direction)>, me: Color) -> i32 {
    points
        .map(|(point, direction)| {
            let mut stones = [0usize; 2];
            for step in 0..5 {
                match point.step(direction, step).filter(|cell| cell.is_on(board.size())) {
                    Some(cell) => {
                        if let Some(color) = board.get(cell) {
                            stones[usize::from(color != me)] += 1;
                        }
                    }
                    None => return 0,
                }
            }
            match stones {
                [own, 0] => ROWS[own],
                [0, other] => -ROWS[other],
                _ => 0,
            }
        })
        .sum()
}

fn value(position: &Position) -> i32 {
    let (board, me) = (position.board(), position.to_move());
    let starts = Point::all(board.size()).flat_map(|p| Direction::ALL.map(|d| (p, d)));
    let pairs = |color: Color| i32::from(position.pairs()[color]);
    rows(board, starts, me) + 100 * (pairs(me) * pairs(me) - pairs(!me) * pairs(!me))
}

/// The most promising moves: what the rows through a point are worth to both.
fn candidates(position: &Position) -> Vec<Point> {
    let (board, me) = (position.board(), position.to_move());
    let near = |point: &Point| {
        Direction::ALL.into_iter().any(|d| {
            [-2, -1, 1, 2]
                .into_iter()
                .any(|n| point.step(d, n).is_some_and(|p| board.get(p).is_some()))
        })
    };
    let mut ranked: Vec<(i32, Point)> = board
        .empty_points()
        .filter(near)
        .map(|point| {
            let through = || {
                Direction::ALL
                    .into_iter()
                    .flat_map(move |d| (0..5).filter_map(move |n| Some((point.step(d, -n)?, d))))
            };
            let gain = |color: Color| {
                let mut after = *board;
                after.put(point, color);
                rows(&after, through(), color) - rows(board, through(), color)
            };
            let takes = |color| i32::from(board.captured_by(point, color).pairs());
            (gain(me) + gain(!me) + 300 * takes(me) + 200 * takes(!me), point)
        })
        .collect();
    ranked.sort_by_key(|&(rank, point)| (std::cmp::Reverse(rank), point.index(19)));
    ranked.into_iter().take(WIDTH).map(|(_, point)| point).collect()
}

fn alphabeta(position: &Position, depth: u32, mut alpha: i32, beta: i32) -> (i32, Option<Point>) {
    if let Some(outcome) = position.outcome() {
        let sign = outcome.winner.map_or(0, |won| if won == position.to_move() { 1 } else { -1 });
        return (sign * (WON + depth as i32), None);
    }
    if depth == 0 {
        return (value(position), None);
    }
    let (mut best, mut chosen) = (-2 * WON, None);
    for point in candidates(position) {
        let Ok(next) = position.play(Play::Place(point)) else { continue };
        let score = -alphabeta(&next, depth - 1, -beta, -alpha).0;
        if score > best {
            (best, chosen) = (score, Some(point));
        }
        alpha = alpha.max(score);
        if alpha >= beta {
            break;
        }
    }
    (best, chosen)
}

/// What the engine scores as `color` after three random stones.
fn score(ruleset: &'static Ruleset, color: Color, seed: u64) -> f64 {
    let mut random = Random(seed);
    let mut position = Position::new(ruleset);
    while position.move_number() < 3 {
        let at = |random: &mut Random| 7 + random.below(5) as u8;
        let point = Point::new(at(&mut random), at(&mut random)).unwrap();
        let _taken = position.advance(Play::Place(point));
    }
    let mut engine = Engine::new(1 << 22);
    while position.outcome().is_none() {
        let play = if position.to_move() == color {
            engine.choose(&position, &Limits::nodes(10_000), seed, None).unwrap().play
        } else {
            let chosen = alphabeta(&position, DEPTH, -2 * WON, 2 * WON).1;
            Play::Place(chosen.or_else(|| position.legal_points().next()).unwrap())
        };
        position.advance(play).unwrap();
    }
    let winner = position.outcome().unwrap().winner;
    winner.map_or(0.5, |winner| f64::from(u8::from(winner == color)))
}

#[test]
fn the_engine_beats_a_plain_alpha_beta_at_captures() {
    let setting = std::env::var("CAPTURE_GAMES").ok().and_then(|text| text.parse().ok());
    let games: u64 = setting.unwrap_or(4);
    let won: f64 = (0..games)
        .map(|n| {
            let ruleset = ["gomoku_capture", "gomoku_capture_42"][n as usize / 2 % 2];
            let color = if n % 2 == 0 { Color::Black } else { Color::White };
            score(Ruleset::find(ruleset).unwrap(), color, n / 2)
        })
        .sum();
    println!("{won} of {games}");
    assert!(
        won >= 0.9 * games as f64 || games < 40 && won >= 0.7 * games as f64,
        "{won} of {games}"
    );
}
