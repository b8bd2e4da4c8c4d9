//! The wish to stop early.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit code a shell expects of a program that was interrupted.
pub const INTERRUPTED: u8 = 130;

/// A flag that every clone shares; once raised it stays so.
#[derive(Clone, Default, Debug)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Whether someone wants the match to stop.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Stops the match: no new game is begun, none under way is finished.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Lets Ctrl-C and the signals that ask a process to end raise the flag. The second one ends the
    /// process at once, for those who do not wait until a bot has been stopped.
    pub fn on_ctrl_c(&self) -> Result<(), ctrlc::Error> {
        let flag = self.clone();
        ctrlc::set_handler(move || {
            if flag.0.swap(true, Ordering::Relaxed) {
                process::exit(INTERRUPTED.into());
            }
        })
    }
}
