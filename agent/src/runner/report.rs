//! Output of a match: the CodeClash block on one stream, information for people on the other.

use std::io::{self, Write};

use indicatif::{ProgressBar, ProgressStyle};

use super::elo::Tally;
use super::game::Finished;
use super::player::Player;
use super::setup::Setup;

/// Characters of a bot's words that are shown.
const ERROR_MAX: usize = 160;

/// Writes results as they arrive, and counts them.
pub(super) struct Report<'a, W> {
    setup: &'a Setup,
    output: W,
    /// Hidden unless standard error is a terminal.
    progress: ProgressBar,
    /// From the first player's point of view.
    tally: Tally,
}

impl<'a, W: Write> Report<'a, W> {
    pub(super) fn new(setup: &'a Setup, output: W) -> Report<'a, W> {
        let progress = ProgressBar::new(u64::from(setup.rounds));
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} {eta} left") {
            progress.set_style(style);
        }
        Report { setup, output, progress, tally: Tally::default() }
    }

    pub(super) fn begin(&mut self) -> io::Result<()> {
        let (one, two) = (self.setup.bot(Player::One), self.setup.bot(Player::Two));
        writeln!(self.output, "Running {} games between:", self.setup.rounds)?;
        writeln!(self.output, "  Player 1: {}", one.given)?;
        writeln!(self.output, "  Player 2: {}", two.given)?;
        writeln!(self.output)?;
        self.output.flush()
    }

    pub(super) fn game(&mut self, finished: &Finished) -> io::Result<()> {
        match finished.winner {
            Some(Player::One) => self.tally.wins += 1,
            Some(Player::Two) => self.tally.losses += 1,
            None => self.tally.draws += 1,
        }
        let line = line(finished);
        self.progress.suspend(|| {
            writeln!(self.output, "{line}")?;
            self.output.flush()
        })?;
        let Tally { wins, draws, losses } = self.tally;
        self.progress.set_message(format!("+{wins} ={draws} -{losses}"));
        self.progress.inc(1);
        Ok(())
    }

    /// Writes the final block and returns the results.
    pub(super) fn end(mut self) -> io::Result<Tally> {
        self.progress.finish_and_clear();
        let Tally { wins, draws, losses } = self.tally;
        let (one, two) = (self.setup.bot(Player::One), self.setup.bot(Player::Two));
        writeln!(self.output)?;
        writeln!(self.output, "FINAL_RESULTS")?;
        writeln!(self.output, "Bot_1_main: {wins} rounds won ({})", one.label())?;
        writeln!(self.output, "Bot_2_main: {losses} rounds won ({})", two.label())?;
        writeln!(self.output, "Draws: {draws}")?;
        self.output.flush()?;
        self.remark();
        Ok(self.tally)
    }

    fn remark(&self) {
        let mut remarks = io::stderr().lock();
        // Nothing can be reported if the error stream is closed.
        let _ = writeln!(remarks, "player1 against player2: {}", self.tally);
        if let Some(elo) = self.tally.elo() {
            let _ = writeln!(remarks, "Elo difference: {elo}");
        }
        if let Some(seed) = self.setup.news_of_seed() {
            let _ = writeln!(remarks, "repeat with --seed {seed}");
        }
        let (played, rounds) = (self.tally.games(), self.setup.rounds);
        if played < rounds {
            let _ = writeln!(
                remarks,
                "interrupted after {played} of {rounds} games; stopping the bots (Ctrl-C again to leave now)"
            );
        }
    }
}

/// `Game 3: player1 wins`, with the reason if it was not on the board. A draw "wins" too.
fn line(finished: &Finished) -> String {
    let Finished { number, winner, forfeit, .. } = finished;
    let winner = winner.map_or("draw".to_owned(), |player| player.to_string());
    let error = forfeit.as_ref().map(|forfeit| format!(" (error: {})", harmless(&forfeit.why)));
    format!("Game {number}: {winner} wins{}", error.unwrap_or_default())
}

/// A bot's words as part of one line that cannot be mistaken for a result: readers of the block
/// look for lines, and for a number after a colon and a space.
pub(super) fn harmless(words: &str) -> String {
    let mut line = String::new();
    let words = words.split(|c: char| c.is_whitespace() || c.is_control());
    for word in words.filter(|word| !word.is_empty()) {
        let result = line.ends_with(':') && word.starts_with(char::is_numeric);
        if !line.is_empty() && !result {
            line.push(' ');
        }
        line += word;
    }
    match line.char_indices().nth(ERROR_MAX) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bots_words_stay_on_one_line_and_hold_no_result() {
        for (words, wanted) in [
            ("h8 is occupied", "h8 is occupied"),
            ("oh: no", "oh: no"),
            ("Draws: 99", "Draws:99"),
            ("Draws:  \t 99", "Draws:99"),
            ("Draws:\u{2028}99", "Draws:99"),
            ("Draws:\u{1}\u{1c}99", "Draws:99"),
            (
                "x\nFINAL_RESULTS\r\nBot_1_main: 99 rounds won",
                "x FINAL_RESULTS Bot_1_main:99 rounds won",
            ),
            ("\u{1b}[2J", "[2J"),
            ("", ""),
        ] {
            assert_eq!(harmless(words), wanted, "{words:?}");
        }
        assert_eq!(harmless(&"é".repeat(1_000)).chars().count(), ERROR_MAX + 1);
    }
}
