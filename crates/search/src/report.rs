//! What engines report while they think.
//!
//! An engine that is asked by [`Engine::choose_reporting`](crate::Engine::choose_reporting) hands
//! its [`Listener`] a [`Report`] for every line it has found: after each finished iteration of a
//! search that deepens, about ten times a second in Monte-Carlo search, with every improvement in a
//! game for one player. Searches that nobody listens to do the same work as ever.

use std::time::{Duration, Instant};

use crate::Choice;

/// One line of play as an engine sees it for now.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<'a, M> {
    /// 1 for the best line, 2 for the line of the second-best move, and so on.
    pub rank: usize,
    /// Plies looked ahead; 0 where the engine does not search to a depth.
    pub depth: u32,
    /// What the player to move may expect of the line, as in [`Choice::value`].
    pub value: Option<f64>,
    /// Whether the value is exact.
    pub solved: bool,
    /// Plies to the end of the game, where a forced win or loss was found.
    pub plies: Option<u32>,
    /// How often the first move was tried, in Monte-Carlo search.
    pub visits: Option<u64>,
    /// The line of play.
    pub line: &'a [M],
    /// Nodes visited so far. Where several threads search, those that are known to the thread that
    /// reports.
    pub nodes: u64,
    /// Time since the engine was asked.
    pub elapsed: Duration,
}

impl<M> Report<'_, M> {
    /// Returns the same report of another line, such as this one in the notation of a game.
    pub fn with_line<'b, N>(&self, line: &'b [N]) -> Report<'b, N> {
        Report {
            rank: self.rank,
            depth: self.depth,
            value: self.value,
            solved: self.solved,
            plies: self.plies,
            visits: self.visits,
            line,
            nodes: self.nodes,
            elapsed: self.elapsed,
        }
    }
}

/// What is done with a report.
pub type Tell<'a, M> = &'a mut (dyn FnMut(&Report<'_, M>) + Send + 'a);

/// Somebody who listens to an engine, and how many lines are wanted.
///
/// ```
/// use tabia_alignment::mnk::Mnk;
/// use tabia_game::{Game, Limits, Path, Uninformed};
/// use tabia_search::alphabeta::{AlphaBeta, Config};
/// use tabia_search::{Engine, Listener, Past, Situation};
///
/// let game = Mnk::<u64>::new(3, 3, 3).unwrap();
/// let (state, path) = (game.start(), Path::new());
/// let mut depths = Vec::new();
/// let mut tell = |report: &tabia_search::Report<'_, _>| depths.push(report.depth);
/// let config = Config { deepening: true, ..Config::default() };
/// AlphaBeta::new(config, Uninformed).choose_reporting(
///     Past::none(&state),
///     Situation { game: &game, state: &state, path: &path },
///     &Limits::depth(3),
///     &mut Listener::new(1, &mut tell),
/// );
/// assert_eq!(depths, [1, 2, 3]);
/// ```
pub struct Listener<'a, M> {
    lines: usize,
    interval: Duration,
    started: Instant,
    tell: Option<Tell<'a, M>>,
}

impl<'a, M> Listener<'a, M> {
    /// The time between two reports of an engine that could report all the time.
    const INTERVAL: Duration = Duration::from_millis(100);

    /// Somebody who wants to know this many lines; with 0 lines nobody.
    pub fn new(lines: usize, tell: Tell<'a, M>) -> Listener<'a, M> {
        Listener {
            lines,
            interval: Self::INTERVAL,
            started: Instant::now(),
            tell: Some(tell),
        }
    }

    /// Nobody.
    pub fn silent() -> Listener<'a, M> {
        Listener {
            lines: 0,
            interval: Self::INTERVAL,
            started: Instant::now(),
            tell: None,
        }
    }

    /// The least time between two reports of an engine that could report all the time, such as
    /// Monte-Carlo search; a tenth of a second unless another one is set.
    pub fn every(self, interval: Duration) -> Listener<'a, M> {
        Listener { interval, ..self }
    }

    /// The least time between two reports; see [`Listener::every`].
    pub fn interval(&self) -> Duration {
        self.interval
    }

    /// How many lines are wanted; 0 if nobody listens.
    pub fn lines(&self) -> usize {
        self.lines
    }

    /// Whether nobody listens.
    pub fn is_silent(&self) -> bool {
        self.lines == 0
    }

    /// The time since the listener was made, for [`Report::elapsed`].
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Hands on a report, unless its rank is beyond what is wanted.
    pub fn tell(&mut self, report: &Report<'_, M>) {
        if let Some(tell) = &mut self.tell
            && report.rank <= self.lines
        {
            tell(report);
        }
    }

    /// Reports a choice as the best line. A choice without a move is not reported.
    pub fn conclude(&mut self, choice: &Choice<M>) {
        if self.is_silent() || choice.best.is_none() {
            return;
        }
        self.tell(&Report {
            rank: 1,
            depth: choice.depth,
            value: choice.value,
            solved: choice.solved,
            plies: choice.plies,
            visits: None,
            line: &choice.line,
            nodes: choice.nodes,
            elapsed: self.elapsed(),
        });
    }

    /// Reports several moves, the best first, each with its value and its visits, in a search that
    /// does not look ahead to a depth or looks ahead to this one.
    pub(crate) fn tell_ranked<L: AsRef<[M]>>(
        &mut self,
        lines: impl Iterator<Item = (Option<f64>, Option<u64>, L)>,
        depth: u32,
        nodes: u64,
    ) {
        for (rank, (value, visits, line)) in (1..=self.lines).zip(lines) {
            self.tell(&Report {
                rank,
                depth,
                value,
                solved: false,
                plies: None,
                visits,
                line: line.as_ref(),
                nodes,
                elapsed: self.elapsed(),
            });
        }
    }
}

/// Tells a search that could report after every simulation when it should.
///
/// The search compares its count with [`Pace::next`], and calls [`Pace::is_due`] when it is there.
/// The clock is read so often only that reports are about as frequent as the listener wants them.
pub(crate) struct Pace {
    interval: Duration,
    /// The last report.
    reported: Instant,
    /// The last look at the clock.
    looked: Instant,
    step: u64,
    next: u64,
}

impl Pace {
    /// What is counted before the first look at the clock.
    const FIRST: u64 = 64;

    /// The pace for a listener, from this count on.
    pub fn new<M>(listener: &Listener<'_, M>, count: u64) -> Pace {
        let now = Instant::now();
        Pace {
            interval: listener.interval(),
            reported: now,
            looked: now,
            step: Self::FIRST,
            next: match listener.is_silent() {
                true => u64::MAX,
                false => count.saturating_add(Self::FIRST),
            },
        }
    }

    /// The pace of a search that does not report.
    pub fn never() -> Pace {
        Pace::new(&Listener::<()>::silent(), 0)
    }

    /// The count at which to ask again.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Whether it is time for a report; to be asked when `count` has reached [`Pace::next`].
    #[cold]
    pub fn is_due(&mut self, count: u64) -> bool {
        let now = Instant::now();
        let taken = now.duration_since(self.looked);
        if taken < self.interval / 8 {
            self.step = self.step.saturating_mul(2);
        } else if taken > self.interval / 2 {
            self.step = (self.step / 2).max(1);
        }
        self.looked = now;
        self.next = count.saturating_add(self.step);
        let due = now.duration_since(self.reported) >= self.interval;
        if due {
            self.reported = now;
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_beyond_what_is_wanted_are_not_told() {
        let mut told = Vec::new();
        let mut tell = |report: &Report<'_, u8>| told.push((report.rank, report.line.to_vec()));
        let mut listener = Listener::new(2, &mut tell);
        listener.tell_ranked([5u8, 6, 7].map(|mv| (None, None, [mv])).into_iter(), 0, 1);
        assert_eq!(told, [(1, vec![5]), (2, vec![6])]);
    }

    /// A report as an engine makes it.
    fn report(rank: usize, line: &[u8]) -> Report<'_, u8> {
        Report {
            rank,
            depth: 3,
            value: Some(0.5),
            solved: true,
            plies: Some(7),
            visits: Some(4),
            line,
            nodes: 9,
            elapsed: Duration::from_secs(2),
        }
    }

    #[test]
    fn a_listener_is_told_no_more_lines_than_it_wants() {
        for wanted in 0..4 {
            let mut told = Vec::new();
            let mut tell = |report: &Report<'_, u8>| told.push(report.rank);
            let mut listener = Listener::new(wanted, &mut tell);
            (1..=3).for_each(|rank| listener.tell(&report(rank, &[1])));
            assert_eq!(told, (1..=wanted.min(3)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn another_line_changes_nothing_else() {
        let with = report(2, &[1, 2]).with_line(&["c3"]);
        let expected = Report {
            rank: 2,
            depth: 3,
            value: Some(0.5),
            solved: true,
            plies: Some(7),
            visits: Some(4),
            line: &["c3"][..],
            nodes: 9,
            elapsed: Duration::from_secs(2),
        };
        assert_eq!(with, expected);
    }

    #[test]
    fn a_choice_is_reported_as_the_best_line_if_there_is_a_move() {
        let mut told = Vec::new();
        let mut tell = |report: &Report<'_, u8>| {
            let values = (report.value, report.solved, report.plies);
            told.push((report.rank, report.depth, values, report.nodes));
        };
        let mut listener = Listener::new(1, &mut tell);
        listener.conclude(&Choice::nothing());
        listener.conclude(&Choice {
            best: Some(4),
            value: Some(-1.0),
            solved: true,
            plies: Some(6),
            depth: 5,
            nodes: 8,
            ..Choice::nothing()
        });
        assert_eq!(told, [(1, 5, (Some(-1.0), true, Some(6)), 8)]);
    }

    /// Between two reports lies the interval, and the clock is read more often when counts come
    /// slowly.
    #[test]
    fn reports_come_at_intervals() {
        let mut tell = |_: &Report<'_, u8>| {};
        let interval = Duration::from_millis(200);
        let listener = Listener::new(1, &mut tell).every(interval);
        let mut pace = Pace::new(&listener, 0);
        std::thread::sleep(interval);
        assert!(pace.is_due(64));
        assert_eq!(pace.next(), 64 + 32, "half as many until the next look");
        assert!(!pace.is_due(96), "a report has just been made");
    }

    #[test]
    fn the_clock_is_read_less_and_less_often_while_counts_come_fast() {
        let mut tell = |_: &Report<'_, u8>| {};
        let hour = Duration::from_secs(3600);
        let listener = Listener::new(1, &mut tell).every(hour);
        let mut pace = Pace::new(&listener, 10);
        let mut looks = Vec::new();
        for _ in 0..4 {
            looks.push(pace.next());
            assert!(!pace.is_due(pace.next()));
        }
        assert_eq!(looks, [74, 202, 458, 970]);
        let mut pace = Pace::new(&listener.every(Duration::ZERO), 0);
        assert!(pace.is_due(64));
        assert_eq!(Pace::new(&Listener::<u8>::silent(), 0).next(), u64::MAX);
    }
}
