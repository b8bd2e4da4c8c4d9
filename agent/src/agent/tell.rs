//! Log lines about games.

use std::time::Duration;

use arena_wire::GameView;
use serde_json::json;

use super::session::Session;
use super::turn::By;
use crate::time::now;

/// Tolerated difference between the clocks.
const SKEW_MS_MAX: i64 = 10_000;

impl Session {
    /// Reports an answer of the brain that is not sent, and the consequence.
    pub(super) fn tell_brain(&self, event: &str, why: &str, consequence: &str) {
        let details = [("brain", json!(self.brain.name()))];
        self.journal.write(event, &format!("{why}; {consequence}"), &details);
    }

    pub(super) fn tell_played(&self, game: &GameView<'_>, play: &str, by: By, took: Duration) {
        let turn = game.turn_number;
        let sentence =
            format!("played {play} (turn {turn}, {}, {:.1} s)", by.id(), took.as_secs_f64());
        let details = [
            ("game", json!(game.game_id)),
            ("turn", json!(turn)),
            ("play", json!(play)),
            ("by", json!(by.id())),
            ("ms", json!(took.as_millis() as u64)),
        ];
        self.journal.write("played", &sentence, &details);
    }

    pub(super) fn tell_refusal(&self, detail: &str, play: &str) {
        self.journal.write("refused", &format!("{play} was refused: {detail}"), &[]);
    }

    /// Warns once of another program that uses the key of this agent.
    pub(super) fn tell_rival(&mut self, evidence: &str) {
        if !std::mem::replace(&mut self.rival_told, true) {
            let sentence = format!(
                "another program seems to play under this name: {evidence}; stop one of them"
            );
            self.journal.write("rival", &sentence, &[]);
        }
    }

    pub(super) fn tell_start(&self, game: &GameView<'_>) {
        let you = game.you.as_ref().map(|you| you.seat);
        let players = [&game.players.black, &game.players.white];
        let opponent = players.into_iter().find(|player| Some(player.seat) != you);
        let opponent = opponent.map_or("an unknown opponent", |player| &player.name);
        let sentence = format!(
            "playing {opponent} in game {} (turn {}, {} s each)",
            game.game_id,
            game.turn_number,
            game.turn_limit_ms / 1_000
        );
        let details = [("game", json!(game.game_id)), ("opponent", json!(opponent))];
        self.journal.write("game", &sentence, &details);
    }

    pub(super) fn tell_end(&self, game: &GameView<'_>) {
        let Some(result) = &game.result else { return };
        let you = game.you.as_ref().map(|you| you.name.as_ref());
        let outcome = match result.winner_name.as_deref() {
            None => "nobody won",
            winner if winner == you => "won",
            Some(_) => "lost",
        };
        let reason = json!(result.reason);
        let reason = reason.as_str().unwrap_or_default();
        let sentence =
            format!("{outcome} game {} after {} turns: {reason}", game.game_id, game.turn_number);
        let details =
            [("game", json!(game.game_id)), ("outcome", json!(outcome)), ("reason", json!(reason))];
        self.journal.write("over", &sentence, &details);
        self.journal.write("brain", &self.tally.to_string(), &self.tally.details());
    }

    /// Warns about a wrong clock; it does no harm, because deadlines follow the server's clock.
    pub(super) fn tell_skew(&mut self, game: &GameView<'_>) {
        let ahead_ms = now().since(game.server_time.0);
        if self.skew_told || ahead_ms.abs() <= SKEW_MS_MAX {
            return;
        }
        self.skew_told = true;
        let side = if ahead_ms > 0 { "ahead of" } else { "behind" };
        let sentence = format!(
            "this machine's clock is {} s {side} the server's; deadlines follow the server's",
            ahead_ms.abs() / 1_000
        );
        self.journal.write("clock_skew", &sentence, &[("ahead_ms", json!(ahead_ms))]);
    }
}
