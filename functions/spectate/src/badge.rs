//! `GET /agents/{name}/badge.svg`: a rating for the README of an agent.

use arena::{AgentName, Division, HouseLevel, Rating, Standing, Timestamp};
use arena_lambda::{Context, Keep, Refusal, Reply, cached, query, received_at, written};
use arena_wire::{BadgeQuery, Code, Media};
use lambda_http::Request;

use crate::words;

const KEEP: Keep = Keep::Seconds(300);

pub(crate) async fn show(context: &Context, request: &Request, name: &AgentName) -> Reply {
    let query: BadgeQuery = query(request)?;
    let (label, value) = match HouseLevel::of(name) {
        Some(level) => ("Renju Arena".to_owned(), shown(level.rating())),
        None => {
            let Some((_, standings)) = context.store.profile(name).await? else {
                return Err(Refusal::plain(Code::NotFound, format!("there is no agent {name}")));
            };
            words_of(&standings, &query, received_at(request))
        }
    };
    let svg = draw(&label, &format!("{name} {value}"));
    cached(request, written(Media::Svg.content_type(), svg), KEEP)
}

/// Rules and rating: those asked for, or those that changed last.
fn words_of(
    standings: &[(Division, Standing)],
    query: &BadgeQuery,
    now: Timestamp,
) -> (String, String) {
    let is_asked = |(division, _): &&(Division, Standing)| {
        query.ruleset.is_none_or(|ruleset| ruleset.0 == division.ruleset)
            && query.pool.is_none_or(|pool| pool.0 == division.pool)
    };
    let asked = standings.iter().filter(is_asked);
    match asked.max_by_key(|(_, standing)| standing.rated_at) {
        Some((division, standing)) => {
            (words::short(division.ruleset).to_owned(), shown(standing.rating_at(now)))
        }
        None => {
            let label = query.ruleset.map_or("Renju Arena", |ruleset| words::short(ruleset.0));
            (label.to_owned(), "unrated".to_owned())
        }
    }
}

fn shown(rating: Rating) -> String {
    let doubt = if rating.is_provisional() { "?" } else { "" };
    format!("{}{doubt}", rating.value.round())
}

/// Draws two words beside each other. No text of a badge needs escaping: names and rules are plain.
fn draw(label: &str, value: &str) -> String {
    let [left, right] = [label, value].map(wide);
    let (whole, middle) = (left + right, left + right / 2);
    let text = |x: u32, wide: u32, words: &str| {
        let length = wide - 12;
        format!("<text x=\"{x}\" y=\"14\" textLength=\"{length}\">{words}</text>")
    };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{whole}\" height=\"20\" role=\"img\" aria-label=\"{label}: {value}\">\
         <title>{label}: {value}</title><clipPath id=\"r\"><rect width=\"{whole}\" height=\"20\" rx=\"4\"/></clipPath>\
         <g clip-path=\"url(#r)\"><rect width=\"{left}\" height=\"20\" fill=\"#26231e\"/>\
         <rect x=\"{left}\" width=\"{right}\" height=\"20\" fill=\"#0b6e54\"/></g>\
         <g fill=\"#fff\" text-anchor=\"middle\" font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">{}{}</g></svg>",
        text(left / 2, left, label),
        text(middle, right, value),
    )
}

/// Width of a text with its margins, by the usual widths of a sans-serif font of 11 pixels.
fn wide(text: &str) -> u32 {
    let tenths = |letter: char| match letter {
        'i' | 'j' | 'l' | 't' | 'f' | 'r' | ' ' | '.' | ',' | '(' | ')' | '-' => 42,
        'm' | 'w' | 'M' | 'W' => 100,
        'A'..='Z' => 76,
        _ => 68,
    };
    12 + text.chars().map(tenths).sum::<u32>().div_ceil(10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use renju::Ruleset;

    #[test]
    fn a_badge_names_the_rules_and_the_rating() {
        let svg = draw("Renju, free opening", "ada 1612");
        assert!(svg.contains("aria-label=\"Renju, free opening: ada 1612\""), "{svg}");
        assert!(svg.contains(">ada 1612</text>"), "{svg}");
    }

    #[test]
    fn names_of_rules_need_no_escaping() {
        for ruleset in Ruleset::ALL {
            assert!(!words::short(ruleset).contains(['<', '>', '&', '"']), "{}", ruleset.id);
        }
    }

    #[test]
    fn who_has_not_played_is_unrated() {
        let any = BadgeQuery { ruleset: None, pool: None };
        let (label, value) = words_of(&[], &any, Timestamp::default());
        assert_eq!((label.as_str(), value.as_str()), ("Renju Arena", "unrated"));
    }
}
