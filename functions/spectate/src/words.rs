//! Sentences of the pages.

use arena::{Game, Reason};
use renju::{Color, Ending, Ruleset};

/// Short name of a ruleset; its title if there is none.
pub(crate) fn short(ruleset: &Ruleset) -> &'static str {
    match ruleset.id {
        "renju_taraguchi10_international" => "Renju, Taraguchi-10",
        "renju_taraguchi10_rif" => "Renju, Taraguchi-10 (RIF)",
        "renju_soosorv8" => "Renju, Soosõrv (1 to 4 fifths)",
        "renju_soosorv8_rif" => "Renju, Soosõrv-8 (RIF)",
        "renju_free" => "Renju, free opening",
        "gomoku_exact5" => "Gomoku, exactly five",
        "gomoku_freestyle" => "Gomoku, five or more",
        "gomoku_swap2_exact5" => "Gomoku, Swap2, exactly five",
        "gomoku_swap2" => "Gomoku, Swap2, five or more",
        "gomoku_capture" => "Gomoku with captures",
        "gomoku_capture_42" => "Gomoku with captures (42)",
        _ => ruleset.title,
    }
}

/// `alice (black)`.
fn player(game: &Game, color: Color) -> String {
    format!("{} ({color})", game.player(color).name)
}

/// State of the game: the decision due, or the winner and the reason.
pub(crate) fn status(game: &Game) -> String {
    let Some(seat) = game.to_act() else { return ending(game) };
    let due = game.position().phase().due();
    let next = match game.position().move_number() {
        0 => "No stones yet".to_owned(),
        1 => "One stone is on the board".to_owned(),
        count => format!("{count} stones have been placed"),
    };
    let who = player(game, game.color_of(seat));
    let position = game.position();
    let other = !position.to_move();
    // With captures a five counts only if it survives the reply.
    if game.ruleset().pairs_to_win.is_some() && position.board().has_five(other) {
        return format!("{who} must break the five of {other} by a capture, or loses. {next}.");
    }
    format!("{who} must {due}. {next}.")
}

/// True if the loser made the last move: the five had to survive it.
fn survived(game: &Game) -> bool {
    let mover = !game.position().to_move();
    let winner = game.result().and_then(|result| result.winner);
    winner.is_some_and(|seat| game.color_of(seat) != mover)
}

fn ending(game: &Game) -> String {
    let Some(result) = game.result() else { return "The game is over.".into() };
    let seats = result
        .winner
        .map(|winner| (player(game, game.color_of(winner)), player(game, game.color_of(!winner))));
    match (seats, result.reason) {
        (Some((winner, loser)), reason) => {
            let why = match reason {
                Reason::Board(Ending::Five) if survived(game) => {
                    format!("five in a row, which {loser} could not break by a capture")
                }
                Reason::Board(Ending::Five) => "five in a row".to_owned(),
                Reason::Board(Ending::Foul(foul)) => format!("{loser} played a forbidden {foul}"),
                Reason::Board(Ending::Pairs) => "enough captured pairs".to_owned(),
                Reason::Board(Ending::BoardFull) => "the board is full".to_owned(),
                Reason::Resignation => format!("{loser} resigned"),
                Reason::Timeout => format!("{loser} ran out of time"),
                Reason::NoShow => format!("{loser} did not show up"),
                Reason::Ruling | Reason::Void => "an operator of the arena decided so".to_owned(),
            };
            format!("{winner} won: {why}.")
        }
        (None, Reason::NoShow) => {
            let absent = game.deciders().last().map(|&seat| player(game, game.color_of(seat)));
            let absent = absent.unwrap_or_else(|| "A player".to_owned());
            format!("{absent} did not show up: the game does not count.")
        }
        (None, Reason::Void) => {
            "An operator of the arena broke the game off: it does not count.".to_owned()
        }
        (None, Reason::Ruling) => "A draw: an operator of the arena decided so.".to_owned(),
        (None, _) => "A draw: the board is full.".to_owned(),
    }
}

/// State in a few words, for a list.
pub(crate) fn brief(game: &Game) -> String {
    let stones = game.position().move_number();
    match game.result() {
        None => format!("move {}", stones + 1),
        Some(result) => match result.winner {
            Some(winner) => {
                let color = game.color_of(winner);
                let by = match result.reason {
                    Reason::Board(Ending::Five) => "five".to_owned(),
                    Reason::Board(Ending::Foul(foul)) => foul.to_string(),
                    Reason::Board(Ending::Pairs) => "pairs".to_owned(),
                    Reason::Timeout => "time".to_owned(),
                    Reason::Ruling => "ruling".to_owned(),
                    _ => "resignation".to_owned(),
                };
                format!("{color} won by {by}, {stones} moves")
            }
            None if !result.is_void() => format!("a draw, {stones} moves"),
            None => "does not count".to_owned(),
        },
    }
}

/// `0:42`, `1:05:00`.
pub(crate) fn clock(ms: i64) -> String {
    let seconds = ms.max(0) / 1_000;
    let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60);
    match hours {
        0 => format!("{minutes}:{:02}", seconds % 60),
        _ => format!("{hours}:{minutes:02}:{:02}", seconds % 60),
    }
}

/// Time per turn, in words.
pub(crate) fn pace(game: &Game) -> String {
    let (pool, seconds) = (game.header().division.pool, game.header().turn_ms / 1_000);
    match game.is_exhibition() {
        true => "exhibition of two house bots".to_owned(),
        false => format!("{pool}, {} per turn", time(seconds)),
    }
}

/// `42 s`, `1 min`, `1 h 5 min`.
pub(crate) fn time(seconds: u32) -> String {
    match (seconds / 3_600, seconds / 60 % 60) {
        (0, 0) => format!("{seconds} s"),
        (0, minutes) => format!("{minutes} min"),
        (hours, 0) => format!("{hours} h"),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rulesets_have_short_titles_of_their_own() {
        let mut titles: Vec<&str> = Ruleset::ALL.iter().map(short).collect();
        assert!(titles.iter().all(|title| title.len() < 32), "{titles:?}");
        titles.sort_unstable();
        titles.dedup();
        assert_eq!(titles.len(), Ruleset::ALL.len());
    }

    #[test]
    fn times_are_in_the_unit_people_would_use() {
        let times = [42, 60, 300, 3_600, 3_900].map(time);
        assert_eq!(times, ["42 s", "1 min", "5 min", "1 h", "1 h 5 min"]);
    }

    #[test]
    fn clocks_are_read_at_a_glance() {
        assert_eq!([42_000, 65_999, 3_600_000, -5].map(clock), ["0:42", "1:05", "1:00:00", "0:00"]);
    }
}
