//! Checks at rest.

use std::rc::Rc;

use arena::{Agent, Game, HOP_MS, Standing};

use crate::check::{Check, RECOVERY_MS};
use crate::tables::{Tables, View};
use crate::world::World;

/// Longest wait of two tickets that can meet: a minute until they accept any rating, half a minute
/// and a sweep until a message is sent, half a minute for the index, and the messages' way.
pub(crate) const MATCH_MS: i64 = 240_000;

/// Timers of a game beyond one per turn: doubled, redelivered and crashed ones.
const TIMERS_SPARE: u32 = 40;

impl Check {
    /// L2: no two tickets that can meet are left. `world` has been without faults for [`MATCH_MS`].
    pub(crate) fn matched(&mut self, world: &World) {
        let now = world.timestamp();
        let agents: Vec<Rc<Agent>> = world.tables.borrow().agents().collect();
        let waits = |agent: &&Rc<Agent>| {
            agent.ticket(now).is_some()
                && agent.waiting.is_some_and(|waiting| now.since(waiting.since) > MATCH_MS)
        };
        let waiting: Vec<&Rc<Agent>> = agents.iter().filter(waits).collect();
        for agent in &waiting {
            let Some(place) = agent.waiting else { continue };
            let house = place.opponent.house(place.since, place.rating, &world.pace);
            self.require(house.is_none(), "L2", || {
                format!("{} is still queued, but accepts {house:?}", agent.name)
            });
        }
        for (index, a) in waiting.iter().enumerate() {
            for b in &waiting[..index] {
                let same =
                    |agent: &Agent| agent.waiting.map(|waiting| (waiting.division, waiting.rated));
                let related = a.owner.is_some() && a.owner == b.owner;
                self.require(same(a) != same(b) || related, "L2", || {
                    format!("{} and {} still wait", a.name, b.name)
                });
            }
        }
    }

    /// Everything else, long after the last deadline.
    pub(crate) fn settle(&mut self, world: &World) {
        let store = world.tables.borrow();
        for item in store.games() {
            let game = &item.game;
            if self.damaged.contains(&game.id()) {
                continue;
            }
            let overdue = game.overdue_from(&world.pace).map(|overdue| overdue.plus(RECOVERY_MS));
            let stuck = overdue.is_some_and(|latest| world.timestamp() > latest);
            self.require(!stuck, "L1", || format!("{} is unfinished and overdue", game.id()));
            self.require(item.armed.is_some() == game.result().is_none(), "I17", || {
                format!("{} is over and listed as live", game.id())
            });
            self.replays(game);
            self.frugal(game);
        }
        self.rated_once(&store);
        self.settle_answers(|id| {
            Rc::new(store.game(id, View::Latest).expect("an accepted game").game.clone())
        });
    }

    fn replays(&mut self, game: &Game) {
        let again = Game::restore(game.header().clone(), game.log().iter().copied());
        self.require(again.as_ref() == Ok(game), "I14", || {
            format!("{} does not replay", game.id())
        });
    }

    /// I19: one chain of timers, not one for every duplicate.
    fn frugal(&mut self, game: &Game) {
        let lasted = game.last_at().since(game.header().created);
        let hop = i64::from(game.header().turn_ms).min(HOP_MS);
        let most = (lasted / hop + 2) as u32 * 4 + TIMERS_SPARE;
        let spent = self.timers.get(&game.id()).copied().unwrap_or(0);
        self.require(spent <= most, "I19", || {
            format!("{} cost {spent} timers in {lasted} ms", game.id())
        });
    }

    /// I5: every finished rated game counts exactly once for both players.
    fn rated_once(&mut self, store: &Tables) {
        let keys: Vec<_> = store.standing_keys().chain(self.ledger.keys()).cloned().collect();
        for key in keys {
            let stored = store.standing(&key, View::Latest);
            let stored = stored.as_deref().cloned().unwrap_or(Standing::NEW);
            let counted = self.ledger.get(&key).cloned().unwrap_or(Standing::NEW);
            self.require(stored == counted, "I5", || {
                format!("{key:?} is {stored:?} and should be {counted:?}")
            });
        }
    }
}
