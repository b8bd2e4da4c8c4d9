//! A stage for the real functions: a stored game on a DynamoDB that answers from memory. No socket, no
//! emulator. What it answers with was written by the store itself, so that only the store names an
//! attribute.

use std::future::Future;
use std::hint::black_box;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use arena::{
    Actor, Division, Game, GameId, Header, Pace, Plan, Player, Pool, Rating, Submission, Tag,
    TicketId, Write, progress,
};
use arena_lambda::{ApiKey, Context, Pepper, Refusal, Reply, Settings, Target, respond, target};
use arena_protocol::{Backend, Read, commit};
use arena_store::{Access, Config, Store, now};
use aws_sdk_dynamodb::operation::get_item::builders::GetItemFluentBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, ReturnConsumedCapacity};
use aws_smithy_runtime_api::client::http::{
    HttpConnector, HttpConnectorFuture, SharedHttpConnector, http_client_fn,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use lambda_http::http::Method;
use lambda_http::{Body, Request, RequestExt, Response};
use renju::{BySeat, Color, Phase, Play, Point, Ruleset, Seat};
use serde_json::{Map, Value, json};
use tokio::runtime::Runtime;

use crate::{MID_GAME, TARAGUCHI};

/// Time of every decision.
const THINK_MS: i64 = 1_230;

/// A game between two agents in mid-play, stored.
pub struct Stage {
    /// Runs the functions as Lambda does, on one thread.
    pub runtime: Runtime,
    /// The context of a function, with no limit on the requests of a key.
    pub context: Context,
    /// The SDK's own client, on the same memory.
    pub dynamodb: aws_sdk_dynamodb::Client,
    pub game: Game,
    pub seat: Seat,
    key: ApiKey,
}

impl Stage {
    /// Everything that a request for the game needs.
    #[allow(clippy::new_without_default, reason = "a stage is work to set up")]
    pub fn new() -> Stage {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let pepper = Pepper::new(vec![7; Pepper::BYTES_MIN]).unwrap();
        let keys = ["alice", "bob"]
            .map(|name| ApiKey::derived(&name.parse().unwrap(), "on the stage", &pepper));
        let (game, armed) = game(&keys);
        let seat = game.to_act().unwrap();
        let [first, second] = keys;
        let key = if seat == Seat::First { first } else { second };

        let memory = Memory::default();
        let connector = SharedHttpConnector::new(memory.clone());
        let access = Access {
            http: Some(http_client_fn(move |_, _| connector.clone())),
            ..Access::local("http://memory", "http://memory")
        };
        let config = Config {
            agents_table: "agents".to_owned(),
            games_table: "games".to_owned(),
            referee_queue_url: "http://memory/referee".to_owned(),
            match_queue_url: "http://memory/match".to_owned(),
            house_queue_url: "http://memory/house".to_owned(),
            shards: 1,
            pace: Pace::STANDARD,
        };
        let store = Store::new(&access, config);
        runtime.block_on(memory.keep(&store, &game, armed));
        let settings = Settings { requests_per_second: u32::MAX, ..Settings::standard(None) };
        let context = Context::new(store, settings);
        let stage = Stage { runtime, context, dynamodb: access.dynamodb(), game, seat, key };
        stage.check();
        stage
    }

    /// The game is read back as it was written, and it is the one that is wanted.
    fn check(&self) {
        let read = self.context.store.game(self.game.id(), Read::Cheap);
        assert_eq!(self.runtime.block_on(read).unwrap().unwrap().game, self.game);
        let position = self.game.position();
        assert_eq!((self.game.log().len(), position.phase()), (41, Phase::Play));
        assert_eq!(position.to_move(), Color::Black);
        assert_eq!(
            (position.legal_points().count(), position.forbidden_points().count()),
            (185, 4)
        );
    }

    /// Runs a function, from the gateway's request to the bytes of the answer.
    pub fn run<F>(
        &self,
        handle: impl FnOnce(Context, Request, Result<Target, Refusal>) -> F,
        request: Request,
    ) -> Response<Body>
    where
        F: Future<Output = Reply>,
    {
        let target = target(&request);
        respond(self.runtime.block_on(handle(self.context.clone(), request, target)))
    }

    /// The read of the game by the SDK alone.
    pub fn get_item(&self) -> GetItemFluentBuilder {
        let id = AttributeValue::S(self.game.id().to_string());
        let get = self.dynamodb.get_item().table_name("games").key("pk", id);
        get.consistent_read(false).return_consumed_capacity(ReturnConsumedCapacity::Total)
    }

    /// A poll by the player to act.
    pub fn poll(&self) -> Request {
        self.request(Method::GET, &format!("/games/{}", self.game.id()), Body::Empty)
    }

    /// A move by the player to act.
    pub fn submit(&self) -> Request {
        let (id, turn, point) = (self.game.id(), self.game.turn(), self.point());
        let body = json!({"point": point.to_string(), "turn_number": turn.0,
                          "idempotency_key": format!("{id}-{turn}")});
        self.request(Method::POST, &format!("/games/{id}/move"), body.to_string().into())
    }

    /// The same move as the arena gets it.
    pub fn submission(&self) -> Submission {
        submission(&self.game, self.seat, Play::Place(self.point()))
    }

    fn point(&self) -> Point {
        self.game.position().legal_points().nth(90).unwrap()
    }

    fn request(&self, method: Method, path: &str, body: Body) -> Request {
        lambda_http::http::Request::builder()
            .method(method)
            .uri(format!("http://arena{path}"))
            .header("authorization", format!("Bearer {}", self.key.reveal()))
            .header("content-type", "application/json")
            .body(body)
            .unwrap()
            .with_raw_http_path(path)
    }
}

/// Prints what is ours of a function: the median difference between its call and the SDK's part, each
/// pair measured back to back, because the machine's pace changes from one moment to the next.
pub fn print_ours<T, S>(
    what: &str,
    request: &Request,
    call: impl Fn(Request) -> T,
    sdk: impl Fn() -> S,
) {
    const PAIRS: usize = 5_000;
    let pair = |_| {
        let request = request.clone();
        (timed(|| call(request)).as_secs_f64() - timed(&sdk).as_secs_f64()) * 1e6
    };
    let mut ours: Vec<f64> = (0..PAIRS).map(pair).collect();
    ours.sort_by(f64::total_cmp);
    let [least, median, most] = [PAIRS / 10, PAIRS / 2, PAIRS * 9 / 10].map(|rank| ours[rank]);
    eprintln!("{what}, ours: median {median:.1} µs (a tenth under {least:.1}, over {most:.1})");
}

/// Time that it takes; its result is dropped afterwards.
fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    let left = black_box(work());
    let took = start.elapsed();
    drop(left);
    took
}

fn submission(game: &Game, seat: Seat, play: Play) -> Submission {
    let tag = Tag::of(&game.header().players[seat].name, &format!("key-{}", game.turn()));
    Submission { intent: arena::Intent::Play(game.turn(), play), tag }
}

/// The game, and when its timer fires. It is played by the hour and has just been acted in, so that
/// nobody runs out of time while it is measured.
fn game(keys: &[ApiKey; 2]) -> (Game, arena::Timestamp) {
    let plays: Vec<Play> = MID_GAME.split_whitespace().map(|word| word.parse().unwrap()).collect();
    let created = now().plus(-THINK_MS * plays.len() as i64);
    let ticket = |key: &ApiKey| TicketId { agent: key.name().clone(), epoch: 1 };
    let player = |key: &ApiKey| Player::agent(key.name().clone(), key.hash().digest(), Rating::NEW);
    let division = Division { ruleset: Ruleset::find(TARAGUCHI).unwrap(), pool: Pool::Slow };
    let start = Game::start(Header {
        id: GameId::of(&ticket(&keys[0]), &ticket(&keys[1]), created),
        division,
        turn_ms: division.pool.turn_ms(),
        budget_ms: None,
        uncounted: None,
        previous: BySeat { first: None, second: None },
        players: BySeat { first: player(&keys[0]), second: player(&keys[1]) },
        created,
    });
    let game = plays.into_iter().fold(start, |game, play| {
        let seat = game.to_act().unwrap();
        let at = game.last_at().plus(THINK_MS);
        let submission = submission(&game, seat, play);
        let decision = game.apply(Actor::Seat(seat), submission, at, &Pace::STANDARD);
        decision.unwrap().into_commit().unwrap()
    });
    (game, created.plus(i64::from(division.pool.turn_ms())))
}

/// One item: reads find it, writes are accepted and change nothing.
#[derive(Clone, Debug, Default)]
struct Memory {
    found: Arc<Mutex<Vec<u8>>>,
    /// The last write, as it was sent.
    written: Arc<Mutex<Option<Vec<u8>>>>,
}

impl Memory {
    /// Lets the store write the game, and keeps what it wrote.
    async fn keep(&self, store: &Store, game: &Game, armed: arena::Timestamp) {
        *self.written.lock().unwrap() = Some(Vec::new());
        let header = Box::new(game.header().clone());
        let create = Plan { messages: Vec::new(), writes: vec![Write::Create { header, armed }] };
        commit(store, &create).await.unwrap();
        let mut item = self.written("Item");
        commit(store, &progress::advance(game.clone(), &Pace::STANDARD)).await.unwrap();
        // An update's placeholders are named after the attributes that it sets.
        for (placeholder, value) in self.written("ExpressionAttributeValues") {
            if let Some(attribute) = item.get_mut(placeholder.trim_start_matches(':')) {
                *attribute = value;
            }
        }
        *self.written.lock().unwrap() = None;
        let units = json!({"TableName": "games", "CapacityUnits": 0.5});
        *self.found.lock().unwrap() =
            json!({"Item": item, "ConsumedCapacity": units}).to_string().into_bytes();
    }

    fn written(&self, field: &str) -> Map<String, Value> {
        let written = self.written.lock().unwrap();
        let request: Value = serde_json::from_slice(written.as_ref().unwrap()).unwrap();
        request[field].as_object().unwrap().clone()
    }
}

impl HttpConnector for Memory {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let is_read = request.headers().get("x-amz-target").unwrap().ends_with(".GetItem");
        let body = if is_read {
            self.found.lock().unwrap().clone()
        } else {
            if let Some(written) = self.written.lock().unwrap().as_mut() {
                *written = request.body().bytes().unwrap().to_vec();
            }
            br#"{"ConsumedCapacity":{"TableName":"games","CapacityUnits":1.0}}"#.to_vec()
        };
        HttpConnectorFuture::ready(Ok(HttpResponse::new(200.try_into().unwrap(), body.into())))
    }
}
