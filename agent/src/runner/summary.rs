//! The whole match as one JSON object, for `--json`.

use serde::Serialize;

use super::elo::{Elo, Tally};
use super::game::Played;
use super::journal::Terms;
use super::player::Player;
use super::setup::Setup;
use super::sprt::Sprt;
use super::table::{Encounter, Forfeits, Table};

/// Terms, counts, statistics and games.
#[derive(Serialize)]
pub(super) struct Summary<'a> {
    terms: &'a Terms,
    games_planned: u32,
    games_played: u32,
    players: Vec<PlayerView<'a>>,
    encounters: Vec<EncounterView>,
    sprt: Option<SprtView>,
    games: &'a [Played],
}

#[derive(Serialize)]
struct PlayerView<'a> {
    player: Player,
    bot: &'a str,
    #[serde(flatten)]
    tally: Tally,
    /// Losses that were not decided on the board.
    forfeits: Forfeits,
}

/// From the first player's point of view.
#[derive(Serialize)]
struct EncounterView {
    first: Player,
    second: Player,
    #[serde(flatten)]
    tally: Tally,
    /// From single games.
    elo: Option<Elo>,
    pairs: PairsView,
}

/// From pairs of games; `null` while the spread is unknown.
#[derive(Serialize)]
struct PairsView {
    /// Pairs with 0, ½, 1, 1½ and 2 points.
    pentanomial: [u32; 5],
    elo: Option<Elo>,
    normalized_elo: Option<f64>,
    /// Half of the 95 % interval.
    normalized_elo_error: Option<f64>,
    los: Option<f64>,
}

#[derive(Serialize)]
struct SprtView {
    test: String,
    llr: f64,
    lower: f64,
    upper: f64,
    /// `H0`, `H1`, or `null` if undecided.
    accepted: Option<String>,
}

impl Summary<'_> {
    pub(super) fn new<'a>(setup: &'a Setup, table: &Table, games: &'a [Played]) -> Summary<'a> {
        let player = |(player, bot): (Player, &'a str)| PlayerView {
            player,
            bot,
            tally: table.tally(player),
            forfeits: table.forfeits[player.index()],
        };
        let encounter = table.encounters.first();
        Summary {
            terms: &setup.terms,
            games_planned: setup.games(),
            games_played: table.games(),
            players: setup.players().map(|(id, bot)| player((id, bot.given.as_str()))).collect(),
            encounters: table.encounters.iter().map(EncounterView::new).collect(),
            sprt: setup.sprt.zip(encounter).map(|(sprt, of)| SprtView::new(&sprt, of)),
            games,
        }
    }
}

impl EncounterView {
    fn new(encounter: &Encounter) -> EncounterView {
        let estimate = encounter.pairs.estimate();
        EncounterView {
            first: encounter.first,
            second: encounter.second,
            tally: encounter.tally,
            elo: encounter.tally.elo(),
            pairs: PairsView {
                pentanomial: encounter.pairs.0,
                elo: estimate.map(|estimate| estimate.elo),
                normalized_elo: estimate.map(|estimate| estimate.normalized),
                normalized_elo_error: estimate.map(|estimate| estimate.normalized_error),
                los: estimate.map(|estimate| estimate.superiority),
            },
        }
    }
}

impl SprtView {
    fn new(sprt: &Sprt, encounter: &Encounter) -> SprtView {
        let (lower, upper) = sprt.bounds();
        SprtView {
            test: sprt.to_string(),
            llr: sprt.ratio(&encounter.pairs),
            lower,
            upper,
            accepted: sprt.decide(&encounter.pairs).map(|accepted| accepted.to_string()),
        }
    }
}
