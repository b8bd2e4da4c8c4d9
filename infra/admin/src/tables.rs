//! Commands about all tables.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::time::Duration;

use arena_store::{Paging, Store, now};
use arena_wire::{Detail, GameView, TimeView, json};

use crate::error::Error;

/// Pause before a violation is looked for again: writes that an audit has half seen are whole then.
const PAUSE: Duration = Duration::from_secs(2);

/// Games read at once.
const PAGE: u16 = 100;

pub(crate) async fn audit(store: &Store, out: &mut Vec<u8>) -> Result<(), Error> {
    let mut audit = store.audit(now()).await?;
    if !audit.is_clean() {
        let first: BTreeSet<String> = audit.violations.into_iter().collect();
        tokio::time::sleep(PAUSE).await;
        audit = store.audit(now()).await?;
        audit.violations.retain(|violation| first.contains(violation));
    }
    let sweep = audit.heartbeat.map_or("never".to_owned(), |at| TimeView(at).to_string());
    let counts = [
        ("agents", audit.agents),
        ("waiting", audit.waiting),
        ("standings", audit.standings),
        ("live games", audit.live),
        ("overdue", audit.overdue),
        ("finished games", audit.finished),
        ("bytes of games", audit.game_bytes),
        ("violations", audit.violations.len()),
    ];
    for (what, count) in counts {
        writeln!(out, "{what:14} {count}")?;
    }
    writeln!(out, "{:14} {sweep}", "last sweep")?;
    for violation in &audit.violations {
        writeln!(out, "{violation}")?;
    }
    match audit.violations.len() {
        0 => Ok(()),
        count => Err(Error::new(format!("the audit found {count} violations"))),
    }
}

/// Prints as it reads: there may be more games than memory holds.
pub(crate) async fn export(store: &Store) -> Result<(), Error> {
    let mut out = io::BufWriter::new(io::stdout());
    let mut paging = Paging::first(PAGE);
    loop {
        let listing = store.finished(None, paging).await?;
        for game in store.games_in_order(&listing.entries).await? {
            let view = GameView::new(&game, None, game.last_at(), Detail::BRIEF);
            out.write_all(&json(&view))?;
            out.write_all(b"\n")?;
        }
        match listing.next {
            Some(after) => paging = Paging { limit: PAGE, after: Some(after) },
            None => return Ok(out.flush()?),
        }
    }
}
