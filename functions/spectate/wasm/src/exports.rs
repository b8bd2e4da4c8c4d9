//! The three functions a page calls: it writes a request into the input, asks for the answer, and
//! reads it from the output. Both are memory of this module and stay where they are until the next
//! call.

#![allow(unsafe_code, reason = "an exported name is an unsafe attribute")]

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::session::Session;

static INPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static OUTPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static SESSION: Mutex<Session> = Mutex::new(Session::new());

/// Makes room for a request of `bytes` and returns its address.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn input(bytes: usize) -> *mut u8 {
    let mut input = lock(&INPUT);
    input.clear();
    input.resize(bytes, 0);
    input.as_mut_ptr()
}

/// Answers the request in the input; returns the bytes of the answer.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn answer() -> usize {
    let input = lock(&INPUT);
    let text = match std::str::from_utf8(&input) {
        Ok(request) => lock(&SESSION).answer(request),
        Err(why) => format!("error {why}"),
    };
    let mut output = lock(&OUTPUT);
    *output = text.into_bytes();
    output.len()
}

/// Address of the answer.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn output() -> *const u8 {
    lock(&OUTPUT).as_ptr()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
