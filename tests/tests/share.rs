//! What other sites and crawlers ask for.

use arena_support::{Agent, Reply, TARAGUCHI, TestArena};
use serde_json::Value;

fn policy(reply: &Reply) -> &str {
    reply.header("content-security-policy").unwrap()
}

#[tokio::test]
async fn a_game_can_be_shared_and_embedded() {
    let arena = TestArena::start().await;
    let players = arena.match_up(TARAGUCHI, ["alice", "bob"]).await;
    players.run("h8 swap g7 keep f8").await;
    let (client, id) = (&arena.client, &players.id);
    let get = async |path: String| client.get(&path).send().await;

    let card = get(format!("/games/{id}/card.png?turn=3")).await;
    assert_eq!((card.status, card.header("content-type")), (200, Some("image/png")));
    let size = |at: usize| u32::from_be_bytes(card.body[at..at + 4].try_into().unwrap());
    assert_eq!((size(16), size(20)), (1_200, 630));
    get(format!("/games/{id}/card.png?turn=99")).await.problem(404, "not_found");

    let frame = get(format!("/embed/{id}")).await;
    assert!(policy(&frame).ends_with("frame-ancestors *"), "{}", policy(&frame));
    assert!(frame.text().contains("alice") && frame.text().contains("<svg"));
    let page = get(format!("/game/{id}")).await;
    assert!(policy(&page).ends_with("frame-ancestors 'none'"), "{}", policy(&page));

    let base = client.base();
    let oembed = get(format!("/oembed?url={base}/game/{id}&maxwidth=300&extra=1")).await;
    let view: Value = serde_json::from_slice(&oembed.body).unwrap();
    assert_eq!((view["type"].as_str(), view["width"].as_u64()), (Some("rich"), Some(300)));
    assert!(view["html"].as_str().unwrap().contains(&format!("{base}/embed/{id}")), "{view}");
    for url in ["https://elsewhere.example/game/abc", &format!("{base}/agent/alice")] {
        get(format!("/oembed?url={url}")).await.problem(404, "not_found");
    }
    get("/oembed?url=x&format=xml".into()).await.problem(400, "malformed");
    arena.finish().await;
}

#[tokio::test]
async fn a_badge_shows_the_rating_that_is_asked_for() {
    let arena = TestArena::start().await;
    let players = arena.match_up(TARAGUCHI, ["alice", "bob"]).await;
    players.run("h8 keep g7 keep f8 keep e9 keep d8").await;
    players.second.resign(&players.id).await.ok();
    Agent::register(&arena.client, "newcomer").await;
    let badge = async |path: &str| arena.client.get(path).send().await;
    let name = &players.first.name;
    let rated = badge(&format!("/agents/{name}/badge.svg")).await;
    assert_eq!(rated.header("content-type"), Some("image/svg+xml"));
    assert!(rated.text().contains(&format!("{name} 1")), "{}", rated.text());
    let other = badge(&format!("/agents/{name}/badge.svg?ruleset=gomoku_swap2")).await;
    assert!(other.text().contains("Swap2") && other.text().contains("unrated"));
    assert!(badge("/agents/newcomer/badge.svg").await.text().contains("newcomer unrated"));
    assert!(badge("/agents/house-2/badge.svg").await.text().contains("house-2 1"));
    badge("/agents/nobody/badge.svg").await.problem(404, "not_found");
    badge("/agents/house-2/badge.svg?pool=warp").await.problem(400, "malformed");
    arena.finish().await;
}

#[tokio::test]
async fn crawlers_find_the_pages_and_every_page_of_the_map_exists() {
    let arena = TestArena::start().await;
    let base = arena.client.base();
    let robots = arena.client.get("/robots.txt").send().await;
    assert!(robots.text().contains(&format!("Sitemap: {base}/sitemap.xml")), "{}", robots.text());
    let map = arena.client.get("/sitemap.xml").send().await;
    let pages = map.text().split("<loc>").skip(1).filter_map(|part| part.split('<').next());
    let paths: Vec<&str> = pages.map(|page| page.strip_prefix(&base).unwrap()).collect();
    assert!(paths.contains(&"/rules") && paths.len() > 10, "{paths:?}");
    for path in paths.into_iter().chain(["/site.webmanifest", "/favicon.ico", "/card.png", "/me"]) {
        let reply = arena.client.get(path).send().await;
        assert_eq!(reply.status, 200, "{path}");
        assert!(reply.header("etag").is_some(), "{path}");
    }
    for path in ["/rules?ruleset=chess", "/puzzle?number=0", "/puzzle?number=x"] {
        arena.client.get(path).send().await.problem(400, "malformed");
    }
    arena.finish().await;
}
