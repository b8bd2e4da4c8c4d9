//! The arena's use cases in a simulated world.
//!
//! Every request and every message runs the deployed functions of `arena-protocol`; only the
//! tables, the queues, the network, the clock and the agents are simulated. [`worlds`] runs random
//! worlds with crashes, lost and doubled messages, stale reads and agents that lie. [`explore`]
//! runs every schedule of a small world. Both check the same invariants after every write, and
//! print a line that replays a failure. [`measure`] runs a large world without faults but with the
//! limits and latencies of AWS.

mod agents;
mod answers;
mod brain;
mod call;
mod capacity;
mod check;
pub mod deployment;
mod faults;
mod lambda;
mod load;
mod player;
mod process;
mod queue;
mod rest;
mod rng;
mod run;
mod scenarios;
mod script;
mod small;
mod tables;
mod world;

pub use capacity::{Settings, measure};
pub use check::Violation;
pub use lambda::{Function, Invoked};
pub use load::{BySide, Measured};
pub use rng::Rng;
pub use run::{GAMES_PER_WORLD, Outcome, Total, worlds};
pub use scenarios::SCENARIOS;
pub use small::{Explored, Scenario, explore, replay};
pub use tables::{Change, Changed, StandingKey, Tables, View, standing_key};
