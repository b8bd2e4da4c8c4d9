//! The games that count for ratings.
//!
//! Two agents of one author, or an agent and a house bot it always beats, could play for points all
//! day. So the number of games a day that count between the same two players is limited, a win over
//! a house bot far below an agent's rating gives nothing, and neither does a resignation in the
//! opening between newcomers.

#![allow(missing_docs, reason = "the names say it")]

use renju::Seat;
use sha2::{Digest, Sha256};

use crate::agent::newest;
use crate::game::{GameResult, Header, Reason};
use crate::ids::{AgentName, Timestamp};
use crate::terms::Division;

/// Largest lead in rating over a house bot at which a win still counts; the agent is then expected
/// to win ten of eleven games.
const HOUSE_GAP: f64 = 400.0;

/// Before this stone, a resignation between newcomers does not count.
const EARLY_STONES: u16 = 5;

/// Number of opponents in a tally; the one met longest ago is dropped first.
const OPPONENTS_MAX: usize = 24;

const DAY_MS: i64 = 24 * 3_600_000;

/// Reason why a game does not count for ratings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Uncounted {
    /// The two players have started all the games that can count between them in a day.
    OpponentLimit,
    /// An agent won against a house bot far below its rating.
    RatingGap,
    /// A newcomer resigned to another before the fifth stone.
    EarlyResignation,
    /// A player never made a decision, or a house bot ran out of time.
    NoShow,
    /// An operator broke it off.
    Void,
    /// Both players asked for a game outside the ratings.
    Unrated,
}

impl Uncounted {
    pub const ALL: [Uncounted; 6] = [
        Uncounted::OpponentLimit,
        Uncounted::RatingGap,
        Uncounted::EarlyResignation,
        Uncounted::NoShow,
        Uncounted::Void,
        Uncounted::Unrated,
    ];

    /// Stable identifier in replies.
    pub const fn id(self) -> &'static str {
        match self {
            Uncounted::OpponentLimit => "opponent_limit",
            Uncounted::RatingGap => "rating_gap",
            Uncounted::EarlyResignation => "early_resignation",
            Uncounted::NoShow => "no_show",
            Uncounted::Void => "void",
            Uncounted::Unrated => "unrated",
        }
    }

    /// The reason in words, to follow "does not count: ".
    pub const fn words(self) -> &'static str {
        match self {
            Uncounted::OpponentLimit => {
                "these two have begun all their games of the day that can count"
            }
            Uncounted::RatingGap => "a win over a house bot far below the agent's rating",
            Uncounted::EarlyResignation => "a newcomer resigned to another before the fifth stone",
            Uncounted::NoShow => "a player did not show up",
            Uncounted::Void => "an operator of the arena broke it off",
            Uncounted::Unrated => "an unrated game",
        }
    }
}

/// Reason why a game with this result, after this number of stones, does not count.
pub(crate) fn by_result(header: &Header, result: GameResult, stones: u16) -> Option<Uncounted> {
    match result.reason {
        Reason::NoShow => return Some(Uncounted::NoShow),
        Reason::Void => return Some(Uncounted::Void),
        _ => {}
    }
    // Games from before the time limit all count.
    header.budget_ms?;
    let players = &header.players;
    let is_beneath = result.winner.is_some_and(|winner| {
        let gap = players[winner].rating.value - players[!winner].rating.value;
        players[!winner].house().is_some() && gap > HOUSE_GAP
    });
    let is_early = result.reason == Reason::Resignation
        && stones < EARLY_STONES
        && Seat::BOTH.into_iter().all(|seat| players[seat].rating.is_provisional());
    match (is_beneath, is_early) {
        (true, _) => Some(Uncounted::RatingGap),
        (false, true) => Some(Uncounted::EarlyResignation),
        (false, false) => None,
    }
}

/// An agent's games of one day that can count, by opponent and division.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// The day of the counts, in days since 1970, UTC.
    pub day: u32,
    /// Hashes of opponent and division with the number of games, latest last.
    pub games: Vec<(u64, u8)>,
}

impl Tally {
    /// Games against `opponent` that were started on the day of `now`.
    pub fn count(&self, opponent: &AgentName, division: Division, now: Timestamp) -> u8 {
        let hash = hash(opponent, division);
        let counts = if self.day == day(now) { &self.games[..] } else { &[] };
        counts.iter().find(|(known, _)| *known == hash).map_or(0, |(_, count)| *count)
    }

    #[must_use]
    pub fn with(&self, opponent: &AgentName, division: Division, now: Timestamp) -> Tally {
        let count = self.count(opponent, division, now).saturating_add(1);
        let hash = hash(opponent, division);
        let mut games = if self.day == day(now) { self.games.clone() } else { Vec::new() };
        games.retain(|(known, _)| *known != hash);
        games.push((hash, count));
        Tally { day: day(now), games: newest(games, OPPONENTS_MAX) }
    }
}

fn day(now: Timestamp) -> u32 {
    u32::try_from(now.ms() / DAY_MS).unwrap_or(0)
}

/// 64 bits, so that no agent can find a name that collides with another's and uses up its games.
fn hash(opponent: &AgentName, division: Division) -> u64 {
    let text = format!("{opponent} {division}");
    let [a, b, c, d, e, f, g, h, ..] = <[u8; 32]>::from(Sha256::digest(text));
    u64::from_le_bytes([a, b, c, d, e, f, g, h])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::Pool;
    use renju::Ruleset;

    const FAST: Division = Division { ruleset: &Ruleset::ALL[0], pool: Pool::Fast };
    const SLOW: Division = Division { ruleset: &Ruleset::ALL[0], pool: Pool::Slow };

    fn name(text: &str) -> AgentName {
        text.parse().unwrap()
    }

    #[test]
    fn games_are_counted_by_opponent_division_and_day() {
        let [bob, carol] = ["bob", "carol"].map(name);
        let morning = Timestamp::from_ms(20_000 * DAY_MS);
        let night = morning.plus(DAY_MS - 1);
        let tally = Tally::default().with(&bob, FAST, morning).with(&bob, FAST, night);
        assert_eq!(tally.count(&bob, FAST, night), 2);
        assert_eq!(tally.count(&bob, SLOW, night), 0);
        assert_eq!(tally.count(&carol, FAST, night), 0);
        assert_eq!(tally.count(&bob, FAST, night.plus(1)), 0);
        assert_eq!(tally.with(&carol, FAST, night.plus(1)).games.len(), 1);
    }

    #[test]
    fn the_opponent_met_longest_ago_is_forgotten_first() {
        let now = Timestamp::from_ms(20_000 * DAY_MS);
        let names: Vec<_> =
            (0..OPPONENTS_MAX).map(|index| name(&format!("agent{index}"))).collect();
        let mut tally = Tally::default();
        for name in names.iter().chain([&names[0]]) {
            tally = tally.with(name, FAST, now);
        }
        tally = tally.with(&name("another"), FAST, now);
        assert_eq!(tally.games.len(), OPPONENTS_MAX);
        assert_eq!(tally.count(&names[0], FAST, now), 2);
        assert_eq!(tally.count(&names[1], FAST, now), 0);
    }
}
