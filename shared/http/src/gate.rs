//! Requests worked on at once: beyond a number everybody would be slow, so the rest is told at once
//! to come again.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use lambda_http::Request;

use crate::quota::{Place, Quota};

/// Lets in so many requests at once, and not all of them from one address.
#[derive(Clone, Debug)]
pub struct Gate(Quota<IpAddr>);

/// A request's place, kept among its extensions. Clones are the same place, which is free again when
/// the last of them is dropped, or sooner by [`give_way`].
#[derive(Clone, Debug)]
pub struct Pass(Arc<Mutex<Option<Place<IpAddr>>>>);

impl Gate {
    /// A gate for so many requests in all, and so many from one address.
    pub fn new(all: usize, each: usize) -> Gate {
        Gate(Quota::new(all, each))
    }

    /// A place for a request from this address, if one is free.
    pub fn enter(&self, address: IpAddr) -> Option<Pass> {
        let place = self.0.take(address)?;
        Some(Pass(Arc::new(Mutex::new(Some(place)))))
    }
}

/// Gives the request's place to others: it goes on waiting for something and takes hardly any work
/// from here on.
pub fn give_way(request: &Request) {
    if let Some(Pass(place)) = request.extensions().get() {
        drop(place.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_free_again_when_the_request_ends_or_gives_way() {
        let gate = Gate::new(1, 1);
        let enter = || gate.enter([127, 0, 0, 1].into());
        let pass = enter().unwrap();
        assert!(enter().is_none());
        let mut request = Request::default();
        request.extensions_mut().insert(pass.clone());
        give_way(&request);
        give_way(&request);
        let other = enter().unwrap();
        drop((request, pass));
        assert!(enter().is_none(), "a place is given away once");
        drop(other);
        assert!(enter().is_some());
    }
}
