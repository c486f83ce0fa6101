//! Figures 4.10 to 4.12: how the proof and the disproof number of the root develop in the course of
//! a search.

use tabia_game::{Cancel, Game, Limits, Player};
use tabia_solve::best_first::{BestFirstSearch as _, Pn2, ProofPair, Trace};
use tabia_solve::{Attack, INFINITY};

use super::solver::{Endings, on_one_thread};
use super::{Size, board, size_text};
use tabia_lab::experiment::{ExperimentCell, ExperimentPlan, Measured, Series};
use tabia_lab::{Curve, ExperimentReport, Figure, LabError, Row, Verdict};

/// A search and what becomes of it.
pub struct Search {
    size: Size,
    /// The most pieces of the tables used.
    pieces: usize,
    goal: Goal,
    conditions: &'static [&'static str],
}

/// What is to be proved, and whether it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    WhiteWins { proved: bool },
    WhiteDraws,
}

const SMALLER: &[&str] = &[
    "ours on 5x5 with tables of 5 pieces; the thesis on 5x9 with tables of 7",
    "x counts nodes created in both levels of PN2",
];

/// Figure 4.10.
pub const WIN: Search = Search {
    size: (5, 5),
    pieces: 5,
    goal: Goal::WhiteWins { proved: false },
    conditions: SMALLER,
};

/// Figure 4.11.
pub const DRAW: Search = Search {
    size: (5, 5),
    pieces: 5,
    goal: Goal::WhiteDraws,
    conditions: SMALLER,
};

/// Figure 4.12.
pub const NARROW: Search = Search {
    size: (7, 3),
    pieces: 0,
    goal: Goal::WhiteWins { proved: true },
    conditions: &["without tables, as in the thesis"],
};

impl Goal {
    fn words(self) -> &'static str {
        match self {
            Goal::WhiteWins { .. } => "White wins",
            Goal::WhiteDraws => "White at least draws",
        }
    }

    fn attacker(self) -> Player {
        match self {
            Goal::WhiteWins { .. } => Player::FIRST,
            Goal::WhiteDraws => Player::SECOND,
        }
    }

    /// Proof and disproof number of the goal, given those of the attack that decides it.
    fn numbers(self, attack: ProofPair) -> [u32; 2] {
        match self {
            Goal::WhiteWins { .. } => [attack.pn, attack.dn],
            Goal::WhiteDraws => [attack.dn, attack.pn],
        }
    }

    /// Which of its numbers must end at zero.
    fn vanishing(self) -> usize {
        usize::from(self == Goal::WhiteWins { proved: false })
    }
}

/// More nodes than the thesis reports for these boards.
const NODES: u64 = 50_000_000;
const CELL: &str = "search";
const NAMES: [&str; 2] = ["proof number", "disproof number"];
/// The most points of a line that are kept.
const POINTS: usize = 2_000;
/// Figures before those of the points.
const HEAD: usize = 6;

pub fn plan(search: &'static Search) -> ExperimentPlan {
    ExperimentPlan {
        cells: vec![ExperimentCell::once(CELL, |cancel| {
            on_one_thread(|| measure(search, NODES, cancel))
        })],
        report: Box::new(|measured| report(search, measured)),
    }
}

/// A line that becomes coarser as it becomes longer, and always knows its peaks.
#[derive(Default)]
struct Record {
    points: Vec<[f64; 3]>,
    seen: usize,
    stride: usize,
    /// Where each number was highest, and what it was.
    peaks: [(u64, u32); 2],
}

impl Record {
    fn add(&mut self, nodes: u64, numbers: [u32; 2]) {
        for (peak, number) in self.peaks.iter_mut().zip(numbers) {
            if number != INFINITY && number > peak.1 {
                *peak = (nodes, number);
            }
        }
        self.stride = self.stride.max(1);
        if self.seen.is_multiple_of(self.stride) {
            let [pn, dn] = numbers.map(f64::from);
            self.points.push([nodes as f64, pn, dn]);
            if self.points.len() >= 2 * POINTS {
                let mut place = 0;
                self.points.retain(|_| {
                    place += 1;
                    place % 2 == 1
                });
                self.stride *= 2;
            }
        }
        self.seen += 1;
    }
}

/// The numbers at the end, where they were highest, how many points there are, and the points.
fn measure(search: &Search, nodes: u64, cancel: &Cancel) -> Result<Vec<f64>, LabError> {
    let game = board(search.size)?;
    let endings = Endings::build(&game, search.pieces, cancel)?;
    let attack = Attack {
        attacker: search.goal.attacker(),
        at_least: 1,
    };
    let limits = Limits {
        nodes: Some(nodes),
        cancel: cancel.clone(),
        ..Limits::default()
    };
    let mut record = Record::default();
    let mut call = |nodes, attack| record.add(nodes, search.goal.numbers(attack));
    let trace = Trace {
        every: 1,
        call: &mut call,
    };
    let start = game.start();
    let outcome = Pn2::default().search(&game, &start, attack, &endings, &limits, Some(trace));
    let end = search.goal.numbers(outcome.root)[search.goal.vanishing()];
    let (at, height) = record.peaks[search.goal.vanishing()];
    let mut figures = vec![
        f64::from(u8::from(end == 0)),
        outcome.nodes as f64,
        at as f64,
        f64::from(height),
        outcome.held as f64,
        record.points.len() as f64,
    ];
    figures.extend(record.points.iter().flatten());
    Ok(figures)
}

fn report(search: &Search, measured: &Measured) -> Result<ExperimentReport, LabError> {
    let figure =
        |column| -> Result<f64, LabError> { Ok(measured.column(CELL, column)?.into_iter().sum()) };
    let (nodes, peak, height) = (figure(1)?, figure(2)?, figure(3)?);
    let ended = figure(0)? > 0.0;
    let vanishing = NAMES[search.goal.vanishing()];
    let (size, goal) = (size_text(search.size), search.goal.words());
    let mut points = Vec::new();
    for number in 0..figure(HEAD - 1)? as usize {
        let at = HEAD + 3 * number;
        points.push([figure(at)?, figure(at + 1)?, figure(at + 2)?]);
    }
    let line = |which: usize| {
        let finite = points
            .iter()
            .filter(move |p| p[1 + which] < f64::from(INFINITY));
        Series::new(NAMES[which], finite.map(move |p| (p[0], p[1 + which])))
    };
    let mut report = ExperimentReport {
        conditions: search.conditions.iter().map(|c| c.to_string()).collect(),
        rows: vec![
            Row::exact(
                format!("{size}, {goal}: the {vanishing} ends at zero"),
                1,
                u64::from(ended),
            ),
            Row::compared("nodes", None, Figure::Count(nodes as u64)),
            Row::compared("nodes held at once", None, Figure::Count(figure(4)? as u64)),
            Row::compared(
                format!("highest {vanishing}"),
                None,
                Figure::Count(height as u64),
            ),
            Row::compared("reached after nodes", None, Figure::Count(peak as u64)),
        ],
        curves: vec![Curve {
            name: format!("The root of {size}, {goal}"),
            x: "nodes".to_string(),
            y: "number".to_string(),
            logarithmic: false,
            series: vec![line(0), line(1)],
        }],
        ..ExperimentReport::default()
    };
    report.relation(
        format!("the {vanishing} peaks in the beginning and has a long tail"),
        match ended {
            true => Verdict::of(peak < nodes / 2.0),
            false => Verdict::Undecided,
        },
        format!(
            "the peak comes after {:.0}% of the nodes",
            100.0 * peak / nodes.max(1.0)
        ),
    );
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_stays_short_and_keeps_its_peaks() {
        let mut record = Record::default();
        for nodes in 0..100_000u32 {
            let number = if nodes == 77_777 { 9 } else { 1 };
            record.add(nodes.into(), [number, INFINITY]);
        }
        assert_eq!(record.peaks, [(77_777, 9), (0, 0)]);
        assert!((POINTS..2 * POINTS).contains(&record.points.len()));
        assert!(record.points.windows(2).all(|pair| pair[0][0] < pair[1][0]));
    }

    /// White wins on 3x3 (Schadd 2011, table 4.4), so that no search finds that Black does.
    #[test]
    fn the_number_that_ends_at_zero_is_that_of_the_goal() {
        for (goal, ends) in [
            (Goal::WhiteWins { proved: true }, 1.0),
            (Goal::WhiteWins { proved: false }, 0.0),
            (Goal::WhiteDraws, 1.0),
        ] {
            let search = Search {
                size: (3, 3),
                pieces: 2,
                goal,
                conditions: &[],
            };
            let figures = measure(&search, 100_000, &Cancel::default()).unwrap();
            assert_eq!(figures[0], ends, "{goal:?}");
            assert_eq!(figures.len(), HEAD + 3 * figures[HEAD - 1] as usize);
        }
    }
}
