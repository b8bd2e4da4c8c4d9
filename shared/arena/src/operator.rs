//! Decisions of an operator about an agent. Those about games are [`Ruling`](crate::Ruling)s.
//!
//! A ban, and a key that is replaced, take effect in the game in progress too: its digest changes
//! with them, so that no decision needs another read.

use renju::Ruleset;

use crate::agent::{Agent, KeyHash, Keys};
use crate::game::Game;
use crate::ids::GameId;
use crate::plan::{Plan, Write};
use crate::terms::{Division, Pool};

/// The agent plays this game and cannot be deleted before its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Playing(pub GameId);

impl Agent {
    /// Bans the agent: it leaves the queue, and every request with its keys is refused with this
    /// reason. A game in progress continues without it. `current` is the game named by
    /// [`Agent::game`].
    pub fn banned(&self, why: &str, current: Option<&Game>) -> Plan {
        self.with_ban(Some(why.to_owned()), current)
    }

    /// Ends the ban, if there is one.
    pub fn unbanned(&self, current: Option<&Game>) -> Option<Plan> {
        self.ban.as_ref()?;
        Some(self.with_ban(None, current))
    }

    fn with_ban(&self, why: Option<String>, current: Option<&Game>) -> Plan {
        let after = Agent { ban: why.clone(), ..self.clone() };
        let ban = Write::Ban {
            agent: self.name.clone(),
            seen: self.keys.current,
            seen_game: self.game,
            why,
        };
        let writes = [ban].into_iter().chain(after.known_to(current)).collect();
        Plan { messages: Vec::new(), writes }
    }

    /// Replaces the API key and ends all others at once. A ban stays.
    pub fn reset_key(&self, key: KeyHash, current: Option<&Game>) -> Plan {
        self.with_keys(Keys { current: key, previous: None }, current)
    }

    /// Removes the agent with its keys, its ticket and its standings, and frees its name. Its
    /// finished games stay.
    ///
    /// Standings are removed unread: whoever read them now could miss one that the end of the last
    /// game is about to show.
    pub fn deleted(&self, current: Option<&Game>) -> Result<Plan, Playing> {
        if let Some(game) = current.filter(|game| game.result().is_none()) {
            return Err(Playing(game.id()));
        }
        let delete = Write::Delete {
            agent: self.name.clone(),
            seen: self.keys.current,
            seen_game: self.game,
        };
        let divisions = Ruleset::ALL
            .iter()
            .flat_map(|ruleset| Pool::ALL.map(|pool| Division { ruleset, pool }));
        let unrate = |division| Write::Unrate { agent: self.name.clone(), division };
        let writes = [delete].into_iter().chain(divisions.map(unrate)).collect();
        Ok(Plan { messages: Vec::new(), writes })
    }
}
