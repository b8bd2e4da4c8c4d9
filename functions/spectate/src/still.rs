//! `GET /docs`: the guide for authors of agents, which changes only with a new build.

use arena::Pool;
use askama::Template;
use renju::Ruleset;

#[derive(Template)]
#[template(path = "docs.html")]
pub(crate) struct DocsPage {
    origin: String,
    rulesets: &'static [Ruleset],
    pools: &'static [Pool],
}

impl DocsPage {
    pub(crate) fn new(origin: String) -> DocsPage {
        DocsPage { origin, rulesets: Ruleset::ALL, pools: &Pool::ALL }
    }
}
