//! `GET /docs`: the guide for authors of agents, which changes only with a new build.

use arena::Pool;
use askama::Template;
use renju::Ruleset;

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
