//! The house bots: each bell is heard by a function of its own, which thinks and then decides like
//! everybody else. Two that hear the same bell may think of different plays.

use std::rc::Rc;

use arena::house::{self, Call};
use arena::{Actor, GameId, HouseLevel, TurnNumber};
use renju::Seat;

use super::answers::Hold;
use super::brain;
use super::handlers::update;
use super::process::{Failed, Process, Read};
use super::store::GameItem;

/// How long the decision that rang the bell may still be on its way.
const COMING_MS: i64 = 5_000;
const LOOK_MS: i64 = 200;
const THINK_MS_MAX: i64 = 5_000;

/// Answers one bell.
pub(crate) async fn answer(process: &Process, id: GameId, turn: TurnNumber) -> Result<(), Failed> {
    let world = &process.world;
    let heard = world.now();
    loop {
        let item = process.read(Read::Strong, |store, at| store.game(id, at)).await?;
        match (house::call(item.as_ref().map(|item| &*item.game), turn), item) {
            (Call::Act(seat, level), Some(item)) => return act(process, item, seat, level).await,
            (Call::Soon, _) if world.now() - heard < COMING_MS => world.sleep(LOOK_MS).await,
            _ => return Ok(()),
        }
    }
}

async fn act(
    process: &Process,
    item: Rc<GameItem>,
    seat: Seat,
    level: HouseLevel,
) -> Result<(), Failed> {
    let world = &process.world;
    let think_ms = world.draw(|rng| rng.within(10, THINK_MS_MAX));
    world.sleep(think_ms).await;
    let play = world.draw(|rng| brain::choose(&item.game, rng));
    let submission = house::submission(&item.game, level, play);
    let now = process.now();
    let hold = Hold::new(world, &level.name(), item.game.id(), submission, now);
    let process = process.clone().holding(hold);
    // Read before it thought about it: by now that is a moment old.
    let loaded = (item, Read::Eventual);
    let answer = update(&process, loaded, Actor::Seat(seat), submission, now).await?;
    process.answered(&answer);
    Ok(())
}
