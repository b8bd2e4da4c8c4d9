//! All positions of a game in one drawing, for a page that steps through it without a request.
//!
//! Every element that is not always there names the turns it is there in, as `data-at`: `7`, `7-12`
//! or `7-13/2`, which is every second turn. The others of the turn shown have `display="none"`, so
//! that the drawing is right before a script has run.

use std::collections::BTreeMap;
use std::fmt;

use renju::{Color, Explanation, Foul, IllegalPlay, Play, Point, Position};

use crate::board::{Style, area, empty, escaped, kind, number_height, offers, on, put, taken};
use crate::glyph::{HEIGHT, Lettering, label};
use crate::place::middle;
use crate::proof;
use crate::scene::{self, Scene, Stone};
use crate::theme::Theme;

/// Everything that is on the board in some turn of a game.
#[derive(Clone, Debug)]
pub struct Timeline {
    size: u8,
    stones: Vec<(Span, Stone)>,
    /// For each stone, the turns it is the last one, and the points it captured.
    latest: Vec<(Span, Vec<Point>)>,
    rings: Vec<(Span, u8)>,
    offers: Vec<(Span, Vec<Point>)>,
    forbidden: Vec<(Span, Point, Foul)>,
    end: Span,
    won: Vec<[Point; 2]>,
    proof: Option<Explanation>,
    proof_words: String,
}

/// Turns from `from` to `to`, each or every second.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Span {
    from: u32,
    to: u32,
    step: u32,
}

impl Span {
    fn new(from: u32, to: u32) -> Span {
        Span { from, to, step: 1 }
    }

    fn contains(self, turn: u32) -> bool {
        (self.from..=self.to).contains(&turn) && (turn - self.from).is_multiple_of(self.step)
    }

    /// The fewest spans that cover exactly these turns, which ascend.
    fn all(turns: &[u32]) -> Vec<Span> {
        let mut spans: Vec<Span> = Vec::new();
        for &turn in turns {
            match spans.last_mut() {
                Some(span) if span.from == span.to && turn - span.to <= 2 => {
                    *span = Span { from: span.from, to: turn, step: turn - span.to };
                }
                Some(span) if span.from < span.to && turn - span.to == span.step => span.to = turn,
                _ => spans.push(Span::new(turn, turn)),
            }
        }
        spans
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Span { from, to, .. } if from == to => write!(f, "{from}"),
            Span { from, to, step: 1 } => write!(f, "{from}-{to}"),
            Span { from, to, step } => write!(f, "{from}-{to}/{step}"),
        }
    }
}

impl Timeline {
    /// The game of these plays from `start`, after which it has had `turns` decisions: one more than
    /// plays if it ended away from the board. Marks for the player to act are shown in the last turn
    /// only while the game is `live`.
    pub fn of(
        start: Position,
        plays: impl IntoIterator<Item = Play>,
        turns: u32,
        live: bool,
    ) -> Result<Timeline, IllegalPlay> {
        let mut position = start;
        let mut before = *position.board();
        let mut walk = Walk::default();
        walk.duties(&position, 0, turns > 0 || live);
        let mut turn = 0;
        for play in plays {
            if let Play::Place(point) = play {
                before = *position.board();
                walk.place(&position, point, turn);
            }
            position.advance(play)?;
            turn += 1;
            walk.duties(&position, turn, turn < turns || live);
        }
        let point = walk.stones.last().map(|&(stone, ..)| stone.point);
        let proof = scene::proof(&position, &before, point);
        let fouls = position.ruleset().fouls;
        let words = proof.as_ref().and_then(|proof| proof::foul_words(proof, fouls));
        Ok(Timeline {
            size: position.board().size(),
            won: scene::won(&position),
            proof_words: words.unwrap_or_default(),
            proof,
            end: Span::new(turn, turns),
            stones: walk.stones(turns),
            latest: walk.latest(turns),
            forbidden: walk.forbidden(),
            rings: walk.rings,
            offers: walk.offers,
        })
    }

    /// The drawing with turn `shown` visible; `scene` is that turn's, and describes the picture.
    /// The page gives it colours.
    pub fn draw(&self, scene: &Scene, shown: u32, title: &str) -> String {
        let style = Style { theme: Theme::Page, lettering: Lettering::Text };
        let mut svg = String::with_capacity(32 * 1024);
        empty(&mut svg, scene, title, style);
        let group = |svg: &mut String, span: Span, more: fmt::Arguments<'_>| {
            let hidden = if span.contains(shown) { "" } else { r#" display="none""# };
            put(svg, format_args!(r#"<g data-at="{span}"{hidden}{more}>"#));
        };
        let svg = &mut svg;
        for &(span, ring) in &self.rings {
            group(svg, span, format_args!(""));
            area(svg, self.size, ring);
            svg.push_str("</g>");
        }
        for (&(span, stone), &(latest, _)) in self.stones.iter().zip(&self.latest) {
            let Stone { point, color, .. } = stone;
            let (x, y) = middle(point, self.size);
            let place =
                format_args!(r#" data-stone="{color} {point}" transform="translate({x} {y})""#);
            group(svg, span, place);
            put(svg, format_args!("{}", dots(color)));
            put(svg, format_args!(r#"<g class="number {}">"#, on(color)));
            label(svg, style.lettering, (0, 0), &stone.number.to_string(), number_height(stone));
            svg.push_str("</g>");
            group(svg, latest, format_args!(""));
            put(svg, format_args!(r#"<circle class="last {}" r="12.5"/></g>"#, on(color)));
            svg.push_str("</g>");
        }
        for (span, captured) in self.latest.iter().filter(|(_, captured)| !captured.is_empty()) {
            group(svg, *span, format_args!(""));
            taken(svg, self.size, captured);
            svg.push_str("</g>");
        }
        svg.push_str(r#"<g class="forbidden">"#);
        for &(span, point, foul) in &self.forbidden {
            group(svg, span, format_args!(""));
            label(svg, style.lettering, middle(point, self.size), kind(foul), HEIGHT);
            svg.push_str("</g>");
        }
        svg.push_str("</g>");
        if !self.won.is_empty() || self.proof.is_some() {
            group(svg, self.end, format_args!(r#" class="why""#));
            if let Some(proof) = &self.proof {
                put(svg, format_args!("<title>{}</title>", escaped(&self.proof_words)));
                proof::draw(svg, self.size, proof);
            }
            for &[from, to] in &self.won {
                proof::line(svg, "won", self.size, from, to);
            }
            svg.push_str("</g>");
        }
        for (span, points) in &self.offers {
            group(svg, *span, format_args!(""));
            offers(svg, self.size, points, style.lettering);
            svg.push_str("</g>");
        }
        svg.push_str("</svg>");
        std::mem::take(svg)
    }
}

/// A stone around the origin. The same text for every stone, so that the drawing of a game compresses
/// well.
fn dots(color: Color) -> &'static str {
    match color {
        Color::Black => r#"<path class="shade" d="M0 2h.01"/><path class="black" d="M0 0h.01"/>"#,
        Color::White => {
            r#"<path class="shade" d="M0 2h.01"/><path class="rim" d="M0 0h.01"/><path class="white" d="M0 0h.01"/>"#
        }
    }
}

/// What was seen so far.
#[derive(Default)]
struct Walk {
    /// A stone, the turn it came in and the last one it is there.
    stones: Vec<(Stone, u32, Option<u32>)>,
    latest: Vec<(u32, Vec<Point>)>,
    rings: Vec<(Span, u8)>,
    offers: Vec<(Span, Vec<Point>)>,
    forbidden: BTreeMap<Point, Vec<(u32, Foul)>>,
}

impl Walk {
    /// A stone that is placed as decision number `turn`, from 0.
    fn place(&mut self, position: &Position, point: Point, turn: u32) {
        let captured = position.captured_by(point);
        let captured = captured.map_or_else(Vec::new, |captured| captured.points().to_vec());
        for (_, _, until) in self
            .stones
            .iter_mut()
            .filter(|(stone, _, until)| until.is_none() && captured.contains(&stone.point))
        {
            *until = Some(turn);
        }
        let number = position.move_number() + 1;
        let stone = Stone { point, color: position.to_move(), number };
        self.stones.push((stone, turn + 1, None));
        self.latest.push((turn + 1, captured));
    }

    /// Marks for the player to act after `turn` decisions.
    fn duties(&mut self, position: &Position, turn: u32, live: bool) {
        if !live || position.to_act().is_none() {
            return;
        }
        let span = Span::new(turn, turn);
        self.rings.extend(scene::ring(position).map(|ring| (span, ring)));
        self.offers.extend(scene::offers(position).map(|points| (span, points)));
        for (point, foul) in position.forbidden_points() {
            self.forbidden.entry(point).or_default().push((turn, foul));
        }
    }

    fn stones(&self, turns: u32) -> Vec<(Span, Stone)> {
        let span = |from, until: Option<u32>| Span::new(from, until.unwrap_or(turns));
        self.stones.iter().map(|&(stone, from, until)| (span(from, until), stone)).collect()
    }

    fn latest(&self, turns: u32) -> Vec<(Span, Vec<Point>)> {
        let ends = self.latest.iter().skip(1).map(|(next, _)| next - 1).chain([turns]);
        let latest = self.latest.iter().zip(ends);
        latest.map(|((from, captured), to)| (Span::new(*from, to), captured.clone())).collect()
    }

    fn forbidden(&self) -> Vec<(Span, Point, Foul)> {
        let mut forbidden = Vec::new();
        for (&point, marks) in &self.forbidden {
            for foul in [Foul::Overline, Foul::DoubleFour, Foul::DoubleThree] {
                let of_kind = marks.iter().filter(|(_, other)| *other == foul);
                let turns: Vec<u32> = of_kind.map(|&(turn, _)| turn).collect();
                forbidden.extend(Span::all(&turns).into_iter().map(|span| (span, point, foul)));
            }
        }
        forbidden
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_written_as_few_spans() {
        for (turns, wanted) in [
            (&[][..], ""),
            (&[7], "7"),
            (&[7, 8, 9], "7-9"),
            (&[7, 9, 11, 20], "7-11/2 20"),
            (&[7, 9, 10, 12], "7-9/2 10-12/2"),
        ] {
            let spans = Span::all(turns);
            let words: Vec<String> = spans.iter().map(Span::to_string).collect();
            assert_eq!(words.join(" "), wanted);
            let covered = (0..30).filter(|&turn| spans.iter().any(|span| span.contains(turn)));
            assert_eq!(covered.collect::<Vec<_>>(), turns);
        }
    }
}
