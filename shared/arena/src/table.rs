//! From two tickets to a game, and from its last decision to the ratings.

use renju::{BySeat, Seat};

use crate::agent::Agent;
use crate::game::{Decision, Game, GameResult, Header, Player, Reason};
use crate::ids::{GameId, Timestamp};
use crate::pairing::opponent_hash;
use crate::plan::{Bell, Plan, Write};
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
    let tickets = BySeat { first: players.first.ticket(now)?, second: players.second.ticket(now)? };
    let id = GameId::of(&tickets.first, &tickets.second);
    let player = |agent: &Agent| {
        let waiting = agent.waiting.filter(|waiting| waiting.division == division)?;
        Some(Player {
            name: agent.name.clone(),
            key: agent.keys.current.digest(),
            rating: waiting.rating,
        })
    };
    let header = Header {
        id,
        division,
        turn_ms: pace.turn_ms(division.pool),
        players: BySeat { first: player(players.first)?, second: player(players.second)? },
        created: now,
    };
    let armed = timer::first(&header, pace);
    let seated = |seat: Seat| {
        let agent = players[seat];
        Write::Seat {
            agent: agent.name.clone(),
            epoch: agent.epoch,
            key: agent.keys.current,
            game: id,
            opponents: agent.opponents_with(opponent_hash(&players[!seat].name)),
        }
    };
    Some(Plan {
        bells: vec![Bell::Timer { game: id, fire: armed }],
        writes: vec![
            seated(Seat::First),
            seated(Seat::Second),
            Write::Create { header: Box::new(header), armed },
        ],
    })
}

/// What must be known besides the game to write its next entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needs {
    /// Nothing: the game goes on.
    Nothing,
    /// Both standings in the game's division.
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
            Needs::Absentee(absentee.expect("a game that is over has a last entry"))
        }
        Some(_) => Needs::Standings,
    }
}

/// Writes the next entry of a game that goes on.
pub fn advance(next: Game) -> Plan {
    assert!(next.result().is_none(), "a game that is over is finished, not advanced");
    Plan { bells: Vec::new(), writes: vec![Write::Advance(Box::new(next))] }
}

/// Writes the last entry of a game and both ratings, all or nothing.
pub fn finish(next: Game, standings: BySeat<&Standing>) -> Plan {
    let result = next.result().expect("a game is finished by its last entry");
    assert!(result.is_rated(), "a game nobody showed up for is abandoned, not rated");
    let header = next.header();
    let rate = |seat: Seat| {
        let (own, opponent) = (&header.players[seat], &header.players[!seat]);
        let before = standings[seat];
        let after = before.after(
            header.id,
            own.rating,
            opponent.rating,
            result.score(seat),
            result,
            next.last_at(),
        );
        Write::Rate {
            agent: own.name.clone(),
            division: header.division,
            seen_games: before.games(),
            standing: Box::new(after),
        }
    };
    let rates = Seat::BOTH.map(rate);
    let mut writes = vec![Write::Finish(Box::new(next))];
    writes.extend(rates);
    Plan { bells: Vec::new(), writes }
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
    Plan { bells: Vec::new(), writes: vec![Write::Finish(Box::new(next)), cool_down] }
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
