//! Reading text line by line in bounded memory, however long a line is.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

/// Longest line that is read, in bytes without its line feed.
pub(crate) const LINE_MAX: usize = 64 * 1024;

/// Byte order mark that some editors put before the first line.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Characters of a line shown in a message.
const SHOWN_MAX: usize = 120;

pub(crate) struct Lines<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    is_first: bool,
}

#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Line<'a> {
    /// Bytes before the line feed.
    Text(&'a [u8]),
    /// A skipped line longer than [`LINE_MAX`].
    TooLong,
}

impl<R: Read> Lines<R> {
    pub(crate) fn new(input: R) -> Lines<R> {
        Lines { input: BufReader::new(input), line: Vec::new(), is_first: true }
    }

    /// Reads the next line; `None` at the end of the input. The last line needs no line feed, and a
    /// byte order mark before the first is skipped.
    pub(crate) fn read(&mut self) -> io::Result<Option<Line<'_>>> {
        self.line.clear();
        let most = LINE_MAX as u64 + 1;
        (&mut self.input).take(most).read_until(b'\n', &mut self.line)?;
        if self.line.is_empty() {
            return Ok(None);
        }
        if self.line.last() == Some(&b'\n') {
            self.line.pop();
        } else if self.line.len() > LINE_MAX {
            self.input.skip_until(b'\n')?;
            return Ok(Some(Line::TooLong));
        }
        let is_first = std::mem::take(&mut self.is_first);
        let marked = if is_first { self.line.strip_prefix(MARK) } else { None };
        Ok(Some(Line::Text(marked.unwrap_or(&self.line))))
    }

    /// True if the next [`read`](Lines::read) may block.
    pub(crate) fn may_wait(&self) -> bool {
        !self.input.buffer().contains(&b'\n')
    }
}

/// The text shortened to fit one line of a message.
pub(crate) fn shown(text: &str) -> String {
    let mut shown: String = text.chars().take(SHOWN_MAX).map(visible).collect();
    if text.chars().nth(SHOWN_MAX).is_some() {
        shown.push('…');
    }
    shown
}

/// The character, or a sign for one that would act on a terminal.
pub(crate) fn visible(character: char) -> char {
    if character.is_control() { '\u{fffd}' } else { character }
}

/// Opens a file, decompressing it if its name ends in `.gz`.
pub(crate) fn open(file: &Path) -> io::Result<Box<dyn Read>> {
    let input = File::open(file)?;
    Ok(match file.extension() {
        Some(extension) if extension == OsStr::new("gz") => Box::new(MultiGzDecoder::new(input)),
        _ => Box::new(input),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_may_be_as_long_as_the_limit_and_no_longer() {
        let mut text = vec![b'a'; LINE_MAX];
        text.push(b'\n');
        text.extend(vec![b'b'; LINE_MAX + 1]);
        text.extend(b"\n\nlast");
        let mut lines = Lines::new(text.as_slice());
        assert_eq!(lines.read().unwrap(), Some(Line::Text(&[b'a'; LINE_MAX])));
        assert_eq!(lines.read().unwrap(), Some(Line::TooLong));
        assert_eq!(lines.read().unwrap(), Some(Line::Text(b"")));
        assert_eq!(lines.read().unwrap(), Some(Line::Text(b"last")));
        assert_eq!(lines.read().unwrap(), None);
    }

    #[test]
    fn a_mark_of_utf_8_before_the_first_line_is_passed_over() {
        let mut lines = Lines::new("\u{feff}{}\n\u{feff}\n".as_bytes());
        assert_eq!(lines.read().unwrap(), Some(Line::Text(b"{}")));
        assert_eq!(lines.read().unwrap(), Some(Line::Text("\u{feff}".as_bytes())));
        let mut empty = Lines::new("\u{feff}".as_bytes());
        assert_eq!(empty.read().unwrap(), Some(Line::Text(b"")));
    }

    #[test]
    fn a_long_line_never_fills_the_memory() {
        let mut lines = Lines::new(io::repeat(b'x').take(50_000_000));
        assert_eq!(lines.read().unwrap(), Some(Line::TooLong));
        assert!(lines.line.capacity() <= 4 * LINE_MAX);
        assert_eq!(lines.read().unwrap(), None);
    }
}
