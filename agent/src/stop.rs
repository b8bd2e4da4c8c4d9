//! Stop flag, and pauses that end when it is set.

use std::process;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Exit code of an interrupted program, by shell convention.
pub const INTERRUPTED: u8 = 130;

/// Flag shared by all clones; once set it stays set.
#[derive(Clone, Default, Debug)]
pub struct Stop(Arc<(Mutex<bool>, Condvar)>);

impl Stop {
    /// Sets the flag on Ctrl-C and termination signals. The second one ends the process at once.
    pub fn on_ctrl_c(&self) -> Result<(), ctrlc::Error> {
        let stop = self.clone();
        ctrlc::set_handler(move || {
            if stop.raise() {
                process::exit(INTERRUPTED.into());
            }
        })
    }

    /// Sets the flag; returns its previous value.
    pub fn raise(&self) -> bool {
        let (flag, changed) = &*self.0;
        let before =
            std::mem::replace(&mut *flag.lock().unwrap_or_else(PoisonError::into_inner), true);
        changed.notify_all();
        before
    }

    /// True if the flag is set.
    pub fn is_raised(&self) -> bool {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits; returns false if the flag was set.
    pub(crate) fn pause(&self, time: Duration) -> bool {
        let (flag, changed) = &*self.0;
        let raised = flag.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = changed.wait_timeout_while(raised, time, |raised| !*raised);
        !*waited.unwrap_or_else(PoisonError::into_inner).0
    }
}
