//! A bot's process: lines to it, lines from it, and a certain end.

use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::BrainError;
use super::io_log::{IoLog, Tap, Way};
use crate::lines::{Line, Lines, shown};

/// Unread lines after which the program blocks.
const UNREAD_MAX: usize = 64;

/// Time for a program that closed its output to end, and for its last error line to arrive.
const END_PATIENCE: Duration = Duration::from_secs(1);

/// Name of a line that is too long to read.
const ENDLESS: &str = "an endless line";

/// A running program. It is killed, with all its children, when this is dropped, and also when this
/// process is killed.
pub(super) struct Program {
    child: Child,
    #[cfg(unix)]
    watch: Option<Child>,
    /// Another process group that ends with it.
    #[cfg(unix)]
    adopted: Option<rustix::process::Pid>,
    input: Option<ChildStdin>,
    output: Receiver<Said>,
    errors: Arc<Errors>,
    tap: Option<Tap>,
}

/// Error stream of a program.
#[derive(Default)]
struct Errors {
    /// Last line, for messages.
    last: Mutex<String>,
    /// Discard the rest: output of a dead bot must not follow the results.
    muted: AtomicBool,
    /// The stream has ended, so `last` is final.
    ended: AtomicBool,
}

enum Said {
    Line(String),
    TooLong,
}

impl Said {
    fn text(&self) -> &str {
        match self {
            Said::Line(line) => line,
            Said::TooLong => ENDLESS,
        }
    }
}

/// Command run by the shell.
pub(super) fn shell(command: &str) -> Command {
    let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut shell = Command::new(shell);
    shell.args([flag, command]);
    shell
}

impl Program {
    /// Starts it. Its error stream goes to ours, each line prefixed with `label`.
    pub(super) fn start(command: Command, label: &str) -> Result<Program, BrainError> {
        Program::start_logged(command, label, None)
    }

    /// Starts it, and logs the dialogue.
    pub(super) fn start_logged(
        mut command: Command,
        label: &str,
        log: Option<&IoLog>,
    ) -> Result<Program, BrainError> {
        let tap = log.map(|log| log.tap(label));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        // Its own process group: Ctrl-C is ours to handle, and the whole group can be killed at
        // once.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| {
            let program = command.get_program().to_string_lossy().into_owned();
            BrainError::Gone(format!("{program} cannot be started: {error}"))
        })?;
        #[cfg(unix)]
        let watch = watch_over(&child);
        let (said, output) = sync_channel(UNREAD_MAX);
        let errors = Arc::new(Errors::default());
        if let Some(stdout) = child.stdout.take() {
            let tap = tap.clone();
            thread::spawn(move || listen(stdout, &said, tap.as_ref()));
        }
        if let Some(stderr) = child.stderr.take() {
            let (label, errors, tap) = (label.to_owned(), Arc::clone(&errors), tap.clone());
            thread::spawn(move || {
                pass_on(stderr, &label, &errors, tap.as_ref());
                errors.ended.store(true, Ordering::Release);
            });
        }
        Ok(Program {
            input: child.stdin.take(),
            child,
            #[cfg(unix)]
            watch,
            #[cfg(unix)]
            adopted: None,
            output,
            errors,
            tap,
        })
    }

    /// Sends text unchanged. The input for one decision fits a pipe, so this does not block.
    pub(super) fn say(&mut self, text: &str) -> Result<(), BrainError> {
        if let Some(tap) = &self.tap {
            tap.write(Way::In, text);
        }
        let sent = match &mut self.input {
            Some(input) => input.write_all(text.as_bytes()).and_then(|()| input.flush()),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        };
        sent.map_err(|_| self.gone())
    }

    /// Takes over a process group that the program has made: it is killed with the program. `None`
    /// if that group has ended; its error lines are forgotten.
    pub(super) fn adopt(&mut self, group: Option<i32>) {
        if group.is_none() {
            self.errors.last.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
        #[cfg(unix)]
        {
            let group = group.filter(|group| *group > 1);
            self.adopted = group.and_then(rustix::process::Pid::from_raw);
            let line = group.map_or("\n".to_owned(), |group| format!("{group}\n"));
            if let Some(input) = self.watch.as_mut().and_then(|watch| watch.stdin.as_mut()) {
                // The watchdog is optional.
                let _ = input.write_all(line.as_bytes());
            }
        }
        #[cfg(not(unix))]
        let _ = group;
    }

    /// Closes its input.
    pub(super) fn hang_up(&mut self) {
        self.input = None;
    }

    /// Next line without its line end, LF or CRLF.
    pub(super) fn hear(&mut self, until: Instant) -> Result<String, BrainError> {
        let patience = until.saturating_duration_since(Instant::now());
        match self.output.recv_timeout(patience) {
            Ok(Said::Line(line)) => Ok(line),
            Ok(Said::TooLong) => Err(BrainError::Nonsense(ENDLESS.to_owned())),
            Err(RecvTimeoutError::Timeout) => Err(BrainError::Late),
            Err(RecvTimeoutError::Disconnected) => Err(self.gone()),
        }
    }

    /// A line that it has written before it is asked.
    pub(super) fn unread(&self) -> Option<String> {
        self.output.try_recv().ok().map(|said| said.text().to_owned())
    }

    /// Gives it a moment to end by itself.
    pub(super) fn await_end(&mut self) -> Option<ExitStatus> {
        let until = Instant::now() + END_PATIENCE;
        loop {
            match self.child.try_wait() {
                Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(5)),
                status => return status.ok().flatten(),
            }
        }
    }

    /// Reason it is silent.
    fn gone(&mut self) -> BrainError {
        let ended = match self.await_end() {
            Some(status) => format!("it ended with {status}"),
            None => "it closed its output".to_owned(),
        };
        let until = Instant::now() + END_PATIENCE;
        while !self.errors.ended.load(Ordering::Acquire) && Instant::now() < until {
            thread::sleep(Duration::from_millis(1));
        }
        let complaint = self.errors.last.lock().unwrap_or_else(PoisonError::into_inner);
        BrainError::Gone(match complaint.as_str() {
            "" => ended,
            said => format!("{ended}: {said}"),
        })
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.errors.muted.store(true, Ordering::Relaxed);
        self.hang_up();
        #[cfg(unix)]
        {
            // First: it must not outlive the group that it would kill.
            if let Some(mut watch) = self.watch.take() {
                let _ = watch.kill();
                let _ = watch.wait();
            }
            // Its process id cannot be reused before it is waited for.
            let group = rustix::process::Pid::from_child(&self.child);
            for group in self.adopted.into_iter().chain([group]) {
                let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
            }
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Watchdog for the process group of `child`: a shell that waits for the end of its input, which
/// comes when this process is gone for any reason, and then kills the group, and the one that the
/// last line named. Otherwise a hung program would run forever.
#[cfg(unix)]
fn watch_over(child: &Child) -> Option<Child> {
    let mut shell = Command::new("sh");
    shell.args([
        "-c",
        "adopted=; while read -r line; do adopted=$line; done; kill -s KILL -- \"-$1\" ${adopted:+\"-$adopted\"}",
        "renju-watch",
        &child.id().to_string(),
    ]);
    shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    std::os::unix::process::CommandExt::process_group(&mut shell, 0);
    // The watchdog is optional.
    shell.spawn().ok()
}

fn listen(stdout: impl Read, said: &SyncSender<Said>, tap: Option<&Tap>) {
    let mut lines = Lines::new(stdout);
    while let Ok(Some(line)) = lines.read() {
        let line = match line {
            Line::Text(bytes) => {
                let text = String::from_utf8_lossy(bytes);
                Said::Line(text.strip_suffix('\r').unwrap_or(&text).to_owned())
            }
            Line::TooLong => Said::TooLong,
        };
        if let Some(tap) = tap {
            tap.write(Way::Out, line.text());
        }
        if said.send(line).is_err() {
            return;
        }
    }
}

fn pass_on(stderr: impl Read, label: &str, errors: &Errors, tap: Option<&Tap>) {
    let mut lines = Lines::new(stderr);
    while let Ok(Some(line)) = lines.read() {
        let Line::Text(bytes) = line else { continue };
        let text = String::from_utf8_lossy(bytes);
        if let Some(tap) = tap {
            tap.write(Way::Error, &text);
        }
        let text = shown(text.trim_end());
        if errors.muted.load(Ordering::Relaxed) {
            return;
        }
        if !text.is_empty() {
            let _ = writeln!(io::stderr(), "[{label}] {text}");
            *errors.last.lock().unwrap_or_else(PoisonError::into_inner) = text;
        }
    }
}
