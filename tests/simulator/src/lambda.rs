//! Lambda: a limited number of functions run at once, and a new execution environment starts slowly.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use crate::load::Load;
use crate::world::World;

/// Requests a second for each unit of concurrency.
const REQUESTS_A_UNIT: usize = 10;

/// Start of a new execution environment.
const COLD_MS: i64 = 150;

/// Counters of a measured time.
#[derive(Default, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Invoked {
    pub functions: BTreeMap<&'static str, Function>,
    /// Most functions at once.
    pub most: usize,
}

#[derive(Clone, Copy, Default, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Function {
    pub calls: u64,
    /// Calls without a unit of concurrency.
    pub refused: u64,
    pub billed_ms: i64,
    /// Most at once.
    pub most: usize,
}

pub(crate) struct Lambda {
    units: usize,
    /// The second, and the calls in it.
    second: (i64, usize),
    running: usize,
    /// Running functions and execution environments, by function.
    environments: HashMap<&'static str, (usize, usize)>,
}

impl Lambda {
    pub(crate) fn new(units: usize) -> Lambda {
        Lambda { units, second: (0, 0), running: 0, environments: HashMap::new() }
    }

    /// Takes a unit of concurrency; `None` if there is no more. Returns the time of a cold start.
    fn invoke(&mut self, now: i64, name: &'static str, counters: &mut Invoked) -> Option<i64> {
        if self.second.0 != now / 1_000 {
            self.second = (now / 1_000, 0);
        }
        let function = counters.functions.entry(name).or_default();
        if self.running >= self.units || self.second.1 >= REQUESTS_A_UNIT * self.units {
            function.refused += 1;
            return None;
        }
        self.second.1 += 1;
        self.running += 1;
        counters.most = counters.most.max(self.running);
        function.calls += 1;
        let (running, warm) = self.environments.entry(name).or_default();
        *running += 1;
        function.most = function.most.max(*running);
        let is_cold = *running > *warm;
        *warm = (*warm).max(*running);
        Some(if is_cold { COLD_MS } else { 0 })
    }
}

/// A running function.
pub(crate) struct Running {
    world: Rc<World>,
    function: &'static str,
    since: i64,
}

impl Running {
    /// Starts a function, with the time of a cold start; refused if there is no concurrency left.
    pub(crate) async fn start(
        world: &Rc<World>,
        function: &'static str,
    ) -> Result<Option<Running>, Busy> {
        let Some(load) = &world.load else { return Ok(None) };
        let cold_ms = {
            let Load { lambda, measured, .. } = &mut *load.borrow_mut();
            lambda.invoke(world.now(), function, &mut measured.lambda).ok_or(Busy)?
        };
        let running = Running { world: world.clone(), function, since: world.now() };
        world.sleep(cold_ms).await;
        Ok(Some(running))
    }
}

/// All units of concurrency are taken.
pub(crate) struct Busy;

impl Drop for Running {
    fn drop(&mut self) {
        let Some(load) = &self.world.load else { return };
        let Load { lambda, measured, .. } = &mut *load.borrow_mut();
        lambda.running -= 1;
        if let Some((running, _)) = lambda.environments.get_mut(self.function) {
            *running -= 1;
        }
        let function = measured.lambda.functions.entry(self.function).or_default();
        function.billed_ms += self.world.now() - self.since + 1;
    }
}
