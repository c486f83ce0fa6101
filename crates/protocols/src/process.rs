//! A child process that speaks in lines, whatever the protocol.
//!
//! Nothing that the child does, or leaves undone, can block, flood or outlive its owner. It is
//! written to, read and overheard by a thread each, through bounded queues; lines are cut off at a
//! fixed length; and it is killed and waited for when it is dropped, together with whatever it has
//! started itself.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tabia_game::Cancel;
use tabia_game::text::shortened;
use tabia_registry::player::Fault;

/// Bytes of a line at most, the line break included.
const MAX_LINE_BYTES: usize = 64 * 1024;
/// Lines that wait to be read, in each direction.
const QUEUE: usize = 64;
/// Lines of standard error that are kept for messages.
const LAST_WORDS: usize = 3;
/// How long a process that is about to end may take for it.
const FAREWELL: Duration = Duration::from_secs(1);
/// How often a flag is looked at while there is nothing else to do.
const LOOK: Duration = Duration::from_millis(50);
/// How often a process is looked at while it ends.
const GLANCE: Duration = Duration::from_millis(2);

/// How long to wait for an answer, beginning now.
pub struct Wait {
    since: Instant,
    patience: Duration,
    cancel: Cancel,
}

impl Wait {
    /// Waits so long, or until it is cancelled.
    pub fn new(patience: Duration, cancel: Cancel) -> Wait {
        Wait {
            since: Instant::now(),
            patience,
            cancel,
        }
    }

    fn left(&self) -> Duration {
        self.patience.saturating_sub(self.since.elapsed())
    }
}

/// A running program.
pub struct Process {
    family: Family,
    input: SyncSender<String>,
    output: Receiver<Vec<OutputLine>>,
    /// Lines that have arrived together with one that was taken.
    arrived: VecDeque<OutputLine>,
    last_words: Arc<Mutex<VecDeque<String>>>,
    listener: JoinHandle<()>,
}

enum OutputLine {
    Whole(String),
    /// The beginning of a line that is too long.
    Cut(String),
}

impl Process {
    /// Starts a program with these arguments.
    pub fn start(program: &str, arguments: &[String]) -> io::Result<Process> {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // A group of its own can be killed as a whole, and an interruption at the terminal reaches
        // us alone: we say when the program has to stop.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut family = Family {
            eldest: command.spawn()?,
            gone: false,
        };
        let eldest = &mut family.eldest;
        let (Some(stdin), Some(stdout), Some(stderr)) = (
            eldest.stdin.take(),
            eldest.stdout.take(),
            eldest.stderr.take(),
        ) else {
            return Err(io::Error::other("no pipe to the program"));
        };
        let (input, to_write) = mpsc::sync_channel(QUEUE);
        let (was_read, output) = mpsc::sync_channel(QUEUE);
        let last_words = Arc::new(Mutex::new(VecDeque::new()));
        let heard = Arc::clone(&last_words);
        let thread = |name: &str| thread::Builder::new().name(format!("program {name}"));
        thread("input").spawn(move || write_lines(stdin, &to_write))?;
        thread("output").spawn(move || {
            // What was written at once arrives at once: a line too many is seen with the line that
            // it follows, however fast the next question comes.
            let mut together = Vec::new();
            read_lines(stdout, |text, whole, more| {
                let line = if whole {
                    OutputLine::Whole
                } else {
                    OutputLine::Cut
                };
                together.push(line(text));
                if whole && more && together.len() < QUEUE {
                    return true;
                }
                was_read.send(std::mem::take(&mut together)).is_ok() && whole
            });
        })?;
        let listener = thread("errors").spawn(move || {
            read_lines(stderr, |text, _, _| {
                keep(&heard, &text);
                true
            });
        })?;
        Ok(Process {
            family,
            input,
            output,
            arrived: VecDeque::new(),
            last_words,
            listener,
        })
    }

    /// Sends a line. That nobody is there any more is found when the answer is read.
    pub fn send(&self, line: &str) -> Result<(), Fault> {
        let mut line = line.replace(['\n', '\r'], " ");
        line.push('\n');
        match self.input.try_send(line) {
            Ok(()) | Err(TrySendError::Disconnected(_)) => Ok(()),
            Err(TrySendError::Full(_)) => {
                Err(Fault::Hung("it does not read its input".to_string()))
            }
        }
    }

    /// The next line.
    pub fn receive(&mut self, wait: &Wait) -> Result<String, Fault> {
        loop {
            if wait.cancel.is_cancelled() {
                return Err(Fault::NoMove);
            }
            if let Some(line) = self.arrived.pop_front() {
                return line.whole();
            }
            let left = wait.left();
            match self.output.recv_timeout(left.min(LOOK)) {
                Ok(lines) => self.arrived.extend(lines),
                Err(RecvTimeoutError::Disconnected) => return Err(self.crash()),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    let patience = wait.patience.as_millis();
                    return Err(Fault::Hung(format!("nothing within {patience} ms")));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// A line that has arrived already.
    pub fn overhear(&mut self) -> Result<Option<String>, Fault> {
        if self.arrived.is_empty() {
            match self.output.try_recv() {
                Ok(lines) => self.arrived.extend(lines),
                Err(TryRecvError::Empty) => {}
                Err(TryRecvError::Disconnected) => return Err(self.crash()),
            }
        }
        self.arrived.pop_front().map(OutputLine::whole).transpose()
    }

    /// Gives the program a moment to end by itself.
    pub fn part(mut self) {
        self.family.end(FAREWELL);
    }

    fn crash(&mut self) -> Fault {
        let how = match self.family.end(FAREWELL) {
            Some(status) => status.to_string(),
            None => "it closed its output but did not end".to_string(),
        };
        // What it said last may still be on its way.
        let since = Instant::now();
        while !self.listener.is_finished() && since.elapsed() < FAREWELL {
            thread::sleep(GLANCE);
        }
        let words = self.last_words.lock();
        let words = words.unwrap_or_else(PoisonError::into_inner);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        Fault::Crashed(match words.as_slice() {
            [] => how,
            _ => format!("{how}; its last words: {}", words.join(" / ")),
        })
    }
}

impl OutputLine {
    fn whole(self) -> Result<String, Fault> {
        match self {
            OutputLine::Whole(text) => Ok(text),
            OutputLine::Cut(start) => Err(Fault::Garbage(format!(
                "a line without an end: '{}'",
                shortened(&start)
            ))),
        }
    }
}

/// A process and whatever it has started.
struct Family {
    eldest: Child,
    gone: bool,
}

impl Family {
    /// Waits so long for an end by itself, and tells how that was; then ends it.
    fn end(&mut self, grace: Duration) -> Option<ExitStatus> {
        let since = Instant::now();
        let status = loop {
            match self.eldest.try_wait() {
                Ok(Some(status)) => break Some(status),
                _ if since.elapsed() >= grace => break None,
                _ => thread::sleep(GLANCE),
            }
        };
        // At once, before the number can have been given to another process.
        #[cfg(unix)]
        kill_group(self.eldest.id());
        if status.is_none() {
            // An error means that it is gone already.
            let _ = self.eldest.kill();
            let _ = self.eldest.wait();
        }
        self.gone = true;
        status
    }
}

impl Drop for Family {
    fn drop(&mut self) {
        if !self.gone {
            self.end(Duration::ZERO);
        }
    }
}

/// Kills the program and whatever it has started; it is no harm if nobody is left.
#[cfg(unix)]
fn kill_group(leader: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    // A failure means that the program reads no more.
    while let Ok(line) = lines.recv()
        && stdin.write_all(line.as_bytes()).is_ok()
    {}
}

/// Hands over lines, whether they are whole, and whether another one is there already, until `take`
/// has had enough. What comes after the last line break is not handed over: it may be half a word.
fn read_lines(pipe: impl Read, mut take: impl FnMut(String, bool, bool) -> bool) {
    let mut reader = BufReader::new(pipe);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let mut line = reader.by_ref().take(MAX_LINE_BYTES as u64);
        if line.read_until(b'\n', &mut bytes).is_err() {
            return;
        }
        let whole = bytes.last() == Some(&b'\n');
        if !whole && bytes.len() < MAX_LINE_BYTES {
            return;
        }
        let text = String::from_utf8_lossy(&bytes).trim().to_string();
        let more = reader.buffer().contains(&b'\n');
        if !take(text, whole, more) {
            return;
        }
    }
}

fn keep(last_words: &Mutex<VecDeque<String>>, text: &str) {
    if text.is_empty() {
        return;
    }
    let mut words = last_words.lock().unwrap_or_else(PoisonError::into_inner);
    if words.len() == LAST_WORDS {
        words.pop_front();
    }
    words.push_back(shortened(text));
}
