//! A front end of capture gomoku at its end of a WebSocket.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

#[derive(Debug)]
pub struct FrontEnd(WebSocketStream<TcpStream>);

impl FrontEnd {
    /// Connects to `http://host:port` under this path.
    pub async fn connect(base: &str, path: &str) -> FrontEnd {
        let host = base.rsplit('/').next().unwrap();
        let stream = TcpStream::connect(host).await.unwrap();
        let opened = tokio_tungstenite::client_async(format!("ws://{host}{path}"), stream).await;
        FrontEnd(opened.expect("a socket opens").0)
    }

    pub async fn send(&mut self, message: Message) {
        self.0.send(message).await.unwrap();
    }

    /// The next frame, whatever it is.
    pub async fn frame(&mut self) -> Message {
        let next = tokio::time::timeout(Duration::from_secs(60), self.0.next()).await;
        next.expect("a frame within 60 s").expect("an open socket").unwrap()
    }

    pub async fn reply(&mut self) -> Value {
        let frame = self.frame().await;
        serde_json::from_str(frame.to_text().unwrap()).expect("replies are JSON")
    }

    pub async fn ask(&mut self, frame: &str) -> Value {
        self.send(Message::text(frame)).await;
        self.reply().await
    }

    /// Shows that the socket is open and nothing else is on its way.
    pub async fn ping(&mut self) {
        assert_eq!(self.ask(r#"{"type":"ping"}"#).await, json!({"type": "pong"}));
    }

    /// The code with which the other side closes.
    pub async fn closed(&mut self) -> CloseCode {
        match self.frame().await {
            Message::Close(Some(frame)) => frame.code,
            other => panic!("{other:?}"),
        }
    }
}

/// A request for a move by the player whose turn it is on a board with these stones, X first.
pub fn duel_request(difficulty: &str, stones: &[(usize, usize)]) -> String {
    let mut board = vec![vec!["."; 19]; 19];
    for (number, &(x, y)) in stones.iter().enumerate() {
        board[y][x] = if number % 2 == 0 { "X" } else { "O" };
    }
    let next = if stones.len().is_multiple_of(2) { "X" } else { "O" };
    json!({
        "type": "move", "difficulty": difficulty, "nextPlayer": next, "board": board,
        "scores": [{"player": "X", "score": 0}, {"player": "O", "score": 0}],
    })
    .to_string()
}
