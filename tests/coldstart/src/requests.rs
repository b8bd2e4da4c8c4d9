//! What each function is asked, ten thousand times.

use arena::GameId;
use arena_http::ApiKey;
use serde_json::{Value, json};

/// The event with this number for the function of this package.
pub(crate) fn event(package: &str, games: &[(GameId, ApiKey)], number: u32) -> Value {
    let (game, key) = &games[number as usize % games.len()];
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
        "arena-referee" => message(&format!("timer {game} 0"), number),
        "arena-house" => message(&format!("turn {game} 0"), number),
        "arena-duel" => json!({
            "requestContext": { "routeKey": "$default", "connectionId": "one", "eventType": "MESSAGE",
                "stage": "$default", "requestId": "one", "apiId": "one" },
            "body": r#"{"type":"ping"}"#, "isBase64Encoded": false
        }),
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
            "time": "16/Nov/2026:00:00:00 +0000", "timeEpoch": arena_http::now().ms()
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
        "eventSourceARN": "arn:aws:sqs:us-east-1:000000000000:referee", "awsRegion": "us-east-1"
    }] })
}
