//! A bot's program: lines to it, lines from it, and its end whatever it does.

use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::BrainError;
use crate::lines::{Line, Lines, shown};

/// How many lines may wait unread before the program has to wait too.
const UNREAD_MAX: usize = 64;

/// How long a program that closed its output may take to end, and its last words to arrive.
const END_PATIENCE: Duration = Duration::from_secs(1);

/// A running program; it is killed, with all it has started, when this is dropped, and also when
/// this process is killed.
pub(super) struct Program {
    child: Child,
    #[cfg(unix)]
    watch: Option<Child>,
    input: Option<ChildStdin>,
    output: Receiver<Said>,
    errors: Arc<Errors>,
}

/// What a program writes to its error stream.
#[derive(Default)]
struct Errors {
    /// The last line, for messages.
    last: Mutex<String>,
    /// Whether nobody wants to hear more: what a dead bot said must not follow the results.
    muted: AtomicBool,
    /// Whether the stream has ended: then `last` is the last.
    ended: AtomicBool,
}

enum Said {
    Line(String),
    TooLong,
}

/// The command as a shell would run it.
pub(super) fn shell(command: &str) -> Command {
    let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut shell = Command::new(shell);
    shell.args([flag, command]);
    shell
}

impl Program {
    /// Starts it. What it writes to its error stream goes to ours, each line after `label`.
    pub(super) fn start(mut command: Command, label: &str) -> Result<Program, BrainError> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        // A group of its own: Ctrl-C is for us to handle, and all of it can be ended at once.
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
            thread::spawn(move || listen(stdout, &said));
        }
        if let Some(stderr) = child.stderr.take() {
            let (label, errors) = (label.to_owned(), Arc::clone(&errors));
            thread::spawn(move || {
                pass_on(stderr, &label, &errors);
                errors.ended.store(true, Ordering::Release);
            });
        }
        Ok(Program {
            input: child.stdin.take(),
            child,
            #[cfg(unix)]
            watch,
            output,
            errors,
        })
    }

    /// Sends text as it is. What is sent for one decision fits a pipe, so this waits for nobody.
    pub(super) fn say(&mut self, text: &str) -> Result<(), BrainError> {
        let sent = match &mut self.input {
            Some(input) => input.write_all(text.as_bytes()).and_then(|()| input.flush()),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        };
        sent.map_err(|_| self.gone())
    }

    /// Tells it that nothing more will be said.
    pub(super) fn hang_up(&mut self) {
        self.input = None;
    }

    /// The next line without its line end, LF or CRLF.
    pub(super) fn hear(&mut self, until: Instant) -> Result<String, BrainError> {
        let patience = until.saturating_duration_since(Instant::now());
        match self.output.recv_timeout(patience) {
            Ok(Said::Line(line)) => Ok(line),
            Ok(Said::TooLong) => Err(BrainError::Nonsense("an endless line".to_owned())),
            Err(RecvTimeoutError::Timeout) => Err(BrainError::Late),
            Err(RecvTimeoutError::Disconnected) => Err(self.gone()),
        }
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

    /// Why nothing more is heard of it.
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
            let group = rustix::process::Pid::from_child(&self.child);
            // Until it is waited for, its number belongs to nobody else.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A watch over the group of `child`: a shell that waits for the end of its input, which comes when
/// this process is gone, however it went, and then kills the group. A program that hangs notices
/// nothing of that itself, and nobody would be left to end it.
#[cfg(unix)]
fn watch_over(child: &Child) -> Option<Child> {
    let mut shell = Command::new("sh");
    shell.args([
        "-c",
        "read -r _; kill -s KILL -- \"-$1\"",
        "renju-watch",
        &child.id().to_string(),
    ]);
    shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    std::os::unix::process::CommandExt::process_group(&mut shell, 0);
    // Without a watch everything else works.
    shell.spawn().ok()
}

fn listen(stdout: impl Read, said: &SyncSender<Said>) {
    let mut lines = Lines::new(stdout);
    while let Ok(Some(line)) = lines.read() {
        let line = match line {
            Line::Text(bytes) => {
                let text = String::from_utf8_lossy(bytes);
                Said::Line(text.strip_suffix('\r').unwrap_or(&text).to_owned())
            }
            Line::TooLong => Said::TooLong,
        };
        if said.send(line).is_err() {
            return;
        }
    }
}

fn pass_on(stderr: impl Read, label: &str, errors: &Errors) {
    let mut lines = Lines::new(stderr);
    while let Ok(Some(line)) = lines.read() {
        let Line::Text(bytes) = line else { continue };
        let text = shown(String::from_utf8_lossy(bytes).trim_end());
        if errors.muted.load(Ordering::Relaxed) {
            return;
        }
        if !text.is_empty() {
            let _ = writeln!(io::stderr(), "[{label}] {text}");
            *errors.last.lock().unwrap_or_else(PoisonError::into_inner) = text;
        }
    }
}
