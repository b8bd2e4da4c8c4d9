//! Clients that ask for one picture after another, hardly ever for the same.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::Instant;

use super::Target;
use super::answers::Answers;

pub(super) const CLIENTS: usize = 16;

/// No client asks more often than this.
const GAP: Duration = Duration::from_millis(20);

/// Every picture shows the game at another turn, of those that have been played by now.
const TURNS: usize = 24;

pub(super) fn start(target: &Target, answers: &Arc<Answers>, attackers: &mut JoinSet<()>) {
    let client = target.client(CLIENTS);
    for number in 0..CLIENTS {
        let (client, answers, game) = (client.clone(), Arc::clone(answers), target.game.clone());
        attackers.spawn(async move {
            for picture in number.. {
                let next = Instant::now() + GAP;
                let theme = if picture % 2 == 0 { "light" } else { "dark" };
                let query = format!("turn={}&theme={theme}", picture / 2 % TURNS);
                let picture = client.get(&format!("/games/{game}/board.png?{query}"));
                answers.reply(&picture.try_send().await);
                tokio::time::sleep_until(next).await;
            }
        });
    }
}
