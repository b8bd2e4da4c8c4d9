//! Checks of every answer: an accepted decision stays, a refused one is never written, a duplicate
//! gets the first answer, and the clock beats no submission that came in time.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use arena::{
    Action, Actor, AgentName, Decision, Game, GameId, Intent, Rejection, Submission, Tag, Timestamp,
};
use renju::Seat;

use crate::check::Check;
use crate::world::World;

/// Outcome of a submission.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// 200: the game right after the decision.
    Accepted(Rc<Game>),
    /// 409 or 422: the game as it is.
    Refused(Rejection, Rc<Game>),
    /// 401, 403 or 404.
    Unknown,
    /// 503: the agent is told to retry.
    Failed,
}

#[derive(Default)]
pub(crate) struct Answers {
    /// The agent that used each tag.
    submitters: HashMap<Tag, AgentName>,
    /// Submissions held by a process or by a write under way.
    held: BTreeMap<u64, Held>,
    next: u64,
    /// The first answer to every accepted submission.
    accepted: HashMap<(GameId, Tag), (Submission, Rc<Game>)>,
    /// Submissions refused for good.
    refused: Vec<(GameId, AgentName, Submission)>,
}

struct Held {
    agent: AgentName,
    game: GameId,
    submission: Submission,
    received: Timestamp,
    until: i64,
    /// Writes under way.
    writes: u32,
    /// True if no other copy was held at any time since.
    is_alone: bool,
}

/// A submission held by a process, until dropped.
pub(crate) struct Hold {
    world: Rc<World>,
    number: u64,
}

impl Hold {
    pub(crate) fn new(
        world: &Rc<World>,
        agent: &AgentName,
        game: GameId,
        submission: Submission,
        received: Timestamp,
        until: i64,
    ) -> Hold {
        let mut check = world.check.borrow_mut();
        let answers = &mut check.answers;
        answers.submitted(submission.tag, agent);
        let number = answers.next;
        answers.next += 1;
        let copies = answers.held.values_mut().filter(|held| held.submission.tag == submission.tag);
        let mut is_alone = true;
        for copy in copies {
            copy.is_alone = false;
            is_alone = false;
        }
        let agent = agent.clone();
        let held = Held { agent, game, submission, received, until, writes: 0, is_alone };
        answers.held.insert(number, held);
        Hold { world: world.clone(), number }
    }

    /// Counts a write of it that is sent (1) or has arrived (-1).
    pub(crate) fn sent(&self, writes: i32) {
        let mut check = self.world.check.borrow_mut();
        let held = check.answers.held.get_mut(&self.number).expect("what is held is listed");
        held.writes = held.writes.strict_add_signed(writes);
    }

    /// Records the function's answer.
    pub(crate) fn answered(&self, answer: &Answer) {
        let mut check = self.world.check.borrow_mut();
        let Held { agent, game, submission, is_alone, .. } = &check.answers.held[&self.number];
        let (agent, game, submission, is_alone) = (agent.clone(), *game, *submission, *is_alone);
        match answer {
            Answer::Accepted(reply) => check.accepted(game, submission, reply),
            Answer::Refused(rejection, _) => {
                check.refused(game, agent, submission, *rejection, is_alone);
            }
            Answer::Unknown | Answer::Failed => {}
        }
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.world.check.borrow_mut().answers.held.remove(&self.number);
    }
}

impl Answers {
    /// Records the agent that uses a tag.
    pub(crate) fn submitted(&mut self, tag: Tag, agent: &AgentName) {
        self.submitters.insert(tag, agent.clone());
    }

    pub(crate) fn submitter(&self, tag: Tag) -> Option<&AgentName> {
        self.submitters.get(&tag)
    }
}

/// True if a log entry is the submitted one.
fn is_of(index: usize, action: Action, intent: Intent) -> bool {
    match (action, intent) {
        (Action::Play(played), Intent::Play(turn, play)) => {
            index == turn.0 as usize && played == play
        }
        (Action::Resign(_), Intent::Resign) => true,
        _ => false,
    }
}

impl Check {
    /// The turn at which a submission was written.
    fn find(&self, game: GameId, submission: Submission) -> Option<usize> {
        let entries = self.written.get(&game)?.iter().enumerate();
        let mut own = entries.filter(|(_, (tag, _))| *tag == submission.tag);
        own.find(|(index, (_, action))| is_of(*index, *action, submission.intent))
            .map(|(index, _)| index)
    }

    fn accepted(&mut self, game: GameId, submission: Submission, reply: &Rc<Game>) {
        let Some(index) = self.find(game, submission) else {
            return self.report("I6", || format!("{game} accepts but lacks {submission:?}"));
        };
        let turn = reply.turn().0 as usize;
        let entry = reply.log().get(index).map(|entry| entry.action);
        let kept = entry.is_some_and(|action| is_of(index, action, submission.intent));
        self.require(kept, "I6", || format!("{game} accepts but does not show {submission:?}"));
        self.require(turn == index + 1, "I11", || format!("{game} replies with turn {turn}"));
        let known = self.answers.accepted.entry((game, submission.tag));
        let (_, first) = known.or_insert_with(|| (submission, reply.clone()));
        // Only the keys may differ.
        let same = first.log() == reply.log()
            && first.position() == reply.position()
            && first.last_at() == reply.last_at();
        self.require(same, "I11", || format!("{game} answers {submission:?} differently"));
    }

    fn refused(
        &mut self,
        game: GameId,
        agent: AgentName,
        submission: Submission,
        rejection: Rejection,
        is_alone: bool,
    ) {
        let is_early = |current: arena::TurnNumber| match submission.intent {
            Intent::Play(turn, _) => current < turn,
            _ => true,
        };
        let is_final = match rejection {
            // An earlier copy may still be under way.
            Rejection::DeadlinePassed => false,
            Rejection::TurnMismatch { current, .. } => !is_early(current),
            _ => true,
        };
        if is_final || is_alone {
            let written = self.find(game, submission).is_none();
            self.require(written, "I8", || {
                format!("{game} refuses {submission:?} of {agent} ({rejection:?}) but has it")
            });
        }
        if is_final {
            self.answers.refused.push((game, agent, submission));
        }
    }

    /// I10: a timeout is written for `seat`; no decision of it that came in time may be held.
    pub(crate) fn unbeaten(&mut self, world: &World, game: &Game, seat: Seat) {
        let name = &game.header().players[seat].name;
        let deadline = game.deadline().expect("an unfinished game has a deadline");
        let in_time = |held: &&Held| {
            held.game == game.id()
                && held.agent == *name
                && held.received <= deadline
                && (world.now() <= held.until || held.writes > 0)
                && matches!(
                    game.apply(Actor::Seat(seat), held.submission, held.received, &world.pace),
                    Ok(Decision::Commit(_))
                )
        };
        let beaten = self.answers.held.values().find(in_time).map(|held| held.received);
        self.require(beaten.is_none(), "I10", || {
            format!(
                "{} times out at {} although a decision came at {beaten:?}",
                game.id(),
                world.now()
            )
        });
    }

    /// At rest: accepted decisions are in the logs, refused ones are not.
    pub(crate) fn settle_answers(&mut self, log: impl Fn(GameId) -> Rc<Game>) {
        for (game, tag) in self.answers.accepted.keys().copied().collect::<Vec<_>>() {
            let (submission, _) = self.answers.accepted[&(game, tag)].clone();
            let game = log(game);
            let kept = game
                .log()
                .iter()
                .enumerate()
                .any(|(index, entry)| is_of(index, entry.action, submission.intent));
            self.require(kept, "I6", || format!("{} has lost {submission:?}", game.id()));
        }
        for (game, agent, submission) in std::mem::take(&mut self.answers.refused) {
            let absent = self.find(game, submission).is_none();
            self.require(absent, "I8", || format!("{game} has {submission:?} of {agent}"));
        }
    }
}
