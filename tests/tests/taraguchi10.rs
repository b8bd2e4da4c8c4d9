//! Every transition and swap of Taraguchi-10 over HTTP, offers, retries; those of forbidden moves are in
//! `fouls`.

mod fouls;

use arena_support::{Agent, Match, QUIET_OPENING, Setup, TARAGUCHI, TEN, TestArena, offer, place};
use serde_json::{Value, json};

const SEATS: &str = include_str!("data/taraguchi10_seats.jsonl");

/// Points of the first six stones: in the opening squares, never a shape.
const STONES: [&str; 6] = ["h8", "g7", "f8", "e9", "l5", "a1"];

// "All Taraguchi-10 opening transitions", "Swap correctness"

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_taraguchi_10_opening_transitions_lead_where_the_seats_of_all_48_sequences_say() {
    let arena = TestArena::start().await;
    let rows: Vec<Value> = SEATS.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 48);
    let mut agents = Vec::new();
    for name in (0..2 * rows.len()).map(|number| format!("agent-{number}")) {
        agents.push(Agent::queued(&arena.client, &name, TARAGUCHI).await);
    }
    arena.pair(TARAGUCHI).await;
    // One look at the tables instead of two questions to each agent.
    let seated = arena.audit().await.games;
    let player = |name: &arena::AgentName| {
        agents.iter().find(|agent| agent.name == name.as_str()).unwrap().clone()
    };
    let matches = seated.values().map(|game| {
        let players = &game.header().players;
        let (first, second) = (player(&players.first.name), player(&players.second.name));
        Match { id: game.id().to_string(), first, second }
    });
    let mut games = tokio::task::JoinSet::new();
    for (row, players) in rows.into_iter().zip(matches) {
        games.spawn(follow(row, players));
    }
    while let Some(game) = games.join_next().await {
        game.unwrap();
    }
    let audit = arena.finish().await;
    assert_eq!((audit.live, audit.finished), (48, 0));
}

/// Plays one sequence and checks after every decision who holds what and who must do what.
async fn follow(row: Value, players: Match) {
    let mut black = "p1";
    let mut game = players.game().await;
    for step in row["steps"].as_array().unwrap() {
        let [action, number, player] = [&step[0], &step[1], &step[2]];
        let (action, number) = (action.as_str().unwrap(), number.as_u64().unwrap() as usize);
        let player = player.as_str().unwrap();
        let agent = if player == "p1" { &players.first } else { &players.second };
        let why = format!("sequence {}, {action} {number}: {game}", row["id"]);
        assert_eq!(game["to_act"]["name"], agent.name, "{why}");
        let holder = if black == "p1" { &players.first } else { &players.second };
        assert_eq!(game["players"]["black"]["name"], holder.name, "{why}");
        let legal = game["legal_moves"].as_array().unwrap().len();
        let (phase, points, act) = match action {
            "move" if number < 5 => {
                ("place", [1, 8, 23, 46][number - 1], place(STONES[number - 1]))
            }
            // White's sixth stone may go anywhere.
            "move" if number == 6 => ("play", 220, place(STONES[5])),
            "move" => ("fifth", 77, place(STONES[4])),
            "swap" => ("swap", 0, arena_support::swap(true)),
            "noswap" => ("swap", 0, arena_support::swap(false)),
            "offer10" => ("fifth", 77, offer(&TEN)),
            "pick" => ("choose", 10, place(TEN[3])),
            // The choice is not a decision of its own: the stone or the offer is.
            "choose_A" | "choose_B" => continue,
            other => panic!("{other}"),
        };
        assert_eq!((game["phase"].as_str().unwrap(), legal), (phase, points), "{why}");
        if action == "swap" {
            black = if black == "p1" { "p2" } else { "p1" };
        }
        let turn = game["turn_number"].as_u64().unwrap();
        let after = agent.act(&players.id, turn, act).send().await.ok();
        assert_eq!(after["turn_number"], turn + 1);
        let color = if player == black { "black" } else { "white" };
        assert_eq!(after["you"]["color"], color, "{why}");
        // The reply lists the legal moves only for who is to act.
        assert_eq!(after["legal_moves"].is_array(), after["to_act"]["name"] == agent.name, "{why}");
        game = players.game().await;
    }
    assert_eq!((&game["phase"], &game["move_number"]), (&json!("play"), &json!(6)));
    assert_eq!(row["black"], black);
    assert_eq!(game["turn_color"], "black");
    let holder = if black == "p1" { &players.first } else { &players.second };
    assert_eq!(game["to_act"]["name"], holder.name);
}

#[tokio::test]
async fn swap_correctness_colours_change_and_players_stay() {
    let arena = TestArena::start().await;
    let players = arena.match_up(TARAGUCHI, ["alice", "bob"]).await;
    let game = players.run("h8").await;
    assert_eq!(game["you"], json!({"seat": "first", "color": "black", "name": players.first.name}));
    let game = players.run("swap").await;
    // The same player in the same seat now has the other colour, and it is White's turn.
    assert_eq!(
        game["you"],
        json!({"seat": "second", "color": "black", "name": players.second.name})
    );
    assert_eq!(
        game["to_act"],
        json!({"seat": "first", "color": "white", "name": players.first.name})
    );
    assert_eq!(game["players"]["white"]["name"], players.first.name);
    assert_eq!(game["board"][7], ".......x.......", "the stone stays black");
    let game = players.run("g7 swap f8 keep e9 swap").await;
    assert_eq!(game["players"]["black"]["name"], players.second.name, "three swaps are one");
    // A swap outside its window, a stone inside it and a stone outside the square change nothing.
    let before = players.game().await;
    let swap =
        players.call(&before, arena_support::swap(true)).send().await.problem(422, "illegal_move");
    assert_eq!(swap["reason"], "wrong_phase");
    let far = players.call(&before, place("h13")).send().await.problem(422, "illegal_move");
    assert_eq!((&far["reason"], &far["detail"]), (&json!("outside_area"), &far["detail"]));
    players.run("l5").await;
    let swapping = players.game().await;
    let stone = players.call(&swapping, place("a1")).send().await.problem(422, "illegal_move");
    assert_eq!(stone["reason"], "wrong_phase");
    let game = players.run("swap").await;
    assert_eq!(game["players"]["black"]["name"], players.first.name);
    assert_eq!(game["turn_color"], "white");
    arena.finish().await;
}

// "Offer-10 symmetry enforcement"

#[tokio::test]
async fn offer_10_symmetry_enforcement_refuses_and_the_same_key_may_be_used_again() {
    let arena = TestArena::start().await;
    let players = arena.match_up(TARAGUCHI, ["alice", "bob"]).await;
    let before = players.run(QUIET_OPENING).await;
    let black = players.to_act(&before).clone();
    let with = |last: &'static str| {
        let mut points = TEN;
        points[9] = last;
        points
    };
    let refused: [(&[&str], &str); 6] = [
        (&with("h9"), "offer_symmetric"), // i8 turned by 90°
        (&with("g6"), "offer_symmetric"), // j9 mirrored: (2,1) and (-1,-2)
        (&with("i8"), "offer_twice"),
        (&with("e9"), "occupied"),
        (&TEN[..9], "offer_count"),
        (&with("p8"), "off_board"),
    ];
    for (points, reason) in refused {
        let reply = black.act_with(&players.id, 8, offer(points), "the-offer").send().await;
        let problem = reply.problem(422, "illegal_move");
        assert_eq!(problem["reason"], reason, "{problem}");
        assert_eq!(problem["game"]["turn_number"], 8);
        assert_eq!(problem["game"]["phase"], "fifth");
    }
    let unchanged = players.game().await;
    assert_eq!(unchanged["moves"], before["moves"]);

    let offered = black.act_with(&players.id, 8, offer(&TEN), "the-offer").send().await.ok();
    assert_eq!((&offered["phase"], &offered["turn_number"]), (&json!("choose"), &json!(9)));
    let names: Vec<&str> = offered["offer10_candidates"]
        .as_array()
        .unwrap()
        .iter()
        .map(|point| point["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, TEN);
    // Only what was offered can be chosen, by the opponent, and no swap follows.
    let white = players.other(&black);
    assert_eq!(offered["to_act"]["name"], white.name);
    let reply = white.act(&players.id, 9, place("a1")).send().await;
    assert_eq!(reply.problem(422, "illegal_move")["reason"], "not_offered");
    let chosen = white.act(&players.id, 9, place("k9")).send().await.ok();
    assert_eq!((&chosen["phase"], &chosen["turn_color"]), (&json!("play"), &json!("white")));
    assert_eq!(chosen["moves"][9]["kind"], "choose");
    assert_eq!(chosen["moves"][9]["color"], "black");
    arena.finish().await;
}

// "Agent restart mid-game"

#[tokio::test]
async fn agent_restart_mid_game_the_key_alone_is_enough_at_every_turn() {
    let arena = TestArena::start().await;
    let players = arena.match_up(TARAGUCHI, ["alice", "bob"]).await;
    let keys = [&players.first, &players.second].map(|agent| agent.key.clone());
    for turn in 0..14 {
        // Nothing is known but the keys: not even whose turn it is.
        let mut acted = 0;
        for key in &keys {
            let agent = Agent::with_key(&arena.client, "?", key);
            let me = agent.me().await;
            assert_eq!(json!([me["status"], me["active_game"]]), json!(["playing", players.id]));
            if me["your_turn"] != true {
                continue;
            }
            let game = agent.game(me["active_game"].as_str().unwrap()).await;
            let wanted = &game["required_action"];
            assert_eq!(game["turn_number"], turn);
            let call = agent.post(wanted["path"].as_str().unwrap()).json(&wanted["example"]);
            assert_eq!(call.send().await.ok()["turn_number"], turn + 1);
            acted += 1;
            break;
        }
        assert_eq!(acted, 1, "somebody must act at turn {turn}");
    }
    arena.finish().await;
}

#[tokio::test]
async fn agent_restart_after_a_game_ended_shows_the_last_game() {
    let arena = TestArena::with(Setup::default()).await;
    let players = arena.match_up(TARAGUCHI, ["alice", "bob"]).await;
    players.run("h8 resign").await;
    let me = players.first.me().await;
    assert_eq!((&me["status"], &me["last_game"]), (&json!("idle"), &json!(players.id)));
    assert_eq!(me["active_game"], Value::Null);
    arena.finish().await;
}

// "Duplicate move submissions"

#[tokio::test]
async fn duplicate_move_submissions_get_the_first_answer_byte_for_byte_for_ever() {
    let arena = TestArena::start().await;
    let players = arena.match_up(TARAGUCHI, ["alice", "bob"]).await;
    let mut sent = Vec::new();
    let ten = TEN.join(",");
    let script = format!("h8 swap g7 keep f8 swap e9 keep {ten} j9 m13 g8 m14 i8 b2 j8");
    let mut game = players.game().await;
    for word in script.split_whitespace() {
        let call = players.call(&game, arena_support::Act::parse(word));
        let first = call.send().await;
        assert!(!first.is_replay());
        game = first.ok();
        let again = call.send().await;
        assert!(again.is_replay());
        assert_eq!(again.body, first.body, "at once");
        sent.push((call, first));
    }
    assert_eq!(game["status"], "over");
    // Many turns later, and after the game has ended.
    for (call, first) in &sent {
        let again = call.send().await;
        assert_eq!((again.status, &again.body), (200, &first.body));
        assert!(again.is_replay());
        assert_eq!(again.header("content-type"), first.header("content-type"));
    }
    assert_eq!(players.game().await["turn_number"], sent.len());
    arena.finish().await;
}
