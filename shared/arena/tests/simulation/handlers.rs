//! The functions behind the HTTP routes of a game: load, decide, commit, respond. The referee and
//! lazy enforcement use the same [`update`].

use std::rc::Rc;

use arena::table::{self, Needs};
use arena::{
    Action, Actor, AgentName, Decision, Entry, Game, GameId, KeyHash, Pace, Plan, Rejection,
    Request, Standing, Submission, Tag, Timestamp, TurnNumber, Write, house,
};
use renju::{BySeat, Seat};

use super::answers::Hold;
use super::mutants::Mutant;
use super::process::{Failed, Process, Read};
use super::store::{Conflict, GameItem, standing_key};
use super::world::World;

/// How often a handler decides before it asks the agent to come again.
pub(crate) const ATTEMPTS_MAX: u32 = 4;

/// What a handler answers; `Failed` is a 503.
pub(crate) type Reply<T> = Result<T, Failed>;

/// Who asks.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    pub(crate) name: AgentName,
    pub(crate) key: KeyHash,
}

/// What became of a submission.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// 200: the game right after the decision.
    Accepted(Rc<Game>),
    /// 409 or 422: the game as it is.
    Refused(Rejection, Rc<Game>),
    /// 401 or 404.
    Unknown,
}

/// Loads, decides and commits; decides again on the item that another writer has left.
///
/// A refusal decided on a stale item may be none: a turn that seems to come is already there, and
/// what seems to come too late is already in the log. Both are decided again on the latest item.
pub(crate) async fn update(
    process: &Process,
    (mut item, mut read): (Rc<GameItem>, Read),
    actor: Actor,
    submission: Submission,
    now: Timestamp,
) -> Reply<Answer> {
    let world = &process.world;
    let id = item.game.id();
    for attempt in 0..ATTEMPTS_MAX {
        let next = match decide(world, &item.game, actor, submission, now) {
            Ok(Decision::Commit(next)) => *next,
            Ok(Decision::Replay(_)) if world.is(Mutant::ReplayIsCurrent) => {
                return Ok(Answer::Accepted(item.game.clone()));
            }
            Ok(Decision::Replay(turn)) => {
                world.count("replays");
                return Ok(Answer::Accepted(Rc::new(item.game.at(TurnNumber(turn.0 + 1)))));
            }
            Err(rejection) if read == Read::Eventual && is_doubtful(world, rejection) => {
                (item, read) = (latest(process, id).await?, Read::Strong);
                continue;
            }
            Err(rejection) => return Ok(Answer::Refused(rejection, item.game.clone())),
        };
        let standings = if attempt == 0 { Read::Eventual } else { Read::Strong };
        let plan = plan(process, next.clone(), standings).await?;
        match process.commit(plan).await {
            Ok(Ok(())) => return Ok(Answer::Accepted(Rc::new(next))),
            Ok(Err(_)) if world.is(Mutant::ConflictIsSuccess) => {
                return Ok(Answer::Accepted(Rc::new(next)));
            }
            Ok(Err(Conflict::Game(Some(returned)))) => (item, read) = (returned, Read::Strong),
            Ok(Err(_)) => (item, read) = (latest(process, id).await?, Read::Strong),
            Err(Failed) if world.is(Mutant::FaultIsRefusal) => {
                return Ok(Answer::Refused(Rejection::GameOver, item.game.clone()));
            }
            Err(Failed) => return Err(Failed),
        }
    }
    Err(Failed)
}

/// Whether a refusal decided on a stale item may be none.
fn is_doubtful(world: &World, rejection: Rejection) -> bool {
    match rejection {
        Rejection::TurnMismatch { already_applied: false, .. } => true,
        Rejection::DeadlinePassed => !world.is(Mutant::StaleRefusal),
        _ => false,
    }
}

/// The game decides, whoever asks; the mutants are mistakes a handler could make around it.
fn decide(
    world: &World,
    game: &Game,
    mut actor: Actor,
    submission: Submission,
    now: Timestamp,
) -> Result<Decision, Rejection> {
    let mut pace = world.pace;
    match (world.mutant, actor) {
        (Some(Mutant::TimeoutUnchecked), Actor::Clock) if game.result().is_none() => {
            let entry = Entry { action: Action::Timeout, elapsed: 0, tag: Tag::CLOCK };
            let log = game.log().iter().copied().chain([entry]);
            let ended = Game::restore(game.header().clone(), log);
            return Ok(Decision::Commit(Box::new(ended.expect("a timeout ends any game"))));
        }
        (Some(Mutant::OverBeforeDuplicate), Actor::Seat(_)) if game.result().is_some() => {
            return Err(Rejection::GameOver);
        }
        (Some(Mutant::KeyReuseAccepted), Actor::Seat(_)) => {
            let known = game.log().iter().position(|entry| entry.tag == submission.tag);
            if let Some(turn) = known {
                return Ok(Decision::Replay(TurnNumber(turn as u32)));
            }
        }
        (Some(Mutant::ActorUnchecked), Actor::Seat(seat)) => {
            actor = Actor::Seat(game.to_act().unwrap_or(seat));
        }
        (Some(Mutant::LateAccepted), _) => pace = Pace { lag_ms: 3_000, ..pace },
        _ => {}
    }
    game.apply(actor, submission, now, &pace)
}

/// The plan that writes `next`, with what it needs to know.
async fn plan(process: &Process, next: Game, read: Read) -> Reply<Plan> {
    let players = next.header().players.as_ref().map(|player| player.name.clone());
    match table::needs(&next) {
        Needs::Nothing => Ok(table::advance(next, &process.world.pace)),
        Needs::Standings => {
            let keys = players.map(|name| standing_key(&name, next.header().division));
            let first = process.read(read, |store, at| store.standing(&keys.first, at)).await?;
            let second = process.read(read, |store, at| store.standing(&keys.second, at)).await?;
            let standings = BySeat { first: &*first, second: &*second };
            let mut plan = table::finish(next.clone(), standings);
            if process.world.is(Mutant::HouseRated) {
                plan.writes.extend(house_rating(&next, standings));
            }
            Ok(plan)
        }
        Needs::Absentee(seat) => {
            let name = &players[seat];
            let agent = process.read(Read::Strong, |store, at| store.agent(name, at)).await?;
            let agent = agent.expect("who sits at a table is registered");
            let mut plan = table::abandon(next.clone(), &agent);
            if process.world.is(Mutant::NoShowRated) {
                let key = standing_key(name, next.header().division);
                let seen = process.read(read, |store, at| store.standing(&key, at)).await?;
                plan.writes.push(Write::Rate {
                    agent: name.clone(),
                    division: next.header().division,
                    seen_games: seen.listed(),
                    standing: Box::new(Standing { lost: seen.lost + 1, ..(*seen).clone() }),
                });
            }
            Ok(plan)
        }
    }
}

/// What would be written if a house bot were rated like an agent.
fn house_rating(next: &Game, standings: BySeat<&Standing>) -> Option<Write> {
    let header = next.header();
    let seat = Seat::BOTH.into_iter().find(|seat| header.players[*seat].house().is_some())?;
    let seen = standings[seat];
    Some(Write::Rate {
        agent: header.players[seat].name.clone(),
        division: header.division,
        seen_games: seen.listed(),
        standing: Box::new(Standing { drawn: seen.drawn + 1, ..seen.clone() }),
    })
}

async fn latest(process: &Process, id: GameId) -> Reply<Rc<GameItem>> {
    let item = process.read(Read::Strong, |store, at| store.game(id, at)).await?;
    Ok(item.expect("a game that was seen exists"))
}

/// Reads a game, and again strongly if the first read is behind what the agent has seen.
async fn load(
    process: &Process,
    id: GameId,
    known: TurnNumber,
) -> Reply<Option<(Rc<GameItem>, Read)>> {
    let item = process.read(Read::Eventual, |store, at| store.game(id, at)).await?;
    let is_trusted = process.world.is(Mutant::PollGoesBack);
    if let Some(item) = item.filter(|item| item.turn >= known || is_trusted) {
        return Ok(Some((item, Read::Eventual)));
    }
    let item = process.read(Read::Strong, |store, at| store.game(id, at)).await?;
    Ok(item.map(|item| (item, Read::Strong)))
}

/// The seat of the caller. The game knows the current key; any other is looked up.
async fn authenticate(process: &Process, game: &Game, caller: &Caller) -> Reply<Option<Seat>> {
    let Some(seat) = game.seat_of(&caller.name) else { return Ok(None) };
    if game.header().players[seat].key() == Some(&caller.key.digest()) {
        return Ok(Some(seat));
    }
    let agent = process.read(Read::Strong, |store, at| store.agent(&caller.name, at)).await?;
    let now = process.now();
    let is_good = agent.is_some_and(|agent| is_key(&agent.keys, caller.key, now));
    Ok(is_good.then_some(seat))
}

/// Whether `key` is good at `now`.
pub(crate) fn is_key(keys: &arena::Keys, key: KeyHash, now: Timestamp) -> bool {
    keys.current == key || keys.previous.is_some_and(|(old, until)| old == key && now < until)
}

/// `POST /games/{id}/…`: an agent decides.
pub(crate) async fn submit(
    process: Process,
    caller: Caller,
    id: GameId,
    submission: Submission,
) -> Reply<Answer> {
    let received = process.now();
    let hold = Hold::new(&process.world, &caller.name, id, submission, received);
    let process = process.holding(hold);
    if process.world.is(Mutant::NoFunctionTimeout) {
        let ms = process.world.draw(|rng| rng.within(0, 10_000));
        process.world.sleep(ms).await;
    }
    let known = if let Request::Play(turn, _) = submission.request { turn } else { TurnNumber(0) };
    let Some((item, read)) = load(&process, id, known).await? else { return Ok(Answer::Unknown) };
    let Some(seat) = authenticate(&process, &item.game, &caller).await? else {
        return Ok(Answer::Unknown);
    };
    let actor = Actor::Seat(seat);
    let answer = update(&process, (item, read), actor, submission, received).await?;
    process.answered(&answer);
    Ok(answer)
}

/// `GET /games/{id}`: an agent looks, and the clock is enforced.
pub(crate) async fn poll(
    process: Process,
    caller: Caller,
    id: GameId,
    known: TurnNumber,
) -> Reply<Option<Rc<Game>>> {
    let Some((item, read)) = load(&process, id, known).await? else { return Ok(None) };
    if authenticate(&process, &item.game, &caller).await?.is_none() {
        return Ok(None);
    }
    call_again(&process, &item.game).await?;
    enforce(&process, item, read).await.map(Some)
}

/// Calls a house bot again that should long have acted: its opponent and the sweep do.
pub(crate) async fn call_again(process: &Process, game: &Game) -> Reply<()> {
    match house::late_bell(game, process.now()) {
        Some(bell) if !process.world.is(Mutant::HouseForgotten) => process.ring(bell).await,
        _ => Ok(()),
    }
}

/// The game after lazy enforcement: whoever sees that a player is out of time says so.
pub(crate) async fn enforce(process: &Process, item: Rc<GameItem>, read: Read) -> Reply<Rc<Game>> {
    let now = process.now();
    let overdue = item.game.overdue_from(&process.world.pace);
    if overdue.is_none_or(|overdue| now <= overdue) {
        return Ok(item.game.clone());
    }
    match update(process, (item.clone(), read), Actor::Clock, Submission::FLAG, now).await? {
        Answer::Accepted(game) | Answer::Refused(_, game) => Ok(game),
        Answer::Unknown => Ok(item.game.clone()),
    }
}
