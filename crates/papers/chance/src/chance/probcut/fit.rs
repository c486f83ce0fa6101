//! Lines of deep values over shallow ones (figures 5.9 to 5.15).

use std::sync::Arc;

use tabia_game::{CERTAIN, Knowledge, Player, Seed, Turn};
use tabia_search::chance::{ChanceGame, Regression};

use super::subject::{
    CHANCE_BREAKTHROUGH, DICE, GameProfile, STRATEGO, Subject, chance_breakthrough, dice, stratego,
};
use tabia_lab::experiment::{ExperimentCell, ExperimentPlan, Measured};
use tabia_lab::{ExperimentReport, Figure, LabError, Row, Setting, Verdict};

/// A game and the lines that are fitted for it.
type Lines = (&'static GameProfile, &'static [Regression]);

const ALL: [Lines; 3] = [
    (&DICE, tabia_alignment::dice::entry::SEVERAL_REGRESSIONS),
    (
        &CHANCE_BREAKTHROUGH,
        tabia_breakthrough::chance_breakthrough::entry::REGRESSIONS,
    ),
    (&STRATEGO, tabia_stratego::stratego::entry::REGRESSIONS),
];

/// The depth of a chance node, and how much less deep the shallow search is.
fn name((kind, _): Lines, line: &Regression) -> String {
    format!(
        "{}, {} from {}",
        kind.name,
        line.depth,
        line.depth - line.reduction
    )
}

/// Pairs of shallow and deep values for the player to move, a cell for each line.
fn cells<G, K>(subject: Subject<G, K>, lines: Lines) -> Vec<ExperimentCell>
where
    G: ChanceGame + 'static,
    K: Knowledge<G> + Clone + 'static,
{
    let subject = Arc::new(subject);
    let cell = |line: &'static Regression| {
        let subject = Arc::clone(&subject);
        ExperimentCell::sample(
            name(lines, line),
            subject.positions.len(),
            move |item, cancel| {
                let position = &subject.positions[item];
                let sign = match position.game.turn(&position.state) {
                    Turn::Player(Player::SECOND) => -1.0,
                    _ => 1.0,
                };
                let below = line.depth - i32::from(subject.kind.count_chance);
                let value = |depth| -> Result<f64, LabError> {
                    Ok(sign * f64::from(CERTAIN) * subject.value(position, depth, cancel)?)
                };
                Ok(vec![value(below - line.reduction)?, value(below)?])
            },
        )
    };
    lines.1.iter().map(cell).collect()
}

fn report_lines(
    report: &mut ExperimentReport,
    measured: &Measured,
    lines: Lines,
) -> Result<(), LabError> {
    for stored in lines.1 {
        let cell = name(lines, stored);
        let (shallow, deep) = (measured.values(&cell)?, measured.column(&cell, 1)?);
        let pairs: Vec<(f64, f64)> = shallow.iter().copied().zip(deep).collect();
        let Some(found) = Regression::fit(stored.depth, stored.reduction, &pairs) else {
            report.relation(
                format!("{cell}: a line can be fitted"),
                Verdict::Undecided,
                format!("{} positions", pairs.len()),
            );
            continue;
        };
        for (what, stored, ours) in [
            ("slope", stored.slope, found.slope),
            ("intercept", stored.intercept, found.intercept),
            ("deviation", stored.deviation, found.deviation),
        ] {
            let name = format!("{cell}: {what}");
            let (stored, ours) = (Figure::Number(stored), Figure::Number(ours));
            report
                .rows
                .push(Row::compared(name, Some(stored), ours).derived());
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

pub fn fit(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let counts = setting.scale.pick([[300, 150, 60], [1000, 500, 500]]);
    let seed = Seed::new(setting.seed).split("fit");
    let [of_dice, of_breakthrough, of_stratego] = ALL;
    let mut all = cells(dice(counts[0], seed)?, of_dice);
    all.extend(cells(
        chance_breakthrough([8, 8, 2], [4, 30], counts[1], seed)?,
        of_breakthrough,
    ));
    all.extend(cells(stratego(counts[2], seed), of_stratego));
    Ok(ExperimentPlan {
        cells: all,
        report: Box::new(move |measured| {
            let mut report =
                ExperimentReport {
                    conditions: vec![
                    "derived: the lines that come with Tabia, fitted at full scale with seed 1; \
                     those of the thesis are lost".to_string(),
                    "values are in millionths of a win, for the player to move; the depths are \
                     those of the chance node".to_string(),
                ],
                    ..ExperimentReport::default()
                };
            for lines in ALL {
                report_lines(&mut report, measured, lines)?;
            }
            Ok(report)
        }),
    })
}
