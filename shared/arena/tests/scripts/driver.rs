//! The only place the scripts touch the API. After every accepted submission the game is restored
//! from its log, taken back by one turn, and its plan is written.

use arena::progress::{self, Needs};
use arena::{
    Action, Actor, Agent, Decision, Game, GameResult, Intent, Plan, Pool, Rejection, Ruling,
    Standing, Submission, Tag, Timestamp, TurnNumber, Write,
};
use renju::{Area, BySeat, Color, Phase, Play, Point, Seat};

use crate::fixtures::{self, PACE, START, key, name, start};

/// A game, the answer at each of its turns, and the time.
pub(crate) struct Match {
    game: Game,
    replies: Vec<String>,
    now: Timestamp,
}

impl Match {
    pub(crate) fn new(ruleset: &str, pool: Pool) -> Match {
        let game = start(fixtures::division(ruleset, pool));
        Match { game, replies: Vec::new(), now: START }
    }

    /// Carries out a command; `None` if it has no outcome.
    pub(crate) fn run(&mut self, command: &str) -> Option<String> {
        let words: Vec<&str> = command.split_whitespace().collect();
        match words[..] {
            ["game", ruleset, pool] => {
                *self = Match::new(ruleset, pool.parse().unwrap());
                None
            }
            ["show", what] => Some(format!("→ {}", self.show(what))),
            ["play", ref plays @ ..] => Some(self.play_all(plays)),
            ["clock", "flag"] => Some(self.submit(Actor::Clock, Submission::FLAG)),
            ["operator", "flag"] => Some(self.submit(Actor::Operator, Submission::FLAG)),
            ["operator", ruling] => {
                let ruling = match ruling {
                    "draw" => Ruling::Draw,
                    "void" => Ruling::Void,
                    winner => Ruling::Win(self.game.seat_of(&name(winner)).unwrap()),
                };
                Some(self.submit(Actor::Operator, Submission::rule(ruling)))
            }
            [wait, ..] if wait.starts_with(['+', '-']) => {
                self.now = words.iter().fold(self.now, |now, wait| now.plus(ms(wait)));
                None
            }
            [who, ref words @ ..] => Some(self.ask(who, words)),
            [] => None,
        }
    }

    /// A player's submission.
    fn ask(&mut self, who: &str, words: &[&str]) -> String {
        let (words, key) = match words {
            [words @ .., last] if last.starts_with("key=") => (words, (*last).to_owned()),
            _ => (words, words.join(" ")),
        };
        let request = match *words {
            ["resign"] => Intent::Resign,
            ["rules", "void"] => Intent::Rule(Ruling::Void),
            [turn, ref play @ ..] => {
                Intent::Play(TurnNumber(turn.parse().unwrap()), read_play(play))
            }
            [] => panic!("{who} asks for nothing"),
        };
        let seat = self.game.seat_of(&name(who)).unwrap();
        let tag = fixtures::tag(who, &key);
        self.submit(Actor::Seat(seat), Submission { intent: request, tag })
    }

    fn play_all(&mut self, plays: &[&str]) -> String {
        let mut outcome = String::new();
        for word in plays {
            let who = self.name_of(self.game.to_act().expect("the game is in progress")).to_owned();
            let turn = self.game.turn().to_string();
            let kind = if word.parse::<Point>().is_ok() { "place" } else { "" };
            let words: Vec<&str> = [turn.as_str(), kind]
                .into_iter()
                .chain(word.split(':'))
                .filter(|word| !word.is_empty())
                .collect();
            outcome = self.ask(&who, &words);
            assert!(outcome.starts_with('→'), "{who} {word} {outcome}");
        }
        outcome
    }

    /// The only place a decision is asked for.
    fn submit(&mut self, actor: Actor, submission: Submission) -> String {
        let known = self.game.log().iter().any(|entry| entry.tag == submission.tag);
        match self.game.apply(actor, submission, self.now, &PACE) {
            Ok(Decision::Commit(next)) => {
                assert!(!known, "a key enters a log once");
                self.check_step(&next, actor, submission);
                self.game = *next;
                self.replies.push(self.describe(&self.game));
                format!("→ {}", self.describe(&self.game))
            }
            Ok(Decision::Replay(turn)) => {
                let then = self.game.at(TurnNumber(turn.0 + 1));
                assert_eq!(then.log().last().unwrap().tag, submission.tag);
                let reply = self.describe(&then);
                assert_eq!(reply, self.replies[turn.0 as usize], "a replay tells what was told");
                format!("= {reply}")
            }
            Err(rejection) => {
                let reused = known && actor.seat().is_some();
                assert_eq!(reused, rejection == Rejection::KeyReused, "a rejected key is not kept");
                format!("! {}", refusal(rejection))
            }
        }
    }

    /// Properties of every accepted submission.
    fn check_step(&self, next: &Game, actor: Actor, submission: Submission) {
        let game = &self.game;
        assert_eq!(next.turn().0, game.turn().0 + 1);
        assert_eq!(next.log()[..game.log().len()], *game.log(), "a log is never rewritten");
        assert_eq!(next.at(game.turn()), *game);
        let restored = Game::restore(next.header().clone(), next.log().iter().copied());
        assert_eq!(restored.as_ref(), Ok(next), "a game is its log");

        let entry = next.log().last().unwrap();
        assert_eq!(entry.tag, submission.tag);
        let decider = *next.deciders().last().unwrap();
        match (actor, entry.action) {
            (Actor::Seat(seat), Action::Play(_)) => {
                assert_eq!((Some(seat), seat), (game.to_act(), decider));
            }
            (Actor::Seat(seat), action) => {
                assert_eq!((action, decider), (Action::Resign(seat), seat));
            }
            (Actor::Operator, Action::Rule(ruling)) => {
                assert_eq!(submission, Submission::rule(ruling));
                assert_eq!(Some(decider), game.to_act());
            }
            (Actor::Clock | Actor::Operator, action) => {
                assert!(matches!(action, Action::Timeout | Action::NoShow));
                assert_eq!(Some(decider), game.to_act());
                assert_eq!(entry.tag, Tag::CLOCK);
            }
        }

        assert!(next.last_at() >= game.last_at(), "times never go back");
        let behind = self.now.since(next.last_at());
        assert!(behind < 10 && (behind >= 0 || next.last_at() == game.last_at()), "{behind} ms");
        assert_eq!(next.result().is_some(), next.to_act().is_none());
        assert_eq!(next.result().is_some(), next.deadline().is_none());
    }

    /// The answer to a player: the next action, or the result and its writes.
    fn describe(&self, game: &Game) -> String {
        let Some(result) = game.result() else {
            assert_eq!(progress::needs(game), Needs::Nothing);
            let plan = progress::advance(game.clone(), &PACE);
            let write = Write::Advance(Box::new(game.clone()));
            assert_eq!(plan, Plan { messages: Vec::new(), writes: vec![write] });
            return self.due(game);
        };
        match progress::needs(game) {
            Needs::Nothing => {
                let plan = progress::advance(game.clone(), &PACE);
                let write = Write::Finish(Box::new(game.clone()));
                assert_eq!(plan, Plan { messages: Vec::new(), writes: vec![write] });
                assert!(result.is_void());
                format!("{}, unrated", self.ending(result))
            }
            Needs::Standings => {
                let new = Standing::NEW;
                let plan = progress::finish(game.clone(), BySeat { first: &new, second: &new });
                assert_eq!(plan.writes[0], Write::Finish(Box::new(game.clone())));
                assert!(!result.is_void() && plan.writes.len() == 3);
                format!("{}, rated", self.ending(result))
            }
            Needs::Absentee(seat) => {
                let who = self.name_of(seat);
                let plan =
                    progress::abandon(game.clone(), &Agent::register(name(who), key(1), START));
                let [Write::Finish(finished), Write::CoolDown { agent, until, .. }] =
                    &plan.writes[..]
                else {
                    panic!("{plan:?}");
                };
                assert_eq!((&**finished, agent.as_str()), (game, who));
                assert!(result.is_void());
                let wait = until.since(game.last_at()) / 1_000;
                format!("{}, unrated, {who} waits {wait} s", self.ending(result))
            }
        }
    }

    fn ending(&self, GameResult { winner, reason }: GameResult) -> String {
        match winner {
            Some(seat) => format!("{} wins, {}", self.name_of(seat), reason.id()),
            None => format!("nobody wins, {}", reason.id()),
        }
    }

    fn due(&self, game: &Game) -> String {
        let who = self.name_of(game.to_act().unwrap());
        let color = game.position().to_move();
        let area = |area| match area {
            Area::Ring(ring) => format!(", ring {ring}"),
            Area::Board => String::new(),
        };
        match game.position().phase() {
            Phase::Place(at) => format!("{who} to place, {color}{}", area(at)),
            Phase::Swap => format!("{who} to swap"),
            Phase::SwapOrPutTwo => format!("{who} to swap or put two"),
            Phase::Fifth { area: at, count } => {
                format!("{who} to place, {color}{}, or offer {count}", area(at))
            }
            Phase::Declare { most } => format!("{who} to declare 1 to {most}"),
            Phase::Offer { count } => format!("{who} to offer {count}"),
            Phase::Choose(offer) => format!("{who} to choose of {}", offer.points().len()),
            Phase::Play => format!("{who} to place, {color}"),
            Phase::Over(_) => panic!("nothing is due when a game is over"),
        }
    }

    fn show(&self, what: &str) -> String {
        let game = &self.game;
        let seconds = |time: Timestamp| {
            let ms = time.since(START);
            format!("{}.{:03} s", ms / 1_000, ms % 1_000)
        };
        match what {
            "clock" => {
                let due = game.deadline().map_or("over".to_owned(), seconds);
                format!("turn {} since {}, due {due}", game.turn(), seconds(game.last_at()))
            }
            "colors" => {
                let [black, white] =
                    Color::BOTH.map(|color| self.name_of(game.position().seat_of(color)));
                format!("black {black}, white {white}")
            }
            "pairs" => {
                let pairs = game.position().pairs();
                format!("black {}, white {}", pairs.black, pairs.white)
            }
            _ => panic!("{what} cannot be shown"),
        }
    }

    fn name_of(&self, seat: Seat) -> &str {
        self.game.header().players[seat].name.as_str()
    }
}

/// `place h8`, `choose h8`, `swap`, `keep`, `put-two`, `declare 3`, `offer d4,e5,…`.
fn read_play(words: &[&str]) -> Play {
    let text = match *words {
        ["place" | "choose", point] => point.to_owned(),
        ["declare", count] => return Play::Declare(count.parse().unwrap()),
        [word] => word.to_owned(),
        [word, value] => format!("{word}:{value}"),
        _ => panic!("{words:?} is no play"),
    };
    text.parse().unwrap_or_else(|why| panic!("{why}"))
}

/// `+61s`, `-10ms`.
fn ms(wait: &str) -> i64 {
    match wait.strip_suffix("ms") {
        Some(ms) => ms.parse().unwrap(),
        None => wait.strip_suffix('s').unwrap().parse::<i64>().unwrap() * 1_000,
    }
}

fn refusal(rejection: Rejection) -> String {
    match rejection {
        Rejection::KeyReused => "idempotency_key_reused".to_owned(),
        Rejection::GameOver => "game_over".to_owned(),
        Rejection::TurnMismatch { current, already_applied: false } => {
            format!("turn_mismatch current={current}")
        }
        Rejection::TurnMismatch { current, already_applied: true } => {
            format!("turn_mismatch current={current} already_applied")
        }
        Rejection::NotYourTurn => "not_your_turn".to_owned(),
        Rejection::DeadlinePassed => "deadline_passed".to_owned(),
        Rejection::Illegal(why) => format!("illegal_move {why}"),
        Rejection::NotOverdue => "not_overdue".to_owned(),
    }
}
