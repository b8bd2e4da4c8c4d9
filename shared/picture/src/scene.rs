//! Content of a picture.

use std::fmt::Write;

use renju::{
    Area, Board, Color, Direction, Ending, Explanation, Foul, Fouls, IllegalPlay, Phase, Play,
    Point, Position,
};

use crate::proof::foul_words;

/// A board at one moment of a game, with its marks.
#[derive(Clone, Debug)]
pub struct Scene {
    pub(crate) size: u8,
    pub(crate) stones: Vec<Stone>,
    pub(crate) last: Option<Point>,
    pub(crate) forbidden: Vec<(Point, Foul)>,
    /// Points forbidden to the colour that is not to move.
    pub(crate) forbidden_later: Vec<(Point, Foul)>,
    pub(crate) offers: Vec<Point>,
    /// Ring inside which the next stone must be placed.
    pub(crate) ring: Option<u8>,
    pub(crate) won: Vec<[Point; 2]>,
    pub(crate) proof: Option<Explanation>,
    /// Stones that are not on the board: a line of play, numbered from 1.
    pub(crate) ghosts: Vec<Stone>,
    pub(crate) best: Option<Point>,
    /// Points of the stones that the last stone captured.
    pub(crate) taken: Vec<Point>,
    /// Stone that is only asked about.
    pub(crate) asked: Option<Stone>,
    position: Position,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Stone {
    pub(crate) point: Point,
    pub(crate) color: Color,
    /// Number of the stone in the game, 1 for the first.
    pub(crate) number: u16,
}

impl Scene {
    /// The board after these plays from `start`. Marks for the player to act (forbidden points,
    /// offers, the square of the opening) are shown only while the game is `live`; it may have
    /// ended by the clock.
    pub fn after(
        start: Position,
        plays: impl IntoIterator<Item = Play>,
        live: bool,
    ) -> Result<Scene, IllegalPlay> {
        let mut position = start;
        let mut before = *position.board();
        let mut stones: Vec<Stone> = Vec::new();
        let mut last = None;
        let mut taken = Vec::new();
        for play in plays {
            if let Play::Place(point) = play {
                before = *position.board();
                let captured = position.captured_by(point);
                taken = captured.map_or_else(Vec::new, |captured| captured.points().to_vec());
                stones.retain(|stone| !taken.contains(&stone.point));
                let number = position.move_number() + 1;
                stones.push(Stone { point, color: position.to_move(), number });
                last = Some(point);
            }
            position.advance(play)?;
        }
        let live = live && position.to_act().is_some();
        Ok(Scene {
            size: position.board().size(),
            forbidden: position.forbidden_points().filter(|_| live).collect(),
            offers: offers(&position).filter(|_| live).unwrap_or_default(),
            ring: ring(&position).filter(|_| live),
            won: won(&position),
            proof: proof(&position, &before, last),
            stones,
            last,
            taken,
            asked: None,
            forbidden_later: Vec::new(),
            ghosts: Vec::new(),
            best: None,
            position,
        })
    }

    /// Adds the points that are forbidden to the colour that is not to move.
    #[must_use]
    pub fn with_forbidden_of_both(self) -> Scene {
        let position = &self.position;
        let (board, other) = (*position.board(), !position.to_move());
        let turned = match position.outcome() {
            None => Position::analysis(position.ruleset(), board, other, position.pairs()).ok(),
            Some(_) => None,
        };
        let forbidden_later =
            turned.map(|turned| turned.forbidden_points().collect()).unwrap_or_default();
        Scene { forbidden_later, ..self }
    }

    /// Adds a line of play as ghost stones, of which `first` places the first.
    pub fn with_line(self, line: &[Point], first: Color) -> Scene {
        let colors = [first, !first].into_iter().cycle();
        let stone = |((&point, color), number)| Stone { point, color, number };
        Scene { ghosts: line.iter().zip(colors).zip(1..).map(stone).collect(), ..self }
    }

    /// Adds a mark on the best move.
    pub fn with_best(self, best: Option<Point>) -> Scene {
        Scene { best, ..self }
    }

    /// The same board with a stone of the colour to move on `point` as a question: if it is
    /// forbidden, the proof is drawn. A taken point and a game that is over change nothing.
    #[must_use]
    pub fn asking(mut self, point: Point) -> Scene {
        let is_forbidden = self.position.forbidden_points().any(|(other, _)| other == point);
        if self.position.to_act().is_some() && is_forbidden {
            let number = self.position.move_number() + 1;
            self.asked = Some(Stone { point, color: self.position.to_move(), number });
            self.proof = self.position.explain(point);
            // The letters would hide the proof.
            self.forbidden.clear();
        }
        self
    }

    /// Proof of the foul that is shown, in sentences for people.
    pub fn foul_words(&self) -> Option<String> {
        foul_words(self.proof.as_ref()?, self.position.ruleset().fouls)
    }

    /// The stone placed last.
    pub(crate) fn last_stone(&self) -> Option<Stone> {
        let last = self.last?;
        self.stones.iter().rfind(|stone| stone.point == last).copied()
    }

    /// Side of the board.
    pub fn size(&self) -> u8 {
        self.size
    }

    /// Description of the picture, for readers who cannot see it.
    pub fn words(&self) -> String {
        let mut words = format!("A board of {0} by {0} lines", self.size);
        // Writing to a string cannot fail.
        let _ = match self.stones.len() {
            0 => write!(words, " without stones."),
            1 => write!(words, " with one stone."),
            count => write!(words, " with {count} stones."),
        };
        for color in Color::BOTH {
            let points = self.stones.iter().filter(|stone| stone.color == color);
            tell(&mut words, &color.to_string(), points.map(|stone| stone.point.to_string()));
        }
        let last = self.last.iter().map(Point::to_string);
        tell(&mut words, "last move", last);
        tell(&mut words, "captured", self.taken.iter().map(Point::to_string));
        let forbidden = self.forbidden.iter().map(|(point, foul)| format!("{point} ({foul})"));
        tell(&mut words, "forbidden", forbidden);
        let later = self.forbidden_later.iter().map(|(point, foul)| format!("{point} ({foul})"));
        tell(&mut words, "forbidden to the other colour", later);
        let offers =
            self.offers.iter().zip('A'..).map(|(point, letter)| format!("{letter} {point}"));
        tell(&mut words, "offered", offers);
        let won = self.won.iter().map(|[from, to]| format!("{from} to {to}"));
        tell(&mut words, "won by the row", won);
        if let Some(proof) = self.foul_words() {
            let _ = write!(words, " {proof}");
        }
        words
    }
}

/// Appends a sentence with a list, if the list is not empty.
fn tell(words: &mut String, what: &str, list: impl Iterator<Item = String>) {
    for (index, item) in list.enumerate() {
        let separator = if index == 0 {
            format!(" {}{}: ", what[..1].to_uppercase(), &what[1..])
        } else {
            ", ".into()
        };
        words.push_str(&separator);
        words.push_str(&item);
    }
    if !words.ends_with('.') {
        words.push('.');
    }
}

/// Fifth moves on offer.
pub(crate) fn offers(position: &Position) -> Option<Vec<Point>> {
    match position.phase() {
        Phase::Choose(offer) => Some(offer.points().to_vec()),
        _ => None,
    }
}

/// Ring inside which the next stone must be placed, if it leaves a choice.
pub(crate) fn ring(position: &Position) -> Option<u8> {
    match position.phase() {
        Phase::Place(Area::Ring(ring)) | Phase::Fifth { area: Area::Ring(ring), .. } => {
            Some(ring).filter(|&ring| ring > 0)
        }
        _ => None,
    }
}

/// Ends of every row that won the game.
pub(crate) fn won(position: &Position) -> Vec<[Point; 2]> {
    let Some(outcome) = position.outcome().filter(|outcome| outcome.by == Ending::Five) else {
        return Vec::new();
    };
    let Some(color) = outcome.winner else { return Vec::new() };
    let (board, five) = (position.board(), position.ruleset().five[color]);
    let own = |point: Option<Point>| point.is_some_and(|point| board.get(point) == Some(color));
    let mut rows = Vec::new();
    for point in board.stones_of(color) {
        for direction in Direction::ALL {
            let length = board.row_through(point, direction, color);
            if !own(point.step(direction, -1)) && five.is_won_by(length) {
                rows.extend(point.step(direction, length as i8 - 1).map(|end| [point, end]));
            }
        }
    }
    rows
}

/// Proof that the last stone was a foul, if that ended the game.
pub(crate) fn proof(
    position: &Position,
    before: &Board,
    last: Option<Point>,
) -> Option<Explanation> {
    let foul = matches!(position.outcome()?.by, Ending::Foul(_));
    let Fouls::Black { precedence } = position.ruleset().fouls else { return None };
    before.explain(last.filter(|_| foul)?, Color::Black, precedence)
}
