use super::*;
use crate::testing::game;
use arena_support::Random;
use renju::{Ruleset, SIZE_MAX};

fn entry(play: &str, elapsed: u32) -> Entry {
    let action = match play {
        "resign first" => Action::Resign(Seat::First),
        "resign second" => Action::Resign(Seat::Second),
        "timeout" => Action::Timeout,
        "no show" => Action::NoShow,
        "first wins" => Action::Rule(Ruling::Win(Seat::First)),
        "second wins" => Action::Rule(Ruling::Win(Seat::Second)),
        "draw" => Action::Rule(Ruling::Draw),
        "void" => Action::Rule(Ruling::Void),
        play => Action::Play(play.parse().unwrap()),
    };
    Entry { action, elapsed, tag: Tag(*b"\x01\x02\x03\x04\x05\x06\x07\x08") }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Stored logs must stay readable. Lines may be added here, never changed.
#[test]
fn golden_vectors() {
    let tag = "0102030405060708";
    let vectors = [
        ("a1", 0, "00 00"),
        ("h8", 1, "70 01"),
        ("o15", 127, "e0 7f"),
        ("keep", 128, "e1 8001"),
        ("swap", 2_000, "e2 d00f"),
        ("put-two", 16_383, "e3 ff7f"),
        ("resign first", 16_384, "e4 808001"),
        ("resign second", 30_000, "e5 b0ea01"),
        ("timeout", 360_500, "e6 b48016"),
        ("no show", u32::MAX, "e7 ffffffff0f"),
        ("declare:4", 0, "e8 04 00"),
        ("p1", 0, "e9 0f 00"),
        ("j14", 0, "cc 00"),
        ("a16", 0, "ea 1d 00"),
        ("s19", 0, "ea 68 00"),
        ("offer:a1", 0, "f0 00 00"),
        ("offer:h9,h10,s1", 9, "f2 7f 8e e912 09"),
        ("offer:d4,e4,f4,g4,h4,d5,d6,d7,d8,d9", 9, "f9 30 31 32 33 34 3f 4e 5d 6c 7b 09"),
        ("first wins", 0, "eb 00"),
        ("second wins", 0, "ec 00"),
        ("draw", 1, "ed 01"),
        ("void", 128, "ee 8001"),
        ("t1", 0, "ea 69 00"),
        ("a20", 0, "ea 7d 00"),
    ];
    let mut whole = "01".to_owned();
    let mut log = Vec::new();
    for (play, elapsed, bytes) in vectors {
        let entry = entry(play, elapsed);
        let expected = format!("{}{tag}", bytes.replace(' ', ""));
        assert_eq!(hex(&encode(&[entry])), format!("01{expected}"), "{play}");
        whole += &expected;
        log.push(entry);
    }
    assert_eq!(hex(&encode(&log)), whole);
    assert_eq!(decode(&encode(&log)), Ok(log));
    assert_eq!(decode(&[1]), Ok(Vec::new()));
}

#[test]
fn every_point_has_one_spelling() {
    let mut spellings = std::collections::HashSet::new();
    for point in Point::all(SIZE_MAX) {
        let action = Action::Play(Play::Place(point));
        let bytes = encode(&[Entry { action, elapsed: 0, tag: Tag::CLOCK }]);
        assert_eq!(bytes.len(), if point.is_on(15) { 11 } else { 12 }, "{point}");
        assert_eq!(decode(&bytes).unwrap()[0].action, action);
        assert!(spellings.insert(bytes));
    }
}

#[test]
fn legal_logs_round_trip() {
    for seed in 0..400 {
        let mut random = Random(seed);
        let ruleset = &Ruleset::ALL[seed as usize % Ruleset::ALL.len()];
        let game = game(&mut random, ruleset, 80);
        assert_eq!(decode(&encode(game.log())).as_deref(), Ok(game.log()), "seed {seed}");
    }
}

#[test]
fn what_no_log_is_is_told_apart() {
    let tag = [0; 8];
    let with = |bytes: &[u8]| decode(&[&[FORMAT], bytes, &tag].concat());
    assert_eq!(decode(&[]), Err(LogError::Empty));
    assert_eq!(decode(&[0]), Err(LogError::UnknownFormat { format: 0 }));
    assert_eq!(decode(&[2, 0, 0]), Err(LogError::UnknownFormat { format: 2 }));
    assert_eq!(with(&[239, 0]), Err(LogError::UnknownKind { kind: 239, at: 1 }));
    assert_eq!(with(&[250, 0]), Err(LogError::UnknownKind { kind: 250, at: 1 }));
    assert_eq!(with(&[WIDE_LOW, 0, 0]), Err(LogError::OutOfRange { at: 2 }), "a1 is narrow");
    assert_eq!(with(&[WIDE_HIGH, 144, 0]), Err(LogError::OutOfRange { at: 2 }), "number 400");
    assert_eq!(with(&[OFFER_ONE, KEEP, 0]), Err(LogError::OutOfRange { at: 2 }));
    assert_eq!(with(&[KEEP, 0x80, 0]), Err(LogError::OutOfRange { at: 3 }), "a longer zero");
    let over = [KEEP, 0xff, 0xff, 0xff, 0xff, 0x1f];
    assert_eq!(with(&over), Err(LogError::OutOfRange { at: 6 }), "33 bits");
    assert_eq!(decode(&[FORMAT, KEEP]), Err(LogError::Truncated));
    assert_eq!(decode(&[FORMAT, KEEP, 0, 1, 2, 3]), Err(LogError::Truncated));
    assert_eq!(decode(&[FORMAT, OFFER_ONE + 3, 0, 1]), Err(LogError::Truncated));
}

/// Reading any bytes neither panics nor guesses: a log that can be read is written back as the same
/// bytes.
#[test]
fn any_bytes_are_a_log_in_one_way_or_none() {
    let mut random = Random(7);
    let mut read = 0;
    for _ in 0..20_000 {
        let bytes = match random.below(3) {
            // A log with one byte changed.
            0 => {
                let log = game(&mut random, &Ruleset::ALL[0], 6);
                let mut bytes = encode(log.log());
                let place = random.below(bytes.len());
                bytes[place] = random.next() as u8;
                bytes
            }
            // Noise, most of it with the right format byte.
            _ => {
                let mut bytes: Vec<u8> =
                    (0..random.below(60)).map(|_| random.next() as u8).collect();
                if let Some(first) = bytes.first_mut().filter(|_| random.below(8) > 0) {
                    *first = FORMAT;
                }
                bytes
            }
        };
        if let Ok(log) = decode(&bytes) {
            read += 1;
            assert_eq!(encode(&log), bytes);
        }
    }
    assert!(read > 3_000, "only {read} were logs");
}
