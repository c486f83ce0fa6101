//! Saffidine (2013), "Solving Games and All That", as reviewed by Hartmann (2013): one search for all
//! outcomes against one for each, and product propagation against proof numbers.
//!
//! The review prints shares of positions and times, not the positions. Their numbers, 256 and 625,
//! are those of all sequences of four drops on four and on five columns.

use std::sync::Arc;
use std::time::Instant;

use tabia_game::{Cancel, Game, Limits, Player, Turn};
use tabia_games::breakthrough::Breakthrough;
use tabia_games::connect4::Connect4;
use tabia_games::mnk::Mnk;
use tabia_solve::best_first::{Bounds, Mopns, Numbers, Outcome, Pn, Pp, Solvable, Stakes};
use tabia_solve::{Attack, Prover, Status};

use crate::experiment::{Cell, Measured, Plan};
use crate::statistics::{CONFIDENCE, paired_ratio, wilson};
use crate::{Experiment, Figure, LabError, Report, Row, Scale, Setting, Verdict};

const PAPER: &str = "saffidine";

pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        paper: PAPER,
        name: "mopns",
        title: "One proof-number search for all outcomes against one for each",
        source: "Saffidine (2013), chapter 3, after Hartmann (2013)",
        takes: ["a minute", "half an hour"],
        plan: many_outcomes,
    },
    Experiment {
        paper: PAPER,
        name: "pp",
        title: "Product propagation against proof-number search",
        source: "Saffidine (2013), chapter 2, after Hartmann (2013)",
        takes: ["half a minute", "ten minutes"],
        plan: products,
    },
];

/// All positions after so many plies, by sequence of moves.
fn after<G: Game>(game: &G, plies: usize) -> Vec<G::State> {
    let mut positions = vec![game.start()];
    let mut moves = Vec::new();
    for _ in 0..plies {
        let next = positions.iter().flat_map(|state| {
            moves.clear();
            game.moves(state, &mut moves);
            let children = moves.iter().map(|&mv| {
                let mut child = state.clone();
                game.play(&mut child, mv);
                child
            });
            children.collect::<Vec<_>>()
        });
        positions = next.collect();
    }
    positions.retain(|state| game.turn(state) != Turn::Over);
    positions
}

fn limits(nodes: Option<u64>, cancel: &Cancel) -> Limits {
    Limits {
        nodes,
        cancel: cancel.clone(),
        ..Limits::default()
    }
}

/// A board, and what the review prints of it: the share of positions where one search for all
/// outcomes creates fewer nodes, and its time in relation to that of the other.
struct Board {
    columns: usize,
    rows: usize,
    fewer: f64,
    time: f64,
    /// Every so many positions are measured when there is little time; no divisor of their number,
    /// so that the last drops vary.
    quick: usize,
}

const BOARDS: [Board; 2] = [
    Board {
        columns: 4,
        rows: 5,
        fewer: 0.89,
        time: 1.16,
        quick: 1,
    },
    Board {
        columns: 5,
        rows: 5,
        fewer: 0.65,
        time: 1.14,
        quick: 17,
    },
];

impl Board {
    fn name(&self) -> String {
        format!("{}x{}", self.columns, self.rows)
    }
}

fn many_outcomes(setting: &Setting) -> Result<Plan, LabError> {
    let scale = setting.scale;
    let cells = BOARDS.iter().map(|board| {
        let game = Connect4::<u64>::new(board.columns, board.rows, 4)
            .map_err(|error| LabError::BadRequest(error.to_string()))?;
        let step = match scale {
            Scale::Quick => board.quick,
            Scale::Full => 1,
        };
        let positions: Vec<_> = after(&game, 4).into_iter().step_by(step).collect();
        let items = positions.len();
        let measure = move |item: usize, cancel: &Cancel| {
            let limits = limits(None, cancel);
            Ok(positions
                .get(item)
                .map_or_else(Vec::new, |state| compare(&game, state, &limits)))
        };
        Ok(Cell::sample(board.name(), items, measure))
    });
    let cells = cells.collect::<Result<_, LabError>>()?;
    Ok(Plan {
        cells,
        report: Box::new(report_outcomes),
    })
}

/// Whether all searches ended; then nodes and seconds, first of the search for all outcomes, then of
/// the bisections that try a win of the player to move first, and one of the opponent first.
fn compare<G: Solvable>(game: &G, state: &G::State, limits: &Limits) -> Vec<f64> {
    let stakes = |player| Stakes {
        player,
        thresholds: [0, 1],
    };
    let Turn::Player(mover) = game.turn(state) else {
        return vec![0.0; 7];
    };
    type Search<'a> = &'a dyn Fn(Player) -> Outcome<[Numbers; 2]>;
    let together: Search =
        &|player| Mopns::default().search(game, state, stakes(player), &(), limits, None);
    let apart: Search =
        &|player| Pn::default().dichotomic(game, state, stakes(player), &(), limits);
    let mut row = vec![1.0];
    for (player, search) in [(mover, together), (mover, apart), (mover.other(), apart)] {
        let started = Instant::now();
        let outcome = search(player);
        let seconds = started.elapsed().as_secs_f64();
        let Bounds { lower, upper } = stakes(player).bounds(game, &outcome.root);
        if lower != upper {
            row[0] = 0.0;
        }
        row.extend([outcome.nodes as f64, seconds]);
    }
    row
}

fn report_outcomes(measured: &Measured) -> Result<Report, LabError> {
    let mut report = Report::default();
    for board in &BOARDS {
        let name = board.name();
        let ended = measured.column(&name, 0)?;
        let column = |column| -> Result<Vec<f64>, LabError> {
            let all = measured.column(&name, column)?;
            let of_ended = all.into_iter().zip(&ended).filter(|(_, ended)| **ended > 0.0);
            Ok(of_ended.map(|(figure, _)| figure).collect())
        };
        let (nodes, seconds) = (column(1)?, column(2)?);
        report.conditions.push(format!(
            "{name}: {} positions after four drops, {} of them not solved within a gigabyte a tree and left out",
            ended.len(),
            ended.len() - nodes.len()
        ));
        let orders = [(3, "a win of the mover"), (5, "a win of the opponent")];
        let mut shares = Vec::new();
        for (first, tried) in orders {
            let (others, other_seconds) = (column(first)?, column(first + 1)?);
            let fewer = nodes.iter().zip(&others).filter(|(a, b)| a < b).count() as f64;
            let trials = nodes.len() as f64;
            let share = wilson(fewer, trials, CONFIDENCE);
            shares.push((fewer / trials, share));
            let printed = |figure| Some(Figure::Number(figure));
            report.rows.push(
                Row::compared(
                    format!("{name}, {tried} tried first: share of positions with fewer nodes"),
                    printed(board.fewer),
                    Figure::Number(fewer / trials),
                )
                .within(share),
            );
            for (what, printed, ours, theirs) in [
                ("nodes", None, &nodes, &others),
                ("time", printed(board.time), &seconds, &other_seconds),
            ] {
                let (ratio, interval) = paired_ratio(ours, theirs, measured.seed());
                let name = format!("{name}, {tried} tried first: {what} in relation");
                let row = Row::compared(name, printed, Figure::Number(ratio));
                report.rows.push(row.within(interval));
            }
        }
    }
    Ok(report)
}
