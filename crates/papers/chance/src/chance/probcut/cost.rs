//! What estimates save, and what they cost (tables 5.2 to 5.4, 5.6 to 5.8 and 5.10).

use std::sync::{Arc, OnceLock};

use tabia_breakthrough::chance_breakthrough::ChanceBreakthrough;
use tabia_game::{Cancel, Game, Knowledge, Limits, Player, Seed, Turn};
use tabia_search::chance::{ChanceGame, Regression};
use tabia_solve::expectation::expectation;

use super::subject::{self, GameProfile, Position, Subject};
use crate::chance::failure;
use tabia_lab::experiment::{Curve, ExperimentCell, ExperimentPlan, Measured, Series};
use tabia_lab::statistics::{CONFIDENCE, Mean, Moments};
use tabia_lab::{ExperimentReport, Figure, LabError, Row, Setting, Verdict};

/// Estimates of one width, and what is printed for them: nodes saved in percent, and the mean
/// error.
#[derive(Clone, Copy)]
struct Width {
    t: f64,
    saved: Option<f64>,
    error: Option<f64>,
}

const fn printed(t: f64, saved: f64, error: f64) -> Width {
    Width {
        t,
        saved: Some(saved),
        error: Some(error),
    }
}

/// Table 5.2: depth 7, with the two shares that its own node counts contradict put right.
const STRATEGO: &[Width] = &[
    printed(12.8, 18.0, 0.14),
    printed(3.2, 37.5, 0.43),
    printed(0.8, 44.5, 0.44),
    printed(0.2, 45.4, 0.73),
    printed(0.05, 45.8, 0.73),
];

/// Table 5.6: depth 9.
const DICE: &[Width] = &[
    printed(3.2, 14.1, 0.00),
    printed(1.6, 27.4, 0.01),
    printed(0.8, 41.0, 0.05),
    printed(0.4, 52.7, 0.10),
    printed(0.2, 61.9, 0.14),
    printed(0.1, 66.6, 0.16),
    printed(0.05, 69.0, 0.18),
];

/// Table 5.10: depth 5.
const CHANCE_BREAKTHROUGH: &[Width] = &[
    printed(3.2, 51.6, 30.26),
    printed(1.6, 53.9, 32.02),
    printed(0.8, 61.3, 33.17),
    printed(0.2, 72.5, 35.12),
    printed(0.05, 77.2, 35.80),
];

/// The small board was not measured in the thesis.
const EXACT: &[Width] = &[
    Width {
        t: 3.2,
        saved: None,
        error: None,
    },
    Width {
        t: 0.8,
        saved: None,
        error: None,
    },
    Width {
        t: 0.05,
        saved: None,
        error: None,
    },
];

const WITHOUT: &str = "without";

fn name(t: f64) -> String {
    format!("t = {t}")
}

/// The worth of a position to the first player, in place of a full search.
type Judge<G> = dyn Fn(&Position<G>, &Cancel) -> Result<f64, LabError> + Send + Sync;

/// Searches to one depth with estimates of each width and without: nodes, and what the move chosen
/// loses.
struct Comparison<G: Game, K> {
    subject: Arc<Subject<G, K>>,
    depth: u32,
    judge: Option<Arc<Judge<G>>>,
    /// What was found without estimates, position by position.
    full: Arc<Vec<OnceLock<Chosen<G::Move>>>>,
}

/// The nodes of a search and its move.
#[derive(Clone, Copy)]
struct Chosen<M> {
    nodes: u64,
    best: Option<M>,
}

impl<G, K> Comparison<G, K>
where
    G: ChanceGame + 'static,
    K: Knowledge<G> + Clone + 'static,
{
    fn new(subject: Subject<G, K>, depth: u32) -> Comparison<G, K> {
        let full = subject.positions.iter().map(|_| OnceLock::new());
        Comparison {
            full: Arc::new(full.collect()),
            subject: Arc::new(subject),
            depth,
            judge: None,
        }
    }

    fn cells(&self, widths: &[Width]) -> Vec<ExperimentCell> {
        let lines = self.subject.kind.lines;
        let with = |width: &Width| self.cell(name(width.t), Some((width.t, lines)));
        let without = self.cell(WITHOUT.to_string(), None);
        std::iter::once(without)
            .chain(widths.iter().map(with))
            .collect()
    }

    fn cell(
        &self,
        name: String,
        estimates: Option<(f64, &'static [Regression])>,
    ) -> ExperimentCell {
        let (subject, depth) = (Arc::clone(&self.subject), self.depth);
        let (judge, full) = (self.judge.clone(), Arc::clone(&self.full));
        ExperimentCell::sample(name, subject.positions.len(), move |item, cancel| {
            let position = &subject.positions[item];
            let search = |estimates| -> Result<Chosen<G::Move>, LabError> {
                let found = subject.search(position, depth, estimates, cancel)?;
                Ok(Chosen {
                    nodes: found.nodes,
                    best: found.best,
                })
            };
            let without = match full[item].get() {
                Some(&known) => known,
                None => *full[item].get_or_init({
                    let found = search(None)?;
                    move || found
                }),
            };
            let Some(estimates) = estimates else {
                return Ok(vec![without.nodes as f64, 0.0]);
            };
            let found = search(Some(estimates))?;
            let worth = |mv| worth(&subject, position, mv, depth, &judge, cancel);
            let loss = match without.best == found.best {
                true => 0.0,
                false => worth(without.best)? - worth(found.best)?,
            };
            Ok(vec![found.nodes as f64, loss])
        })
    }
}

/// What a move is worth to the player who makes it, a win being 1.
fn worth<G, K>(
    subject: &Subject<G, K>,
    position: &Position<G>,
    mv: Option<G::Move>,
    depth: u32,
    judge: &Option<Arc<Judge<G>>>,
    cancel: &Cancel,
) -> Result<f64, LabError>
where
    G: ChanceGame,
    K: Knowledge<G> + Clone,
{
    let mut after = Position {
        game: Arc::clone(&position.game),
        state: position.state.clone(),
    };
    if let Some(mv) = mv {
        after.game.play(&mut after.state, mv);
    }
    let value = match judge {
        Some(judge) => judge(&after, cancel)?,
        None => subject.value(&after, depth as i32 - 1, cancel)?,
    };
    Ok(match position.game.turn(&position.state) {
        Turn::Player(Player::SECOND) => -value,
        _ => value,
    })
}

/// Nodes saved by one setting, and the mean error of its moves on the scale of the thesis.
fn report_width(
    report: &mut ExperimentReport,
    measured: &Measured,
    name: &str,
    width: Width,
    scale: f64,
) -> Result<(f64, Mean), LabError> {
    let (ratio, interval) = measured.ratio(name, WITHOUT)?;
    let row = Row::compared(
        format!("{name}: share of nodes saved"),
        width.saved.map(|percent| Figure::Number(percent / 100.0)),
        Figure::Number(1.0 - ratio),
    );
    report.rows.push(row.within(interval.complement()));
    let losses = measured.column(name, 1)?;
    let losses: Moments = losses.iter().map(|loss| loss * scale).collect();
    let mean = Mean::new(&losses, CONFIDENCE);
    let row = Row::compared(
        format!("{name}: mean error of the move"),
        width.error.map(Figure::Number),
        Figure::Number(mean.mean),
    );
    report.rows.push(row.within(mean.interval));
    Ok((1.0 - ratio, mean))
}

fn report_widths(
    report: &mut ExperimentReport,
    measured: &Measured,
    widths: &[Width],
    scale: f64,
) -> Result<(), LabError> {
    let (mut saved, mut lost) = (Vec::new(), Vec::new());
    for &width in widths {
        let (share, mean) = report_width(report, measured, &name(width.t), width, scale)?;
        saved.push((width.t, share));
        lost.push((width.t, mean));
    }
    let told = |points: &[(f64, f64)]| -> String {
        let told = points.iter().map(|(t, y)| format!("{y:.4} at {t}"));
        told.collect::<Vec<_>>().join(", ")
    };
    report.relation(
        "narrower estimates save more nodes",
        Verdict::of(saved.first().map(|p| p.1) < saved.last().map(|p| p.1)),
        told(&saved),
    );
    let means: Vec<(f64, f64)> = lost.iter().map(|(t, mean)| (*t, mean.mean)).collect();
    report.relation(
        "narrower estimates cost more in the value of the move",
        match (lost.first(), lost.last()) {
            (Some((_, wide)), Some((_, narrow))) if narrow.interval.low > wide.mean => {
                Verdict::Held
            }
            (Some((_, wide)), Some((_, narrow))) if narrow.interval.high < wide.mean => {
                Verdict::Failed
            }
            _ => Verdict::Undecided,
        },
        told(&means),
    );
    saved.reverse();
    report.curves.push(Curve {
        name: "Nodes saved".to_string(),
        x: "t".to_string(),
        y: "share".to_string(),
        logarithmic: false,
        series: vec![Series::new("ours", saved)],
    });
    Ok(())
}

fn plan(
    cells: Vec<ExperimentCell>,
    conditions: Vec<String>,
    widths: &'static [Width],
    kind: &'static GameProfile,
) -> ExperimentPlan {
    ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report = ExperimentReport {
                conditions: conditions.clone(),
                ..ExperimentReport::default()
            };
            report_widths(&mut report, measured, widths, kind.scale)?;
            Ok(report)
        }),
    }
}

pub fn stratego(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let (depth, count) = setting.scale.pick([(5, 30), (7, 100)]);
    let seed = Seed::new(setting.seed).split("stratego");
    let comparison = Comparison::new(subject::stratego(count, seed), depth);
    Ok(plan(
        comparison.cells(STRATEGO),
        vec![
            format!(
                "what the player to move sees at {count} positions of self-play, after 50, 150 and \
                 300 plies; depth {depth}, chance events not counted; the thesis: depth 7, 500 \
                 positions of human games"
            ),
            "errors are on a scale from -1000 to 1000, as in the thesis; a Scout is 10".to_string(),
        ],
        STRATEGO,
        &subject::STRATEGO,
    ))
}

/// With several lines for a depth: the width, and what the setting is called.
const SEVERAL: (f64, &str) = (0.8, "t = 0.8, several lines a depth");

pub fn dice(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let (depth, count) = setting.scale.pick([(9, 200), (11, 300)]);
    let seed = Seed::new(setting.seed).split("dice");
    let comparison = Comparison::new(subject::dice(count, seed)?, depth);
    let mut cells = comparison.cells(DICE);
    let (t, several) = SEVERAL;
    cells.push(comparison.cell(
        several.to_string(),
        Some((t, tabia_alignment::dice::entry::SEVERAL_REGRESSIONS)),
    ));
    Ok(ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report = ExperimentReport {
                conditions: vec![
                    format!(
                        "5x5, four in a row, depth {depth} with throws counted, {count} positions \
                         with five to twelve stones; printed: depth 9, 1000 positions, how many in \
                         a row is not told"
                    ),
                    "errors are on a scale from -10 to 10, as in the thesis".to_string(),
                    "several lines a depth (Multi-ChanceProbCut, section 5.7): a very shallow \
                     search first, a less shallow one where that does not decide"
                        .to_string(),
                ],
                ..ExperimentReport::default()
            };
            let scale = subject::DICE.scale;
            report_widths(&mut report, measured, DICE, scale)?;
            let unprinted = Width {
                t,
                saved: None,
                error: None,
            };
            report_width(&mut report, measured, several, unprinted, scale)?;
            Ok(report)
        }),
    })
}

pub fn chance_breakthrough(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let (depth, count) = setting.scale.pick([(4, 500), (5, 500)]);
    let seed = Seed::new(setting.seed).split("chance breakthrough");
    let positions = subject::chance_breakthrough([8, 8, 2], [4, 30], count, seed)?;
    Ok(plan(
        Comparison::new(positions, depth).cells(CHANCE_BREAKTHROUGH),
        vec![format!(
            "8x8, depth {depth} without throws, {count} positions; errors on a scale from -1500 to \
             1500, as in the thesis; printed: depth 5, 500 positions"
        )],
        CHANCE_BREAKTHROUGH,
        &subject::CHANCE_BREAKTHROUGH,
    ))
}

/// More positions than can arise on the small board.
const MAX_POSITIONS: u64 = 20_000_000;

const SMALL: GameProfile = GameProfile {
    scale: 1.0,
    ..subject::CHANCE_BREAKTHROUGH
};

pub fn exact(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let (count, depth) = setting.scale.pick([(500, 5), (3000, 5)]);
    let seed = Seed::new(setting.seed).split("exact");
    let positions = subject::chance_breakthrough([3, 5, 1], [0, 6], count, seed)?;
    let judge: Arc<Judge<ChanceBreakthrough<u64>>> = Arc::new(|position, cancel| {
        let limits = Limits {
            cancel: cancel.clone(),
            ..Limits::default()
        };
        let value = expectation(&*position.game, &position.state, MAX_POSITIONS, &limits);
        Ok(value.map_err(failure)?.value)
    });
    let comparison = Comparison {
        judge: Some(judge),
        ..Comparison::new(positions, depth)
    };
    Ok(plan(
        comparison.cells(EXACT),
        vec![format!(
            "3x5 with one rank filled, {count} positions of random play, depth {depth}; errors are \
             differences of exact values between the move that full search chose and the one that \
             ChanceProbCut chose, a win being 1; lines are those of the 8x8 board"
        )],
        EXACT,
        &SMALL,
    ))
}
