//! Reads of the pages.

use std::collections::HashMap;

use super::*;
use arena_lambda::{Context, Settings, respond};
use lambda_http::{Body, Request as HttpRequest, RequestExt};

/// A page as a browser gets it.
async fn page(store: &Store, path: &str) -> String {
    let context = Context::new(store.clone(), Settings::standard(None));
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let pairs: HashMap<String, String> =
        pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let request =
        HttpRequest::new(Body::Empty).with_raw_http_path(path).with_query_string_parameters(pairs);
    let target = arena_lambda::target(&request);
    let response = respond(arena_spectate::handle(context, request, target).await);
    assert_eq!(response.status(), 200);
    String::from_utf8(response.body().to_vec()).unwrap()
}

/// The address in a link to the next page.
fn next(page: &str) -> String {
    let link = page.split("href=\"").find(|link| link.contains("rel=\"next\""));
    link.unwrap().split('"').next().unwrap().replace("&#38;", "&").replace("&amp;", "&")
}

/// The page costs some queries of indexes and one read of the games it shows, however many others there are.
#[tokio::test]
async fn the_home_page_reads_what_it_shows_without_a_scan() {
    const LIVE: usize = 50;
    const OVER: usize = 10;
    let arena = Arena::start(1).await;
    let mut ids = Vec::new();
    for index in 0..LIVE {
        let agents = [format!("one{index}"), format!("two{index}")];
        ids.push(arena.game([&agents[0], &agents[1]], FREE).await);
    }
    for id in &ids[..OVER] {
        arena.resign(*id, Seat::Second, at(1)).await;
    }
    let units = || arena.store.meter().total().read_units;
    let before = units();
    let home = page(&arena.store, "/").await;
    let read = units() - before;
    println!("read units of the home page with 9 live and 8 finished games: {read}");
    assert_eq!(home.matches("class=\"card tile\"").count(), 8 + 8);
    assert_eq!(home.matches("class=\"look\"").count(), 1);
    assert!(home.contains("40 games live"), "{home}");
    // Half a unit for each game, and for each query: live games, finished ones of every ruleset,
    // the ranking.
    assert!(read <= 16.0, "{read}");
}

#[tokio::test]
async fn the_archive_lists_every_game_once() {
    const GAMES: usize = 60;
    let arena = Arena::start(1).await;
    let mut ids = Vec::new();
    for index in 0..GAMES {
        let agents = [format!("one{index}"), format!("two{index}")];
        ids.push(arena.game([&agents[0], &agents[1]], FREE).await);
    }
    for (index, id) in ids.iter().enumerate() {
        arena.resign(*id, Seat::Second, at(index as i64 / 7)).await;
    }
    // Every game is of two players rated 1500.
    let mut path = "/archive?pool=fast&rating=1500".to_owned();
    let mut pages = Vec::new();
    while pages.len() < 3 {
        let page = page(&arena.store, &path).await;
        if pages.len() < 2 {
            path = next(&page);
            assert!(path.contains("pool=fast&rating=1500&next="), "{path}");
        }
        pages.push(page);
    }
    assert!(!pages[2].contains("rel=\"next\""), "it is the last");
    for id in &ids {
        let link = format!("href=\"/game/{id}\"");
        assert_eq!(pages.iter().filter(|page| page.contains(&link)).count(), 1, "{id}");
    }
    for nothing in ["reason=five", "rating=1501", "opening=Kagetsu"] {
        let none = page(&arena.store, &format!("/archive?{nothing}")).await;
        assert!(none.contains("No such game.") && !none.contains("rel=\"next\""), "{none}");
    }
    let early = page(&arena.store, "/archive?until=2025-10-08").await;
    assert!(early.contains("No such game."), "{early}");
    let day = page(&arena.store, "/archive?since=2025-10-09&until=2025-10-09").await;
    assert_eq!(day.matches("class=\"row\"").count(), 25);
}

#[tokio::test]
async fn the_ranking_is_sorted_by_what_it_shows_and_leads_to_games_played_now() {
    let arena = Arena::start(1).await;
    let id = arena.game(["alice", "bob"], FREE).await;
    arena.register("carol").await;
    // The highest rating is the most uncertain one.
    for (agent, value, deviation) in
        [("alice", 1_600.0, 100.0), ("bob", 1_550.0, 60.0), ("carol", 1_500.0, 55.0)]
    {
        let rating = Rating { value, deviation, ..Rating::NEW };
        let standing = Standing { rating: rating.stored(), won: 1, ..Standing::NEW };
        let write = Write::Rate {
            agent: name(agent),
            division: FREE,
            seen_games: 0,
            standing: Box::new(standing),
        };
        let plan = Plan { messages: Vec::new(), writes: vec![write] };
        assert_eq!(commit(&arena.store, &plan).await.unwrap(), Commit::Done);
    }
    let path = format!("/ranking?ruleset={}&pool={}", FREE.ruleset.id, FREE.pool);
    let ranking = page(&arena.store, &path).await;
    let rows: Vec<&str> = ranking.split("<tr").filter(|row| row.contains("/agent/")).collect();
    let agents = rows.iter().filter(|row| !row.contains("house bot"));
    let shown = agents.map(|row| {
        let least = row.split("<strong>").nth(1).unwrap().split('<').next().unwrap();
        least.parse::<f64>().unwrap()
    });
    let shown: Vec<f64> = shown.collect();
    assert!(shown.len() == 3 && shown.is_sorted_by(|a, b| a > b), "{shown:?}");
    let link = format!("href=\"/game/{id}\"");
    for (agent, plays) in [("alice", true), ("bob", true), ("carol", false)] {
        let row = rows.iter().find(|row| row.contains(&format!("/agent/{agent}\"")));
        assert_eq!(row.unwrap().contains(&link), plays, "{agent}");
    }
}
