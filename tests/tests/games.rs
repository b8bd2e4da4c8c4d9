//! Whole games.

use arena_support::TestArena;
use arena_tests::first_game;

#[tokio::test]
async fn two_scripted_agents_register_queue_are_matched_play_a_whole_taraguchi_10_game_with_swaps_and_offers_and_see_ratings_move()
 {
    let arena = TestArena::start().await;
    let mut said = Vec::new();
    let mut say = |line: &str| said.push(line.to_owned());
    let played = first_game::play(&arena.client.base(), ["asta", "bruno"], &mut say).await;
    assert_eq!(played.game["result"]["reason"], "five");
    let kinds: Vec<&str> = played.game["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds.iter().filter(|kind| **kind == "swap").count(), 2);
    assert!(kinds.contains(&"offer") && kinds.contains(&"choose"));
    let [winner, loser] = [&played.winner, &played.loser];
    for me in [winner, loser] {
        assert_eq!(me[0]["ratings"], serde_json::json!([]));
        assert_eq!(me[1]["status"], "idle");
        assert_eq!(me[1]["ratings"][0]["games"], 1);
    }
    let rating = |me: &[serde_json::Value; 2]| me[1]["ratings"][0]["rating"].as_f64().unwrap();
    assert!(rating(winner) > 1600.0 && rating(loser) < 1400.0, "{winner:?} {loser:?}");
    assert!(said.iter().any(|line| line.contains("rating 1500 →")));
    let audit = arena.finish().await;
    assert_eq!((audit.agents, audit.finished, audit.standings), (2, 1, 2));
}

#[tokio::test]
async fn every_ruleset_is_played_by_following_the_examples_of_required_action() {
    let arena = TestArena::start().await;
    for (index, ruleset) in renju::Ruleset::ALL.iter().enumerate() {
        let names = [format!("left-{index}"), format!("right-{index}")];
        let players = arena.match_up(ruleset.id, [&names[0], &names[1]]).await;
        let mut name = players.game().await["to_act"]["name"].clone();
        for turn in 0..12 {
            let agent = players.player(&name);
            let wanted = agent.game(&players.id).await["required_action"].clone();
            let call = agent.post(wanted["path"].as_str().unwrap()).json(&wanted["example"]);
            let after = call.send().await.ok();
            assert_eq!(after["turn_number"], turn + 1, "{}", ruleset.id);
            assert_eq!(after["status"], "live", "{}", ruleset.id);
            name = after["to_act"]["name"].clone();
        }
        players.first.resign(&players.id).await;
    }
    let audit = arena.finish().await;
    assert_eq!(audit.finished, renju::Ruleset::ALL.len());
}
