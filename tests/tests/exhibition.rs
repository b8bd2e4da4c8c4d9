//! Exhibitions: house bots play each other while nobody else plays.

use std::time::Duration;

use arena_support::{Process, Reply, Setup, TARAGUCHI, TestArena, eventually};
use serde_json::{Value, json};

use crate::restart::PROGRAM;

/// An arena with an exhibition whose bots act this often.
async fn arena(every_ms: u64) -> TestArena {
    let (exhibition, house_after_ms) = (Some(Duration::from_millis(every_ms)), Some(3_600_000));
    TestArena::with(Setup { exhibition, house_after_ms, ..Setup::default() }).await
}

/// Looks at the home page, as an audience does.
async fn look(arena: &TestArena) -> Reply {
    arena.client.get("/").header("accept", "text/html").send().await
}

async fn list(arena: &TestArena, status: &str) -> Vec<Value> {
    let list = arena.client.get(&format!("/games?status={status}")).send().await.ok();
    list["games"].as_array().unwrap().clone()
}

#[tokio::test]
async fn two_house_bots_play_to_the_end_and_begin_anew_for_an_audience() {
    let arena = arena(1).await;
    let over =
        eventually("an exhibition ends", 300, || async { list(&arena, "finished").await.pop() })
            .await;
    let levels = ["black", "white"].map(|color| over["players"][color]["house_level"].as_u64());
    assert!(levels.iter().all(Option::is_some) && levels[0] != levels[1], "{over}");
    assert_eq!((&over["counted"], &over["why"]), (&json!(false), &json!("unrated")));
    // Weak levels fill the board now and then.
    let reason = over["result"]["reason"].as_str().unwrap();
    assert!(["five", "board_full"].contains(&reason), "{over}");

    // Nobody looks: there is no second game.
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!((list(&arena, "live").await.len(), list(&arena, "finished").await.len()), (0, 1));
    let again = eventually("the next exhibition ends", 300, || async {
        assert_eq!(look(&arena).await.status, 200);
        list(&arena, "finished").await.into_iter().find(|game| game["game_id"] != over["game_id"])
    })
    .await;
    assert_ne!(again["ruleset"], over["ruleset"], "every ruleset in turn");
    let audit = arena.finish().await;
    assert_eq!((audit.agents, audit.standings), (0, 0), "nobody is rated");
}

#[tokio::test]
async fn the_page_says_that_it_is_an_exhibition() {
    let arena = arena(20).await;
    let live = eventually("it starts", 300, || async { list(&arena, "live").await.pop() }).await;
    let home = look(&arena).await;
    assert!(home.text().contains("exhibition of two house bots"), "{}", home.text());
    let path = format!("/game/{}", live["game_id"].as_str().unwrap());
    let page = arena.client.get(&path).send().await;
    assert!(page.text().contains("exhibition"), "{}", page.text());
    arena.finish().await;
}

#[tokio::test]
async fn no_exhibition_starts_while_an_agent_plays() {
    let arena = arena(1).await;
    let players = arena.match_up(TARAGUCHI, ["alice", "bob"]).await;
    let only_theirs = || async {
        look(&arena).await;
        let live = list(&arena, "live").await;
        (live.len() == 1 && live[0]["game_id"] == players.id).then_some(())
    };
    eventually("the exhibition that was under way ends", 300, only_theirs).await;
    let before = list(&arena, "finished").await.len();
    for _ in 0..10 {
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert_eq!(only_theirs().await, Some(()));
    }
    assert_eq!(list(&arena, "finished").await.len(), before);
    players.first.resign(&players.id).await.ok();
    eventually("house bots play again", 300, || async {
        look(&arena).await;
        (list(&arena, "finished").await.len() > before + 1).then_some(())
    })
    .await;
    let audit = arena.finish().await;
    assert_eq!(audit.standings, 2, "alice and bob are rated, house bots are not");
}

#[tokio::test]
async fn the_program_holds_one_unless_told_not_to() {
    let live = |process: &Process| {
        let call = process.client.get("/games?status=live");
        async move { call.send().await.ok()["games"].as_array().unwrap().len() }
    };
    let with = Process::start(PROGRAM, &["--ephemeral", "--exhibition"]).await;
    eventually("it starts", 300, || async { (live(&with).await == 1).then_some(()) }).await;
    // Without options the test's own: --no-exhibition.
    let quiet = [&[][..], &["--exhibition", "--house-seconds", "0"]];
    for options in quiet {
        let without = Process::start(PROGRAM, &[&["--ephemeral"], options].concat()).await;
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert_eq!(live(&without).await, 0, "{options:?}");
        without.stop().await;
    }
    with.stop().await;
}
