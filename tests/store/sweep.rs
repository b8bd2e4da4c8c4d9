//! The sweep as the referee runs it: nothing that one bad item, one fault, many games or many shards
//! leave undone.

use std::time::Duration;

use super::faults::Proxy;
use super::*;
use arena::{Header, Player};
use arena_lambda::{Context, Settings, handle_batch};
use arena_protocol::look;
use arena_store::now;
use arena_support::Trouble;
use arena_support::{batch, failed};
use aws_sdk_dynamodb::primitives::Blob;

/// Hands messages to the referee; those that must come again, by their place.
pub(super) async fn deliver(store: &Store, bodies: &[&str]) -> Vec<usize> {
    let context = Context::new(store.clone(), Settings::standard(None));
    failed(handle_batch(context, batch(bodies), arena_referee::handle).await)
}

impl Arena {
    /// The messages that are ready in a queue and begin with this word. All that are ready are used up.
    pub(super) async fn heard(&self, queue: &str, word: &str) -> Vec<String> {
        let mut heard = Vec::new();
        loop {
            let received = self.access.sqs().receive_message().queue_url(queue);
            let received = received.max_number_of_messages(10).send().await.unwrap();
            if received.messages().is_empty() {
                return heard;
            }
            let bodies = received.messages().iter().filter_map(|message| message.body());
            heard.extend(bodies.filter(|body| body.starts_with(word)).map(str::to_owned));
        }
    }

    async fn messages(&self, word: &str) -> Vec<String> {
        let config = self.store.config();
        let is_match = word.starts_with("match");
        let queue = if is_match { &config.match_queue_url } else { &config.referee_queue_url };
        self.heard(queue, word).await
    }

    /// Waits for so many messages to the referee that begin with this word: delayed ones take their
    /// time. The last of them.
    pub(super) async fn message(&self, word: &str, count: usize) -> String {
        let mut heard = Vec::new();
        let listen = async {
            while heard.len() < count {
                heard.extend(self.messages(word).await);
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        // Far longer than any delay: what has not come by then was never sent.
        let is_heard = tokio::time::timeout(Duration::from_secs(60), listen).await.is_ok();
        assert!(is_heard && heard.len() == count, "{count} wanted, heard {heard:?}");
        heard.swap_remove(count - 1)
    }

    /// Lists so many more live games that all started now, and whose timers were lost long ago. Their
    /// players know nothing of them.
    pub(super) async fn create(&self, count: usize) -> Vec<GameId> {
        let one = self.game(["ada", "bea"], TARAGUCHI).await;
        let header = self.stored(one).await.header().clone();
        let (now, mut ids) = (now(), Vec::new());
        for index in 0..count {
            let [low, high] = (index as u16).to_le_bytes();
            let id = GameId::from_bytes([low.wrapping_mul(37), high, low, 3, 1, 4, 1, 5, 9, 2]);
            let header = Box::new(Header { id, created: now, ..header.clone() });
            let plan = plan_of(Write::Create { header, armed: now.plus(-600_000) });
            assert_eq!(commit(&self.store, &plan).await.unwrap(), Commit::Done);
            ids.push(id);
        }
        self.resign(one, Seat::First, at(1)).await;
        ids
    }

    /// Overwrites an attribute of a game's item; what was there before.
    pub(super) async fn damage(
        &self,
        id: GameId,
        name: &str,
        value: AttributeValue,
    ) -> AttributeValue {
        let old = self
            .access
            .dynamodb()
            .update_item()
            .table_name(&self.store.config().games_table)
            .key("pk", AttributeValue::S(id.to_string()))
            .update_expression("SET #name = :value")
            .expression_attribute_names("#name", name)
            .expression_attribute_values(":value", value)
            .return_values(aws_sdk_dynamodb::types::ReturnValue::UpdatedOld)
            .send()
            .await
            .unwrap();
        old.attributes.unwrap().remove(name).unwrap()
    }
}

/// Bytes that are no log, now or ever.
pub(super) fn garbage() -> AttributeValue {
    AttributeValue::B(Blob::new([]))
}

#[tokio::test]
async fn every_game_is_swept_whatever_the_shards_and_however_many_share_a_start() {
    for shards in [1, 4, 16] {
        let arena = Arena::start(shards).await;
        let ids = arena.create(250).await;
        let mut messages = vec!["sweep".to_owned()];
        while !messages.is_empty() {
            for message in &messages {
                assert_eq!(deliver(&arena.store, &[message]).await, [0_usize; 0], "{message}");
            }
            messages = arena.messages("sweep").await;
        }
        let games = arena.store.games(&ids).await.unwrap();
        let swept = games.iter().filter(|game| game.armed.is_some_and(|fire| fire > now()));
        assert_eq!(swept.count(), 250, "in {shards} shards");
    }
}

#[tokio::test]
async fn a_game_that_cannot_be_read_stops_neither_the_others_nor_the_queues() {
    let arena = Arena::start(1).await;
    let older = arena.game(["ann", "bob"], FREE).await;
    let bad = arena.game(["cal", "dan"], FREE).await;
    let younger = arena.game(["eve", "fay"], FREE).await;
    arena.register("gil").await;
    arena.join("gil", FREE, now().plus(-31_000)).await;
    let log = arena.damage(bad, "l", garbage()).await;
    let sent = || arena.store.meter().of("send").messages;
    let before = sent();
    assert_eq!(deliver(&arena.store, &["sweep"]).await, [0_usize; 0]);
    assert_eq!(sent() - before, 1, "gil's queue is looked at again");
    for id in [older, younger] {
        assert!(arena.stored(id).await.result().is_some());
    }
    assert!(arena.store.last_heartbeat().await.unwrap().is_some());
    arena.damage(bad, "l", log).await;
    arena.audit().await;
}

#[tokio::test]
async fn a_fault_over_one_game_ends_neither_its_page_nor_the_sweep() {
    let arena = Arena::start(1).await;
    let mut games = Vec::new();
    for names in [["ann", "bob"], ["cal", "dan"], ["eve", "fay"]] {
        games.push(arena.game(names, FREE).await);
    }
    let proxy = Proxy::before(&arena.stack).await;
    // Of the first game, as often as the SDK tries.
    proxy.expect("TransactWriteItems", Trouble::Fail, 3);
    let failed = deliver(&proxy.troubled(&arena).store, &["sweep"]).await;
    assert_eq!((failed, proxy.left()), (vec![0], 0), "it comes again");
    let mut live = 0;
    for id in &games {
        live += usize::from(arena.stored(*id).await.result().is_none());
    }
    assert_eq!(live, 1, "the others are ended");
    assert!(arena.store.last_heartbeat().await.unwrap().is_some());
    assert_eq!(deliver(&arena.store, &["sweep"]).await, [0_usize; 0]);
    assert_eq!(arena.audit().await.live, 0);
}

#[tokio::test]
async fn a_page_with_a_fault_sends_for_the_next_page_once() {
    let arena = Arena::start(1).await;
    arena.create(120).await;
    let proxy = Proxy::before(&arena.stack).await;
    proxy.expect("UpdateItem", Trouble::Fail, 3);
    let troubled = proxy.troubled(&arena).store;
    // If it came again it would send again, and so would each page after it.
    assert_eq!(deliver(&troubled, &["sweep"]).await, [0_usize; 0]);
    assert_eq!(proxy.left(), 0);
    let next = arena.messages("sweep").await;
    assert_eq!(next.len(), 1, "{next:?}");
    // The last page may: nothing follows it.
    proxy.expect("UpdateItem", Trouble::Fail, 3);
    assert_eq!(deliver(&troubled, &[&next[0]]).await, [0]);
    assert_eq!(arena.messages("sweep").await, [""; 0]);
}

#[tokio::test]
async fn a_lapsed_ticket_is_given_up_unless_it_was_prolonged_meanwhile() {
    let arena = Arena::start(1).await;
    let division = Division { ruleset: &Ruleset::ALL[0], pool: Pool::ALL[0] };
    for agent in ["ann", "bob"] {
        arena.register(agent).await;
        arena.join(agent, division, now().plus(-601_000)).await;
    }
    let proxy = Proxy::before(&arena.stack).await;
    let troubled = proxy.troubled(&arena).store;
    // The index is old: bob asked in time, and it does not show that yet.
    proxy.expect("Query", Trouble::Pass, 1);
    proxy.expect("Query", Trouble::Remember, 1);
    deliver(&troubled, &["sweep"]).await;
    assert_eq!(arena.agent("ann").await.waiting, None);
    arena.join("bob", division, now().plus(-1_000)).await;
    proxy.expect("Query", Trouble::Pass, 1);
    proxy.expect("Query", Trouble::Repeat, 1);
    deliver(&troubled, &["sweep"]).await;
    assert_eq!(proxy.left(), 0);
    assert!(arena.agent("bob").await.ticket(now()).is_some());
    assert_eq!(arena.audit().await.waiting, 1);
}

#[tokio::test]
async fn a_house_bot_whose_call_was_lost_is_called_again() {
    let arena = Arena::with(1, HOUSE).await;
    let then = now().plus(-20_000);
    let mut games = Vec::new();
    for agent in ["ann", "bob", "cal", "dan", "eve", "fay"] {
        let id = arena.game_with_house(agent, TARAGUCHI, then).await;
        let game = arena.stored(id).await;
        games.extend(house::message(&game).map(|message| message::body(&message)));
    }
    assert!(!games.is_empty(), "some house bot has the first seat");
    let queue = &arena.store.config().house_queue_url;
    arena.heard(queue, "house").await;
    assert_eq!(deliver(&arena.store, &["sweep"]).await, [0_usize; 0]);
    let mut called = arena.heard(queue, "house").await;
    called.sort();
    games.sort();
    assert_eq!(called, games);
    // So do their opponents, however often they look.
    for body in games.iter().cycle().take(3 * games.len()) {
        let Ok(Message::House { game: id, .. }) = message::parse(body) else { panic!("{body}") };
        let game = arena.stored(id).await;
        let players = game.header().players.as_ref();
        let is_agent = |player: &&Player| player.house().is_none();
        let player = [players.first, players.second].into_iter().find(is_agent).unwrap();
        let caller = Caller { name: player.name.clone(), key: key(player.name.as_str(), 0) };
        look(&arena.store, id, Some(&caller), None, now()).await.unwrap();
    }
    let mut called = arena.heard(queue, "house").await;
    called.sort();
    assert_eq!(called, games);
}
