//! Whole games through every notation and back, and broken files that must not make a reader panic.

use arena_support::Random;
use renju::notation::diagram::Diagram;
use renju::notation::{flat, moves, psq, sgf};
use renju::{ByColor, Color, Play, Point, Record, Ruleset, Seat};

/// Games of every opening, with every kind of decision: ruleset, plays.
const GAMES: &[(&str, &str)] = &[
    ("renju_taraguchi10_international", ""),
    ("renju_taraguchi10_international", "h8"),
    ("renju_taraguchi10_international", "h8 swap"),
    (
        "renju_taraguchi10_international",
        "h8 swap i9 keep g10 swap k7 swap l8 swap h9 h10 i10 j11 f9 e8",
    ),
    (
        "renju_taraguchi10_international",
        "h8 keep i9 keep j9 swap g7 keep offer:a1,b1,c1,d1,e1,f1,g1,b2,c2,d2 c2 h10 h9",
    ),
    (
        "renju_taraguchi10_rif",
        "h8 swap h9 swap h10 swap k11 keep offer:a1,b3,o5,c6,d2,e1,f4,l12,m9,n2 m9",
    ),
    ("renju_soosorv8", "h8 i9 g9 swap f8 declare:2 keep offer:h10,j7 h10 i10"),
    ("renju_soosorv8", "h8 h9 j10 keep a1 declare:1 swap offer:o15"),
    ("renju_soosorv8_rif", "h8 h9 h10 keep k11 declare:3"),
    ("renju_free", "h8 a1 h9 a2 h10 a3 h11 a4 h12"),
    ("gomoku_swap2", "h8 i8 j10 swap a1"),
    ("gomoku_swap2_exact5", "h8 i8 j10 keep a1"),
    ("gomoku_swap2", "h8 i8 j10 put-two a1 o15 swap b2 c3"),
    ("gomoku_capture", "j10 k10 a1 l10 m10 b1 k10 s19"),
];

fn ruleset(id: &str) -> &'static Ruleset {
    Ruleset::find(id).expect("the tests name rulesets that exist")
}

fn free() -> &'static Ruleset {
    ruleset("renju_free")
}

fn record(id: &str, plays: &str) -> Record {
    let ruleset = ruleset(id);
    let record = Record::parse(ruleset, ruleset.size, plays);
    record.unwrap_or_else(|error| panic!("{id} {plays}: {error}"))
}

/// Writes a game in every notation, reads it and compares.
fn check(sheet: sgf::Sheet) {
    let text = sheet.write();
    assert_eq!(sgf::Sheet::read(&text, free()).as_ref(), Ok(&sheet), "{text}");
    let spread = text.replace("\n;", "\r\n\n ;\t").replace("]C[", "] \n C \n[");
    assert_eq!(sgf::Sheet::read(&spread, free()).as_ref(), Ok(&sheet), "{spread}");

    let record = &sheet.record;
    let points: Vec<Point> = record.stones().map(|(point, _)| point).collect();
    assert_eq!(moves::read(&moves::write(&points)).as_ref(), Ok(&points));

    let mut taken = psq::Sheet::new(record);
    for (stone, time_ms) in taken.stones.iter_mut().zip((0..).step_by(777)) {
        stone.time_ms = time_ms;
    }
    let color_name = |color| sheet.players[record.position().seat_of(color)].clone();
    taken.players = ByColor { black: color_name(Color::Black), white: color_name(Color::White) };
    assert_eq!(psq::Sheet::read(&taken.write()).as_ref(), Ok(&taken), "{}", taken.write());
    assert!(taken.stones.iter().map(|stone| stone.point).eq(points));

    let board = record.position().board();
    assert_eq!(flat::read(&flat::write(board), board.size()).as_ref(), Ok(board));
    let marks = board.marks(Color::Black, renju::Precedence::FiveFirst);
    let diagram = Diagram::new(*board).with_marks(marks.iter());
    assert_eq!(diagram.marks(), marks.iter().collect::<Vec<_>>());
    assert_eq!(Diagram::read(&diagram.to_string(), board.size()), Ok(diagram));
}

/// A sheet with all fields filled.
fn full_sheet(record: Record) -> sgf::Sheet {
    let mut sheet = sgf::Sheet::new(record);
    sheet.players.first = Some("Ändo [Meritee] \\".to_owned());
    sheet.players.second = Some("中村 茂: 名人)".to_owned());
    sheet.date = Some("2026-03-14".to_owned());
    sheet.event = Some("Cup; (finals)".to_owned());
    sheet.place = Some("Tallinn].".to_owned());
    sheet.result =
        sheet.result.or(Some(sgf::Verdict { winner: None, reason: "Time: both".into() }));
    sheet
}

#[test]
fn games_of_every_opening_round_trip() {
    for (id, plays) in GAMES {
        let record = record(id, plays);
        assert_eq!(&record.to_string(), plays);
        check(sgf::Sheet::new(record.clone()));
        check(full_sheet(record));
    }
}

#[test]
fn names_follow_the_seats_through_swaps() {
    let mut sheet =
        sgf::Sheet::new(record("renju_taraguchi10_international", "h8 swap i9 keep g10"));
    sheet.players.first = Some("Ada".to_owned());
    assert_eq!(sheet.record.position().color_of(Seat::First), Color::White);
    assert!(sheet.write().contains("PW[Ada]") && !sheet.write().contains("PB["));
    sheet.record.play(Play::Swap).unwrap();
    assert!(sheet.write().contains("PB[Ada]") && !sheet.write().contains("PW["));
    check(sheet);
}

#[test]
fn offered_points_are_labelled_in_the_node_they_were_offered_in() {
    let (id, plays) = GAMES[4];
    let text = sgf::Sheet::new(record(id, plays)).write();
    let node = text.lines().find(|line| line.contains("LB")).unwrap();
    assert!(node.starts_with(";W[gi]LB[ao:A][bo:B][co:C][do:D]"), "{node}");
    assert!(text.contains("C[keep\noffer:a1,b1,c1,d1,e1,f1,g1,b2,c2,d2]\n;B[cn]\n"), "{text}");
}

#[test]
fn captured_stones_can_be_placed_again() {
    let (id, plays) = GAMES[GAMES.len() - 1];
    let record = record(id, plays);
    assert_eq!(record.position().pairs().black, 1);
    assert_eq!(moves::write(&record.stones().map(|(point, _)| point).collect::<Vec<_>>()), {
        "j10k10a1l10m10b1k10s19"
    });
}

#[test]
fn random_games_of_every_ruleset_round_trip() {
    for seed in 1..=40 {
        for ruleset in Ruleset::ALL {
            let mut random = Random(seed);
            let size = random.pick(ruleset.sizes);
            let mut record = Record::sized(ruleset, size).unwrap();
            let plays = random.below(120);
            while record.plays().len() < plays && record.position().to_act().is_some() {
                let play = random.play(record.position());
                record.play(play).unwrap();
            }
            check(if seed % 2 == 0 { full_sheet(record) } else { sgf::Sheet::new(record) });
        }
    }
}

#[test]
fn broken_files_never_panic() {
    let mut random = Random(0x5eed);
    let mut refused = 0;
    for (id, plays) in GAMES {
        let sheet = full_sheet(record(id, plays));
        let board = sheet.record.position().board();
        let texts = [
            sheet.write(),
            psq::Sheet::new(&sheet.record).write(),
            Diagram::new(*board).to_string(),
            flat::write(board),
            sheet.record.to_string(),
            moves::write(&sheet.record.stones().map(|(point, _)| point).collect::<Vec<_>>()),
        ];
        for text in &texts {
            for at in 0..text.len() {
                for change in 0..4 {
                    refused += read_everything(&broken(text, at, change, &mut random));
                }
            }
        }
    }
    assert!(refused > 10_000, "most broken files are refused, {refused} were");
}

#[test]
fn deep_and_long_nonsense_never_panics() {
    for part in [
        "(;",
        "(",
        ")",
        ";",
        "[",
        "]",
        "\\",
        ";B[",
        "(;C[\\",
        "Piskvorky ",
        "9 ",
        "x",
        "1,",
        "\u{feff}",
        "é",
        "\0",
    ] {
        for count in [1, 2, 100_000] {
            read_everything(&part.repeat(count));
            read_everything(&format!("(;B[hh]{}", part.repeat(count)));
            read_everything(&format!("Piskvorky 15x15, 0:0, 0\n{}", part.repeat(count)));
        }
    }
    read_everything("(;SZ[19]AB[aa:ss]AW[aa])");
    read_everything("(;SZ[5]AB[aa:ee]PL[]RU[gomoku_capture]C[pairs:255,255])");
    read_everything("(;SZ[15]RU[gomoku_capture]C[pairs:255,255]AB[aa];W[bb];B[cc])");
}

/// Gives the text to every reader; returns the number of those that refuse it.
fn read_everything(text: &str) -> usize {
    let mut refused = 0;
    for default in [free(), ruleset("gomoku_capture")] {
        refused += usize::from(sgf::Sheet::read(text, default).is_err());
    }
    for size in [0, 5, 15, 19, 20, 255] {
        refused += usize::from(Diagram::read(text, size).is_err());
        refused += usize::from(flat::read(text, size).is_err());
    }
    refused += usize::from(psq::Sheet::read(text).is_err());
    refused + usize::from(moves::read(text).is_err())
}

/// The text with the byte at `at` changed, dropped or doubled, or cut off there.
fn broken(text: &str, at: usize, change: usize, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    match change {
        0 => {
            bytes[at] = random.pick("()[];\\:,0a9ABPLWC#.xo \n\r\u{80}".as_bytes());
        }
        1 => drop(bytes.remove(at)),
        2 => bytes.insert(at, bytes[at]),
        _ => bytes.truncate(at),
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
