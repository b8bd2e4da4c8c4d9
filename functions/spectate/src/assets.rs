//! Styles, scripts and the icon, embedded in the binary, with URLs that change with their content.

use std::sync::LazyLock;

use arena_lambda::{Keep, Refusal, Reply, cached_as, tag_of, written};
use arena_wire::Code;
use lambda_http::{Request, RequestExt};

struct Asset {
    name: &'static str,
    kind: &'static str,
    body: &'static str,
    tag: String,
}

const SCRIPT: &str = "text/javascript; charset=utf-8";

static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    [
        ("style.css", "text/css; charset=utf-8", include_str!("../assets/style.css")),
        ("lists.css", "text/css; charset=utf-8", include_str!("../assets/lists.css")),
        ("icon.svg", "image/svg+xml", include_str!("../assets/icon.svg")),
        ("clock.js", SCRIPT, include_str!("../assets/clock.js")),
        ("ago.js", SCRIPT, include_str!("../assets/ago.js")),
        ("live.js", SCRIPT, include_str!("../assets/live.js")),
        ("replay.js", SCRIPT, include_str!("../assets/replay.js")),
        ("play.js", SCRIPT, include_str!("../assets/play.js")),
    ]
    .map(|(name, kind, body)| Asset { name, kind, body, tag: tag_of(body.as_bytes()) })
    .into()
});

impl Asset {
    fn version(&self) -> &str {
        version(&self.tag)
    }
}

/// Digest in an ETag.
fn version(tag: &str) -> &str {
    tag.trim_start_matches("W/").trim_matches('"')
}

/// URL of an asset, with the digest of its content.
pub(crate) fn url(name: &str) -> String {
    let found = ASSETS.iter().find(|asset| asset.name == name);
    format!("/assets/{name}?v={}", found.map_or("", Asset::version))
}

/// `GET /assets/{file}`.
pub(crate) fn show(request: &Request, name: &str) -> Reply {
    let Some(asset) = ASSETS.iter().find(|asset| asset.name == name) else {
        let shown: String = name.chars().take(40).collect();
        return Err(Refusal::plain(Code::NotFound, format!("there is no asset {shown:?}")));
    };
    let asked = request.query_string_parameters_ref().and_then(|query| query.first("v"));
    let keep = if asked == Some(asset.version()) { Keep::Final } else { Keep::Seconds(0) };
    cached_as(request, &asset.tag, keep, || written(asset.kind, asset.body))
}

#[cfg(test)]
mod tests {
    use super::*;
    use renju::{Position, Ruleset};
    use renju_picture::{Scene, Style, Theme, board, thumbnail};

    /// Games that together show everything a board can show.
    const GAMES: [(&str, &str); 4] = [
        ("renju_taraguchi10_international", "h8 swap g7 keep"),
        (
            "renju_taraguchi10_international",
            "h8 swap g7 keep f8 swap e9 keep offer:i8,i9,j8,j9,j10,k8,k9,k10,k11,l8",
        ),
        ("renju_free", "h8 a1 g8 a3 i9 a5 i10 o1"),
        ("renju_free", "h8 a1 g8 a3 i9 a5 i10 o1 i8"),
    ];

    #[test]
    fn the_style_sheet_has_a_rule_for_everything_on_a_board() {
        let style = include_str!("../assets/style.css");
        for (ruleset, plays) in GAMES {
            let start = Position::new(Ruleset::find(ruleset).unwrap());
            let plays = plays.split_whitespace().map(|word| word.parse().unwrap());
            let scene = Scene::after(start, plays, true).unwrap();
            let svg = board(&scene, "", Style { theme: Theme::Page, ..Style::default() });
            for class in (svg + &thumbnail(&scene, "")).split("class=\"").skip(1) {
                let class = class.split(['"', ' ']).next().unwrap();
                let is_styled = [" ", ",", "{", "."]
                    .iter()
                    .any(|after| style.contains(&format!(".{class}{after}")));
                assert!(is_styled, "no rule for {class}");
            }
        }
    }

    #[test]
    fn an_address_changes_with_the_content() {
        let address = url("style.css");
        assert_eq!(address.len(), "/assets/style.css?v=".len() + 16, "{address}");
        assert_ne!(address.split("?v=").nth(1), url("live.js").split("?v=").nth(1));
    }
}
