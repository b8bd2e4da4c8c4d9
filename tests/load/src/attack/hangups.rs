//! Clients that ask to wait for news and hang up at once.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::task::JoinSet;

use super::answers::Answers;
use super::{Target, repeat};

pub(super) const CLIENTS: usize = 80;

/// Time from the request to hanging up, and to the next request.
const PATIENCE: Duration = Duration::from_millis(20);
const GAP: Duration = Duration::from_millis(400);

pub(super) fn start(target: &Target, answers: &Arc<Answers>, attackers: &mut JoinSet<()>) {
    let (target, answers) = (target.clone(), Arc::clone(answers));
    repeat(attackers, CLIENTS, GAP, move |_, _| {
        let (target, answers) = (target.clone(), Arc::clone(&answers));
        async move {
            let what = if hang_up(&target).await.is_ok() { "hung up" } else { "not connected" };
            answers.count(what);
        }
    });
}

async fn hang_up(target: &Target) -> io::Result<()> {
    let mut stream = target.connect().await?;
    let Target { host, game, .. } = target;
    let request = format!("GET /games/{game}?wait=25 HTTP/1.1\r\nhost: {host}\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    tokio::time::sleep(PATIENCE).await;
    Ok(())
}
