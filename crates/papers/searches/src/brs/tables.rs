//! Tables 6.1 to 6.3 and 6.6, and what the printed tables say themselves.

use std::sync::Arc;

use tabia_game::{Limits, Seed, Turn};
use tabia_lab::experiment::{ExperimentCell, ExperimentPlan};
use tabia_lab::matches::Opening;
use tabia_lab::statistics::{CONFIDENCE, Mean, Moments};
use tabia_lab::{ExperimentReport, Figure, LabError, Row, Setting, Verdict};
use tabia_registry::{AnyGame, open};

use super::printed::{PrintedGame, TABLE_6_3, TABLE_6_4, TABLE_6_5, TABLE_6_6, range};
use super::{
    BRS, MAXN, PARANOID, above, all, budgets, cell, conditions, evaluation, rounds, share,
};

pub(super) fn table_6_1(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    const BASIC: [&str; 2] = ["paranoid:table=0,killers=0,history=none", "maxn:table=0"];
    const ADVANCED: [&str; 2] = [PARANOID, MAXN];
    const CELLS: [(usize, &str, [&str; 2], f64); 4] = [
        (2, "basic", BASIC, 0.955),
        (2, "advanced", ADVANCED, 0.917),
        (3, "basic", BASIC, 0.583),
        (3, "advanced", ADVANCED, 0.790),
    ];
    let (_, nodes) = budgets(setting.scale)[0];
    let name = |players: usize, kind: &str| format!("{players} players, {kind} settings");
    let mut cells = Vec::new();
    for (players, kind, engines, _) in CELLS {
        let spec = PrintedGame::Chinese.spec(players);
        let opened: Arc<dyn AnyGame> = open(&spec)?.into();
        let name = name(players, kind);
        let seed = Seed::new(setting.seed).split(&name);
        let rounds = rounds(setting.scale, players, 2);
        cells.push(cell(
            name,
            &opened,
            spec,
            &engines,
            (setting.scale, nodes),
            rounds,
            seed,
        ));
    }
    let scale = setting.scale;
    Ok(ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report = ExperimentReport {
                conditions: conditions(scale, "all mixed seatings equally often"),
                ..ExperimentReport::default()
            };
            let mut verdicts = Vec::new();
            for (players, kind, _, printed) in CELLS {
                let cell = name(players, kind);
                let (ours, interval) = share(measured, &cell, 0)?;
                let printed = Some(Figure::Number(printed));
                let row = Row::compared(
                    format!("{cell}: share of paranoid search"),
                    printed,
                    Figure::Number(ours),
                );
                report.rows.push(row.within(interval));
                verdicts.push(above(interval, 0.5));
            }
            report.relation(
                "paranoid search wins more than half against max^n in every setting",
                all(verdicts),
                "Sturtevant (2003) had 60.6% with three players and basic settings",
            );
            Ok(report)
        }),
    })
}

pub(super) fn table_6_2(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    const PRINTED: [(PrintedGame, f64); 3] = [
        (PrintedGame::Chinese, 0.475),
        (PrintedGame::Focus, 0.506),
        (PrintedGame::Rolit, 0.488),
    ];
    let scale = setting.scale;
    let (_, nodes) = budgets(scale)[0];
    let mut cells = Vec::new();
    for game in PrintedGame::ALL {
        let spec = game.spec(2);
        let opened: Arc<dyn AnyGame> = open(&spec)?.into();
        let seed = Seed::new(setting.seed).split("two").split(game.name());
        let rounds = rounds(scale, 2, 2);
        let name = game.name().to_string();
        cells.push(cell(
            name,
            &opened,
            spec,
            &[PARANOID, BRS],
            (scale, nodes),
            rounds,
            seed,
        ));
    }
    Ok(ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report = ExperimentReport {
                conditions: conditions(scale, "both seatings equally often, advanced settings"),
                ..ExperimentReport::default()
            };
            for (game, printed) in PRINTED {
                let (ours, interval) = share(measured, game.name(), 0)?;
                let row = Row::compared(
                    format!("{}: share of paranoid search", game.name()),
                    Some(Figure::Number(printed)),
                    Figure::Number(ours),
                );
                report.rows.push(row.within(interval));
                let halves = measured.column(game.name(), 0)?;
                report.relation(
                    format!(
                        "{}: with two players both are one search, and every round is shared",
                        game.name()
                    ),
                    Verdict::of(halves.iter().all(|&half| half == 0.5)),
                    format!("{} rounds of two games", halves.len()),
                );
            }
            Ok(report)
        }),
    })
}

/// Positions at which depths are measured, after this many random moves of each player.
const DEPTH_ROUNDS: [u32; 4] = [1, 4, 8, 12];

pub(super) fn table_6_3(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    const ENGINES: [(&str, &str); 3] = [("max^n", MAXN), ("paranoid", PARANOID), ("BRS", BRS)];
    let scale = setting.scale;
    let positions = scale.pick([16, 200]);
    let name = |game: PrintedGame, players: usize, ms: u32, engine: &str| {
        format!("{}, {players} players, {ms} ms, {engine}", game.name())
    };
    let mut cells = Vec::new();
    for (game, players, ms, _) in TABLE_6_3 {
        let Some(&(_, nodes)) = budgets(scale).iter().find(|(own, _)| *own == ms) else {
            continue;
        };
        let game_spec = game.spec(players);
        let opened: Arc<dyn AnyGame> = open(&game_spec)?.into();
        for (engine, spec) in ENGINES {
            let opened = Arc::clone(&opened);
            let spec = format!("{spec}{}", evaluation(scale, &game_spec));
            let seed = Seed::new(setting.seed).split("depth").split(game.name());
            let name = name(game, players, ms, engine);
            cells.push(ExperimentCell::sample(
                name,
                positions,
                move |item, cancel| {
                    let plies = DEPTH_ROUNDS[item % DEPTH_ROUNDS.len()] * players as u32;
                    let beginning = Opening::Random(plies).draw(&*opened, item as u64, seed)?;
                    let mut session = opened.session(None)?;
                    session.play_line(&beginning.moves.join(" "))?;
                    if session.turn() == Turn::Over {
                        return Ok(vec![0.0]);
                    }
                    let limits = Limits {
                        cancel: cancel.clone(),
                        ..Limits::nodes(nodes)
                    };
                    let mut engine = opened.engine(&spec)?;
                    engine.new_game(seed);
                    let answer = session.ask(&mut engine, &limits)?;
                    Ok(vec![f64::from(answer.depth)])
                },
            ));
        }
    }
    Ok(ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report = ExperimentReport {
                conditions: vec![
                    conditions(scale, "depths of finished iterations").swap_remove(0),
                    format!(
                        "{positions} positions after {DEPTH_ROUNDS:?} random moves of each player; \
                         the paper: all positions of its games"
                    ),
                ],
                ..ExperimentReport::default()
            };
            let (mut deeper, mut cells) = (0, 0);
            for (game, players, ms, printed) in TABLE_6_3 {
                if budgets(scale).iter().all(|(own, _)| *own != ms) {
                    continue;
                }
                let mut means = Vec::new();
                for ((engine, _), printed) in ENGINES.iter().zip(printed) {
                    let cell = name(game, players, ms, engine);
                    let depths: Moments = measured.values(&cell)?.into_iter().collect();
                    let mean = Mean::new(&depths, CONFIDENCE);
                    let row = Row::compared(
                        cell,
                        Some(Figure::Number(printed)),
                        Figure::Number(mean.mean),
                    );
                    report.rows.push(row.within(mean.interval));
                    means.push(mean.mean);
                }
                cells += 1;
                deeper += usize::from(means[1] > means[0]);
            }
            report.relation(
                "paranoid search looks further than max^n in every cell",
                Verdict::of(deeper == cells),
                format!("in {deeper} of {cells}"),
            );
            Ok(report)
        }),
    })
}

pub(super) fn table_6_6(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    const KINDS: [(&str, &str); 3] = [("BRS", BRS), ("paranoid", PARANOID), ("max^n", MAXN)];
    let scale = setting.scale;
    let name = |game: PrintedGame, ms: u32| format!("{}, {ms} ms", game.name());
    let mut cells = Vec::new();
    for game in PrintedGame::ALL {
        let spec = game.spec(3);
        let opened: Arc<dyn AnyGame> = open(&spec)?.into();
        for &(ms, nodes) in budgets(scale) {
            let name = name(game, ms);
            let seed = Seed::new(setting.seed).split("three").split(&name);
            let kinds = KINDS.map(|(_, spec)| spec);
            let rounds = rounds(scale, 3, 3);
            cells.push(cell(
                name,
                &opened,
                spec.clone(),
                &kinds,
                (scale, nodes),
                rounds,
                seed,
            ));
        }
    }
    Ok(ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report = ExperimentReport {
                conditions: conditions(scale, "one player of each kind, in all six orders"),
                ..ExperimentReport::default()
            };
            for (game, ms, points, _) in TABLE_6_6 {
                if budgets(scale).iter().all(|(own, _)| *own != ms) {
                    continue;
                }
                let cell = name(game, ms);
                let all: f64 = points.iter().sum();
                let mut shares = Vec::new();
                for (kind, (engine, _)) in KINDS.iter().enumerate() {
                    let (ours, interval) = share(measured, &cell, kind)?;
                    let row = Row::compared(
                        format!("{cell}: share of {engine}"),
                        Some(Figure::Number(points[kind] / all)),
                        Figure::Number(ours),
                    );
                    // Points are printed, and no shares.
                    report.rows.push(row.derived().within(interval));
                    shares.push((ours, interval));
                }
                let last = &shares[2];
                let verdict = match shares[..2].iter().all(|(_, i)| i.low > last.1.high) {
                    true => Verdict::Held,
                    false if shares[..2].iter().any(|(_, i)| i.high < last.1.low) => {
                        Verdict::Failed
                    }
                    false => Verdict::Undecided,
                };
                report.relation(
                    format!("{cell}: max^n is last"),
                    verdict,
                    format!(
                        "{:.1}, {:.1} and {:.1}%",
                        100.0 * shares[0].0,
                        100.0 * shares[1].0,
                        100.0 * shares[2].0
                    ),
                );
            }
            Ok(report)
        }),
    })
}

/// What can be said of the tables without playing.
pub(super) fn consistency() -> ExperimentPlan {
    ExperimentPlan {
        cells: vec![ExperimentCell::once("printed", |_| {
            let tables = [TABLE_6_4, TABLE_6_5];
            let wrong = tables.map(|table| table.iter().filter(|l| !l.is_consistent()).count());
            Ok(wrong.map(|count| count as f64).to_vec())
        })],
        report: Box::new(|measured| {
            let mut report = ExperimentReport::default();
            let names = ["table 6.4", "table 6.5"];
            for (column, (name, table)) in names.iter().zip([TABLE_6_4, TABLE_6_5]).enumerate() {
                let wrong = measured.count("printed", column)?;
                let six = table.iter().filter(|line| line.players == 6);
                report.relation(
                    format!("{name}: all shares but those of six players follow from the points"),
                    Verdict::of(wrong == 3 && six.clone().all(|line| !line.is_consistent())),
                    format!("{wrong} do not: they divide by the 1008 games of four players"),
                );
                for line in six {
                    report.rows.push(Row::compared(
                        format!(
                            "{name}, 6 players, {} ms: share of BRS in 1054 games",
                            line.ms
                        ),
                        Some(Figure::Number(line.share)),
                        Figure::Number((10.0 * line.corrected()).round() / 10.0),
                    ));
                }
            }
            let (low, high) = range(TABLE_6_4.map(|line| line.share));
            report.relation(
                "chapter 7: BRS wins from 65 to 95% against max^n",
                Verdict::of(low >= 65.0 - 0.5 && high <= 95.0),
                format!("table 6.4 says from {low} to {high}%"),
            );
            let lines = TABLE_6_5
                .iter()
                .filter(|line| line.game != PrintedGame::Rolit);
            let (low, high) = range(lines.map(|line| line.share));
            report.relation(
                "chapter 7: BRS wins from 57 to 71% against paranoid search in Chinese Checkers \
                 and Focus",
                Verdict::of(low >= 56.5 && high <= 71.5),
                format!("table 6.5 says from {low} to {high}%"),
            );
            Ok(report)
        }),
    }
}
