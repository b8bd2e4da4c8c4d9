//! Views as agents see them, kept in `data/`. `UPDATE_EXPECT=1` rewrites them; review the diff.

#![allow(clippy::unwrap_used)]

mod support;

use arena::{
    Actor, Agent, AgentName, Decision, Division, Game, HouseLevel, Intent, Join, KeyHash, Opponent,
    Pace, Player, Pool, Rating, Rejection, Standing, Submission, Tag, TicketId, Timestamp,
    TurnNumber, Wanted,
};
use arena_wire::{
    AgentView, Code, Detail, GameView, GamesView, HealthView, KeyView, LeaderboardView, MeView,
    Problem, QueueView, RegisteredView, RulesView, board_text, json, parse,
};
use expect_test::{ExpectFile, expect_file};
use renju::{Ruleset, Seat};
use serde::Serialize;
use serde::de::DeserializeOwned;
use support::{START, game, random_game};

/// Compares the view with the file, and with itself after it was read back.
fn check<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(
    view: &T,
    expected: ExpectFile,
) {
    let text = serde_json::to_string_pretty(view).unwrap() + "\n";
    expected.assert_eq(&text);
    assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), view);
}

fn seen<'a>(game: &'a Game, viewer: Option<Seat>, detail: Detail) -> GameView<'a> {
    GameView::new(game, viewer, game.last_at().plus(1_234), detail)
}

const TARAGUCHI: &str = "renju_taraguchi10_international";
const OFFERED: &str = "h8 keep h9 swap i9 keep k8 keep offer:g8,g7,f8,i10,j10,h5,e9,e6,k11,l8";
const DOUBLE_THREE: &str = "g8 a1 i8 a15 h9 o1 h7 o15";
const CAPTURE: &str = "j10 k11 i9 l12 j9 k9 m13";

#[test]
fn the_first_turn_of_a_player() {
    let game = game(TARAGUCHI, "");
    check(&seen(&game, Some(Seat::First), Detail::FULL), expect_file!["data/first_turn.json"]);
}

#[test]
fn a_house_bot_is_shown_with_its_level() {
    let mut header = game(TARAGUCHI, "").header().clone();
    header.players.second = Player::house_bot(HouseLevel::ALL[3]);
    let game = support::play(&Game::start(header), "h8".parse().unwrap(), 1_500);
    let view = seen(&game, Some(Seat::First), Detail::BRIEF);
    check(&view.players, expect_file!["data/house_players.json"]);
    let page = board_text(&game, None, game.last_at());
    assert!(page.contains("o is white: house-3, 1500 ± 45, house bot\n"), "{page}");
    assert!(page.contains("house-3 (white) is to act"), "{page}");
    check(&AgentView::house_bot(HouseLevel::ALL[3]), expect_file!["data/house_bot.json"]);
}

#[test]
fn a_swap_decision() {
    let game = game(TARAGUCHI, "h8 keep h9");
    let seat = game.to_act();
    check(&seen(&game, seat, Detail::BRIEF), expect_file!["data/swap.json"]);
}

#[test]
fn a_fifth_move_or_an_offer() {
    let game = game(TARAGUCHI, "h8 keep h9 swap i9 keep k8 keep");
    let seat = game.to_act();
    check(&seen(&game, seat, Detail::BRIEF), expect_file!["data/fifth.json"]);
}

#[test]
fn a_choice_of_ten() {
    let game = game(TARAGUCHI, OFFERED);
    let seat = game.to_act();
    check(&seen(&game, seat, Detail::FULL), expect_file!["data/choose.json"]);
}

#[test]
fn free_play_with_a_forbidden_point_for_a_spectator() {
    let game = game("renju_free", DOUBLE_THREE);
    check(&seen(&game, None, Detail::BRIEF), expect_file!["data/spectator.json"]);
}

#[test]
fn a_foul_is_proved_in_the_result() {
    let game = game("renju_free", &format!("{DOUBLE_THREE} h8"));
    check(&seen(&game, Some(Seat::First), Detail::FULL), expect_file!["data/foul.json"]);
}

#[test]
fn captured_pairs_are_shown() {
    let game = game("gomoku_capture", CAPTURE);
    check(&seen(&game, None, Detail::BRIEF), expect_file!["data/capture.json"]);
}

#[test]
fn a_declaration_and_its_offer() {
    let game = game("renju_soosorv8", "h8 h9 i9 keep k8 declare:2 swap");
    let seat = game.to_act();
    check(&seen(&game, seat, Detail::BRIEF), expect_file!["data/offer.json"]);
}

#[test]
fn every_field_of_the_design_is_there() {
    let game = game(TARAGUCHI, "h8");
    let view = serde_json::to_value(seen(&game, game.to_act(), Detail::FULL)).unwrap();
    let fields = "ruleset, game_id, status, phase, board, turn_color, turn_number, move_number, \
                  to_act, you, required_action, legal_moves, forbidden_moves, offer10_candidates, \
                  turn_deadline_at, server_time, poll_after_ms, players, moves, result";
    for field in fields.split(", ") {
        assert!(view.get(field).is_some(), "{field}");
    }
}

#[test]
fn lists_and_schemas_that_nobody_asked_for_are_left_out() {
    let game = game(TARAGUCHI, "h8 keep h9 swap i9 keep k8 keep");
    let view = |detail| serde_json::to_value(seen(&game, game.to_act(), detail)).unwrap();
    let mut full = view(Detail::FULL);
    let least = view(Detail { legal: false, moves: false, schema: false });
    for (field, value) in least.as_object().unwrap() {
        assert!(field == "required_action" || full[field] == *value, "{field}");
    }
    let fields = full.as_object_mut().unwrap();
    fields.retain(|field, _| least.get(field).is_none());
    assert!(fields.keys().eq(["legal_moves", "moves"]), "{fields:?}");
    let required = &least["required_action"];
    assert_eq!((required.get("schema"), required["alternatives"][0].get("schema")), (None, None));
    assert!(required["example"].is_object() && required["alternatives"][0]["example"].is_object());
}

#[test]
fn the_summary_names_the_list_of_legal_moves_only_where_it_is() {
    let summary = |plays: &str, detail| {
        let game = game("renju_free", plays);
        seen(&game, game.to_act(), detail).required_action.unwrap().action.summary
    };
    let listed = "place a black stone on a point of legal_moves";
    let empty = "place a black stone on an empty point";
    assert_eq!(summary("", Detail::FULL), listed);
    assert_eq!(summary("", Detail::BRIEF), empty);
    assert_eq!(summary(DOUBLE_THREE, Detail::FULL), listed);
    assert_eq!(summary(DOUBLE_THREE, Detail::BRIEF), format!("{empty} that is not forbidden"));
    let opening = game(TARAGUCHI, "h8 keep");
    let view = seen(&opening, opening.to_act(), Detail::BRIEF);
    let summary = view.required_action.unwrap().action.summary;
    assert_eq!(summary, "place a white stone in the 3×3 square around h8, on an empty point");
}

#[test]
fn pages_are_pleasant_to_read() {
    let page = |game: &Game, viewer| board_text(game, viewer, game.last_at().plus(1_234));
    let choice = game(TARAGUCHI, OFFERED);
    expect_file!["data/choose.txt"].assert_eq(&page(&choice, choice.to_act()));
    let fifth = game(TARAGUCHI, "h8 keep h9 swap i9 keep k8 keep");
    expect_file!["data/fifth.txt"].assert_eq(&page(&fifth, fifth.to_act()));
    let forbidden = game("renju_free", DOUBLE_THREE);
    expect_file!["data/forbidden.txt"].assert_eq(&page(&forbidden, Some(Seat::Second)));
    let foul = game("renju_free", &format!("{DOUBLE_THREE} h8"));
    expect_file!["data/foul.txt"].assert_eq(&page(&foul, None));
    let capture = game("gomoku_capture", CAPTURE);
    expect_file!["data/capture.txt"].assert_eq(&page(&capture, None));
    expect_file!["data/start.txt"].assert_eq(&page(&game(TARAGUCHI, ""), Some(Seat::First)));
}

#[test]
fn a_repeated_submission_gets_the_same_bytes() {
    let reply =
        |game: &Game, seat| json(&GameView::new(game, Some(seat), game.last_at(), Detail::FULL));
    for ruleset in Ruleset::ALL {
        let now = random_game(11, ruleset, 30);
        for turn in 0..now.turn().0 {
            let before = now.at(TurnNumber(turn));
            let seat = before.to_act().unwrap();
            let entry = now.log()[turn as usize];
            let arena::Action::Play(play) = entry.action else { continue };
            let submission =
                Submission { intent: Intent::Play(TurnNumber(turn), play), tag: entry.tag };
            let at = before.last_at().plus(i64::from(entry.elapsed) * 10 + 7);
            let Ok(Decision::Commit(first)) =
                before.apply(Actor::Seat(seat), submission, at, &Pace::STANDARD)
            else {
                panic!("turn {turn} was accepted before");
            };
            let Ok(Decision::Replay(found)) =
                now.apply(Actor::Seat(seat), submission, at.plus(99_999), &Pace::STANDARD)
            else {
                panic!("turn {turn} is a repetition");
            };
            let again = now.at(TurnNumber(found.0 + 1));
            assert_eq!(reply(&first, seat), reply(&again, seat));
        }
    }
}

#[test]
fn every_view_of_random_games_is_read_back() {
    for ruleset in Ruleset::ALL {
        for seed in 0..20 {
            let game = random_game(seed, ruleset, 1 + 3 * seed as usize);
            for viewer in [None, Some(Seat::First), Some(Seat::Second)] {
                let view = seen(&game, viewer, Detail::FULL);
                let bytes = json(&view);
                assert_eq!(serde_json::from_slice::<GameView>(&bytes).unwrap(), view);
                let legal = view.legal_moves.unwrap();
                for point in &legal {
                    let place = renju::Play::Place(point.0);
                    assert!(game.position().play(place).is_ok());
                }
                assert!(view.forbidden_moves.iter().all(|foul| !legal.contains(&foul.point)));
            }
        }
    }
}

#[test]
fn problems_carry_the_game() {
    let game = game(TARAGUCHI, "h8");
    let view = GameView::new(&game, Some(Seat::First), game.last_at(), Detail::BRIEF);
    let why = Rejection::TurnMismatch { current: TurnNumber(1), already_applied: true };
    let problem = Problem::rejected(&why, 409).with_game(view);
    check(&problem, expect_file!["data/turn_mismatch.json"]);

    let malformed = parse::<arena_wire::DeclareRequest>(br#"{"fifths": -1}"#).unwrap_err();
    check(&Problem::malformed(&malformed, 400), expect_file!["data/malformed.json"]);

    let cool = Problem::new(Code::CoolingDown, 429, "you may join again in 60 s");
    check(&cool.with_retry_after(60_000), expect_file!["data/cooling_down.json"]);
}

#[test]
fn the_referee_proves_its_verdicts() {
    let ask = |body: &str| RulesView::of(&parse(body.as_bytes()).unwrap());
    let moves: Vec<String> = DOUBLE_THREE.split(' ').map(|play| format!("{play:?}")).collect();
    let body =
        format!(r#"{{"ruleset": "renju_free", "moves": [{}], "point": "h8"}}"#, moves.join(","));
    let view = ask(&body);
    assert_eq!(view.points[7], "......x3x......");
    let verdict = view.verdict.clone().unwrap();
    assert!(!verdict.legal && verdict.explanation.is_some());
    let brief = RulesView { legal_moves: Vec::new(), ..view };
    check(&brief, expect_file!["data/rules_double_three.json"]);

    let taken = ask(r#"{"ruleset": "renju_free", "moves": ["h8"], "point": "h8"}"#);
    check(&taken.verdict.unwrap(), expect_file!["data/rules_occupied.json"]);

    let won = ask(r#"{"ruleset": "gomoku_freestyle", "size": 5,
        "position": {"board": "xxxx.oooo................", "to_move": "x"}, "point": "e1"}"#);
    assert_eq!(won.points, [".....", ".....", ".....", "oooo.", "xxxx5"]);
    check(&won, expect_file!["data/rules_five.json"]);
}

fn agent(name: &str) -> Agent {
    let mut agent = Agent::register(name.parse().unwrap(), KeyHash([1; 32]), START);
    agent.bio = Some("counts to <b>five</b>".into());
    agent.owner = Some("secret owner".into());
    agent
}

fn division() -> Division {
    Division { ruleset: &Ruleset::ALL[0], pool: Pool::Fast }
}

fn standing(won: u32, rated_at: Timestamp) -> Standing {
    let rating = Rating { value: 1580.0, deviation: 64.0, ..Rating::NEW };
    let rated_at = Some(rated_at);
    Standing { rating, won, lost: 3, drawn: 1, timeouts: 2, rated_at, ..Standing::NEW }
}

#[test]
fn an_agent_sees_what_it_is_doing() {
    let now = START.plus(5_000);
    let alice = agent("alice");
    check(&RegisteredView::new(&alice, "rk1_alice_x"), expect_file!["data/registered.json"]);
    check(&KeyView::rotated("rk1_alice_y", now), expect_file!["data/key.json"]);

    let standings = [(division(), standing(9, START))];
    let idle = MeView::new(&alice, None, &standings, now);
    check(&idle, expect_file!["data/me_idle.json"]);

    let wanted =
        Wanted { division: division(), opponent: Opponent::Anyone, rated: true, tag: None };
    let Ok(Join::Commit(plan, ticket)) = alice.join(wanted, &Standing::NEW, None, START) else {
        panic!("alice is free to join");
    };
    let [arena::Write::Join { waiting, .. }] = &plan.writes[..] else { panic!("one write") };
    let queued = Agent { waiting: Some(*waiting), epoch: 1, ..alice.clone() };
    check(&QueueView::of(&queued, None, now), expect_file!["data/queued.json"]);
    assert_eq!(QueueView::of(&queued, None, now), QueueView::waiting(&ticket, waiting, now));

    let live = game(TARAGUCHI, "h8");
    let playing = Agent { game: Some(live.id()), ..alice.clone() };
    check(&MeView::new(&playing, Some(&live), &[], now), expect_file!["data/me_playing.json"]);
    let bob = Agent { game: Some(live.id()), ..agent("bob") };
    assert!(QueueView::of(&bob, Some(&live), now).your_turn);

    let over = game("renju_free", &format!("{DOUBLE_THREE} h8"));
    let cooling =
        Agent { game: Some(over.id()), cool_until: Some(now.plus(60_000)), ..alice.clone() };
    let spent = TicketId { agent: alice.name.clone(), epoch: 1 };
    let view = QueueView::of(&cooling, Some(&over), now).with_spent(&spent);
    check(&view, expect_file!["data/cooling.json"]);
}

#[test]
fn nobody_sees_an_owner_or_a_tag() {
    let alice = agent("alice");
    let view = AgentView::new(&alice, &[(division(), standing(9, START))], START.plus(5_000));
    check(&view, expect_file!["data/agent.json"]);
    let game = game(TARAGUCHI, OFFERED);
    let texts = [
        json(&view),
        json(&MeView::new(&alice, None, &[], START)),
        json(&seen(&game, Some(Seat::First), Detail::FULL)),
        board_text(&game, None, START).into_bytes(),
    ];
    let tag = Tag::of(&alice.name, "key-0");
    for text in texts.map(|bytes| String::from_utf8(bytes).unwrap()) {
        for secret in ["secret owner", "key-0", &format!("{:?}", tag.0)] {
            assert!(!text.contains(secret), "{text}");
        }
    }
}

#[test]
fn lists_go_on() {
    let games = [game(TARAGUCHI, OFFERED), game("renju_free", &format!("{DOUBLE_THREE} h8"))];
    check(&GamesView::of(&games, Some("abc".into())), expect_file!["data/games.json"]);

    let names: Vec<AgentName> = ["alice", "bob"].map(|name| name.parse().unwrap()).into();
    let standings = [standing(9, START), standing(4, START.plus(-86_400_000))];
    let board = LeaderboardView::of(division(), names.iter().zip(&standings), 20, |_| None, START);
    check(&board, expect_file!["data/leaderboard.json"]);
    // After a year without a game nothing certain is known of them.
    let later = START.plus(365 * 86_400_000);
    let board = LeaderboardView::of(division(), names.iter().zip(&standings), 0, |_| None, later);
    assert_eq!(board.rows, []);
    check(&HealthView::ok("0.1.0", START), expect_file!["data/health.json"]);
}
