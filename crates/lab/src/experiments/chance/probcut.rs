//! Schadd (2011), chapter 5: ChanceProbCut in Dice, ChanceBreakthrough and Stratego.
//!
//! The positions, plots and fitted lines of the thesis are lost, so lines are fitted here, on seeded positions of
//! random play. Those that come with Tabia are listed beside; a search uses them by `probcut=T`. What
//! ChanceProbCut costs is the difference between the best move and the move it chose, valued by a full search,
//! or exactly where the board is small enough to be solved.

use std::sync::Arc;

use rand::RngExt;
use tabia_catalog::regressions;
use tabia_game::{CERTAIN, Cancel, Game, Knowledge, Limits, Player, Seed, Turn};
use tabia_games::chance_breakthrough::{ChanceBreakthrough, PiecesAndRank};
use tabia_games::dice::{Dice, FullLine, PairCount};
use tabia_search::chance::{Config, Regression, StarMinimax, Stochastic, preset};
use tabia_solve::expectation::expectation;

use super::failure;
use crate::experiment::{Cell, Curve, Measured, Plan, Series};
use crate::statistics::{CONFIDENCE, Mean, Moments};
use crate::{Experiment, Figure, LabError, Report, Row, Setting, Verdict};

const PAPER: &str = "chanceprobcut";

pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        paper: PAPER,
        name: "fit",
        title: "Deep values as linear functions of shallow ones",
        source: "Schadd (2011), figures 5.8 to 5.10",
        takes: ["a minute", "half an hour"],
        plan: fit,
    },
    Experiment {
        paper: PAPER,
        name: "dice",
        title: "Nodes saved and errors made in Dice",
        source: "Schadd (2011), tables 5.5 to 5.7",
        takes: ["a minute", "an hour"],
        plan: dice,
    },
    Experiment {
        paper: PAPER,
        name: "chancebreakthrough",
        title: "Nodes saved and errors made in ChanceBreakthrough",
        source: "Schadd (2011), table 5.8",
        takes: ["a minute", "two hours"],
        plan: chance_breakthrough,
    },
    Experiment {
        paper: PAPER,
        name: "exact",
        title: "Errors against the exact values of a small ChanceBreakthrough",
        source: "asked for, not measured, by Schadd (2011), section 5.6",
        takes: ["a minute", "ten minutes"],
        plan: exact,
    },
];

/// A game with what is known of it, and how it is searched.
struct Subject<G: Game, K> {
    name: &'static str,
    game: G,
    knowledge: K,
    /// Whether chance events count as plies.
    count_chance: bool,
    /// Depths of chance nodes to which estimates apply, and how much shallower they look.
    depths: &'static [i32],
    reduction: i32,
    /// The lines that come with Tabia.
    stored: &'static [Regression],
    /// Random plies before a position is taken, at least and at most.
    plies: [usize; 2],
}

const DICE_DEPTHS: &[i32] = &[6, 8];
const BREAKTHROUGH_DEPTHS: &[i32] = &[3, 4];

fn dice_5x5() -> Result<Subject<Dice<u64>, PairCount>, LabError> {
    Ok(Subject {
        name: "Dice 5x5, four in a row",
        game: Dice::new(5, 4, FullLine::Pass).map_err(failure)?,
        knowledge: PairCount,
        count_chance: true,
        depths: DICE_DEPTHS,
        reduction: 4,
        stored: regressions::DICE,
        // A throw and a stone each: five to twelve stones, as in the thesis.
        plies: [11, 25],
    })
}

fn breakthrough(
    width: usize,
    height: usize,
    filled: usize,
) -> Result<Subject<ChanceBreakthrough<u64>, PiecesAndRank>, LabError> {
    Ok(Subject {
        name: "ChanceBreakthrough",
        game: ChanceBreakthrough::new(width, height, filled).map_err(failure)?,
        knowledge: PiecesAndRank,
        count_chance: false,
        depths: BREAKTHROUGH_DEPTHS,
        reduction: 2,
        stored: regressions::CHANCE_BREAKTHROUGH,
        plies: [4, 30],
    })
}

impl<G, K> Subject<G, K>
where
    G: Stochastic,
    K: Knowledge<G> + Clone,
{
    fn config(&self, probcut: Option<f64>) -> Result<Config, LabError> {
        let preset = preset("star2").ok_or_else(|| failure("there is no engine 'star2'"))?;
        let config = preset
            .configure("table=16M,deepening=off")
            .map_err(failure)?;
        Ok(Config {
            count_chance: self.count_chance,
            probcut,
            ..config
        })
    }

    /// Positions of random play in which a player has two moves or more.
    fn positions(&self, count: usize, seed: Seed) -> Vec<G::State> {
        let mut found = Vec::with_capacity(count);
        let mut moves = Vec::new();
        for number in 0.. {
            if found.len() >= count {
                break;
            }
            let mut rng = seed.number(number).rng();
            let mut state = self.game.start();
            let wanted = rng.random_range(self.plies[0]..=self.plies[1]);
            for ply in 0.. {
                match self.game.turn(&state) {
                    Turn::Over => break,
                    Turn::Chance => {
                        let outcome = self.game.sample_outcome(&state, &mut rng);
                        self.game.play(&mut state, outcome);
                    }
                    Turn::Player(_) => {
                        moves.clear();
                        self.game.moves(&state, &mut moves);
                        if ply >= wanted && moves.len() > 1 {
                            found.push(state.clone());
                            break;
                        }
                        let mv = moves[rng.random_range(0..moves.len())];
                        self.game.play(&mut state, mv);
                    }
                }
            }
        }
        found
    }

    /// The value of a search for the player to move.
    fn value(&self, state: &G::State, depth: i32, cancel: &Cancel) -> Result<f64, LabError> {
        let mut engine = StarMinimax::<K, f64>::new(self.config(None)?, self.knowledge.clone());
        let limits = Limits {
            cancel: cancel.clone(),
            ..Limits::default()
        };
        let found = engine.search(&self.game, state, depth.max(0) as u32, &limits);
        let value = found.ok_or(LabError::Stopped)?.value;
        Ok(match self.game.turn(state) {
            Turn::Player(Player::SECOND) => -value,
            _ => value,
        })
    }
}

/// Pairs of shallow and deep values, a cell for each depth.
fn fit_cells<G, K>(subject: Subject<G, K>, count: usize, seed: Seed) -> Vec<Cell>
where
    G: Stochastic + 'static,
    K: Knowledge<G> + Clone + 'static,
{
    let positions = Arc::new(subject.positions(count, seed));
    let subject = Arc::new(subject);
    let cell = |&depth: &i32| {
        let (subject, positions) = (Arc::clone(&subject), Arc::clone(&positions));
        let name = fit_name(subject.name, depth);
        Cell::sample(name, positions.len(), move |item, cancel| {
            let state = &positions[item];
            let below = depth - i32::from(subject.count_chance);
            Ok(vec![
                subject.value(state, below - subject.reduction, cancel)?,
                subject.value(state, below, cancel)?,
            ])
        })
    };
    subject.depths.iter().map(cell).collect()
}

fn fit_name(name: &str, depth: i32) -> String {
    format!("{name}, depth {depth}")
}

fn report_fit(
    report: &mut Report,
    measured: &Measured,
    name: &str,
    depths: &[i32],
    reduction: i32,
    stored: &[Regression],
) -> Result<(), LabError> {
    for &depth in depths {
        let cell = fit_name(name, depth);
        let (shallow, deep) = (measured.values(&cell)?, measured.column(&cell, 1)?);
        let pairs: Vec<(f64, f64)> = shallow.iter().copied().zip(deep).collect();
        let Some(found) = Regression::fit(depth, reduction, &pairs) else {
            report.relation(
                format!("{cell}: a line can be fitted"),
                Verdict::Undecided,
                format!("{} positions", pairs.len()),
            );
            continue;
        };
        let known = stored.iter().find(|r| r.depth == depth);
        for (what, stored, ours) in [
            ("slope", known.map(|r| r.slope), found.slope),
            ("intercept", known.map(|r| r.intercept), found.intercept),
            ("deviation", known.map(|r| r.deviation), found.deviation),
        ] {
            report.rows.push(Row::compared(
                format!("{cell}: {what}"),
                stored.map(Figure::Number),
                Figure::Number(ours),
            ));
        }
        let share = found.deviation / f64::from(CERTAIN);
        report.relation(
            format!("{cell}: the shallow value tells something of the deep one"),
            Verdict::of(found.slope > 0.0),
            format!("slope {:.3}, deviation {share:.4} of a win", found.slope),
        );
    }
    Ok(())
}

fn fit(setting: &Setting) -> Result<Plan, LabError> {
    let counts = setting.scale.pick([[150, 60], [1000, 500]]);
    let seed = Seed::new(setting.seed).split("fit");
    let (dice, board) = (dice_5x5()?, breakthrough(8, 8, 2)?);
    let (dice_stored, board_stored) = (dice.stored, board.stored);
    let mut cells = fit_cells(dice, counts[0], seed);
    cells.extend(fit_cells(board, counts[1], seed));
    Ok(Plan {
        cells,
        report: Box::new(move |measured| {
            let mut report = Report {
                conditions: vec![
                    "printed: the lines that come with Tabia, fitted at full scale with seed 1; those of the thesis are lost".to_string(),
                    "values are in millionths of a win; the depth is that of the chance node".to_string(),
                ],
                ..Report::default()
            };
            report_fit(
                &mut report,
                measured,
                "Dice 5x5, four in a row",
                DICE_DEPTHS,
                4,
                dice_stored,
            )?;
            report_fit(
                &mut report,
                measured,
                "ChanceBreakthrough",
                BREAKTHROUGH_DEPTHS,
                2,
                board_stored,
            )?;
            Ok(report)
        }),
    })
}

/// Widths of the estimates in standard deviations, and the reductions printed for them in percent.
type Widths = &'static [(f64, Option<f64>)];

const DICE_WIDTHS: Widths = &[
    (3.2, Some(14.1)),
    (1.6, Some(27.4)),
    (0.8, Some(41.0)),
    (0.4, Some(52.7)),
    (0.2, Some(61.9)),
    (0.1, Some(66.6)),
    (0.05, Some(69.0)),
];
const BREAKTHROUGH_WIDTHS: Widths = &[
    (3.2, Some(51.6)),
    (1.6, Some(53.9)),
    (0.8, Some(61.3)),
    (0.05, Some(77.2)),
];

fn width_name(width: f64) -> String {
    format!("t = {width}")
}

/// How the move that a search has chosen is valued, in place of a full search.
type Judge<G> = dyn Fn(&G, &<G as Game>::State, &Cancel) -> Result<f64, LabError> + Send + Sync;

/// Nodes with estimates of each width and without, and the loss by the move chosen.
fn cost_cells<G, K>(
    subject: Subject<G, K>,
    depth: u32,
    count: usize,
    widths: Widths,
    seed: Seed,
    judge: Option<Arc<Judge<G>>>,
) -> Vec<Cell>
where
    G: Stochastic + 'static,
    K: Knowledge<G> + Clone + 'static,
{
    let positions = Arc::new(subject.positions(count, seed));
    let subject = Arc::new(subject);
    let cell = |width: Option<f64>| {
        let (subject, positions) = (Arc::clone(&subject), Arc::clone(&positions));
        let judge = judge.clone();
        let name = width.map_or("without".to_string(), width_name);
        Cell::sample(name, positions.len(), move |item, cancel| {
            let state = &positions[item];
            let limits = Limits {
                cancel: cancel.clone(),
                ..Limits::default()
            };
            let search = |width: Option<f64>| {
                let config = subject.config(width)?;
                let mut engine = StarMinimax::<K, f64>::new(config, subject.knowledge.clone())
                    .with_regressions(subject.stored);
                engine
                    .search(&subject.game, state, depth, &limits)
                    .ok_or(LabError::Stopped)
            };
            let found = search(width)?;
            let worth = |mv: Option<G::Move>| -> Result<f64, LabError> {
                let mut after = state.clone();
                if let Some(mv) = mv {
                    subject.game.play(&mut after, mv);
                }
                let value = match &judge {
                    Some(judge) => judge(&subject.game, &after, cancel)?,
                    None if subject.game.turn(&after) == Turn::Over => {
                        let payoff = f64::from(subject.game.payoff(&after, Player::FIRST));
                        payoff / f64::from(subject.game.max_payoff())
                    }
                    None => {
                        let value = subject.value(&after, depth as i32 - 1, cancel)?;
                        let first = subject.game.turn(&after) != Turn::Player(Player::SECOND);
                        (if first { value } else { -value }) / f64::from(CERTAIN)
                    }
                };
                let own = subject.game.turn(state) != Turn::Player(Player::SECOND);
                Ok(if own { value } else { -value })
            };
            let loss = match width {
                None => 0.0,
                Some(_) => {
                    let best = search(None)?.best;
                    match best == found.best {
                        true => 0.0,
                        false => worth(best)? - worth(found.best)?,
                    }
                }
            };
            Ok(vec![found.nodes as f64, loss])
        })
    };
    let all = std::iter::once(None).chain(widths.iter().map(|(width, _)| Some(*width)));
    all.map(cell).collect()
}

fn report_cost(
    report: &mut Report,
    measured: &Measured,
    widths: Widths,
    scale: f64,
) -> Result<(), LabError> {
    let (mut saved, mut lost) = (Vec::new(), Vec::new());
    for &(width, printed) in widths {
        let name = width_name(width);
        let (ratio, interval) = measured.ratio(&name, "without")?;
        let row = Row::compared(
            format!("{name}: share of nodes saved"),
            printed.map(|percent| Figure::Number(percent / 100.0)),
            Figure::Number(1.0 - ratio),
        );
        report.rows.push(row.within(interval.complement()));
        let losses = measured.column(&name, 1)?;
        let mean = Mean::new(
            &losses.iter().map(|l| l * scale).collect::<Moments>(),
            CONFIDENCE,
        );
        let row = Row::compared(
            format!("{name}: mean error of the move"),
            None,
            Figure::Number(mean.mean),
        );
        report.rows.push(row.within(mean.interval));
        saved.push((width, 1.0 - ratio));
        lost.push((width, mean.mean));
    }
    let (widest, narrowest) = (saved.first(), saved.last());
    report.relation(
        "narrower estimates save more nodes",
        Verdict::of(widest.map(|p| p.1) < narrowest.map(|p| p.1)),
        format!("{saved:.3?}"),
    );
    report.relation(
        "narrower estimates cost more in the value of the move",
        match (lost.first(), lost.last()) {
            (Some(wide), Some(narrow)) if wide.1 < narrow.1 => Verdict::Held,
            (Some(wide), Some(narrow)) if wide.1 > narrow.1 => Verdict::Failed,
            _ => Verdict::Undecided,
        },
        format!("{lost:.5?}"),
    );
    let left_to_right = |mut points: Vec<(f64, f64)>| {
        points.reverse();
        points
    };
    report.curves.push(Curve {
        name: "Nodes saved".to_string(),
        x: "t".to_string(),
        y: "share".to_string(),
        logarithmic: false,
        series: vec![Series::new("ours", left_to_right(saved))],
    });
    Ok(())
}

fn dice(setting: &Setting) -> Result<Plan, LabError> {
    let (depth, count) = setting.scale.pick([(7, 60), (9, 300)]);
    let seed = Seed::new(setting.seed).split("dice");
    Ok(Plan {
        cells: cost_cells(dice_5x5()?, depth, count, DICE_WIDTHS, seed, None),
        report: Box::new(move |measured| {
            let mut report = Report {
                conditions: vec![
                    format!(
                        "5x5, four in a row, depth {depth} with throws counted, {count} positions with five to twelve stones; the thesis: depth 9, 1000 positions, how many in a row is not told"
                    ),
                    "errors are on a scale from -10 to 10, as in the thesis".to_string(),
                ],
                ..Report::default()
            };
            report_cost(&mut report, measured, DICE_WIDTHS, 10.0)?;
            Ok(report)
        }),
    })
}

fn chance_breakthrough(setting: &Setting) -> Result<Plan, LabError> {
    let (depth, count) = setting.scale.pick([(4, 12), (5, 100)]);
    let seed = Seed::new(setting.seed).split("chance breakthrough");
    let subject = breakthrough(8, 8, 2)?;
    Ok(Plan {
        cells: cost_cells(subject, depth, count, BREAKTHROUGH_WIDTHS, seed, None),
        report: Box::new(move |measured| {
            let mut report = Report {
                conditions: vec![format!(
                    "8x8, depth {depth} without throws, {count} positions; errors on a scale from -1500 to 1500, as in the thesis: depth 5"
                )],
                ..Report::default()
            };
            report_cost(&mut report, measured, BREAKTHROUGH_WIDTHS, 1500.0)?;
            Ok(report)
        }),
    })
}

/// More positions than can arise on the small board.
const MOST: u64 = 20_000_000;

fn exact(setting: &Setting) -> Result<Plan, LabError> {
    let (count, depth) = setting.scale.pick([(20, 4), (200, 4)]);
    let seed = Seed::new(setting.seed).split("exact");
    let subject = Subject {
        plies: [0, 6],
        ..breakthrough(3, 5, 1)?
    };
    let judge: Arc<Judge<ChanceBreakthrough<u64>>> = Arc::new(|game, state, cancel| {
        let limits = Limits {
            cancel: cancel.clone(),
            ..Limits::default()
        };
        let value = expectation(game, state, MOST, &limits).map_err(failure)?;
        Ok(value.value)
    });
    Ok(Plan {
        cells: cost_cells(
            subject,
            depth,
            count,
            BREAKTHROUGH_WIDTHS,
            seed,
            Some(judge),
        ),
        report: Box::new(move |measured| {
            let mut report = Report {
                conditions: vec![format!(
                    "3x5 with one rank filled, {count} positions of random play, depth {depth}; errors are differences of exact values between the move that full search chose and the one that ChanceProbCut chose, a win being 1; lines are those of the 8x8 board"
                )],
                ..Report::default()
            };
            report_cost(&mut report, measured, BREAKTHROUGH_WIDTHS, 1.0)?;
            Ok(report)
        }),
    })
}
