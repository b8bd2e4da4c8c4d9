//! Log lines about games.

use arena_wire::GameView;
use serde_json::json;

use super::journal::now;
use super::session::Session;
use super::turn::Instead;

/// Tolerated difference between the clocks.
const SKEW_MS_MAX: i64 = 10_000;

impl Session {
    pub(super) fn tell_brain(&mut self, instead: &Option<Instead>, play: &str) {
        let is_sound = instead.as_ref().is_none_or(|instead| instead.is_foul);
        self.failures = if is_sound { 0 } else { self.failures + 1 };
        if let Some(Instead { why, is_foul }) = instead {
            let event = if *is_foul { "foul_avoided" } else { "brain_failed" };
            let sentence = format!("{why}; playing {play} instead");
            let details = [("brain", json!(self.brain.name())), ("play", json!(play))];
            self.journal.write(event, &sentence, &details);
        }
    }

    pub(super) fn tell_refusal(&self, detail: &str, play: &str) {
        self.journal.write("refused", &format!("{play} was refused: {detail}"), &[]);
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
