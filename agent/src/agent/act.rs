//! A decision of the agent: asks the brain, reacts to its failure, sends the play.

use std::time::{Duration, Instant};

use arena_wire::{Code, GameView};
use renju::{Play, Record};
use serde_json::Value;

use super::session::Session;
use super::turn::{self, Answer, By};
use super::{AgentError, OnFailure};
use crate::brain::Brain;
use crate::client::ClientError;

/// Thinking time of the play in place of a brain's.
const STAND_IN_TIME: Duration = Duration::from_millis(500);

impl Session {
    /// Decides and sends the decision. `None` if the game has moved on, or must be polled again.
    pub(super) fn act(
        &mut self,
        game: &GameView<'static>,
        asked: Instant,
    ) -> Result<Option<GameView<'static>>, AgentError> {
        let unknown = |why| AgentError::UnknownGame { game: game.game_id.clone(), why };
        let record = turn::record_of(game).map_err(unknown)?;
        let left = Duration::from_millis(game.turn_remaining_ms.unwrap_or(0).max(0).unsigned_abs());
        // The view was made after the request, so this errs on the safe side.
        let left = left.saturating_sub(asked.elapsed());
        let limit = turn::thinking_time(left, Duration::from_millis(game.turn_limit_ms.into()));
        let limit = limit.min(self.options.think.unwrap_or(Duration::MAX));
        let avoid_fouls = self.options.on_failure == OnFailure::Fallback;
        let thought = Instant::now();
        let (play, by) = match turn::ask(self.brain.as_mut(), &record, limit, avoid_fouls) {
            Answer::Play(play, by) => (play, by),
            Answer::Foul(why) => {
                let play = self.stand_in(game, &record)?;
                self.tell_brain("foul_avoided", &why, &format!("playing {play} instead"));
                (play, By::Fallback)
            }
            Answer::Failure(why) => {
                self.tally.failed();
                self.failures.add(&why);
                match self.options.on_failure {
                    OnFailure::Fallback => {
                        let play = self.stand_in(game, &record)?;
                        self.tell_brain("brain_failed", &why, &format!("playing {play} instead"));
                        (play, By::Fallback)
                    }
                    OnFailure::Resign => {
                        self.tell_brain("brain_failed", &why, "resigning");
                        let sent = self.client.resign(&game.game_id);
                        return self.settle(sent, "the resignation");
                    }
                    OnFailure::Exit => {
                        let game = game.game_id.clone();
                        return Err(AgentError::BrainFailed { game, why });
                    }
                }
            }
        };
        let took = thought.elapsed();
        match self.client.act(&game.game_id, game.turn_number, &play) {
            Ok(after) => {
                self.tally.decided(by);
                self.tell_played(game, &play.to_string(), by, took);
                Ok(Some(after))
            }
            Err(ClientError::Refused(problem)) if problem.code == Code::IllegalMove => {
                self.tell_refusal(&problem.detail, &play.to_string());
                self.follow_example(game)
            }
            sent => self.settle(sent, &play.to_string()),
        }
    }

    /// A legal play in place of the brain's.
    fn stand_in(&mut self, game: &GameView<'_>, record: &Record) -> Result<Play, AgentError> {
        self.stand_in.choose(record, STAND_IN_TIME).map_err(|why| AgentError::UnknownGame {
            game: game.game_id.clone(),
            why: why.to_string(),
        })
    }

    /// The game after a decision; `None` if it has moved on or the agent was stopped.
    fn settle(
        &mut self,
        sent: Result<GameView<'static>, ClientError>,
        what: &str,
    ) -> Result<Option<GameView<'static>>, AgentError> {
        match sent {
            Ok(after) => Ok(Some(after)),
            Err(ClientError::Refused(problem)) if is_overtaken(problem.code) => {
                self.tell_refusal(&problem.detail, what);
                // On our turn nobody else decides but a program with our key.
                if matches!(problem.code, Code::TurnMismatch | Code::IdempotencyKeyReused) {
                    self.tell_rival("it made the decision of this turn");
                }
                Ok(None)
            }
            Err(error) if error.is_passing() && self.stop.is_raised() => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Plays the server's example, which is legal: the server has rules that this version does not
    /// know.
    fn follow_example(
        &mut self,
        game: &GameView<'static>,
    ) -> Result<Option<GameView<'static>>, AgentError> {
        let Some(required) = &game.required_action else { return Ok(None) };
        let example: &Value = &required.action.example;
        let asked = Instant::now();
        match self.client.follow(&required.action.path, example) {
            Ok(after) => {
                self.tally.decided(By::Fallback);
                let play = format!("the server's example {example}");
                self.tell_played(game, &play, By::Fallback, asked.elapsed());
                Ok(Some(after))
            }
            Err(ClientError::Refused(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Fails if the brain has failed too often.
    pub(super) fn check_brain(&self) -> Result<(), AgentError> {
        match self.failures.reached(self.options.max_failures) {
            None => Ok(()),
            Some((failures, last)) => {
                Err(AgentError::BrokenBrain { failures, last: last.to_owned() })
            }
        }
    }
}

/// True if a decision was refused because the game has moved on.
fn is_overtaken(code: Code) -> bool {
    matches!(
        code,
        Code::TurnMismatch
            | Code::NotYourTurn
            | Code::GameOver
            | Code::DeadlinePassed
            | Code::IdempotencyKeyReused
    )
}
