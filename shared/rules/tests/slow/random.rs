//! Seeded boards of several kinds; a seed always gives the same board.

use renju::Color;

use super::{Cell, DIRECTIONS, Grid, along};

/// A generator of whole numbers with a sign, as points of a grid are.
pub(crate) struct Random(arena_support::Random);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(arena_support::Random(seed))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0.next()
    }

    /// A number in `0..bound`.
    pub(crate) fn below(&mut self, bound: i32) -> i32 {
        (self.next() % bound as u64) as i32
    }

    /// A number in `low..=high`.
    pub(crate) fn within(&mut self, low: i32, high: i32) -> i32 {
        low + self.below(high - low + 1)
    }

    pub(crate) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as i32) as usize]
    }

    pub(crate) fn cell(&mut self, size: i32) -> Cell {
        (self.below(size), self.below(size))
    }

    /// Black with a probability of `percent`, else White.
    pub(crate) fn color(&mut self, percent: i32) -> Color {
        if self.below(100) < percent { Color::Black } else { Color::White }
    }
}

/// Method of building a random board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Stones anywhere, from few to many.
    Uniform,
    /// Stones around one point.
    Local,
    /// Lines of stones through one point, crowded: fouls upon fouls.
    Star,
    /// Stones along a stretch of the three outer ranks or columns.
    Edge,
    /// Steps of one to three points along lines, nearly all of them black.
    Chain,
    /// As many stones of either colour crowded around one point, for captures.
    Melee,
}

impl Kind {
    pub(crate) const ALL: [Kind; 6] =
        [Kind::Uniform, Kind::Local, Kind::Star, Kind::Edge, Kind::Chain, Kind::Melee];

    /// A board of this kind. It may contain rows of five and more: any arrangement is a board.
    pub(crate) fn board(self, random: &mut Random, size: u8) -> Grid {
        let mut grid = Grid::new(size);
        match self {
            Kind::Uniform => {
                let black = random.within(35, 75);
                for _ in 0..random.within(5, 120) {
                    put(&mut grid, random.cell(i32::from(size)), random.color(black));
                }
            }
            Kind::Local => {
                let black = random.within(60, 95);
                cluster(&mut grid, random, 4, black);
            }
            Kind::Melee => cluster(&mut grid, random, 3, 50),
            Kind::Star => {
                for _ in 0..random.within(1, 3) {
                    let centre = random.cell(grid.size);
                    let black = random.within(80, 98);
                    for _ in 0..random.within(16, 48) {
                        let at = along(centre, random.pick(&DIRECTIONS), random.within(-5, 5));
                        put(&mut grid, at, random.color(black));
                    }
                }
            }
            Kind::Edge => {
                let black = random.within(60, 95);
                let (start, side) = (random.within(-2, grid.size - 6), random.below(4));
                for _ in 0..random.within(8, 24) {
                    let (along, depth) = (start + random.below(9), random.below(3));
                    let far = grid.size - 1 - depth;
                    let sides = [(along, depth), (depth, along), (along, far), (far, along)];
                    put(&mut grid, sides[side as usize], random.color(black));
                }
            }
            Kind::Chain => {
                let mut at = random.cell(grid.size);
                for _ in 0..random.within(10, 40) {
                    put(&mut grid, at, random.color(92));
                    let steps = random.pick(&[-3, -2, -2, -1, -1, 1, 1, 2, 2, 3]);
                    let next = along(at, random.pick(&DIRECTIONS), steps);
                    at = if grid.on_board(next) { next } else { random.cell(grid.size) };
                }
            }
        }
        grid
    }
}

/// Six to forty stones within `steps` of one point.
fn cluster(grid: &mut Grid, random: &mut Random, steps: i32, black: i32) {
    let (x, y) = random.cell(grid.size);
    for _ in 0..random.within(6, 40) {
        let at = (x + random.within(-steps, steps), y + random.within(-steps, steps));
        put(grid, at, random.color(black));
    }
}

/// Puts a stone if the cell is free.
fn put(grid: &mut Grid, at: Cell, color: Color) {
    if grid.is_empty(at) {
        *grid = grid.with(at, color);
    }
}
