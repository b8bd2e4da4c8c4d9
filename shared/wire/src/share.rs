//! What other sites ask for: badges, and frames by oEmbed.

use arena::Pool;
use serde::{Deserialize, Serialize};

use crate::value::{RulesetId, Whole};
use crate::word::{Word, spelled};

/// `GET /agents/{name}/badge.svg?ruleset=&pool=`.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BadgeQuery {
    /// the rating with these rules; if absent, the one that changed last
    pub ruleset: Option<RulesetId>,
    /// the rating in this pool; if absent, the one that changed last
    pub pool: Option<Word<Pool>>,
}

/// `GET /oembed?url=https://arena.example/game/abc&maxwidth=600`.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OembedQuery {
    /// the address of a game's page
    pub url: String,
    /// json, the only format there is
    pub format: Option<Word<OembedFormat>>,
    /// the most pixels the frame may be wide
    pub maxwidth: Option<Pixels>,
    /// the most pixels the frame may be high
    pub maxheight: Option<Pixels>,
}

type Pixels = Whole<1, 65_535>;

/// Format of an oEmbed reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OembedFormat {
    /// JSON.
    Json,
}

spelled! {
    OembedFormat: Json = "json";
}

impl OembedQuery {
    /// The names of all parameters.
    pub const NAMES: [&str; 4] = ["url", "format", "maxwidth", "maxheight"];

    /// The id of the game whose page `url` is; `origin` is the address of the arena.
    pub fn game<'u>(&'u self, origin: &str) -> Option<&'u str> {
        let path = self.url.strip_prefix(origin)?.strip_prefix("/game/")?;
        path.split(['?', '#']).next().filter(|id| !id.is_empty())
    }

    /// Width and height of a frame that fits, if it is usually so wide and so high.
    pub fn frame(&self, (width, height): (u32, u32)) -> (u32, u32) {
        let limit = |most: Option<Pixels>, usual: u32| most.map_or(usual, |most| most.0.min(usual));
        (limit(self.maxwidth, width), limit(self.maxheight, height))
    }
}

/// Answer of `GET /oembed`: a frame with a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[allow(missing_docs, reason = "the names are those of the oEmbed specification")]
pub struct OembedView {
    pub version: &'static str,
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub title: String,
    pub provider_name: &'static str,
    pub provider_url: String,
    pub thumbnail_url: String,
    pub thumbnail_width: u32,
    pub thumbnail_height: u32,
    pub html: String,
    pub width: u32,
    pub height: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(url: &str) -> OembedQuery {
        OembedQuery { url: url.into(), format: None, maxwidth: None, maxheight: None }
    }

    #[test]
    fn only_pages_of_this_arenas_games_can_be_embedded() {
        let origin = "https://arena.example";
        let game = |url: &str| query(url).game(origin).map(str::to_owned);
        assert_eq!(game("https://arena.example/game/abc?turn=3#x").as_deref(), Some("abc"));
        for url in ["https://arena.example/game/", "https://other.example/game/abc", "/game/abc"] {
            assert_eq!(game(url), None, "{url}");
        }
        assert_eq!(game("https://arena.example.evil/game/abc"), None);
    }

    #[test]
    fn a_frame_is_no_larger_than_asked_for() {
        let narrow = OembedQuery { maxwidth: Some(Whole(320)), ..query("") };
        assert_eq!(narrow.frame((480, 600)), (320, 600));
        assert_eq!(query("").frame((480, 600)), (480, 600));
    }
}
