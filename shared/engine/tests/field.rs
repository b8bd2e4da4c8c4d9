//! The incremental state against the rules: after any moves it equals a freshly built one.

use renju::{Board, Color, Foul, Mark, Play, Point, Position, Precedence, Ruleset};
use renju_engine::{Class, Field, Shape};

use arena_support::Random;

fn picture(field: &Field) -> Vec<(Point, Color, [Shape; 4], Class)> {
    let board = field.board();
    board
        .empty_points()
        .flat_map(|point| {
            Color::BOTH
                .map(|color| (point, color, field.shapes(point, color), field.class(point, color)))
        })
        .collect()
}

#[test]
fn moves_and_their_undoing_leave_what_a_fresh_look_gives() {
    for ruleset in Ruleset::ALL {
        let mut random = Random(7);
        for &size in ruleset.sizes {
            let start =
                Position::analysis(ruleset, Board::new(size), Color::Black, Default::default());
            let mut position = start.unwrap();
            let mut field = Field::new(&position);
            let mut pictures = Vec::new();
            while position.outcome().is_none() && pictures.len() < 60 {
                let points: Vec<Point> = position.legal_points().collect();
                let Some(&point) = points.get(random.below(points.len().max(1))) else { break };
                pictures.push(picture(&field));
                field.make(point);
                position.advance(Play::Place(point)).unwrap();
                assert_eq!(field.board(), position.board());
                assert_eq!(picture(&field), picture(&Field::new(&position)), "{}", ruleset.id);
            }
            while let Some(before) = pictures.pop() {
                field.undo();
                assert_eq!(picture(&field), before);
            }
        }
    }
}

#[test]
fn every_five_is_seen_and_every_foul_is_doubted() {
    let ruleset = Ruleset::find("renju_free").unwrap();
    let mut random = Random(11);
    let (mut fives, mut fouls) = (0, 0);
    for _ in 0..600 {
        let mut board = Board::new(15);
        let (x, y) = (random.below(9), random.below(9));
        for _ in 0..10 + random.below(20) {
            let point =
                Point::new((x + random.below(7)) as u8, (y + random.below(7)) as u8).unwrap();
            let color = if random.below(4) == 0 { Color::White } else { Color::Black };
            if board.is_empty(point) {
                board.put(point, color);
            }
        }
        let position = Position::analysis(ruleset, board, Color::Black, Default::default());
        let field = Field::new(&position.unwrap());
        for point in board.empty_points() {
            let class = field.class(point, Color::Black);
            match board.mark(point, Color::Black, Precedence::FiveFirst) {
                Mark::Five => {
                    fives += 1;
                    assert_eq!(class, Class::Five, "{point}\n{board:?}");
                }
                Mark::Foul(foul) => {
                    fouls += 1;
                    assert_eq!(class, Class::Barred, "{point}\n{board:?}");
                    let shapes = field.shapes(point, Color::Black);
                    assert!(foul != Foul::Overline || shapes.contains(&Shape::Overline));
                }
                Mark::Quiet => assert_ne!(class, Class::Five, "{point}\n{board:?}"),
            }
        }
    }
    assert!(fives > 100 && fouls > 1000, "{fives} fives, {fouls} fouls");
}
