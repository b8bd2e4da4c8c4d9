//! `GET /rules`: the rules for people. Lessons are diagrams that a test compares with the rules; a
//! ruleset's page is made from its row of the table, so that it says what the code does.

use arena_lambda::{Context, Reply, varied_by_site};
use askama::Template;
use lambda_http::{Request, RequestExt};
use renju::notation::diagram::Diagram as Text;
use renju::{Board, Color, Point, Ruleset};
use renju_picture::{Diagram, Part, diagram};

use crate::procedure::{self, Shown};
use crate::{STILL, malformed, publish};

/// A shape to understand, with a board to try it on.
struct Lesson {
    id: &'static str,
    title: &'static str,
    words: &'static str,
    /// Point that the question is about.
    asked: &'static str,
    answer: &'static str,
    /// Stones, and on empty points the marks of docs/rules.md.
    diagram: &'static str,
}

const LESSONS: [Lesson; 7] = [
    Lesson {
        id: "five",
        title: "Five in a row wins",
        words: "Black and White place stones in turn, Black first. Five of your own in an unbroken line win: along a rank, a column or a diagonal. In Renju Black needs exactly five; White wins with more as well.",
        asked: "d8",
        answer: "Yes: d8 e8 f8 g8 h8 are five. The stone on i8 is White's and does not matter.",
        diagram: "
10 . . . . . . . .
 9 . . . . o . . .
 8 . 5 x x x x o .
 7 . . . o . o . .
 6 . . . . . . . .
   c d e f g h i j",
    },
    Lesson {
        id: "overline",
        title: "Six or more are an overline",
        words: "A longer row is not five. For Black it is forbidden: the stone is accepted, and the game is lost at once.",
        asked: "h8",
        answer: "No: e8 to j8 would be six stones in a row, an overline.",
        diagram: "
10 . . . . . . . . .
 9 . . . . o . . . .
 8 . . x x x 6 x x .
 7 . . . o . o . o .
 6 . . . . . . . . .
   c d e f g h i j k",
    },
    Lesson {
        id: "four",
        title: "Two fours at once are forbidden",
        words: "A four is a line that one more stone makes five, with or without a gap. White must answer a four. Two with one stone cannot both be answered, so Black may not make them.",
        asked: "h8",
        answer: "No: the rank gets a four (e8 f8 g8 h8) and the column gets a four (h5 h6 h7 h8): a double-four.",
        diagram: "
10 . . . . . . . . .
 9 . . . . . . . . .
 8 . o x x x 4 . . .
 7 . . . . . x . . .
 6 . . . . . x . . .
 5 . . . . . x . . .
 4 . . . . . o . . .
   c d e f g h i j k",
    },
    Lesson {
        id: "line",
        title: "One line can hold two fours",
        words: "Count fours by their stones, not by their lines. Two different fours in one line are a double-four as well.",
        asked: "h8",
        answer: "No: e8 g8 h8 i8 become five by f8, and g8 h8 i8 k8 become five by j8.",
        diagram: "
10 . . . . . . . . . .
 9 . . . . . . o . . .
 8 . . x . x 4 x . x .
 7 . . . . o . . . . .
 6 . . . . . . . . . .
   c d e f g h i j k l",
    },
    Lesson {
        id: "three",
        title: "Two open threes at once are forbidden",
        words: "An open three is a line of three stones, solid or with one gap, that one more stone makes a straight four: four in a row with both ends open, which nobody can stop. Black may not make two open threes with one stone.",
        asked: "h8",
        answer: "No: g8 h8 i8 and h7 h8 h9 are two open threes.",
        diagram: "
11 . . . . . . . . .
10 . . . . . . . . .
 9 . . . . x . . . .
 8 . . . x 3 x . . .
 7 . . . . x . . . .
 6 . . . . . . . . .
 5 . . . . . . . . .
   d e f g h i j k l",
    },
    Lesson {
        id: "blocked",
        title: "A blocked three is no three",
        words: "If White stands at one end, the three can only become a four with one open end. White has an answer to that, so it does not count.",
        asked: "h8",
        answer: "Yes: White on e8 keeps the rank from a straight four. Only the column is an open three, and one is allowed.",
        diagram: "
10 . . . . . . . . .
 9 . . . . . x . . .
 8 . . o x x . . . .
 7 . . . . . x . . .
 6 . . . . . . . . .
 5 . . . . . . . . .
   c d e f g h i j k",
    },
    Lesson {
        id: "hollow",
        title: "Why this is not a three either",
        words: "The stone that makes the straight four must itself be allowed. If it would be forbidden, the three leads nowhere and does not count. The referee looks as deep as it takes.",
        asked: "h8",
        answer: "Yes: the rank e8 g8 h8 needs f8 for a straight four, but f8 would be an overline. So only the column counts, and h8 is allowed.",
        diagram: "
12 . . . . . . .
11 . . x . . . .
10 . . x . . . .
 9 . . x . 3 . .
 8 . x 6 x . . .
 7 . . x . x . .
 6 . 3 x 3 x . .
 5 . . . . 3 . .
 4 . . . . . . .
   d e f g h i j",
    },
];

/// A lesson as it is shown.
struct Screen {
    lesson: &'static Lesson,
    svg: String,
    /// All points from a1, as `POST /rules/check` takes them.
    board: String,
    part: String,
}

impl Screen {
    fn of(lesson: &'static Lesson) -> Screen {
        let board = board_of(lesson);
        let part = part_of(lesson.diagram);
        let asked: Option<Point> = lesson.asked.parse().ok();
        let labels: Vec<(Point, char)> = asked.into_iter().map(|point| (point, '?')).collect();
        let drawn = Diagram { board: &board, part, labels: &labels, ring: None, coordinates: true };
        Screen {
            lesson,
            svg: diagram(&drawn, lesson.title),
            board: letters(&board),
            part: part_text(part),
        }
    }
}

const SIZE: u8 = 15;

fn board_of(lesson: &Lesson) -> Board {
    *Text::read(lesson.diagram, SIZE).expect("a test reads every lesson").board()
}

/// Columns and ranks that a diagram in text draws.
fn part_of(text: &str) -> Part {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let rank = |line: Option<&&str>| -> u8 {
        let number = line.and_then(|line| line.split_whitespace().next()?.parse::<u8>().ok());
        number.map_or(0, |number| number.saturating_sub(1))
    };
    let mut names = lines.last().map_or("", |line| line).bytes().filter(u8::is_ascii_lowercase);
    let first = names.next().unwrap_or(b'a');
    let last = names.next_back().unwrap_or(first);
    let bottom = lines.len().checked_sub(2).and_then(|index| lines.get(index));
    Part { columns: (first - b'a', last - b'a'), ranks: (rank(bottom), rank(lines.first())) }
}

/// The points of a board from a1, rank by rank.
pub(crate) fn letters(board: &Board) -> String {
    Point::all(board.size()).map(|point| board.get(point).map_or('.', Color::letter)).collect()
}

/// `columns and ranks`, for the script that puts buttons on the points.
pub(crate) fn part_text(part: Part) -> String {
    let Part { columns, ranks } = part;
    format!("{} {} {} {}", columns.0, columns.1, ranks.0, ranks.1)
}

/// `GET /rules`, and with `?ruleset=` the page of a ruleset.
pub(crate) fn show(context: &Context, request: &Request) -> Reply {
    let asked = request.query_string_parameters_ref().and_then(|query| query.first("ruleset"));
    let origin = context.base_url(request);
    let reply = match asked.filter(|id| !id.is_empty()) {
        None => {
            let screens = LESSONS.iter().map(Screen::of).collect();
            publish(request, STILL, &LearnPage { origin, screens, rulesets: Ruleset::ALL })
        }
        Some(id) => {
            let ruleset = Ruleset::find(id).map_err(malformed)?;
            let page = RulesetPage {
                origin,
                ruleset,
                facts: procedure::facts(ruleset),
                steps: procedure::steps(ruleset),
                rulesets: Ruleset::ALL,
            };
            publish(request, STILL, &page)
        }
    };
    varied_by_site(reply)
}

#[derive(Template)]
#[template(path = "learn.html")]
struct LearnPage {
    origin: String,
    screens: Vec<Screen>,
    rulesets: &'static [Ruleset],
}

#[derive(Template)]
#[template(path = "ruleset.html")]
struct RulesetPage {
    origin: String,
    ruleset: &'static Ruleset,
    facts: Vec<String>,
    steps: Vec<Shown>,
    rulesets: &'static [Ruleset],
}

#[cfg(test)]
mod tests {
    use super::*;
    use renju::{Mark, Precedence};

    #[test]
    fn every_mark_of_a_lesson_is_what_the_rules_compute() {
        for lesson in &LESSONS {
            let drawn = Text::read(lesson.diagram, SIZE).unwrap();
            let marks = drawn.board().marks(Color::Black, Precedence::FiveFirst);
            let computed: Vec<(Point, Mark)> = marks.iter().collect();
            assert_eq!(computed, drawn.marks(), "{}", lesson.title);
        }
    }

    #[test]
    fn every_answer_is_the_referees() {
        for lesson in &LESSONS {
            let asked: Point = lesson.asked.parse().unwrap();
            let mark = board_of(lesson).mark(asked, Color::Black, Precedence::FiveFirst);
            let is_allowed = !matches!(mark, Mark::Foul(_));
            assert_eq!(lesson.answer.starts_with("Yes"), is_allowed, "{}", lesson.title);
            let points = lesson.answer.split(|c: char| !c.is_ascii_alphanumeric());
            let named: Vec<Point> = points.filter_map(|word| word.parse().ok()).collect();
            let part = part_of(lesson.diagram);
            for point in named {
                let (x, y) = (point.x(), point.y());
                assert!((part.columns.0..=part.columns.1).contains(&x), "{point}");
                assert!((part.ranks.0..=part.ranks.1).contains(&y), "{point}");
            }
        }
    }
}
