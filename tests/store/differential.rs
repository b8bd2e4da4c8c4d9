//! Random plans on both backends: the store's DynamoDB expressions and the simulator's tables grant and
//! refuse the same writes, show the same items in return and leave the same behind.
//!
//! `DIFF_PLANS=100000` compares more of them; `DIFF_SEED=7` replays one world.

use std::collections::BTreeMap;
use std::time::Instant;

use super::*;
use arena::{Action, Entry, Header, HouseLevel, Player, Ruling, Tally, Uncounted, Waiting};
use arena_simulator::{Rng, Tables, View, standing_key};
use arena_support::setting;

/// A world is short, so that many plans meet items that do not exist yet.
const PLANS_PER_WORLD: u64 = 60;
const NAMES: [&str; 4] = ["ann", "bob", "cal", "dan"];
const DIVISIONS: [Division; 2] = [FREE, TARAGUCHI];
const GAMES: usize = 8;
const SHARDS: u8 = 2;

/// An item, by the numbers of its agent, division or game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Item {
    Agent(usize),
    Standing(usize, usize),
    Game(usize),
}

/// The variants of [`Write`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    Register,
    Join,
    Leave,
    Refresh,
    Seat,
    Keys,
    Describe,
    Ban,
    Delete,
    CoolDown,
    Rate,
    Unrate,
    Create,
    Advance,
    Finish,
    Rearm,
    Rekey,
}
use Kind::*;

const OF_AGENTS: [Kind; 10] =
    [Register, Join, Leave, Refresh, Seat, Keys, Describe, Ban, Delete, CoolDown];
const OF_GAMES: [Kind; 5] = [Create, Advance, Finish, Rearm, Rekey];

#[tokio::test]
async fn the_store_and_the_simulator_agree_on_random_plans() {
    let plans = setting("DIFF_PLANS").unwrap_or(2_000_u64);
    let seeds = match setting::<u64>("DIFF_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..plans.div_ceil(PLANS_PER_WORLD),
    };
    let start = Instant::now();
    let mut total = Total::default();
    for seed in seeds.clone() {
        World::run(seed, &mut total).await;
    }
    let Total { done, stale, kinds } = total;
    let (plans, seconds) = (done + stale, start.elapsed().as_secs_f64());
    println!(
        "{plans} plans in {seconds:.1} s, {:.0} a second: no difference",
        plans as f64 / seconds
    );
    println!(
        "{done} done, {stale} stale\n{:10}{:>9}{:>9}{:>9}",
        "", "written", "refused", "held up"
    );
    for (kind, [written, refused, held_up]) in &kinds {
        println!("{:10}{written:>9}{refused:>9}{held_up:>9}", format!("{kind:?}"));
    }
    if seeds.end - seeds.start > 20 {
        assert!(done.min(stale) > plans / 4, "{done} done, {stale} stale");
        let is_rare = |(kind, [written, refused, _]): &(&Kind, &[u64; 3])| {
            // That requires nothing.
            let refused = if **kind == Unrate { written } else { refused };
            *written.min(refused) < 10
        };
        assert_eq!((kinds.len(), kinds.iter().filter(is_rare).count()), (17, 0), "{kinds:?}");
    }
}

/// Number of plans that were done and not, and of writes of each kind that were made, were refused, or
/// held up by another write of their plan.
#[derive(Default)]
struct Total {
    done: u64,
    stale: u64,
    kinds: BTreeMap<Kind, [u64; 3]>,
}

struct World {
    rng: Rng,
    tables: Tables,
}

impl World {
    async fn run(seed: u64, total: &mut Total) {
        let arena = Arena::start(SHARDS).await;
        let mut world = World { rng: Rng::new(seed), tables: Tables::default() };
        for number in 1..=PLANS_PER_WORLD {
            let (shape, writes) = world.plan(number);
            let replay = "cargo test -p arena-tests --test store differential -- --nocapture";
            let place = || format!("plan {number}: {writes:#?}\nDIFF_SEED={seed} {replay}");
            let stored = arena.store.write(&writes).await.unwrap_or_else(|fault| {
                panic!("{fault:?} of {}", place());
            });
            let (simulated, _) = world.tables.commit(&writes, || 60_000 * number as i64);
            assert_eq!(stored, Some(simulated.clone()), "store and simulator, {}", place());
            for (index, (kind, item)) in shape.into_iter().enumerate() {
                let column = match &simulated {
                    Commit::Done => 0,
                    Commit::Stale(_) if simulated.stale(index).is_some() => 1,
                    Commit::Stale(_) => 2,
                };
                total.kinds.entry(kind).or_default()[column] += 1;
                if simulated == Commit::Done {
                    world.compare(&arena, item, &place).await;
                }
            }
            *(if simulated == Commit::Done { &mut total.done } else { &mut total.stale }) += 1;
            if number % 30 == 0 {
                world.compare_all(&arena, &place).await;
            }
        }
    }

    /// The item is the same on both sides.
    async fn compare(&self, arena: &Arena, item: Item, place: &impl Fn() -> String) {
        let (store, latest) = (&arena.store, View::Latest);
        match item {
            Item::Agent(agent) => {
                let stored = store.agent(&name(NAMES[agent])).await.unwrap();
                let simulated = self.tables.agent(&name(NAMES[agent]), latest);
                assert_eq!(stored.as_ref(), simulated.as_deref(), "after {}", place());
            }
            Item::Standing(agent, division) => {
                let (agent, division) = (name(NAMES[agent]), DIVISIONS[division]);
                let stored = arena.standing(&agent, division).await;
                assert_eq!(stored, self.standing(&agent, division), "after {}", place());
            }
            Item::Game(game) => {
                let stored = store.game(id(game), Read::Strong).await.unwrap();
                let simulated = self.tables.game(id(game), latest);
                assert_eq!(stored.as_ref(), simulated.as_deref(), "after {}", place());
            }
        }
    }

    fn standing(&self, agent: &AgentName, division: Division) -> Standing {
        let standing = self.tables.standing(&standing_key(agent, division), View::Latest);
        standing.map_or(Standing::NEW, |standing| (*standing).clone())
    }

    /// Every item and every list of items is the same on both sides.
    async fn compare_all(&mut self, arena: &Arena, place: &impl Fn() -> String) {
        let agents = (0..NAMES.len()).map(Item::Agent);
        for item in agents.chain((0..GAMES).map(Item::Game)) {
            self.compare(arena, item, place).await;
        }
        let (now, names) = (self.time(), NAMES.map(name));
        for division in DIVISIONS {
            let stored = arena.store.standings(&names.each_ref(), division).await.unwrap();
            let simulated = names.each_ref().map(|agent| self.standing(agent, division));
            assert_eq!(stored, simulated, "standings in {division} after {}", place());
            let mut stored = arena.store.tickets(division, now).await.unwrap();
            let mut simulated = Tickets::default();
            for (ticket, until) in self.tables.tickets(division, || View::Latest) {
                match now <= until {
                    true => simulated.waiting.push(ticket),
                    false => simulated.lapsed.push(ticket.name),
                }
            }
            for tickets in [&mut stored, &mut simulated] {
                tickets.lapsed.sort_unstable();
                tickets.waiting.sort_by(|one, other| one.name.cmp(&other.name));
                // Each side has a hash of its own.
                tickets.waiting.iter_mut().for_each(|it| it.owner = it.owner.map(|_| 0));
            }
            assert_eq!(stored, simulated, "queue of {division} at {now:?} after {}", place());
        }
        let mut stored = Vec::new();
        for shard in 0..SHARDS {
            stored.extend(arena.store.live_games(shard, now, None, 10).await.unwrap().games);
        }
        let live = self.tables.live(None, now, || View::Latest);
        let mut simulated: Vec<_> = live.map(|(_, game)| game).collect();
        stored.sort_unstable();
        simulated.sort_unstable();
        assert_eq!(stored, simulated, "live games from before {now:?} after {}", place());
    }

    /// The plan with this number: its writes, their kinds and their items, no item twice. The first ones
    /// fill the tables; of the others, half are to be done and half miss a requirement or two.
    fn plan(&mut self, number: u64) -> (Vec<(Kind, Item)>, Vec<Write>) {
        let (sort, is_good) = (self.rng.below(11), self.rng.chance(5_500));
        let mut plan = (Vec::new(), Vec::new());
        for _ in 0..12 {
            let shape = match number {
                1 => (1..4).map(|agent| (Register, Item::Agent(agent))).collect(),
                2 => (0..4).map(|game| (Create, Item::Game(game))).collect(),
                _ => self.shape(sort),
            };
            let mut writes = Vec::new();
            for (kind, item) in &shape {
                let holds = is_good || self.rng.chance(6_000);
                writes.push(self.write_that(holds, *kind, *item));
            }
            let (commit, _) = self.tables.clone().commit(&writes, || 0);
            plan = (shape, writes);
            if is_good == (commit == Commit::Done) {
                break;
            }
        }
        plan
    }

    /// The plans of the use cases with several writes, any writes together, and any write alone.
    fn shape(&mut self, sort: usize) -> Vec<(Kind, Item)> {
        let number = self.rng.below(GAMES);
        let [one, other] = players(number);
        let (game, division) = (Item::Game(number), number % DIVISIONS.len());
        let on = |kind, agent| (kind, Item::Agent(agent));
        let rate = |agent| (Rate, Item::Standing(agent, division));
        match sort {
            0 => vec![on(Seat, one), on(Seat, other), (Create, game)],
            1 => vec![on(Seat, one), (Create, game)],
            2 => vec![(Finish, game), rate(one), rate(other)],
            3 => vec![(Finish, game), on(CoolDown, one)],
            4 => vec![on(Keys, one), (Rekey, game)],
            5 if self.rng.chance(5_000) => vec![on(Ban, one), (Rekey, game)],
            5 => {
                let unrate = |division| (Unrate, Item::Standing(one, division));
                [on(Delete, one)].into_iter().chain((0..DIVISIONS.len()).map(unrate)).collect()
            }
            6..8 => {
                let (mut shape, length): (Vec<(Kind, Item)>, _) =
                    (Vec::new(), 2 + self.rng.below(3));
                while shape.len() < length {
                    let (kind, item) = self.any();
                    if shape.iter().all(|(_, taken)| *taken != item) {
                        shape.push((kind, item));
                    }
                }
                shape
            }
            _ => vec![self.any()],
        }
    }

    fn any(&mut self) -> (Kind, Item) {
        let (agent, game) = (self.rng.below(NAMES.len()), self.rng.below(GAMES));
        match self.rng.below(24) {
            kind @ 0..10 => (OF_AGENTS[kind], Item::Agent(agent)),
            kind @ 10..15 => (OF_GAMES[kind - 10], Item::Game(game)),
            // Most of the others need somebody who waits.
            15..18 => (Join, Item::Agent(agent)),
            18..20 => (Leave, Item::Agent(self.waiter().unwrap_or(agent))),
            20 | 23 => (Refresh, Item::Agent(self.waiter().unwrap_or(agent))),
            21 => (Unrate, Item::Standing(agent, self.rng.below(DIVISIONS.len()))),
            _ => (Rate, Item::Standing(agent, self.rng.below(DIVISIONS.len()))),
        }
    }

    /// Somebody who waits: of the others nearly every leave and every refresh is refused, whatever else
    /// it requires.
    fn waiter(&mut self) -> Option<usize> {
        let waits = |agent: &usize| {
            let agent = self.tables.agent(&name(NAMES[*agent]), View::Latest);
            agent.is_some_and(|agent| agent.waiting.is_some())
        };
        let waiters: Vec<usize> = (0..NAMES.len()).filter(waits).collect();
        (!waiters.is_empty()).then(|| *self.rng.pick(&waiters))
    }

    /// A write whose requirements are met, or are not, if one is found soon.
    fn write_that(&mut self, holds: bool, kind: Kind, item: Item) -> Write {
        let mut write = self.write(kind, item);
        for _ in 0..8 {
            let (commit, _) = self.tables.clone().commit(std::slice::from_ref(&write), || 0);
            if holds == (commit == Commit::Done) {
                break;
            }
            write = self.write(kind, item);
        }
        write
    }

    fn write(&mut self, kind: Kind, item: Item) -> Write {
        match item {
            Item::Agent(agent) => self.of_agent(kind, name(NAMES[agent])),
            Item::Standing(agent, division) => {
                let (agent, division) = (name(NAMES[agent]), DIVISIONS[division]);
                match kind {
                    Unrate => Write::Unrate { agent, division },
                    _ => self.rate(agent, division),
                }
            }
            Item::Game(game) => self.of_game(kind, game),
        }
    }

    fn of_agent(&mut self, kind: Kind, agent: AgentName) -> Write {
        let old = self.tables.agent(&agent, View::Latest);
        let new = || Agent::register(agent.clone(), KeyHash([0; 32]), at(0));
        let old = old.map_or_else(new, |old| (*old).clone());
        match kind {
            Register => Write::Register(Box::new(self.agent(agent))),
            Join => {
                let (seen_epoch, seen_game) = (self.near(old.epoch), self.near_game(old.game));
                let joins = self.list(|world| (tag(world.rng.below(9) as u8), seen_epoch + 1));
                let expires = self.rng.chance(5_000).then(|| self.expiry());
                let waiting = self.waiting();
                // Rarely another one: the write has enough to require besides.
                let is_other = self.rng.chance(1_000);
                let created = if is_other { self.time() } else { old.created };
                Write::Join { agent, created, seen_epoch, seen_game, waiting, expires, joins }
            }
            Leave => {
                let until = old.waiting.map_or(at(0), |waiting| waiting.until);
                let until = self.rng.chance(6_000).then(|| self.near_time(until));
                Write::Leave { agent, epoch: self.near(old.epoch), until }
            }
            Refresh => Write::Refresh {
                agent,
                epoch: self.near(old.epoch),
                until: self.time(),
                expires: self.rng.chance(5_000).then(|| self.expiry()),
            },
            Seat => Write::Seat {
                agent,
                epoch: self.near(old.epoch),
                key: self.near_key(old.keys.current),
                game: self.game_id(),
                opponents: self.list(|world| world.rng.below(99) as u32),
                tally: self.tally(),
            },
            Keys => Write::Keys {
                agent,
                seen: self.near_key(old.keys.current),
                seen_game: self.near_game(old.game),
                is_banned: self.misses() != old.ban.is_some(),
                keys: self.keys(),
            },
            Describe => Write::Describe {
                agent,
                seen: self.near_key(old.keys.current),
                // At least one is new.
                bio: Some(self.text("plays well").flatten()),
                url: self.text("https://bot.example"),
            },
            Ban => Write::Ban {
                agent,
                seen: self.near_key(old.keys.current),
                seen_game: self.near_game(old.game),
                why: self.rng.chance(4_000).then(|| "spam".to_owned()),
            },
            Delete => Write::Delete {
                agent,
                seen: self.near_key(old.keys.current),
                seen_game: self.near_game(old.game),
            },
            _ => Write::CoolDown {
                agent,
                game: self.near_game(old.game).unwrap_or(id(0)),
                no_shows: self.rng.below(3) as u8,
                until: self.time(),
            },
        }
    }

    fn of_game(&mut self, kind: Kind, game: usize) -> Write {
        let old = self.tables.game(id(game), View::Latest);
        let armed = old.and_then(|old| old.armed).unwrap_or(at(0));
        match kind {
            Create => Write::Create { header: Box::new(self.header(game)), armed: self.time() },
            Advance => Write::Advance(Box::new(self.next(game))),
            Finish => Write::Finish(Box::new(self.next(game))),
            Rearm => Write::Rearm { game: id(game), from: self.near_time(armed), to: self.time() },
            _ => {
                let is_second = !has_house(game) && self.rng.chance(5_000);
                let seat = if is_second { renju::Seat::Second } else { renju::Seat::First };
                Write::Rekey { game: id(game), seat, key: self.key().digest() }
            }
        }
    }

    fn rate(&mut self, agent: AgentName, division: Division) -> Write {
        let seen_games = self.standing(&agent, division).listed();
        let mut count = || self.rng.below(2) as u32;
        let standing = Standing {
            won: count() + 1,
            lost: count(),
            drawn: count(),
            timeouts: count(),
            uncounted: count(),
            rating: self.rating(),
            rated_at: self.rng.chance(5_000).then(|| self.time()),
            recent: self.list(World::game_id),
        };
        let seen_games = self.near(seen_games);
        Write::Rate { agent, division, seen_games, standing: Box::new(standing) }
    }

    /// The game with one entry more than is stored, or two, or none. Its header is what was read, or not.
    fn next(&mut self, game: usize) -> Game {
        let stored = self.tables.game(id(game), View::Latest).map(|stored| stored.game.clone());
        let stored = stored.unwrap_or_else(|| Game::start(self.header(game)));
        let header = match self.misses() {
            true => self.header(game),
            false => stored.header().clone(),
        };
        let length = self.near(stored.turn().0) + 1;
        let mut log = stored.at(TurnNumber(length - 1)).log().to_vec();
        loop {
            let next = Game::restore(header.clone(), log.iter().copied()).unwrap();
            if next.turn().0 == length {
                return next;
            }
            if next.result().is_some() {
                log.pop();
                continue;
            }
            let seat =
                if self.rng.chance(5_000) { renju::Seat::First } else { renju::Seat::Second };
            let action = match self.rng.below(6) {
                0 => Action::Resign(seat),
                1 => *self.rng.pick(&[
                    Action::Timeout,
                    Action::NoShow,
                    Action::Rule(Ruling::Win(seat)),
                    Action::Rule(Ruling::Draw),
                    Action::Rule(Ruling::Void),
                ]),
                _ => {
                    let skipped = self.rng.below(8);
                    let mut plays = next.position().plays().take(skipped + 1);
                    Action::Play(plays.by_ref().last().unwrap())
                }
            };
            let (elapsed, key) = (self.rng.below(400) as u32, self.rng.below(200) as u8);
            log.push(Entry { action, elapsed, tag: tag(key) });
        }
    }

    fn header(&mut self, game: usize) -> Header {
        let [one, other] = players(game).map(|agent| name(NAMES[agent]));
        let mut player = |name| Player::agent(name, self.key().digest(), self.rating());
        let (first, second) = (player(one), player(other));
        let second = match has_house(game) {
            true => Player::house_bot(HouseLevel::new(2).unwrap()),
            false => second,
        };
        Header {
            id: id(game),
            division: DIVISIONS[game % DIVISIONS.len()],
            turn_ms: 60_000,
            budget_ms: Some(600_000),
            uncounted: self.rng.chance(3_000).then_some(Uncounted::OpponentLimit),
            players: BySeat { first, second },
            previous: BySeat {
                first: self.rng.chance(5_000).then(|| self.game_id()),
                second: None,
            },
            created: self.time(),
        }
    }

    fn agent(&mut self, name: AgentName) -> Agent {
        let mut maybe = || self.rng.chance(5_000);
        let (bio, owner) = (maybe(), maybe());
        Agent {
            bio: bio.then(|| "plays".to_owned()),
            url: self.rng.chance(5_000).then(|| "https://lab.example".to_owned()),
            owner: owner.then(|| "lab".to_owned()),
            keys: self.keys(),
            created: self.time(),
            expires: self.rng.chance(5_000).then(|| self.expiry()),
            epoch: self.rng.below(3) as u32,
            waiting: self.rng.chance(7_000).then(|| self.waiting()),
            game: self.rng.chance(5_000).then(|| self.game_id()),
            opponents: self.list(|world| world.rng.below(99) as u32),
            tally: self.tally(),
            joins: self.list(|world| (tag(world.rng.below(9) as u8), 1)),
            no_shows: self.rng.below(3) as u8,
            cool_until: self.rng.chance(5_000).then(|| self.time()),
            ban: self.rng.chance(1_000).then(|| "spam".to_owned()),
            name,
        }
    }

    fn waiting(&mut self) -> Waiting {
        let level = Opponent::House(HouseLevel::new(1).unwrap());
        Waiting {
            division: *self.rng.pick(&DIVISIONS),
            since: self.time(),
            until: self.time(),
            rating: self.rating(),
            opponent: *self.rng.pick(&[Opponent::Anyone, Opponent::Agents, level]),
            rated: self.rng.chance(5_000),
        }
    }

    fn keys(&mut self) -> arena::Keys {
        let previous = self.rng.chance(5_000).then(|| (self.key(), self.time()));
        arena::Keys { current: self.key(), previous }
    }

    fn tally(&mut self) -> Tally {
        let games = self.list(|world| (world.rng.below(9) as u64, 1 + world.rng.below(3) as u8));
        let day = if games.is_empty() { 0 } else { 20_000 };
        Tally { day, games }
    }

    fn rating(&mut self) -> Rating {
        let (value, deviation) = (self.rng.within(1_400, 1_600), self.rng.within(60, 300));
        Rating { value: value as f64, deviation: deviation as f64, ..Rating::NEW }.stored()
    }

    fn key(&mut self) -> KeyHash {
        KeyHash([self.rng.below(3) as u8; 32])
    }

    fn game_id(&mut self) -> GameId {
        id(self.rng.below(GAMES))
    }

    fn time(&mut self) -> Timestamp {
        at(self.rng.within(1, 4))
    }

    /// A new text, its removal, or no change.
    fn text(&mut self, new: &str) -> Option<arena::Text> {
        let text = *self.rng.pick(&[None, Some(None), Some(Some(new))]);
        text.map(|text: Option<&str>| text.map(str::to_owned))
    }

    /// A whole second.
    fn expiry(&mut self) -> Timestamp {
        Timestamp::from_ms(self.time().ms() / 1_000 * 1_000)
    }

    /// At most two.
    fn list<T>(&mut self, mut entry: impl FnMut(&mut World) -> T) -> Vec<T> {
        (0..self.rng.below(3)).map(|_| entry(self)).collect()
    }

    /// True for one requirement in four.
    fn misses(&mut self) -> bool {
        self.rng.chance(2_500)
    }

    fn near(&mut self, number: u32) -> u32 {
        let other = *self.rng.pick(&[number + 1, number.saturating_sub(1), 0]);
        if self.misses() { other } else { number }
    }

    fn near_time(&mut self, time: Timestamp) -> Timestamp {
        let other = time.plus(*self.rng.pick(&[-1, 1]));
        if self.misses() { other } else { time }
    }

    fn near_key(&mut self, key: KeyHash) -> KeyHash {
        if self.misses() { self.key() } else { key }
    }

    fn near_game(&mut self, game: Option<GameId>) -> Option<GameId> {
        let other = self.rng.chance(5_000).then(|| self.game_id());
        if self.misses() { other } else { game }
    }
}

fn id(game: usize) -> GameId {
    GameId::from_bytes([game as u8; 10])
}

/// The agents of a game.
fn players(game: usize) -> [usize; 2] {
    [game % NAMES.len(), (game + 1) % NAMES.len()]
}

/// True if the second seat is a house bot's.
fn has_house(game: usize) -> bool {
    game % 4 == 3
}
