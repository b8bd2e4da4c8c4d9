//! Styles, scripts and the icon: inside the binary, under addresses that change with their content.

use std::sync::LazyLock;

use arena_http::{FOREVER_S, Refusal, Reply, file, published_as, tag_of};
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
        ("icon.svg", "image/svg+xml", include_str!("../assets/icon.svg")),
        ("clock.js", SCRIPT, include_str!("../assets/clock.js")),
        ("live.js", SCRIPT, include_str!("../assets/live.js")),
        ("replay.js", SCRIPT, include_str!("../assets/replay.js")),
        ("play.js", SCRIPT, include_str!("../assets/play.js")),
    ]
    .map(|(name, kind, body)| Asset { name, kind, body, tag: tag_of(body.as_bytes()) })
    .into()
});

/// The page of a game as this build makes it, in a few letters: part of the page's tag, so that a
/// new build is seen.
pub(crate) static BUILD: LazyLock<String> = LazyLock::new(|| {
    let templates = [
        include_str!("../templates/base.html"),
        include_str!("../templates/game.html"),
        include_str!("../templates/side.html"),
    ];
    let assets: Vec<&str> = ASSETS.iter().map(Asset::version).collect();
    let all = format!("{} {} {templates:?}", env!("CARGO_PKG_VERSION"), assets.join(" "));
    version(&tag_of(all.as_bytes())).to_owned()
});

impl Asset {
    fn version(&self) -> &str {
        version(&self.tag)
    }
}

/// The digest in a tag.
fn version(tag: &str) -> &str {
    tag.trim_start_matches("W/").trim_matches('"')
}

/// The address of an asset, with its content's digest.
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
    let keep_s = if asked == Some(asset.version()) { FOREVER_S } else { 0 };
    published_as(request, &asset.tag, keep_s, || file(asset.kind, asset.body))
}
