//! Games as files that other programs read: SGF, Piskvork's records, diagrams.

use arena::{Action, Game, Reason};
use renju::notation::diagram::Diagram;
use renju::notation::{psq, sgf};
use renju::{ByColor, Color, Mark, Play, Record, Seat};

use crate::time::TimeView;
use crate::word::Spelled;

/// The game as SGF. A game that does not count has no result there.
pub fn sgf(game: &Game) -> String {
    let header = game.header();
    let mut sheet = sgf::Sheet::new(record(game));
    sheet.players = header.players.as_ref().map(|player| Some(player.name.to_string()));
    sheet.date = Some(date(game));
    sheet.event = Some(format!("Renju Arena, {}, game {}", header.division.pool, game.id()));
    sheet.result = game.result().filter(|result| !result.is_void()).map(|result| sgf::Verdict {
        winner: result.winner.map(|seat| game.color_of(seat)),
        reason: match result.reason {
            Reason::Resignation => "Resign".to_owned(),
            Reason::Timeout => "Time".to_owned(),
            reason => reason.word().to_owned(),
        },
    });
    sheet.write()
}

/// The game as Piskvork keeps it: stones and times only.
pub fn psq(game: &Game) -> String {
    let stones = game.log().iter().filter_map(|entry| match entry.action {
        Action::Play(Play::Place(point)) => {
            Some(psq::Stone { point, time_ms: entry.elapsed.saturating_mul(10) })
        }
        _ => None,
    });
    let name = |color| Some(game.player(color).name.to_string());
    let sheet = psq::Sheet {
        size: game.position().board().size(),
        stones: stones.collect(),
        players: ByColor { black: name(Color::Black), white: name(Color::White) },
        ending: match game.result().map(|result| result.reason) {
            Some(Reason::Board(_)) => 0,
            Some(Reason::Timeout) => 15,
            _ => -1,
        },
    };
    sheet.write()
}

/// The board as a diagram, with what is known about the game in comments above it.
pub fn diagram(game: &Game) -> String {
    let position = game.position();
    let live = game.result().is_none();
    let forbidden = position.forbidden_points().filter(|_| live);
    let marks = forbidden.map(|(point, foul)| (point, Mark::Foul(foul)));
    let diagram = Diagram::new(*position.board()).with_marks(marks);
    let [black, white] = Color::BOTH.map(|color| &game.player(color).name);
    let ending = match game.result() {
        None => format!("Turn {}, it goes on.", game.turn()),
        Some(result) => {
            let winner = result.winner.map(|seat: Seat| &game.header().players[seat].name);
            let winner = winner.map_or("Nobody wins".to_owned(), |name| format!("{name} wins"));
            format!("{winner}: {}.", result.reason.word())
        }
    };
    format!(
        "# Game {}: {}, {}, {}\n# x {black}, o {white}. {ending}\n# {}\n{diagram}",
        game.id(),
        game.ruleset().id,
        game.header().division.pool,
        date(game),
        record(game),
    )
}

/// The day the game started.
fn date(game: &Game) -> String {
    TimeView(game.header().created).day()
}

/// The plays of a game, without resignation and clock.
fn record(game: &Game) -> Record {
    let mut record = Record::new(game.ruleset());
    for play in game.plays() {
        record.play(play).expect("every play of a game's log is legal");
    }
    record
}
