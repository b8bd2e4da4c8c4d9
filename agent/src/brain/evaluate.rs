//! What stones and empty points are worth, counted in windows of five: a window that holds stones of
//! one colour only may still become that colour's five.

use renju::{Board, ByColor, Color, Direction, Point};

/// The worth of a window that holds so many stones of one colour and none of the other.
const WINDOW: [i32; 6] = [0, 1, 7, 35, 180, 5_000];

/// What a new stone on `point` adds for `color`: its own windows grow.
pub(crate) fn attack(board: &Board, point: Point, color: Color) -> i32 {
    windows_through(board, point, color).map(|stones| WINDOW[stones + 1] - WINDOW[stones]).sum()
}

/// What a stone of `color` on `point` is worth: it helps its own lines and spoils the other's.
/// Points near the middle win ties.
pub(crate) fn point_worth(board: &Board, point: Point, color: Color) -> i32 {
    let middle = i32::from(board.size()) - i32::from(point.ring(Point::centre(board.size())));
    16 * (3 * attack(board, point, color) + 2 * attack(board, point, !color)) + middle
}

/// What the lines of both colours are worth on a board.
pub(crate) struct Balance<'a> {
    board: &'a Board,
    lines: ByColor<i32>,
}

impl Balance<'_> {
    pub(crate) fn of(board: &Board) -> Balance<'_> {
        let lines = |color| lines_of(board, color);
        Balance { board, lines: ByColor { black: lines(Color::Black), white: lines(Color::White) } }
    }

    /// How much better Black stands than White when `to_move` moves next; about 0 is fair.
    pub(crate) fn black_lead(&self, to_move: Color) -> i32 {
        black_lead(self.lines, to_move)
    }

    /// The same once a stone of `color` stands on the empty `point` and the other colour moves.
    pub(crate) fn black_lead_after(&self, point: Point, color: Color) -> i32 {
        let mut lines = self.lines;
        lines[color] += attack(self.board, point, color);
        let spoiled = windows_through(self.board, point, !color).map(|stones| WINDOW[stones]);
        lines[!color] -= spoiled.sum::<i32>();
        black_lead(lines, !color)
    }
}

fn black_lead(lines: ByColor<i32>, to_move: Color) -> i32 {
    // Having the move is worth about half of what one's own lines are.
    let tempo = lines[to_move] / 2 + 4;
    let lead = lines.black - lines.white;
    if to_move == Color::Black { lead + tempo } else { lead - tempo }
}

fn lines_of(board: &Board, color: Color) -> i32 {
    let all = Point::all(board.size()).flat_map(|first| {
        Direction::ALL
            .into_iter()
            .filter_map(move |direction| window(board, first, direction, color))
    });
    all.map(|stones| WINDOW[stones]).sum()
}

/// The stones of `color` in each window through `point` that the other colour has not spoiled.
fn windows_through(board: &Board, point: Point, color: Color) -> impl Iterator<Item = usize> {
    Direction::ALL.into_iter().flat_map(move |direction| {
        (-4..=0)
            .filter_map(move |back| window(board, point.step(direction, back)?, direction, color))
    })
}

/// How many stones of `color` stand in the window that starts at `first`; `None` if it leaves the
/// board or holds a stone of the other colour.
fn window(board: &Board, first: Point, direction: Direction, color: Color) -> Option<usize> {
    let mut stones = 0;
    for step in 0..5 {
        let point = first.step(direction, step).filter(|point| point.is_on(board.size()))?;
        match board.get(point) {
            Some(stone) if stone == color => stones += 1,
            Some(_) => return None,
            None => {}
        }
    }
    Some(stones)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_balance_after_a_stone_is_that_of_the_board_with_the_stone() {
        let mut board = Board::new(15);
        for (n, name) in ["h8", "h9", "i8", "g7", "j8", "a1"].into_iter().enumerate() {
            board.put(name.parse().unwrap(), Color::BOTH[n % 2]);
        }
        for point in board.empty_points() {
            for color in Color::BOTH {
                let mut after = board;
                after.put(point, color);
                let lead = Balance::of(&board).black_lead_after(point, color);
                assert_eq!(lead, Balance::of(&after).black_lead(!color), "{color} {point}");
            }
        }
    }
}
