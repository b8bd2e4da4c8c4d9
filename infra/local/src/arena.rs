//! The arena as one process: stack, functions, gateway, referee, house bots, sweep.

#![allow(missing_docs, reason = "the names say it")]

use std::net::SocketAddr;
use std::time::Duration;

use arena::{Message, Pace};
use arena_lambda::{Context, Settings, handle_batch, log};
use arena_protocol::Backend;
use arena_store::{Access, Store};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::duel::Duels;
use crate::exhibition::{self, Audience};
use crate::pump::{self, Source};
use crate::resume::resume;
use crate::stack::{PREFIX, SHARDS};
use crate::{Limits, Stack, StartError, duel, gateway};

/// A running arena; stops when dropped.
#[derive(Debug)]
pub struct Arena {
    address: SocketAddr,
    duel_address: Option<SocketAddr>,
    context: Context,
    stop: watch::Sender<()>,
    tasks: Vec<JoinHandle<()>>,
    stack: Option<Stack>,
}
#[derive(Clone, Debug)]
pub struct Options {
    /// Port 0 picks one.
    pub listen: SocketAddr,
    pub settings: Settings,
    pub pace: Pace,
    /// Interval of the sweep.
    pub sweep_every: Duration,
    /// A separate address for duels, besides `/ws`.
    pub duel: Option<SocketAddr>,
    /// Time between two decisions of house bots that play each other while nobody else plays; `None`
    /// without such games.
    pub exhibition: Option<Duration>,
    pub limits: Limits,
}

impl Arena {
    /// Starts an arena on this stack, whose tables may already hold games.
    pub async fn start(stack: Stack, options: Options) -> Result<Arena, StartError> {
        let mut arena = Arena::start_on(&stack.access(), PREFIX, options).await?;
        arena.stack = Some(stack);
        Ok(arena)
    }

    /// Starts an arena on any DynamoDB and SQS; `prefix` keeps its tables and queues apart.
    pub async fn start_on(
        access: &Access,
        prefix: &str,
        options: Options,
    ) -> Result<Arena, StartError> {
        let store = Store::create(access, prefix, SHARDS, options.pace).await?;
        let config = store.config().clone();
        let context = Context::new(store, options.settings);
        // A game that cannot be read must not stop the others.
        if let Err(fault) = resume(&context).await {
            log::fault(&fault);
        }
        let (listener, address) = bind(options.listen).await?;
        let (duels, duel_address) = match options.duel {
            Some(listen) => bind(listen).await.map(|(duels, at)| (Some(duels), Some(at)))?,
            None => (None, None),
        };
        let (stop, stopping) = watch::channel(());

        let mut tasks = Vec::new();
        for _ in 0..thinkers() {
            let (context, source) = (context.clone(), Source::house(access, &config));
            let handle = move |event| handle_batch(context.clone(), event, arena_house::handle);
            tasks.push(tokio::spawn(pump::run(source, handle, stopping.clone())));
        }
        for source in [Source::referee(access, &config), Source::matches(access, &config)] {
            let context = context.clone();
            let handle = move |event| handle_batch(context.clone(), event, arena_referee::handle);
            tasks.push(tokio::spawn(pump::run(source, handle, stopping.clone())));
        }
        let sweep = tokio::spawn(sweep(context.clone(), options.sweep_every, stopping.clone()));
        let audience = Audience::default();
        tasks.extend(options.exhibition.map(|every| {
            let exhibition =
                exhibition::hold(context.clone(), every, audience.clone(), stopping.clone());
            tokio::spawn(exhibition)
        }));
        let duelling = Duels::new(options.limits);
        let gateway = {
            let (context, duelling) = (context.clone(), duelling.clone());
            gateway::serve(context, listener, options.limits, duelling, audience, stopping.clone())
        };
        let gateway = tokio::spawn(gateway);
        tasks.extend([gateway, sweep]);
        tasks.extend(duels.map(|listener| {
            tokio::spawn(duel::serve(listener, options.limits, duelling, stopping))
        }));
        Ok(Arena { address, duel_address, context, stop, tasks, stack: None })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The separate address for duels.
    pub fn duel_address(&self) -> Option<SocketAddr> {
        self.duel_address
    }

    /// The context that the functions share.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Stops accepting requests, finishes those in progress, closes the tables.
    pub async fn stop(self) {
        let Arena { stop, tasks, stack, .. } = self;
        drop(stop);
        for task in tasks {
            // A task that panicked has already reported it.
            let _ = task.await;
        }
        if let Some(stack) = stack {
            stack.stop().await;
        }
    }
}

async fn bind(listen: SocketAddr) -> Result<(TcpListener, SocketAddr), StartError> {
    let wrong = |error| StartError::Listen(listen, error);
    let listener = TcpListener::bind(listen).await.map_err(wrong)?;
    let address = listener.local_addr().map_err(wrong)?;
    Ok((listener, address))
}

/// Number of house bots that think at once. Lambda would start one function per message; here they
/// share the cores, but a weak bot should not have to wait for a strong one.
fn thinkers() -> usize {
    2 * std::thread::available_parallelism().map_or(1, usize::from)
}

/// The job of the schedule in a deployment. The first sweep runs at once.
async fn sweep(context: Context, every: Duration, mut stop: watch::Receiver<()>) {
    let mut ticks = tokio::time::interval(every);
    loop {
        tokio::select! {
            changed = stop.changed() => if changed.is_err() { return },
            _ = ticks.tick() => {
                if let Err(fault) = context.store.send(&[Message::Sweep]).await {
                    log::fault(&fault);
                }
            }
        }
    }
}
