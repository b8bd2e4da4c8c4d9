//! `infra/template.yaml` and the simulator: the same timeouts, batches and runs at once.

use arena_simulator::deployment::{
    HOUSE_LIFETIME_MS, HOUSE_VISIBILITY_MS, LIFETIME_MS, RECEIVES_MAX, REFEREE_LIFETIME_MS,
    SOURCES, VISIBILITY_MS,
};

use super::reading::Template;

#[test]
fn the_simulator_has_the_deployed_limits() {
    let template = Template::read();
    let functions = [
        ("Register", LIFETIME_MS),
        ("Queue", LIFETIME_MS),
        ("Move", LIFETIME_MS),
        ("Poll", LIFETIME_MS),
        ("Referee", REFEREE_LIFETIME_MS),
        ("House", HOUSE_LIFETIME_MS),
    ];
    for (name, lifetime_ms) in functions {
        let timeout_s = template.timeout_s(template.properties(&format!("{name}Function")));
        assert_eq!(i64::try_from(timeout_s * 1_000), Ok(lifetime_ms), "{name}");
    }
    let queues =
        [("Referee", VISIBILITY_MS), ("Match", VISIBILITY_MS), ("House", HOUSE_VISIBILITY_MS)];
    for (name, visibility_ms) in queues {
        let queue = template.properties(&format!("{name}Queue"));
        let visibility_s = queue["VisibilityTimeout"].as_i64().unwrap();
        assert_eq!(visibility_s * 1_000, visibility_ms, "{name}");
        assert_eq!(queue["RedrivePolicy"]["maxReceiveCount"], RECEIVES_MAX, "{name}");
    }
    for (name, ours) in ["Referee", "Match"].into_iter().zip(SOURCES) {
        let source = template.properties(&format!("{name}Source"));
        let window_s = source["MaximumBatchingWindowInSeconds"].as_i64().unwrap_or(0);
        assert_eq!(source["BatchSize"], ours.batch_max, "{name}");
        assert_eq!(window_s * 1_000, ours.window_ms, "{name}");
        assert_eq!(source["ScalingConfig"]["MaximumConcurrency"], ours.runs_max, "{name}");
    }
    // No message of a house bot waits for another.
    assert_eq!(template.properties("HouseSource")["BatchSize"], 1);
}
