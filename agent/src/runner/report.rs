//! Output of a match: the CodeClash block on one stream, information for people on the other.

use std::fs::File;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;

use indicatif::{ProgressBar, ProgressStyle};

use super::elo::Tally;
use super::files::named;
use super::game::Played;
use super::pairs::Pentanomial;
use super::setup::Setup;
use super::summary::Summary;
use super::table::{Encounter, Forfeits, Table};

/// Characters of a bot's words that are shown.
const ERROR_MAX: usize = 160;

/// Writes results as they arrive, and counts them.
pub(super) struct Report<'a, W> {
    setup: &'a Setup,
    output: W,
    /// File of `--json`; `None` if there is none, or it is standard output.
    json: Option<File>,
    /// Hidden unless standard error is a terminal.
    progress: ProgressBar,
    table: Table,
    games: Vec<Played>,
}

impl<'a, W: Write> Report<'a, W> {
    pub(super) fn new(setup: &'a Setup, output: W) -> io::Result<Report<'a, W>> {
        let progress = ProgressBar::new(u64::from(setup.games()));
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} {eta} left") {
            progress.set_style(style);
        }
        let table = Table::new(setup.players().count(), setup.encounters());
        let file = setup.json.as_deref().filter(|path| !is_stdout(path));
        let json = file.map(|path| File::create(path).map_err(|why| named(path, &why)));
        Ok(Report { setup, output, json: json.transpose()?, progress, table, games: Vec::new() })
    }

    /// True if standard output gets JSON and nothing else.
    fn is_json(&self) -> bool {
        self.setup.json.as_deref().is_some_and(is_stdout)
    }

    pub(super) fn begin(&mut self) -> io::Result<()> {
        if self.is_json() {
            return Ok(());
        }
        let up_to = if self.setup.sprt.is_some() { "up to " } else { "" };
        writeln!(self.output, "Running {up_to}{} games between:", self.setup.games())?;
        for (player, bot) in self.setup.players() {
            writeln!(self.output, "  Player {}: {}", player.index() + 1, bot.given)?;
        }
        writeln!(self.output)?;
        self.output.flush()
    }

    /// Counts a game. Breaks if the match is decided.
    pub(super) fn game(&mut self, played: Played) -> io::Result<ControlFlow<()>> {
        self.table.add(&played);
        if !self.is_json() {
            let line = self.line(&played);
            self.progress.suspend(|| {
                writeln!(self.output, "{line}")?;
                self.output.flush()
            })?;
        }
        self.games.push(played);
        self.progress.set_message(self.score());
        self.progress.inc(1);
        Ok(if self.is_decided() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// `Game 3: player1 wins`, with the reason if it was not on the board. A draw "wins" too.
    fn line(&self, played: &Played) -> String {
        let Played { number, first, second, winner, .. } = played;
        let between = match self.table.encounters.len() {
            1 => String::new(),
            _ => format!(" ({first}, {second})"),
        };
        let winner = winner.map_or("draw".to_owned(), |player| player.to_string());
        let error = played.forfeit().map(|forfeit| format!(" (error: {})", harmless(&forfeit.why)));
        format!("Game {number}{between}: {winner} wins{}", error.unwrap_or_default())
    }

    /// Score so far, for the progress bar.
    fn score(&self) -> String {
        let [encounter] = self.table.encounters.as_slice() else { return String::new() };
        let Tally { wins, draws, losses } = encounter.tally;
        let ratio = self.setup.sprt.map(|sprt| format!(" LLR {:.2}", sprt.ratio(&encounter.pairs)));
        format!("+{wins} ={draws} -{losses}{}", ratio.unwrap_or_default())
    }

    fn is_decided(&self) -> bool {
        let test = self.setup.sprt.zip(self.table.encounters.first());
        test.is_some_and(|(sprt, encounter)| sprt.decide(&encounter.pairs).is_some())
    }

    /// Writes the final block and everything else that is known at the end.
    pub(super) fn end(mut self) -> io::Result<()> {
        self.progress.finish_and_clear();
        self.games.sort_by_key(|played| played.number);
        if self.is_json() {
            self.write_json()?;
        } else {
            self.write_results()?;
            if self.json.is_some() {
                self.write_json()?;
            }
        }
        // Nothing can be reported if the error stream is closed.
        let _ = self.remark(&mut io::stderr().lock());
        Ok(())
    }

    fn write_results(&mut self) -> io::Result<()> {
        writeln!(self.output)?;
        writeln!(self.output, "FINAL_RESULTS")?;
        for (player, bot) in self.setup.players() {
            let (number, wins) = (player.index() + 1, self.table.tally(player).wins);
            writeln!(self.output, "Bot_{number}_main: {wins} rounds won ({})", bot.label())?;
        }
        let draws: u32 = self.table.encounters.iter().map(|encounter| encounter.tally.draws).sum();
        writeln!(self.output, "Draws: {draws}")?;
        self.output.flush()
    }

    fn write_json(&mut self) -> io::Result<()> {
        let summary = Summary::new(self.setup, &self.table, &self.games);
        let text = serde_json::to_string_pretty(&summary)?;
        match &mut self.json {
            Some(file) => writeln!(file, "{text}"),
            None => writeln!(self.output, "{text}").and_then(|()| self.output.flush()),
        }
    }

    fn remark(&self, remarks: &mut dyn Write) -> io::Result<()> {
        match self.table.encounters.as_slice() {
            [encounter] => self.remark_on(encounter, remarks)?,
            encounters => {
                self.rank(remarks)?;
                for Encounter { first, second, tally, .. } in encounters {
                    writeln!(remarks, "{first} against {second}: {tally}")?;
                }
            }
        }
        for (player, _) in self.setup.players() {
            let Forfeits { time, illegal, crash } = self.table.forfeits[player.index()];
            if time + illegal + crash > 0 {
                writeln!(
                    remarks,
                    "{player} lost {time} by time, {illegal} by illegal moves, {crash} by crashes"
                )?;
            }
        }
        if let Some(seed) = self.setup.news_of_seed {
            writeln!(remarks, "repeat with --seed {seed}")?;
        }
        let (played, games) = (self.table.games(), self.setup.games());
        if played < games && !self.is_decided() {
            writeln!(
                remarks,
                "interrupted after {played} of {games} games; stopping the bots (Ctrl-C again to leave now)"
            )?;
        }
        Ok(())
    }

    fn remark_on(&self, encounter: &Encounter, remarks: &mut dyn Write) -> io::Result<()> {
        let Encounter { first, second, tally, pairs, .. } = encounter;
        writeln!(remarks, "{first} against {second}: {tally}")?;
        let estimate = pairs.estimate().filter(|_| self.setup.has_pairs());
        match (estimate, tally.elo()) {
            (Some(estimate), _) => {
                writeln!(remarks, "Elo difference: {:.1}", estimate.elo)?;
                let (normalized, error) = (estimate.normalized, estimate.normalized_error);
                writeln!(remarks, "normalized Elo: {normalized:+.2} ± {error:.2} (95 %)")?;
                let superiority = 100.0 * estimate.superiority;
                writeln!(remarks, "likelihood that {first} is stronger: {superiority:.1} %")?;
            }
            (None, Some(elo)) => writeln!(remarks, "Elo difference: {elo}")?,
            (None, None) => {}
        }
        if self.setup.has_pairs() {
            let Pentanomial([none, half, one, more, two]) = pairs;
            writeln!(
                remarks,
                "pairs with 0, ½, 1, 1½, 2 points: {none} {half} {one} {more} {two}"
            )?;
        }
        if let Some(sprt) = self.setup.sprt {
            let (ratio, (low, high)) = (sprt.ratio(pairs), sprt.bounds());
            let decision = match sprt.decide(pairs) {
                Some(accepted) => format!("{accepted} is accepted"),
                None => "undecided".to_owned(),
            };
            writeln!(remarks, "SPRT {sprt}: LLR {ratio:.2} ({low:.2} to {high:.2}), {decision}")?;
        }
        Ok(())
    }

    /// Table of a league or gauntlet.
    fn rank(&self, remarks: &mut dyn Write) -> io::Result<()> {
        let name = |player| format!("{player} ({})", self.setup.bot(player).given);
        let ranking = self.table.ranking();
        let width = ranking.iter().map(|(player, _)| name(*player).chars().count()).max();
        let width = width.unwrap_or_default();
        writeln!(remarks, "{:width$}  games  won  drawn  lost  score  Elo against the others", "")?;
        for (player, tally) in ranking {
            let Tally { wins, draws, losses } = tally;
            let (games, score) = (tally.games(), 100.0 * tally.score());
            let elo = tally.elo().map(|elo| elo.to_string()).unwrap_or_default();
            writeln!(
                remarks,
                "{:width$}  {games:5}  {wins:3}  {draws:5}  {losses:4}  {score:3.0} %  {elo}",
                name(player)
            )?;
        }
        Ok(())
    }
}

fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
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
