//! `GET /agent/{name}`: an agent, its ratings and its games.

use arena::{AgentName, Division, Game, HouseLevel, Score, Standing, Timestamp};
use arena_lambda::{Context, Keep, Refusal, Reply, history, received_at, varied_by_site};
use arena_wire::{AgentGamesQuery, Code, RatingView, TimeView};
use askama::Template;
use lambda_http::{Request, RequestExt};
use renju::{Color, Seat};

use crate::cards::{Card, Tile};
use crate::{graph, publish, words};

const KEEP: Keep = Keep::Seconds(10);
/// Limit of games listed; the archive has the others.
const ROWS: u16 = 10;
/// Limit of opponents listed.
const OPPONENTS_MAX: usize = 12;

pub(crate) async fn show(context: &Context, request: &Request, name: &AgentName) -> Reply {
    if let Some(level) = HouseLevel::of(name) {
        return publish(request, KEEP, &HousePage { name: name.as_str(), level });
    }
    let Some((agent, standings)) = context.store.profile(name).await? else {
        return Err(Refusal::plain(Code::NotFound, format!("there is no agent {name}")));
    };
    let now = received_at(request);
    let asked = request.query_string_parameters_ref().and_then(|query| query.first("in"));
    let chosen = choose(&standings, asked);
    let ids = chosen.map(|(_, standing)| standing.recent.clone()).unwrap_or_default();
    let games = context.store.games_in_order(&ids).await?;
    let (latest, older) = history(context, name, &AgentGamesQuery::ALL, ROWS).await?;
    let played: Vec<&Game> =
        games.iter().filter(|game| game.result().is_some() && game.uncounted().is_none()).collect();

    let of_division = |(division, _): &&(Division, Standing)| {
        played.iter().copied().filter(|game| game.header().division == *division).collect()
    };
    let counted: Vec<&Game> = chosen.as_ref().map(of_division).unwrap_or_default();
    let page = AgentPage {
        origin: context.base_url(request),
        name: name.as_str(),
        bio: agent.bio.as_deref(),
        url: agent.url.as_deref(),
        since: TimeView(agent.created).day(),
        ratings: standings.iter().map(|(at, standing)| Rated::of(*at, standing, now)).collect(),
        chosen: chosen.map(|(division, _)| division.to_string()),
        chosen_rules: chosen.map_or(String::new(), |(division, _)| {
            format!("{}, {}", words::short(division.ruleset), division.pool)
        }),
        graph: chosen.and_then(|(_, standing)| graph::draw(name, &counted, standing)),
        by_color: Color::BOTH
            .map(|color| {
                Tally::of(name, &counted, |game, seat| {
                    (game.color_of(seat) == color).then(|| color.to_string())
                })
            })
            .into_iter()
            .flatten()
            .collect(),
        by_opponent: {
            let opponent =
                |game: &Game, seat: Seat| Some(game.header().players[!seat].name.to_string());
            let mut tallies = Tally::of(name, &counted, opponent);
            tallies.sort_by_key(|tally| std::cmp::Reverse(tally.games()));
            tallies.truncate(OPPONENTS_MAX);
            tallies
        },
        counted: counted.len(),
        playing: latest.first().filter(|game| game.result().is_none()).map(Tile::of),
        games: latest.iter().filter(|game| game.result().is_some()).map(Card::of).collect(),
        older,
    };
    varied_by_site(publish(request, KEEP, &page))
}

/// The requested division, or the one played last.
fn choose<'a>(
    standings: &'a [(Division, Standing)],
    asked: Option<&str>,
) -> Option<&'a (Division, Standing)> {
    let named = standings.iter().find(|(division, _)| Some(division.to_string().as_str()) == asked);
    named.or_else(|| standings.iter().max_by_key(|(_, standing)| standing.rated_at))
}

struct Rated {
    id: String,
    rules: &'static str,
    view: RatingView<'static>,
}

impl Rated {
    fn of(division: Division, standing: &Standing, now: Timestamp) -> Rated {
        Rated {
            id: division.to_string(),
            rules: words::short(division.ruleset),
            view: RatingView::of(division, standing, now),
        }
    }
}

/// Results against an opponent, or with a colour.
#[derive(Default)]
struct Tally {
    what: String,
    won: u32,
    lost: u32,
    drawn: u32,
}

impl Tally {
    fn games(&self) -> u32 {
        self.won + self.lost + self.drawn
    }

    /// Counts results by what `kind` returns for a game and the agent's seat.
    fn of(
        name: &AgentName,
        games: &[&Game],
        kind: impl Fn(&Game, Seat) -> Option<String>,
    ) -> Vec<Tally> {
        let mut tallies: Vec<Tally> = Vec::new();
        for game in games {
            let (Some(seat), Some(result)) = (game.seat_of(name), game.result()) else { continue };
            let Some(what) = kind(game, seat) else { continue };
            let index = tallies.iter().position(|tally| tally.what == what).unwrap_or_else(|| {
                tallies.push(Tally { what, ..Tally::default() });
                tallies.len() - 1
            });
            match result.score(seat) {
                Score::Win => tallies[index].won += 1,
                Score::Loss => tallies[index].lost += 1,
                Score::Draw => tallies[index].drawn += 1,
            }
        }
        tallies
    }
}

#[derive(Template)]
#[template(path = "agent.html")]
struct AgentPage<'a> {
    origin: String,
    name: &'a str,
    bio: Option<&'a str>,
    url: Option<&'a str>,
    since: String,
    ratings: Vec<Rated>,
    chosen: Option<String>,
    chosen_rules: String,
    graph: Option<String>,
    by_color: Vec<Tally>,
    by_opponent: Vec<Tally>,
    counted: usize,
    /// The live game.
    playing: Option<Tile>,
    games: Vec<Card>,
    /// Place in the archive where the games before these start.
    older: Option<String>,
}

/// Page of a house bot, which has a rating but no other record.
#[derive(Template)]
#[template(path = "house.html")]
struct HousePage<'a> {
    name: &'a str,
    level: HouseLevel,
}
