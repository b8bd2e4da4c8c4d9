//! Games as files, read back by the readers of the rules.

#![allow(clippy::unwrap_used, reason = "a test stops at what it cannot read")]

mod support;

use arena::{Action, Game, Intent};
use arena_wire::{Detail, EXPORT_LIMIT_MAX, GameView, file, json};
use renju::notation::diagram::Diagram;
use renju::notation::{psq, sgf};
use renju::{Color, Play, Ruleset, Seat};
use support::{game, random_game, submit};

fn plays(game: &Game) -> Vec<Play> {
    let play = |entry: &arena::Entry| match entry.action {
        Action::Play(play) => Some(play),
        _ => None,
    };
    game.log().iter().filter_map(play).collect()
}

/// Takes a game through every file and compares what comes back.
fn check(game: &Game) {
    let board = game.position().board();
    let name = |seat: Seat| Some(game.header().players[seat].name.to_string());

    let text = file::sgf(game);
    let sheet = sgf::Sheet::read(&text, &Ruleset::ALL[6]).unwrap_or_else(|e| panic!("{e}: {text}"));
    assert_eq!(sheet.record.position().ruleset(), game.ruleset());
    assert_eq!(sheet.record.plays(), plays(game));
    assert_eq!(
        (sheet.players.first, sheet.players.second),
        (name(Seat::First), name(Seat::Second))
    );
    let winner = game.result().map(|result| result.winner.map(|seat| game.color_of(seat)));
    assert_eq!(sheet.result.map(|verdict| verdict.winner), winner);
    assert_eq!(sheet.date.as_deref(), Some("2026-09-21"));

    let sheet = psq::Sheet::read(&file::psq(game)).unwrap();
    let stones = game.log().iter().filter_map(|entry| match entry.action {
        Action::Play(Play::Place(point)) => Some((point, entry.elapsed * 10)),
        _ => None,
    });
    assert!(sheet.stones.iter().map(|stone| (stone.point, stone.time_ms)).eq(stones));
    assert_eq!(sheet.players.black, name(game.position().seat_of(Color::Black)));
    assert_eq!((sheet.size, sheet.players.white.is_some()), (board.size(), true));

    let diagram = Diagram::read(&file::diagram(game), board.size()).unwrap();
    assert_eq!(diagram.board(), board);
    if game.result().is_none() {
        let forbidden: Vec<_> =
            game.position().forbidden_points().map(|(point, _)| point).collect();
        let marks: Vec<_> = diagram.marks().iter().map(|(point, _)| *point).collect();
        assert_eq!(marks, forbidden);
    }

    let view = GameView::new(game, None, game.last_at(), Detail::BRIEF);
    let line = json(&view);
    assert!(!line.contains(&b'\n'));
    assert_eq!(serde_json::from_slice::<GameView<'_>>(&line).unwrap(), view);
}

#[test]
fn random_games_of_every_ruleset_come_back_from_every_file() {
    for ruleset in Ruleset::ALL {
        for seed in 0..12 {
            check(&random_game(seed, ruleset, 7 * seed as usize));
        }
    }
}

#[test]
fn every_ending_is_written_as_each_format_knows_it() {
    let over = |plays: &str| game("renju_free", plays);
    let five = over("h8 a1 h9 a3 h10 a5 h11 a7 h12");
    let foul = over("g8 a1 i8 a15 h9 o1 h7 o15 h8");
    let resigned = submit(&over("h8"), Intent::Resign, 1_000);
    for (game, result, ending) in [
        (&five, "RE[B+]GC[five]", "\n0\n"),
        (&foul, "RE[W+]GC[double_three]", "\n0\n"),
        (&resigned, "RE[B+Resign]", "\n-1\n"),
    ] {
        check(game);
        assert!(file::sgf(game).contains(result), "{}", file::sgf(game));
        assert!(file::psq(game).ends_with(ending), "{}", file::psq(game));
    }
    assert!(!file::sgf(&over("h8")).contains("RE["), "a game that goes on has no result");
    assert!(file::diagram(&foul).contains("bob wins: double_three."), "{}", file::diagram(&foul));
}

/// A page of the longest games fits into the answer of a function, escaped as its payload is.
#[test]
fn a_page_of_the_export_is_never_too_large() {
    const PAYLOAD_MAX: usize = 6 * 1024 * 1024;
    for ruleset in Ruleset::ALL {
        let longest = (0..4).map(|seed| random_game(seed, ruleset, 1_000)).map(|game| {
            let view = GameView::new(&game, None, game.last_at(), Detail::BRIEF);
            let text = String::from_utf8(json(&view)).unwrap();
            // What a game of every point would take.
            let points = usize::from(ruleset.size).pow(2);
            serde_json::to_string(&text).unwrap().len() * points / game.log().len().max(1)
        });
        let page = longest.max().unwrap() * usize::from(EXPORT_LIMIT_MAX);
        assert!(page < PAYLOAD_MAX, "{}: {page}", ruleset.id);
    }
}
