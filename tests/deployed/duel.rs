//! A front end at the socket of the deployed WebSocket API.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

use crate::deployment::Deployment;

/// A cold start and a thought.
const PATIENCE: Duration = Duration::from_secs(30);

/// Asks for the first move of a game: the function gets the frame through the gateway and answers
/// through its management API.
pub(crate) async fn is_answered(deployment: &Deployment<'_>) {
    let stream = TcpStream::connect(deployment.host()).await.unwrap();
    let url = format!("ws://{}{}", deployment.host(), deployment.duel_path());
    let (mut socket, _) = tokio_tungstenite::client_async(url, stream).await.unwrap();
    let board = vec![vec!["."; 19]; 19];
    let ask = json!({
        "type": "move", "difficulty": "easy", "nextPlayer": "X", "goal": 5,
        "enableCapture": true, "enableDoubleThreeRestriction": true,
        "scores": [{"player": "X", "score": 0}, {"player": "O", "score": 0}], "board": board,
    });
    socket.send(Message::text(ask.to_string())).await.unwrap();
    let reply = tokio::time::timeout(PATIENCE, socket.next()).await;
    let reply = reply.expect("a reply in time").expect("an open socket").unwrap();
    let reply: Value = serde_json::from_str(reply.to_text().unwrap()).unwrap();
    assert_eq!(reply["type"], "move", "{reply}");
    assert_eq!(reply["lastPlay"]["coordinate"], json!({"x": 9, "y": 9}), "{reply}");
}
