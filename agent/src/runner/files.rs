//! Files written by a match: CodeClash's log of each game, and SGF.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::time::UNIX_EPOCH;

use arena::Timestamp;
use arena_wire::TimeView;
use renju::notation::sgf::{Sheet, Verdict};
use renju::{BySeat, Color, Seat};
use serde::Serialize;

use super::game::{Cause, End, Finished, row_and_column};
use super::player::Player;
use super::report::harmless;
use super::setup::Setup;

/// Attempts to find a free name by advancing the millisecond.
const NAMES_MAX: i64 = 1_000;

/// Log of one game with the fields CodeClash's visualizer reads. `x` is the row.
#[derive(Serialize)]
struct Log<'a> {
    game_number: u32,
    timestamp: String,
    board_size: u8,
    players: Holders<'a>,
    winner: String,
    error: Option<String>,
    moves: Vec<Move>,
}

#[derive(Serialize)]
struct Holders<'a> {
    black: Holder<'a>,
    white: Holder<'a>,
}

#[derive(Serialize)]
struct Holder<'a> {
    name: String,
    path: &'a str,
}

#[derive(Serialize)]
struct Move {
    move_number: usize,
    player: String,
    x: u8,
    y: u8,
}

/// Creates missing directories.
pub(super) fn prepare(setup: &Setup) -> io::Result<()> {
    for directory in [&setup.output, &setup.sgf].into_iter().flatten() {
        fs::create_dir_all(directory).map_err(|why| named(directory, &why))?;
    }
    Ok(())
}

/// Writes the requested files of one game.
pub(super) fn write(setup: &Setup, finished: &Finished) -> io::Result<()> {
    let now = now();
    if let Some(directory) = &setup.output {
        write_log(directory, setup, finished, now).map_err(|why| named(directory, &why))?;
    }
    if let Some(directory) = &setup.sgf {
        let path = directory.join(format!("game-{:04}.sgf", finished.played.number));
        let text = sheet(setup, finished, now).write();
        fs::write(&path, text).map_err(|why| named(&path, &why))?;
    }
    Ok(())
}

/// Clock, for the names and dates of files only.
fn now() -> Timestamp {
    let since = UNIX_EPOCH.elapsed().unwrap_or_default();
    Timestamp::from_ms(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// Adds the path to an error.
pub(super) fn named(path: &Path, why: &io::Error) -> io::Error {
    io::Error::new(why.kind(), format!("{}: {why}", path.display()))
}

fn write_log(
    directory: &Path,
    setup: &Setup,
    finished: &Finished,
    now: Timestamp,
) -> io::Result<()> {
    let text = serde_json::to_string_pretty(&log(setup, finished, now))?;
    create(directory, now)?.write_all(text.as_bytes())
}

/// Creates `log-20251218_154025_123.json`, with a name that no other game has.
fn create(directory: &Path, now: Timestamp) -> io::Result<File> {
    let mut taken = io::Error::from(io::ErrorKind::AlreadyExists);
    for later in 0..NAMES_MAX {
        let time = TimeView(Timestamp::from_ms(now.ms() + later)).to_string();
        let name = time.replace(['-', ':', 'Z'], "").replace(['T', '.'], "_");
        match File::create_new(directory.join(format!("log-{name}.json"))) {
            Err(why) if why.kind() == io::ErrorKind::AlreadyExists => taken = why,
            done => return done,
        }
    }
    Err(taken)
}

fn log<'a>(setup: &'a Setup, finished: &Finished, now: Timestamp) -> Log<'a> {
    let holder = |color| {
        let player = finished.holder(color);
        Holder { name: player.to_string(), path: &setup.bot(player).given }
    };
    let size = finished.record.position().board().size();
    let moves = finished.record.stones().enumerate().map(|(index, (point, color))| {
        let (x, y) = row_and_column(point);
        Move { move_number: index + 1, player: color.to_string(), x, y }
    });
    Log {
        game_number: finished.played.number,
        // `2025-12-18 15:40:25`, in UTC.
        timestamp: TimeView(now).to_string()[..19].replace('T', " "),
        board_size: size,
        players: Holders { black: holder(Color::Black), white: holder(Color::White) },
        winner: finished.played.winner.map_or("draw".to_owned(), |player| player.to_string()),
        error: finished.played.forfeit().map(|forfeit| harmless(&forfeit.why)),
        moves: moves.collect(),
    }
}

fn sheet(setup: &Setup, finished: &Finished, now: Timestamp) -> Sheet {
    let name = |player: Player| Some(setup.bot(player).given.clone());
    let mut sheet = Sheet::new(finished.record.clone());
    sheet.players =
        BySeat { first: Seat::First, second: Seat::Second }.map(|seat| name(finished.player(seat)));
    sheet.date = Some(TimeView(now).to_string()[..10].to_owned());
    sheet.event = Some(format!("renju match, game {}", finished.played.number));
    let verdict = |winner, reason: &str| Some(Verdict { winner, reason: reason.to_owned() });
    match &finished.played.end {
        End::Board => {}
        End::DrawAfter => sheet.result = verdict(None, ""),
        End::Forfeit(forfeit) => {
            let winner = finished.played.winner;
            let color =
                Color::BOTH.into_iter().find(|&color| Some(finished.holder(color)) == winner);
            let reason = if forfeit.by == Cause::Time { "Time" } else { "Forfeit" };
            sheet.result = verdict(color, reason);
        }
    }
    sheet
}
