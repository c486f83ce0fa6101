//! Saffidine (2013), "Solving Games and All That", as reviewed by Hartmann (2013): one search for
//! all outcomes against one for each, and product propagation against proof numbers.
//!
//! The review prints shares of positions and times, not the positions. Their numbers, 256 and 625,
//! are those of all sequences of four drops on four and on five columns.

use std::time::Instant;

use tabia_alignment::connect4::Connect4;
use tabia_alignment::mnk::Mnk;
use tabia_breakthrough::breakthrough::Breakthrough;
use tabia_game::SizeError;
use tabia_game::{Cancel, Game, Limits, Player, Seed, Turn};
use tabia_solve::best_first::{
    BestFirstResult, BestFirstSearch as _, Bounds, Mopns, Pn, Pp, ProofPair, Solvable, Stakes,
};
use tabia_solve::{Attack, Prover, Status};

use tabia_lab::experiment::{ExperimentCell, ExperimentPlan, Measured};
use tabia_lab::statistics::{CONFIDENCE, paired_ratio, wilson};
use tabia_lab::{Experiment, ExperimentReport, Figure, LabError, Row, Setting, Verdict};

const PAPER: &str = "saffidine";

/// The tables and figures.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        paper: PAPER,
        name: "mopns",
        title: "One proof-number search for all outcomes against one for each",
        source: "Saffidine (2013), chapter 3, after Hartmann (2013)",
        takes: ["half a minute", "ten minutes"],
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

/// All positions after this many plies, by sequence of moves.
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

fn bad_size(error: SizeError) -> LabError {
    LabError::BadRequest(error.to_string())
}

/// A board, and what the review prints of it: the share of positions where one search for all
/// outcomes creates fewer nodes, and its time in relation to that of the other.
struct Board {
    columns: usize,
    rows: usize,
    fewer: f64,
    time: f64,
    /// Every this many positions are measured when there is little time; no multiple of the
    /// columns, so that the last drop varies.
    quick: usize,
}

const BOARDS: [Board; 2] = [
    Board {
        columns: 4,
        rows: 5,
        fewer: 0.89,
        time: 1.16,
        quick: 3,
    },
    Board {
        columns: 5,
        rows: 5,
        fewer: 0.65,
        time: 1.14,
        quick: 29,
    },
];

impl Board {
    fn name(&self) -> String {
        format!("{}x{}", self.columns, self.rows)
    }
}

fn many_outcomes(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let scale = setting.scale;
    let cells = BOARDS.iter().map(|board| {
        let game = Connect4::<u64>::new(board.columns, board.rows, 4).map_err(bad_size)?;
        let step = scale.pick([board.quick, 1]);
        let positions: Vec<_> = after(&game, 4).into_iter().step_by(step).collect();
        let items = positions.len();
        let measure = move |item: usize, cancel: &Cancel| {
            let limits = Limits {
                cancel: cancel.clone(),
                ..Limits::default()
            };
            Ok(positions
                .get(item)
                .map_or_else(Vec::new, |state| compare(&game, state, &limits)))
        };
        Ok(ExperimentCell::sample(board.name(), items, measure))
    });
    let cells = cells.collect::<Result<_, LabError>>()?;
    let seed = Seed::new(setting.seed);
    Ok(ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report = ExperimentReport::default();
            for board in &BOARDS {
                report_board(&mut report, board, measured, seed)?;
            }
            Ok(report)
        }),
    })
}

/// Whether all searches ended; then nodes and seconds, first of the search for all outcomes, then
/// of the bisections that try a win of the player to move first, and one of the opponent first.
fn compare<G: Solvable>(game: &G, state: &G::State, limits: &Limits) -> Vec<f64> {
    let stakes = |player| Stakes {
        player,
        thresholds: [0, 1],
    };
    let Turn::Player(mover) = game.turn(state) else {
        return vec![0.0; 7];
    };
    type Search<'a> = &'a dyn Fn(Player) -> BestFirstResult<[ProofPair; 2]>;
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

/// The claims for one board, from figures as [`compare`] gives them.
fn report_board(
    report: &mut ExperimentReport,
    board: &Board,
    measured: &Measured,
    seed: Seed,
) -> Result<(), LabError> {
    let name = board.name();
    let ended = measured.column(&name, 0)?;
    let column = |column| -> Result<Vec<f64>, LabError> {
        let all = measured.column(&name, column)?.into_iter().zip(&ended);
        let of_ended = all.filter(|(_, ended)| **ended > 0.0);
        Ok(of_ended.map(|(figure, _)| figure).collect())
    };
    let (nodes, seconds) = (column(1)?, column(2)?);
    report.conditions.push(format!(
        "{name}: {} of the {} positions after four drops, {} of them not solved within a gigabyte \
         a tree",
        ended.len(),
        board.columns.pow(4),
        ended.len() - nodes.len()
    ));
    let mut verdicts = Vec::new();
    let mut shares = Vec::new();
    for (first, tried) in [(3, "mover's win"), (5, "opponent's win")] {
        let (others, other_seconds) = (column(first)?, column(first + 1)?);
        let trials = nodes.len() as f64;
        let fewer = nodes.iter().zip(&others).filter(|(a, b)| a < b).count() as f64;
        let row = Row::compared(
            format!("{name}, {tried} first: share with fewer nodes"),
            Some(Figure::Number(board.fewer)),
            Figure::Number(fewer / trials),
        );
        report
            .rows
            .push(row.within(wilson(fewer, trials, CONFIDENCE)));
        verdicts.push(Verdict::below(
            wilson(trials - fewer, trials, CONFIDENCE),
            0.5,
        ));
        shares.push(format!(
            "{:.0}% with the {tried} first",
            100.0 * fewer / trials
        ));
        for (what, printed, ours, theirs) in [
            ("nodes", None, &nodes, &others),
            ("time", Some(board.time), &seconds, &other_seconds),
        ] {
            let (ratio, interval) = paired_ratio(ours, theirs, seed.split(&name));
            let row = Row::compared(
                format!("{name}, {tried} first: {what}, one search / several"),
                printed.map(Figure::Number),
                Figure::Number(ratio),
            );
            report.rows.push(row.within(interval));
        }
    }
    report.relation(
        format!("{name}: one search for all outcomes creates fewer nodes in most positions"),
        // The review does not tell what the bisection tries first.
        match verdicts[..] {
            [one, other] if one == other => one,
            _ => Verdict::Undecided,
        },
        shares.join(", "),
    );
    Ok(())
}

/// Positions to try attacks of both sides on, with a budget of nodes.
fn attacks<G: Solvable + 'static>(
    name: &str,
    game: Result<G, SizeError>,
    (plies, step): (usize, usize),
    nodes: u64,
) -> Result<ExperimentCell, LabError> {
    let game = game.map_err(bad_size)?;
    let positions: Vec<_> = after(&game, plies).into_iter().step_by(step).collect();
    let items = 2 * positions.len();
    Ok(ExperimentCell::sample(name, items, move |item, cancel| {
        let Some(state) = positions.get(item / 2) else {
            return Ok(Vec::new());
        };
        let attack = Attack {
            attacker: Player((item % 2) as u8),
            at_least: 1,
        };
        let limits = Limits {
            nodes: Some(nodes),
            cancel: cancel.clone(),
            ..Limits::default()
        };
        let products = Pp::default().prove(&game, state, attack, &(), &limits);
        let numbers = Pn::default().prove(&game, state, attack, &(), &limits);
        let row = [products, numbers].map(|proof| {
            let solved = u8::from(proof.status != Status::Unknown);
            [f64::from(solved), proof.nodes as f64]
        });
        Ok(row.concat())
    }))
}

const CONNECT4: &str = "Connect Four 4x5 after 4 plies";
const BREAKTHROUGH: &str = "Breakthrough 3x5 after 2 plies";
const MNK: &str = "four in a row on 4x4 after 4 plies";

fn products(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let seed = Seed::new(setting.seed);
    let (nodes, steps) = setting
        .scale
        .pick([(100_000, [5, 3, 1999]), (1_000_000, [1, 1, 499])]);
    let [drops, steps_ahead, stones] = steps;
    Ok(ExperimentPlan {
        cells: vec![
            attacks(CONNECT4, Connect4::<u64>::new(4, 5, 4), (4, drops), nodes)?,
            attacks(
                BREAKTHROUGH,
                Breakthrough::<u64>::new(3, 5),
                (2, steps_ahead),
                nodes,
            )?,
            attacks(MNK, Mnk::<u64>::new(4, 4, 4), (4, stones), nodes)?,
        ],
        report: Box::new(move |measured| {
            let mut report = ExperimentReport::default();
            for name in [CONNECT4, BREAKTHROUGH, MNK] {
                let column = |column| measured.column(name, column);
                let solved = [column(0)?, column(2)?];
                let items = solved[0].len();
                for (search, solved) in ["product propagation", "proof numbers"].iter().zip(&solved)
                {
                    let count = solved.iter().sum::<f64>();
                    report.rows.push(Row::compared(
                        format!("{name}: solved of {items} by {search}"),
                        None,
                        Figure::Count(count as u64),
                    ));
                }
                let both = solved[0].iter().zip(&solved[1]).map(|(a, b)| a * b > 0.0);
                let nodes = column(1)?.into_iter().zip(column(3)?);
                let (ours, theirs): (Vec<f64>, Vec<f64>) = nodes
                    .zip(both)
                    .filter_map(|(nodes, both)| both.then_some(nodes))
                    .unzip();
                let (ratio, interval) = paired_ratio(&ours, &theirs, seed.split(name));
                let row = Row::compared(
                    format!("{name}: nodes where both solve, products / numbers"),
                    None,
                    Figure::Number(ratio),
                );
                report.rows.push(row.within(interval));
            }
            report.conditions.push(format!(
                "ours: can either side force a win, {nodes} nodes a search; the thesis: Y, \
                 Domineering and NoGo, where product propagation did better, so no claim is tested"
            ));
            Ok(report)
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positions_are_as_many_as_the_review_counts() {
        for (board, count) in BOARDS.iter().zip([256, 625]) {
            let game = Connect4::<u64>::new(board.columns, board.rows, 4).unwrap();
            assert_eq!(after(&game, 4).len(), count);
            assert_ne!(board.quick % board.columns, 0, "the last drop varies");
        }
    }

    #[test]
    fn a_draw_takes_both_bisections_two_searches() {
        let game = Mnk::<u64>::new(3, 3, 3).unwrap();
        let row = compare(&game, &game.start(), &Limits::default());
        assert_eq!((row.len(), row[0]), (7, 1.0));
        assert_eq!(row[3], row[5], "the same searches in another order");
        let row = compare(&game, &game.start(), &Limits::nodes(100));
        assert_eq!(row[0], 0.0);
    }
}
