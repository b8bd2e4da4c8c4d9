//! What a function can do: look at its clock, read, ring, write. Every call is two await points with
//! the effect between them, and a write that is on its way lands even if its sender dies.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use arena::{Bell, Plan, Timestamp, Write};

use super::answers::Hold;
use super::faults::Fault;
use super::handlers::Answer;
use super::mutants::Mutant;
use super::store::{Conflict, LATEST, Store};
use super::world::{LIFETIME_MS, Owner, World};

/// How often the SDK tries before it gives up.
const SDK_ATTEMPTS_MAX: u32 = 3;

/// A service did not answer, or not well: the agent is told to come again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Failed;

/// How a read is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Read {
    /// May show the past.
    Eventual,
    /// Shows the latest; of a transaction under way perhaps one part and not yet another.
    Strong,
    /// Shows the latest, of a transaction all or nothing.
    Transaction,
}

/// A running function.
#[derive(Clone)]
pub(crate) struct Process {
    pub(crate) world: Rc<World>,
    skew_ms: i64,
    hold: Option<Rc<Hold>>,
}

impl Process {
    /// Starts a function after `delay_ms`.
    pub(crate) fn start<F: Future<Output = ()> + 'static>(
        world: &Rc<World>,
        delay_ms: i64,
        body: impl FnOnce(Process) -> F,
    ) {
        Process::start_for(world, delay_ms, LIFETIME_MS, body);
    }

    /// Starts a function that may take so long.
    pub(crate) fn start_for<F: Future<Output = ()> + 'static>(
        world: &Rc<World>,
        delay_ms: i64,
        lifetime_ms: i64,
        body: impl FnOnce(Process) -> F,
    ) {
        let most = world.faults.skew_ms;
        let skew_ms = world.draw(|rng| rng.within(-most, most));
        let until = match world.mutant {
            Some(Mutant::NoFunctionTimeout) => i64::MAX,
            _ => world.now() + delay_ms + lifetime_ms,
        };
        let process = Process { world: world.clone(), skew_ms, hold: None };
        world.spawn(Owner::Process { until }, delay_ms, body(process));
    }

    /// This machine's clock.
    pub(crate) fn now(&self) -> Timestamp {
        self.world.timestamp().plus(self.skew_ms)
    }

    /// From now on the process, and every write it sends, holds a submission.
    pub(crate) fn holding(self, hold: Hold) -> Process {
        Process { hold: Some(Rc::new(hold)), ..self }
    }

    /// The function answers the submission it holds.
    pub(crate) fn answered(&self, answer: &Answer) {
        self.hold.as_ref().expect("who answers holds a submission").answered(answer);
    }

    /// One way to a service or back.
    fn leg_ms(&self) -> i64 {
        let slow = self.world.strikes(Fault::Slow);
        let most_ms = if slow { 500 } else { 15 };
        self.world.draw(|rng| rng.within(1, most_ms))
    }

    async fn pass(&self) {
        let leg_ms = self.leg_ms();
        self.world.sleep(leg_ms).await;
    }

    /// How far back this read looks: the time it shows.
    fn seen_at(&self, fault: Fault) -> i64 {
        let world = &self.world;
        if world.strikes(fault) {
            world.now() - world.draw(|rng| rng.within(1, world.faults.stale_ms))
        } else {
            world.now()
        }
    }

    /// Reads an item.
    pub(crate) async fn read<T>(
        &self,
        read: Read,
        get: impl FnOnce(&Store, i64) -> T,
    ) -> Result<T, Failed> {
        self.pass().await;
        if self.world.strikes(Fault::Throttled) {
            return Err(Failed);
        }
        let at = match read {
            Read::Strong => self.world.now(),
            Read::Eventual => self.seen_at(Fault::StaleRead),
            Read::Transaction => LATEST,
        };
        let item = get(&self.world.store.borrow(), at);
        self.pass().await;
        Ok(item)
    }

    /// Reads an index, which lags behind for every item differently.
    pub(crate) async fn query<T>(
        &self,
        query: impl FnOnce(&Store, &mut dyn FnMut() -> i64) -> T,
    ) -> Result<T, Failed> {
        self.pass().await;
        if self.world.strikes(Fault::Throttled) {
            return Err(Failed);
        }
        let found = query(&self.world.store.borrow(), &mut || self.seen_at(Fault::IndexLag));
        self.pass().await;
        Ok(found)
    }

    /// Sends a message.
    pub(crate) async fn ring(&self, bell: Bell) -> Result<(), Failed> {
        self.pass().await;
        if self.world.strikes(Fault::Throttled) {
            return Err(Failed);
        }
        super::queue::send(&self.world, bell, bell.delay_ms(self.now()));
        self.pass().await;
        Ok(())
    }

    /// Carries out a plan: its bells first, then its writes.
    pub(crate) async fn commit(&self, plan: Plan) -> Result<Result<(), Conflict>, Failed> {
        let late = self.world.is(Mutant::BellsAfterWrite);
        if !late {
            self.ring_all(&plan).await?;
        }
        let (plan, rest) = self.split(plan);
        let done = self.write(Rc::new(plan.clone())).await?;
        if let (Ok(()), Some(rest)) = (&done, rest) {
            let _ = self.write(Rc::new(rest)).await?;
        }
        if late && done.is_ok() {
            self.ring_all(&plan).await?;
        }
        Ok(done)
    }

    async fn ring_all(&self, plan: &Plan) -> Result<(), Failed> {
        for &bell in &plan.bells {
            self.ring(bell).await?;
        }
        Ok(())
    }

    /// A mutant writes the ratings after the end of the game, not with it.
    fn split(&self, plan: Plan) -> (Plan, Option<Plan>) {
        if !self.world.is(Mutant::RatingOutsideTransaction) {
            return (plan, None);
        }
        let is_rating = |write: &Write| matches!(write, Write::Rate { .. });
        let (ratings, writes): (Vec<_>, Vec<_>) = plan.writes.into_iter().partition(is_rating);
        let rest = Plan { bells: Vec::new(), writes: ratings };
        (Plan { bells: plan.bells, writes }, (!rest.writes.is_empty()).then_some(rest))
    }

    /// Writes as the SDK does: a call that failed is sometimes sent again. A transaction has a
    /// token by which it is known again; a single write only has its condition.
    async fn write(&self, plan: Rc<Plan>) -> Result<Result<(), Conflict>, Failed> {
        let has_landed = Rc::new(Cell::new(false));
        for attempt in 1.. {
            let (there_ms, back_ms) = (self.leg_ms(), self.leg_ms());
            let answer = Rc::new(RefCell::new(None));
            let landing = {
                let (process, plan) = (self.clone(), plan.clone());
                let (answer, has_landed) = (answer.clone(), has_landed.clone());
                async move {
                    if let Some(hold) = &process.hold {
                        hold.sent(-1);
                    }
                    let landed = process.land(&plan, &has_landed);
                    *answer.borrow_mut() = Some(landed);
                }
            };
            if let Some(hold) = &self.hold {
                hold.sent(1);
            }
            self.world.spawn(Owner::Cloud, there_ms, landing);
            self.world.sleep(there_ms + back_ms).await;
            let answer = answer.take().expect("a call is answered before its sender goes on");
            let again = attempt < SDK_ATTEMPTS_MAX && self.world.draw(|rng| rng.chance(5_000));
            if answer.is_ok() || !again {
                return answer;
            }
        }
        unreachable!("the last attempt returns")
    }

    /// A write arrives at the tables.
    fn land(&self, plan: &Plan, has_landed: &Cell<bool>) -> Result<Result<(), Conflict>, Failed> {
        let world = &self.world;
        if world.strikes(Fault::Throttled) {
            return Err(Failed);
        }
        if has_landed.get() && plan.writes.len() > 1 {
            return Ok(Ok(()));
        }
        let is_torn = plan.writes.len() > 1 && world.strikes(Fault::HalfSeen);
        let apart_ms = if is_torn { world.faults.apart_ms } else { 0 };
        let visible_at = || world.now() + world.draw(|rng| rng.within(0, apart_ms));
        let committed = world.store.borrow_mut().commit(plan, visible_at);
        world.trace(|| {
            format!("{} {}", if committed.is_ok() { "lands" } else { "fails" }, brief(plan))
        });
        let changes = match committed {
            Ok(changes) => changes,
            Err(conflict) => {
                world.count("conflicts");
                return Ok(Err(conflict));
            }
        };
        has_landed.set(true);
        world.check.borrow_mut().observe(world, plan, &changes);
        if world.strikes(Fault::Ambiguous) { Err(Failed) } else { Ok(Ok(())) }
    }
}

/// A plan in one line, for the trace.
fn brief(plan: &Plan) -> String {
    let write = |write: &Write| match write {
        Write::Register(agent) => format!("register {}", agent.name),
        Write::Advance(game) | Write::Finish(game) => {
            format!("{} turn {} {:?}", game.id(), game.turn(), game.log().last())
        }
        Write::Create { header, .. } => {
            let players = header.players.as_ref().map(|player| player.name.clone());
            format!("create {} {} {}", header.id, players.first, players.second)
        }
        Write::Rate { agent, seen_games, .. } => format!("rate {agent} {seen_games}"),
        other => format!("{other:?}"),
    };
    plan.writes.iter().map(write).collect::<Vec<_>>().join("; ")
}
