//! The capacity model at a small size: everyone is seated soon, and no limit is reached.

use arena_simulator::{Settings, measure};

#[test]
fn a_small_arena_reaches_no_limit() {
    let settings = Settings { live_games: 300, burst: 100, seconds: 20, ..Settings::default() };
    let measured = measure(&settings);
    let (seated, last_ms) = measured.burst;
    // The last may wait for a rating like its own.
    assert!(seated >= 98, "{seated} of the burst are seated");
    assert!(last_ms < 10_000, "the last after {last_ms} ms");
    assert!(measured.started >= 50, "{} games started", measured.started);
    assert!(measured.throttles.is_empty(), "{:?}", measured.throttles);
    let is_refused = measured.lambda.functions.values().any(|function| function.refused > 0);
    assert!(!is_refused, "{:?}", measured.lambda.functions);
    let slowest_ms = measured.lags.into_iter().max().unwrap_or(0);
    assert!(slowest_ms < 10_000, "a deadline is enforced after {slowest_ms} ms");
    let pool = measured.peaks["index pool"].written;
    assert!((10.0..=300.0).contains(&pool), "{pool} writes/s of a queue's shard");
}
