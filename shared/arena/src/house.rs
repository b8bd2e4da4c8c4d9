//! House bots: the arena's own players.
//!
//! A house bot is a seat, not an agent: it has a name and a fixed rating, but no key, no standing
//! and no place in a queue, and it plays any number of games at once. A message is sent when it is
//! to act; the handler reads the game and decides like any other player, through
//! [`Game::apply`](crate::Game::apply).

#![allow(missing_docs, reason = "the names say it")]

use renju::{Play, Seat};

use crate::game::{Game, Intent, Submission};
use crate::ids::{AgentName, HOUSE_PREFIX, Tag, Timestamp, TurnNumber};
use crate::plan::Message;
use crate::rating::Rating;
use crate::terms::Pace;

/// Strength of a house bot, from 0 (random) to 6 (full strength).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct HouseLevel(u8);

/// Rating of each level; all other ratings are relative to these. Agents start at level 3, and the
/// distances were measured by the matches in docs/performance.md.
const VALUES: [f64; 7] = [160.0, 640.0, 1120.0, 1500.0, 1840.0, 2250.0, 2620.0];

/// The least there is: a house bot never changes.
const DEVIATION: f64 = 45.0;

/// A house bot that has been to act this long has probably lost its message.
pub const LATE_MS: i64 = 15_000;

/// Opponents an agent in the queue accepts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Opponent {
    /// Another agent or, after a while, the house bot nearest in rating.
    #[default]
    Anyone,
    Agents,
    /// This house bot, at once.
    House(HouseLevel),
    /// The same, with the agent in this seat, if the game is outside the ratings.
    HouseAs(HouseLevel, Seat),
}

/// Outcome of a message to a house bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Call {
    /// The turn it was sent for is past, or the game is over.
    Drop,
    /// Check again in a moment: the decision before may be about to be written.
    Soon,
    /// The house bot in this seat is to act.
    Act(Seat, HouseLevel),
}

impl HouseLevel {
    /// Every level, weakest first.
    pub const ALL: [HouseLevel; VALUES.len()] = {
        let mut all = [HouseLevel(0); VALUES.len()];
        let mut number = 0;
        while number < all.len() {
            all[number] = HouseLevel(number as u8);
            number += 1;
        }
        all
    };

    pub fn new(number: u8) -> Option<HouseLevel> {
        HouseLevel::ALL.get(usize::from(number)).copied()
    }

    pub const fn number(self) -> u8 {
        self.0
    }

    /// Such as `house-3`.
    pub fn name(self) -> AgentName {
        let name = format!("{HOUSE_PREFIX}{}", self.0);
        name.parse().expect("the name of a house bot is a name")
    }

    /// The level of the house bot with this name; `None` for an agent's name.
    pub fn of(name: &AgentName) -> Option<HouseLevel> {
        HouseLevel::ALL.into_iter().find(|level| level.name() == *name)
    }

    /// The fixed rating, the same in every division.
    pub fn rating(self) -> Rating {
        let value = VALUES[usize::from(self.0)];
        Rating { value, deviation: DEVIATION, ..Rating::NEW }
    }

    /// The level nearest to a rating, the weaker of two equally near. A newcomer gets the middle.
    pub fn nearest(rating: Rating) -> HouseLevel {
        let gap = |level: &HouseLevel| (level.rating().value - rating.value).abs();
        let nearest = HouseLevel::ALL.into_iter().min_by(|a, b| gap(a).total_cmp(&gap(b)));
        nearest.expect("there are house bots")
    }
}

impl Opponent {
    pub(crate) fn may_be_agent(self) -> bool {
        !matches!(self, Opponent::House(_) | Opponent::HouseAs(..))
    }

    /// The seat that the agent chose.
    pub(crate) fn seat(self) -> Option<Seat> {
        match self {
            Opponent::HouseAs(_, seat) => Some(seat),
            Opponent::Anyone | Opponent::Agents | Opponent::House(_) => None,
        }
    }

    /// The house bot that an agent with this rating, queued at `since`, accepts, and the time from
    /// which it does. `None` means never.
    pub fn house(
        self,
        since: Timestamp,
        rating: Rating,
        pace: &Pace,
    ) -> Option<(HouseLevel, Timestamp)> {
        let after_ms = pace.house_after_ms?;
        match self {
            Opponent::Anyone => Some((HouseLevel::nearest(rating), since.plus(after_ms))),
            Opponent::Agents => None,
            Opponent::House(level) | Opponent::HouseAs(level, _) => Some((level, since)),
        }
    }
}

/// The message to send when a house bot is to act. Nobody waits for one in an exhibition: whoever
/// holds it calls the bots at a speed that people can follow, with [`call_message`].
pub fn message(game: &Game) -> Option<Message> {
    call_message(game).filter(|_| !game.is_exhibition())
}

/// The message that lets a house bot act now, if it is to act.
pub fn call_message(game: &Game) -> Option<Message> {
    let to_act = game.to_act()?;
    game.header().players[to_act].house()?;
    Some(Message::House { game: game.id(), turn: game.turn() })
}

/// The message to send again when a house bot is overdue.
pub fn late_message(game: &Game, now: Timestamp) -> Option<Message> {
    message(game).filter(|_| now.since(game.last_at()) > LATE_MS)
}

/// Decides the outcome of a message for `turn`; `game` is the game it names.
pub fn call(game: Option<&Game>, turn: TurnNumber) -> Call {
    let Some(game) = game else { return Call::Soon };
    match game.to_act() {
        Some(_) if game.turn() < turn => Call::Soon,
        Some(seat) if game.turn() == turn => match game.header().players[seat].house() {
            Some(level) => Call::Act(seat, level),
            None => Call::Drop,
        },
        _ => Call::Drop,
    }
}

/// The house bot's decision. Its key follows from the game and the turn: of two calls for one turn,
/// which may choose different plays, only one is written.
pub fn submission(game: &Game, level: HouseLevel, play: Play) -> Submission {
    let turn = game.turn();
    let tag = Tag::of(&level.name(), &format!("{}-{turn}", game.id()));
    Submission { intent: Intent::Play(turn, play), tag }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_have_names_that_no_agent_can_have() {
        assert_eq!(HouseLevel::ALL.len(), 7);
        for level in HouseLevel::ALL {
            assert_eq!(HouseLevel::new(level.number()), Some(level));
            assert_eq!(HouseLevel::of(&level.name()), Some(level));
            assert!(level.name().is_reserved());
        }
        assert_eq!(HouseLevel::new(7), None);
        let name = |text: &str| text.parse::<AgentName>().unwrap();
        for text in ["house-7", "house-03", "house3", "mouse-3"] {
            assert_eq!(HouseLevel::of(&name(text)), None, "{text}");
        }
        assert!(name("house-of-cards").is_reserved() && !name("house").is_reserved());
    }

    #[test]
    fn ratings_rise_with_the_level_and_are_stored_without_loss() {
        for level in HouseLevel::ALL {
            let rating = level.rating();
            assert!(!rating.is_provisional());
            assert_eq!(Rating::from_bytes(&rating.to_bytes()), Some(rating));
        }
        assert!(HouseLevel::ALL.is_sorted_by(|a, b| a.rating().value < b.rating().value));
    }

    #[test]
    fn the_nearest_level_is_found_at_both_ends_and_between() {
        let nearest = |value| HouseLevel::nearest(Rating { value, ..Rating::NEW }).number();
        assert_eq!([0.0, 160.0, 390.0, 410.0, 1500.0, 4000.0].map(nearest), [0, 0, 0, 1, 3, 6]);
        assert_eq!(nearest(400.0), 0, "the weaker of two equally near");
    }

    #[test]
    fn who_asked_for_a_level_gets_it_at_once_and_who_asked_for_agents_never() {
        let since = Timestamp::from_ms(1_000);
        let pace = Pace { house_after_ms: Some(10_000), ..Pace::STANDARD };
        let strong = HouseLevel(6);
        let house = |opponent: Opponent, pace| opponent.house(since, Rating::NEW, pace);
        assert_eq!(house(Opponent::House(strong), &pace), Some((strong, since)));
        assert_eq!(house(Opponent::Anyone, &pace), Some((HouseLevel(3), since.plus(10_000))));
        assert_eq!(house(Opponent::Agents, &pace), None);
        assert_eq!(house(Opponent::House(strong), &Pace::STANDARD), None, "no house bots here");
    }
}
