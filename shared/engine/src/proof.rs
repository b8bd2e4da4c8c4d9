//! Proof of a win by threes and fours, and its checker, which knows only the rules.
//!
//! The checker shares no code with the search: it asks `renju` for every reply.

use std::fmt;

use renju::{Board, Color, Direction, Fouls, Outcome, Play, Point, Position, Precedence};

/// One move of the attacker and the replies that need an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Move of the attacker.
    pub attack: Point,
    /// Replies, each with the index of the step that answers it. Every other reply loses to a five or
    /// to a four with two winning points.
    pub replies: Vec<(Point, usize)>,
}

/// A tree of steps that wins against every defence. Positions reached twice share a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// All steps; the first one is the first move.
    pub steps: Vec<Step>,
}

/// Reason a proof does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flaw {
    /// Moves that lead to the flaw.
    pub moves: Vec<Point>,
    /// Explanation.
    pub why: &'static str,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for point in &self.moves {
            write!(f, "{point} ")?;
        }
        f.write_str(self.why)
    }
}

impl std::error::Error for Flaw {}

impl Proof {
    /// Moves of both sides if the defender always takes the listed reply that lasts longest. The last
    /// move wins, or leaves two threats or a forbidden block.
    pub fn line(&self) -> Vec<Point> {
        let mut lengths = vec![None; self.steps.len()];
        let mut line = Vec::new();
        let mut at = self.steps.first();
        // A line that is longer leads to itself and is none.
        while let Some(step) = at.filter(|_| line.len() < 2 * self.steps.len()) {
            line.push(step.attack);
            // The first of the longest ones.
            let replies = step.replies.iter().rev();
            let longest = replies.max_by_key(|(_, next)| self.length(*next, &mut lengths));
            at = longest.and_then(|&(reply, next)| {
                line.push(reply);
                self.steps.get(next)
            });
        }
        line
    }

    /// Moves of the attacker from this step on, in the longest line.
    fn length(&self, index: usize, lengths: &mut [Option<u32>]) -> u32 {
        let Some(step) = self.steps.get(index) else { return 0 };
        if let Some(known) = lengths[index] {
            return known;
        }
        // A step that leads to itself is no proof; this ends the recursion.
        lengths[index] = Some(0);
        let replies = step.replies.iter();
        let most = replies.map(|&(_, next)| self.length(next, lengths)).max().unwrap_or(0);
        lengths[index] = Some(most + 1);
        most + 1
    }

    /// Checks by the rules alone that the player to move wins against every legal reply.
    pub fn verify(&self, position: &Position) -> Result<(), Flaw> {
        let mut checker =
            Checker { steps: &self.steps, seen: vec![None; self.steps.len()], moves: Vec::new() };
        if position.ruleset().pairs_to_win.is_some() {
            return checker.flaw("threats prove nothing where stones can be captured");
        }
        checker.step(position, 0)
    }
}

struct Checker<'a> {
    steps: &'a [Step],
    /// The board on which a step was checked.
    seen: Vec<Option<Board>>,
    moves: Vec<Point>,
}

impl Checker<'_> {
    fn flaw<T>(&self, why: &'static str) -> Result<T, Flaw> {
        Err(Flaw { moves: self.moves.clone(), why })
    }

    fn step(&mut self, position: &Position, index: usize) -> Result<(), Flaw> {
        let steps = self.steps;
        let Some(step) = steps.get(index) else { return self.flaw("leads to no step") };
        if self.seen[index].as_ref() == Some(position.board()) {
            return Ok(());
        }
        let attacker = position.to_move();
        self.moves.push(step.attack);
        let Ok(next) = position.play(Play::Place(step.attack)) else {
            return self.flaw("is rejected");
        };
        match next.outcome() {
            Some(outcome) if outcome.winner == Some(attacker) => {}
            Some(_) => return self.flaw("does not win"),
            None => self.replies(&next, step)?,
        }
        self.moves.pop();
        self.seen[index] = Some(*position.board());
        Ok(())
    }

    /// Checks every reply to a move of the attacker.
    fn replies(&mut self, position: &Position, step: &Step) -> Result<(), Flaw> {
        let attacker = !position.to_move();
        let threats = Threats::of(&passed(position));
        let lost = |outcome: Outcome| outcome.winner == Some(attacker);
        for play in position.plays() {
            let Play::Place(reply) = play else { continue };
            self.moves.push(reply);
            let Ok(after) = position.play(play) else { return self.flaw("is rejected") };
            let listed = step.replies.iter().find(|(point, _)| *point == reply);
            match (after.outcome(), listed) {
                (Some(outcome), _) if lost(outcome) => {}
                (Some(_), _) => return self.flaw("saves the defender"),
                (None, Some(&(_, next))) => self.step(&after, next)?,
                (None, None) if threats.win(&after, reply) => {}
                // The reply may have lifted a foul.
                (None, None) if Threats::of(&after).win(&after, reply) => {}
                (None, None) => return self.flaw("is not answered"),
            }
            self.moves.pop();
        }
        Ok(())
    }
}

/// Threats of a player if the opponent passes. They are only hints where to look after a reply.
struct Threats {
    fives: Vec<Point>,
    /// Moves that make two winning points or more, and these points.
    fours: Vec<(Point, Vec<Point>)>,
}

impl Threats {
    fn of(position: &Position) -> Threats {
        let fives = wins(position);
        let mut fours = Vec::new();
        if fives.is_empty() {
            let (board, me) = (position.board(), position.to_move());
            for point in position.legal_points().filter(|&point| may_be_four(board, point, me)) {
                if let Ok(next) = position.play(Play::Place(point))
                    && next.outcome().is_none()
                {
                    let ends = wins(&passed(&next));
                    if ends.len() >= 2 {
                        fours.push((point, ends));
                    }
                }
            }
        }
        Threats { fives, fours }
    }

    /// Says if the player to move wins by a five, or by a four that nothing stops, after the opponent's
    /// last move `reply`.
    fn win(&self, position: &Position, reply: Point) -> bool {
        if self.fives.iter().any(|&five| is_win(position, five)) {
            return true;
        }
        // A five that the opponent had before the reply is found as a reply of its own. A stone can also
        // make a five possible by lifting a foul.
        let is_safe = !fouls_come_first(position)
            && !may_be_four(position.board(), reply, !position.to_move());
        self.fours.iter().any(|(four, ends)| {
            position.play(Play::Place(*four)).is_ok_and(|next| {
                next.outcome().is_none()
                    && (is_safe || wins(&next).is_empty())
                    && all_lose(&next, ends)
            })
        })
    }
}

/// Says if the player to move, who cannot win at once, loses to one of `ends` whatever they play.
fn all_lose(position: &Position, ends: &[Point]) -> bool {
    let attacker = !position.to_move();
    if !fouls_come_first(position) {
        // Nothing but a stone on it takes away a winning point.
        let there = passed(position);
        return ends.iter().filter(|&&end| is_win(&there, end)).count() >= 2;
    }
    position.plays().all(|play| {
        position.play(play).is_ok_and(|after| match after.outcome() {
            Some(outcome) => outcome.winner == Some(attacker),
            None => ends.iter().any(|&end| is_win(&after, end)),
        })
    })
}

fn fouls_come_first(position: &Position) -> bool {
    position.ruleset().fouls == Fouls::Black { precedence: Precedence::FoulFirst }
}

/// Says if a stone of `color` on `point` has three others near it in a line.
fn may_be_four(board: &Board, point: Point, color: Color) -> bool {
    Direction::ALL.into_iter().any(|direction| {
        let near = (-4..=4).filter(|&offset| offset != 0);
        let own = near.filter(|&offset| {
            point.step(direction, offset).is_some_and(|near| board.get(near) == Some(color))
        });
        own.count() >= 3
    })
}

/// Every point at which the player to move wins at once.
fn wins(position: &Position) -> Vec<Point> {
    position.board().empty_points().filter(|&point| is_win(position, point)).collect()
}

fn is_win(position: &Position, point: Point) -> bool {
    let (board, me) = (position.board(), position.to_move());
    // Most points end here, before a position is copied.
    Direction::ALL.into_iter().any(|direction| board.row_through(point, direction, me) >= 5)
        && position
            .play(Play::Place(point))
            .is_ok_and(|next| next.outcome().is_some_and(|outcome| outcome.winner == Some(me)))
}

/// The same stones with the other colour to move.
fn passed(position: &Position) -> Position {
    let (ruleset, board) = (position.ruleset(), *position.board());
    Position::analysis(ruleset, board, !position.to_move(), position.pairs())
        .expect("the board has a size of the ruleset")
}
