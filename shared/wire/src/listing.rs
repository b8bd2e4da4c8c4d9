//! Lists: games, the leaderboard. A list that goes on has a `next`, to be sent back as it is.

use std::borrow::Cow;

use arena::{AgentName, Division, Game, Pool, Standing, Timestamp, Uncounted};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::agent::RatingView;
use crate::game::{GameStatus, PhaseName, PlayersView, ResultView, SeatView};
use crate::time::TimeView;
use crate::value::RulesetId;
use crate::word::Word;

/// `GET /games` and `GET /agents/{name}/games`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GamesView<'a> {
    /// The games, the newest first.
    pub games: Vec<GameRow<'a>>,
    /// Cursor of the next page; null on the last.
    pub next: Option<String>,
}

/// A game in a list.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GameRow<'a> {
    /// The game's id.
    #[schemars(regex(pattern = crate::schema::GAME))]
    pub game_id: String,
    /// The ruleset.
    #[schemars(with = "RulesetId")]
    pub ruleset: Cow<'a, str>,
    /// The pool.
    pub pool: Word<Pool>,
    /// Live or over.
    pub status: GameStatus,
    /// The kind of decision that is due.
    pub phase: PhaseName,
    /// Number of decisions made so far.
    pub turn_number: u32,
    /// Number of stones placed so far.
    pub move_number: u16,
    /// The players by the colour they hold now.
    pub players: PlayersView<'a>,
    /// The player to act; null when the game is over.
    pub to_act: Option<SeatView<'a>>,
    /// The result; null while the game is live.
    pub result: Option<ResultView<'a>>,
    /// True if the game counts for ratings, as far as it is known.
    pub counted: bool,
    /// The reason why it does not count; null if it does.
    pub why: Option<Word<Uncounted>>,
    /// Start of the game.
    pub created_at: TimeView,
    /// Time of the last decision.
    pub updated_at: TimeView,
}

impl<'a> GameRow<'a> {
    /// The row of a game.
    pub fn of(game: &'a Game) -> GameRow<'a> {
        GameRow {
            game_id: game.id().to_string(),
            ruleset: game.ruleset().id.into(),
            pool: Word(game.header().division.pool),
            status: GameStatus::of(game),
            phase: PhaseName::of_game(game),
            turn_number: game.turn().0,
            move_number: game.position().move_number(),
            players: PlayersView::of(game),
            to_act: game.to_act().map(|seat| SeatView::of(game, seat)),
            result: game.result().map(|result| ResultView::of(game, result)),
            counted: game.uncounted().is_none(),
            why: game.uncounted().map(Word),
            created_at: TimeView(game.header().created),
            updated_at: TimeView(game.last_at()),
        }
    }
}

impl<'a> GamesView<'a> {
    /// The rows of these games.
    pub fn of(games: impl IntoIterator<Item = &'a Game>, next: Option<String>) -> GamesView<'a> {
        GamesView { games: games.into_iter().map(GameRow::of).collect(), next }
    }
}

/// `GET /leaderboard`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LeaderboardView<'a> {
    /// The ruleset.
    #[schemars(with = "RulesetId")]
    pub ruleset: Cow<'a, str>,
    /// The pool.
    pub pool: Word<Pool>,
    /// The agents, the best first: by rating less twice the deviation. Provisional ratings have no
    /// rank.
    pub rows: Vec<LeaderboardRow<'a>>,
    /// Cursor of the next page; null on the last.
    pub next: Option<String>,
}

/// An agent on the leaderboard.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LeaderboardRow<'a> {
    /// Its place, from 1.
    pub rank: u32,
    /// Its name.
    pub name: Cow<'a, str>,
    /// Its rating and results.
    #[serde(flatten)]
    pub rating: RatingView<'a>,
}

impl<'a> LeaderboardView<'a> {
    /// A page of a division's leaderboard; `before` agents come before it, and `next` says where the
    /// list goes on after so many more. Who has not played for so long that its rating has become
    /// provisional is left out.
    pub fn of(
        division: Division,
        standings: impl IntoIterator<Item = (&'a AgentName, &'a Standing)>,
        before: u32,
        next: impl FnOnce(usize) -> Option<String>,
        now: Timestamp,
    ) -> LeaderboardView<'a> {
        let views = standings.into_iter().map(|(name, standing)| {
            (name.as_str().into(), RatingView::of(division, standing, now))
        });
        let ranked = views.filter(|(_, rating)| !rating.provisional);
        let ranks = before.saturating_add(1)..;
        let row = |(rank, (name, rating))| LeaderboardRow { rank, name, rating };
        let rows: Vec<_> = ranks.zip(ranked).map(row).collect();
        LeaderboardView {
            ruleset: division.ruleset.id.into(),
            pool: Word(division.pool),
            next: next(rows.len()),
            rows,
        }
    }
}

/// `GET /health`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HealthView<'a> {
    /// `ok`.
    pub status: Cow<'a, str>,
    /// Version of the running arena.
    pub version: Cow<'a, str>,
    /// Time at which this view was made.
    pub server_time: TimeView,
}

impl HealthView<'_> {
    /// A healthy arena.
    pub fn ok(version: &str, now: Timestamp) -> HealthView<'_> {
        HealthView { status: "ok".into(), version: version.into(), server_time: TimeView(now) }
    }
}
