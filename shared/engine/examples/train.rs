//! Fits the net of the evaluation to the games of `examples/positions.rs` and prints it.
//!
//! ```text
//! cargo run --release -p renju-engine --example train -- renju_free 12 0.008 1 renju.txt > net.txt
//! cargo run --release -p renju-engine --example train -- renju_free 10 0.002 1 --from net.txt --black -50 \
//!     renju.txt > net2.txt
//! ```
//!
//! The arguments are the ruleset, the passes over the positions, the largest step of a number, the seed, the
//! net to start from, whose comments are printed first (a random one without `--from`), points that the
//! fitted net adds to every score of Black (`--black`: minus those that `examples/judgement.rs` prints) and
//! the files of games. The net is fitted to the chance of the player to move: a tenth of it is the score of
//! the search, nine tenths are the target of the next position; the last position takes the result of the
//! game. Before a random move the target is the score alone. One opening in twenty is held out with all its
//! games; before the first pass and after each one the error on them goes to standard error, and the log loss
//! of their results for few, more and many stones. The same arguments on the same files print the same net.
//! `src/net.rs` says what it computes.

#![allow(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

use std::fs;
use std::ops::Range;

use arena_support::Random;
use renju::notation::moves;
use renju::{Color, Outcome, Phase, Play, Point, Record, Ruleset};
use renju_engine::{Field, Shape, plies_to_end};

/// Score that wins with odds of e : 1.
const SCALE: f32 = 200.0;

/// Part of the next position's target in that of a position.
const LATER: f32 = 0.9;

/// Chance that counts as certain, so that no score has to be infinite.
const CERTAIN: f32 = 0.99;

/// A win this near is seen by the search for fours, and such a position is never judged.
const NEAR: i32 = 12;

/// Positions between two changes of the net.
const BATCH: usize = 256;

const WIDTH: usize = 32;
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
    /// What the pairs add to the score.
    pairs: f32,
    black_to_move: bool,
    /// Target and result, for the player to move.
    chance: f32,
    result: f32,
    stones: usize,
}

/// Position of a game before its result is known.
struct Moment {
    /// Cells and what the pairs add to the score, if the net would judge the position.
    judged: Option<(Range<usize>, f32)>,
    black_to_move: bool,
    /// Black's chance by the search.
    black: f32,
    stones: usize,
    /// A random move follows.
    is_random: bool,
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
    let [id, passes, pace, seed, files @ ..] = &arguments[..] else {
        panic!("the arguments are ruleset, passes, step, seed, --from, --black and files");
    };
    let ruleset = Ruleset::find(id).unwrap();
    let mut net = Net::new(seed.parse().unwrap());
    let (mut from, mut black, mut files) = (None, 0.0, files);
    while let [option, value, rest @ ..] = files {
        match option.as_str() {
            "--from" => from = Some(value),
            "--black" => black = value.parse().unwrap(),
            _ => break,
        }
        files = rest;
    }
    if let Some(file) = from {
        let text = fs::read_to_string(file).unwrap();
        text.lines().filter(|line| line.starts_with('#')).for_each(|line| println!("{line}"));
        net.load(&text);
    }
    let mut data = Data::default();
    for file in files {
        fs::read_to_string(file).unwrap().lines().for_each(|line| data.read(ruleset, line));
    }
    let (count, held_out) = (data.samples.len(), data.held_out.len());
    eprintln!("{count} positions, {held_out} held out");
    // Where both colours have the same rules, each position is also one with the colours exchanged.
    let symmetric = ruleset.five.black == ruleset.five.white;
    let passes = passes.parse().unwrap();
    let error = net.fit(&mut data, passes, pace.parse().unwrap(), symmetric);
    if passes > 0 {
        println!(
            "# Printed by examples/train.rs with {id} {passes} {pace} {seed} from {count} positions; mean square\n\
             # error on {held_out} others: {error:.5}."
        );
    }
    if black != 0.0 {
        net.add_for_black(black);
        println!("# Then {black} points were added to every score of Black.");
    }
    net.print();
}

impl Data {
    fn read(&mut self, ruleset: &'static Ruleset, line: &str) {
        let words: Vec<&str> = line.split(' ').collect();
        let [opening, words @ .., result] = &words[..] else { return };
        let Ok(mut result) = result.parse::<f32>() else { return };
        let mut record = Record::new(ruleset);
        let opening = moves::read(opening).unwrap();
        let lot = opening.iter().take(3).map(|point| u32::from(point.number()));
        let lot = lot.fold(7u32, |hash, number| hash.wrapping_mul(0x9e37_79b1) ^ number);
        if opening.into_iter().any(|point| record.play(Play::Place(point)).is_err()) {
            return;
        }
        let mut game = Vec::new();
        for word in words {
            // A game of similar rules may be over earlier by these.
            if let Phase::Over(Outcome { winner, .. }) = record.position().phase() {
                result = winner.map_or(0.5, |winner| f32::from(u8::from(winner == Color::Black)));
                break;
            }
            let at = word.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap();
            let score: i32 = word[..at].parse().unwrap();
            let is_random = word[at..].starts_with('?');
            let field = Field::new(record.position());
            let black_to_move = field.to_move() == Color::Black;
            let chance = logistic(score as f32 / SCALE).clamp(1.0 - CERTAIN, CERTAIN);
            let black = if black_to_move { chance } else { 1.0 - chance };
            let is_seen = score > 0 && plies_to_end(score).is_some_and(|plies| plies < NEAR);
            let judged =
                (!is_seen).then(|| (self.cells(&field), field.pairs_worth() as f32 / SCALE));
            let stones = record.plays().len();
            game.push(Moment { judged, black_to_move, black, stones, is_random });
            let point: Point = word[at..].trim_start_matches('?').parse().unwrap();
            if record.play(Play::Place(point)).is_err() {
                break;
            }
        }
        // The target of the next position, for Black.
        let mut later = result.clamp(1.0 - CERTAIN, CERTAIN);
        for Moment { judged, black_to_move, black, stones, is_random } in game.into_iter().rev() {
            later = if is_random { black } else { black + LATER * (later - black) };
            if let Some((cells, pairs)) = judged {
                let mine = |chance: f32| if black_to_move { chance } else { 1.0 - chance };
                let (chance, result) = (mine(later), mine(result));
                let sample = Sample { cells, pairs, black_to_move, chance, result, stones };
                if lot % 20 == 0 { &mut self.held_out } else { &mut self.samples }.push(sample);
            }
        }
    }

    /// Adds the cells of a position.
    fn cells(&mut self, field: &Field) -> Range<usize> {
        let from = self.cells.len();
        for point in field.board().empty_points() {
            let [black, white] = Color::BOTH.map(|color| field.shapes(point, color));
            if black.iter().chain(&white).any(|&shape| shape >= Shape::Two) {
                let line = |d: usize| (white[d] as usize * Shape::COUNT + black[d] as usize) as u8;
                self.cells.push([line(0), line(1), line(2), line(3)]);
            }
        }
        from..self.cells.len()
    }
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
    fn fit(&mut self, data: &mut Data, passes: usize, most: f32, symmetric: bool) -> f32 {
        let (mut mean, mut spread) = (vec![0.0; NUMBERS], vec![0.0; NUMBERS]);
        let steps = (passes * data.samples.len().div_ceil(BATCH)) as f32;
        let (mut step, mut error) = (0, self.test(data, 0));
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
                let pace = most * (1.0 - step as f32 / steps).min(step as f32 / 50.0).max(0.01);
                let known = [1.0 - 0.9f32.powi(step), 1.0 - 0.999f32.powi(step)];
                for n in 0..NUMBERS {
                    mean[n] += 0.1 * (slope[n] - mean[n]);
                    spread[n] += 0.001 * (slope[n] * slope[n] - spread[n]);
                    let deviation = (spread[n] / known[1]).sqrt();
                    self.numbers[n] -= pace * mean[n] / known[0] / (deviation + 1e-8);
                }
            }
            error = self.test(data, pass);
        }
        error
    }

    /// Prints the errors on the positions held out; returns the mean square error.
    fn test(&self, data: &Data, pass: usize) -> f32 {
        let square = |sample: &Sample| {
            (self.judge(&data.cells, sample, false).chance - sample.chance).powi(2)
        };
        let error = data.held_out.iter().map(square).sum::<f32>() / data.held_out.len() as f32;
        let [few, more, many] = [0..9, 9..16, 16..usize::MAX].map(|stones| {
            let part = data.held_out.iter().filter(|sample| stones.contains(&sample.stones));
            let losses = part.map(|sample| {
                let chance = self.judge(&data.cells, sample, false).chance.clamp(1e-6, 1.0 - 1e-6);
                -sample.result * chance.ln() - (1.0 - sample.result) * (1.0 - chance).ln()
            });
            let (sum, count) = losses.fold((0.0, 0.0), |(s, n), x| (s + x, n + 1.0));
            sum / count
        });
        eprintln!("pass {pass}: held out {error:.5}, log loss {few:.4} {more:.4} {many:.4}");
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
        let score = sample.pairs
            + self.numbers[head + HEAD_BIAS]
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

    /// Adds points to every score of Black, and takes them from every score of White.
    fn add_for_black(&mut self, points: f32) {
        self.numbers[HEADS + HEAD_BIAS] += points / SCALE;
        self.numbers[HEADS + HEAD + HEAD_BIAS] -= points / SCALE;
    }

    /// Prints the numbers as the integers of `src/net.rs`.
    fn print(&self) {
        for (numbers, unit) in parts() {
            for row in self.numbers[numbers].chunks(WIDTH) {
                let row: Vec<String> = row.iter().map(|x| (x * unit).round().to_string()).collect();
                println!("{}", row.join(" "));
            }
        }
    }

    /// Reads what [`Net::print`] has printed.
    fn load(&mut self, text: &str) {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let mut integers =
            lines.flat_map(|line| line.split(' ')).map(|word| word.parse::<f32>().unwrap());
        for (numbers, unit) in parts() {
            self.numbers[numbers].fill_with(|| integers.next().unwrap() / unit);
        }
        assert!(integers.next().is_none(), "a net has no more numbers");
    }
}

/// The numbers of a net in the order of its file, each part with its unit: a cell counts in parts of 32,
/// the hidden layer in parts of 2 to the 15, the score in parts of 2 to the 12.
fn parts() -> impl Iterator<Item = (Range<usize>, f32)> {
    let sum = 32.0 * CELLS;
    let (hidden, score) = (32_768.0, 4_096.0 * SCALE);
    let heads = [HEADS, HEADS + HEAD].into_iter().flat_map(move |head| {
        [
            (head..head + HIDDEN_BIAS, hidden / sum),
            (head + HIDDEN_BIAS..head + OUT, hidden),
            (head + OUT..head + DIRECT, score),
            (head + DIRECT..head + HEAD_BIAS, score / sum),
            (head + HEAD_BIAS..head + HEAD, score),
        ]
    });
    [(BIAS..HEADS, 32.0), (0..BIAS, 32.0)].into_iter().chain(heads)
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
