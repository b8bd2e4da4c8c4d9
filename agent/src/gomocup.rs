//! `renju engine`: our engine as a Gomocup program.
//!
//! Points are written as in the Gomocup protocol: `x` from the left, `y` from the **top**, both
//! from zero, so a15 is `0,0` on a board of 15.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use std::time::Instant;

use clap::Args;
use renju::Point;
use renju_engine::Engine;

mod clock;
pub(crate) mod rule;
mod session;
mod stones;
mod swap2;

pub use session::{Reply, Session};

use crate::lines::{Line, Lines};

/// Long help of the subcommand.
pub const ABOUT: &str = "\
Run our engine as a Gomocup program: commands on standard input, answers on standard output.

Any manager of the Gomocup protocol can run it. Boards of side 5 to 20; rules 0 (five or more),
1 (exactly five) and 4 (Renju, side 15).

  START n, RESTART, BEGIN, TURN x,y, BOARD ... DONE, TAKEBACK x,y, ABOUT, END
  SWAP2BOARD ... DONE   an opening by Swap2: three stones, SWAP, one stone or two
  INFO timeout_turn, timeout_match, time_left   in milliseconds; a turn of 0 asks for a move at once
  INFO max_memory, max_node   in bytes and positions; 0 means no limit
  INFO thread_num       as --threads
  INFO rule             0, 1 or 4
  YXBOARD ... DONE, YXSHOWFORBID   sets a position, and lists the points forbidden to Black

An invalid line is answered with ERROR or UNKNOWN and changes nothing. END and the end of the input stop
a search.";

/// Examples for the help page.
pub const EXAMPLES: &str = "\
Examples:
  $ renju match 'piskvork:renju engine' main.py --timeout 0.5
  $ renju engine
  START 15
  OK
  INFO timeout_turn 500
  BEGIN
  7,7";

/// Arguments of `renju engine`.
#[derive(Args)]
pub struct Options {
    /// Number of search threads. With one, the same positions and node limits give the same moves
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u8).range(1..=Engine::THREADS_MAX as i64))]
    threads: u8,

    /// Positions searched per move, unless the manager sends `INFO max_node` [default: no limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
}

/// Lines that may be queued while the engine thinks.
const UNREAD_MAX: usize = 4096;

/// A line and its arrival time, from which the clock runs.
struct Said {
    at: Instant,
    line: Option<String>,
}

/// Answers every line of `input` on `output` until END or the end of the input.
///
/// A separate thread reads the input, so that END or the end of the input stops a search at once.
pub fn run(
    options: &Options,
    input: impl Read + Send + 'static,
    mut output: impl Write,
) -> io::Result<()> {
    let stop = Arc::new(AtomicBool::new(false));
    let (sender, lines) = sync_channel(UNREAD_MAX);
    let heard = Arc::clone(&stop);
    thread::spawn(move || listen(input, &sender, &heard));
    let mut session = Session::new(options.threads.into(), options.nodes);
    for Said { at, line } in lines {
        let reply = match line {
            Some(line) => session.hear(&line, at, &stop),
            None => session.hear_too_much(),
        };
        match reply {
            Reply::Silence => {}
            Reply::Line(line) => {
                writeln!(output, "{line}")?;
                output.flush()?;
            }
            Reply::End => break,
        }
    }
    Ok(())
}

fn listen(input: impl Read, said: &SyncSender<Said>, stop: &AtomicBool) {
    let mut lines = Lines::new(input);
    while let Ok(Some(line)) = lines.read() {
        let line = match line {
            Line::Text(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
            Line::TooLong => None,
        };
        let is_end = line.as_deref().is_some_and(session::is_end);
        if is_end {
            stop.store(true, Ordering::Relaxed);
        }
        if said.send(Said { at: Instant::now(), line }).is_err() || is_end {
            return;
        }
    }
    stop.store(true, Ordering::Relaxed);
}

/// Writes a point in the protocol's form.
pub(crate) fn write_point(point: Point, size: u8) -> String {
    let (x, y) = coordinates(point, size);
    format!("{x},{y}")
}

/// Column from the left and row from the top.
fn coordinates(point: Point, size: u8) -> (u8, u8) {
    (point.x(), size - 1 - point.y())
}

/// Reads `x,y`; `None` off the board.
pub(crate) fn read_point(text: &str, size: u8) -> Option<Point> {
    let (x, y) = text.trim().split_once(',')?;
    let y = size.checked_sub(1)?.checked_sub(y.trim().parse().ok()?)?;
    Point::new(x.trim().parse().ok()?, y).filter(|point| point.is_on(size))
}
