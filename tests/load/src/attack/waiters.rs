//! Spectators without a key that wait for news as long as they may, and then wait again.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;

use super::answers::Answers;
use super::{Target, repeat};

pub(super) const COUNT: usize = 2_000;

/// No waiter asks more often than this: it is an attack on waiting, not a flood.
const GAP: Duration = Duration::from_secs(1);

pub(super) fn start(target: &Target, answers: &Arc<Answers>, attackers: &mut JoinSet<()>) {
    let (client, game) = (target.client(COUNT), target.game.clone());
    let answers = Arc::clone(answers);
    repeat(attackers, COUNT, GAP, move |_, _| {
        let (look, answers) = (client.get(&format!("/games/{game}?wait=25")), Arc::clone(&answers));
        async move { answers.reply(&look.try_send().await) }
    });
}
