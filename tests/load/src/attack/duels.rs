//! Sockets on which one position after another is to be thought about.

use std::sync::Arc;
use std::time::Duration;

use arena_support::{beginning, duel_request};
use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_tungstenite::tungstenite::{Error, Message};

use super::answers::Answers;
use super::{Target, repeat};

pub(super) const SOCKETS: usize = 1_000;

/// Time from frame to frame of one socket, if its answer is there by then; and from try to try of one
/// that is not let in.
const GAP: Duration = Duration::from_secs(1);

pub(super) fn start(target: &Target, answers: &Arc<Answers>, attackers: &mut JoinSet<()>) {
    // A position that takes the engine all the time it has.
    let frame = duel_request("hard", &[(9, 9), (10, 10), (8, 9), (10, 8), (9, 7)]);
    let (target, answers) = (target.clone(), Arc::clone(answers));
    repeat(attackers, SOCKETS, GAP, move |_, _| {
        let (target, answers, frame) = (target.clone(), Arc::clone(&answers), frame.clone());
        async move { answers.count(converse(&target, &answers, &frame).await) }
    });
}

/// Sends frames until the socket is closed; why it was, or was never opened.
async fn converse(target: &Target, answers: &Answers, frame: &str) -> String {
    let Ok(stream) = target.connect().await else { return "not connected".to_owned() };
    let address = format!("ws://{}/ws", target.host);
    let opened = tokio_tungstenite::client_async(address, stream).await;
    let mut socket = match opened {
        Ok((socket, _)) => socket,
        Err(Error::Http(response)) => return format!("handshake {}", response.status().as_u16()),
        Err(_) => return "handshake failed".to_owned(),
    };
    loop {
        let next = Instant::now() + GAP;
        if socket.send(Message::text(frame)).await.is_err() {
            return "closed".to_owned();
        }
        match socket.next().await {
            Some(Ok(Message::Text(text))) => answers.count(word(&text)),
            Some(Ok(Message::Close(_)) | Err(_)) | None => return "closed".to_owned(),
            Some(Ok(_)) => {}
        }
        tokio::time::sleep_until(next).await;
    }
}

/// The kind of a reply; of an error, its first words.
fn word(reply: &str) -> String {
    let reply: Value = serde_json::from_str(reply).unwrap_or_default();
    match reply["error"].as_str() {
        Some(error) => beginning(error, 40).to_owned(),
        None => reply["type"].as_str().unwrap_or("frame").to_owned(),
    }
}
