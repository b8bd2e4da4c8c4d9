//! Fits the move order to seeded self-play and prints `src/weights/fitted.rs`.
//!
//! ```text
//! cargo run --release -p renju-engine --example tune -- <games> <nodes> > fitted.rs
//! ```
//!
//! Every game starts from a few random stones that a short search calls balanced. The order is fitted
//! to the moves a search of `nodes` nodes chose. The same arguments on the same sources print the same
//! tables. Progress and losses go to standard error.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

mod common;

use arena_support::Random;
use renju::{Color, Phase, Play, Point, Ruleset};
use renju_engine::{Class, Engine, Field, Limits, Shape, plies_to_end};

const SIDE: usize = Shape::COUNT + Class::COUNT;

/// Largest score of an opening.
const OPENING_SCORE: i32 = 250;

struct Sample {
    to_move: Color,
    moves: Vec<Move>,
    chosen: usize,
}

/// Features of a move, as indices into a table of [`ORDERS`] numbers: the shapes in its four lines
/// and the class, for both players, and the distance to the last stone.
type Move = [u8; 11];

const ORDERS: usize = 2 * SIDE + DISTANCES;

const DISTANCES: usize = 8;

/// Units of the move ordering per natural logarithm.
const LOGIT: f32 = 64.0;

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>().unwrap());
    let (games, nodes) = (arguments.next().unwrap_or(3_000), arguments.next().unwrap_or(1_000));
    println!(
        "//! The tables of the move order, printed by `examples/tune.rs` from {games} games of {nodes} \
         nodes a move\n//! and ruleset.\n\nuse super::Order;\n"
    );
    let free = samples(Ruleset::find("gomoku_freestyle").unwrap(), games, nodes);
    let renju = samples(Ruleset::find("renju_free").unwrap(), games, nodes);
    let of = |color| renju.iter().filter(move |sample| sample.to_move == color).collect::<Vec<_>>();
    let tables = [
        ("FREE", "Rulesets in which both colours may make what they like.", free.iter().collect()),
        ("RENJU_BLACK", "Renju with Black to move.", of(Color::Black)),
        ("RENJU_WHITE", "Renju with White to move.", of(Color::White)),
    ];
    println!("impl Order {{");
    for (n, (name, what, samples)) in tables.iter().enumerate() {
        if n > 0 {
            println!();
        }
        print(name, what, &fit_order(name, samples));
    }
    println!("}}");
}

/// Undecided positions of self-play.
fn samples(ruleset: &'static Ruleset, games: u64, nodes: u64) -> Vec<Sample> {
    let mut engine = Engine::new(4 << 20);
    let mut samples = Vec::new();
    for seed in 0..games {
        let mut random = Random(seed);
        let opening = common::opening(&mut engine, ruleset, 3..9, OPENING_SCORE, &mut random);
        let mut position = opening.position().clone();
        let mut last = None;
        while position.phase() == Phase::Play {
            let limits = Limits::nodes(nodes + seed % 3 * nodes / 2);
            let choice = engine.choose(&position, &limits, seed, None).unwrap();
            if plies_to_end(choice.score).is_none() {
                let field = Field::new(&position);
                let (moves, chosen) = moves(&field, last, choice.play);
                samples.push(Sample { to_move: position.to_move(), moves, chosen });
            }
            if let Play::Place(point) = choice.play {
                last = Some(point);
            }
            position.advance(choice.play).unwrap();
        }
        if seed % 500 == 499 {
            eprintln!("{}: {} games, {} positions", ruleset.id, seed + 1, samples.len());
        }
    }
    samples
}

/// The moves near other stones and the index of the one played; empty if it was forced.
fn moves(field: &Field, last: Option<Point>, play: Play) -> (Vec<Move>, usize) {
    let (me, mut moves, mut chosen) = (field.to_move(), Vec::new(), None);
    for point in field.board().empty_points() {
        let (own, other) = (field.shapes(point, me), field.shapes(point, !me));
        let classes = [field.class(point, me), field.class(point, !me)];
        if classes.contains(&Class::Five) {
            return (Vec::new(), 0);
        }
        if own.into_iter().chain(other).any(|shape| shape >= Shape::Two) {
            let mut places = [0; 11];
            for d in 0..4 {
                places[d] = own[d] as u8;
                places[4 + d] = SIDE as u8 + other[d] as u8;
            }
            places[8] = Shape::COUNT as u8 + classes[0] as u8;
            places[9] = (SIDE + Shape::COUNT) as u8 + classes[1] as u8;
            let distance = last.map_or(0, |last| point.ring(last)).min(DISTANCES as u8 - 1);
            places[10] = (2 * SIDE) as u8 + distance;
            if play == Play::Place(point) {
                chosen = Some(moves.len());
            }
            moves.push(places);
        }
    }
    chosen.map_or((Vec::new(), 0), |chosen| (moves, chosen))
}

/// Multinomial logistic regression of the chosen moves with Adam, starting from zero.
fn fit_order(name: &str, samples: &[&Sample]) -> [f32; ORDERS] {
    let samples: Vec<_> = samples.iter().filter(|sample| sample.moves.len() > 1).collect();
    let mut weights = [0f32; ORDERS];
    let (mut first, mut second) = (weights, weights);
    let n = samples.len() as f32;
    let mut chances = Vec::new();
    for step in 1..=120 {
        let mut slope = [0f32; ORDERS];
        let (mut loss, mut right) = (0.0, 0);
        for sample in &samples {
            let logit =
                |places: &Move| places.iter().map(|&k| weights[usize::from(k)]).sum::<f32>();
            chances.clear();
            chances.extend(sample.moves.iter().map(logit));
            let most = chances.iter().copied().fold(f32::MIN, f32::max);
            right += u32::from(chances[sample.chosen] == most);
            chances.iter_mut().for_each(|chance| *chance = (*chance - most).exp());
            let sum: f32 = chances.iter().sum();
            loss -= (chances[sample.chosen] / sum).ln() / n;
            for (places, chance) in sample.moves.iter().zip(&chances) {
                places.iter().for_each(|&k| slope[usize::from(k)] += chance / sum / n);
            }
            sample.moves[sample.chosen].iter().for_each(|&k| slope[usize::from(k)] -= 1.0 / n);
        }
        if step == 1 || step % 40 == 0 {
            let percent = 100.0 * right as f32 / n;
            eprintln!(
                "{name} order: step {step}, loss {loss:.4}, first guess right {percent:.1} %"
            );
        }
        let pace = if step < 80 { 0.1 } else { 0.02 };
        for k in 0..ORDERS {
            let slope = slope[k] + 1e-4 * weights[k];
            first[k] = 0.9 * first[k] + 0.1 * slope;
            second[k] = 0.99 * second[k] + 0.01 * slope * slope;
            let mean = first[k] / (1.0 - 0.9f32.powi(step));
            let spread = second[k] / (1.0 - 0.99f32.powi(step));
            weights[k] -= pace * mean / (spread.sqrt() + 1e-8);
        }
    }
    let mut order = weights.map(|weight| weight * LOGIT);
    raise(&mut order, [(400.0, 800.0), (150.0, 600.0)]);
    order
}

/// Immediate wins are played without the tables, so self-play says nothing about them; with
/// captures the tables are used. Sets lower limits for a straight four and a five of either side.
fn raise(weights: &mut [f32], least: [(f32, f32); 2]) {
    for (side, (straight, five)) in least.into_iter().enumerate() {
        let classes = &mut weights[side * SIDE + Shape::COUNT..];
        for (class, least) in [(Class::Straight, straight), (Class::Five, five)] {
            classes[class as usize] = classes[class as usize].max(least);
        }
    }
}

fn print(name: &str, what: &str, order: &[f32; ORDERS]) {
    println!(
        "    /// {what}
    pub(crate) const {name}: Order = Order {{"
    );
    for (field, from, len) in [("shapes", 0, Shape::COUNT), ("classes", Shape::COUNT, Class::COUNT)]
    {
        println!("        {field}: [");
        for side in 0..2 {
            println!("            [{}],", list(&order[side * SIDE + from..][..len]));
        }
        println!("        ],");
    }
    println!("        distance: [{}],", list(&order[2 * SIDE..]));
    println!("    }};");
}

fn list(weights: &[f32]) -> String {
    weights.iter().map(|&weight| (weight.round() as i32).to_string()).collect::<Vec<_>>().join(", ")
}
