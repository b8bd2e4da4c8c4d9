//! `renju analyze`: reviews a game and says which moves were mistakes.
//!
//! The review is the engine's, the same as on the page of a game.

use std::fmt;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use renju::notation::NotationError;
use renju::notation::sgf::Sheet;
use renju::{Color, Point, Record, Ruleset, UnknownRuleset};
use renju_engine::{Engine, Judgement, Limits, Review, ReviewedMove, Score, chance, plies_to_end};
use serde_json::{Value, json};

/// Long help of the subcommand.
pub const ABOUT: &str = "\
Review a game: the chances before and after every move, the best move, and the mistakes.

  missed win   the move gives up a proven win
  blunder      the move costs a quarter of the chances or more, or loses a position that was not lost
  trap         White can now win by fours, the last of which Black may not block
  foul         a forbidden move

Chances are those of the player who moves. Accuracy is the mean share of their chances that a player's
moves kept. Stones of the opening are not judged, and moves in lost positions do not count. The same
nodes always give the same review.";

/// Examples for the help page.
pub const EXAMPLES: &str = "\
Examples:
  $ curl -s http://127.0.0.1:8080/games/$GAME.sgf | renju analyze
  $ renju analyze game.sgf --nodes 50000 --sgf reviewed.sgf
  $ renju analyze game.sgf --json | jq .accuracy";

/// Arguments of `renju analyze`.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// Game in SGF [default: standard input]
    pub file: Option<PathBuf>,
    /// Positions to search for each move
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub nodes: u64,
    /// Ruleset of a file that does not name one of ours
    #[arg(long, value_name = "RULESET", default_value = "renju_free")]
    pub ruleset: String,
    /// Write a JSON object
    #[arg(long)]
    pub json: bool,
    /// Also write the game to this file, with the review in comments
    #[arg(long, value_name = "FILE")]
    pub sgf: Option<PathBuf>,
}

/// Reason for which there is no review.
#[derive(Debug)]
pub enum AnalyzeError {
    /// A file that cannot be read or written, with its name.
    File(String, io::Error),
    /// Not a game.
    Game(NotationError),
    /// Unknown ruleset.
    Ruleset(UnknownRuleset),
}

impl fmt::Display for AnalyzeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnalyzeError::File(name, why) => write!(f, "{name}: {why}"),
            AnalyzeError::Game(why) => why.fmt(f),
            AnalyzeError::Ruleset(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for AnalyzeError {}

/// Size of the transposition table.
const TABLE_BYTES: usize = 16 << 20;

/// Longest line of best moves that is shown.
const LINE_MAX: usize = 8;

/// Reviews the game of the file, or of `input`.
pub fn run(
    options: &Options,
    mut input: impl Read,
    mut output: impl Write,
) -> Result<(), AnalyzeError> {
    let default = Ruleset::find(&options.ruleset).map_err(AnalyzeError::Ruleset)?;
    let mut text = String::new();
    match &options.file {
        Some(file) => text = std::fs::read_to_string(file).map_err(named(file))?,
        None => drop(input.read_to_string(&mut text).map_err(named("standard input"))?),
    }
    let sheet = Sheet::read(&text, default).map_err(AnalyzeError::Game)?;
    let limits = Limits::nodes(options.nodes);
    let review = Review::of(&sheet.record, &mut Engine::new(TABLE_BYTES), &limits);
    if let Some(file) = &options.sgf {
        let notes: Vec<String> = review.moves.iter().map(note).collect();
        std::fs::write(file, sheet.write_annotated(&notes)).map_err(named(file))?;
    }
    let written = if options.json {
        writeln!(output, "{}", view(&sheet.record, options.nodes, &review))
    } else {
        write_table(&mut output, &review)
    };
    written.and_then(|()| output.flush()).map_err(named("standard output"))
}

fn named(file: impl AsRef<Path>) -> impl FnOnce(io::Error) -> AnalyzeError {
    let name = file.as_ref().display().to_string();
    |why| AnalyzeError::File(name, why)
}

fn write_table(output: &mut impl Write, review: &Review) -> io::Result<()> {
    writeln!(output, "  #        move  before          after           best")?;
    for (each, number) in review.moves.iter().zip(1..) {
        let [before, after] = [each.before, each.after].map(chances);
        let (color, point) = (each.color.to_string(), each.point.to_string());
        let row = format!(
            "{number:>3}  {color}  {point:<4}  {before:<14}  {after:<14}  {:<4}  {}",
            best(each).map(|point| point.to_string()).unwrap_or_default(),
            each.judgement.map(words).unwrap_or_default(),
        );
        writeln!(output, "{}", row.trim_end())?;
    }
    for color in Color::BOTH {
        let of = |each: &&ReviewedMove| each.color == color && each.judgement.is_some();
        match review.accuracy[color] {
            Some(percent) => writeln!(
                output,
                "{color}: accuracy {percent} %, mistakes {}",
                review.moves.iter().filter(of).count()
            )?,
            None => writeln!(output, "{color}: no move to judge")?,
        }
    }
    Ok(())
}

/// The best move, if it is another than the one played.
fn best(each: &ReviewedMove) -> Option<Point> {
    each.line.first().copied().filter(|&point| point != each.point)
}

/// `62 %`, `wins in 3`, `loses in 2`, in moves of the winner.
fn chances(score: Score) -> String {
    match plies_to_end(score) {
        None => format!("{} %", (chance(score) + 5) / 10),
        Some(0 | 1) if score > 0 => "wins".to_owned(),
        Some(0 | 1) => "loses".to_owned(),
        Some(plies) if score > 0 => format!("wins in {}", (plies + 1) / 2),
        Some(plies) => format!("loses in {}", (plies + 1) / 2),
    }
}

const fn words(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Foul => "foul",
        Judgement::Trap => "trap: White can force a forbidden move",
        Judgement::MissedWin => "missed win",
        Judgement::Blunder => "blunder",
    }
}

/// Comment of a move.
fn note(each: &ReviewedMove) -> String {
    let mut note = format!("{}, then {}", chances(each.before), chances(each.after));
    if let Some(judgement) = each.judgement {
        note += &format!(": {}", words(judgement));
    }
    if best(each).is_some() {
        let line: Vec<String> = each.line.iter().take(LINE_MAX).map(Point::to_string).collect();
        note += &format!("; best {}", line.join(" "));
    }
    note
}

fn view(record: &Record, nodes: u64, review: &Review) -> Value {
    let start = record.start();
    let names = |line: &[Point]| line.iter().map(Point::to_string).collect::<Vec<_>>();
    let moves: Vec<Value> = review
        .moves
        .iter()
        .zip(1..)
        .map(|(each, number)| {
            json!({
                "number": number,
                "color": each.color.to_string(),
                "point": each.point.to_string(),
                "before": each.before,
                "after": each.after,
                "chance_before": f64::from(chance(each.before)) / 1_000.0,
                "chance_after": f64::from(chance(each.after)) / 1_000.0,
                "best": each.line.first().map(Point::to_string),
                "line": names(&each.line),
                "judgement": each.judgement.map(|judgement| judgement.to_string()),
            })
        })
        .collect();
    json!({
        "ruleset": start.ruleset().id,
        "size": start.board().size(),
        "nodes": nodes,
        "accuracy": { "black": review.accuracy.black, "white": review.accuracy.white },
        "moves": moves,
    })
}
