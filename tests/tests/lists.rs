//! Public lists, page by page.

use std::collections::BTreeSet;

use arena_support::{Agent, FIVE_STONES, Match, Setup, TestArena};
use serde_json::{Value, json};

const FREE: &str = "renju_free";

async fn list(arena: &TestArena, path: &str) -> Value {
    let reply = arena.client.get(path).send().await;
    reply.ok()
}

fn ids(list: &Value) -> Vec<String> {
    let rows = list["games"].as_array().unwrap().iter();
    rows.map(|row| row["game_id"].as_str().unwrap().to_owned()).collect()
}

/// All pages of a list, and how many there were.
async fn pages(arena: &TestArena, path: &str) -> (Vec<String>, usize) {
    let (mut all, mut next, mut count) = (Vec::new(), String::new(), 0);
    loop {
        let page = list(arena, &format!("{path}{next}")).await;
        all.extend(ids(&page));
        count += 1;
        match page["next"].as_str() {
            Some(cursor) => next = format!("&next={cursor}"),
            None => return (all, count),
        }
    }
}

async fn matches(arena: &TestArena, count: usize) -> Vec<Match> {
    let mut matches = Vec::new();
    for number in 0..count {
        let names = [format!("a-{number}"), format!("b-{number}")];
        matches.push(arena.match_up(FREE, [&names[0], &names[1]]).await);
    }
    matches
}

#[tokio::test]
async fn live_and_finished_games_are_listed_newest_first_and_page_by_page() {
    let arena = TestArena::start().await;
    let matches = matches(&arena, 5).await;
    let newest_first: Vec<String> =
        matches.iter().rev().map(|players| players.id.clone()).collect();
    let live = list(&arena, "/games?status=live").await;
    assert_eq!(ids(&live), newest_first);
    assert_eq!(ids(&list(&arena, "/games").await), newest_first, "live is the default");
    let row = &live["games"][4];
    assert_eq!(
        json!([row["status"], row["to_act"]["name"]]),
        json!(["live", matches[0].first.name])
    );
    assert_eq!(pages(&arena, "/games?status=live&limit=2").await, (newest_first.clone(), 3));
    assert_eq!(pages(&arena, "/games?status=live&limit=5").await, (newest_first, 1));
    assert!(ids(&list(&arena, "/games?ruleset=gomoku_swap2").await).is_empty());

    for players in &matches[..3] {
        players.run("h8 resign").await;
    }
    let finished: Vec<String> =
        matches[..3].iter().rev().map(|players| players.id.clone()).collect();
    let path = format!("/games?status=finished&ruleset={FREE}");
    let over = list(&arena, &path).await;
    assert_eq!(ids(&over), finished);
    assert_eq!(over["games"][0]["result"]["reason"], "resignation");
    assert_eq!(pages(&arena, &format!("{path}&limit=1")).await, (finished, 3));
    let live = list(&arena, "/games?agent=a-0&status=live").await;
    assert!(ids(&live).is_empty(), "its only game is over");
    let live: BTreeSet<String> = ids(&list(&arena, "/games").await).into_iter().collect();
    assert_eq!(live, matches[3..].iter().map(|players| players.id.clone()).collect());
    arena.finish().await;
}

#[tokio::test]
async fn a_list_is_read_once_for_all_who_ask_within_two_seconds() {
    let setup = Setup { lists_ms: 600_000, messages: false, ..Setup::default() };
    let arena = TestArena::with(setup).await;
    matches(&arena, 2).await;
    arena.dynamodb.overhear("Query");
    for path in ["/", "/games", "/games?status=finished", "/leaderboard"] {
        let first = arena.client.get(path).send().await;
        assert_eq!(first.header("cache-control"), Some("public, max-age=2"));
        let reads = arena.dynamodb.overheard().len();
        for _ in 0..10 {
            let again = arena.client.get(path).send().await;
            assert_eq!((again.status, &again.body), (200, &first.body), "{path}");
        }
        let tag = first.header("etag").unwrap();
        let known = arena.client.get(path).header("if-none-match", tag).send().await;
        assert_eq!(known.status, 304);
        assert_eq!(arena.dynamodb.overheard().len(), reads, "{path}");
    }
    arena.client.get("/games?limit=0").send().await.problem(400, "malformed");
    assert_ne!(list(&arena, "/games?limit=1").await, list(&arena, "/games").await);
    arena.finish().await;
}

#[tokio::test]
async fn an_agents_page_and_games_are_public() {
    let arena = TestArena::start().await;
    let mut played = Vec::new();
    let alice = Agent::register(&arena.client, "alice").await;
    for opponent in ["bob", "carol"] {
        // New opponents are as strong as alice is while nobody has won.
        let opponent = Agent::register(&arena.client, opponent).await;
        let ruleset = if played.is_empty() { FREE } else { "gomoku_freestyle" };
        let players = arena.seat(ruleset, [alice.clone(), opponent]).await;
        if played.is_empty() {
            players.run(FIVE_STONES).await;
            alice.resign(&players.id).await.ok();
        }
        played.push(players.id);
    }
    let page = list(&arena, "/agents/alice").await;
    assert_eq!(page["ratings"].as_array().unwrap().len(), 1);
    assert_eq!(
        json!([page["ratings"][0]["ruleset"], page["ratings"][0]["lost"]]),
        json!([FREE, 1])
    );
    assert!(page.get("ticket").is_none() && page.get("owner").is_none());
    let rating = &page["ratings"][0];
    assert_eq!(json!([rating["games"], rating["provisional"]]), json!([1, true]));
    let board = list(&arena, &format!("/leaderboard?ruleset={FREE}")).await;
    assert_eq!(board["rows"], json!([]), "provisional ratings have no rank");
    assert_eq!(list(&arena, "/agents/ALICE").await["name"], "alice");
    let newest_first: Vec<String> = played.iter().rev().cloned().collect();
    assert_eq!(ids(&list(&arena, "/agents/alice/games").await), newest_first);
    assert_eq!(ids(&list(&arena, "/games?agent=alice&status=finished").await), played[..1]);
    arena.finish().await;
}

#[tokio::test]
async fn an_agents_games_page_back_to_the_first_and_can_be_filtered_and_exported() {
    let arena = TestArena::start().await;
    let [alice, bob, carol] = arena.agents(["alice", "bob", "carol"]).await;
    let mut played = Vec::new();
    for (opponent, ruleset) in [
        (&bob, FREE),
        (&bob, "gomoku_freestyle"),
        (&carol, FREE),
        (&bob, FREE),
        (&carol, "gomoku_freestyle"),
    ] {
        arena.join_since(&alice, ruleset, arena_store::now().plus(-61_000)).await;
        arena.join_since(opponent, ruleset, arena_store::now().plus(-61_000)).await;
        arena.pair(ruleset).await;
        let players = Match::of([alice.clone(), opponent.clone()]).await;
        players.run(FIVE_STONES).await;
        alice.resign(&players.id).await.ok();
        played.insert(0, players.id);
    }
    let of = |indices: &[usize]| indices.iter().map(|at| played[*at].clone()).collect::<Vec<_>>();
    let games = "/agents/alice/games";
    for limit in 1..=6 {
        let pages = pages(&arena, &format!("{games}?limit={limit}")).await;
        assert_eq!(pages, (played.clone(), 5_usize.div_ceil(limit)), "limit {limit}");
    }
    let path = |query: &str| format!("{games}?{query}");
    for (query, indices) in [
        ("ruleset=all", &[0, 1, 2, 3, 4][..]),
        (&format!("ruleset={FREE}"), &[1, 2, 4]),
        ("opponent=carol", &[0, 2]),
        ("opponent=carol&ruleset=gomoku_freestyle", &[0]),
        ("pool=fast", &[]),
        ("status=live", &[]),
        ("reason=resignation&status=finished", &[0, 1, 2, 3, 4]),
        ("reason=five", &[]),
        ("since=2020-01-01", &[0, 1, 2, 3, 4]),
        ("since=2120-01-01T00:00:00.000Z", &[]),
    ] {
        assert_eq!(ids(&list(&arena, &path(query)).await), of(indices), "{query}");
    }
    let others = arena.seat(FREE, [bob, carol]).await;
    for bad in [
        "next=AAA",
        "next=zzzzzzzzzzzzzzzz",
        &format!("next={}", others.id),
        "since=yesterday",
        "ruleset=chess",
        "colour=black",
    ] {
        arena.client.get(&path(bad)).send().await.problem(400, "malformed");
    }
    let house = arena.client.get("/agents/house-3/games").send().await;
    house.problem(404, "not_found");

    let mut exported = Vec::new();
    let mut next = Some("/agents/alice/games/export.ndjson?limit=2&reason=resignation".to_owned());
    while let Some(path) = next {
        let page = arena.client.get(&path).send().await;
        for line in page.text().lines() {
            let game: Value = serde_json::from_str(line).unwrap();
            exported.push(game["game_id"].as_str().unwrap().to_owned());
        }
        let link = page.header("link").and_then(|link| link.strip_suffix(">; rel=\"next\""));
        next = link.and_then(|link| link.strip_prefix('<')).map(str::to_owned);
    }
    assert_eq!(exported, played);
    arena.finish().await;
}

#[tokio::test]
async fn a_finished_game_shows_the_ratings_before_and_after_it() {
    let arena = TestArena::start().await;
    let players = arena.match_up(FREE, ["alice", "bob"]).await;
    let live = players.game().await;
    assert_eq!(
        json!([live["players"]["black"]["rating_after"], live["finished_at"]]),
        json!([null, null])
    );
    players.run(FIVE_STONES).await;
    players.first.resign(&players.id).await.ok();
    let over = players.game().await;
    assert!(over["finished_at"].as_str() > over["created_at"].as_str());
    for player in ["black", "white"].map(|color| &over["players"][color]) {
        let agent = list(&arena, &format!("/agents/{}", player["name"].as_str().unwrap())).await;
        assert_eq!(player["rating"], 1500.0);
        assert_eq!(player["rating_after"], agent["ratings"][0]["rating"]);
        assert_ne!(player["rating_after"], player["rating"]);
    }
    arena.finish().await;
}

#[tokio::test]
async fn the_leaderboard_ranks_by_what_an_agent_is_almost_surely_worth_across_its_pages() {
    let arena = TestArena::start().await;
    let agents = arena.agents(["ada", "bea", "cid", "dan"]).await;
    // Everybody against everybody, until everybody's rating is certain enough to be listed.
    let pairs = [[0, 1], [2, 3], [0, 2], [1, 3], [0, 3], [1, 2]];
    for round in 0..6 {
        for (index, pair) in pairs.into_iter().enumerate() {
            let loser = pair[usize::from((round + index) % 2 == 0)];
            let players = seat_at_once(&arena, pair.map(|index| &agents[index])).await;
            players.run(FIVE_STONES).await;
            agents[loser].resign(&players.id).await.ok();
        }
    }
    let board = format!("/leaderboard?ruleset={FREE}");
    let all = list(&arena, &board).await;
    let rows = all["rows"].as_array().unwrap();
    let worth =
        |row: &Value| row["rating"].as_f64().unwrap() - 2.0 * row["deviation"].as_f64().unwrap();
    assert_eq!(rows.iter().map(|row| row["games"].as_u64().unwrap()).collect::<Vec<_>>(), [18; 4]);
    assert!(rows.iter().all(|row| row["provisional"] == false), "{all}");
    assert!(rows.windows(2).all(|two| worth(&two[0]) >= worth(&two[1]) - 0.5), "{all}");
    let ranks: Vec<u64> = rows.iter().map(|row| row["rank"].as_u64().unwrap()).collect();
    assert_eq!(ranks, [1, 2, 3, 4]);

    let first = list(&arena, &format!("{board}&limit=3")).await;
    let next = first["next"].as_str().unwrap();
    let second = list(&arena, &format!("{board}&limit=3&next={next}")).await;
    assert_eq!(
        (first["rows"].as_array().unwrap(), &second["next"]),
        (&rows[..3].to_vec(), &Value::Null)
    );
    assert_eq!(
        json!([second["rows"][0]["name"], second["rows"][0]["rank"]]),
        json!([rows[3]["name"], 4])
    );
    let none = list(&arena, "/leaderboard?pool=slow").await;
    assert_eq!((&none["rows"], &none["pool"]), (&json!([]), &json!("slow")));
    arena.finish().await;
}

/// Seats two as if they had waited for a minute: then they accept any difference in rating.
async fn seat_at_once(arena: &TestArena, agents: [&Agent; 2]) -> Match {
    let since = arena_store::now().plus(-61_000);
    for agent in agents {
        arena.join_since(agent, FREE, since).await;
    }
    arena.pair(FREE).await;
    Match::of(agents.map(Agent::clone)).await
}
