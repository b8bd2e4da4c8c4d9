//! Seating: from tickets to a game.

use renju::{BySeat, Seat};

use crate::agent::{Agent, Waiting};
use crate::counting::Uncounted;
use crate::game::{Game, Header, Player};
use crate::house::{self, HouseLevel};
use crate::ids::{GameId, TicketId, Timestamp};
use crate::pairing::{counts_from, opponent_hash, sits_first};
use crate::plan::{Message, Plan, Write};
use crate::terms::{Division, Pace};
use crate::timer;

/// Seats two agents in the queue of `division`. `None` if one of them has left it, or if they are
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
    let candidate = |agent| {
        let waiting = waiting(agent, division, now)?;
        waiting.opponent.may_be_agent().then_some(Candidate::Agent(agent, waiting))
    };
    let candidates =
        BySeat { first: candidate(players.first)?, second: candidate(players.second)? };
    let [first, second] = [candidates.first, candidates.second].map(Candidate::is_rated);
    if first != second {
        return None;
    }
    Some(start(candidates, division, now, pace))
}

/// Seats an agent in the queue of `division` with a house bot. `None` if it has left, has not
/// waited long enough, or accepts agents only. Seats of a rated game are always drawn.
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
    let (agent, house) = (Candidate::Agent(agent, waiting), Candidate::House(level, agent.epoch));
    let tickets = [agent, house].map(Candidate::ticket);
    let [a, b] = tickets.each_ref().map(|ticket| (&ticket.agent, ticket.epoch));
    let chosen = waiting.opponent.seat().filter(|_| !waiting.rated);
    let is_first = chosen.map_or_else(|| sits_first(a, b), |seat| seat == Seat::First);
    let (first, second) = if is_first { (agent, house) } else { (house, agent) };
    Some(start(BySeat { first, second }, division, now, pace))
}

/// Starts a game of two house bots, which does not count.
pub fn seat_exhibition(
    levels: BySeat<HouseLevel>,
    division: Division,
    now: Timestamp,
    pace: &Pace,
) -> Plan {
    start(levels.map(|level| Candidate::House(level, 0)), division, now, pace)
}

fn waiting(agent: &Agent, division: Division, now: Timestamp) -> Option<Waiting> {
    agent.ticket(now)?;
    agent.waiting.filter(|waiting| waiting.division == division)
}

#[derive(Clone, Copy)]
enum Candidate<'a> {
    Agent(&'a Agent, Waiting),
    /// A house bot, with the epoch of the agent's ticket.
    House(HouseLevel, u32),
}

impl Candidate<'_> {
    /// The ticket in the game's id. A house bot has none and takes the agent's epoch, so that
    /// seating the same ticket again gives the same id.
    fn ticket(self) -> TicketId {
        let (agent, epoch) = match self {
            Candidate::Agent(agent, _) => (agent.name.clone(), agent.epoch),
            Candidate::House(level, epoch) => (level.name(), epoch),
        };
        TicketId { agent, epoch }
    }

    /// Time of the join; `None` for a house bot.
    fn since(self) -> Option<Timestamp> {
        match self {
            Candidate::Agent(_, waiting) => Some(waiting.since),
            Candidate::House(..) => None,
        }
    }

    /// False for an agent that wants a game outside the ratings.
    fn is_rated(self) -> bool {
        match self {
            Candidate::Agent(_, waiting) => waiting.rated,
            Candidate::House(..) => true,
        }
    }

    fn previous(self) -> Option<GameId> {
        match self {
            Candidate::Agent(agent, _) => agent.game,
            Candidate::House(..) => None,
        }
    }

    fn player(self) -> Player {
        match self {
            Candidate::Agent(agent, waiting) => {
                Player::agent(agent.name.clone(), agent.digest(), waiting.rating)
            }
            Candidate::House(level, _) => Player::house_bot(level),
        }
    }
}

/// Reason why the game of two candidates cannot count, if it cannot.
fn uncounted(
    candidates: BySeat<Candidate<'_>>,
    division: Division,
    now: Timestamp,
    pace: &Pace,
) -> Option<Uncounted> {
    let is_exhibition = Seat::BOTH.into_iter().all(|seat| candidates[seat].since().is_none());
    if is_exhibition {
        return Some(Uncounted::Unrated);
    }
    if !Seat::BOTH.into_iter().all(|seat| candidates[seat].is_rated()) {
        return Some(Uncounted::Unrated);
    }
    let is_over = |seat: Seat| match candidates[seat] {
        Candidate::Agent(agent, _) => {
            let opponent = candidates[!seat].ticket().agent;
            agent.tally.count(&opponent, division, now) >= pace.counted_per_day
        }
        Candidate::House(..) => false,
    };
    Seat::BOTH.into_iter().any(is_over).then_some(Uncounted::OpponentLimit)
}

/// Starts the game of two candidates.
fn start(
    candidates: BySeat<Candidate<'_>>,
    division: Division,
    now: Timestamp,
    pace: &Pace,
) -> Plan {
    let tickets = candidates.map(Candidate::ticket);
    let since = Seat::BOTH.into_iter().filter_map(|seat| candidates[seat].since()).max();
    // An exhibition has no ticket, so its start tells it apart.
    let id = GameId::of(&tickets.first, &tickets.second, since.unwrap_or(now));
    let header = Header {
        id,
        division,
        turn_ms: pace.turn_ms(division.pool),
        budget_ms: Some(pace.budget_ms(division.pool)),
        uncounted: uncounted(candidates, division, now, pace),
        players: candidates.map(Candidate::player),
        previous: candidates.map(Candidate::previous),
        created: now,
    };
    let armed = timer::first(&header, pace);
    let game = Game::start(header);
    let mut messages = vec![Message::Timer { game: id, fire: armed }];
    messages.extend(house::message(&game));
    let mut writes = Vec::with_capacity(3);
    for seat in Seat::BOTH {
        if let Candidate::Agent(agent, _) = candidates[seat] {
            let opponents = match candidates[!seat] {
                Candidate::Agent(other, _) => agent.opponents_with(opponent_hash(&other.name)),
                // Only agents are paired, so only agents are remembered.
                Candidate::House(..) => agent.opponents.clone(),
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
