//! House bots: who is seated with one, whole games against them, and what may go wrong between.

use arena_support::{Agent, Directory, Match, Process, Setup, TARAGUCHI, TestArena, eventually};
use serde_json::{Value, json};

use crate::restart::PROGRAM;

/// An arena in which a house bot comes after this long.
async fn arena(house_after_ms: i64) -> TestArena {
    TestArena::with(Setup { house_after_ms: Some(house_after_ms), ..Setup::default() }).await
}

/// The same, but no message is delivered by itself.
async fn silent() -> TestArena {
    let house_after_ms = Some(3_600_000);
    TestArena::with(Setup { house_after_ms, messages: false, ..Setup::default() }).await
}

async fn join(agent: &Agent, ruleset: &str, house: Value) -> Value {
    let body = json!({"ruleset": ruleset, "house": house});
    agent.post("/queue/join").json(&body).send().await.ok()
}

/// The house bot in a game, and the other one's name.
fn house(game: &Value) -> (Value, String) {
    let [black, white] = [&game["players"]["black"], &game["players"]["white"]];
    let (house, agent) =
        if black["house_level"].is_null() { (white, black) } else { (black, white) };
    (house.clone(), agent["name"].as_str().unwrap().to_owned())
}

/// The game once the agent is to act or it is over.
async fn my_turn(agent: &Agent, id: &str) -> Value {
    eventually("the house bot acts", 60, || async {
        let game = agent.get(&format!("/games/{id}?wait=10")).send().await.ok();
        (game["status"] == "over" || !game["required_action"].is_null()).then_some(game)
    })
    .await
}

/// Decides as the game asks; stones go to the first free point from a1 on, which soon make a row.
async fn act(agent: &Agent, game: &Value) -> Value {
    let wanted = &game["required_action"];
    let mut body = wanted["example"].clone();
    let order = |point: &&Value| (point["y"].as_u64(), point["x"].as_u64());
    let legal = game["legal_moves"].as_array().unwrap().iter().min_by_key(order);
    if let (Some(_), Some(point)) = (body.get("point"), legal) {
        body["point"] = point["name"].clone();
    }
    agent.post(wanted["path"].as_str().unwrap()).json(&body).send().await.ok()
}

/// Plays to the end.
async fn play(agent: &Agent, id: &str) -> Value {
    loop {
        let game = my_turn(agent, id).await;
        if game["status"] == "over" {
            return game;
        }
        act(agent, &game).await;
    }
}

#[tokio::test]
async fn an_agent_alone_in_the_arena_gets_a_house_bot_near_its_rating_after_a_while() {
    let arena = arena(2_500).await;
    let [alice] = arena.agents(["alice"]).await;
    let joined = alice.join(TARAGUCHI).await;
    arena.pair(TARAGUCHI).await;
    assert_eq!(json!([joined["status"], alice.me().await["status"]]), json!(["queued", "queued"]));
    let id = alice.seated().await;
    let game = alice.game(&id).await;
    let (bot, other) = house(&game);
    assert_eq!(other, "alice");
    assert_eq!((&bot["name"], &bot["house_level"]), (&json!("house-3"), &json!(3)));
    assert_eq!((&bot["provisional"], &bot["deviation"]), (&json!(false), &json!(45.0)));

    let page = alice.get(&format!("/games/{id}?format=text")).send().await;
    let page = page.text();
    assert!(page.contains(": house-3, 1500 ± 45, house bot\n"), "{page}");
    let list = arena.client.get("/games?status=live").send().await.ok();
    assert_eq!(house(&list["games"][0]).0["name"], "house-3");

    let over = alice.resign(&id).await.ok();
    assert_eq!(over["result"]["winner_name"], "house-3");
    assert_eq!(arena.results(&alice, TARAGUCHI).await, [0, 1, 0]);
    let audit = arena.finish().await;
    assert_eq!((audit.agents, audit.standings, audit.finished), (1, 1, 1));
}

#[tokio::test]
async fn a_house_bot_has_a_page_and_a_name_that_nobody_can_take() {
    let arena = arena(3_600_000).await;
    let page = arena.client.get("/agents/house-6").send().await.ok();
    assert_eq!((&page["name"], &page["house"]["level"]), (&json!("house-6"), &json!(6)));
    assert!(page["house"]["rating"].as_f64().unwrap() > 1500.0, "{page}");
    arena.client.get("/agents/house-7").send().await.problem(404, "not_found");
    let games = arena.client.get("/agents/house-6/games").send().await;
    assert!(games.problem(404, "not_found")["detail"].as_str().unwrap().contains("house bot"));
    for name in ["house-3", "House-99", "house-of-cards"] {
        let call = arena.client.post("/agents/register").json(&json!({ "name": name }));
        call.send().await.problem(400, "invalid_name");
    }
    let [alice] = arena.agents(["alice"]).await;
    for (house, said) in [(json!(7), "7"), (json!("2"), "\"2\""), (json!([]), "[]")] {
        let call = alice.post("/queue/join").json(&json!({ "house": house }));
        let problem = call.send().await.problem(400, "malformed");
        let wanted = format!("house is {said}, not true, false or a level from 0 to 6");
        assert_eq!(problem["detail"], wanted);
    }
    assert_eq!(alice.me().await["status"], "idle");
    arena.finish().await;
}

#[tokio::test]
async fn where_there_are_no_house_bots_nobody_waits_for_one() {
    let arena = TestArena::start().await;
    let [alice] = arena.agents(["alice"]).await;
    let asked = alice.post("/queue/join").json(&json!({"house": 2})).send().await;
    asked.problem(400, "malformed");
    assert_eq!(join(&alice, TARAGUCHI, json!(true)).await["status"], "queued");
    arena.pair(TARAGUCHI).await;
    assert_eq!(alice.me().await["status"], "queued");
    arena.finish().await;
}

#[tokio::test]
async fn who_wants_agents_only_is_never_seated_with_a_house_bot() {
    let arena = arena(100).await;
    let [alice, bob] = arena.agents(["alice", "bob"]).await;
    join(&alice, "renju_free", json!(false)).await;
    for _ in 0..4 {
        tokio::time::sleep(std::time::Duration::from_millis(400)).await;
        arena.pair("renju_free").await;
        assert_eq!(alice.me().await["status"], "queued");
    }
    // Whoever comes is hers at once, although a house bot would do for him too.
    join(&bob, "renju_free", json!(true)).await;
    arena.pair("renju_free").await;
    Match::of([alice, bob]).await;
    arena.finish().await;
}

#[tokio::test]
async fn a_level_that_is_asked_for_sits_down_at_once_and_keeps_agents_away() {
    let arena = silent().await;
    let [alice, bob] = arena.agents(["alice", "bob"]).await;
    join(&bob, "renju_free", json!(true)).await;
    join(&alice, "renju_free", json!(2)).await;
    arena.pair("renju_free").await;
    let id = alice.seated().await;
    let (bot, agent) = house(&alice.game(&id).await);
    assert_eq!((&bot["name"], agent.as_str()), (&json!("house-2"), "alice"));
    assert_eq!(bob.me().await["status"], "queued");
    arena.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whole_games_are_played_in_every_ruleset_and_rated_for_the_agent_alone() {
    let arena = arena(3_600_000).await;
    // The weakest loses to a row, the others win; the strongest plays where games are short.
    let levels = [3, 4, 2, 5, 0, 6, 1, 4, 3, 2, 4];
    assert_eq!(levels.len(), renju::Ruleset::ALL.len());
    let mut games = tokio::task::JoinSet::new();
    for (index, (ruleset, level)) in renju::Ruleset::ALL.iter().zip(levels).enumerate() {
        let agent = Agent::register(&arena.client, &format!("agent-{index}")).await;
        join(&agent, ruleset.id, json!(level)).await;
        games.spawn(async move {
            let id = agent.seated().await;
            (ruleset.id, level, play(&agent, &id).await)
        });
    }
    while let Some(played) = games.join_next().await {
        let (ruleset, level, game) = played.unwrap();
        let (bot, agent) = house(&game);
        assert_eq!(bot["house_level"], level, "{ruleset}");
        // A win over a bot far below a newcomer's 1500 points gives nothing.
        let won_easily = level < 2 && game["result"]["winner_name"] == agent;
        assert_eq!(game["result"]["rated"], !won_easily, "{ruleset}: {}", game["result"]);
        let why = if won_easily { json!("rating_gap") } else { json!(null) };
        assert_eq!((&game["counted"], &game["why"]), (&json!(!won_easily), &why), "{ruleset}");
        let reason = game["result"]["reason"].as_str().unwrap();
        assert!(["five", "pairs", "board_full"].contains(&reason), "{ruleset}: {reason}");
        if level >= 3 {
            assert_eq!(game["result"]["winner_name"], bot["name"], "{ruleset}");
        }
        let profile = arena.client.get(&format!("/agents/{agent}")).send().await.ok();
        assert_eq!(profile["ratings"][0]["games"], u8::from(!won_easily), "{ruleset}");
    }
    let audit = arena.finish().await;
    let all = levels.len();
    assert_eq!((audit.finished, audit.live, audit.standings), (all, 0, all));
}

/// A game in which the house bot has the first seat, and is to act.
async fn house_to_act(arena: &TestArena, level: u8) -> (Agent, String) {
    for number in 0..40 {
        let agent = Agent::register(&arena.client, &format!("agent-{number}")).await;
        join(&agent, "renju_free", json!(level)).await;
        arena.pair("renju_free").await;
        let id = agent.seated().await;
        if agent.game(&id).await["to_act"]["name"] == format!("house-{level}") {
            return (agent, id);
        }
    }
    panic!("the toss always falls the same way");
}

#[tokio::test]
async fn a_call_heard_by_five_at_once_is_one_decision_and_an_old_one_is_none() {
    let arena = silent().await;
    let (agent, id) = house_to_act(&arena, 0).await;
    let call = format!("house {id} 0");
    let bodies = [call.as_str()];
    let hear = || arena.call_house(&bodies);
    let (a, b, c, d, e) = tokio::join!(hear(), hear(), hear(), hear(), hear());
    assert_eq!([a, b, c, d, e].concat(), Vec::<usize>::new());
    let game = agent.game(&id).await;
    assert_eq!((&game["turn_number"], &game["to_act"]["name"]), (&json!(1), &json!(agent.name)));
    // Another batch, with what cannot be handled: only that comes again.
    let failed = arena.call_house(&[&call, "house", "sweep", &call]).await;
    assert_eq!(failed, [1, 2]);
    assert_eq!(agent.game(&id).await["turn_number"], 1);
    arena.finish().await;
}

#[tokio::test]
async fn a_call_that_comes_before_its_turn_waits_for_it() {
    let arena = silent().await;
    let (agent, id) = house_to_act(&arena, 1).await;
    arena.call_house(&[&format!("house {id} 0")]).await;
    let early = format!("house {id} 2");
    let bodies = [early.as_str()];
    let (failed, _) = tokio::join!(arena.call_house(&bodies), async {
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        act(&agent, &agent.game(&id).await).await
    });
    assert_eq!(failed, Vec::<usize>::new());
    assert_eq!(agent.game(&id).await["turn_number"], 3);
    // A turn that does not come within seconds is dropped, and so is one of a game that is over.
    let early = format!("house {id} 4");
    let bodies = [early.as_str()];
    let dropped =
        tokio::time::timeout(std::time::Duration::from_secs(60), arena.call_house(&bodies));
    assert_eq!(dropped.await.expect("it waits for ever"), Vec::<usize>::new());
    agent.resign(&id).await.ok();
    assert_eq!(arena.call_house(&[&format!("house {id} 9")]).await, Vec::<usize>::new());
    assert_eq!(arena.call_house(&["sweep"]).await, [0], "not for house bots: kept for an alarm");
    arena.finish().await;
}

#[tokio::test]
async fn a_house_bot_that_is_never_called_costs_the_agent_nothing() {
    let setup = Setup {
        house_after_ms: Some(3_600_000),
        messages: false,
        turn_ms: Some(3_000),
        ..Setup::default()
    };
    let arena = TestArena::with(setup).await;
    let (agent, id) = house_to_act(&arena, 4).await;
    let over = eventually("whoever looks ends it", 60, || async {
        let game = agent.game(&id).await;
        (game["status"] == "over").then_some(game)
    })
    .await;
    let result = &over["result"];
    assert_eq!((&result["reason"], &result["rated"]), (&json!("no_show"), &json!(false)));
    assert_eq!(join(&agent, "renju_free", json!(true)).await["status"], "queued");
    assert_eq!(arena.results(&agent, "renju_free").await, [0, 0, 0]);
    arena.finish().await;
}

#[tokio::test]
async fn a_server_killed_while_the_house_bot_thinks_goes_on_with_the_game_when_it_is_up_again() {
    let data = Directory::new("house");
    let arguments = ["--data", data.path(), "--sweep-seconds", "86400", "--house-seconds", "1"];
    let mut process = Process::start(PROGRAM, &arguments).await;
    let mut agent = Agent::register(&process.client, "alice").await;
    join(&agent, "gomoku_freestyle", json!(6)).await;
    let id = agent.seated().await;
    let mut interrupted = false;
    while !interrupted {
        let game = my_turn(&agent, &id).await;
        assert_eq!(game["status"], "live", "the house bot was never caught thinking");
        let turn = act(&agent, &game).await["turn_number"].clone();
        process.kill().await;
        process = Process::start(PROGRAM, &arguments).await;
        agent = Agent::with_key(&process.client, "alice", &agent.key);
        interrupted = agent.game(&id).await["turn_number"] == turn;
    }
    // Its call died with the process, and nobody looks at the game: the list does not call a bot.
    // The next sweep is a day away, the game's timer minutes. So the start has called it.
    eventually("the house bot acts", 120, || async {
        let list = process.client.get("/games?status=live").send().await.ok();
        (list["games"][0]["to_act"]["name"] == "alice").then_some(())
    })
    .await;
    let game = my_turn(&agent, &id).await;
    assert_eq!(game["moves"].as_array().unwrap().last().unwrap()["kind"], "place");
    let over = play(&agent, &id).await;
    assert_eq!(json!([over["result"]["reason"], over["result"]["rated"]]), json!(["five", true]));
    let me = agent.me().await;
    assert_eq!((&me["status"], &me["ratings"][0]["games"]), (&json!("idle"), &json!(1)));
}
