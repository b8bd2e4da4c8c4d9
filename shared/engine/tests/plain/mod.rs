//! A plain opponent: fixed-depth alpha-beta over the most promising moves, with rows counted in
//! windows of five. It shares no code with the engine.

use renju::{Color, Play, Point, Position};

const SIDE: i32 = 19;
const CELLS: usize = (SIDE * SIDE) as usize;
const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Search depth and number of moves per node.
const DEPTH: u32 = 4;
const WIDTH: usize = 20;

/// Value of a window by the number of stones of one colour, with none of the other.
const WINDOW: [i32; 6] = [0, 1, 10, 80, 500, 1_000_000];
const PAIR: i32 = 300;
const WON: i32 = 500_000;
const PAIRS_TO_WIN: i32 = 5;

/// Board from its point of view: +1 is its own stone, -1 the opponent's.
pub(crate) struct Plain {
    cells: [i8; CELLS],
    pairs: [i32; 2],
    /// Sum over all windows, its own positive and the opponent's negative.
    rows: i32,
}

/// A move and the stones it captured, for undo.
type Made = (usize, Vec<usize>);

impl Plain {
    /// Chooses a legal move.
    pub(crate) fn choose(position: &Position) -> Point {
        let me = position.to_move();
        let mut plain = Plain {
            cells: [0; CELLS],
            pairs: [me, !me].map(|color| i32::from(position.pairs()[color])),
            rows: 0,
        };
        for color in Color::BOTH {
            for stone in position.board().stones_of(color) {
                plain.set(stone.index(SIDE as u8), if color == me { 1 } else { -1 });
            }
        }
        let point = |cell: usize| Point::from_index(cell, SIDE as u8).unwrap();
        let is_legal = |cell: &usize| position.play(Play::Place(point(*cell))).is_ok();
        let mut best = None;
        let mut alpha = -10 * WON;
        for cell in plain.moves(1).into_iter().filter(is_legal) {
            let made = plain.make(cell, 1);
            let worth = -plain.search(DEPTH - 1, -10 * WON, -alpha, -1);
            plain.undo(made, 1);
            if best.is_none() || worth > alpha {
                (best, alpha) = (Some(cell), worth.max(alpha));
            }
        }
        best.map(point).unwrap_or_else(|| position.legal_points().next().unwrap())
    }

    /// Value of the position for `side`, who is to move.
    fn search(&mut self, depth: u32, mut alpha: i32, beta: i32, side: i8) -> i32 {
        let worth = i32::from(side) * (self.rows + PAIR * (self.pairs[0] - self.pairs[1]));
        let pairs = self.pairs.iter().any(|&pairs| pairs >= PAIRS_TO_WIN);
        if pairs {
            return -WON - depth as i32;
        }
        if self.rows.abs() > WON {
            // Nearer wins score more.
            return worth.signum() * (WON + depth as i32);
        }
        if depth == 0 {
            return worth;
        }
        for cell in self.moves(side) {
            let made = self.make(cell, side);
            let worth = -self.search(depth - 1, -beta, -alpha, -side);
            self.undo(made, side);
            alpha = alpha.max(worth);
            if alpha >= beta {
                break;
            }
        }
        alpha
    }

    /// Empty cells near stones, those that gain or prevent most first.
    fn moves(&mut self, side: i8) -> Vec<usize> {
        let mut ranked: Vec<(i32, usize)> = Vec::new();
        for cell in 0..CELLS {
            if self.cells[cell] != 0 || !self.has_neighbour(cell) {
                continue;
            }
            let (mut rank, before) = (0, self.windows(cell));
            for color in [side, -side] {
                self.cells[cell] = color;
                rank += (self.windows(cell) - before).abs();
                self.cells[cell] = 0;
                rank += PAIR / 2 * self.captured(cell, color).len() as i32;
            }
            ranked.push((-rank, cell));
        }
        ranked.sort_unstable();
        ranked.into_iter().take(WIDTH).map(|(_, cell)| cell).collect()
    }

    fn make(&mut self, cell: usize, side: i8) -> Made {
        let captured = self.captured(cell, side);
        self.set(cell, side);
        captured.iter().for_each(|&taken| self.set(taken, 0));
        self.pairs[usize::from(side < 0)] += captured.len() as i32 / 2;
        (cell, captured)
    }

    fn undo(&mut self, (cell, captured): Made, side: i8) {
        self.pairs[usize::from(side < 0)] -= captured.len() as i32 / 2;
        captured.iter().for_each(|&taken| self.set(taken, -side));
        self.set(cell, 0);
    }

    fn captured(&self, cell: usize, side: i8) -> Vec<usize> {
        let mut captured = Vec::new();
        for (dx, dy) in DIRECTIONS.into_iter().chain(DIRECTIONS.map(|(dx, dy)| (-dx, -dy))) {
            let line = [1, 2, 3].map(|steps| step(cell, dx, dy, steps));
            if let [Some(near), Some(far), Some(end)] = line
                && [self.cells[near], self.cells[far], self.cells[end]] == [-side, -side, side]
            {
                captured.extend([near, far]);
            }
        }
        captured
    }

    fn has_neighbour(&self, cell: usize) -> bool {
        DIRECTIONS.into_iter().any(|(dx, dy)| {
            let stone = |steps| step(cell, dx, dy, steps).is_some_and(|at| self.cells[at] != 0);
            [-2, -1, 1, 2].into_iter().any(stone)
        })
    }

    /// Sets a cell and updates the windows through it.
    fn set(&mut self, cell: usize, stone: i8) {
        self.rows -= self.windows(cell);
        self.cells[cell] = stone;
        self.rows += self.windows(cell);
    }

    fn windows(&self, cell: usize) -> i32 {
        let mut worth = 0;
        for (dx, dy) in DIRECTIONS {
            for start in -4..=0 {
                let (Some(first), Some(_)) =
                    (step(cell, dx, dy, start), step(cell, dx, dy, start + 4))
                else {
                    continue;
                };
                let stride = dy * SIDE + dx;
                let mut count = [0; 2];
                for n in 0..5 {
                    match self.cells[(first as i32 + n * stride) as usize] {
                        0 => {}
                        stone => count[usize::from(stone < 0)] += 1,
                    }
                }
                worth += match count {
                    [mine, 0] => WINDOW[mine],
                    [0, theirs] => -WINDOW[theirs],
                    _ => 0,
                };
            }
        }
        worth
    }
}

fn step(cell: usize, dx: i32, dy: i32, steps: i32) -> Option<usize> {
    let (x, y) = (cell as i32 % SIDE + dx * steps, cell as i32 / SIDE + dy * steps);
    let inside = (0..SIDE).contains(&x) && (0..SIDE).contains(&y);
    inside.then_some((y * SIDE + x) as usize)
}
