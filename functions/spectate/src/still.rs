//! Pages that change only with a new build: playing in the browser, and the guide for agents.

use arena::Pool;
use askama::Template;
use renju::Ruleset;

/// `GET /play`: a game against a house bot, through the public API.
#[derive(Template)]
#[template(path = "play.html")]
pub(crate) struct PlayPage {
    rulesets: &'static [Ruleset],
    pools: &'static [Pool],
}

impl PlayPage {
    pub(crate) fn new() -> PlayPage {
        PlayPage { rulesets: Ruleset::ALL, pools: &Pool::ALL }
    }
}

const BOT: &str = include_str!("../assets/bot.py");

/// The address in the bot.
const ORIGIN: &str = "http://127.0.0.1:8080";

/// `GET /docs`: for authors of agents.
#[derive(Template)]
#[template(path = "docs.html")]
pub(crate) struct DocsPage {
    origin: String,
    /// A bot in one file, for this arena.
    bot: String,
    rulesets: &'static [Ruleset],
    pools: &'static [Pool],
}

impl DocsPage {
    pub(crate) fn new(origin: String) -> DocsPage {
        let bot = BOT.replace(ORIGIN, &origin);
        DocsPage { origin, bot, rulesets: Ruleset::ALL, pools: &Pool::ALL }
    }
}
