//! Commands, and the engine they share.

use renju::notation::flat;
use renju::{ByColor, Color, Point, Position, Record, Ruleset};
use renju_engine::{Engine, Field, Limits, Review, Score, Value};
use renju_picture::{Scene, Style, Theme, board};

use crate::request::{Refusal, Request};

/// Size of the transposition table.
const TABLE_BYTES: usize = 8 << 20;

/// State between two requests.
pub(crate) struct Session {
    engine: Option<Engine>,
    /// Ruleset and side of the board the engine has thought about.
    game: Option<(&'static Ruleset, u8)>,
    review: Option<Reviewing>,
}

/// A review that is under way.
struct Reviewing {
    record: Record,
    limits: Limits,
    /// Positions without a value yet, and the values of the others, the last first.
    positions: Vec<Position>,
    values: Vec<Value>,
}

impl Session {
    pub(crate) const fn new() -> Session {
        Session { engine: None, game: None, review: None }
    }

    pub(crate) fn answer(&mut self, text: &str) -> String {
        match self.obey(&mut Request::new(text)) {
            Ok(answer) => format!("ok {answer}"),
            Err(why) => format!("error {why}"),
        }
    }

    fn obey(&mut self, request: &mut Request<'_>) -> Result<String, Refusal> {
        match request.word("a command")? {
            "classes" => classes(request),
            "show" => show(request),
            "think" => self.think(request),
            "fours" => fours(request),
            "review" => self.review(request),
            "value" => self.value(),
            "judge" => self.judge(),
            other => Err(format!("there is no command {other:?}")),
        }
    }

    fn think(&mut self, request: &mut Request<'_>) -> Result<String, Refusal> {
        let start = request.start()?;
        let limits = Limits::nodes(request.number("a number of nodes")?);
        let game = request.game(start)?;
        let position = game.position();
        let engine = self.engine(position);
        let Some(choice) = engine.choose(position, &limits, 0, None) else {
            return Err("the game is over".to_owned());
        };
        let score = for_black(choice.score, position.to_move());
        Ok(format!("{score} {} {} {}", choice.depth, choice.nodes, names(&choice.pv)))
    }

    fn review(&mut self, request: &mut Request<'_>) -> Result<String, Refusal> {
        let start = request.start()?;
        let limits = Limits::nodes(request.number("a number of nodes")?);
        let record = request.game(start)?;
        let positions = Review::positions(&record);
        let answer = positions.len().to_string();
        // The same review whatever the engine has seen.
        self.game = None;
        self.review = Some(Reviewing { record, limits, positions, values: Vec::new() });
        Ok(answer)
    }

    fn value(&mut self) -> Result<String, Refusal> {
        let mut review = self.review.take().ok_or("there is no review")?;
        let Some(position) = review.positions.pop() else {
            self.review = Some(review);
            return Err("every position has its value".to_owned());
        };
        let value = Value::of(self.engine(&position), &position, &review.limits);
        let answer = for_black(value.score, position.to_move()).to_string();
        review.values.push(value);
        self.review = Some(review);
        Ok(answer)
    }

    fn judge(&mut self) -> Result<String, Refusal> {
        let review = self.review.as_mut().ok_or("there is no review")?;
        if !review.positions.is_empty() {
            return Err("not every position has its value".to_owned());
        }
        review.values.reverse();
        let Review { moves, accuracy } = Review::with(&review.record, &review.values);
        self.review = None;
        let percent = |percent: Option<u8>| percent.map_or("-".to_owned(), |it| it.to_string());
        let mut answer = format!("{} {}", percent(accuracy.black), percent(accuracy.white));
        for each in moves {
            let [before, after] = [each.before, each.after].map(|it| for_black(it, each.color));
            let judgement = each.judgement.map_or("-".to_owned(), |it| it.to_string());
            let line = names(&each.line);
            answer += &format!("\n{} {before} {after} {judgement} {line}", each.point);
        }
        Ok(answer)
    }

    /// The engine, with an empty memory if it has thought about another game.
    fn engine(&mut self, position: &Position) -> &mut Engine {
        let engine = self.engine.get_or_insert_with(|| Engine::new(TABLE_BYTES));
        let game = Some((position.ruleset(), position.board().size()));
        if self.game != game {
            engine.clear();
            self.game = game;
        }
        engine
    }
}

fn classes(request: &mut Request<'_>) -> Result<String, Refusal> {
    let start = request.start()?;
    let color = request.color()?;
    let board = flat::read(request.line(), start.board().size()).map_err(|why| why.to_string())?;
    let position = Position::analysis(start.ruleset(), board, color, ByColor::default());
    Ok(position.map_err(|why| why.to_string())?.classes())
}

fn show(request: &mut Request<'_>) -> Result<String, Refusal> {
    let start = request.start()?;
    let game = request.game(start)?;
    let (line, best) = (request.points()?, request.points()?);
    let position = game.position();
    let scene = Scene::after(game.start().clone(), game.plays().iter().copied(), true)
        .map_err(|why| why.to_string())?
        .with_forbidden_of_both()
        .with_line(&line, position.to_move())
        .with_best(best.first().copied());
    let drawing = board(&scene, "The board", Style { theme: Theme::Page, ..Style::default() });
    Ok(format!("{}\n{}\n{drawing}", state(position), position.classes()))
}

/// `black` or `white` to move; `over`, the winner or `draw`, and the ending.
fn state(position: &Position) -> String {
    match position.outcome() {
        None => position.to_move().to_string(),
        Some(outcome) => {
            let winner = outcome.winner.map_or("draw".to_owned(), |color| color.to_string());
            format!("over {winner} {}", outcome.by)
        }
    }
}

/// One line for each colour: the moves of its win by fours if it were to move, or nothing.
fn fours(request: &mut Request<'_>) -> Result<String, Refusal> {
    let start = request.start()?;
    let limits = Limits { depth: u8::MAX, ..Limits::nodes(request.number("a number of nodes")?) };
    let game: Record = request.game(start)?;
    let position = game.position();
    let ruleset = position.ruleset();
    if position.outcome().is_some() || ruleset.pairs_to_win.is_some() {
        return Ok("\n".to_owned());
    }
    let mut lines = Vec::new();
    for color in Color::BOTH {
        let turned = Position::analysis(ruleset, *position.board(), color, position.pairs())
            .map_err(|why| why.to_string())?;
        let solution = renju_engine::solve(&mut Field::new(&turned), &limits, None);
        lines.push(names(&solution.line.unwrap_or_default()));
    }
    Ok(lines.join("\n"))
}

fn for_black(score: Score, to_move: Color) -> Score {
    if to_move == Color::Black { score } else { -score }
}

fn names(points: &[Point]) -> String {
    renju::notation::moves::write(points)
}
