//! The store as the backend of the use cases.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use arena::{Agent, AgentName, Division, Game, GameId, Message, Pace, Standing, Timestamp, Write};
use arena_protocol::{
    Backend, Chore, Commit, Fault, LiveCursor, LiveGames, Note, Read, Stored, Tickets,
};
use futures_util::future::try_join_all;

use crate::codec::{self, Item, PK, text};
use crate::{Store, clock, fault};

impl Backend for Store {
    fn now(&self) -> Timestamp {
        clock::now()
    }

    fn pace(&self) -> &Pace {
        &self.config().pace
    }

    fn shards(&self) -> u8 {
        self.config().shards.max(1)
    }

    fn note(&self, note: Note<'_>) {
        (self.listener)(note);
    }

    fn is_due(&self, chore: Chore) -> bool {
        self.inner.recent.is_due(chore, self.now())
    }

    async fn pause(&self, ms: u64) {
        // The seed of the standard library's hash maps is random enough to keep two functions out
        // of step.
        let random = RandomState::new().hash_one(0);
        tokio::time::sleep(Duration::from_millis(ms - random % (ms / 2 + 1))).await;
    }

    async fn agent(&self, name: &AgentName) -> Result<Option<Agent>, Fault> {
        let key = codec::agent::key(name);
        let item = self.get("agent", &self.config().agents_table, key, true).await?;
        item.as_ref().map(codec::agent::decode).transpose().map_err(fault::undecodable("agent"))
    }

    async fn standings(
        &self,
        agents: &[&AgentName],
        division: Division,
    ) -> Result<Vec<Standing>, Fault> {
        const DOING: &str = "standing";
        let table = &self.config().agents_table;
        let key = |agent: &AgentName| codec::standing::key(agent, division);
        let items: Vec<Item> = match agents {
            [agent] => self.get(DOING, table, key(agent), true).await?.into_iter().collect(),
            _ => {
                let keys = agents.iter().map(|agent| key(agent)).collect();
                self.get_all(DOING, table, keys, true).await?
            }
        };
        let of = |agent: &&AgentName| {
            let name = text(agent.as_str());
            match items.iter().find(|item| item.get(PK) == Some(&name)) {
                Some(item) => codec::standing::decode(item).map(|(_, standing)| standing),
                None => Ok(Standing::NEW),
            }
        };
        let standings: Result<_, _> = agents.iter().map(of).collect();
        standings.map_err(fault::undecodable(DOING))
    }

    async fn game(&self, id: GameId, read: Read) -> Result<Option<Stored>, Fault> {
        let (doing, is_strong) = match read {
            Read::Cheap => ("game", false),
            Read::Strong => ("game_now", true),
        };
        let key = codec::game::key(id);
        let item = self.get(doing, &self.config().games_table, key, is_strong).await?;
        item.as_ref().map(codec::game::decode).transpose().map_err(fault::undecodable(doing))
    }

    async fn agent_and_game(
        &self,
        name: &AgentName,
        id: GameId,
    ) -> Result<(Option<Agent>, Option<Game>), Fault> {
        const DOING: &str = "last_game";
        let [agent, game] = self
            .get_both(
                DOING,
                (&self.config().agents_table, codec::agent::key(name)),
                (&self.config().games_table, codec::game::key(id)),
            )
            .await?;
        let unreadable = fault::undecodable(DOING);
        let agent = agent.as_ref().map(codec::agent::decode).transpose().map_err(&unreadable)?;
        let game = game.as_ref().map(codec::game::decode).transpose().map_err(&unreadable)?;
        Ok((agent, game.map(|stored| stored.game)))
    }

    async fn games(&self, ids: &[GameId]) -> Result<Vec<Stored>, Fault> {
        // A call must not name a key twice.
        let mut distinct = ids.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let keys = distinct.into_iter().map(codec::game::key).collect();
        let items = self.get_all("games", &self.config().games_table, keys, false).await?;
        Ok(items.iter().filter_map(|item| self.readable(codec::game::decode(item))).collect())
    }

    async fn tickets(&self, division: Division, now: Timestamp) -> Result<Tickets, Fault> {
        let mut tickets = Tickets::default();
        let shards = (0..self.shards()).map(|shard| self.waiting(division, shard));
        for item in try_join_all(shards).await?.into_iter().flatten() {
            match self.readable(codec::agent::decode_ticket(&item)) {
                Some((ticket, until)) if now <= until => tickets.waiting.push(ticket),
                Some((ticket, _)) => tickets.lapsed.push(ticket.name),
                None => {}
            }
        }
        Ok(tickets)
    }

    async fn live_games(
        &self,
        shard: u8,
        before: Timestamp,
        after: Option<LiveCursor>,
        limit: u16,
    ) -> Result<LiveGames, Fault> {
        self.list_live_games(shard, before, after, limit).await
    }

    async fn write(&self, writes: &[Write]) -> Result<Option<Commit>, Fault> {
        self.write_once(writes).await
    }

    async fn send(&self, messages: &[Message]) -> Result<(), Fault> {
        let config = self.config();
        let queue_of = |message: &Message| match message {
            Message::Timer { .. } | Message::Sweep | Message::SweepOn { .. } => {
                &config.referee_queue_url
            }
            Message::Match { .. } => &config.match_queue_url,
            Message::House { .. } => &config.house_queue_url,
        };
        for queue in [&config.referee_queue_url, &config.match_queue_url, &config.house_queue_url] {
            let its: Vec<Message> =
                messages.iter().filter(|message| queue_of(message) == queue).copied().collect();
            self.send_to(queue, &its).await?;
        }
        Ok(())
    }

    async fn heartbeat(&self) -> Result<(), Fault> {
        self.note_heartbeat().await
    }

    async fn admit(
        &self,
        address: &str,
        window_s: u32,
        limit: u32,
    ) -> Result<Option<Timestamp>, Fault> {
        self.count_registration(address, window_s, limit).await
    }
}
