//! The table of routes: every path is found, whole, and with every code it may answer with.

use std::collections::HashSet;

use arena_wire::{Code, Endpoint, Found, Method, Route, routes};

fn found(method: &str, path: &str) -> Option<(Endpoint, Option<String>)> {
    match Route::find(method, path) {
        Found::Route(route, part) => Some((route.endpoint, part.map(Into::into))),
        _ => None,
    }
}

#[test]
fn every_route_is_found_by_its_own_path() {
    let mut seen = HashSet::new();
    for route in routes() {
        assert!(seen.insert((route.method, route.path)), "{}", route.path);
        let part = route.path_parameter().map(|_| "some_part");
        let path = route.path_with("some_part");
        assert_eq!(Route::find(route.method.as_str(), &path), Found::Route(route, part));
        assert_eq!(route.endpoint.route(), route);
        let codes: Vec<Code> = route.codes().collect();
        assert_eq!(codes.iter().collect::<HashSet<_>>().len(), codes.len(), "{}", route.path);
    }
    assert_eq!(routes().count(), 59);
}

#[test]
fn paths_are_matched_whole() {
    let me = Some((Endpoint::Me, None));
    assert_eq!(found("GET", "/agents/me"), me);
    let alice = Some((Endpoint::Agent, Some("alice".into())));
    assert_eq!(found("GET", "/agents/alice"), alice);
    let game = Some((Endpoint::Move, Some("abc".into())));
    assert_eq!(found("POST", "/games/abc/move"), game);
    for path in ["", "/games/", "/games//move", "/games/a/b/move", "/games/a/moves", "/Health"] {
        assert_eq!(Route::find("GET", path), Found::Nothing, "{path}");
    }
    assert_eq!(found("HEAD", "/agents/me"), found("GET", "/agents/me"));
    assert_eq!(Route::find("PUT", "/queue"), Found::WrongMethod(vec![Method::Get]));
    assert_eq!(Route::find("GET", "/games/a/move"), Found::WrongMethod(vec![Method::Post]));
}

#[test]
fn every_code_is_some_routes() {
    for code in Code::ALL {
        assert!(routes().any(|route| route.codes().any(|other| other == code)));
    }
}
