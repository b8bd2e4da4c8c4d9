//! `infra/front.yaml`: what CloudFront keeps, and whom it limits.

use std::collections::BTreeSet;
use std::fs;

use arena_wire::{Auth, Endpoint, Media, Method};

use super::reading::{Template, each, named};
use crate::root;

#[test]
fn the_front_refuses_in_the_words_of_the_api() {
    let front = fs::read_to_string(root().join("infra/front.yaml")).unwrap();
    let body = front.lines().map(str::trim).find(|line| line.starts_with("{\"type\"")).unwrap();
    let problem: arena_wire::Problem = serde_json::from_str(body).unwrap();
    let wanted =
        arena_wire::Problem::new(arena_wire::Code::RateLimited, 429, problem.detail.clone());
    assert_eq!(problem, wanted.with_retry_after(60_000));
}

/// A path pattern of CloudFront: a star stands for any text, slashes included.
fn fits(pattern: &str, path: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == path };
    let Some(tail) = path.strip_prefix(start) else { return false };
    (0..=tail.len()).any(|at| tail.is_char_boundary(at) && fits(rest, &tail[at..]))
}

#[test]
fn the_front_keeps_pages_and_no_reply_that_depends_on_a_key() {
    assert!(fits("*.*", "/games/x.svg") && fits("/game/*", "/game/x") && !fits("/", "/play"));
    let front = Template::front();
    let config = &front.properties("Distribution")["DistributionConfig"];
    let disabled = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad";
    assert_eq!(config["DefaultCacheBehavior"]["CachePolicyId"], disabled);
    let patterns = each(&config["CacheBehaviors"]).into_iter().map(|one| {
        assert_eq!(named(&one["CachePolicyId"]), "AsOriginSays", "{one}");
        one["PathPattern"].as_str().unwrap()
    });
    let patterns: Vec<&str> = patterns.collect();
    let mut unused: BTreeSet<&str> = patterns.iter().copied().collect();
    for route in arena_wire::routes() {
        let path = route.path_with("somebody");
        let fitting: Vec<&&str> = patterns.iter().filter(|pattern| fits(pattern, &path)).collect();
        let is_page = route.answer.media == Media::Html;
        assert!(!fitting.is_empty() || !is_page, "no cache keeps the page {path}");
        for pattern in fitting {
            unused.remove(*pattern);
            let is_public = route.method == Method::Get && route.auth == Auth::None;
            assert!(is_public, "{} {path} may be cached by {pattern}", route.method.as_str());
        }
    }
    assert!(unused.is_empty(), "{unused:?} fit no route");
    // CloudFront may keep these errors, whatever the reply says.
    let errors = each(&config["CustomErrorResponses"]).into_iter().map(|one| {
        assert_eq!(one["ErrorCachingMinTTL"], 0, "{one}");
        one["ErrorCode"].as_u64().unwrap()
    });
    let kept = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];
    assert_eq!(errors.collect::<Vec<_>>(), kept);
}

#[test]
fn the_front_limits_each_address_and_marks_what_it_passes_on() {
    let front = Template::front();
    let limits = front.properties("Limits");
    assert_eq!(limits["Scope"], "CLOUDFRONT");
    let rules = each(&limits["Rules"]);
    let rates = rules.iter().map(|rule| &rule["Statement"]["RateBasedStatement"]);
    let limited: Vec<&str> = rates.clone().map(|rate| named(&rate["Limit"])).collect();
    assert_eq!(limited, ["FrontRegistrations", "FrontRequests"]);
    assert!(rates.clone().all(|rate| rate["AggregateKeyType"] == "IP"));
    let path = &rules[0]["Statement"]["RateBasedStatement"]["ScopeDownStatement"];
    let register = arena_wire::routes().find(|route| route.endpoint == Endpoint::Register).unwrap();
    assert_eq!(path["ByteMatchStatement"]["SearchString"], register.path);
    let config = &front.properties("Distribution")["DistributionConfig"];
    assert_eq!(named(&config["WebACLId"]), "Limits");
    assert_eq!(config["IPV6Enabled"], false, "each IPv6 address would have a limit of its own");
    // The names of the two headers are those that the functions read.
    let source = fs::read_to_string(root().join("shared/lambda/src/front.rs")).unwrap();
    let header = config["Origins"][0]["OriginCustomHeaders"][0]["HeaderName"].as_str().unwrap();
    assert!(source.contains(&format!("const SECRET: &str = \"{header}\"")), "{header}");
    let code = front.properties("Viewer")["FunctionCode"].as_str().unwrap();
    let header = code.split('\'').nth(1).unwrap();
    assert!(source.contains(&format!("const VIEWER: &str = \"{header}\"")), "{header}");
    let all = each(&config["CacheBehaviors"]).into_iter().chain([&config["DefaultCacheBehavior"]]);
    for behavior in all {
        let viewer = &behavior["FunctionAssociations"][0];
        assert_eq!(viewer["EventType"], "viewer-request", "{behavior}");
        assert_eq!(named(&viewer["FunctionARN"]), "Viewer", "{behavior}");
    }
}
