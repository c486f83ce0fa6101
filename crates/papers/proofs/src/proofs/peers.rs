//! Other people's programs.

use tabia_lab::experiment::{ExperimentCell, ExperimentPlan};
use tabia_lab::{ExperimentReport, LabError, Row, Setting};

use super::wrong;

#[path = "../../../../families/backgammon/tests/support/gnubg_plays.rs"]
mod support;

pub fn gnubg_plays(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let count = setting.scale.pick([250, 5_000]);
    let cell = ExperimentCell::once("plays", move |_| {
        let compared = support::compare(count).map_err(wrong)?;
        let differences = compared.differences.len();
        Ok([compared.rolls, compared.plays, differences]
            .map(|n| n as f64)
            .to_vec())
    });
    Ok(ExperimentPlan {
        cells: vec![cell],
        report: Box::new(move |measured| {
            let mut report = ExperimentReport::default();
            let [rolls, plays] = [measured.count("plays", 0)?, measured.count("plays", 1)?];
            report
                .conditions
                .push(format!("{count} positions, {rolls} rolls, {plays} plays"));
            let different = measured.count("plays", 2)?;
            report
                .rows
                .push(Row::exact("rolls with other plays", 0, different));
            Ok(report)
        }),
    })
}
