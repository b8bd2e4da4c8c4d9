//! CPU-bound work: on its own threads, with a limit.

use std::sync::Arc;

use arena_wire::Code;
use tokio::sync::Semaphore;

use crate::refusal::Refusal;

/// Threads for long computations. Clones share them.
#[derive(Clone, Debug)]
pub struct Workers {
    threads: Arc<Semaphore>,
    /// Threads and the queue before them.
    admitted: Arc<Semaphore>,
}

/// Reason why work has no result.
#[allow(missing_docs, reason = "the names say it")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotDone {
    /// The queue is full. Nothing was done.
    Busy,
    Panicked,
}

impl Workers {
    /// `threads` at once, and a queue of this length before them.
    pub fn new(threads: usize, queue: usize) -> Workers {
        Workers {
            threads: Arc::new(Semaphore::new(threads)),
            admitted: Arc::new(Semaphore::new(threads + queue)),
        }
    }

    /// Does the work, at once or after the work in the queue. Work that has begun is finished and
    /// counted even if its caller is gone.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, NotDone> {
        let admitted = Arc::clone(&self.admitted).try_acquire_owned();
        let admitted = admitted.map_err(|_| NotDone::Busy)?;
        let thread = Arc::clone(&self.threads).acquire_owned().await;
        let thread = thread.map_err(|_| NotDone::Busy)?;
        let done = tokio::task::spawn_blocking(move || {
            let _held = (admitted, thread);
            work()
        });
        done.await.map_err(|_| NotDone::Panicked)
    }
}

impl From<NotDone> for Refusal {
    fn from(why: NotDone) -> Refusal {
        match why {
            NotDone::Busy => Refusal::busy("too many others ask for the same kind of work"),
            NotDone::Panicked => {
                Refusal::plain(Code::Internal, "the function stopped unexpectedly")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn work_queues_up_to_a_length_and_is_refused_beyond() {
        let workers = Workers::new(1, 1);
        let (finish, finished) = mpsc::channel::<()>();
        let mut running = Box::pin(workers.run(move || finished.recv().is_err()));
        let mut queued = Box::pin(workers.run(|| 2));
        tokio::select! {
            biased;
            done = &mut running => panic!("{done:?}"),
            done = &mut queued => panic!("{done:?}"),
            refused = workers.run(|| 3) => assert_eq!(refused, Err(NotDone::Busy)),
        }
        drop(finish);
        assert_eq!((running.await, queued.await), (Ok(true), Ok(2)));
        assert_eq!(workers.run(|| 4).await, Ok(4));
    }

    #[tokio::test]
    async fn work_that_nobody_waits_for_still_counts() {
        let workers = Workers::new(1, 0);
        let (finish, finished) = mpsc::channel::<()>();
        let (begin, begun) = tokio::sync::oneshot::channel();
        tokio::select! {
            biased;
            done = workers.run(move || { let _ = begin.send(()); finished.recv().is_err() }) => {
                panic!("{done:?}")
            }
            begun = begun => begun.unwrap(),
        }
        assert_eq!(workers.run(|| ()).await, Err(NotDone::Busy));
        drop(finish);
        while workers.run(|| ()).await == Err(NotDone::Busy) {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn a_panic_frees_the_thread() {
        let workers = Workers::new(1, 0);
        assert_eq!(workers.run(|| panic!("on purpose")).await, Err::<(), _>(NotDone::Panicked));
        assert_eq!(workers.run(|| 1).await, Ok(1));
    }
}
