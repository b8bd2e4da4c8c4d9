//! What each function is asked, ten thousand times, and what it must answer.

use arena::Message;
use arena_lambda::ApiKey;
use arena_store::message;
use serde_json::{Value, json};

use crate::stage::Games;

/// How many requests those that think or draw begin with that are as hard as any: enough to see the
/// most memory they take. The rest are easy, or ten thousand would take an hour.
const HARD: u32 = 14;

/// How many house levels decide within a few milliseconds.
const EASY_LEVELS: usize = 5;

/// What a request must lead to, or it was not measured but refused.
pub(crate) struct Wanted {
    /// As the Runtime API of the bench names answers.
    pub(crate) answer: &'static str,
    /// Whether something is written, or sent to a socket.
    pub(crate) leaves_a_trace: bool,
}

/// What the function of this package must do with every event.
pub(crate) fn wanted(package: &str) -> Wanted {
    let answer = match package {
        "arena-register" => "201",
        "arena-referee" | "arena-house" => "done",
        _ => "200",
    };
    let acting = ["arena-register", "arena-move", "arena-house", "arena-duel"];
    Wanted { answer, leaves_a_trace: acting.contains(&package) }
}

/// The event with this number for the function of this package.
pub(crate) fn event(package: &str, games: &Games, number: u32) -> Value {
    let (game, key) = &games.of_agents[number as usize % games.of_agents.len()];
    match package {
        "arena-register" => {
            http("POST", "/agents/register", None, Some(json!({ "name": format!("a-{number}") })))
        }
        "arena-queue" => http("GET", "/queue", Some(key), None),
        "arena-poll" => http("GET", &format!("/games/{game}"), Some(key), None),
        "arena-move" => {
            let body = json!({ "point": "h8", "turn_number": 0, "idempotency_key": "one" });
            http("POST", &format!("/games/{game}/move"), Some(key), Some(body))
        }
        "arena-spectate" if number < HARD => {
            http("GET", &format!("/games/{game}/board.png"), None, None)
        }
        "arena-spectate" => http("GET", &format!("/game/{game}"), None, None),
        "arena-referee" => message(&format!("timer {game} 0"), number),
        "arena-house" => {
            let levels = if number < HARD { games.of_bots.len() } else { EASY_LEVELS };
            let (game, turn) = games.of_bots[number as usize % levels];
            message(&message::body(&Message::House { game, turn }), number)
        }
        "arena-duel" => frame(if number < HARD { "hard" } else { "easy" }),
        // A function this bench has not met yet is asked for its front page.
        _ => http("GET", "/", None, None),
    }
}

/// A request as the HTTP API hands it over.
fn http(method: &str, path: &str, key: Option<&ApiKey>, body: Option<Value>) -> Value {
    let mut headers = json!({
        "accept": "*/*", "accept-encoding": "gzip", "host": "arena.example",
        "x-forwarded-for": "192.0.2.1", "x-forwarded-proto": "https"
    });
    if let Some(key) = key {
        headers["authorization"] = format!("Bearer {}", key.reveal()).into();
    }
    if body.is_some() {
        headers["content-type"] = "application/json".into();
    }
    json!({
        "version": "2.0", "routeKey": "$default", "rawPath": path, "rawQueryString": "",
        "headers": headers,
        "requestContext": {
            "accountId": "000000000000", "apiId": "one", "domainName": "arena.example",
            "domainPrefix": "arena", "requestId": "one", "routeKey": "$default", "stage": "$default",
            "http": { "method": method, "path": path, "protocol": "HTTP/1.1",
                      "sourceIp": "192.0.2.1", "userAgent": "coldstart" },
            "time": "16/Nov/2026:00:00:00 +0000", "timeEpoch": arena_store::now().ms()
        },
        "body": body.map(|body| body.to_string()), "isBase64Encoded": false
    })
}

/// A batch of one message, as the event source mapping hands it over.
fn message(body: &str, number: u32) -> Value {
    json!({ "Records": [{
        "messageId": format!("message-{number}"), "receiptHandle": "one", "body": body,
        "attributes": { "ApproximateReceiveCount": "1", "SentTimestamp": "0",
                        "SenderId": "one", "ApproximateFirstReceiveTimestamp": "0" },
        "messageAttributes": {}, "md5OfBody": "", "eventSource": "aws:sqs",
        "eventSourceARN": "arn:aws:sqs:us-east-1:000000000000:one", "awsRegion": "us-east-1"
    }] })
}

/// A frame of a duel in which O is to move, as the WebSocket API hands it over.
fn frame(difficulty: &str) -> Value {
    let mut board = vec![vec!["."; 19]; 19];
    for (x, y, stone) in [(9, 9, "X"), (10, 10, "O"), (9, 10, "X"), (8, 11, "O"), (9, 8, "X")] {
        board[y][x] = stone;
    }
    let body = json!({
        "type": "move", "difficulty": difficulty, "nextPlayer": "O", "goal": 5,
        "enableCapture": true, "enableDoubleThreeRestriction": true, "board": board,
        "scores": [{ "player": "X", "score": 0 }, { "player": "O", "score": 0 }]
    });
    let now = arena_store::now().ms();
    json!({
        "requestContext": {
            "connectedAt": now, "requestTimeEpoch": now, "messageDirection": "IN",
            "routeKey": "$default", "eventType": "MESSAGE", "messageId": "one", "requestId": "one",
            "connectionId": "one", "apiId": "one", "stage": "ws",
            "domainName": "one.execute-api.us-east-1.amazonaws.com"
        },
        "body": body.to_string(), "isBase64Encoded": false
    })
}
