//! Pages and pictures, as a browser or a cache asks for them.

use std::io::Read;

use arena_support::{Agent, Client, QUIET_OPENING, Reply, TARAGUCHI, TestArena, place};
use flate2::read::GzDecoder;
use serde_json::json;

/// A page as a browser asks for it.
async fn browse(client: &Client, path: &str) -> Reply {
    let call = client.get(path).header("accept", "text/html,application/xhtml+xml");
    call.header("accept-encoding", "gzip, deflate, br").send().await
}

fn text(reply: &Reply) -> String {
    if reply.header("content-encoding") != Some("gzip") {
        return reply.text().to_owned();
    }
    let mut text = String::new();
    GzDecoder::new(&reply.body[..]).read_to_string(&mut text).unwrap();
    text
}

/// The addresses of a page's own assets.
fn assets(page: &str) -> Vec<&str> {
    let quoted = page.split('"').filter(|part| part.starts_with("/assets/"));
    quoted.collect()
}

#[tokio::test]
async fn a_game_page_arrives_small_and_is_spared_whoever_has_it() {
    let arena = TestArena::start().await;
    let players = arena.match_up(TARAGUCHI, ["alice", "bob"]).await;
    players.run(QUIET_OPENING).await;
    let path = format!("/game/{}", players.id);
    let reply = browse(&arena.client, &path).await;
    assert_eq!((reply.status, reply.header("content-encoding")), (200, Some("gzip")));
    assert_eq!(reply.header("cache-control"), Some("public, max-age=1"), "it goes on");
    let page = text(&reply);
    for shown in ["alice", "bob", "1500", "± 350", "must place", "og:image", "<svg"] {
        assert!(page.contains(shown), "{shown}");
    }

    let mut bytes = reply.body.len();
    for asset in assets(&page) {
        let reply = browse(&arena.client, asset).await;
        assert_eq!(reply.status, 200, "{asset}");
        let keep = reply.header("cache-control");
        assert_eq!(keep, Some("public, max-age=604800, immutable"), "its address changes with it");
        bytes += reply.body.len();
    }
    println!("first view of a game page: {bytes} bytes");
    assert!(bytes <= 60 * 1024, "{bytes}");

    let tag = reply.header("etag").unwrap();
    let spared = arena.client.get(&path).header("if-none-match", tag).send().await;
    assert_eq!((spared.status, spared.body.len()), (304, 0));
    let game = players.game().await;
    players.act(&game, place("l12")).await;
    let news = arena.client.get(&path).header("if-none-match", tag).send().await;
    assert_eq!(news.status, 200);
    players.first.resign(&players.id).await;
    let over = browse(&arena.client, &path).await;
    assert_eq!(over.header("cache-control"), Some("public, max-age=300"));
    assert!(text(&over).contains("resigned"));
    arena.finish().await;
}

#[tokio::test]
async fn nothing_from_elsewhere_and_nothing_inline_runs_on_a_page() {
    let arena = TestArena::start().await;
    let players = arena.match_up(TARAGUCHI, ["alice", "bob"]).await;
    let game = format!("/game/{}", players.id);
    let embed = format!("/embed/{}", players.id);
    let learn = ["/rules", "/rules?ruleset=gomoku_swap2", "/openings", "/puzzle", "/me", &embed];
    let others = ["/", "/archive", &game, "/ranking", "/agent/alice", "/play", "/docs", "/nothing"];
    for path in others.into_iter().chain(learn) {
        let reply = browse(&arena.client, path).await;
        let policy = reply.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'self';"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
        let page = text(&reply);
        for inline in ["<style", " style=", " onclick=", "javascript:"] {
            assert!(!page.contains(inline), "{path} has {inline}");
        }
        let (scripts, own) =
            (page.matches("<script").count(), page.matches("src=\"/assets/").count());
        assert_eq!(scripts, own, "{path}");
        assert!(page.contains("<html lang=\"en\">") && page.contains("<main"), "{path}");
    }
    let reply = browse(&arena.client, &format!("/analysis?game={}", players.id)).await;
    let policy = reply.header("content-security-policy").unwrap();
    // The one page with a module may compile it; nothing else is allowed more than on other pages.
    assert!(policy.contains("script-src 'self' 'wasm-unsafe-eval'; style-src 'self';"), "{policy}");
    let page = text(&reply);
    let module = page.split("data-module=\"").nth(1).and_then(|rest| rest.split('"').next());
    let module = browse(&arena.client, module.unwrap()).await;
    assert_eq!(module.header("content-type"), Some("application/wasm"));
    assert_eq!(module.header("cache-control"), Some("public, max-age=604800, immutable"));
    arena.finish().await;
}

#[tokio::test]
async fn what_people_write_about_themselves_is_only_text() {
    let arena = TestArena::start().await;
    let client = &arena.client;
    let bios =
        [("markup", "<script>alert(1)</script><b title=\"x\">'bold'</b>"), ("arabic", "أهلا وسهلا")];
    for (name, bio) in bios {
        let body = json!({"name": name, "bio": bio});
        client.post("/agents/register").json(&body).send().await.expect(201);
    }
    let page = text(&browse(client, "/agent/markup").await);
    assert!(!page.contains("<script>alert") && !page.contains("<b title"), "{page}");
    assert!(page.contains("&#60;script&#62;alert(1)"), "{page}");
    let page = text(&browse(client, "/agent/arabic").await);
    assert!(page.contains("<p class=\"bio\" dir=\"auto\">أهلا"), "{page}");

    // A name cannot hold markup, nor be long; what is asked for is shown as text, and not all of it.
    for name in ["<i>x</i>", &"a".repeat(10_000), "אבג"] {
        let reply = client.post("/agents/register").json(&json!({"name": name})).send().await;
        let problem = reply.json();
        assert!([400, 413].contains(&reply.status), "{problem}");
        assert!(reply.body.len() < 2_000, "{}", reply.body.len());
    }
    let path = format!("/agent/{}", "x".repeat(10_000));
    for (path, status) in [("/agent/%3Ci%3Ex%3C%2Fi%3E", 404), (path.as_str(), 404)] {
        let reply = browse(client, path).await;
        assert_eq!(reply.status, status);
        let page = text(&reply);
        assert!(page.contains("There is no agent") && !page.contains("<i>x"), "{page}");
        assert!(page.len() < 4_000, "{}", page.len());
    }
    arena.finish().await;
}

#[tokio::test]
async fn people_are_told_in_a_page_and_programs_in_json() {
    let arena = TestArena::start().await;
    let paths =
        ["/nothing", "/game/abc", "/game/aaaaaaaaaaaaaaaa", "/agent/nobody-here", "/assets/x.js"];
    for path in paths {
        let reply = browse(&arena.client, path).await;
        let kind = reply.header("content-type").unwrap();
        let is_page = kind.starts_with("text/html");
        assert_eq!((reply.status, is_page), (404, !path.starts_with("/assets")), "{path} {kind}");
        arena.client.get(path).send().await.problem(404, "not_found");
    }
    let reply = browse(&arena.client, "/ranking?pool=warp").await;
    assert_eq!(reply.status, 400);
    assert!(text(&reply).contains("A part of it is not known here"), "{}", text(&reply));
    // A link may carry more than a page knows, and an API path answers in its own way.
    assert_eq!(browse(&arena.client, "/ranking?utm_source=x").await.status, 200);
    browse(&arena.client, "/games/aaaaaaaaaaaaaaaa").await.problem(404, "not_found");
    arena.finish().await;
}

#[tokio::test]
async fn pages_of_an_empty_arena_say_what_to_do() {
    let arena = TestArena::start().await;
    let home = text(&browse(&arena.client, "/").await);
    for shown in
        ["AI agents play Renju and Gomoku", "href=\"/play\"", "href=\"/docs\"", "No games yet"]
    {
        assert!(home.contains(shown), "{shown}: {home}");
    }
    let archive = text(&browse(&arena.client, "/archive").await);
    assert!(archive.contains("No such game."), "{archive}");
    let ranking = text(&browse(&arena.client, "/ranking").await);
    assert!(ranking.contains("No ranked agents yet."), "{ranking}");
    Agent::register(&arena.client, "newcomer").await;
    let agent = text(&browse(&arena.client, "/agent/newcomer").await);
    assert!(agent.contains("No rated game yet."), "{agent}");
    arena.finish().await;
}

#[tokio::test]
async fn a_picture_shows_any_turn_and_past_ones_last() {
    let arena = TestArena::start().await;
    let players = arena.match_up(TARAGUCHI, ["alice", "bob"]).await;
    players.run("h8 swap g7 keep f8").await;
    let path = format!("/games/{}.svg", players.id);
    let now = arena.client.get(&path).send().await;
    assert_eq!(now.header("content-type"), Some("image/svg+xml"));
    assert_eq!(now.header("cache-control"), Some("public, max-age=1"));
    assert!(now.text().contains("with 3 stones") && now.text().contains("<style>"));
    let past = arena.client.get(&format!("{path}?turn=1&theme=page")).send().await;
    assert_eq!(past.header("cache-control"), Some("public, max-age=604800, immutable"));
    assert!(past.text().contains("with one stone") && !past.text().contains("<style>"));
    let tag = past.header("etag").unwrap();
    let call = arena.client.get(&format!("{path}?turn=1&theme=page"));
    assert_eq!(call.header("if-none-match", tag).send().await.status, 304);
    let far = arena.client.get(&format!("{path}?turn=99")).send().await;
    let problem = far.problem(404, "not_found");
    assert!(problem["detail"].as_str().unwrap().ends_with("has seen 5 decisions, not 99"));
    arena.client.get(&format!("{path}?theme=neon")).send().await.problem(400, "malformed");
    arena.client.get("/games/aaaaaaaaaaaaaaaa.svg").send().await.problem(404, "not_found");

    let png = arena.client.get(&format!("/games/{}/board.png?turn=3", players.id)).send().await;
    assert_eq!(png.header("content-type"), Some("image/png"));
    assert!(png.body.starts_with(b"\x89PNG") && png.body.len() < 100_000, "{}", png.body.len());
    arena.finish().await;
}

#[tokio::test]
async fn rankings_and_agents_show_what_was_played() {
    let arena = TestArena::start().await;
    let players = arena.match_up(TARAGUCHI, ["alice", "bob"]).await;
    players.run("h8 keep g7 keep f8 keep e9 keep d8").await;
    players.second.resign(&players.id).await.ok();
    let ranking = text(&browse(&arena.client, "/ranking").await);
    assert!(!ranking.contains("href=\"/agent/alice"), "nobody is ranked after one game: {ranking}");
    assert_eq!(ranking.matches("class=\"house\"").count(), 7, "{ranking}");
    let page = text(&browse(&arena.client, &format!("/agent/{}", players.first.name)).await);
    for shown in ["class=\"graph\"", "last 1 game<", "peak ", &players.second.name, "Latest games"]
    {
        assert!(page.contains(shown), "{shown}");
    }
    let home = text(&browse(&arena.client, "/").await);
    assert!(home.contains("won by resignation") && home.contains("Latest game"), "{home}");
    arena.finish().await;
}
