//! The net of the evaluation: a vector for each line of a cell, and two small layers over their sum.
//!
//! The four lines of a cell are added and cut to `0..=CELL_MAX`, so that a cell can tell what its
//! lines do together; the sum over all cells near a stone is what the layers judge. Everything is
//! integers, and the vectors of all lines fit the first-level cache. `field/sum.rs` takes the sum only
//! when a score is asked for, because most moves of the search are never judged.

use renju::{Five, Fouls, Ruleset, SIZE_MAX};

use crate::field::CellShapes;
use crate::score::{EVALUATION_MAX, Score};
use crate::shape::Shape;

/// Numbers of the vector of a line, and of the hidden layer.
const WIDTH: usize = 32;

/// Largest number a cell adds to the sum. The sum over the largest board stays below 32,768.
const CELL_MAX: i16 = 80;

const _: () =
    assert!(CELL_MAX as usize * SIZE_MAX as usize * SIZE_MAX as usize <= i16::MAX as usize);

/// Sum of the vectors of cells.
pub(crate) type Sum = [i16; WIDTH];

/// The numbers of a file as `examples/train.rs` prints it.
pub(crate) struct Net {
    lines: [[i16; WIDTH]; 256],
    bias: [i16; WIDTH],
    /// For Black to move and for White to move.
    heads: [Head; 2],
}

struct Head {
    hidden: [[i16; WIDTH]; WIDTH],
    hidden_bias: [i32; WIDTH],
    out: [i32; WIDTH],
    direct: [i32; WIDTH],
    bias: i32,
}

/// Binary digits after the point of the hidden layer as it is summed, after it is cut, and of the
/// score.
const HIDDEN_BITS: u32 = 15;
const CUT_BITS: u32 = 8;
const SCORE_BITS: u32 = 12;

impl Net {
    pub(crate) fn of(ruleset: &Ruleset) -> &'static Net {
        static RENJU: Net = parse(include_bytes!("net/renju.txt"));
        static FREE: Net = parse(include_bytes!("net/free.txt"));
        static EXACT: Net = parse(include_bytes!("net/exact.txt"));
        static CAPTURE: Net = parse(include_bytes!("net/capture.txt"));
        match (ruleset.fouls, ruleset.five.black) {
            _ if ruleset.pairs_to_win.is_some() => &CAPTURE,
            (Fouls::Black { .. }, _) => &RENJU,
            (_, Five::Exactly) => &EXACT,
            (_, Five::OrMore) => &FREE,
        }
    }

    /// Score of the cells with this sum for the player to move.
    pub(crate) fn score(&self, sum: &Sum, mover: usize) -> Score {
        let head = &self.heads[mover];
        let mut score = i64::from(head.bias);
        for n in 0..WIDTH {
            let hidden = dot(&head.hidden[n], sum) + head.hidden_bias[n];
            let hidden = hidden.max(0) >> (HIDDEN_BITS - CUT_BITS);
            score += (i64::from(head.out[n]) * i64::from(hidden)) >> CUT_BITS;
            score += i64::from(head.direct[n]) * i64::from(sum[n]);
        }
        let most = i64::from(EVALUATION_MAX);
        (score >> SCORE_BITS).clamp(-most, most) as Score
    }

    /// What a cell with these shapes adds to the sum. Inlined by force: as a call it goes through memory and costs
    /// a quarter of the speed of the search.
    #[inline(always)]
    pub(crate) fn cell(&self, shapes: CellShapes) -> Sum {
        let [a, b, c, d] = shapes.to_le_bytes().map(|line| &self.lines[usize::from(line)]);
        let mut cell = self.bias;
        for n in 0..WIDTH {
            cell[n] = (cell[n] + a[n] + b[n] + c[n] + d[n]).clamp(0, CELL_MAX);
        }
        cell
    }
}

fn dot(weights: &[i16; WIDTH], sum: &Sum) -> i32 {
    weights.iter().zip(sum).map(|(&weight, &x)| i32::from(weight) * i32::from(x)).sum()
}

/// Reads a file of numbers; lines that begin with `#` are comments.
const fn parse(text: &[u8]) -> Net {
    let mut numbers = Numbers { text, at: 0 };
    let mut net = Net {
        bias: [0; WIDTH],
        lines: [[0; WIDTH]; 256],
        heads: [const {
            Head {
                hidden: [[0; WIDTH]; WIDTH],
                hidden_bias: [0; WIDTH],
                out: [0; WIDTH],
                direct: [0; WIDTH],
                bias: 0,
            }
        }; 2],
    };
    net.bias = narrow(numbers.row());
    let mut line = 0;
    while line < Shape::COUNT * Shape::COUNT {
        net.lines[16 * (line / Shape::COUNT) + line % Shape::COUNT] = narrow(numbers.row());
        line += 1;
    }
    let mut side = 0;
    while side < 2 {
        let head = &mut net.heads[side];
        let mut n = 0;
        while n < WIDTH {
            head.hidden[n] = narrow(numbers.row());
            n += 1;
        }
        head.hidden_bias = numbers.row();
        let mut n = 0;
        while n < WIDTH {
            // With weights below 2 to the 11 the hidden layer stays below 2 to the 31 on the largest board.
            assert!(head.hidden_bias[n].abs() < 1 << 25, "a bias of the net is too large");
            n += 1;
        }
        head.out = numbers.row();
        head.direct = numbers.row();
        head.bias = numbers.next();
        side += 1;
    }
    assert!(numbers.at + 1 == text.len(), "a net has no more numbers");
    net
}

struct Numbers<'a> {
    text: &'a [u8],
    at: usize,
}

impl Numbers<'_> {
    const fn row(&mut self) -> [i32; WIDTH] {
        let mut row = [0; WIDTH];
        let mut n = 0;
        while n < WIDTH {
            row[n] = self.next();
            n += 1;
        }
        row
    }

    const fn next(&mut self) -> i32 {
        while matches!(self.text[self.at], b' ' | b'\n' | b'#') {
            if self.text[self.at] == b'#' {
                while self.text[self.at] != b'\n' {
                    self.at += 1;
                }
            }
            self.at += 1;
        }
        let negative = self.text[self.at] == b'-';
        self.at += negative as usize;
        let mut number = 0;
        while self.text[self.at].is_ascii_digit() {
            number = 10 * number + (self.text[self.at] - b'0') as i32;
            self.at += 1;
        }
        if negative { -number } else { number }
    }
}

const fn narrow(row: [i32; WIDTH]) -> [i16; WIDTH] {
    let mut narrow = [0; WIDTH];
    let mut n = 0;
    while n < WIDTH {
        assert!(row[n].abs() < 1 << 11, "a number of the net is too large");
        narrow[n] = row[n] as i16;
        n += 1;
    }
    narrow
}
