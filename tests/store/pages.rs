//! Reads of the pages.

use std::collections::HashMap;

use super::*;
use arena_lambda::{Context, Settings, respond};
use lambda_http::{Body, Request as HttpRequest, RequestExt};

/// A page as a browser gets it.
async fn page(store: &Store, path: &str) -> String {
    let context = Context::new(store.clone(), Settings::standard(None));
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let pair = query.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
    let pairs = HashMap::<String, String>::from_iter(pair);
    let request =
        HttpRequest::new(Body::Empty).with_raw_http_path(path).with_query_string_parameters(pairs);
    let target = arena_lambda::target(&request);
    let response = respond(arena_spectate::handle(context, request, target).await);
    assert_eq!(response.status(), 200);
    String::from_utf8(response.body().to_vec()).unwrap()
}

/// A list of games is one query of an index and one read of the games it names, however many other
/// games there are.
#[tokio::test]
async fn the_home_page_lists_live_games_without_a_scan() {
    const LIVE: usize = 50;
    const SHOWN: usize = 24;
    let arena = Arena::start(1).await;
    let mut ids = Vec::new();
    for index in 0..LIVE {
        let agents = [format!("one{index}"), format!("two{index}")];
        ids.push(arena.game([&agents[0], &agents[1]], FREE).await);
    }
    for id in &ids[..10] {
        arena.resign(*id, Seat::Second, at(1)).await;
    }
    let units = || arena.store.meter().total().read_units;
    let before = units();
    let home = page(&arena.store, "/").await;
    let read = units() - before;
    println!("read units of the home page with {SHOWN} live games: {read}");
    let listed = |page: &str| page.matches("class=\"card tile\"").count();
    assert_eq!(listed(&home), SHOWN);
    // Half a unit for each game, one or two for the index; a scan would read agents' items too.
    assert!(read <= 14.0, "{read}");

    let next = home.split("/?next=").nth(1).unwrap().split('"').next().unwrap();
    let rest = page(&arena.store, &format!("/?next={next}")).await;
    assert_eq!(listed(&rest), LIVE - 10 - SHOWN);
    for id in &ids[10..] {
        let link = format!("href=\"/game/{id}\"");
        assert!(home.contains(&link) != rest.contains(&link), "{id} once");
    }
}
