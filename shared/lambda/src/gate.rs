//! Limit on concurrent requests: more would make all of them slow. A few wait for their turn, the
//! rest are refused at once.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lambda_http::Request;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::quota::{Quota, Slot};

/// Limits concurrent requests, in all and per address.
#[derive(Clone, Debug)]
pub struct Gate {
    /// Requests running or waiting.
    admitted: Quota<IpAddr>,
    working: Arc<Semaphore>,
    patience: Duration,
}

/// A request's slot, kept in its extensions. Clones are the same slot, which is freed when the last
/// of them is dropped, or sooner by [`give_way`].
#[derive(Clone, Debug)]
pub struct Pass(Arc<Mutex<Option<Held>>>);

type Held = (Slot<IpAddr>, OwnedSemaphorePermit);

impl Gate {
    /// A gate for `working` concurrent requests; `admitted` limits these and the ones waiting, each
    /// for at most `patience`.
    pub fn new(admitted: Quota<IpAddr>, working: usize, patience: Duration) -> Gate {
        Gate { admitted, working: Arc::new(Semaphore::new(working)), patience }
    }

    /// A slot for a request from this address; `None` if too many are waiting.
    pub async fn enter(&self, address: IpAddr) -> Option<Pass> {
        let slot = self.admitted.take(address)?;
        let turn = timeout(self.patience, Arc::clone(&self.working).acquire_owned());
        let turn = turn.await.ok()?.ok()?;
        Some(Pass(Arc::new(Mutex::new(Some((slot, turn))))))
    }
}

/// Frees the request's slot: from here on it mostly waits.
pub fn give_way(request: &Request) {
    if let Some(Pass(held)) = request.extensions().get() {
        drop(held.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADDRESS: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    #[tokio::test]
    async fn a_place_is_free_again_when_the_request_ends_or_gives_way() {
        let gate = Gate::new(Quota::new(1, 1), 1, Duration::MAX);
        let enter = || gate.enter(ADDRESS);
        let pass = enter().await.unwrap();
        assert!(enter().await.is_none());
        let mut request = Request::default();
        request.extensions_mut().insert(pass.clone());
        give_way(&request);
        give_way(&request);
        let other = enter().await.unwrap();
        drop((request, pass));
        assert!(enter().await.is_none(), "a slot is given away once");
        drop(other);
        assert!(enter().await.is_some());
    }

    #[tokio::test]
    async fn a_request_waits_for_its_turn() {
        let gate = Gate::new(Quota::new(2, 2), 1, Duration::MAX);
        let first = gate.enter(ADDRESS).await.unwrap();
        let mut second = Box::pin(gate.enter(ADDRESS));
        tokio::select! {
            biased;
            entered = &mut second => panic!("{entered:?}"),
            refused = gate.enter(ADDRESS) => assert!(refused.is_none(), "the queue is full"),
        }
        drop(first);
        assert!(second.await.is_some());
    }

    #[tokio::test]
    async fn a_request_whose_turn_does_not_come_is_refused() {
        let gate = Gate::new(Quota::new(2, 2), 1, Duration::from_millis(1));
        let first = gate.enter(ADDRESS).await.unwrap();
        assert!(gate.enter(ADDRESS).await.is_none());
        drop(first);
        assert!(gate.enter(ADDRESS).await.is_some(), "it has left the queue");
    }
}
