//! Games that requests in this process wait for. A write in this process is published to all of
//! them; a write elsewhere is found by one read a second, however many wait.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use arena::{Game, GameId};
use arena_protocol::{Backend, Fault, Read};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::Store;

/// Interval of reads of a watched game, in case another process has written it.
const READ_EVERY: Duration = Duration::from_secs(1);

#[derive(Default)]
pub(crate) struct Watches(Mutex<HashMap<GameId, Watched>>);

struct Watched {
    /// The latest turn written or read since the first watcher.
    latest: watch::Sender<Option<Arc<Game>>>,
    read_at: Instant,
    watchers: usize,
    is_attended: bool,
}

/// Waits for changes of one game, from its creation.
pub struct Watch {
    store: Store,
    id: GameId,
    latest: watch::Receiver<Option<Arc<Game>>>,
}

/// The exclusive right to act on a watched game, so that only one of its watchers does.
pub struct Attending<'w>(&'w Watch);

impl Store {
    /// Watches a game. Call it before reading the game, so that no later write is missed.
    pub fn watch(&self, id: GameId) -> Watch {
        let mut watches = self.watches().lock();
        let watched = watches.entry(id).or_insert_with(|| Watched {
            latest: watch::Sender::new(None),
            read_at: Instant::now(),
            watchers: 0,
            is_attended: false,
        });
        watched.watchers += 1;
        Watch { store: self.clone(), id, latest: watched.latest.subscribe() }
    }
}

impl Watches {
    /// Publishes a game to its watchers, unless they know a later turn.
    pub(crate) fn publish(&self, game: &Game) {
        if let Some(watched) = self.lock().get(&game.id()) {
            watched.latest.send_if_modified(|latest| {
                let is_news = latest.as_ref().is_none_or(|latest| latest.turn() < game.turn());
                if is_news {
                    *latest = Some(Arc::new(game.clone()));
                }
                is_news
            });
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<GameId, Watched>> {
        // Entries are consistent after every statement; a panic elsewhere does not spoil them.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watch {
    /// The game at a later turn than this one, if one is known.
    pub fn later_than(&mut self, game: &Game) -> Option<Arc<Game>> {
        let latest = self.latest.borrow_and_update();
        latest.as_ref().filter(|latest| latest.turn() > game.turn()).cloned()
    }

    /// Resolves when the game has been written, in this process or elsewhere.
    pub async fn changed(&mut self) -> Result<(), Fault> {
        loop {
            tokio::select! {
                // The sender exists while there are watchers.
                _ = self.latest.changed() => return Ok(()),
                () = tokio::time::sleep(READ_EVERY) => self.reread().await?,
            }
        }
    }

    /// Reads the game on behalf of all its watchers, unless one of them has just done so.
    async fn reread(&self) -> Result<(), Fault> {
        let is_due = self.with_watched(|watched| {
            let is_due = watched.read_at.elapsed() >= READ_EVERY;
            if is_due {
                watched.read_at = Instant::now();
            }
            is_due
        });
        if is_due && let Some(stored) = self.store.game(self.id, Read::Cheap).await? {
            self.store.watches().publish(&stored.game);
        }
        Ok(())
    }

    /// The right to act on the game, unless another watcher has it; its result will be published.
    pub fn attend(&self) -> Option<Attending<'_>> {
        let was_attended =
            self.with_watched(|watched| std::mem::replace(&mut watched.is_attended, true));
        (!was_attended).then(|| Attending(self))
    }

    fn with_watched<T: Default>(&self, touch: impl FnOnce(&mut Watched) -> T) -> T {
        self.store.watches().lock().get_mut(&self.id).map(touch).unwrap_or_default()
    }
}

impl Drop for Attending<'_> {
    fn drop(&mut self) {
        self.0.with_watched(|watched| watched.is_attended = false);
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Entry::Occupied(mut watched) = self.store.watches().lock().entry(self.id) {
            watched.get_mut().watchers -= 1;
            if watched.get().watchers == 0 {
                watched.remove();
            }
        }
    }
}
