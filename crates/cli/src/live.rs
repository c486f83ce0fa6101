//! A search shown while it runs: on a terminal only, on standard error, updated in place.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget};
use tabia_catalog::Report;

use crate::console::{Console, grouped, rate, seconds};
use crate::worth::Worth;

/// A line that an engine has reported.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportedLine {
    /// Plies looked ahead.
    pub depth: u32,
    /// What the player to move may expect.
    pub value: Option<f64>,
    /// Whether the value is exact.
    pub solved: bool,
    /// Plies to the end of the game, where a forced result was found.
    pub plies: Option<u32>,
    /// How often the first move was tried, in Monte-Carlo search.
    pub visits: Option<u64>,
    /// The moves.
    pub line: Vec<String>,
}

/// The lines that were reported last, the best first.
#[derive(Debug)]
pub struct ReportedLines {
    wanted: usize,
    found: Vec<ReportedLine>,
    nodes: u64,
    elapsed: Duration,
}

impl ReportedLines {
    /// This many lines at most, none of them found yet.
    pub fn new(wanted: usize) -> ReportedLines {
        ReportedLines {
            wanted,
            found: Vec::new(),
            nodes: 0,
            elapsed: Duration::ZERO,
        }
    }

    /// Takes note of a report. The line takes the place of an older one that begins with the same
    /// move, and pushes others down. So lines that a stopped search did not find anew stay known.
    pub fn note(&mut self, report: &Report<'_, String>) {
        let new = ReportedLine {
            depth: report.depth,
            value: report.value,
            solved: report.solved,
            plies: report.plies,
            visits: report.visits,
            line: report.line.to_vec(),
        };
        self.found
            .retain(|old| old.line.first() != new.line.first());
        let place = (report.rank - 1).min(self.found.len());
        self.found.insert(place, new);
        self.found.truncate(self.wanted);
        self.nodes = report.nodes;
        self.elapsed = report.elapsed;
    }

    /// The lines, the best first.
    pub fn found(&self) -> &[ReportedLine] {
        &self.found
    }

    /// The search as text: what was spent, then a row of at most `width` columns for each line,
    /// with its depth or its visits.
    fn text(&self, worth: &Worth, width: usize) -> String {
        let mut text = format!("{} nodes, {}", grouped(self.nodes), seconds(self.elapsed));
        if let Some(rate) = rate(self.nodes, self.elapsed) {
            text += &format!(", {rate} nodes/s");
        }
        for found in &self.found {
            let value = found.value.map_or_else(String::new, |v| worth.short(v));
            let effort = match found.visits {
                Some(visits) => format!("{:>9}", grouped(visits)),
                None => format!("{:>3}", found.depth),
            };
            let row = format!("{effort} {value:>7}  {}", found.line.join(" "));
            text.push('\n');
            text.extend(row.chars().take(width));
        }
        text
    }
}

/// Where a search is shown.
pub struct Live {
    bar: ProgressBar,
    width: usize,
}

impl Live {
    /// A place on standard error; none if that is no terminal, or if the answer is JSON.
    pub fn new(console: &Console, engine: &str) -> Live {
        let bar = console.spinner(format!("{engine} thinks"));
        if console.json {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        Live {
            bar,
            // The spinner takes two columns, and the cursor one.
            width: console.width.saturating_sub(3),
        }
    }

    /// Whether anybody sees it.
    pub fn is_visible(&self) -> bool {
        !self.bar.is_hidden()
    }

    /// Shows what was found so far.
    pub fn show(&self, lines: &ReportedLines, worth: &Worth) {
        if self.is_visible() {
            self.bar.set_message(lines.text(worth, self.width));
        }
    }

    /// Takes it away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report<'a>(rank: usize, line: &'a [String]) -> Report<'a, String> {
        Report {
            rank,
            depth: 3,
            value: Some(0.25),
            solved: false,
            plies: None,
            visits: None,
            line,
            nodes: 1_500,
            elapsed: Duration::from_millis(500),
        }
    }

    #[test]
    fn a_move_has_one_line_and_others_move_down() {
        let [a, b, c, d] = ["a1", "b1", "c1", "d1"].map(|mv| vec![mv.to_string()]);
        let mut lines = ReportedLines::new(3);
        let mut after = |told: &[(usize, &Vec<String>)]| {
            told.iter()
                .for_each(|(rank, line)| lines.note(&report(*rank, line)));
            lines
                .found()
                .iter()
                .map(|f| f.line[0].clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(after(&[(1, &a), (2, &b), (3, &c)]), ["a1", "b1", "c1"]);
        assert_eq!(after(&[(1, &c)]), ["c1", "a1", "b1"]);
        assert_eq!(after(&[(2, &d)]), ["c1", "d1", "a1"]);
    }

    #[test]
    fn rows_are_no_wider_than_the_terminal() {
        let line = vec!["a1-b2".to_string(); 9];
        let mut lines = ReportedLines::new(1);
        lines.note(&report(1, &line));
        let worth = Worth::of(&*tabia_catalog::open("tictactoe").expect("a game"));
        assert_eq!(
            lines.text(&worth, 24),
            "1,500 nodes, 0.500 s, 3,000 nodes/s\n  3  +0.250  a1-b2 a1-b2"
        );
    }
}
