//! Clients that ask for one picture after another, hardly ever for the same.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;

use super::answers::Answers;
use super::{Target, repeat};

pub(super) const CLIENTS: usize = 16;

/// No client asks more often than this.
const GAP: Duration = Duration::from_millis(20);

/// Every picture shows the game at another turn, of those that have been played by now.
const TURNS: usize = 24;

pub(super) fn start(target: &Target, answers: &Arc<Answers>, attackers: &mut JoinSet<()>) {
    let (client, game) = (target.client(CLIENTS), target.game.clone());
    let answers = Arc::clone(answers);
    repeat(attackers, CLIENTS, GAP, move |number, round| {
        let (picture, answers) = (number + round, Arc::clone(&answers));
        let theme = if picture % 2 == 0 { "light" } else { "dark" };
        let query = format!("turn={}&theme={theme}", picture / 2 % TURNS);
        let picture = client.get(&format!("/games/{game}/board.png?{query}"));
        async move { answers.reply(&picture.try_send().await) }
    });
}
