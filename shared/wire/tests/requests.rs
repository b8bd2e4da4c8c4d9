//! Requests: what each becomes, what is refused and how it is told, and that nothing panics.

#![allow(clippy::unwrap_used)]

use arena::{AgentName, HouseLevel, Intent, Opponent, Tag, TurnNumber};
use arena_support::Random;
use arena_wire::{
    BoardView, Body, Choice, DecisionQuery, DeclareRequest, Detail, Format, GameQuery, GameStatus,
    GamesQuery, JoinRequest, LIMIT_DEFAULT, LeaderboardQuery, MoveRequest, OfferRequest,
    PictureQuery, PlainRequest, PointRequest, RegisterRequest, ResignRequest, RulesCheckRequest,
    RulesView, Submit, SwapRequest, Word, parse, parse_query, routes, rows,
};
use renju::{Play, Seat};
use serde_json::{Value, json};

fn alice() -> AgentName {
    "alice".parse().unwrap()
}

fn error<T: Body + std::fmt::Debug>(body: &str) -> String {
    parse::<T>(body.as_bytes()).unwrap_err().to_string()
}

#[test]
fn a_decision_names_its_turn_and_its_key() {
    let body = br#"{"x": 7, "y": 7, "turn_number": 3, "idempotency_key": "k"}"#;
    let submission = parse::<MoveRequest>(body).unwrap().into_submission(&alice(), None).unwrap();
    let play = Play::Place("h8".parse().unwrap());
    assert_eq!(submission.intent, Intent::Play(TurnNumber(3), play));
    assert_eq!(submission.tag, Tag::of(&alice(), "k"));
}

#[test]
fn the_header_is_an_alias_of_the_key_in_the_body() {
    let submit = |body: &str, header| {
        let request = parse::<ResignRequest>(body.as_bytes()).unwrap();
        request.into_submission(&alice(), header).map_err(|error| error.to_string())
    };
    let tag = Tag::of(&alice(), "k");
    assert_eq!(submit("", Some("k")).unwrap().tag, tag);
    assert_eq!(submit(r#"{"idempotency_key": "k"}"#, None).unwrap().tag, tag);
    assert_eq!(submit(r#"{"idempotency_key": "k"}"#, Some("k")).unwrap().tag, tag);
    assert_eq!(
        submit(r#"{"idempotency_key": "k"}"#, Some("l")).unwrap_err(),
        "idempotency_key in the body and the Idempotency-Key header are different"
    );
    assert_eq!(submit("", None).unwrap_err(), "idempotency_key is missing");
    assert_eq!(
        submit("", Some("a b")).unwrap_err(),
        r#"idempotency_key is "a b", not 1 to 128 visible ASCII characters without spaces"#
    );
}

#[test]
fn a_resignation_may_name_a_turn_like_every_decision() {
    let body = br#"{"turn_number": 9, "idempotency_key": "k"}"#;
    let submission = parse::<ResignRequest>(body).unwrap().into_submission(&alice(), None).unwrap();
    assert_eq!(submission.intent, Intent::Resign);
    let wrong = error::<ResignRequest>(r#"{"turn_number": "x", "idempotency_key": "k"}"#);
    assert_eq!(wrong, r#"turn_number is "x", not a whole number from 0 to 4294967295"#);
}

#[test]
fn of_two_fields_with_one_name_neither_counts() {
    let body = r#"{"point": "h8", "point": "h9", "turn_number": 1, "idempotency_key": "k"}"#;
    assert_eq!(error::<MoveRequest>(body), "point is there twice");
    assert_eq!(error::<RegisterRequest>(r#"["alice"]"#), "the body must be a JSON object");
}

#[test]
fn a_bio_is_one_line_in_the_order_it_is_written() {
    for character in ['\n', '\u{7}', '\u{2028}', '\u{202e}', '\u{2066}', '\u{200f}'] {
        let body = json!({"name": "alice", "bio": format!("a{character}b")});
        let error = error::<RegisterRequest>(&body.to_string());
        assert!(error.ends_with("not a text of at most 280 characters on one line"), "{error}");
    }
    let body = json!({"name": "alice", "bio": "五目並べ, déjà 👍🏽"});
    assert!(parse::<RegisterRequest>(body.to_string().as_bytes()).is_ok());
}

#[test]
fn the_key_of_a_registration_is_hard_to_guess() {
    let request = parse::<RegisterRequest>(br#"{"name": "Alice"}"#).unwrap();
    assert_eq!(request.agent_name().unwrap().as_str(), "alice");
    assert!(request.key(Some("short")).is_err());
    let long = "0123456789abcdefghijkl";
    assert_eq!(request.key(Some(long)).unwrap(), Some(long));
    assert!(parse::<RegisterRequest>(br#"{"name": "<b>"}"#).unwrap().agent_name().is_err());
}

#[test]
fn swaps_are_said_in_several_ways() {
    let choice = |body: &str| {
        let body = format!(r#"{{{body}, "turn_number": 1, "idempotency_key": "k"}}"#);
        let request = parse::<SwapRequest>(body.as_bytes());
        request.and_then(|request| request.choice()).map_err(|error| error.to_string())
    };
    assert_eq!(choice(r#""swap": true"#), Ok(Choice::Swap));
    assert_eq!(choice(r#""swap": false"#), Ok(Choice::Keep));
    assert_eq!(choice(r#""swap": false, "put_two": false"#), Ok(Choice::Keep));
    assert_eq!(choice(r#""swap": "put_two""#), Ok(Choice::PutTwo));
    assert_eq!(choice(r#""put_two": true"#), Ok(Choice::PutTwo));
    assert_eq!(choice(r#""swap": false, "put_two": true"#), Ok(Choice::PutTwo));
    assert_eq!(
        choice(r#""swap": true, "put_two": true"#).unwrap_err(),
        "swap is true, not false or absent beside put_two"
    );
    assert_eq!(choice(r#""put_two": false"#).unwrap_err(), "swap is missing");
}

#[test]
fn a_legal_move_can_be_sent_back_as_it_came() {
    let body = r#"{"x":7,"y":7,"name":"h8","turn_number":0,"idempotency_key":"k"}"#;
    let request = parse::<MoveRequest>(body.as_bytes()).unwrap();
    assert_eq!(request.point().unwrap().to_string(), "h8");
}

#[test]
fn refusals_name_the_field_and_the_value() {
    assert_eq!(error::<MoveRequest>(r#"{"point": "h8"}"#), "turn_number is missing");
    assert_eq!(
        error::<MoveRequest>(r#"{"point": "h8", "turn_number": "3"}"#),
        r#"turn_number is "3", not a whole number from 0 to 4294967295"#
    );
    assert_eq!(
        error::<JoinRequest>(r#"{"pool": "bullet"}"#),
        r#"pool is "bullet", not one of fast, standard, slow"#
    );
    assert!(error::<JoinRequest>(r#"{"ruleset": "chess"}"#).starts_with(
        r#"ruleset is "chess", not one of renju_taraguchi10_international, renju_taraguchi10_rif"#
    ));
    assert_eq!(
        error::<JoinRequest>(r#"{"house": 7}"#),
        "house is 7, not true, false or a level from 0 to 6"
    );
    assert_eq!(
        error::<PlainRequest>(r#"{"force": 1}"#),
        r#"there is no field "force" here; the fields are idempotency_key"#
    );
    assert!(error::<PlainRequest>(r#"{"force": null}"#).starts_with("there is no field"));
    assert_eq!(error::<PlainRequest>("[]"), "the body must be a JSON object");
    assert_eq!(
        error::<PlainRequest>("{"),
        "the body is not JSON: EOF while parsing an object at line 1 column 1"
    );
    assert_eq!(
        error::<OfferRequest>(r#"{"candidates": ["h8", "z1"]}"#),
        r#"candidates is "z1", not a point such as "h8" or {"x":7,"y":7}"#
    );
    let long = format!(r#"{{"fifths": "{}"}}"#, "9".repeat(4_000));
    assert!(error::<DeclareRequest>(&long).len() < 200);
}

/// Reads a point in any of its forms.
fn point(value: Value) -> Result<String, String> {
    PointRequest::read("point", &value)
        .map(|request| request.0.to_string())
        .map_err(|error| error.to_string())
}

#[test]
fn all_forms_of_a_point_are_read() {
    for form in [
        json!("h8"),
        json!("H8"),
        json!({"x": 7, "y": 7}),
        json!({"x": 7.0, "y": 7}),
        json!({"point": "h8"}),
        json!({"name": "h8"}),
        json!({"x": 7, "y": 7, "name": "h8"}),
        json!({"point": {"x": 7, "y": 7}}),
    ] {
        assert_eq!(point(form), Ok("h8".into()));
    }
}

#[test]
fn what_is_no_point_is_refused_by_name_and_value() {
    let error = |value| point(value).unwrap_err();
    assert_eq!(error(json!({"x": 7})), "y is missing");
    assert_eq!(error(json!({"y": 7})), "x is missing");
    assert_eq!(error(json!({"x": 20, "y": 0})), "x is 20, not a whole number from 0 to 19");
    assert_eq!(error(json!({"x": "7", "y": 0})), r#"x is "7", not a whole number from 0 to 19"#);
    assert_eq!(error(json!("z9")), r#"point is "z9", not a point such as "h8" or {"x":7,"y":7}"#);
    assert_eq!(
        error(json!({"x": 7, "y": 7, "name": "h9"})),
        r#"point is "h9", not the same point as x and y"#
    );
    assert_eq!(
        error(json!({"x": 7, "y": 7, "z": 7})),
        r#"there is no field "z" here; the fields are x, y, name, point"#
    );
    for value in [json!(null), json!([7, 7]), json!({}), json!(7), json!({"point": null})] {
        assert!(error(value).contains("not a point such as"));
    }
    assert!(point(json!({"point": {"point": {"point": "h8"}}})).is_err());
}

#[test]
fn boards_that_are_not_square_are_refused() {
    let error = |ranks: &[&str]| BoardView::read(ranks).unwrap_err().to_string();
    assert_eq!(error(&["..."; 3]), "board is 3, not a board of 5 to 20 ranks");
    assert_eq!(
        error(&[".....", ".....", "..#..", ".....", "....."]),
        r#"board is "..#..", not a rank of 5 characters, each ., x or o"#
    );
    assert!(error(&[".....", "....", ".....", ".....", "....."]).contains("\"....\""));
    assert!(error(&["é...."; 5]).contains("not a rank"));
}

#[test]
fn positions_are_read_from_ranks_and_from_one_text() {
    let ranks = r#"{"ruleset": "gomoku_freestyle", "position":
        {"board": [".....", ".....", ".....", ".....", "xo..."], "to_move": "white"}}"#;
    let flat = r#"{"ruleset": "gomoku_freestyle", "position":
        {"board": "xo.......................", "to_move": "o"}}"#;
    let read = |body: &str| parse::<RulesCheckRequest>(body.as_bytes()).unwrap().position;
    assert_eq!(read(ranks), read(flat));
    assert_eq!(read(ranks).board().get("b1".parse().unwrap()), Some(renju::Color::White));
    let small = r#"{"position": {"board": "........................."}}"#;
    assert!(error::<RulesCheckRequest>(small).contains("not a board of renju_taraguchi10"));
}

#[test]
fn questions_that_make_no_sense_are_refused_by_field_and_value() {
    let board = ".".repeat(225);
    for (body, why) in [
        (r#"{}"#.into(), "moves or position is missing"),
        (r#"{"moves": "h8", "size": 4}"#.into(), "size is 4, not a whole number from 5 to 20"),
        (r#"{"position": ["x"]}"#.into(), r#"position is ["x"], not an object with a board"#),
        (r#"{"position": {}}"#.into(), "board is missing"),
        (
            format!(r#"{{"position": {{"board": "{board}", "pairs": [0, 2]}}}}"#),
            r#"pairs is [0,2], not such as {"black":0,"white":2}"#,
        ),
        (
            format!(r#"{{"position": {{"board": "{board}", "to_move": "red"}}}}"#),
            r#"to_move is "red", not black or white"#,
        ),
        (
            format!(r#"{{"moves": "h8", "position": {{"board": "{board}"}}}}"#),
            r#"moves is "h8", not absent where position is given"#,
        ),
    ] {
        assert_eq!(error::<RulesCheckRequest>(&body), why);
    }
    let unknown = error::<RulesCheckRequest>(r#"{"position": {"stones": 1}}"#);
    assert_eq!(unknown, r#"there is no field "stones" here; the fields are board, to_move, pairs"#);
}

#[test]
fn the_opponent_is_shown_as_it_was_asked_for() {
    let houses = (0..=6).map(Value::from).chain([json!(true), json!(false)]);
    for house in houses {
        let body = json!({"house": house}).to_string();
        assert_eq!(json!(parse::<JoinRequest>(body.as_bytes()).unwrap().house), house);
    }
}

#[test]
fn a_colour_is_chosen_only_against_a_house_bot_outside_the_ratings() {
    let opponent = |body: Value| {
        parse::<JoinRequest>(body.to_string().as_bytes()).unwrap().opponent_and_seat()
    };
    let level = HouseLevel::new(2).unwrap();
    for (color, seat) in [("black", Seat::First), ("white", Seat::Second)] {
        let asked = opponent(json!({"house": 2, "rated": false, "color": color}));
        assert_eq!(asked, Ok(Opponent::HouseAs(level, seat)));
    }
    let drawn = opponent(json!({"house": 2, "rated": false}));
    assert_eq!(drawn, Ok(Opponent::House(level)));
    for refused in [
        json!({"house": 2, "color": "black"}),
        json!({"house": 2, "rated": true, "color": "black"}),
        json!({"rated": false, "color": "black"}),
        json!({"house": false, "rated": false, "color": "white"}),
    ] {
        let why = opponent(refused).unwrap_err().to_string();
        assert!(why.contains("color needs a level as house, and rated false"), "{why}");
    }
}

#[test]
fn queries_have_defaults_and_bounds() {
    let query: GameQuery = parse_query([]).unwrap();
    assert_eq!((query.format(), query.detail(), query.wait_s()), (Format::Json, Detail::FULL, 0));
    let pairs = [("format", "text"), ("legal", "0"), ("wait", "20")];
    let query: GameQuery = parse_query(pairs).unwrap();
    let read = (query.format(), query.detail(), query.wait_s());
    assert_eq!(read, (Format::Text, Detail::BRIEF, 20));
    let query: GameQuery = parse_query([("moves", "0"), ("schema", "0"), ("legal", "1")]).unwrap();
    assert_eq!(query.detail(), Detail { legal: true, moves: false, schema: false });

    let query: DecisionQuery = parse_query([]).unwrap();
    assert_eq!((query.accepted(), query.refused()), (Detail::FULL, Detail::BRIEF));
    let query: DecisionQuery = parse_query([("legal", "1")]).unwrap();
    assert_eq!((query.accepted(), query.refused()), (Detail::FULL, Detail::FULL));
    let query: DecisionQuery = parse_query([("legal", "0"), ("moves", "0")]).unwrap();
    let brief = Detail { legal: false, moves: false, schema: true };
    assert_eq!((query.accepted(), query.refused()), (brief, brief));

    let pairs = [("status", "finished"), ("agent", ""), ("limit", "1")];
    let query: GamesQuery = parse_query(pairs).unwrap();
    assert_eq!((query.status, rows(query.limit)), (Some(Word(GameStatus::Over)), 1));
    assert!(query.agent.is_none());

    let query: LeaderboardQuery = parse_query([("pool", "fast")]).unwrap();
    assert_eq!(query.division().to_string(), "renju_taraguchi10_international/fast");
    assert_eq!(rows(query.limit), LIMIT_DEFAULT);
    assert_eq!((query.place(), query.next_place(20, "7.abc")), ((0, None), "20~7.abc".into()));
    let query: LeaderboardQuery = parse_query([("next", "20~7.abc")]).unwrap();
    assert_eq!(query.place(), (20, Some("7.abc")));
    assert_eq!(query.next_place(5, "3.def"), "25~3.def");
}

#[test]
fn pictures_are_asked_for_by_turn_and_theme() {
    let query: PictureQuery = parse_query([("turn", "12"), ("theme", "dark")]).unwrap();
    assert_eq!((query.turn(), query.theme()), (Some(TurnNumber(12)), "dark"));
    assert_eq!(parse_query::<PictureQuery>([]).unwrap().theme(), "light");
    let error = |pair| parse_query::<PictureQuery>([pair]).unwrap_err().to_string();
    assert_eq!(error(("theme", "neon")), r#"theme is "neon", not one of light, dark, print, page"#);
    assert!(error(("turn", "-1")).starts_with(r#"turn is "-1", not a whole number"#));
}

#[test]
fn queries_name_what_is_wrong() {
    let error = |pairs: &[(&str, &str)]| {
        parse_query::<GamesQuery>(pairs.iter().copied()).unwrap_err().to_string()
    };
    for limit in ["101", "0", "-1", "1.5"] {
        let wanted = format!("limit is {limit:?}, not a whole number from 1 to 100");
        assert_eq!(error(&[("limit", limit)]), wanted);
    }
    let status = r#"status is "dead", not one of live, finished, over"#;
    assert_eq!(error(&[("status", "dead")]), status);
    assert_eq!(error(&[("agent", "é")]), r#"agent is "é", not an agent's name"#);
    assert!(error(&[("page", "2")]).starts_with("there is no field \"page\" here"));
}

#[test]
fn an_illegal_move_of_a_list_is_an_answer() {
    let body = r#"{"ruleset": "renju_free", "moves": ["h8", "h9", "h8", "a1"]}"#;
    let view = RulesView::of(&parse(body.as_bytes()).unwrap());
    let illegal = view.illegal.unwrap();
    assert_eq!(illegal.turn_number, Some(2));
    assert_eq!((illegal.play.as_str(), &*illegal.reason), ("h8", "occupied"));
    assert_eq!(view.move_number, 2);
}

/// Reads the bytes as every kind of body, and answers what can be answered.
fn read_all(bytes: &[u8]) -> usize {
    let mut read = 0;
    if let Ok(request) = parse::<RulesCheckRequest>(bytes) {
        assert!(!arena_wire::json(&RulesView::of(&request)).is_empty());
        read += 1;
    }
    read += usize::from(parse::<RegisterRequest>(bytes).is_ok_and(|r| r.agent_name().is_ok()));
    read += usize::from(parse::<JoinRequest>(bytes).is_ok());
    read += usize::from(parse::<PlainRequest>(bytes).is_ok());
    fn decision<T: Submit>(bytes: &[u8]) -> usize {
        let request = parse::<T>(bytes);
        usize::from(request.is_ok_and(|r| r.into_submission(&alice(), None).is_ok()))
    }
    read + decision::<MoveRequest>(bytes)
        + decision::<SwapRequest>(bytes)
        + decision::<OfferRequest>(bytes)
        + decision::<DeclareRequest>(bytes)
        + decision::<ResignRequest>(bytes)
}

#[test]
fn no_body_makes_a_reader_panic() {
    let mut random = Random(20_261_116);
    let mut seeds: Vec<Vec<u8>> = routes()
        .filter_map(|route| route.body.as_ref())
        .map(|body| serde_json::to_vec(&(body.example)()).unwrap())
        .collect();
    seeds.extend([
        br#"{"ruleset":"gomoku_capture","position":{"board":"x","pairs":{"black":9}},"point":"a1"}"#
            .to_vec(),
        br#"{"moves":["h8",{"x":1,"y":2},"offer:a1,b2"],"size":15,"point":{"x":3,"y":3}}"#.to_vec(),
        br#"{"put_two":true,"swap":"put_two","turn_number":1e3,"idempotency_key":"k"}"#.to_vec(),
    ]);
    let tokens: [&[u8]; 16] = [
        b"{",
        b"}",
        b"[",
        b"]",
        b"\"",
        b":",
        b",",
        b"null",
        b"-1",
        b"1e999",
        b"18446744073709551616",
        b"\\ud800",
        b"\xff",
        b"\"point\":",
        b"\"h8\"",
        b"true",
    ];
    let mut read = 0;
    for _ in 0..60_000 {
        let mut bytes = seeds[random.below(seeds.len())].clone();
        for _ in 0..1 + random.below(3) {
            let at = random.below(bytes.len() + 1);
            match random.below(4) {
                0 => drop(bytes.drain(at..(at + random.below(6)).min(bytes.len()))),
                1 => {
                    let token = tokens[random.below(tokens.len())];
                    bytes.splice(at..at, token.iter().copied());
                }
                2 if at < bytes.len() => bytes[at] = random.next() as u8,
                _ => {
                    let other = &seeds[random.below(seeds.len())];
                    let from = random.below(other.len());
                    bytes.splice(at..at, other[from..].iter().copied());
                }
            }
        }
        read += read_all(&bytes);
    }
    assert!(read > 1_000, "{read} bodies were good enough to go on");
}

#[test]
fn no_depth_of_nesting_makes_a_reader_panic() {
    for opening in ["[", "{\"point\":", "{\"moves\":["] {
        assert_eq!(read_all(opening.repeat(10_000).as_bytes()), 0);
    }
}

#[test]
fn no_position_makes_the_referee_panic() {
    let mut random = Random(7);
    for ruleset in renju::Ruleset::ALL {
        for _ in 0..60 {
            let size = ruleset.sizes[random.below(ruleset.sizes.len())];
            let filled = random.below(101);
            let ranks: Vec<String> = (0..size)
                .map(|_| {
                    let letter = |random: &mut Random| match random.below(100) < filled {
                        true => ['x', 'o', 'x'][random.below(3)],
                        false => '.',
                    };
                    (0..size).map(|_| letter(&mut random)).collect()
                })
                .collect();
            let point =
                format!("{}{}", (b'a' + random.below(20) as u8) as char, 1 + random.below(20));
            let pairs = json!({"black": random.below(256), "white": 4});
            let position = json!({"board": ranks, "pairs": pairs});
            let body = json!({
                "ruleset": ruleset.id, "position": position, "point": point,
            });
            assert_eq!(read_all(&serde_json::to_vec(&body).unwrap()), 1, "{body}");
        }
    }
}

/// Found by hill climbing: whole, its proof would be many times as long.
#[test]
fn proofs_without_end_are_cut() {
    let mut random = Random(2);
    let point = renju::Point::centre(15);
    let view = |board: &renju::Board| {
        let explanation =
            board.explain(point, renju::Color::Black, renju::Precedence::FoulFirst).unwrap();
        arena_wire::json(&arena_wire::ExplanationView::of(&explanation)).len()
    };
    let (mut board, mut longest) = (renju::Board::new(15), 0);
    for _ in 0..1_500 {
        let mut next = board;
        for _ in 0..1 + random.below(3) {
            let at = renju::Point::from_index(random.below(225), 15).unwrap();
            match next.get(at) {
                _ if at == point => {}
                Some(color) => next.take(at, color),
                None => next.put(at, renju::Color::BOTH[usize::from(random.below(8) == 0)]),
            }
        }
        let length = view(&next);
        if length >= longest {
            (board, longest) = (next, length);
        }
    }
    assert!((10_000..200_000).contains(&longest), "{longest}");
}
