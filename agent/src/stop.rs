//! The wish to stop, and pauses that end when it is uttered.

use std::process;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// The exit code a shell expects of a program that was interrupted.
pub const INTERRUPTED: u8 = 130;

/// A flag that every clone shares; once raised it stays so.
#[derive(Clone, Default, Debug)]
pub struct Stop(Arc<(Mutex<bool>, Condvar)>);

impl Stop {
    /// Lets Ctrl-C and the signals that ask a process to end raise the flag. The second one ends the
    /// process at once.
    pub fn on_ctrl_c(&self) -> Result<(), ctrlc::Error> {
        let stop = self.clone();
        ctrlc::set_handler(move || {
            if stop.raise() {
                process::exit(INTERRUPTED.into());
            }
        })
    }

    /// Asks for the end, and tells whether that had been done before.
    pub fn raise(&self) -> bool {
        let (flag, changed) = &*self.0;
        let before =
            std::mem::replace(&mut *flag.lock().unwrap_or_else(PoisonError::into_inner), true);
        changed.notify_all();
        before
    }

    /// Whether the end has been asked for.
    pub fn is_raised(&self) -> bool {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits, and says whether to go on.
    pub(crate) fn pause(&self, time: Duration) -> bool {
        let (flag, changed) = &*self.0;
        let raised = flag.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = changed.wait_timeout_while(raised, time, |raised| !*raised);
        !*waited.unwrap_or_else(PoisonError::into_inner).0
    }
}
