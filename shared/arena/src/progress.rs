//! The next entry of a game as a plan: the game continues, or ends with its ratings.

use renju::{BySeat, Seat};

use crate::agent::Agent;
use crate::game::{Game, GameResult, Reason};
use crate::house;
use crate::plan::{Plan, Write};
use crate::standing::Standing;
use crate::terms::Pace;
use crate::timer;

/// Records needed besides the game to write its next entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needs {
    /// The game continues, or ends without consequences.
    Nothing,
    /// The standings of its agents in the game's division.
    Standings,
    /// The agent in this seat, a no-show.
    Absentee(Seat),
}

/// The records to read before `next` can be written.
pub fn needs(next: &Game) -> Needs {
    match next.result() {
        None | Some(GameResult { reason: Reason::Void, .. }) => Needs::Nothing,
        Some(GameResult { reason: Reason::NoShow, .. }) => {
            let absentee = next.deciders().last().copied();
            let absentee = absentee.expect("a game that is over has a last entry");
            match next.header().players[absentee].house() {
                Some(_) => Needs::Nothing,
                None => Needs::Absentee(absentee),
            }
        }
        Some(_) if !next.is_rated() => Needs::Nothing,
        Some(_) => Needs::Standings,
    }
}

/// Writes the next entry of a game that continues, with a message to the house bot if it is to act;
/// or the end of a game without other consequences: an unrated one, one in which a house bot ran out
/// of time, or one that an operator broke off.
pub fn advance(next: Game, pace: &Pace) -> Plan {
    assert!(needs(&next) == Needs::Nothing, "whose end has consequences is not just advanced");
    let messages = house::message(&next).into_iter().chain(timer::sooner(&next, pace)).collect();
    let write = if next.result().is_none() { Write::Advance } else { Write::Finish };
    Plan { messages, writes: vec![write(Box::new(next))] }
}

/// Writes the last entry of a game and the standings of its agents, all or nothing. The standing
/// given for a house bot is ignored.
pub fn finish(next: Game, standings: BySeat<&Standing>) -> Plan {
    let result = next.result().expect("a game is finished by its last entry");
    assert!(!result.is_void(), "a game that does not count is not rated");
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

/// The longest penalty for a no-show.
const COOL_MS_MAX: i64 = 24 * 3_600_000;

/// Writes the end of a game in which `absentee` never made a decision. No one is rated; the
/// absentee cannot join for one minute, twice as long each time.
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
