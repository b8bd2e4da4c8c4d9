//! The diagrams of docs/rules.md and of the README agree with the code.

#![allow(clippy::unwrap_used, reason = "helpers of a test may stop it")]

use renju::notation::diagram::Diagram;
use renju::{Color, Point, Precedence};

const RULES: &str = include_str!("../../../docs/rules.md");
const README: &str = include_str!("../../../README.md");

/// Checks every diagram of a page; returns their number.
fn check(page: &str) -> usize {
    let mut seen = 0;
    let mut blocks = page.split("```");
    while let (Some(_prose), Some(block)) = (blocks.next(), blocks.next()) {
        let (fence, text) = block.split_once('\n').unwrap_or((block, ""));
        let precedence = match fence {
            "black" => Precedence::FiveFirst,
            "foul-first" => Precedence::FoulFirst,
            _ => continue,
        };
        let diagram = Diagram::read(text, 15).unwrap();
        let marks = diagram.board().marks(Color::Black, precedence);
        let computed = diagram.clone().with_marks(marks.iter());
        let drawn = text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>();
        assert_eq!(computed.to_string().trim_end(), drawn.join("\n").trim_end(), "{text}");
        // No mark may lie outside the part that is drawn.
        let expected: Vec<(Point, _)> = diagram.marks().to_vec();
        assert_eq!(marks.iter().collect::<Vec<_>>(), expected, "{text}");
        seen += 1;
    }
    seen
}

#[test]
fn every_diagram_is_what_the_rules_compute() {
    // The number at the time of writing, so that none is skipped because of a broken fence.
    assert_eq!((check(RULES), check(README)), (10, 1));
}
