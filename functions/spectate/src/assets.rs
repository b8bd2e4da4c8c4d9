//! Styles, scripts, the icon and the WebAssembly module, embedded in the binary, with URLs that change with their content.

use std::sync::LazyLock;

use arena_lambda::{Keep, Refusal, Reply, cached_as, tag_of, written};
use arena_wire::Code;
use lambda_http::{Body, Request, RequestExt};

struct Asset {
    name: &'static str,
    kind: &'static str,
    body: Content,
    tag: String,
}

enum Content {
    Text(String),
    Binary(&'static [u8]),
}

impl Content {
    fn bytes(&self) -> &[u8] {
        match self {
            Content::Text(text) => text.as_bytes(),
            Content::Binary(bytes) => bytes,
        }
    }
}

impl From<&Content> for Body {
    fn from(content: &Content) -> Body {
        match content {
            Content::Text(text) => text.as_str().into(),
            Content::Binary(bytes) => (*bytes).into(),
        }
    }
}

const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// Rules that two style sheets begin with.
macro_rules! stage {
    () => {
        include_str!("../assets/stage.css")
    };
}

/// In the order of their imports: a script imports only scripts above it.
static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    let module = include_bytes!("../assets/renju.wasm");
    let mut assets = vec![Asset::new("renju.wasm", "application/wasm", Content::Binary(module))];
    for (name, kind, body) in [
        ("style.css", STYLE, include_str!("../assets/style.css")),
        ("lists.css", STYLE, include_str!("../assets/lists.css")),
        ("tables.css", STYLE, include_str!("../assets/tables.css")),
        ("guide.css", STYLE, include_str!("../assets/guide.css")),
        ("game.css", STYLE, concat!(stage!(), include_str!("../assets/game.css"))),
        ("play.css", STYLE, include_str!("../assets/play.css")),
        ("embed.css", STYLE, include_str!("../assets/embed.css")),
        ("learn.css", STYLE, include_str!("../assets/learn.css")),
        ("me.css", STYLE, include_str!("../assets/me.css")),
        ("analysis.css", STYLE, concat!(stage!(), include_str!("../assets/analysis.css"))),
        ("icon.svg", "image/svg+xml", include_str!("../assets/icon.svg")),
        ("theme.js", SCRIPT, include_str!("../assets/theme.js")),
        ("live.js", SCRIPT, include_str!("../assets/live.js")),
        ("clock.js", SCRIPT, include_str!("../assets/clock.js")),
        ("ago.js", SCRIPT, include_str!("../assets/ago.js")),
        ("replay.js", SCRIPT, include_str!("../assets/replay.js")),
        ("api.js", SCRIPT, include_str!("../assets/api.js")),
        ("offer.js", SCRIPT, include_str!("../assets/offer.js")),
        ("points.js", SCRIPT, include_str!("../assets/points.js")),
        ("say.js", SCRIPT, include_str!("../assets/say.js")),
        ("rows.js", SCRIPT, include_str!("../assets/rows.js")),
        ("sound.js", SCRIPT, include_str!("../assets/sound.js")),
        ("play.js", SCRIPT, include_str!("../assets/play.js")),
        ("start.js", SCRIPT, include_str!("../assets/start.js")),
        ("lesson-board.js", SCRIPT, include_str!("../assets/lesson-board.js")),
        ("learn.js", SCRIPT, include_str!("../assets/learn.js")),
        ("puzzle.js", SCRIPT, include_str!("../assets/puzzle.js")),
        ("me.js", SCRIPT, include_str!("../assets/me.js")),
        ("renju.js", SCRIPT, include_str!("../assets/renju.js")),
        ("analysis-board.js", SCRIPT, include_str!("../assets/analysis-board.js")),
        ("analysis-engine.js", SCRIPT, include_str!("../assets/analysis-engine.js")),
        ("analysis-review.js", SCRIPT, include_str!("../assets/analysis-review.js")),
        ("analysis-tree.js", SCRIPT, include_str!("../assets/analysis-tree.js")),
        ("analysis-worker.js", SCRIPT, include_str!("../assets/analysis-worker.js")),
        ("analysis.js", SCRIPT, include_str!("../assets/analysis.js")),
    ] {
        let body = match kind {
            STYLE => tight(&compact(body)),
            _ => with_versions(compact(body), &assets),
        };
        let body = Content::Text(body);
        assets.push(Asset::new(name, kind, body));
    }
    assets
});

/// The script or style sheet without indentation and lines of comment, which are for its authors.
fn compact(text: &str) -> String {
    let is_comment =
        |line: &str| line.starts_with("//") || (line.starts_with("/*") && line.ends_with("*/"));
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !is_comment(line));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// The style sheet without spaces that only its authors need.
fn tight(sheet: &str) -> String {
    let pairs = [(" {", "{"), ("{ ", "{"), ("; }", "}"), (": ", ":"), ("; ", ";"), (", ", ",")];
    pairs.iter().fold(sheet.to_owned(), |sheet, (loose, tight)| sheet.replace(loose, tight))
}

/// The script, with the version of each script it imports in the address of the import: it can be
/// kept as long as the one that the page names.
fn with_versions(mut body: String, known: &[Asset]) -> String {
    for Asset { name, tag, .. } in known {
        let import = format!("\"./{name}\"");
        if body.contains(&import) {
            let versioned = format!("\"./{name}?v={}\"", version(tag));
            body = body.replace(&import, &versioned);
        }
    }
    body
}

impl Asset {
    fn new(name: &'static str, kind: &'static str, body: Content) -> Asset {
        Asset { name, kind, tag: tag_of(body.bytes()), body }
    }

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
    cached_as(request, &asset.tag, keep, || written(asset.kind, &asset.body))
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

    /// Value of a variable in a block of the style sheet.
    fn variable(block: &'static str, name: &str) -> &'static str {
        let start = format!("--{name}: ");
        let at = block.find(&start).unwrap_or_else(|| panic!("no variable {name}"));
        block[at + start.len()..].split(';').next().unwrap()
    }

    #[test]
    fn boards_have_the_same_colours_on_a_page_and_in_a_file() {
        let style = include_str!("../assets/style.css");
        let (light, dark) = style.split_once("prefers-color-scheme: dark").unwrap();
        for (theme, block) in [(Theme::Light, light), (Theme::Dark, dark)] {
            let colors = theme.colors().unwrap();
            for (name, color) in [
                ("wood", colors.wood),
                ("grid", colors.grid),
                ("letter", colors.letter),
                ("shade", colors.shade),
                ("black", colors.black),
                ("white", colors.white),
                ("edge", colors.edge),
                ("board-mark", colors.mark),
                ("board-foul", colors.foul),
                ("on-black", colors.on_black),
                ("on-white", colors.on_white),
            ] {
                assert_eq!(variable(block, name), color, "{theme:?}: {name}");
            }
        }
    }

    #[test]
    fn an_import_names_the_version_that_is_served() {
        let scripts = ASSETS.iter().filter_map(|asset| match &asset.body {
            Content::Text(text) if asset.kind == SCRIPT => Some(text),
            _ => None,
        });
        let imports: Vec<&str> = scripts
            .flat_map(|script| script.split("\"./").skip(1))
            .filter_map(|rest| rest.split('"').next())
            .collect();
        assert!(imports.len() >= 8, "{imports:?}");
        for import in imports {
            let name = import.split('?').next().unwrap();
            assert_eq!(format!("/assets/{import}"), url(name));
        }
    }

    #[test]
    fn an_address_changes_with_the_content() {
        let address = url("style.css");
        assert_eq!(address.len(), "/assets/style.css?v=".len() + 16, "{address}");
        assert_ne!(address.split("?v=").nth(1), url("live.js").split("?v=").nth(1));
    }
}
