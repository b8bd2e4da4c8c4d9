//! Checks after every write. The names are those of the protocol's invariants.
//!
//! The checker keeps its own record of the writes; it never derives the expected state from the
//! store.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use arena::TICKET_MS;
use arena::{
    Action, Agent, AgentName, Entry, Game, GameId, Header, Message, Opponent, Standing, Tag,
    TicketId, Timestamp, Uncounted, Write,
};
use arena_protocol::Stored;
use renju::{BySeat, Seat};

use crate::answers::Answers;
use crate::tables::{Change, Changed, StandingKey, Tables, View, standing_key};
use crate::world::World;

/// Longest life of a game after its grace when only the sweep works.
pub(crate) const RECOVERY_MS: i64 = 180_000;

/// Longest time until a house bot whose message was lost gets another: until the sweep after it is
/// late.
const HOUSE_RECOVERY_MS: i64 = 90_000;

/// A violated invariant.
#[allow(missing_docs, reason = "the names say it")]
#[derive(Clone, Debug)]
pub struct Violation {
    pub rule: &'static str,
    pub detail: String,
}

#[derive(Default)]
pub(crate) struct Check {
    pub(crate) violation: Option<Violation>,
    pub(crate) answers: Answers,
    /// Every written decision, with the tag it was submitted with.
    pub(crate) written: HashMap<GameId, Vec<(Tag, Action)>>,
    /// The standings that follow from the games that ended.
    pub(crate) ledger: BTreeMap<StandingKey, Standing>,
    /// Number of timers sent for each game.
    pub(crate) timers: HashMap<GameId, u32>,
    /// The unfinished game of each agent.
    playing: HashMap<AgentName, GameId>,
    /// The last game of each agent.
    last: HashMap<AgentName, GameId>,
    /// The epoch that each join key led to.
    joined: HashMap<(AgentName, Tag), u32>,
    /// Tickets that their agents asked to give up.
    pub(crate) leaving: BTreeSet<Option<String>>,
    /// Time of an agent's last request whose reply said that it is queued.
    pub(crate) asked: HashMap<AgentName, i64>,
    /// Games that can no longer be read.
    pub(crate) damaged: BTreeSet<GameId>,
    /// Start of the time without faults.
    pub(crate) calm_since: Option<i64>,
    /// Longest life of a game after its grace since then.
    pub(crate) worst_recovery_ms: i64,
}

impl Check {
    pub(crate) fn report(&mut self, rule: &'static str, detail: impl FnOnce() -> String) {
        if self.violation.is_none() {
            self.violation = Some(Violation { rule, detail: detail() });
        }
    }

    pub(crate) fn require(
        &mut self,
        holds: bool,
        rule: &'static str,
        detail: impl FnOnce() -> String,
    ) {
        if !holds {
            self.report(rule, detail);
        }
    }

    /// A game can never be read again: it no longer exists for its players.
    pub(crate) fn damage(&mut self, game: &Game) {
        self.damaged.insert(game.id());
        self.playing.retain(|_, id| *id != game.id());
    }

    pub(crate) fn sent(&mut self, message: Message) {
        if let Message::Timer { game, .. } = message {
            *self.timers.entry(game).or_default() += 1;
        }
    }

    /// Checks a write that has just happened.
    pub(crate) fn observe(&mut self, world: &World, writes: &[Write], changes: &[Change]) {
        for write in writes {
            match write {
                Write::Advance(next) | Write::Finish(next) => {
                    let entry = next.log().last().expect("a written log has a last entry");
                    self.written.entry(next.id()).or_default().push((entry.tag, entry.action));
                }
                Write::Join { agent, joins, .. } => {
                    if let Some(&(tag, epoch)) = joins.last() {
                        self.joined(agent, tag, epoch);
                    }
                }
                Write::Leave { agent, epoch, until: None } => {
                    let ticket = TicketId { agent: agent.clone(), epoch: *epoch }.to_string();
                    let is_meant = self.leaving.contains(&Some(ticket));
                    self.require(is_meant, "I12", || format!("{agent} never left as {epoch}"));
                }
                Write::Leave { agent, until: Some(until), .. } => {
                    let asked = self.asked.get(agent).copied().unwrap_or(0);
                    let early = asked + TICKET_MS / 2 - until.ms() - 2 * world.faults.skew_ms;
                    self.require(early <= 0, "L2", || {
                        format!("{agent} asks and loses its ticket {early} ms early")
                    });
                }
                _ => {}
            }
        }
        for change in changes {
            match change {
                Change::Game(Changed { before: None, after }) => {
                    self.created(world, after, changes)
                }
                Change::Game(Changed { before: Some(before), after }) => {
                    self.changed(world, before, after);
                }
                Change::Agent(Changed { before: Some(before), after }) => {
                    self.agent(world, before, after);
                }
                Change::Agent(_) => {}
                Change::AgentGone(name) => {
                    let game = self.playing.get(name);
                    self.require(game.is_none(), "I7", || format!("{name} is gone and plays"));
                    self.joined.retain(|(agent, _), _| agent != name);
                    self.last.remove(name);
                }
                Change::StandingGone(key) => _ = self.ledger.remove(key),
                Change::Standing(key, Changed { after, .. }) => {
                    let counted = self.ledger.get(key).map_or(0, Standing::games);
                    self.require(after.games() <= counted, "I5", || {
                        format!("{key:?} is rated more often than it has played: {after:?}")
                    });
                }
            }
        }
    }

    fn created(&mut self, world: &World, item: &Stored, changes: &[Change]) {
        world.count("games");
        let header = item.game.header();
        let tickets = BySeat {
            first: ticket(header, Seat::First, changes),
            second: ticket(header, Seat::Second, changes),
        };
        let BySeat { first: Some(first), second: Some(second) } = &tickets else {
            return self.report("I7", || format!("{header:?} without two tickets: {tickets:?}"));
        };
        let since = first.1.max(second.1);
        let (first, second) = (&first.0, &second.0);
        self.require(GameId::of(first, second, since) == header.id, "I7", || {
            format!("{} is not the game of {first} and {second}", header.id)
        });
        for player in [&header.players.first, &header.players.second] {
            if player.house().is_some() {
                world.count("house games");
                continue;
            }
            let other = self.playing.insert(player.name.clone(), header.id);
            self.require(other.is_none(), "I1", || {
                format!("{} is in {} and in {other:?}", player.name, header.id)
            });
            let before = self.last.insert(player.name.clone(), header.id);
            let seat = item.game.seat_of(&player.name).expect("a player has a seat");
            self.require(header.previous[seat] == before, "I21", || {
                format!("{} of {} is not linked to {before:?}", header.id, player.name)
            });
            let key = standing_key(&player.name, header.division);
            let rated = self.ledger.get(&key).map_or(Standing::NEW.rating, |known| known.rating);
            self.require(player.rating.value == rated.value, "I5", || {
                format!(
                    "{} plays {} with {:?}, not {rated:?}",
                    player.name, header.id, player.rating
                )
            });
            self.keys(&world.tables.borrow(), &item.game, &player.name);
        }
    }

    fn changed(&mut self, world: &World, before: &Stored, after: &Stored) {
        let (old, new) = (&before.game, &after.game);
        let id = new.id();
        if old.log() == new.log() {
            return;
        }
        self.require(old.result().is_none(), "I16", || {
            format!("{id} was over and continues with {:?}", new.log().last())
        });
        let grown = new.log().split_last().filter(|(_, prefix)| *prefix == old.log());
        let Some((&entry, _)) = grown else {
            let lengths = (old.log().len(), new.log().len());
            return self.report("I13", || format!("the log of {id} is rewritten, {lengths:?}"));
        };
        world.count("decisions");
        let is_new = old.log().iter().all(|known| known.tag != entry.tag);
        self.require(is_new || entry.tag == Tag::CLOCK, "I3", || format!("{id} twice {entry:?}"));
        self.entry(world, old, new, entry);
        if new.result().is_some() {
            self.ended(world, new);
        }
    }

    fn entry(&mut self, world: &World, old: &Game, new: &Game, entry: Entry) {
        let Some(seat) = old.to_act() else { return };
        let deadline = old.deadline().expect("an unfinished game has a deadline");
        let tag = self.written[&new.id()].last().map_or(entry.tag, |(tag, _)| *tag);
        let decider = match entry.action {
            Action::Play(_) => Some(seat),
            Action::Resign(seat) => Some(seat),
            Action::Timeout | Action::NoShow => None,
            // An operator may end a game at any time.
            Action::Rule(_) => return,
        };
        let Some(decider) = decider else {
            let overdue = deadline.ms() + world.pace.grace_ms;
            let seen = world.now() + world.faults.skew_ms;
            self.require(seen > overdue, "I9", || {
                format!("{} times out {} ms early", old.id(), overdue - seen)
            });
            self.unbeaten(world, old, seat);
            if old.header().players[seat].house().is_some() {
                self.served(world, old, overdue);
            }
            return self.recovered(world, overdue);
        };
        let name = &old.header().players[decider].name;
        self.require(self.answers.submitter(tag) == Some(name), "I4", || {
            format!("{:?} of {} was {name}'s to decide", entry, old.id())
        });
        self.require(new.last_at() <= deadline.plus(world.pace.lag_ms), "I10", || {
            format!("{} accepts {entry:?} after its deadline", old.id())
        });
    }

    /// L1, if the whole turn was without faults.
    fn recovered(&mut self, world: &World, overdue: i64) {
        if self.calm_since.is_some_and(|calm| calm < overdue) {
            let late = world.now() - overdue;
            self.worst_recovery_ms = self.worst_recovery_ms.max(late);
            self.require(late <= RECOVERY_MS, "L1", || format!("flagged {late} ms late"));
        }
    }

    /// L3: a house bot is out of time. This is a violation if there were no faults for long enough
    /// before.
    fn served(&mut self, world: &World, game: &Game, overdue: i64) {
        // The clock that stamped the game may be fast: its message may have been sent before that.
        let since = match world.faults.sweeps {
            true => overdue - HOUSE_RECOVERY_MS,
            false => game.last_at().ms() - world.faults.skew_ms,
        };
        let is_calm = self.calm_since.is_some_and(|calm| calm < since);
        self.require(!is_calm, "L3", || {
            "a house bot is out of time although nothing went wrong".to_owned()
        });
    }

    fn ended(&mut self, world: &World, game: &Game) {
        let (header, result) = (game.header(), game.result().expect("the game is over"));
        world.count(result.reason.id());
        for seat in Seat::BOTH {
            let own = &header.players[seat];
            if self.playing.get(&own.name) == Some(&header.id) {
                self.playing.remove(&own.name);
            }
            if !result.is_void() && game.is_rated() && own.house().is_none() {
                let key = standing_key(&own.name, header.division);
                let standing = self.ledger.entry(key).or_insert(Standing::NEW);
                *standing = standing.after(game, seat);
            }
        }
    }

    fn agent(&mut self, world: &World, before: &Agent, after: &Agent) {
        let store = world.tables.borrow();
        let name = &after.name;
        let is_whole = |id: &GameId| !self.damaged.contains(id);
        let whole = |id: Option<GameId>| id.filter(is_whole);
        let (left, now) = (whole(before.game), whole(after.game));
        let game = |id: Option<GameId>| id.and_then(|id| store.game(id, View::Latest));
        let (before_game, after_game) = (game(left), game(now));
        if before.game != after.game {
            let left = before_game.is_none_or(|item| item.game.result().is_some());
            self.require(left, "I1", || format!("{name} leaves unfinished {:?}", before.game));
            let sits = after_game.as_ref().is_some_and(|item| item.game.seat_of(name).is_some());
            self.require(sits, "I7", || format!("{name} is seated in no game {:?}", after.game));
        }
        if before.joins != after.joins || before.epoch != after.epoch {
            self.require(after.epoch == before.epoch + 1, "I7", || {
                format!("{name} joins again as {}", after.epoch)
            });
            let free = after_game.as_ref().is_none_or(|item| item.game.result().is_some());
            self.require(free, "I7", || format!("{name} queues while it plays {:?}", after.game));
        }
        if let Some(live) = after_game.filter(|item| item.game.result().is_none()) {
            self.keys(&store, &live.game, name);
        }
    }

    /// A game in progress has the current keys of its players, so that a revoked key is refused.
    fn keys(&mut self, store: &Tables, game: &Game, name: &AgentName) {
        self.require(knows_key(store, game, name), "I20", || {
            format!("{} does not know the current key of {name}", game.id())
        });
    }

    /// A join key leads to one ticket, as long as it is among the last four.
    fn joined(&mut self, agent: &AgentName, tag: Tag, epoch: u32) {
        let first = *self.joined.entry((agent.clone(), tag)).or_insert(epoch);
        self.require(first == epoch || epoch > first + 3, "I12", || {
            format!("{agent} joins with one key as {first} and as {epoch}")
        });
    }
}

/// The ticket of the player in this seat and its time, if it was for such a game. A house bot is
/// seated for the ticket of the agent.
fn ticket(header: &Header, seat: Seat, changes: &[Change]) -> Option<(TicketId, Timestamp)> {
    let (own, other) = (&header.players[seat], &header.players[!seat]);
    if let Some(level) = own.house() {
        let of_agent = other.key().and_then(|_| ticket(header, !seat, changes))?;
        return Some((TicketId { agent: level.name(), epoch: of_agent.0.epoch }, of_agent.1));
    }
    let agent = changes.iter().find_map(|change| match change {
        Change::Agent(Changed { before: Some(before), after })
            if after.name == own.name && after.game == Some(header.id) =>
        {
            Some(before)
        }
        _ => None,
    })?;
    let waiting = agent.waiting.filter(|waiting| waiting.division == header.division)?;
    let agreed = match (waiting.opponent, other.house()) {
        (Opponent::House(wanted), Some(level)) => wanted == level,
        // The seats of a rated game are drawn.
        (Opponent::HouseAs(wanted, chosen), Some(level)) => {
            wanted == level && (waiting.rated || chosen == seat)
        }
        (Opponent::Anyone, Some(_)) | (Opponent::Anyone | Opponent::Agents, None) => true,
        (Opponent::Agents, Some(_)) | (Opponent::House(_) | Opponent::HouseAs(..), None) => false,
    };
    let is_unrated = header.uncounted == Some(Uncounted::Unrated);
    let agreed = agreed && waiting.rated != is_unrated;
    let ticket = TicketId { agent: agent.name.clone(), epoch: agent.epoch };
    agreed.then_some((ticket, waiting.since))
}

fn knows_key(store: &Tables, game: &Game, name: &AgentName) -> bool {
    let seat = game.seat_of(name).expect("a player sits in its game");
    let agent = store.agent(name, View::Latest).expect("a player is registered");
    game.header().players[seat].key() == Some(&agent.digest())
}
