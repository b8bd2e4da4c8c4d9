//! A small blocking client of the arena, with the types of `arena-wire`.
//!
//! Every call is safe to repeat, and is repeated with growing pauses within the client's patience.

use std::fmt;
use std::io::Read;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use arena::{Opponent, Pool};
use arena_wire::{
    Endpoint, GameView, MeView, Method, OpponentView, Problem, QueueView, RegisteredView, Word,
};
use renju::{Play, Ruleset};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

mod backoff;
mod error;
mod trust;

pub use error::ClientError;

use crate::brain::Random;
use backoff::Backoff;

/// Time limit of one attempt, without long polling.
const ATTEMPT: Duration = Duration::from_secs(20);

/// Limit of a response body.
const ANSWER_BYTES_MAX: u64 = 4 << 20;

/// Called with the error and the pause before another attempt; waits, and returns false to give up.
type Pause = dyn Fn(&ClientError, Duration) -> bool + Send + Sync;

/// Client of one arena, with or without an API key.
///
/// ```no_run
/// use renju_agent::Client;
/// # fn main() -> Result<(), renju_agent::ClientError> {
/// let anyone = Client::new("http://127.0.0.1:8080")?;
/// let me = anyone.register("my-first-bot", None)?;
/// let client = anyone.with_key(&me.api_key);
///
/// let freestyle = renju::Ruleset::find("gomoku_freestyle").unwrap();
/// client.join(freestyle, Default::default(), Default::default())?;
/// let queue = client.queue()?;
/// if let Some(id) = queue.active_game {
///     let game = client.game(&id, 0)?;
///     if game.poll_after_ms == 0 {
///         client.act(&id, game.turn_number, &"h8".parse().unwrap())?;
///     }
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Client {
    http: ureq::Agent,
    server: String,
    key: Option<String>,
    patience: Duration,
    pause: Arc<Pause>,
    seen: Arc<Mutex<Option<Seen>>>,
}

/// A reply that the arena need not send again while nothing has changed.
#[derive(Clone)]
struct Seen {
    uri: String,
    tag: String,
    bytes: Vec<u8>,
}

impl Client {
    /// Client of the arena at `server`, such as `http://127.0.0.1:8080`. Sends nothing yet.
    ///
    /// HTTPS trusts the CA certificates of the web, or those in the file that `SSL_CERT_FILE`
    /// names.
    pub fn new(server: &str) -> Result<Client, ClientError> {
        let server = server.trim_end_matches('/');
        let host = server.strip_prefix("http://").or_else(|| server.strip_prefix("https://"));
        let is_host = |host: &str| !host.is_empty() && !host.contains(|c: char| c.is_whitespace());
        if !host.is_some_and(is_host) {
            return Err(ClientError::BadServer { server: server.to_owned() });
        }
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_connect(Some(Duration::from_secs(10)))
            .tls_config(trust::tls_config()?)
            .user_agent(concat!("renju/", env!("CARGO_PKG_VERSION")))
            .build();
        Ok(Client {
            http: config.into(),
            server: server.to_owned(),
            key: None,
            patience: Duration::from_secs(60),
            pause: Arc::new(|_, pause| {
                thread::sleep(pause);
                true
            }),
            seen: Arc::default(),
        })
    }

    /// The same client with an API key.
    pub fn with_key(&self, key: &str) -> Client {
        Client { key: Some(key.to_owned()), ..self.clone() }
    }

    /// The same client, repeating each call for this long; zero tries once.
    pub fn with_patience(&self, patience: Duration) -> Client {
        Client { patience, ..self.clone() }
    }

    /// The same client with another way to wait between two attempts: `pause` gets the error and
    /// the waiting time, and returns false to give up.
    pub fn with_pause(
        &self,
        pause: impl Fn(&ClientError, Duration) -> bool + Send + Sync + 'static,
    ) -> Client {
        Client { pause: Arc::new(pause), ..self.clone() }
    }

    /// Address of the server.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// Registers an agent. With a `secret` of at least 22 characters that cannot be guessed, the
    /// registration can be repeated and returns the same key.
    pub fn register(
        &self,
        name: &str,
        secret: Option<&str>,
    ) -> Result<RegisteredView<'static>, ClientError> {
        let mut body = json!({ "name": name });
        if let Some(secret) = secret {
            body["idempotency_key"] = secret.into();
        }
        self.send(Endpoint::Register, "", Some(&body))
    }

    /// State of the agent: all that is needed after a restart.
    pub fn me(&self) -> Result<MeView<'static>, ClientError> {
        self.send(Endpoint::Me, "", None)
    }

    /// Joins the queue. Joining again changes nothing.
    pub fn join(
        &self,
        ruleset: &Ruleset,
        pool: Pool,
        opponent: Opponent,
    ) -> Result<QueueView<'static>, ClientError> {
        let house = OpponentView(opponent);
        let body = json!({ "ruleset": ruleset.id, "pool": Word(pool), "house": house });
        self.send(Endpoint::Join, "", Some(&body))
    }

    /// Leaves the queue.
    pub fn leave(&self, ticket: &str) -> Result<QueueView<'static>, ClientError> {
        self.send(Endpoint::Leave, "", Some(&json!({ "ticket": ticket })))
    }

    /// Place in the queue; polling keeps it.
    pub fn queue(&self) -> Result<QueueView<'static>, ClientError> {
        self.send(Endpoint::Queue, "", None)
    }

    /// A game, without the list of its legal moves. If the arena allows it, the response waits up
    /// to `wait_s` seconds until it is this agent's turn.
    pub fn game(&self, id: &str, wait_s: u32) -> Result<GameView<'static>, ClientError> {
        let path = format!("{}?legal=0&wait={wait_s}", Endpoint::Game.route().path_with(id));
        let timeout = ATTEMPT + Duration::from_secs(wait_s.into());
        let game: GameView<'static> =
            self.patiently(|| self.attempt(Method::Get, &path, None, timeout))?;
        if game.poll_after_ms == 0 {
            // On its own turn the agent needs to know how much time is left now.
            self.remember(None);
        }
        Ok(game)
    }

    /// Sends the decision of a turn with the key of [`idempotency_key`], so that no decision is
    /// made twice.
    pub fn act(&self, id: &str, turn: u32, play: &Play) -> Result<GameView<'static>, ClientError> {
        let (endpoint, mut body) = match play {
            Play::Place(point) => (Endpoint::Move, json!({ "point": point.to_string() })),
            Play::Swap => (Endpoint::Swap, json!({ "swap": true })),
            Play::Keep => (Endpoint::Swap, json!({ "swap": false })),
            Play::PutTwo => (Endpoint::Swap, json!({ "swap": "put_two" })),
            Play::Declare(fifths) => (Endpoint::Declare, json!({ "fifths": fifths })),
            Play::Offer(offer) => {
                let points: Vec<String> = offer.points().iter().map(ToString::to_string).collect();
                (Endpoint::Offer, json!({ "candidates": points }))
            }
        };
        body["turn_number"] = turn.into();
        body["idempotency_key"] = idempotency_key(id, turn).into();
        self.send(endpoint, id, Some(&body))
    }

    /// Sends a body to a path, as given by a game's `required_action`.
    pub fn follow(&self, path: &str, body: &Value) -> Result<GameView<'static>, ClientError> {
        self.patiently(|| self.attempt(Method::Post, path, Some(body), ATTEMPT))
    }

    /// Resigns a game.
    pub fn resign(&self, id: &str) -> Result<GameView<'static>, ClientError> {
        let body = json!({ "idempotency_key": format!("{id}-resign") });
        self.send(Endpoint::Resign, id, Some(&body))
    }

    fn send<T: DeserializeOwned>(
        &self,
        endpoint: Endpoint,
        part: &str,
        body: Option<&Value>,
    ) -> Result<T, ClientError> {
        let route = endpoint.route();
        let path = route.path_with(part);
        self.patiently(|| self.attempt(route.method, &path, body, ATTEMPT))
    }

    /// Repeats transient failures until the patience runs out.
    fn patiently<T>(&self, attempt: impl Fn() -> Result<T, ClientError>) -> Result<T, ClientError> {
        let start = Instant::now();
        let mut backoff = Backoff::new(Random::new());
        loop {
            let error = match attempt() {
                Err(error) if error.is_passing() => error,
                done => return done,
            };
            let pause = backoff.pause(error.retry_after());
            if start.elapsed() + pause > self.patience || !(self.pause)(&error, pause) {
                return Err(error);
            }
        }
    }

    fn seen(&self, uri: &str) -> Option<Seen> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.as_ref().filter(|seen| seen.uri == uri).cloned()
    }

    fn remember(&self, seen: Option<Seen>) {
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = seen;
    }

    fn attempt<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        timeout: Duration,
    ) -> Result<T, ClientError> {
        let uri = format!("{}{path}", self.server);
        let seen = self.seen(&uri).filter(|_| method == Method::Get);
        let authorization = self.key.as_ref().map(|key| format!("Bearer {key}"));
        let response = match method {
            Method::Get => {
                let request = self.http.get(&uri).config().timeout_global(Some(timeout)).build();
                let request = match &seen {
                    Some(seen) => request.header("if-none-match", &seen.tag),
                    None => request,
                };
                with_key(request, authorization.as_deref()).call()
            }
            Method::Delete => {
                let request = self.http.delete(&uri).config().timeout_global(Some(timeout)).build();
                with_key(request, authorization.as_deref()).call()
            }
            Method::Post | Method::Patch => {
                let request = match method {
                    Method::Patch => self.http.patch(&uri),
                    _ => self.http.post(&uri),
                };
                let request = request.config().timeout_global(Some(timeout)).build();
                let request = request.content_type("application/json");
                let text = body.map_or_else(String::new, Value::to_string);
                with_key(request, authorization.as_deref()).send(text)
            }
        };
        let mut response = response.map_err(|error| self.unanswered(&error))?;
        let status = response.status().as_u16();
        let header = response.headers().get("retry-after").and_then(|value| value.to_str().ok());
        let retry_after = header.and_then(|text| text.parse().ok()).map(Duration::from_secs);
        let tag = response.headers().get("etag").and_then(|value| value.to_str().ok());
        let tag = tag.filter(|_| method == Method::Get).map(str::to_owned);
        let mut bytes = Vec::new();
        let mut reader = response.body_mut().as_reader().take(ANSWER_BYTES_MAX);
        reader.read_to_end(&mut bytes).map_err(|error| self.unreachable(&error))?;
        let strange = |why: String| {
            let server = self.server.clone();
            ClientError::Strange { server, status, why, retry_after }
        };
        if let (304, Some(seen)) = (status, seen) {
            let unchanged = || -> serde_json::Result<T> {
                let mut view: Value = serde_json::from_slice(&seen.bytes)?;
                // The hint depends on the time; the reply has the one that holds now.
                if let Some(pause) = retry_after {
                    view["poll_after_ms"] = (pause.as_millis() as u64).into();
                }
                serde_json::from_value(view)
            };
            return unchanged().map_err(|error| strange(error.to_string()));
        }
        if (200..300).contains(&status) {
            let read = serde_json::from_slice(&bytes).map_err(|error| strange(error.to_string()));
            if let Some(tag) = tag {
                self.remember(Some(Seen { uri, tag, bytes }));
            }
            return read;
        }
        match serde_json::from_slice::<Problem<'static>>(&bytes) {
            Ok(problem) => Err(ClientError::Refused(Box::new(problem))),
            Err(_) => Err(strange(beginning(&bytes))),
        }
    }

    fn unreachable(&self, error: &dyn fmt::Display) -> ClientError {
        ClientError::Unreachable { server: self.server.clone(), why: error.to_string() }
    }

    fn unanswered(&self, error: &ureq::Error) -> ClientError {
        match trust::insecurity(error) {
            Some(why) => ClientError::Insecure { server: self.server.clone(), why },
            None => self.unreachable(error),
        }
    }
}

impl fmt::Debug for Client {
    /// Hides the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("server", &self.server).finish_non_exhaustive()
    }
}

/// Idempotency key of a turn: it depends on nothing else, so that an agent that was killed and
/// restarted cannot decide twice.
pub fn idempotency_key(game: &str, turn: u32) -> String {
    const BYTES: usize = 16;
    let digest = Sha256::digest(format!("{game} {turn}"));
    digest.iter().take(BYTES).map(|byte| format!("{byte:02x}")).collect()
}

fn with_key<B>(
    request: ureq::RequestBuilder<B>,
    authorization: Option<&str>,
) -> ureq::RequestBuilder<B> {
    match authorization {
        Some(authorization) => request.header("authorization", authorization),
        None => request,
    }
}

fn beginning(bytes: &[u8]) -> String {
    const SHOWN: usize = 80;
    let text = String::from_utf8_lossy(bytes);
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.is_empty() { "no body".to_owned() } else { line.chars().take(SHOWN).collect() }
}
