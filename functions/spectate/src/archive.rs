//! `GET /archive`: all games, of one agent or of all, page by page.

use arena::{AgentName, Game, HouseLevel, Pool};
use arena_lambda::{Context, Keep, Refusal, Reply, history, html};
use arena_protocol::Backend;
use arena_store::{Cursor, Paging};
use arena_wire::{AgentGamesQuery, ArchiveQuery, GameStatus, Name, parse_query};
use askama::Template;
use lambda_http::{Request, RequestExt};
use renju::{NamedOpening, Ruleset, Seat};

use crate::cards::Card;
use crate::{malformed, openings, page};

const ROWS: u16 = 25;
/// Pages of the store that are looked through for the games of one page here.
const PAGES_MAX: usize = 4;
const KEEP: Keep = Keep::Seconds(2);

/// Names of the parameters, in the order of the form.
const FILTERS: [&str; 10] = [
    "agent", "opponent", "ruleset", "pool", "opening", "rating", "reason", "status", "since",
    "until",
];

pub(crate) async fn show(context: &Context, request: &Request) -> Reply {
    let asked = request.query_string_parameters_ref();
    // A form sends what is not filled in as an empty text, and a link may have other parameters.
    let value = |name| asked.and_then(|query| query.first(name)).filter(|value| !value.is_empty());
    let pairs: Vec<(&str, &str)> = FILTERS
        .into_iter()
        .chain(["next"])
        .filter_map(|name| value(name).map(|value| (name, value)))
        .collect();
    let query: ArchiveQuery = parse_query(pairs.iter().copied())?;
    let filters: Vec<(&str, &str)> =
        pairs.iter().copied().filter(|(name, _)| *name != "next").collect();
    let source = format!("/archive?{}", joined(&pairs));
    let make = async || {
        let (games, next) = find(context, &query).await?;
        let next = next.map(|next| {
            let next: Vec<_> = filters.iter().copied().chain([("next", next.as_str())]).collect();
            format!("/archive?{}", joined(&next))
        });
        html(page(&ArchivePage {
            games: games.iter().map(Card::of).collect(),
            first: query.next.is_some().then(|| format!("/archive?{}", joined(&filters))),
            next,
            asked: Asked(&filters),
            rulesets: Ruleset::ALL,
            pools: &Pool::ALL,
            openings: &NamedOpening::ALL,
            reasons: REASONS,
        }))
    };
    context.list(request, source, KEEP, make).await
}

/// A query string. The values are checked: none needs escaping.
fn joined(pairs: &[(&str, &str)]) -> String {
    let pairs: Vec<String> = pairs.iter().map(|(name, value)| format!("{name}={value}")).collect();
    pairs.join("&")
}

/// The games asked for, newest first, and the place where the next page starts.
async fn find(
    context: &Context,
    query: &ArchiveQuery,
) -> Result<(Vec<Game>, Option<String>), Refusal> {
    let of_agent = query.of_agent();
    // House bots have no list of their own; the games of an agent against one have.
    let (agent, of_agent) = match (&query.agent, &query.opponent) {
        (Some(Name(agent)), Some(Name(opponent))) if is_house(agent) && !is_house(opponent) => {
            (Some(opponent), AgentGamesQuery { opponent: query.agent.clone(), ..of_agent })
        }
        (None, Some(Name(opponent))) => {
            (Some(opponent), AgentGamesQuery { opponent: None, ..of_agent })
        }
        (agent, _) => (agent.as_ref().map(|Name(agent)| agent), of_agent),
    };
    match agent {
        // Nobody's games, or those of an agent that is gone.
        Some(agent) if !is_house(agent) && context.store.agent(agent).await?.is_none() => {
            Ok((Vec::new(), None))
        }
        Some(agent) => {
            let (mut games, next) = history(context, agent, &of_agent, ROWS).await?;
            games.retain(|game| {
                is_wanted(game, query) && query.until().is_none_or(|until| game.last_at() < until)
            });
            Ok((games, next))
        }
        None => all(context, query, &of_agent).await,
    }
}

/// True for a game with the opening and of the strength asked for.
fn is_wanted(game: &Game, query: &ArchiveQuery) -> bool {
    let players = &game.header().players;
    let weaker = players.first.rating.value.min(players.second.rating.value);
    query.rating.is_none_or(|least| weaker >= f64::from(least.0))
        && query.opening.is_none_or(|opening| openings::of(game) == Some(opening.0))
}

fn is_house(name: &AgentName) -> bool {
    HouseLevel::of(name).is_some()
}

/// The games of all players that are asked for. Only rulesets have lists of their own.
async fn all(
    context: &Context,
    query: &ArchiveQuery,
    filter: &AgentGamesQuery,
) -> Result<(Vec<Game>, Option<String>), Refusal> {
    let is_live = query.status.is_some_and(|status| status.0 == GameStatus::Live);
    let ruleset = query.ruleset.and_then(|ruleset| ruleset.0);
    let mut after: Option<Cursor> = match query.next.as_deref() {
        Some(next) => Some(next.parse().map_err(malformed)?),
        None => query.until().map(Cursor::before),
    };
    let mut found = Vec::new();
    for _ in 0..PAGES_MAX {
        let paging = Paging { limit: ROWS, after };
        let listing = match is_live {
            true => context.store.live(paging).await?,
            false => context.store.finished(ruleset, paging).await?,
        };
        after = listing.next;
        for game in context.store.games_in_order(&listing.entries).await? {
            // A finished game that ended before `since` is followed by none that began later.
            if query.since.is_some_and(|since| game.last_at() < since.0) {
                after = None;
            } else if filter.accepts(&game, Seat::First)
                && !filter.is_too_old(&game)
                && is_wanted(&game, query)
            {
                found.push(game);
            }
        }
        if after.is_none() || found.len() * 2 > usize::from(ROWS) {
            break;
        }
    }
    Ok((found, after.map(|after| after.to_string())))
}

/// Values of the filters, to show them in the form.
struct Asked<'a>(&'a [(&'a str, &'a str)]);

impl Asked<'_> {
    fn value(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
    }

    fn is(&self, name: &str, value: &str) -> bool {
        self.value(name) == value
    }
}

/// Reasons for the end of a game, in words.
const REASONS: &[(&str, &str)] = &[
    ("five", "five in a row"),
    ("overline", "forbidden overline"),
    ("double_four", "forbidden double four"),
    ("double_three", "forbidden double three"),
    ("pairs", "captured pairs"),
    ("board_full", "full board"),
    ("resignation", "resignation"),
    ("timeout", "time"),
    ("no_show", "no show"),
    ("ruling", "operator's ruling"),
    ("void", "broken off"),
];

#[derive(Template)]
#[template(path = "archive.html")]
struct ArchivePage<'a> {
    games: Vec<Card>,
    /// Address of the first page, on another one.
    first: Option<String>,
    next: Option<String>,
    asked: Asked<'a>,
    rulesets: &'static [Ruleset],
    pools: &'static [Pool],
    openings: &'static [NamedOpening],
    reasons: &'static [(&'static str, &'static str)],
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::Reason;
    use arena_wire::Spelled;

    #[test]
    fn every_reason_can_be_asked_for() {
        let known: Vec<&str> = Reason::WORDS.iter().map(|(_, word)| *word).collect();
        let offered: Vec<&str> = REASONS.iter().map(|(id, _)| *id).collect();
        assert_eq!(offered, known);
    }
}
