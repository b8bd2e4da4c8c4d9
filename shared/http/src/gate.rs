//! Requests worked on at once: beyond a number everybody would be slow, so the rest is told at once
//! to come again.

use std::sync::{Arc, Mutex, PoisonError};

use lambda_http::Request;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Lets in so many requests at once.
#[derive(Clone, Debug)]
pub struct Gate(Arc<Semaphore>);

/// A request's place, kept among its extensions. Clones are the same place, which is free again when
/// the last of them is dropped, or sooner by [`give_way`].
#[derive(Clone, Debug)]
pub struct Pass(Arc<Mutex<Option<OwnedSemaphorePermit>>>);

impl Gate {
    /// A gate for so many requests.
    pub fn new(most: usize) -> Gate {
        Gate(Arc::new(Semaphore::new(most)))
    }

    /// A place, if one is free.
    pub fn enter(&self) -> Option<Pass> {
        let permit = Arc::clone(&self.0).try_acquire_owned().ok()?;
        Some(Pass(Arc::new(Mutex::new(Some(permit)))))
    }
}

/// Gives the request's place to others: it goes on waiting for something and takes hardly any work
/// from here on.
pub fn give_way(request: &Request) {
    if let Some(Pass(permit)) = request.extensions().get() {
        drop(permit.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_free_again_when_the_request_ends_or_gives_way() {
        let gate = Gate::new(1);
        let pass = gate.enter().unwrap();
        assert!(gate.enter().is_none());
        let mut request = Request::default();
        request.extensions_mut().insert(pass.clone());
        give_way(&request);
        give_way(&request);
        let other = gate.enter().unwrap();
        drop((request, pass));
        assert!(gate.enter().is_none(), "a place is given away once");
        drop(other);
        assert!(gate.enter().is_some());
    }
}
