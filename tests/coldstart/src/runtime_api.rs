//! Lambda's Runtime API: hands out invocations, takes the answers.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::{Request, Response};
use serde_json::Value;
use tokio::sync::watch;

use crate::server::{Server, serve};

const DEADLINE_MS: &str = "4102444800000";

/// A Runtime API with this many invocations to hand out.
pub(crate) struct RuntimeApi {
    state: Arc<State>,
    server: Server,
}

struct State {
    events: Box<dyn Fn(u32) -> Value + Send + Sync>,
    count: u32,
    progress: watch::Sender<Progress>,
    answers: Mutex<BTreeMap<String, u32>>,
}

/// How far the program has come.
#[derive(Clone, Copy, Default)]
struct Progress {
    first_asked: Option<Instant>,
    handed_out: u32,
    answered: u32,
}

impl RuntimeApi {
    /// Hands out `count` events; the next question waits for ever.
    pub(crate) async fn start(
        count: u32,
        events: impl Fn(u32) -> Value + Send + Sync + 'static,
    ) -> io::Result<RuntimeApi> {
        let (progress, _) = watch::channel(Progress::default());
        let (events, answers) = (Box::new(events), Mutex::default());
        let state = Arc::new(State { events, count, progress, answers });
        let server = serve(Arc::clone(&state), answer).await?;
        Ok(RuntimeApi { state, server })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.server.address
    }

    /// When the program first asked for work.
    pub(crate) async fn first_asked(&self) -> Instant {
        let mut progress = self.state.progress.subscribe();
        let asked = progress.wait_for(|progress| progress.first_asked.is_some()).await;
        asked.ok().and_then(|progress| progress.first_asked).unwrap_or_else(Instant::now)
    }

    /// How often each answer was given, once all have been: statuses, or the kind of another answer.
    pub(crate) async fn all_answered(&self) -> BTreeMap<String, u32> {
        let mut progress = self.state.progress.subscribe();
        let _ = progress.wait_for(|progress| progress.answered >= self.state.count).await;
        self.state.answers.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

async fn answer(state: Arc<State>, request: Request<Bytes>) -> Response<Full<Bytes>> {
    let path = request.uri().path();
    if path.ends_with("/invocation/next") {
        return hand_out(&state).await;
    }
    let kind = if path.ends_with("/response") { kind(request.body()) } else { "error".to_owned() };
    *state.answers.lock().unwrap_or_else(PoisonError::into_inner).entry(kind).or_default() += 1;
    state.progress.send_modify(|progress| progress.answered += 1);
    let mut response = Response::new(Full::default());
    *response.status_mut() = hyper::StatusCode::ACCEPTED;
    response
}

async fn hand_out(state: &State) -> Response<Full<Bytes>> {
    let mut number = 0;
    state.progress.send_modify(|progress| {
        progress.first_asked.get_or_insert_with(Instant::now);
        number = progress.handed_out;
        progress.handed_out += 1;
    });
    if number >= state.count {
        // There is no more work: the question stays open, as Lambda leaves it.
        return std::future::pending().await;
    }
    let event = (state.events)(number).to_string();
    Response::builder()
        .header("content-type", "application/json")
        .header("lambda-runtime-aws-request-id", format!("00000000-0000-0000-0000-{number:012}"))
        .header("lambda-runtime-deadline-ms", DEADLINE_MS)
        .header(
            "lambda-runtime-invoked-function-arn",
            "arn:aws:lambda:us-east-1:000000000000:function:x",
        )
        .header("lambda-runtime-trace-id", "Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=0")
        .body(Full::from(event))
        .expect("these headers are well formed")
}

fn kind(body: &[u8]) -> String {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    if let Some(status) = body["statusCode"].as_u64() {
        return status.to_string();
    }
    match body["batchItemFailures"].as_array() {
        Some(failures) if failures.is_empty() => "done".to_owned(),
        Some(_) => "again".to_owned(),
        None => "other".to_owned(),
    }
}
