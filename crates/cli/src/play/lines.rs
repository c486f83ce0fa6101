//! Lines of standard input, read on a thread of their own so that Ctrl-C is noticed while a
//! person thinks.

use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use tabia_game::Cancel;

/// The longest line that is read as one.
const MAX_LINE_BYTES: u64 = 4096;

/// What came of asking for a line.
pub enum InputLine {
    /// The line, without blanks around it.
    Text(String),
    /// There are no more.
    End,
    /// Ctrl-C was pressed.
    Interrupted,
}

/// Standard input, line by line.
pub struct StandardInput {
    receiver: Receiver<String>,
    cancel: Cancel,
    echo: bool,
}

impl StandardInput {
    /// Starts reading.
    pub fn new(cancel: Cancel, quiet: bool) -> StandardInput {
        let (sender, receiver) = sync_channel(16);
        std::thread::spawn(move || {
            let mut input = io::stdin().lock();
            loop {
                let mut bytes = Vec::new();
                match input
                    .by_ref()
                    .take(MAX_LINE_BYTES)
                    .read_until(b'\n', &mut bytes)
                {
                    Ok(1..) => {}
                    _ => return,
                }
                let text = String::from_utf8_lossy(&bytes).trim().to_string();
                if sender.send(text).is_err() {
                    return;
                }
            }
        });
        StandardInput {
            receiver,
            cancel,
            echo: !quiet && !io::stdin().is_terminal(),
        }
    }

    /// Waits for the next line.
    pub fn next(&self) -> InputLine {
        loop {
            if self.cancel.is_cancelled() {
                return InputLine::Interrupted;
            }
            match self.receiver.recv_timeout(Duration::from_millis(50)) {
                Ok(text) => {
                    if self.echo {
                        // What was typed shows on a terminal by itself; a transcript lacks it.
                        let _ = writeln!(io::stdout(), "{text}");
                    }
                    return InputLine::Text(text);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return InputLine::End,
            }
        }
    }
}
