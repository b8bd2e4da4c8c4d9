//! A game: an append-only log of decisions and what follows from it.
//!
//! Board, colours, phase, deadline and result are all read off the log; nothing else is stored.
//! Every change of a game, by a player or by the clock, is decided by [`Game::apply`].

use renju::{BySeat, Color, Ending, Foul, IllegalPlay, Play, Position, Ruleset, Seat};

use crate::counting::{self, Uncounted};
use crate::house::HouseLevel;
use crate::ids::{AgentName, GameId, KeyDigest, Tag, Timestamp, TurnNumber};
use crate::rating::{Rating, Score};
use crate::terms::{Division, Pace};

/// What is fixed when a game starts.
#[derive(Clone, PartialEq, Debug)]
pub struct Header {
    /// The game's id.
    pub id: GameId,
    /// Where it is rated.
    pub division: Division,
    /// Time for one decision.
    pub turn_ms: u32,
    /// Time a player has for all its decisions; `None` in games from before there was a limit.
    pub budget_ms: Option<u32>,
    /// Why the game cannot count, if that was known when it started.
    pub uncounted: Option<Uncounted>,
    /// Who sits where.
    pub players: BySeat<Player>,
    /// When it started.
    pub created: Timestamp,
}

/// A player as the game knows it.
#[derive(Clone, PartialEq, Debug)]
pub struct Player {
    /// The name it plays under.
    pub name: AgentName,
    /// Agent or house bot.
    pub holder: Holder,
    /// Its rating in the division when the game started.
    pub rating: Rating,
}

/// Kind of player that holds a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holder {
    /// An agent, with its current API key's digest.
    Agent(KeyDigest),
    /// A house bot.
    House(HouseLevel),
}

impl Player {
    /// A player that is an agent.
    pub fn agent(name: AgentName, key: KeyDigest, rating: Rating) -> Player {
        Player { name, holder: Holder::Agent(key), rating }
    }

    /// A player that is a house bot.
    pub fn house_bot(level: HouseLevel) -> Player {
        Player { name: level.name(), holder: Holder::House(level), rating: level.rating() }
    }

    /// The digest of the agent's key; a house bot has none.
    pub fn key(&self) -> Option<&KeyDigest> {
        match &self.holder {
            Holder::Agent(key) => Some(key),
            Holder::House(_) => None,
        }
    }

    /// The level of the house bot, if it is one.
    pub fn house(&self) -> Option<HouseLevel> {
        match self.holder {
            Holder::Agent(_) => None,
            Holder::House(level) => Some(level),
        }
    }
}

/// One accepted decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// What was decided.
    pub action: Action,
    /// Hundredths of a second since the entry before, or since the start.
    pub elapsed: u32,
    /// The idempotency key it came with.
    pub tag: Tag,
}

/// What can be written into a log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// A play by the player to act.
    Play(Play),
    /// A resignation, at any time.
    Resign(Seat),
    /// The player to act has run out of time.
    Timeout,
    /// The player to act never made a decision, or is a house bot that ran out of time: the game
    /// does not count.
    NoShow,
}

/// A length of time in the log's unit.
const TICK_MS: i64 = 10;

/// A game in progress or over.
#[derive(Clone, PartialEq, Debug)]
pub struct Game {
    header: Header,
    log: Vec<Entry>,
    position: Position,
    last_at: Timestamp,
    /// Time each player has thought so far, in the log's unit.
    used: BySeat<i64>,
    result: Option<GameResult>,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// Who won; `None` for a draw and for a game that does not count.
    pub winner: Option<Seat>,
    /// Why.
    pub reason: Reason,
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// By the rules, on the board.
    Board(Ending),
    /// By resignation.
    Resignation,
    /// By the clock.
    Timeout,
    /// A player never made a decision, or a house bot broke off.
    NoShow,
}

impl Reason {
    /// The stable word for it in requests and records.
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
        }
    }
}

impl GameResult {
    /// Whether the game was broken off: nobody has won, and it is no draw either.
    pub fn is_void(self) -> bool {
        self.reason == Reason::NoShow
    }

    /// The result from one seat's side.
    pub fn score(self, seat: Seat) -> Score {
        match self.winner {
            Some(winner) if winner == seat => Score::Win,
            Some(_) => Score::Loss,
            None => Score::Draw,
        }
    }
}

/// Who asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Actor {
    /// The player in this seat.
    Seat(Seat),
    /// The referee, when a deadline has passed.
    Clock,
}

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Intent {
    /// A play, for the turn it was chosen in.
    Play(TurnNumber, Play),
    /// To resign, whatever the turn.
    Resign,
    /// To end the game if the player to act is out of time.
    Flag,
}

/// A request with the key that makes it safe to repeat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Submission {
    /// What is asked.
    pub intent: Intent,
    /// The idempotency key's tag.
    pub tag: Tag,
}

impl Submission {
    /// The referee's submission.
    pub const FLAG: Submission = Submission { intent: Intent::Flag, tag: Tag::CLOCK };
}

/// What becomes of a submission.
#[derive(Clone, PartialEq, Debug)]
pub enum Decision {
    /// Accepted: the game as it will be once it is written.
    Commit(Box<Game>),
    /// Accepted before, at this turn.
    Replay(TurnNumber),
}

impl Decision {
    /// The game a decision leads to, if it is new.
    pub fn into_commit(self) -> Option<Game> {
        match self {
            Decision::Commit(game) => Some(*game),
            Decision::Replay(_) => None,
        }
    }
}

/// Why a submission is refused. Nothing has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rejection {
    /// The idempotency key was used for another decision of this game.
    KeyReused,
    /// The game is over.
    GameOver,
    /// The decision was meant for another turn.
    TurnMismatch {
        /// The turn it is now.
        current: TurnNumber,
        /// Whether that very decision of this player is already in the log, under another key.
        already_applied: bool,
    },
    /// The other player is to act.
    NotYourTurn,
    /// It was received after the deadline.
    DeadlinePassed,
    /// The rules do not allow it now.
    Illegal(IllegalPlay),
    /// The clock has not run out.
    NotOverdue,
}

impl Game {
    /// A game in which nothing has been decided yet.
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

    /// The game whose log this is; refuses a log that does not replay.
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

    /// The game as it was when it had seen only `turn` decisions.
    pub fn at(&self, turn: TurnNumber) -> Game {
        let entries = self.log.iter().copied().take(turn.0 as usize);
        Game::restore(self.header.clone(), entries).expect("a prefix of a legal log is legal")
    }

    /// What was fixed at the start.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The game's id.
    pub fn id(&self) -> GameId {
        self.header.id
    }

    /// The ruleset.
    pub fn ruleset(&self) -> &'static Ruleset {
        self.header.division.ruleset
    }

    /// The decisions so far.
    pub fn log(&self) -> &[Entry] {
        &self.log
    }

    /// The plays among them; what else there is ends the game.
    pub fn plays(&self) -> impl Iterator<Item = Play> + '_ {
        self.log.iter().filter_map(|entry| match entry.action {
            Action::Play(play) => Some(play),
            _ => None,
        })
    }

    /// How many decisions have been made: what the next submission must name.
    pub fn turn(&self) -> TurnNumber {
        TurnNumber(self.log.len() as u32)
    }

    /// The position on the board.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// How the game ended, if it did.
    pub fn result(&self) -> Option<GameResult> {
        self.result
    }

    /// The player to act; `None` when the game is over.
    pub fn to_act(&self) -> Option<Seat> {
        if self.result.is_some() { None } else { self.position.to_act() }
    }

    /// When the last decision was made, or when the game started.
    pub fn last_at(&self) -> Timestamp {
        self.last_at
    }

    /// Until when the player to act must decide, by the turn or by what is left of its time for the
    /// game; `None` when the game is over.
    pub fn deadline(&self) -> Option<Timestamp> {
        let turn_ms = i64::from(self.header.turn_ms);
        let left_ms = self.left_ms(self.to_act()?).unwrap_or(turn_ms);
        Some(self.last_at.plus(left_ms.min(turn_ms)))
    }

    /// How much of its time for the game a player had left when the last decision was made; `None`
    /// without a limit, as for a house bot: its delays are ours, and would void the game.
    pub fn left_ms(&self, seat: Seat) -> Option<i64> {
        let is_agent = self.header.players[seat].house().is_none();
        let budget_ms = i64::from(self.header.budget_ms.filter(|_| is_agent)?);
        Some((budget_ms - self.used[seat] * TICK_MS).max(0))
    }

    /// Why the game does not count for ratings, as far as it is known; `None` if it counts.
    pub fn uncounted(&self) -> Option<Uncounted> {
        let Some(result) = self.result else { return self.header.uncounted };
        let stones = self.position.move_number();
        self.header.uncounted.or_else(|| counting::by_result(&self.header, result, stones))
    }

    /// From when the clock may end the game: the deadline and the grace.
    pub fn overdue_from(&self, pace: &Pace) -> Option<Timestamp> {
        self.deadline().map(|deadline| deadline.plus(pace.grace_ms))
    }

    /// The seat of an agent in this game.
    pub fn seat_of(&self, agent: &AgentName) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|&seat| self.header.players[seat].name == *agent)
    }

    /// Who holds a colour now.
    pub fn player(&self, color: Color) -> &Player {
        &self.header.players[self.position.seat_of(color)]
    }

    /// The colour a seat holds now.
    pub fn color_of(&self, seat: Seat) -> Color {
        self.position.color_of(seat)
    }

    /// The seat that made each decision; the clock's belong to the player who was to act.
    pub fn deciders(&self) -> Vec<Seat> {
        let mut position = Position::new(self.ruleset());
        let mut seats = Vec::with_capacity(self.log.len());
        for entry in &self.log {
            let to_act = position.to_act().expect("a log goes on only while the game does");
            seats.push(if let Action::Resign(seat) = entry.action { seat } else { to_act });
            if let Action::Play(play) = entry.action {
                position.advance(play).expect("every play of a log is legal");
            }
        }
        seats
    }

    /// Decides a submission received at `now`. The order of the checks is part of the contract:
    /// a duplicate is recognised before anything else, whatever the game has become since.
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
            (Actor::Clock, _) => {
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
            Intent::Flag => false,
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
            Intent::Play(..) => return Err(Rejection::NotYourTurn),
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
        // A house bot that is out of time is an outage of ours, which is nobody's win.
        let is_house = self.header.players[seat].house().is_some();
        let showed = !is_house && self.deciders().contains(&seat);
        Ok(if showed { Action::Timeout } else { Action::NoShow })
    }

    /// Adds an entry. The rules are asked here and nowhere else.
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
        };
        self.used[to_act] += i64::from(entry.elapsed);
        self.last_at = self.last_at.plus(i64::from(entry.elapsed) * TICK_MS);
        self.log.push(entry);
        Ok(())
    }
}

/// A stored log that does not replay: never guessed at, always a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BrokenLog {
    /// The game.
    pub id: GameId,
    /// The turn that cannot be replayed.
    pub turn: TurnNumber,
}

impl std::fmt::Display for BrokenLog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the log of game {} does not replay at turn {}", self.id, self.turn)
    }
}

impl std::error::Error for BrokenLog {}
