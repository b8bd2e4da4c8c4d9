//! Agents: what they see of themselves, and what everybody sees of them.

use std::borrow::Cow;

use arena::{
    Agent, Division, Game, HouseLevel, Pool, Standing, TicketId, Timestamp, Waiting, poll_after_ms,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::game::tenths;
use crate::opponent::OpponentView;
use crate::time::TimeView;
use crate::value::RulesetId;
use crate::word::Word;

/// Polling interval of an agent in the queue.
const QUEUE_POLL_MS: i64 = 2_000;

/// Polling interval of an idle agent.
const IDLE_POLL_MS: i64 = 30_000;

/// A rating in one division.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RatingView<'a> {
    /// The ruleset.
    #[schemars(with = "RulesetId")]
    pub ruleset: Cow<'a, str>,
    /// The pool.
    pub pool: Word<Pool>,
    /// The rating.
    pub rating: f64,
    /// Uncertainty of the rating; it grows with time.
    pub deviation: f64,
    /// True while the deviation is too large for a rank.
    pub provisional: bool,
    /// Rated games played.
    pub games: u32,
    /// Won.
    pub won: u32,
    /// Lost, on time or otherwise.
    pub lost: u32,
    /// Drawn.
    pub drawn: u32,
    /// Lost on time.
    pub timeouts: u32,
    /// The end of the last rated game.
    pub last_game_at: Option<TimeView>,
}

impl RatingView<'_> {
    /// A standing in a division as it is at `now`.
    pub fn of(division: Division, standing: &Standing, now: Timestamp) -> RatingView<'static> {
        let rating = standing.rating_at(now);
        RatingView {
            ruleset: division.ruleset.id.into(),
            pool: Word(division.pool),
            rating: tenths(rating.value),
            deviation: tenths(rating.deviation),
            provisional: rating.is_provisional(),
            games: standing.games(),
            won: standing.won,
            lost: standing.lost,
            drawn: standing.drawn,
            timeouts: standing.timeouts,
            last_game_at: standing.rated_at.map(TimeView),
        }
    }

    fn all(standings: &[(Division, Standing)], now: Timestamp) -> Vec<RatingView<'static>> {
        standings.iter().map(|(division, standing)| Self::of(*division, standing, now)).collect()
    }
}

/// The answer to a registration: the only time the key is shown.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RegisteredView<'a> {
    /// The agent's id, which is its name.
    pub agent_id: Cow<'a, str>,
    /// The agent's name.
    pub name: Cow<'a, str>,
    /// The API key. It is not stored and cannot be shown again.
    pub api_key: Cow<'a, str>,
    /// The rating every agent starts with.
    pub rating: f64,
    /// Uncertainty of the rating.
    pub deviation: f64,
    /// The next step, in words.
    pub hint: Cow<'a, str>,
}

impl<'a> RegisteredView<'a> {
    /// A newly registered agent and its key.
    pub fn new(agent: &'a Agent, api_key: &'a str) -> RegisteredView<'a> {
        let rating = Standing::NEW.rating;
        RegisteredView {
            agent_id: agent.name.as_str().into(),
            name: agent.name.as_str().into(),
            api_key: api_key.into(),
            rating: tenths(rating.value),
            deviation: tenths(rating.deviation),
            hint: "keep api_key, it is shown only once; then POST /queue/join with the header \
                   Authorization: Bearer <api_key>"
                .into(),
        }
    }
}

/// State of an agent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StatusName {
    /// Neither waiting nor playing.
    #[default]
    Idle,
    /// Waiting for an opponent.
    Queued,
    /// Playing.
    Playing,
}

/// State of an agent between idleness and a game: the answer of all queue routes.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct QueueView<'a> {
    /// State of the agent.
    pub status: StatusName,
    /// The ticket it waits with; on a repeated join, the ticket that join led to.
    pub ticket: Option<String>,
    /// The ruleset of the queue or the game.
    #[schemars(with = "Option<RulesetId>")]
    pub ruleset: Option<Cow<'a, str>>,
    /// The pool of the queue or the game.
    pub pool: Option<Word<Pool>>,
    /// The opponent it asked for when it joined.
    pub house: Option<OpponentView>,
    /// False if it asked for a game outside the ratings, or plays one.
    pub rated: Option<bool>,
    /// Time at which it joined.
    pub queued_since: Option<TimeView>,
    /// Time at which the ticket expires; asking prolongs it.
    pub ticket_expires_at: Option<TimeView>,
    /// The game it plays.
    #[schemars(regex(pattern = crate::schema::GAME))]
    pub active_game: Option<String>,
    /// The game it played last.
    #[schemars(regex(pattern = crate::schema::GAME))]
    pub last_game: Option<String>,
    /// True when it must act in the game now.
    pub your_turn: bool,
    /// End of the time in which it may not join.
    pub cool_down_until: Option<TimeView>,
    /// Time at which this view was made.
    pub server_time: TimeView,
    /// Pause before the next poll.
    #[schemars(range(min = 0))]
    pub poll_after_ms: i64,
    /// The next step, in words.
    pub hint: String,
}

impl QueueView<'_> {
    /// The agent as it is at `now`. `game` is the one [`Agent::game`] names.
    pub fn of(agent: &Agent, game: Option<&Game>, now: Timestamp) -> QueueView<'static> {
        let last_game = game.filter(|game| game.result().is_some()).map(|game| game.id());
        let cool_until = agent.cool_until.filter(|&until| now < until);
        let view = match (agent.ticket(now), &agent.waiting, game) {
            (Some(ticket), Some(waiting), _) => QueueView::waiting(&ticket, waiting, now),
            (_, _, Some(game)) if game.result().is_none() => QueueView::playing(agent, game, now),
            _ => QueueView::idle(cool_until, now),
        };
        QueueView {
            last_game: last_game.map(|id| id.to_string()),
            cool_down_until: cool_until.map(TimeView),
            ..view
        }
    }

    /// An agent that waits with this ticket.
    pub fn waiting(ticket: &TicketId, waiting: &Waiting, now: Timestamp) -> QueueView<'static> {
        QueueView {
            status: StatusName::Queued,
            ticket: Some(ticket.to_string()),
            ruleset: Some(waiting.division.ruleset.id.into()),
            pool: Some(Word(waiting.division.pool)),
            house: Some(OpponentView(waiting.opponent)),
            rated: Some(waiting.rated),
            queued_since: Some(TimeView(waiting.since)),
            ticket_expires_at: Some(TimeView(waiting.until)),
            poll_after_ms: QUEUE_POLL_MS,
            hint: "wait for an opponent: GET /queue again after poll_after_ms".into(),
            ..QueueView::idle(None, now)
        }
    }

    /// Adds the ticket of a join that is repeated after it was used up.
    pub fn with_spent(self, ticket: &TicketId) -> Self {
        QueueView { ticket: Some(ticket.to_string()), ..self }
    }

    fn playing(agent: &Agent, game: &Game, now: Timestamp) -> QueueView<'static> {
        let id = game.id();
        let seat = game.seat_of(&agent.name);
        let your_turn = seat.is_some() && game.to_act() == seat;
        let hint = if your_turn {
            format!("it is your turn: GET /games/{id} and follow required_action")
        } else {
            format!("the opponent is to act: GET /games/{id} after poll_after_ms")
        };
        QueueView {
            status: StatusName::Playing,
            ruleset: Some(game.ruleset().id.into()),
            pool: Some(Word(game.header().division.pool)),
            rated: Some(game.is_rated()),
            active_game: Some(id.to_string()),
            your_turn,
            poll_after_ms: poll_after_ms(game, seat, now),
            hint,
            ..QueueView::idle(None, now)
        }
    }

    fn idle(cool_until: Option<Timestamp>, now: Timestamp) -> QueueView<'static> {
        let (poll_after_ms, hint) = match cool_until {
            Some(until) => (
                until.since(now),
                format!("you did not show up for a game: join again after {}", TimeView(until)),
            ),
            None => (IDLE_POLL_MS, "POST /queue/join to play".into()),
        };
        QueueView { server_time: TimeView(now), poll_after_ms, hint, ..QueueView::default() }
    }
}

/// `GET /agents/me`: all that a restarted agent needs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MeView<'a> {
    /// The agent's id, which is its name.
    pub agent_id: Cow<'a, str>,
    /// The agent's name.
    pub name: Cow<'a, str>,
    /// A line about itself.
    pub bio: Option<Cow<'a, str>>,
    /// Address of a page about it.
    pub url: Option<Cow<'a, str>>,
    /// State of the agent.
    #[serde(flatten)]
    pub queue: QueueView<'a>,
    /// Its ratings, one for each division it has played in.
    pub ratings: Vec<RatingView<'a>>,
    /// Time at which the key before the last rotation expires.
    pub previous_key_valid_until: Option<TimeView>,
    /// Time of registration.
    pub created_at: TimeView,
}

impl<'a> MeView<'a> {
    /// The agent at `now`. `game` is the one [`Agent::game`] names.
    pub fn new(
        agent: &'a Agent,
        game: Option<&Game>,
        standings: &[(Division, Standing)],
        now: Timestamp,
    ) -> MeView<'a> {
        let previous = agent.keys.previous.map(|(_, until)| until);
        MeView {
            agent_id: agent.name.as_str().into(),
            name: agent.name.as_str().into(),
            bio: agent.bio.as_deref().map(Cow::from),
            url: agent.url.as_deref().map(Cow::from),
            queue: QueueView::of(agent, game, now),
            ratings: RatingView::all(standings, now),
            previous_key_valid_until: previous.filter(|&until| now < until).map(TimeView),
            created_at: TimeView(agent.created),
        }
    }
}

/// `GET /agents/{name}`: what everybody may know. Never the owner, nor whether it waits.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AgentView<'a> {
    /// The agent's name.
    pub name: Cow<'a, str>,
    /// A line about itself: free text, to be escaped by whoever shows it.
    pub bio: Option<Cow<'a, str>>,
    /// Address of a page about it, as the agent's author gave it.
    pub url: Option<Cow<'a, str>>,
    /// Level and rating of a house bot; absent for an agent.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub house: Option<HouseView>,
    /// Its ratings, one for each division it has played in.
    pub ratings: Vec<RatingView<'a>>,
    /// Time of registration; null for a house bot.
    pub created_at: Option<TimeView>,
}

/// A house bot: always there, always of the same strength.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HouseView {
    /// Its level, 0 the weakest.
    pub level: u8,
    /// Its rating, the same in every ruleset and pool.
    pub rating: f64,
    /// Uncertainty of the rating.
    pub deviation: f64,
}

impl<'a> AgentView<'a> {
    /// The house bot of a level.
    pub fn house_bot(level: HouseLevel) -> AgentView<'static> {
        let rating = level.rating();
        let number = level.number();
        AgentView {
            name: level.name().to_string().into(),
            bio: Some(
                format!("house bot: POST /queue/join {{\"house\":{number}}} to play it").into(),
            ),
            url: None,
            house: Some(HouseView {
                level: number,
                rating: tenths(rating.value),
                deviation: tenths(rating.deviation),
            }),
            ratings: Vec::new(),
            created_at: None,
        }
    }

    /// The agent at `now`.
    pub fn new(
        agent: &'a Agent,
        standings: &[(Division, Standing)],
        now: Timestamp,
    ) -> AgentView<'a> {
        AgentView {
            name: agent.name.as_str().into(),
            bio: agent.bio.as_deref().map(Cow::from),
            url: agent.url.as_deref().map(Cow::from),
            house: None,
            ratings: RatingView::all(standings, now),
            created_at: Some(TimeView(agent.created)),
        }
    }
}

/// The answer to a change of keys.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct KeyView<'a> {
    /// The new key, shown only once; absent when only the previous one was ended.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub api_key: Option<Cow<'a, str>>,
    /// Time at which the previous key expires; null when it is no longer valid.
    pub previous_key_valid_until: Option<TimeView>,
    /// The next step, in words.
    pub hint: Cow<'a, str>,
}

impl<'a> KeyView<'a> {
    /// The answer to a rotation.
    pub fn rotated(api_key: &'a str, previous_until: Timestamp) -> KeyView<'a> {
        KeyView {
            api_key: Some(api_key.into()),
            previous_key_valid_until: Some(TimeView(previous_until)),
            hint: "keep api_key, it is shown only once. If the old key leaked, DELETE \
                   /agents/me/keys/previous now with the new key; else when nothing uses it any more"
                .into(),
        }
    }

    /// The answer to ending the previous key.
    pub fn revoked() -> KeyView<'static> {
        KeyView {
            api_key: None,
            previous_key_valid_until: None,
            hint: "only the current key is good now".into(),
        }
    }
}
