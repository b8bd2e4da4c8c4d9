//! A game: an append-only log of decisions and the state that follows from it.
//!
//! Board, colours, phase, deadline and result are all derived from the log; nothing else is stored.
//! Every change of a game, by a player, by the clock or by an operator, is decided by
//! [`Game::apply`].

#![allow(missing_docs, reason = "the names say it")]

use renju::{BySeat, Color, Ending, Foul, IllegalPlay, Play, Position, Ruleset, Seat};

use crate::counting::{self, Uncounted};
use crate::house::HouseLevel;
use crate::ids::{AgentName, GameId, KeyDigest, Tag, Timestamp, TurnNumber};
use crate::rating::{Rating, Score};
use crate::terms::{Division, Pace};

/// The part of a game that is fixed at its start.
#[derive(Clone, PartialEq, Debug)]
pub struct Header {
    pub id: GameId,
    pub division: Division,
    /// Time for one decision.
    pub turn_ms: u32,
    /// Time a player has for all its decisions; `None` in games from before this limit.
    pub budget_ms: Option<u32>,
    /// Reason why the game cannot count, if known at its start.
    pub uncounted: Option<Uncounted>,
    pub players: BySeat<Player>,
    /// The game that each agent was seated in before. `None` for its first, for a house bot, and in
    /// games from before these links.
    pub previous: BySeat<Option<GameId>>,
    pub created: Timestamp,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Player {
    pub name: AgentName,
    pub holder: Holder,
    /// Its rating in the division when the game started.
    pub rating: Rating,
}

/// Kind of player that holds a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holder {
    /// An agent, with the digest of its current API key.
    Agent(KeyDigest),
    House(HouseLevel),
}

impl Player {
    pub fn agent(name: AgentName, key: KeyDigest, rating: Rating) -> Player {
        Player { name, holder: Holder::Agent(key), rating }
    }

    pub fn house_bot(level: HouseLevel) -> Player {
        Player { name: level.name(), holder: Holder::House(level), rating: level.rating() }
    }

    /// The digest of the agent's key; `None` for a house bot.
    pub fn key(&self) -> Option<&KeyDigest> {
        match &self.holder {
            Holder::Agent(key) => Some(key),
            Holder::House(_) => None,
        }
    }

    /// The level of the house bot; `None` for an agent.
    pub fn house(&self) -> Option<HouseLevel> {
        match self.holder {
            Holder::Agent(_) => None,
            Holder::House(level) => Some(level),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    pub action: Action,
    /// Hundredths of a second since the entry before, or since the start.
    pub elapsed: u32,
    /// Tag of the idempotency key it came with.
    pub tag: Tag,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    Play(Play),
    /// A resignation, at any time.
    Resign(Seat),
    Timeout,
    /// The player to act never made a decision, or is a house bot that ran out of time. The game
    /// does not count.
    NoShow,
    Rule(Ruling),
}

/// The way an operator ends a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ruling {
    Win(Seat),
    Draw,
    /// Neither a win nor a draw; no one is rated.
    Void,
}

/// Unit of time in the log.
const TICK_MS: i64 = 10;

/// A game, in progress or over.
#[derive(Clone, PartialEq, Debug)]
pub struct Game {
    header: Header,
    log: Vec<Entry>,
    position: Position,
    last_at: Timestamp,
    /// Thinking time of each player so far, in ticks.
    used: BySeat<i64>,
    result: Option<GameResult>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// `None` for a draw and for a game that does not count.
    pub winner: Option<Seat>,
    pub reason: Reason,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    Board(Ending),
    Resignation,
    Timeout,
    /// A player never made a decision, or a house bot ran out of time.
    NoShow,
    /// An operator decided it.
    Ruling,
    /// An operator broke it off.
    Void,
}

impl Reason {
    /// Stable identifier in requests and records.
    pub const fn id(self) -> &'static str {
        match self {
            Reason::Board(Ending::Five) => "five",
            Reason::Board(Ending::Foul(Foul::Overline)) => "overline",
            Reason::Board(Ending::Foul(Foul::DoubleFour)) => "double_four",
            Reason::Board(Ending::Foul(Foul::DoubleThree)) => "double_three",
            Reason::Board(Ending::Pairs) => "pairs",
            Reason::Board(Ending::BoardFull) => "board_full",
            Reason::Resignation => "resignation",
            Reason::Timeout => "timeout",
            Reason::NoShow => "no_show",
            Reason::Ruling => "ruling",
            Reason::Void => "void",
        }
    }
}

impl GameResult {
    /// True if the game was broken off: neither a win nor a draw.
    pub fn is_void(self) -> bool {
        matches!(self.reason, Reason::NoShow | Reason::Void)
    }

    pub fn score(self, seat: Seat) -> Score {
        match self.winner {
            Some(winner) if winner == seat => Score::Win,
            Some(_) => Score::Loss,
            None => Score::Draw,
        }
    }
}

/// Author of a submission.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Actor {
    Seat(Seat),
    /// The referee, when a deadline has passed.
    Clock,
    Operator,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Intent {
    /// A play, for the turn it was chosen in.
    Play(TurnNumber, Play),
    /// At any turn, also the opponent's.
    Resign,
    /// End the game if the player to act is out of time.
    Flag,
    /// End the game at any time. Only an operator can.
    Rule(Ruling),
}

/// An intent with the key that makes it safe to repeat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Submission {
    pub intent: Intent,
    pub tag: Tag,
}

impl Actor {
    pub fn seat(self) -> Option<Seat> {
        match self {
            Actor::Seat(seat) => Some(seat),
            Actor::Clock | Actor::Operator => None,
        }
    }
}

impl Submission {
    /// The referee's submission.
    pub const FLAG: Submission = Submission { intent: Intent::Flag, tag: Tag::CLOCK };

    /// An operator's submission.
    pub const fn rule(ruling: Ruling) -> Submission {
        Submission { intent: Intent::Rule(ruling), tag: Tag::CLOCK }
    }
}

/// Outcome of an accepted submission.
#[derive(Clone, PartialEq, Debug)]
pub enum Decision {
    /// New: the game to write.
    Commit(Box<Game>),
    /// A duplicate of the decision recorded at this turn.
    Replay(TurnNumber),
}

impl Decision {
    pub fn into_commit(self) -> Option<Game> {
        match self {
            Decision::Commit(game) => Some(*game),
            Decision::Replay(_) => None,
        }
    }
}

/// Reason why a submission is refused. The game is unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rejection {
    /// The idempotency key was used for another decision of this game.
    KeyReused,
    GameOver,
    /// The decision was meant for another turn. It is already applied if the log has the same
    /// decision by this player under another key.
    TurnMismatch {
        current: TurnNumber,
        already_applied: bool,
    },
    NotYourTurn,
    DeadlinePassed,
    Illegal(IllegalPlay),
    NotOverdue,
}

impl Game {
    pub fn start(header: Header) -> Game {
        Game {
            position: Position::new(header.division.ruleset),
            last_at: header.created,
            used: BySeat { first: 0, second: 0 },
            header,
            log: Vec::new(),
            result: None,
        }
    }

    /// Replays a stored log; fails if it does not replay.
    pub fn restore(
        header: Header,
        log: impl IntoIterator<Item = Entry>,
    ) -> Result<Game, BrokenLog> {
        let mut game = Game::start(header);
        for entry in log {
            let turn = game.turn();
            game.push(entry).map_err(|_| BrokenLog { id: game.header.id, turn })?;
        }
        Ok(game)
    }

    /// The game after its first `turn` decisions.
    pub fn at(&self, turn: TurnNumber) -> Game {
        let entries = self.log.iter().copied().take(turn.0 as usize);
        Game::restore(self.header.clone(), entries).expect("a prefix of a legal log is legal")
    }

    pub fn header(&self) -> &Header {
        &self.header
    }

    pub fn id(&self) -> GameId {
        self.header.id
    }

    pub fn ruleset(&self) -> &'static Ruleset {
        self.header.division.ruleset
    }

    pub fn log(&self) -> &[Entry] {
        &self.log
    }

    /// The plays of the log. Its other actions end the game.
    pub fn plays(&self) -> impl Iterator<Item = Play> + '_ {
        self.log.iter().filter_map(|entry| match entry.action {
            Action::Play(play) => Some(play),
            _ => None,
        })
    }

    /// The number of decisions so far. The next submission must name it.
    pub fn turn(&self) -> TurnNumber {
        TurnNumber(self.log.len() as u32)
    }

    pub fn position(&self) -> &Position {
        &self.position
    }

    pub fn result(&self) -> Option<GameResult> {
        self.result
    }

    /// The player to act; `None` when the game is over.
    pub fn to_act(&self) -> Option<Seat> {
        if self.result.is_some() { None } else { self.position.to_act() }
    }

    /// Time of the last decision, or of the start.
    pub fn last_at(&self) -> Timestamp {
        self.last_at
    }

    /// Deadline of the player to act, by the turn or by what is left of its time for the game;
    /// `None` when the game is over.
    pub fn deadline(&self) -> Option<Timestamp> {
        let turn_ms = i64::from(self.header.turn_ms);
        let left_ms = self.left_ms(self.to_act()?).unwrap_or(turn_ms);
        Some(self.last_at.plus(left_ms.min(turn_ms)))
    }

    /// A player's remaining time for the game at the last decision; `None` without a limit, as for
    /// a house bot: its delays are ours and would void the game.
    pub fn left_ms(&self, seat: Seat) -> Option<i64> {
        let is_agent = self.header.players[seat].house().is_none();
        let budget_ms = i64::from(self.header.budget_ms.filter(|_| is_agent)?);
        Some((budget_ms - self.used[seat] * TICK_MS).max(0))
    }

    /// False for a game that its players wanted outside the ratings: it changes no standing.
    pub fn is_rated(&self) -> bool {
        self.header.uncounted != Some(Uncounted::Unrated)
    }

    /// True if two house bots play, for spectators.
    pub fn is_exhibition(&self) -> bool {
        Seat::BOTH.into_iter().all(|seat| self.header.players[seat].house().is_some())
    }

    /// Reason why the game does not count for ratings, as far as known; `None` if it counts.
    pub fn uncounted(&self) -> Option<Uncounted> {
        let Some(result) = self.result else { return self.header.uncounted };
        let stones = self.position.move_number();
        self.header.uncounted.or_else(|| counting::by_result(&self.header, result, stones))
    }

    /// The rating of the player in this seat after the game; `None` if the game did not change it.
    pub fn rating_after(&self, seat: Seat) -> Option<Rating> {
        let players = &self.header.players;
        let score = self.result.filter(|_| self.uncounted().is_none())?.score(seat);
        let is_agent = players[seat].house().is_none();
        is_agent.then(|| players[seat].rating.after(players[!seat].rating, score).stored())
    }

    /// Earliest time the clock can end the game: the deadline and the grace.
    pub fn overdue_from(&self, pace: &Pace) -> Option<Timestamp> {
        self.deadline().map(|deadline| deadline.plus(pace.grace_ms))
    }

    pub fn seat_of(&self, agent: &AgentName) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|&seat| self.header.players[seat].name == *agent)
    }

    /// The player that holds a colour now.
    pub fn player(&self, color: Color) -> &Player {
        &self.header.players[self.position.seat_of(color)]
    }

    pub fn color_of(&self, seat: Seat) -> Color {
        self.position.color_of(seat)
    }

    /// The seat that made each decision; the clock's and an operator's belong to the player to act.
    pub fn deciders(&self) -> Vec<Seat> {
        let mut position = Position::new(self.ruleset());
        let mut seats = Vec::with_capacity(self.log.len());
        for entry in &self.log {
            let to_act = position.to_act().expect("a log ends with its game");
            seats.push(if let Action::Resign(seat) = entry.action { seat } else { to_act });
            if let Action::Play(play) = entry.action {
                position.advance(play).expect("every play of a log is legal");
            }
        }
        seats
    }

    /// Decides a submission received at `now`. The order of the checks is part of the contract: a
    /// duplicate is recognised first, whatever happened in the game since.
    pub fn apply(
        &self,
        actor: Actor,
        submission: Submission,
        now: Timestamp,
        pace: &Pace,
    ) -> Result<Decision, Rejection> {
        let action = match (actor, submission.intent) {
            (Actor::Seat(seat), intent) => {
                if let Some(turn) = self.find(submission.tag) {
                    return self.replay(seat, intent, turn);
                }
                self.check_open(Some(seat), intent)?;
                self.act(seat, intent, now, pace)?
            }
            (Actor::Operator, Intent::Rule(ruling)) => {
                // Repeated, or its own write was made although AWS reported an error.
                let last = self.turn().0.checked_sub(1).map(TurnNumber);
                if let Some(turn) = last.filter(|last| self.is_entry(*last, Action::Rule(ruling))) {
                    return Ok(Decision::Replay(turn));
                }
                self.check_open(None, submission.intent)?;
                Action::Rule(ruling)
            }
            (Actor::Clock | Actor::Operator, _) => {
                self.check_open(None, Intent::Flag)?;
                self.flag(now, pace)?
            }
        };
        let ticks = now.since(self.last_at).max(0) / TICK_MS;
        let elapsed = u32::try_from(ticks).unwrap_or(u32::MAX);
        let mut next = self.clone();
        next.push(Entry { action, elapsed, tag: submission.tag }).map_err(Rejection::Illegal)?;
        Ok(Decision::Commit(Box::new(next)))
    }

    fn find(&self, tag: Tag) -> Option<TurnNumber> {
        self.log.iter().position(|entry| entry.tag == tag).map(|index| TurnNumber(index as u32))
    }

    fn replay(&self, seat: Seat, intent: Intent, turn: TurnNumber) -> Result<Decision, Rejection> {
        let same = match intent {
            Intent::Play(asked, play) => asked == turn && self.is_entry(turn, Action::Play(play)),
            Intent::Resign => self.is_entry(turn, Action::Resign(seat)),
            Intent::Flag | Intent::Rule(_) => false,
        };
        if same { Ok(Decision::Replay(turn)) } else { Err(Rejection::KeyReused) }
    }

    fn is_entry(&self, turn: TurnNumber, action: Action) -> bool {
        self.log.get(turn.0 as usize).is_some_and(|entry| entry.action == action)
    }

    fn check_open(&self, seat: Option<Seat>, intent: Intent) -> Result<(), Rejection> {
        let current = self.turn();
        if self.result.is_some() {
            return Err(Rejection::GameOver);
        }
        match intent {
            Intent::Play(turn, play) if turn != current => Err(Rejection::TurnMismatch {
                current,
                already_applied: self.is_entry(turn, Action::Play(play))
                    && self.deciders().get(turn.0 as usize).copied() == seat,
            }),
            _ => Ok(()),
        }
    }

    fn act(
        &self,
        seat: Seat,
        intent: Intent,
        now: Timestamp,
        pace: &Pace,
    ) -> Result<Action, Rejection> {
        let action = match intent {
            Intent::Play(_, play) if self.to_act() == Some(seat) => Action::Play(play),
            Intent::Play(..) | Intent::Rule(_) => return Err(Rejection::NotYourTurn),
            Intent::Resign => Action::Resign(seat),
            Intent::Flag => return self.flag(now, pace),
        };
        match self.deadline() {
            Some(deadline) if now > deadline.plus(pace.lag_ms.min(pace.grace_ms)) => {
                Err(Rejection::DeadlinePassed)
            }
            _ => Ok(action),
        }
    }

    fn flag(&self, now: Timestamp, pace: &Pace) -> Result<Action, Rejection> {
        let (Some(overdue), Some(seat)) = (self.overdue_from(pace), self.to_act()) else {
            return Err(Rejection::GameOver);
        };
        if now <= overdue {
            return Err(Rejection::NotOverdue);
        }
        // A house bot that is out of time is an outage of ours; its opponent does not win by it.
        let is_house = self.header.players[seat].house().is_some();
        let showed = !is_house && self.deciders().contains(&seat);
        Ok(if showed { Action::Timeout } else { Action::NoShow })
    }

    /// Adds an entry. The only place that applies the rules.
    fn push(&mut self, entry: Entry) -> Result<(), IllegalPlay> {
        let to_act = self.to_act().ok_or(IllegalPlay::GameOver)?;
        self.result = match entry.action {
            Action::Play(play) => {
                self.position.advance(play)?;
                self.position.outcome().map(|outcome| GameResult {
                    winner: outcome.winner.map(|color| self.position.seat_of(color)),
                    reason: Reason::Board(outcome.by),
                })
            }
            Action::Resign(seat) => {
                Some(GameResult { winner: Some(!seat), reason: Reason::Resignation })
            }
            Action::Timeout => Some(GameResult { winner: Some(!to_act), reason: Reason::Timeout }),
            Action::NoShow => Some(GameResult { winner: None, reason: Reason::NoShow }),
            Action::Rule(Ruling::Win(seat)) => {
                Some(GameResult { winner: Some(seat), reason: Reason::Ruling })
            }
            Action::Rule(Ruling::Draw) => Some(GameResult { winner: None, reason: Reason::Ruling }),
            Action::Rule(Ruling::Void) => Some(GameResult { winner: None, reason: Reason::Void }),
        };
        self.used[to_act] += i64::from(entry.elapsed);
        self.last_at = self.last_at.plus(i64::from(entry.elapsed) * TICK_MS);
        self.log.push(entry);
        Ok(())
    }
}

/// A stored log that does not replay: always a fault, never repaired by guessing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BrokenLog {
    pub id: GameId,
    /// The first turn that cannot be replayed.
    pub turn: TurnNumber,
}

impl std::fmt::Display for BrokenLog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the log of game {} does not replay at turn {}", self.id, self.turn)
    }
}

impl std::error::Error for BrokenLog {}
