//! `/health` says whether anything can be written, and costs next to nothing.

use std::time::Instant;

use arena_support::{TestArena, Trouble, eventually};

#[tokio::test]
async fn health_fails_while_nothing_can_be_written() {
    let arena = TestArena::start().await;
    arena.dynamodb.always("PutItem", Trouble::Fail);
    let reply = arena.client.get("/health").send().await;
    reply.problem(503, "busy");
    assert_eq!(reply.header("retry-after"), Some("5"));
    // Reads go on.
    arena.client.get("/games").send().await.ok();
    arena.dynamodb.end();
    eventually("it recovers", 60, || async {
        (arena.client.get("/health").send().await.status == 200).then_some(())
    })
    .await;
    arena.finish().await;
}

#[tokio::test]
async fn many_who_ask_for_health_cause_one_write() {
    let arena = TestArena::start().await;
    arena.dynamodb.overhear("PutItem");
    let started = Instant::now();
    for _ in 0..50 {
        arena.client.get("/health").send().await.ok();
    }
    let windows = 1 + started.elapsed().as_secs() as usize / 5;
    let writes = arena.dynamodb.overheard();
    let writes = writes.iter().filter(|call| call.contains("@health")).count();
    assert!((1..=windows).contains(&writes), "{writes} writes");
    arena.finish().await;
}
