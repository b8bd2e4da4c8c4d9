//! The bill cannot drift: its ceiling is pinned, and so is what docs/operations.md says of it.

use arena_support::only_embedded;
use arena_tests::cost::{Bill, Prices, differs, documented, measure, table};

/// Dollars for a million finished games behind the HTTP API, with polls every 22.5 s.
const CEILING: f64 = 190.0;

#[tokio::test]
async fn a_million_games_cost_what_the_documentation_says_and_no_more() {
    if !only_embedded(
        "cost",
        "it counts the capacity units of the embedded emulator, which are those of AWS",
    ) {
        return;
    }
    let (measured, prices) = (measure().await, Prices::pinned());
    let ours = Bill::ours(&measured, &prices).total();
    let naive = Bill::naive(&measured, &prices).total();
    assert!((100.0..=CEILING).contains(&ours), "{ours}");
    assert!(naive > 2.5 * ours, "{naive}");
    let now = table(&measured, &prices);
    assert_eq!(
        differs(&documented(), &now),
        None,
        "docs/operations.md says otherwise: cargo run -p arena-tests --example cost -- --write\n{now}"
    );
}

#[test]
fn tables_may_differ_by_a_little_and_not_by_words() {
    assert_eq!(differs("| join | 100 |", "| join | **101** |"), None);
    assert_eq!(differs("| join | 100 |", "| join | 106 |"), Some(("100", "106")));
    assert_eq!(differs("| join |", "| leave |"), Some(("join", "leave")));
    assert_eq!(differs("a b", "a"), Some(("b", "")));
}
