//! One act of an attacker, which is repeated.

use std::io;
use std::time::Duration;

use arena_support::{beginning, duel_request};
use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::time::{Instant, sleep, sleep_until};
use tokio_tungstenite::tungstenite::{Error, Message};

use super::{Attack, Target};

/// Time from byte to byte of a dripping body.
const DRIP: Duration = Duration::from_millis(20);

/// A length that the API accepts.
const BODY_LENGTH: usize = 4_000;

/// Time from frame to frame of one socket, if its answer is there by then.
const FRAME_GAP: Duration = Duration::from_secs(1);

/// Time from a request to hanging up.
const PATIENCE: Duration = Duration::from_millis(20);

/// Every picture shows the game at another turn, of those that have been played by now.
const TURNS: usize = 24;

/// Acts once and counts what came of it.
pub(super) async fn act(attack: Attack, target: &Target, number: usize, round: usize) {
    let Target { answers, client, game, .. } = target;
    match attack {
        Attack::Duels => answers.count(converse(target).await),
        Attack::Waiters => {
            answers.reply(client.get(&format!("/games/{game}?wait=25")).try_send().await);
        }
        Attack::Bodies => {
            let status = drip(target, number.is_multiple_of(2)).await;
            answers.count(status.unwrap_or_else(|_| "closed".to_owned()));
        }
        Attack::Pictures => {
            let picture = number + round;
            let theme = if picture.is_multiple_of(2) { "light" } else { "dark" };
            let query = format!("turn={}&theme={theme}", picture / 2 % TURNS);
            let picture = client.get(&format!("/games/{game}/board.png?{query}"));
            answers.reply(picture.try_send().await);
        }
        Attack::HangUps => {
            let is_sent = hang_up(target).await.is_ok();
            answers.count(if is_sent { "hung up" } else { "not connected" });
        }
        _ => unreachable!("a flood has a pace of its own"),
    }
}

/// Sends a body byte by byte until the server has had enough; the status it answers.
async fn drip(target: &Target, has_length: bool) -> io::Result<String> {
    let mut stream = target.connect().await?;
    stream.set_nodelay(true)?;
    let framing = match has_length {
        true => format!("content-length: {BODY_LENGTH}"),
        false => "transfer-encoding: chunked".to_owned(),
    };
    let host = &target.host;
    let head = format!(
        "POST /agents/register HTTP/1.1\r\nhost: {host}\r\n\
         content-type: application/json\r\n{framing}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await?;
    let byte: &[u8] = if has_length { b" " } else { b"1\r\n \r\n" };
    let mut answer = [0; 12];
    loop {
        sleep(DRIP).await;
        match stream.try_read(&mut answer) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            // "HTTP/1.1 408": nobody splits a status line.
            Ok(length) => {
                let line = String::from_utf8_lossy(&answer[..length]);
                return Ok(line.rsplit(' ').next().unwrap_or_default().to_owned());
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
        stream.write_all(byte).await?;
    }
}

/// Asks to wait for news and hangs up.
async fn hang_up(target: &Target) -> io::Result<()> {
    let mut stream = target.connect().await?;
    let Target { host, game, .. } = target;
    let request = format!("GET /games/{game}?wait=25 HTTP/1.1\r\nhost: {host}\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    sleep(PATIENCE).await;
    Ok(())
}

/// Sends duel frames until the socket is closed; why it was, or was never opened.
async fn converse(target: &Target) -> String {
    let Ok(stream) = target.connect().await else { return "not connected".to_owned() };
    let address = format!("ws://{}/ws", target.host);
    let mut socket = match tokio_tungstenite::client_async(address, stream).await {
        Ok((socket, _)) => socket,
        Err(Error::Http(response)) => return format!("handshake {}", response.status().as_u16()),
        Err(_) => return "handshake failed".to_owned(),
    };
    // A position that takes the engine all the time it has.
    let frame = duel_request("hard", &[(9, 9), (10, 10), (8, 9), (10, 8), (9, 7)]);
    loop {
        let next = Instant::now() + FRAME_GAP;
        if socket.send(Message::text(&frame)).await.is_err() {
            return "closed".to_owned();
        }
        match socket.next().await {
            Some(Ok(Message::Text(text))) => target.answers.count(word(&text)),
            Some(Ok(Message::Close(_)) | Err(_)) | None => return "closed".to_owned(),
            Some(Ok(_)) => {}
        }
        sleep_until(next).await;
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
