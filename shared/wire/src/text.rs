//! `GET /games/{id}/text`: a game as a page that people and language models read easily.

use std::fmt::{self, Write};

use arena::{Action, Game, GameResult, Reason, Ruling, Timestamp, poll_after_ms};
use renju::{Color, Ending, Foul, Mark, Phase, Play, Point, Seat};

use crate::action::{ActionView, RequiredAction};
use crate::game::{Detail, OpeningView};
use crate::history::History;
use crate::word::Spelled;

/// The game as the player in seat `viewer`, or a spectator, sees it at `now`.
pub fn board_text(game: &Game, viewer: Option<Seat>, now: Timestamp) -> String {
    let mut page = String::with_capacity(2_000);
    write(&mut page, game, viewer, now).expect("writing to a text cannot fail");
    page
}

fn write(page: &mut String, game: &Game, viewer: Option<Seat>, now: Timestamp) -> fmt::Result {
    let header = game.header();
    let seconds = header.turn_ms.div_ceil(1_000);
    let pool = header.division.pool;
    write!(page, "Game {}: {}, {pool} ({seconds} s a turn", game.id(), game.ruleset().id)?;
    match header.budget_ms {
        Some(budget_ms) => writeln!(page, ", {} s a game)", budget_ms.div_ceil(1_000))?,
        None => writeln!(page, ")")?,
    }
    if let Some(why) = game.uncounted() {
        writeln!(page, "It does not count for ratings: {}.", why.words())?;
    }
    for color in Color::BOTH {
        write_player(page, game, color, viewer)?;
    }
    writeln!(page)?;
    write_board(page, game)?;
    writeln!(page)?;
    write_record(page, game)?;
    write_turn(page, game, viewer, now)
}

fn write_player(page: &mut String, game: &Game, color: Color, viewer: Option<Seat>) -> fmt::Result {
    let seat = game.position().seat_of(color);
    let player = &game.header().players[seat];
    let (value, deviation) = (player.rating.value.round(), player.rating.deviation.round());
    let letter = color.letter();
    write!(page, "{letter} is {color}: {}, {value} ± {deviation}", player.name)?;
    if player.rating.is_provisional() {
        page.push_str(", provisional");
    }
    if player.house().is_some() {
        page.push_str(", house bot");
    }
    if let Some(to_win) = game.ruleset().pairs_to_win {
        let pairs = game.position().pairs()[color];
        write!(page, ", {pairs} of {to_win} pairs captured")?;
    }
    page.push_str(if viewer == Some(seat) { " (you)\n" } else { "\n" });
    Ok(())
}

/// Marks on the board besides the stones.
struct Marks {
    last: Option<Point>,
    forbidden: Vec<(Point, Foul)>,
    offered: Vec<Point>,
}

impl Marks {
    fn of(game: &Game) -> Marks {
        let position = game.position();
        let last = game.log().iter().rev().find_map(|entry| match entry.action {
            Action::Play(Play::Place(point)) => Some(point),
            _ => None,
        });
        let going_on = game.to_act().is_some();
        Marks {
            last,
            forbidden: position.forbidden_points().take_while(|_| going_on).collect(),
            offered: match position.phase() {
                Phase::Choose(offer) if going_on => offer.points().to_vec(),
                _ => Vec::new(),
            },
        }
    }

    /// The mark of an empty point.
    fn letter(&self, point: Point) -> char {
        if let Some(index) = self.offered.iter().position(|&offered| offered == point) {
            return char::from(b'A' + index as u8);
        }
        let foul = self.forbidden.iter().find(|(other, _)| *other == point);
        foul.map_or('.', |&(_, foul)| Mark::Foul(foul).letter())
    }
}

/// The last stone stands in brackets: `. x(o). .`
fn write_board(page: &mut String, game: &Game) -> fmt::Result {
    let board = game.position().board();
    let size = board.size();
    let marks = Marks::of(game);
    let columns: String = (0..size).flat_map(|x| [' ', char::from(b'a' + x)]).collect();
    writeln!(page, "  {columns}")?;
    for y in (0..size).rev() {
        write!(page, "{:>2}", y + 1)?;
        let mut gap = ' ';
        for point in (0..size).filter_map(|x| Point::new(x, y)) {
            let is_last = marks.last == Some(point);
            page.push(if is_last { '(' } else { gap });
            page.push(board.get(point).map_or_else(|| marks.letter(point), Color::letter));
            gap = if is_last { ')' } else { ' ' };
        }
        writeln!(page, "{gap}{}", y + 1)?;
    }
    writeln!(page, "  {columns}")?;
    if let Some(last) = marks.last {
        writeln!(page, "Last stone: {last}, in brackets.")?;
    }
    if !marks.offered.is_empty() {
        page.push_str("Offered fifth moves:");
        for &point in &marks.offered {
            write!(page, " {}={point}", marks.letter(point))?;
        }
        page.push('\n');
    }
    if !marks.forbidden.is_empty() {
        write!(page, "Forbidden to {}:", game.position().to_move())?;
        for (point, foul) in &marks.forbidden {
            write!(page, " {point} ({foul})")?;
        }
        page.push_str(". On the board: 3 two threes, 4 two fours, 6 six or more.\n");
    }
    Ok(())
}

fn write_record(page: &mut String, game: &Game) -> fmt::Result {
    let history = History::of(game);
    if history.moves.is_empty() {
        return Ok(());
    }
    page.push_str("Moves:");
    for entry in game.log() {
        match entry.action {
            Action::Play(play) => write!(page, " {play}")?,
            Action::Resign(seat) => write!(page, " resign:{seat}")?,
            Action::Timeout => page.push_str(" timeout"),
            Action::NoShow => page.push_str(" no-show"),
            Action::Rule(Ruling::Win(seat)) => write!(page, " ruling:{seat}")?,
            Action::Rule(Ruling::Draw) => page.push_str(" ruling:draw"),
            Action::Rule(Ruling::Void) => page.push_str(" ruling:void"),
        }
    }
    page.push('\n');
    let size = game.position().board().size();
    if let Some(opening) = OpeningView::of(&history.stones, size) {
        writeln!(page, "Opening: {}", opening.name)?;
    }
    Ok(())
}

fn write_turn(page: &mut String, game: &Game, viewer: Option<Seat>, now: Timestamp) -> fmt::Result {
    let (turn, stones) = (game.turn(), game.position().move_number());
    write!(page, "Turn {turn}, {stones} stones placed. ")?;
    let Some(seat) = game.to_act() else {
        return match game.result() {
            Some(result) => write_result(page, game, result),
            None => writeln!(page, "The game is over."),
        };
    };
    let name = &game.header().players[seat].name;
    let due = game.position().phase().due();
    let color = game.color_of(seat);
    write!(page, "{name} ({color}) is to act and must {due}")?;
    match game.deadline() {
        Some(deadline) => {
            writeln!(page, ", {} s left.", deadline.since(now).max(0) / 1_000)?;
        }
        None => writeln!(page, ".")?,
    }
    if viewer == Some(seat) {
        page.push_str("It is your turn.\n");
        let legal: Vec<Point> = game.position().legal_points().collect();
        let required = RequiredAction::new(game, &legal, Detail::BRIEF);
        if let Some(RequiredAction { action, alternatives }) = required {
            write_action(page, "Send", &action)?;
            for action in &alternatives {
                write_action(page, "Or send", action)?;
            }
        }
        return Ok(());
    }
    let wait = poll_after_ms(game, viewer, now);
    writeln!(page, "Ask again in {}.{} s.", wait / 1_000, wait % 1_000 / 100)
}

fn write_action(page: &mut String, verb: &str, action: &ActionView) -> fmt::Result {
    writeln!(page, "{verb} {} {}", action.endpoint, action.example)?;
    writeln!(page, "  to {}", action.summary)
}

fn write_result(page: &mut String, game: &Game, result: GameResult) -> fmt::Result {
    let reason = result.reason.word();
    match result.winner {
        Some(seat) => {
            let name = &game.header().players[seat].name;
            let color = game.color_of(seat);
            writeln!(page, "The game is over: {name} ({color}) wins, reason: {reason}.")?;
        }
        None if !result.is_void() => {
            writeln!(page, "The game is over: a draw, reason: {reason}.")?;
        }
        None => writeln!(page, "The game was broken off, reason: {reason}.")?,
    }
    if let Reason::Board(Ending::Foul(_)) = result.reason
        && let Some(proof) = History::of(game).explain_last()
    {
        writeln!(page, "{proof}")?;
    }
    Ok(())
}
