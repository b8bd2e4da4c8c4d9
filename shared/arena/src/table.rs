//! From tickets to a game, and from its last decision to the ratings.

use renju::{BySeat, Seat};

use crate::agent::{Agent, Waiting};
use crate::counting::Uncounted;
use crate::game::{Decision, Game, GameResult, Header, Player, Reason};
use crate::house::{self, HouseLevel};
use crate::ids::{GameId, TicketId, Timestamp};
use crate::pairing::{counts_from, opponent_hash, sits_first};
use crate::plan::{Message, Plan, Write};
use crate::standing::Standing;
use crate::terms::{Division, Pace};
use crate::timer;

/// Seats two agents that wait in `division`. `None` if one of them no longer does, or if they are
/// the same.
pub fn seat(
    players: BySeat<&Agent>,
    division: Division,
    now: Timestamp,
    pace: &Pace,
) -> Option<Plan> {
    if players.first.name == players.second.name {
        return None;
    }
    let guest = |agent| {
        let waiting = waiting(agent, division, now)?;
        waiting.opponent.may_be_agent().then_some(Guest::Agent(agent, waiting))
    };
    let guests = BySeat { first: guest(players.first)?, second: guest(players.second)? };
    Some(start(guests, division, now, pace))
}

/// Seats an agent that waits in `division` with a house bot. `None` if it no longer waits, or not
/// yet long enough, or for agents only.
pub fn seat_with_house(
    agent: &Agent,
    division: Division,
    now: Timestamp,
    pace: &Pace,
) -> Option<Plan> {
    let waiting = waiting(agent, division, now)?;
    let since = counts_from(waiting.since, now);
    let (level, at) = waiting.opponent.house(since, waiting.rating, pace)?;
    if now < at {
        return None;
    }
    let (agent, house) = (Guest::Agent(agent, waiting), Guest::House(level, agent.epoch));
    let tickets = [agent, house].map(Guest::ticket);
    let [a, b] = tickets.each_ref().map(|ticket| (&ticket.agent, ticket.epoch));
    let (first, second) = if sits_first(a, b) { (agent, house) } else { (house, agent) };
    Some(start(BySeat { first, second }, division, now, pace))
}

fn waiting(agent: &Agent, division: Division, now: Timestamp) -> Option<Waiting> {
    agent.ticket(now)?;
    agent.waiting.filter(|waiting| waiting.division == division)
}

/// Who sits down.
#[derive(Clone, Copy)]
enum Guest<'a> {
    /// An agent, from its place in the queue.
    Agent(&'a Agent, Waiting),
    /// A house bot, for the agent's ticket with this epoch.
    House(HouseLevel, u32),
}

impl Guest<'_> {
    /// What the game is named after. A house bot has no ticket of its own and takes the agent's
    /// epoch, so that seating the same ticket again names the same game.
    fn ticket(self) -> TicketId {
        let (agent, epoch) = match self {
            Guest::Agent(agent, _) => (agent.name.clone(), agent.epoch),
            Guest::House(level, epoch) => (level.name(), epoch),
        };
        TicketId { agent, epoch }
    }

    fn player(self) -> Player {
        match self {
            Guest::Agent(agent, waiting) => {
                Player::agent(agent.name.clone(), agent.keys.current.digest(), waiting.rating)
            }
            Guest::House(level, _) => Player::house_bot(level),
        }
    }
}

/// Why the game of those who sit down cannot count, if it cannot.
fn uncounted(
    guests: BySeat<Guest<'_>>,
    division: Division,
    now: Timestamp,
    pace: &Pace,
) -> Option<Uncounted> {
    let is_over = |seat: Seat| match guests[seat] {
        Guest::Agent(agent, _) => {
            let opponent = guests[!seat].ticket().agent;
            agent.tally.count(&opponent, division, now) >= pace.counted_per_day
        }
        Guest::House(..) => false,
    };
    Seat::BOTH.into_iter().any(is_over).then_some(Uncounted::OpponentLimit)
}

/// Starts the game of those who sit down: two agents, or an agent and a house bot.
fn start(guests: BySeat<Guest<'_>>, division: Division, now: Timestamp, pace: &Pace) -> Plan {
    let tickets = guests.map(Guest::ticket);
    let id = GameId::of(&tickets.first, &tickets.second);
    let header = Header {
        id,
        division,
        turn_ms: pace.turn_ms(division.pool),
        budget_ms: Some(pace.budget_ms(division.pool)),
        uncounted: uncounted(guests, division, now, pace),
        players: guests.map(Guest::player),
        created: now,
    };
    let armed = timer::first(&header, pace);
    let game = Game::start(header);
    let mut messages = vec![Message::Timer { game: id, fire: armed }];
    messages.extend(house::message(&game));
    let mut writes = Vec::with_capacity(3);
    for seat in Seat::BOTH {
        if let Guest::Agent(agent, _) = guests[seat] {
            let opponents = match guests[!seat] {
                Guest::Agent(other, _) => agent.opponents_with(opponent_hash(&other.name)),
                // Only agents are paired, so only agents are worth remembering.
                Guest::House(..) => agent.opponents.clone(),
            };
            let tally = match game.header().uncounted {
                None => agent.tally.with(&tickets[!seat].agent, division, now),
                Some(_) => agent.tally.clone(),
            };
            writes.push(Write::Seat {
                agent: agent.name.clone(),
                epoch: agent.epoch,
                key: agent.keys.current,
                game: id,
                opponents,
                tally,
            });
        }
    }
    writes.push(Write::Create { header: Box::new(game.header().clone()), armed });
    Plan { messages, writes }
}

/// What must be known besides the game to write its next entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needs {
    /// Nothing: the game goes on, or ends without consequences.
    Nothing,
    /// The standings of its agents in the game's division.
    Standings,
    /// The agent in this seat, who did not show up.
    Absentee(Seat),
}

/// What must be read before `next` can be written.
pub fn needs(next: &Game) -> Needs {
    match next.result() {
        None => Needs::Nothing,
        Some(GameResult { reason: Reason::NoShow, .. }) => {
            let absentee = next.deciders().last().copied();
            let absentee = absentee.expect("a game that is over has a last entry");
            match next.header().players[absentee].house() {
                Some(_) => Needs::Nothing,
                None => Needs::Absentee(absentee),
            }
        }
        Some(_) => Needs::Standings,
    }
}

/// Writes the next entry of a game that goes on, and calls the house bot if it is to act; or the
/// end of a game in which a house bot broke off, which is nobody's doing but ours.
pub fn advance(next: Game, pace: &Pace) -> Plan {
    assert!(needs(&next) == Needs::Nothing, "whose end has consequences is not just advanced");
    let messages = house::message(&next).into_iter().chain(timer::sooner(&next, pace)).collect();
    let write = if next.result().is_none() { Write::Advance } else { Write::Finish };
    Plan { messages, writes: vec![write(Box::new(next))] }
}

/// Writes the last entry of a game and the standings of its agents, all or nothing. The standing of
/// a house bot, which has none, is not looked at.
pub fn finish(next: Game, standings: BySeat<&Standing>) -> Plan {
    let result = next.result().expect("a game is finished by its last entry");
    assert!(!result.is_void(), "a game nobody showed up for is abandoned, not rated");
    let header = next.header();
    let rate = |seat: Seat| Write::Rate {
        agent: header.players[seat].name.clone(),
        division: header.division,
        seen_games: standings[seat].listed(),
        standing: Box::new(standings[seat].after(&next, seat)),
    };
    let agents = Seat::BOTH.into_iter().filter(|seat| header.players[*seat].house().is_none());
    let rates: Vec<Write> = agents.map(rate).collect();
    let mut writes = vec![Write::Finish(Box::new(next))];
    writes.extend(rates);
    Plan { messages: Vec::new(), writes }
}

/// The longest an agent is kept from the queue for not showing up.
const COOL_MS_MAX: i64 = 24 * 3_600_000;

/// Writes the end of a game in which `absentee` never made a decision: nobody is rated, and the
/// absentee waits one minute before it may join again, twice as long each time.
pub fn abandon(next: Game, absentee: &Agent) -> Plan {
    let now = next.last_at();
    let lapsed = absentee.cool_until.is_none_or(|until| now.since(until) > COOL_MS_MAX);
    let no_shows = if lapsed { 1 } else { absentee.no_shows.saturating_add(1) };
    let wait = (60_000i64 << (no_shows - 1).min(16)).min(COOL_MS_MAX);
    let cool_down = Write::CoolDown {
        agent: absentee.name.clone(),
        game: next.id(),
        no_shows,
        until: now.plus(wait),
    };
    Plan { messages: Vec::new(), writes: vec![Write::Finish(Box::new(next)), cool_down] }
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
