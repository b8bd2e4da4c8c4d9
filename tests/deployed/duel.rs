//! A front end at the socket of the deployed WebSocket API.

use arena_support::{FrontEnd, duel_request};
use serde_json::json;

use crate::deployment::Deployment;

/// Asks for the first move of a game: the function gets the frame through the gateway and answers
/// through its management API.
pub(crate) async fn is_answered(deployment: &Deployment<'_>) {
    let path = deployment.duel_path();
    let mut front_end = FrontEnd::connect(deployment.host(), &path).await;
    let reply = front_end.ask(&duel_request("easy", &[])).await;
    assert_eq!(reply["type"], "move", "{reply}");
    assert_eq!(reply["lastPlay"]["coordinate"], json!({"x": 9, "y": 9}), "{reply}");
}
