//! Every kind of frame with its reply, and every malformed frame with its error.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops where it is")]

mod common;

use arena_duel::{Detail, Duel};
use common::{ask, board, error, moved, request, say, with};
use serde_json::{Value, json};

/// Error text for a frame.
fn refusal(frame: &str) -> String {
    error(&say(&mut Duel::new(), frame).unwrap()).to_owned()
}

/// Error text for a request with one field changed.
fn refused(field: &str, value: Value) -> String {
    refusal(&with(request("j10", ""), field, value).to_string())
}

#[test]
fn a_ping_is_a_pong_and_a_reset_is_silent() {
    let mut duel = Duel::new();
    assert_eq!(duel.answer(r#"{"type":"ping"}"#, Detail::Plain).unwrap(), r#"{"type":"pong"}"#);
    assert_eq!(duel.answer(r#"{"type":"reset"}"#, Detail::Plain), None);
}

#[test]
fn what_is_not_a_request_is_refused_in_words() {
    let types = "not one of move, test, evaluate, ping, reset";
    for (frame, why) in [
        ("", "the frame is not JSON: EOF while parsing a value at line 1 column 0"),
        ("{bad", "the frame is not JSON: key must be a string at line 1 column 2"),
        ("[]", "the frame must be a JSON object"),
        ("null", "the frame must be a JSON object"),
        ("{}", "type is missing"),
        (r#"{"type":null}"#, "type is missing"),
        (r#"{"type":7}"#, &format!("type is 7, {types}")),
        (r#"{"type":"nope"}"#, &format!("type is \"nope\", {types}")),
        (r#"{"type":"move"}"#, "difficulty is missing"),
        (r#"{"type":"test"}"#, "nextPlayer is missing"),
        (r#"{"type":"evaluate"}"#, "lastPlay is missing"),
    ] {
        assert_eq!(refusal(frame), why, "{frame}");
    }
    let deep = format!("{{\"type\":{}", "[".repeat(60_000));
    assert!(refusal(&deep).starts_with("the frame is not JSON: recursion limit"), "no overflow");
}

#[test]
fn a_field_that_is_wrong_is_named_with_its_value() {
    let null = Value::Null;
    let pairs = "not a number of pairs from 1 to 10";
    for (field, value, why) in [
        ("difficulty", json!("insane"), "difficulty is \"insane\", not one of easy, medium, hard"),
        ("difficulty", json!(3), "difficulty is 3, not one of easy, medium, hard"),
        ("difficulty", null.clone(), "difficulty is missing"),
        ("nextPlayer", json!("Z"), "nextPlayer is \"Z\", not one of X, O"),
        ("nextPlayer", null.clone(), "nextPlayer is missing"),
        ("goal", json!(0), &format!("goal is 0, {pairs}")),
        ("goal", json!(11), &format!("goal is 11, {pairs}")),
        ("goal", json!(-1), &format!("goal is -1, {pairs}")),
        ("goal", json!(2.5), &format!("goal is 2.5, {pairs}")),
        ("goal", json!("5"), &format!("goal is \"5\", {pairs}")),
        ("enableCapture", json!(1), "enableCapture is 1, not true or false"),
        (
            "enableDoubleThreeRestriction",
            json!("yes"),
            "enableDoubleThreeRestriction is \"yes\", not true or false",
        ),
        ("board", null.clone(), "board is missing"),
        ("board", json!("..."), "board is no list of rows, not 19 rows of 19 cells"),
        ("board", json!([]), "board is a list of 0 rows, not 19 rows of 19 cells"),
        ("scores", null, "scores is missing"),
    ] {
        assert_eq!(refused(field, value), why);
    }
}

#[test]
fn a_board_that_is_wrong_says_where() {
    let change = |change: fn(&mut Vec<Value>)| {
        let mut rows = board("j10", "");
        change(rows.as_array_mut().unwrap());
        refused("board", rows)
    };
    let size = "not 19 rows of 19 cells";
    assert_eq!(change(|rows| rows.truncate(18)), format!("board is a list of 18 rows, {size}"));
    assert_eq!(change(|rows| rows.push(json!([]))), format!("board is a list of 20 rows, {size}"));
    assert_eq!(
        change(|rows| rows[3] = json!("x")),
        format!("board[3] is no list of cells, {size}")
    );
    assert_eq!(
        change(|rows| drop(rows[18].as_array_mut().unwrap().pop())),
        format!("board[18] is a list of 18 cells, {size}")
    );
    let cells = r#"not ".", "X" or "O""#;
    assert_eq!(change(|rows| rows[2][7] = json!("Z")), format!("board[2][7] is \"Z\", {cells}"));
    assert_eq!(change(|rows| rows[0][0] = json!("x")), format!("board[0][0] is \"x\", {cells}"));
    assert_eq!(change(|rows| rows[0][18] = json!(0)), format!("board[0][18] is 0, {cells}"));
    assert_eq!(change(|rows| rows[0][1] = json!(null)), format!("board[0][1] is null, {cells}"));
}

#[test]
fn scores_name_both_players_once() {
    let score = |player: &str, score: Value| json!({"player": player, "score": score});
    let (x, o) = (score("X", json!(0)), score("O", json!(0)));
    for scores in [
        json!({}),
        json!([]),
        json!([x]),
        json!([x, x]),
        json!([x, o, o]),
        json!([x, score("Z", json!(0))]),
        json!([x, score("O", json!(-1))]),
        json!([x, score("O", json!(181))]),
        json!([x, score("O", json!("0"))]),
        json!([x, {"player": "O"}]),
        json!([x, 7]),
    ] {
        let why = refused("scores", scores.clone());
        assert!(why.starts_with("scores is "), "{why}");
        assert!(
            why.ends_with(", not a list with a score from 0 to 180 for X and one for O"),
            "{scores}: {why}"
        );
    }
    let either_way = with(request("j10", ""), "scores", json!([o, x]));
    assert_eq!(ask(&mut Duel::new(), &either_way)["type"], "move");
}

#[test]
fn a_last_play_that_is_none_is_refused() {
    let play =
        |x: Value, y: Value, stone: &str| json!({"coordinate": {"x": x, "y": y}, "stone": stone});
    for last in [
        json!(7),
        json!([]),
        json!({}),
        json!({"coordinate": {"x": 9, "y": 9}}),
        json!({"coordinate": [9, 9], "stone": "X"}),
        play(json!(19), json!(0), "X"),
        play(json!(0), json!(-1), "X"),
        play(json!(0), json!("9"), "X"),
        play(json!(9), json!(9), "Z"),
    ] {
        let why = refused("lastPlay", last.clone());
        assert!(why.starts_with("lastPlay is "), "{last}: {why}");
    }
    let good = with(request("j10", ""), "lastPlay", play(json!(9), json!(9), "X"));
    assert_eq!(ask(&mut Duel::new(), &good)["type"], "move");
}

#[test]
fn a_frame_of_more_than_64_kib_is_refused_unread() {
    let ping = |spaces: usize| format!(r#"{{"type":"ping"{}}}"#, " ".repeat(spaces));
    let fits = 64 * 1024 - ping(0).len();
    assert_eq!(say(&mut Duel::new(), &ping(fits)).unwrap()["type"], "pong");
    assert_eq!(refusal(&ping(fits + 1)), "the frame has 65537 bytes, more than 65536");
}

#[test]
fn a_game_that_is_decided_gets_no_move() {
    let mut duel = Duel::new();
    let five = "d7 e7 f7 g7 h7";
    let scores = |x: u8, o: u8| json!([{"player": "X", "score": x}, {"player": "O", "score": o}]);
    let over = |request: &Value| {
        ["move", "test"].map(|kind| {
            let reply = ask(&mut Duel::new(), &with(request.clone(), "type", json!(kind)));
            error(&reply).to_owned()
        })
    };
    let stays = |player: &str| format!("the game is over: {player} has a five that stays");
    assert_eq!(over(&request(five, "")), [stays("X"), stays("X")]);
    let without_captures = with(request("a1", five), "enableCapture", json!(false));
    assert_eq!(over(&without_captures), [stays("O"), stays("O")]);
    for (pairs, player) in [(scores(5, 0), "X"), (scores(1, 7), "O")] {
        let why = format!("the game is over: {player} has taken enough pairs");
        assert_eq!(over(&with(request("j10", ""), "scores", pairs.clone())), [why.clone(), why]);
        // With captures off, no one has captured anything.
        let free = with(with(request("j10", ""), "scores", pairs), "enableCapture", json!(false));
        assert_eq!(ask(&mut duel, &free)["type"], "move");
    }
    // Two by two, so that the full board has no five.
    let point = |n: usize| renju::Point::from_index(n, 19).unwrap().to_string();
    let (x, o): (Vec<_>, Vec<_>) = (0..361).partition(|n| (n % 19 + 2 * (n / 19)) % 4 < 2);
    let [x, o] =
        [x, o].map(|side: Vec<usize>| side.into_iter().map(point).collect::<Vec<_>>().join(" "));
    let full = "the game is over: the board is full";
    assert_eq!(over(&request(&x, &o)), [full, full]);
    // A finished game can still be discussed.
    let last = json!({"coordinate": {"x": 7, "y": 6}, "stone": "X"});
    let rated = with(with(request(five, ""), "type", json!("evaluate")), "lastPlay", last);
    assert_eq!(ask(&mut duel, &rated)["type"], "evaluate");
}

#[test]
fn the_owner_of_a_five_that_was_not_broken_may_make_the_move_that_shows_it() {
    let reply = ask(&mut Duel::new(), &request("f8 a1", "d7 e7 f7 g7 h7 f6"));
    assert_eq!(reply["type"], "move", "{reply}");
    let row: Vec<&Value> = (3..8).map(|x| &reply["board"][6][x]).collect();
    assert_eq!(row, ["O"; 5]);
}

#[test]
fn a_five_that_a_capture_breaks_is_broken() {
    let mut duel = Duel::new();
    // O captures f6 and f7 from f5, between it and f8, and so breaks the row on rank 7.
    let reply = ask(&mut duel, &request("d7 e7 f7 g7 h7 f6", "f8 a1 a3"));
    assert_eq!(moved(&reply), "f5");
    let captured = json!([{"x": 5, "y": 5, "stone": "X"}, {"x": 5, "y": 6, "stone": "X"}]);
    assert_eq!(reply["capturedStones"], captured);
    assert_eq!(reply["board"], board("d7 e7 g7 h7", "f8 a1 a3 f5"));
    // With captures off the same five has won.
    let off = with(request("d7 e7 f7 g7 h7 f6", "f8 a1 a3"), "enableCapture", json!(false));
    assert_eq!(error(&ask(&mut duel, &off)), "the game is over: X has a five that stays");
}

#[test]
fn the_goal_says_which_pair_wins() {
    let mut duel = Duel::new();
    let scores = json!([{"player": "X", "score": 0}, {"player": "O", "score": 1}]);
    for difficulty in ["easy", "medium", "hard"] {
        // X is about to make five; the second pair at f3 comes first if two are enough.
        let asked = with(request("d3 e3 l10 m10 n10 o10 p14", "c3 k10 k15"), "goal", json!(2));
        let asked = with(with(asked, "scores", scores.clone()), "difficulty", json!(difficulty));
        assert_eq!(moved(&ask(&mut duel, &asked)), "f3", "{difficulty}");
        let asked = with(asked, "goal", json!(5));
        assert_eq!(moved(&ask(&mut duel, &asked)), "p10", "{difficulty}");
    }
}

#[test]
fn the_first_stone_goes_to_the_centre() {
    for (kind, difficulty) in
        [("move", "easy"), ("move", "medium"), ("move", "hard"), ("test", "easy")]
    {
        for next in ["X", "O"] {
            let mut asked = with(request("", ""), "type", json!(kind));
            for (field, value) in [("difficulty", difficulty), ("nextPlayer", next)] {
                asked = with(asked, field, json!(value));
            }
            let reply = ask(&mut Duel::new(), &asked);
            let centre = json!({"coordinate": {"x": 9, "y": 9}, "stone": next});
            assert_eq!(reply["lastPlay"], centre);
        }
    }
}

#[test]
fn what_is_not_said_is_as_in_the_rules_of_the_game() {
    let whole = request("e5 g5 f4 f6 k10", "");
    let short = ["goal", "enableCapture", "enableDoubleThreeRestriction", "lastPlay"]
        .iter()
        .fold(whole.clone(), |request, field| with(request, field, Value::Null));
    let extra = with(short.clone(), "theme", json!("dark"));
    let [whole, short, extra] =
        [whole, short, extra].map(|request| ask(&mut Duel::new(), &request));
    for reply in [&short, &extra] {
        assert_eq!(reply["board"], whole["board"]);
        assert_eq!(reply["search"], whole["search"]);
    }
}

#[test]
fn only_the_debug_socket_tells_about_the_search() {
    let asked = request("j10", "").to_string();
    let plain: Value =
        serde_json::from_str(&Duel::new().answer(&asked, Detail::Plain).unwrap()).unwrap();
    let debug: Value =
        serde_json::from_str(&Duel::new().answer(&asked, Detail::Search).unwrap()).unwrap();
    assert_eq!(plain.get("search"), None);
    let search = &debug["search"];
    assert!(search["depth"].as_u64().unwrap() >= 1 && search["nodes"].as_u64().unwrap() > 1);
    assert_eq!(search["line"][0], moved(&debug));
    assert_eq!(moved(&plain), moved(&debug));
}

#[test]
fn a_point_is_rated_for_both_the_player_to_move_first() {
    let mut duel = Duel::new();
    let mut rate = |x: &str, o: &str, point: &str| {
        let point: renju::Point = point.parse().unwrap();
        let last = json!({"coordinate": {"x": point.x(), "y": point.y()}, "stone": "X"});
        let asked = with(with(request(x, o), "type", json!("evaluate")), "lastPlay", last);
        let reply = ask(&mut duel, &asked);
        let scores = reply["evalScores"].as_array().unwrap().clone();
        assert_eq!((&scores[0]["player"], &scores[1]["player"]), (&json!("O"), &json!("X")));
        let number = |n: usize, field: &str| scores[n][field].as_i64().unwrap();
        [
            (number(0, "evalScores"), number(0, "percentage")),
            (number(1, "evalScores"), number(1, "percentage")),
        ]
    };
    // Rated the same before the stone is placed and after.
    let before = rate("d7 e7 f7 g7", "a1 c9", "h7");
    assert_eq!(before, rate("d7 e7 f7 g7 h7", "a1 c9", "h7"));
    let [o, x] = before;
    assert_eq!(x.1, 100, "the five wins");
    assert!(o.1 < 10 && o.0 < x.0, "{o:?}");
    // A better shape is worth more, and a capture is worth something.
    let [_, three] = rate("d7 e7", "", "f7");
    let [_, four] = rate("d7 e7 f7", "", "g7");
    assert!(0 < three.1 && three.1 < four.1 && four.1 < 100, "{three:?} {four:?}");
    let [capture, _] = rate("d3 e3", "c3", "f3");
    let [nothing, _] = rate("d3 e3", "", "f3");
    assert!(capture.0 > nothing.0);
    // If a double-three is forbidden the point is worth nothing to that player.
    let [_, barred] = rate("e5 g5 f4 f6", "", "f5");
    assert_eq!(barred, (0, 0));
}
