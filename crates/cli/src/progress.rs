//! The progress of long work: a bar on a terminal, nothing in a pipe.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar on standard error.
pub struct Progress(ProgressBar);

impl Progress {
    /// A bar for this many steps.
    pub fn new(title: &str, steps: u64) -> Progress {
        let style =
            ProgressStyle::with_template("{prefix} {wide_bar} {pos}/{len} {msg} {eta} left");
        Progress(
            ProgressBar::new(steps)
                .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
                .with_prefix(title.to_string()),
        )
    }

    /// So much was done before; it does not count for the time left.
    pub fn begin_at(&self, done: u64) {
        self.0.set_position(done);
        self.0.reset_eta();
    }

    /// Whether anybody sees it.
    pub fn is_visible(&self) -> bool {
        !self.0.is_hidden()
    }

    /// One step more.
    pub fn step(&self) {
        self.0.inc(1);
    }

    /// How far it is, where the number of steps may change.
    pub fn set(&self, done: u64, steps: u64) {
        self.0.set_length(steps);
        self.0.set_position(done);
    }

    /// Says how it goes.
    pub fn tell(&self, message: String) {
        self.0.set_message(message);
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}
