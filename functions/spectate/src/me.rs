//! `GET /me`: the page of an agent's author. It holds nothing about anybody: the browser has the key
//! and asks the public API with it.

use arena::{HouseLevel, Pool};
use arena_lambda::Reply;
use askama::Template;
use lambda_http::Request;
use renju::Ruleset;

use crate::{STILL, publish};

#[derive(Template)]
#[template(path = "me.html")]
struct MePage {
    rulesets: &'static [Ruleset],
    pools: &'static [Pool],
    levels: &'static [HouseLevel],
}

pub(crate) fn show(request: &Request) -> Reply {
    let (rulesets, pools) = (Ruleset::ALL, &Pool::ALL);
    publish(request, STILL, &MePage { rulesets, pools, levels: &HouseLevel::ALL })
}
