//! The diagrams of docs/rules.md say what the code says.

use renju::notation::diagram::Diagram;
use renju::{Color, Point, Precedence};

const PAGE: &str = include_str!("../../../docs/rules.md");

#[test]
fn every_diagram_of_the_rules_page_is_what_the_rules_compute() {
    let mut seen = 0;
    let mut blocks = PAGE.split("```");
    while let (Some(_prose), Some(block)) = (blocks.next(), blocks.next()) {
        let (fence, text) = block.split_once('\n').unwrap();
        let precedence = match fence {
            "black" => Precedence::FiveFirst,
            "foul-first" => Precedence::FoulFirst,
            other => panic!("an unknown kind of diagram: {other}"),
        };
        let diagram = Diagram::read(text, 15).unwrap();
        let marks = diagram.board().marks(Color::Black, precedence);
        let computed = diagram.clone().with_marks(marks.iter());
        let drawn = text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>();
        assert_eq!(computed.to_string().trim_end(), drawn.join("\n").trim_end(), "{text}");
        // Nothing may hide outside the part that is drawn.
        let expected: Vec<(Point, _)> = diagram.marks().to_vec();
        assert_eq!(marks.iter().collect::<Vec<_>>(), expected, "{text}");
        seen += 1;
    }
    assert_eq!(seen, 10, "the page has as many diagrams as it had when this test was written");
}
