//! `GET /analysis`: a board for positions and variations. The server draws the position that the address
//! names; everything else happens in the browser, by the WebAssembly module of rules and engine.

use arena::{Game, TurnNumber};
use arena_lambda::{Context, Keep, Refusal, Reply, cached, html_with_module};
use askama::Template;
use lambda_http::{Request, RequestExt};
use renju::notation::moves;
use renju::{Board, ByColor, Color, IllegalPlay, Play, Point, Position, Record, Ruleset};
use renju_picture::{Lettering, Scene, Style, Theme, board};

use crate::{STILL, malformed, page};

const LIVE: Keep = Keep::Seconds(1);

/// `?ruleset=&size=&moves=`, or `?game=&turn=&moves=`, where the moves go on from that turn.
pub(crate) async fn show(context: &Context, request: &Request) -> Reply {
    let query = request.query_string_parameters_ref();
    let asked = |name| query.and_then(|query| query.first(name)).filter(|value| !value.is_empty());
    // A plus is a space where the gateway does not say so.
    let moves = asked("moves").unwrap_or_default().replace('+', " ");
    let moves = moves::read_stones(&moves).map_err(malformed)?;
    let (study, keep) = match asked("game") {
        Some(id) => {
            let id = id.parse().map_err(malformed)?;
            let turn = asked("turn").map(str::parse).transpose().map_err(malformed)?;
            let game = arena_protocol::game(&context.store, id).await?;
            let keep = if game.result().is_some() { STILL } else { LIVE };
            (Study::of_game(&game, turn.map(TurnNumber), moves), keep)
        }
        None => {
            let ruleset = match asked("ruleset") {
                Some(id) => Ruleset::find(id).map_err(malformed)?,
                None => Ruleset::find("renju_free").map_err(malformed)?,
            };
            let size = asked("size").map(str::parse).transpose().map_err(malformed)?;
            let size = ruleset.check_size(size.unwrap_or(ruleset.size)).map_err(malformed)?;
            (Study { ruleset, size, stones: moves, ..Study::default() }, STILL)
        }
    };
    cached(request, html_with_module(study.page()?), keep)
}

/// The line that is analysed, and the position shown.
struct Study {
    ruleset: &'static Ruleset,
    size: u8,
    /// Stones of the main line: those of the game, or those of the address.
    stones: Vec<Point>,
    /// Stones of the main line that are shown; all if `None`.
    shown: Option<usize>,
    /// Stones that leave the main line there.
    branch: Vec<Point>,
    game: Option<Source>,
}

/// The game a study comes from.
struct Source {
    id: String,
    title: String,
    /// For each number of stones, the number of decisions after which they were on the board.
    turns: Vec<String>,
}

impl Default for Study {
    fn default() -> Study {
        let ruleset = &Ruleset::ALL[0];
        let (stones, branch) = (Vec::new(), Vec::new());
        Study { ruleset, size: ruleset.size, stones, shown: None, branch, game: None }
    }
}

impl Study {
    fn of_game(game: &Game, turn: Option<TurnNumber>, branch: Vec<Point>) -> Study {
        let mut stones = Vec::new();
        let mut turns = vec![0];
        for (play, turn) in game.plays().zip(1_u32..) {
            if let Play::Place(point) = play {
                stones.push(point);
                turns.push(turn);
            }
        }
        let shown = turn.map(|turn| turns.iter().filter(|&&at| at <= turn.0).count() - 1);
        let [black, white] = Color::BOTH.map(|color| &game.player(color).name);
        let source = Source {
            id: game.id().to_string(),
            title: format!("{black} – {white}"),
            turns: turns.iter().map(u32::to_string).collect(),
        };
        Study {
            ruleset: game.ruleset(),
            size: game.position().board().size(),
            stones,
            shown,
            branch,
            game: Some(source),
        }
    }

    fn page(&self) -> Result<String, Refusal> {
        let start = Position::analysis(
            self.ruleset,
            Board::new(self.size),
            Color::Black,
            ByColor::default(),
        );
        let mut record = Record::from_start(start.map_err(malformed)?);
        let shown = self.shown.unwrap_or(self.stones.len());
        for &point in self.stones[..shown].iter().chain(&self.branch) {
            let number = record.plays().len() + 1;
            let named =
                |why: IllegalPlay| malformed(format_args!("stone {number} ({point}): {why}"));
            record.play(Play::Place(point)).map_err(named)?;
        }
        let position = record.position();
        let scene = Scene::after(record.start().clone(), record.plays().iter().copied(), true)
            .map_err(malformed)?
            .with_forbidden_of_both();
        let style = Style { theme: Theme::Page, lettering: Lettering::Text };
        Ok(page(&AnalysisPage {
            board: board(&scene, "The board", style),
            ruleset: self.ruleset,
            rulesets: Ruleset::ALL,
            size: self.size,
            stones: moves::write(&self.stones),
            shown,
            branch: moves::write(&self.branch),
            played: record.to_string(),
            status: status(position),
            game: self.game.as_ref(),
        }))
    }
}

/// State of a position in a sentence.
fn status(position: &Position) -> String {
    match position.outcome() {
        None => format!("{} to move.", capital(position.to_move())),
        Some(outcome) => match outcome.winner {
            Some(winner) => format!("{} wins: {}.", capital(winner), outcome.by),
            None => "A draw: the board is full.".to_owned(),
        },
    }
}

fn capital(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}

#[derive(Template)]
#[template(path = "analysis.html")]
struct AnalysisPage<'a> {
    board: String,
    ruleset: &'static Ruleset,
    rulesets: &'static [Ruleset],
    size: u8,
    stones: String,
    shown: usize,
    branch: String,
    played: String,
    status: String,
    game: Option<&'a Source>,
}
