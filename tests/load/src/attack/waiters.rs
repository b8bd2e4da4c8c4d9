//! Spectators without a key that wait for news as long as they may, and then wait again.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::Instant;

use super::Target;
use super::answers::Answers;

pub(super) const COUNT: usize = 2_000;

/// No waiter asks more often than this: it is an attack on waiting, not a flood.
const GAP: Duration = Duration::from_secs(1);

pub(super) fn start(target: &Target, answers: &Arc<Answers>, attackers: &mut JoinSet<()>) {
    let client = target.client(COUNT);
    for number in 0..COUNT {
        let (client, answers, game) = (client.clone(), Arc::clone(answers), target.game.clone());
        attackers.spawn(async move {
            tokio::time::sleep(Duration::from_millis(number as u64)).await;
            loop {
                let next = Instant::now() + GAP;
                let look = client.get(&format!("/games/{game}?wait=25"));
                answers.reply(&look.try_send().await);
                tokio::time::sleep_until(next).await;
            }
        });
    }
}
