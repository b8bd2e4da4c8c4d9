//! `GET /puzzle`: a win by continuous fours to find, another each day.

use arena_lambda::{Context, Keep, Reply, received_at, varied_by_site};
use arena_wire::TimeView;
use askama::Template;
use lambda_http::{Request, RequestExt};
use renju::{Board, Color, Point};
use renju_picture::{Diagram, Part, diagram};

use crate::learn::{letters, part_text};
use crate::{malformed, publish};

/// Positions from games of our engine against itself, found by `examples/puzzles.rs` of the engine: the
/// moves of a game up to Black's turn, and after a bar the winning line with White's replies.
const PUZZLES: &str = include_str!("puzzles.txt");

/// Short, because the puzzle changes at midnight.
const KEEP: Keep = Keep::Seconds(60);
const DAY_MS: i64 = 86_400_000;
const SIZE: u8 = 15;

struct Puzzle {
    board: Board,
    line: Vec<Point>,
}

impl Puzzle {
    fn read(text: &str) -> Option<Puzzle> {
        let (moves, line) = text.split_once(" | ")?;
        let points = |text: &str| -> Option<Vec<Point>> {
            text.split(' ').map(|name| name.parse().ok()).collect()
        };
        let mut board = Board::new(SIZE);
        for (point, color) in points(moves)?.into_iter().zip(Color::BOTH.into_iter().cycle()) {
            if !board.is_empty(point) {
                return None;
            }
            board.put(point, color);
        }
        Some(Puzzle { board, line: points(line)? })
    }

    /// Number of Black's stones in the line.
    fn fours(&self) -> usize {
        self.line.len().div_ceil(2)
    }

    fn draw(&self, labels: &[(Point, char)], board: &Board, title: &str) -> String {
        let part = Part::whole(SIZE);
        diagram(&Diagram { board, part, labels, ring: None, coordinates: true }, title)
    }

    /// The board after the line; its stones are numbered as far as one character goes.
    fn solution(&self) -> String {
        let mut board = self.board;
        for (&point, color) in self.line.iter().zip(Color::BOTH.into_iter().cycle()) {
            if board.is_empty(point) {
                board.put(point, color);
            }
        }
        let labels: Vec<(Point, char)> =
            self.line.iter().copied().zip(('1'..='9').chain('A'..)).collect();
        self.draw(&labels, &board, "The solution")
    }
}

fn lines() -> impl Iterator<Item = &'static str> + Clone {
    PUZZLES.lines().filter(|line| !line.starts_with('#'))
}

/// Index of the puzzle of a day, for so many puzzles.
fn of_day(day: i64, count: usize) -> usize {
    usize::try_from(day.rem_euclid(count.max(1) as i64)).unwrap_or(0)
}

pub(crate) fn show(context: &Context, request: &Request) -> Reply {
    let count = lines().count();
    let now = received_at(request);
    let today = of_day(now.ms().div_euclid(DAY_MS), count);
    let asked = request.query_string_parameters_ref().and_then(|query| query.first("number"));
    let index = match asked.filter(|number| !number.is_empty()) {
        None => today,
        Some(number) => {
            let wanted = number.parse::<usize>().ok().filter(|number| (1..=count).contains(number));
            let wrong = || malformed(format!("there are puzzles 1 to {count}"));
            wanted.ok_or_else(wrong)? - 1
        }
    };
    let puzzle = lines().nth(index).and_then(Puzzle::read).expect("a test reads every puzzle");
    let page = PuzzlePage {
        origin: context.base_url(request),
        number: index + 1,
        today: today + 1,
        before: (index + count - 1) % count + 1,
        after: (index + 1) % count + 1,
        day: TimeView(now).day(),
        fours: puzzle.fours(),
        svg: puzzle.draw(&[], &puzzle.board, "Black to move"),
        board: letters(&puzzle.board),
        part: part_text(Part::whole(SIZE)),
        line: puzzle.line.iter().map(Point::to_string).collect::<Vec<_>>().join(" "),
        solution: puzzle.solution(),
    };
    varied_by_site(publish(request, KEEP, &page))
}

#[derive(Template)]
#[template(path = "puzzle.html")]
struct PuzzlePage {
    origin: String,
    number: usize,
    today: usize,
    before: usize,
    after: usize,
    day: String,
    fours: usize,
    svg: String,
    board: String,
    part: String,
    line: String,
    solution: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use renju::{Mark, Position, Precedence, Ruleset};

    /// Points where a stone of this colour wins at once.
    fn wins(board: &Board, color: Color) -> Vec<Point> {
        let free = Ruleset::find("renju_free").unwrap();
        let position =
            Position::analysis(free, *board, color, renju::ByColor { black: 0, white: 0 }).unwrap();
        board.empty_points().filter(|&point| position.judge(point).mark() == Mark::Five).collect()
    }

    #[test]
    fn every_line_wins_by_fours_against_the_only_replies() {
        assert!(lines().count() >= 30, "{}", lines().count());
        for text in lines() {
            let puzzle = Puzzle::read(text).unwrap();
            let mut board = puzzle.board;
            assert!(wins(&board, Color::Black).is_empty(), "a five at once is no puzzle: {text}");
            assert!(wins(&board, Color::White).is_empty(), "White is not ahead: {text}");
            assert!(puzzle.fours() >= 3, "{text}");
            for (index, &point) in puzzle.line.iter().enumerate() {
                let is_last = index + 1 == puzzle.line.len();
                if index % 2 == 0 {
                    let threats = wins(&board, Color::White);
                    let mark = board.mark(point, Color::Black, Precedence::FiveFirst);
                    board.put(point, Color::Black);
                    if mark == Mark::Five {
                        assert!(is_last, "{text}");
                        continue;
                    }
                    assert_eq!(mark, Mark::Quiet, "{point} of {text}");
                    assert!(threats.iter().all(|&threat| threat == point), "{point} of {text}");
                    let fives = wins(&board, Color::Black);
                    assert!(!fives.is_empty(), "{point} makes no four: {text}");
                    assert!(!is_last || fives.len() > 1, "White can answer the last: {text}");
                } else {
                    assert!(wins(&board, Color::White).is_empty(), "White wins first: {text}");
                    assert_eq!(wins(&board, Color::Black), [point], "the only reply: {text}");
                    board.put(point, Color::White);
                }
            }
        }
    }

    #[test]
    fn each_day_has_the_next_puzzle() {
        let days = [-1, 0, 1, 39, 40].map(|day| of_day(day, 40));
        assert_eq!(days, [39, 0, 1, 39, 0]);
    }
}
