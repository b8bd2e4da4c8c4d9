//! Fits the net of the evaluation to the positions of `examples/positions.rs` and prints it.
//!
//! ```text
//! cargo run --release -p renju-engine --example train -- renju_free 12 1 renju.txt > src/net/renju.txt
//! ```
//!
//! The arguments are the ruleset, the passes over the positions, the seed and their files. The net is
//! fitted to the chance of the player to move: the score of the search, and three parts of ten the
//! result of the game. One opening in twenty is held out with all its games; the error on them goes to
//! standard error after each pass. The same arguments on the same files print the same net. `src/net.rs` says what it computes.

#![allow(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

use std::fs;
use std::ops::Range;

use arena_support::Random;
use renju::{Color, Phase, Play, Point, Record, Ruleset};
use renju_engine::{Field, Shape, plies_to_end};

/// Score that wins with odds of e : 1.
const SCALE: f32 = 200.0;

/// Part of the result of the game in what a position is fitted to.
const RESULT: f32 = 0.3;

/// Chance that counts as certain, so that no score has to be infinite.
const CERTAIN: f32 = 0.99;

/// A win this near is seen by the search for fours, and such a position is never judged.
const NEAR: i32 = 12;

/// Positions between two changes of the net, and the largest step of a number.
const BATCH: usize = 256;
const PACE: f32 = 0.004;

const WIDTH: usize = 16;
const LINES: usize = Shape::COUNT * Shape::COUNT;

/// Largest number of a cell, and the divisor of the sum over the cells.
const CELL_MAX: f32 = 2.5;
const CELLS: f32 = 16.0;

/// Where the numbers of a net begin: the vectors of the lines, what is added to each cell, then the
/// layers for Black and for White to move.
const BIAS: usize = LINES * WIDTH;
const HEADS: usize = BIAS + WIDTH;

/// The numbers of a head: the hidden layer, what is added to it, its weights in the score, those of
/// the sum itself, and what is added to the score.
const HIDDEN_BIAS: usize = WIDTH * WIDTH;
const OUT: usize = HIDDEN_BIAS + WIDTH;
const DIRECT: usize = OUT + WIDTH;
const HEAD_BIAS: usize = DIRECT + WIDTH;
const HEAD: usize = HEAD_BIAS + 1;

const NUMBERS: usize = HEADS + 2 * HEAD;

type Row = [f32; WIDTH];

struct Sample {
    cells: Range<usize>,
    black_to_move: bool,
    chance: f32,
}

/// Positions, and the lines of all their cells.
#[derive(Default)]
struct Data {
    cells: Vec<[u8; 4]>,
    samples: Vec<Sample>,
    held_out: Vec<Sample>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [id, passes, seed, files @ ..] = &arguments[..] else {
        panic!("the arguments are ruleset, passes, seed and files");
    };
    let ruleset = Ruleset::find(id).unwrap();
    let mut data = Data::default();
    for file in files {
        fs::read_to_string(file).unwrap().lines().for_each(|line| data.read(ruleset, line));
    }
    let (count, held_out) = (data.samples.len(), data.held_out.len());
    eprintln!("{count} positions, {held_out} held out");
    let mut net = Net::new(seed.parse().unwrap());
    // Where both colours have the same rules, each position is also one with the colours exchanged.
    let symmetric = ruleset.five.black == ruleset.five.white;
    let error = net.fit(&mut data, passes.parse().unwrap(), symmetric);
    println!(
        "# Printed by examples/train.rs with {id} {passes} {seed} from {count} positions; mean square\n\
         # error on {held_out} others: {error:.5}."
    );
    net.print();
}

impl Data {
    fn read(&mut self, ruleset: &'static Ruleset, line: &str) {
        let mut words = line.split(' ');
        let (Some(score), Some(result), Some(moves)) = (words.next(), words.next(), words.next())
        else {
            return;
        };
        let score: i32 = score.parse().unwrap();
        if score > 0 && plies_to_end(score).is_some_and(|plies| plies < NEAR) {
            return;
        }
        let mut record = Record::new(ruleset);
        // A game of similar rules may be over earlier by these.
        if points(moves).any(|point| record.play(Play::Place(point)).is_err())
            || record.position().phase() != Phase::Play
        {
            return;
        }
        let field = Field::new(record.position());
        let from = self.cells.len();
        for point in field.board().empty_points() {
            let [black, white] = Color::BOTH.map(|color| field.shapes(point, color));
            if black.iter().chain(&white).any(|&shape| shape >= Shape::Two) {
                let line = |d: usize| (white[d] as usize * Shape::COUNT + black[d] as usize) as u8;
                self.cells.push([line(0), line(1), line(2), line(3)]);
            }
        }
        let chance = logistic(score as f32 / SCALE).clamp(1.0 - CERTAIN, CERTAIN);
        let chance = match result {
            "-" => chance,
            result => chance + RESULT * (result.parse::<f32>().unwrap() - chance),
        };
        let black_to_move = field.to_move() == Color::Black;
        let sample = Sample { cells: from..self.cells.len(), black_to_move, chance };
        // Every opening has three stones.
        let opening = points(moves).take(3).map(|point| u32::from(point.number()));
        let lot = opening.fold(7u32, |hash, number| hash.wrapping_mul(0x9e37_79b1) ^ number);
        if lot % 20 == 0 { &mut self.held_out } else { &mut self.samples }.push(sample);
    }
}

/// The points of moves without spaces.
fn points(mut moves: &str) -> impl Iterator<Item = Point> + '_ {
    std::iter::from_fn(move || {
        let next = moves.get(1..)?.find(|letter: char| letter.is_ascii_lowercase());
        let (point, rest) = moves.split_at(next.map_or(moves.len(), |next| next + 1));
        moves = rest;
        Some(point.parse().unwrap())
    })
}

struct Net {
    numbers: Vec<f32>,
    random: Random,
}

/// What a position leads to on its way through the net.
struct Pass<'a> {
    cells: &'a [[u8; 4]],
    exchanged: bool,
    head: usize,
    sum: Row,
    hidden: Row,
    chance: f32,
}

impl Net {
    fn new(seed: u64) -> Net {
        let mut random = Random(seed);
        let mut within = |most: f32| most * (random.below(20_001) as f32 / 10_000.0 - 1.0);
        let mut numbers = vec![0.0; NUMBERS];
        numbers[..BIAS].fill_with(|| within(0.3));
        numbers[BIAS..HEADS].fill(0.2);
        for head in numbers[HEADS..].chunks_mut(HEAD) {
            head[..HIDDEN_BIAS].fill_with(|| within(0.25));
            head[HIDDEN_BIAS..OUT].fill(0.3);
            head[OUT..DIRECT].fill_with(|| within(0.3));
        }
        Net { numbers, random }
    }

    /// Fits the net with Adam; returns the mean square error of the positions held out.
    fn fit(&mut self, data: &mut Data, passes: usize, symmetric: bool) -> f32 {
        let (mut mean, mut spread) = (vec![0.0; NUMBERS], vec![0.0; NUMBERS]);
        let steps = (passes * data.samples.len().div_ceil(BATCH)) as f32;
        let (mut step, mut error) = (0, 0.0);
        for pass in 1..=passes {
            for n in (1..data.samples.len()).rev() {
                data.samples.swap(n, self.random.below(n + 1));
            }
            for batch in data.samples.chunks(BATCH) {
                let mut slope = vec![0.0; NUMBERS];
                for sample in batch {
                    let exchanged = symmetric && self.random.below(2) == 0;
                    let pass = self.judge(&data.cells, sample, exchanged);
                    let miss = (pass.chance - sample.chance) / batch.len() as f32;
                    self.learn(&pass, miss, &mut slope);
                }
                step += 1;
                let pace = PACE * (1.0 - step as f32 / steps).min(step as f32 / 50.0).max(0.01);
                let known = [1.0 - 0.9f32.powi(step), 1.0 - 0.999f32.powi(step)];
                for n in 0..NUMBERS {
                    mean[n] += 0.1 * (slope[n] - mean[n]);
                    spread[n] += 0.001 * (slope[n] * slope[n] - spread[n]);
                    let deviation = (spread[n] / known[1]).sqrt();
                    self.numbers[n] -= pace * mean[n] / known[0] / (deviation + 1e-8);
                }
            }
            let square = |sample: &Sample| {
                (self.judge(&data.cells, sample, false).chance - sample.chance).powi(2)
            };
            error = data.held_out.iter().map(square).sum::<f32>() / data.held_out.len() as f32;
            eprintln!("pass {pass}: held out {error:.5}");
        }
        error
    }

    fn row(&self, from: usize) -> &Row {
        self.numbers[from..].first_chunk().unwrap()
    }

    /// The vector of a cell before it is cut.
    fn cell(&self, lines: [u8; 4], exchanged: bool) -> Row {
        let mut cell = *self.row(BIAS);
        for line in lines {
            let vector = self.row(vector(line, exchanged));
            cell.iter_mut().zip(vector).for_each(|(x, more)| *x += more);
        }
        cell
    }

    fn judge<'a>(&self, cells: &'a [[u8; 4]], sample: &Sample, exchanged: bool) -> Pass<'a> {
        let cells = &cells[sample.cells.clone()];
        let mut sum = [0.0; WIDTH];
        for &lines in cells {
            let cell = self.cell(lines, exchanged);
            sum.iter_mut().zip(cell).for_each(|(x, more)| *x += more.clamp(0.0, CELL_MAX) / CELLS);
        }
        let head = HEADS + if sample.black_to_move == exchanged { HEAD } else { 0 };
        let mut hidden = *self.row(head + HIDDEN_BIAS);
        for (n, hidden) in hidden.iter_mut().enumerate() {
            *hidden = (*hidden + dot(self.row(head + n * WIDTH), &sum)).max(0.0);
        }
        let score = self.numbers[head + HEAD_BIAS]
            + dot(self.row(head + OUT), &hidden)
            + dot(self.row(head + DIRECT), &sum);
        Pass { cells, exchanged, head, sum, hidden, chance: logistic(score) }
    }

    /// Adds to `slope` what a position says about each number.
    fn learn(&self, pass: &Pass<'_>, miss: f32, slope: &mut [f32]) {
        let &Pass { cells, exchanged, head, sum, hidden, .. } = pass;
        slope[head + HEAD_BIAS] += miss;
        add(&mut slope[head + OUT..], &hidden, miss);
        add(&mut slope[head + DIRECT..], &sum, miss);
        let mut back = self.row(head + DIRECT).map(|weight| miss * weight);
        for n in (0..WIDTH).filter(|&n| hidden[n] > 0.0) {
            let miss = miss * self.numbers[head + OUT + n];
            slope[head + HIDDEN_BIAS + n] += miss;
            add(&mut slope[head + n * WIDTH..], &sum, miss);
            add(&mut back, self.row(head + n * WIDTH), miss);
        }
        for &lines in cells {
            let cell = self.cell(lines, exchanged);
            let mut moved = [0.0; WIDTH];
            for n in 0..WIDTH {
                moved[n] = if cell[n] > 0.0 && cell[n] < CELL_MAX { back[n] / CELLS } else { 0.0 };
            }
            add(&mut slope[BIAS..], &moved, 1.0);
            lines
                .into_iter()
                .for_each(|line| add(&mut slope[vector(line, exchanged)..], &moved, 1.0));
        }
    }

    /// Prints the numbers as the integers of `src/net.rs`.
    fn print(&self) {
        // A cell counts in parts of 32, the hidden layer in parts of 2 to the 15, the score in parts
        // of 2 to the 12.
        let sum = 32.0 * CELLS;
        let (hidden, score) = (32_768.0, 4_096.0 * SCALE);
        self.rows(BIAS..HEADS, 32.0);
        self.rows(0..BIAS, 32.0);
        for head in [HEADS, HEADS + HEAD] {
            self.rows(head..head + HIDDEN_BIAS, hidden / sum);
            self.rows(head + HIDDEN_BIAS..head + OUT, hidden);
            self.rows(head + OUT..head + DIRECT, score);
            self.rows(head + DIRECT..head + HEAD_BIAS, score / sum);
            self.rows(head + HEAD_BIAS..head + HEAD, score);
        }
    }

    fn rows(&self, numbers: Range<usize>, unit: f32) {
        for row in self.numbers[numbers].chunks(WIDTH) {
            let row: Vec<String> = row.iter().map(|x| (x * unit).round().to_string()).collect();
            println!("{}", row.join(" "));
        }
    }
}

/// Where the vector of a line begins.
fn vector(line: u8, exchanged: bool) -> usize {
    let line = usize::from(line);
    let (white, black) = (line / Shape::COUNT, line % Shape::COUNT);
    WIDTH * if exchanged { black * Shape::COUNT + white } else { line }
}

fn add(to: &mut [f32], row: &Row, times: f32) {
    to.iter_mut().zip(row).for_each(|(x, more)| *x += times * more);
}

fn dot(a: &Row, b: &Row) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn logistic(score: f32) -> f32 {
    1.0 / (1.0 + (-score).exp())
}
