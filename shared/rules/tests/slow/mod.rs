//! A slow second implementation of the rules, written from the prose on a plain two-dimensional
//! array. It must never call the code it checks.

#![allow(dead_code, reason = "each test takes the part it needs")]

pub(crate) mod capture;
pub(crate) mod foul;
pub(crate) mod offer;
pub(crate) mod playout;
pub(crate) mod random;

use std::fmt;

use renju::{Board, Color, Point};

/// Column and rank from zero; may be off the board.
pub(crate) type Cell = (i32, i32);

/// The four directions of a row.
pub(crate) const DIRECTIONS: [Cell; 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Side of the largest board.
const SIDE: usize = 20;

/// A board as rows of cells.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Grid {
    pub(crate) size: i32,
    cells: [[Option<Color>; SIDE]; SIDE],
}

/// The unbroken stones of one colour through a point.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    pub(crate) first: Cell,
    pub(crate) length: i32,
    direction: Cell,
}

impl Grid {
    pub(crate) fn new(size: u8) -> Grid {
        Grid { size: i32::from(size), cells: [[None; SIDE]; SIDE] }
    }

    /// Reads a diagram: ranks from the top, each after its number, and the columns below. `x` and
    /// `o` are stones; the rest of the board is empty.
    pub(crate) fn read(size: u8, diagram: &str) -> Grid {
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let mut lines: Vec<Vec<String>> = diagram.lines().map(words).collect();
        lines.retain(|line| !line.is_empty());
        let columns = lines.pop().expect("a diagram ends with its columns");
        let mut grid = Grid::new(size);
        for line in lines {
            assert_eq!(line.len(), columns.len() + 1, "a rank has a letter for every column");
            for (column, letter) in columns.iter().zip(&line[1..]) {
                let at: Point = format!("{column}{}", line[0]).parse().expect("a point");
                match letter.as_str() {
                    "x" => grid = grid.with(cell(at), Color::Black),
                    "o" => grid = grid.with(cell(at), Color::White),
                    _ => {}
                }
            }
        }
        grid
    }

    pub(crate) fn on_board(&self, (x, y): Cell) -> bool {
        (0..self.size).contains(&x) && (0..self.size).contains(&y)
    }

    /// Stone on a cell; none off the board.
    pub(crate) fn at(&self, (x, y): Cell) -> Option<Color> {
        if self.on_board((x, y)) { self.cells[y as usize][x as usize] } else { None }
    }

    pub(crate) fn is_empty(&self, cell: Cell) -> bool {
        self.on_board(cell) && self.at(cell).is_none()
    }

    /// Copy with one more stone.
    pub(crate) fn with(&self, (x, y): Cell, color: Color) -> Grid {
        assert!(self.is_empty((x, y)), "a stone goes on an empty point");
        let mut grid = *self;
        grid.cells[y as usize][x as usize] = Some(color);
        grid
    }

    /// Copy without these stones.
    pub(crate) fn without(&self, stones: &[Cell]) -> Grid {
        let mut grid = *self;
        for &(x, y) in stones {
            grid.cells[y as usize][x as usize] = None;
        }
        grid
    }

    /// Every cell, rank by rank from a1.
    pub(crate) fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let size = self.size;
        (0..size).flat_map(move |y| (0..size).map(move |x| (x, y)))
    }

    pub(crate) fn empty_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.cells().filter(|&cell| self.is_empty(cell))
    }

    pub(crate) fn stones_of(&self, color: Color) -> impl Iterator<Item = Cell> + '_ {
        self.cells().filter(move |&cell| self.at(cell) == Some(color))
    }

    /// The row through a stone.
    pub(crate) fn row(&self, stone: Cell, direction: Cell) -> Row {
        let color = self.at(stone).expect("a row goes through a stone");
        let mut first = stone;
        while self.at(back(first, direction)) == Some(color) {
            first = back(first, direction);
        }
        let mut length = 1;
        while self.at(along(first, direction, length)) == Some(color) {
            length += 1;
        }
        Row { first, length, direction }
    }

    /// The longest of the four rows through a stone.
    pub(crate) fn longest_row(&self, stone: Cell) -> i32 {
        DIRECTIONS.map(|direction| self.row(stone, direction).length).into_iter().max().unwrap_or(0)
    }

    /// True if one of the four rows through a stone is exactly five.
    pub(crate) fn has_exact_five(&self, stone: Cell) -> bool {
        DIRECTIONS.iter().any(|&direction| self.row(stone, direction).length == 5)
    }

    /// True if `color` has five or more in a row anywhere.
    pub(crate) fn has_five_or_more(&self, color: Color) -> bool {
        self.stones_of(color).any(|stone| self.longest_row(stone) >= 5)
    }

    /// The same stones for the crate under test.
    pub(crate) fn to_board(self) -> Board {
        let mut board = Board::new(self.size as u8);
        for color in Color::BOTH {
            for cell in self.stones_of(color) {
                board.put(point(cell), color);
            }
        }
        board
    }

    pub(crate) fn of(board: &Board) -> Grid {
        Point::all(board.size()).fold(Grid::new(board.size()), |grid, at| match board.get(at) {
            Some(color) => grid.with(cell(at), color),
            None => grid,
        })
    }

    /// Diagram in which `letter` chooses the character of an empty cell.
    pub(crate) fn diagram(&self, letter: impl Fn(Cell) -> char) -> String {
        let mut text = String::new();
        for y in (0..self.size).rev() {
            text += &format!("{:2}", y + 1);
            for x in 0..self.size {
                text.push(' ');
                text.push(self.at((x, y)).map_or_else(|| letter((x, y)), Color::letter));
            }
            text.push('\n');
        }
        let columns = (0..self.size).map(|x| [' ', char::from(b'a' + x as u8)]);
        text + "  " + &columns.flatten().collect::<String>() + "\n"
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.diagram(|_| '.'))
    }
}

impl Row {
    pub(crate) fn stones(self) -> impl Iterator<Item = Cell> {
        (0..self.length).map(move |steps| along(self.first, self.direction, steps))
    }

    pub(crate) fn contains(self, stone: Cell) -> bool {
        self.stones().any(|other| other == stone)
    }

    /// The two cells just beyond the ends.
    pub(crate) fn ends(self) -> [Cell; 2] {
        [back(self.first, self.direction), along(self.first, self.direction, self.length)]
    }
}

/// The cell `steps` along a direction.
pub(crate) fn along((x, y): Cell, (dx, dy): Cell, steps: i32) -> Cell {
    (x + dx * steps, y + dy * steps)
}

fn back(from: Cell, direction: Cell) -> Cell {
    along(from, direction, -1)
}

pub(crate) fn point((x, y): Cell) -> Point {
    Point::new(x as u8, y as u8).expect("the cell is on a board")
}

pub(crate) fn cell(point: Point) -> Cell {
    (i32::from(point.x()), i32::from(point.y()))
}
