//! Fits the evaluation to the results of seeded self-play and prints the tables of `weights.rs`.
//!
//! `cargo run --release --example tune -- <games> <nodes>`; the same arguments print the same tables.
//! With 500 games of 300 nodes the tables it prints are no better than its start (50 % in freestyle,
//! 42 % in Renju over 100 games of 2,000 nodes a move, where the same engine scores 43 % against itself),
//! so `weights.rs` still holds the start.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use renju::{Board, Color, Phase, Play, Point, Position, Ruleset};
use renju_engine::{Class, Engine, Field, Limits, Shape};

/// The counts of one position for the player to move, and what became of it: half what a search
/// said, half how the game ended.
struct Sample {
    counts: Vec<f32>,
    result: f32,
}

const SIDES: usize = Shape::COUNT + Class::COUNT;
const COUNTS: usize = 2 * SIDES + 1;

/// One unit of a weight is this part of the logistic scale.
const SCALE: f32 = 200.0;

/// Where the fit starts, and what it is pulled back to.
const START: [i32; COUNTS] = [
    0, 0, 0, 1, 2, 5, 7, 6, 14, 16, 20, 20, 40, 0, //
    0, 0, 2, 4, 25, 80, 0, 20, 300, 0, 0, -10, //
    0, 0, 0, 1, 2, 5, 6, 6, 12, 14, 14, 14, 40, 0, //
    0, 0, 2, 2, 10, 40, 0, 10, 90, 30, 0, -10, //
    20,
];

/// The three tables: with which rules, and for which colour to move.
const TABLES: [(&str, &str, Option<Color>); 3] = [
    ("FREE", "gomoku_freestyle", None),
    ("RENJU_BLACK", "renju_free", Some(Color::Black)),
    ("RENJU_WHITE", "renju_free", Some(Color::White)),
];

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>().unwrap());
    let (games, nodes) = (arguments.next().unwrap_or(400), arguments.next().unwrap_or(300));
    for rules in ["gomoku_freestyle", "renju_free"] {
        let samples = samples(Ruleset::find(rules).unwrap(), games, nodes);
        for (name, _, color) in TABLES.iter().filter(|table| table.1 == rules) {
            let chosen: Vec<&Sample> = samples
                .iter()
                .filter(|(to_move, _)| color.is_none_or(|color| color == *to_move))
                .map(|(_, sample)| sample)
                .collect();
            let (weights, before, after) = fit(&chosen);
            println!("// {} positions, loss {before:.4} to {after:.4}", chosen.len());
            print(name, &weights);
        }
    }
}

fn samples(ruleset: &'static Ruleset, games: u64, nodes: u64) -> Vec<(Color, Sample)> {
    let mut engine = Engine::new(4 << 20);
    let mut samples = Vec::new();
    for seed in 0..games {
        engine.clear();
        let mut position = opening(ruleset, seed);
        let mut seen = Vec::new();
        while position.phase() == Phase::Play {
            let limits = Limits::nodes(nodes + seed % 3 * nodes / 2);
            let choice = engine.choose(&position, &limits, seed, None).unwrap();
            let field = Field::new(&position);
            let calm = Color::BOTH.into_iter().all(|color| {
                field.class_count(Class::Five, color) + field.class_count(Class::Straight, color)
                    == 0
            });
            if calm {
                let guess = 1.0 / (1.0 + (-choice.score as f32 / SCALE).exp());
                seen.push((position.to_move(), counts(&field), guess));
            }
            position.advance(choice.play).unwrap();
        }
        let winner = position.outcome().unwrap().winner;
        for (color, counts, guess) in seen {
            let end = winner.map_or(0.5, |winner| f32::from(u8::from(winner == color)));
            let result = (end + guess) / 2.0;
            samples.push((color, Sample { counts, result }));
        }
    }
    samples
}

/// A few stones near the centre that neither side wins quickly.
fn opening(ruleset: &'static Ruleset, seed: u64) -> Position {
    let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut below = |bound: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % bound
    };
    loop {
        let stones = 3 + below(5) as usize;
        let mut board = Board::new(15);
        while usize::from(board.stones()) < stones {
            let point = Point::new(4 + below(7) as u8, 4 + below(7) as u8).unwrap();
            if board.is_empty(point) {
                board.put(
                    point,
                    if board.stones().is_multiple_of(2) { Color::Black } else { Color::White },
                );
            }
        }
        let to_move = if stones.is_multiple_of(2) { Color::Black } else { Color::White };
        let position = Position::analysis(ruleset, board, to_move, Default::default()).unwrap();
        let choice = renju_engine::choose(&position, &Limits::nodes(1_000), seed).unwrap();
        if choice.score.abs() < 200 && matches!(choice.play, Play::Place(_)) {
            return position;
        }
    }
}

fn counts(field: &Field) -> Vec<f32> {
    let me = field.to_move();
    let side = |color, sign: f32| {
        let shapes = Shape::ALL.map(|shape| sign * f32::from(field.shape_count(shape, color)));
        let classes =
            Class::ALL.map(|class| sign * f32::from(field.class_count(class, color).min(4)));
        shapes.into_iter().chain(classes)
    };
    side(me, 1.0).chain(side(!me, -1.0)).chain([1.0]).collect()
}

/// Logistic regression by Adam, with a pull towards the start; gives the loss before and after too.
fn fit(samples: &[&Sample]) -> (Vec<f32>, f32, f32) {
    let mut weights: Vec<f32> = START.iter().map(|&weight| weight as f32).collect();
    let (mut first, mut second) = (vec![0f32; COUNTS], vec![0f32; COUNTS]);
    let n = samples.len() as f32;
    let mut before = 0.0;
    let mut after = 0.0;
    for step in 1..=800 {
        let mut slope = vec![0f32; COUNTS];
        after = 0.0;
        for sample in samples {
            let score: f32 = weights.iter().zip(&sample.counts).map(|(w, c)| w * c).sum();
            let guess = 1.0 / (1.0 + (-score / SCALE).exp());
            after -= (sample.result * guess.max(1e-6).ln()
                + (1.0 - sample.result) * (1.0 - guess).max(1e-6).ln())
                / n;
            for (slope, count) in slope.iter_mut().zip(&sample.counts) {
                *slope += (guess - sample.result) * count / n;
            }
        }
        if step == 1 {
            before = after;
        }
        for k in 0..COUNTS {
            let slope = slope[k] + 1e-5 * (weights[k] - START[k] as f32);
            first[k] = 0.9 * first[k] + 0.1 * slope;
            second[k] = 0.999 * second[k] + 0.001 * slope * slope;
            let (m, v) =
                (first[k] / (1.0 - 0.9f32.powi(step)), second[k] / (1.0 - 0.999f32.powi(step)));
            weights[k] -= 0.3 * m / (v.sqrt() + 1e-8);
        }
    }
    (weights, before, after)
}

fn print(name: &str, weights: &[f32]) {
    let list = |part: &[f32]| {
        part.iter().map(|weight| format!("{}", weight.round())).collect::<Vec<_>>().join(", ")
    };
    println!("pub(crate) const {name}: Weights = Weights {{");
    for (field, from, len) in [("shapes", 0, Shape::COUNT), ("classes", Shape::COUNT, Class::COUNT)]
    {
        println!("    {field}: [");
        for side in 0..2 {
            println!("        [{}],", list(&weights[side * SIDES + from..][..len]));
        }
        println!("    ],");
    }
    println!("    to_move: {},\n    pair: 70,\n}};", weights[COUNTS - 1].round());
}
