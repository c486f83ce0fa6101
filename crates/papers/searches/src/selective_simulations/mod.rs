//! Sheppard (2004), "Efficient Control of Selective Simulations": how many games a question takes,
//! and what playing every deal twice is worth.
//!
//! The paper's measurements are of poker, with two engines that are lost. Here are the arithmetic
//! of its text, and its claim about duplicate games on games that we have: an opening in place of a
//! deal.

use tabia_game::Seed;

use tabia_lab::experiment::{ExperimentCell, ExperimentPlan};
use tabia_lab::matches::{self, Match, Opening};
use tabia_lab::player::Entrant;
use tabia_lab::referee::Terms;
use tabia_lab::statistics::{paired_ratio, sample_size, speed_up};
use tabia_lab::{Experiment, ExperimentReport, Figure, LabError, Row, Setting, Verdict};

const PAPER: &str = "selective-simulations";

/// The tables and figures.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        paper: PAPER,
        name: "sample-size",
        title: "Hands that a question takes, and what each technique is worth",
        source: "Sheppard (2004), sections 4 to 8",
        takes: ["a second", "a second"],
        plan: |_| Ok(arithmetic()),
    },
    Experiment {
        paper: PAPER,
        name: "duplicate",
        title: "The variance of duplicate games",
        source: "Sheppard (2004), section 5",
        takes: ["a few seconds", "a minute"],
        plan: duplicate,
    },
];

/// Standard deviations of a difference measured by 1600 hands, as printed.
const HANDS: f64 = 1600.0;
const MONTE_CARLO: f64 = 0.251;
const DUPLICATE: f64 = 0.075;

fn arithmetic() -> ExperimentPlan {
    let deviation_of_a_hand = MONTE_CARLO * HANDS.sqrt();
    let hands = move |error: f64| sample_size(deviation_of_a_hand, error).unwrap_or(0) as f64;
    ExperimentPlan {
        cells: vec![
            ExperimentCell::once("hands", move |_| Ok(vec![hands(0.025), hands(0.005)])),
            ExperimentCell::once("speed-ups", |_| {
                Ok(vec![
                    speed_up(MONTE_CARLO, DUPLICATE),
                    speed_up(MONTE_CARLO, 0.047),
                    speed_up(MONTE_CARLO, 0.030),
                ])
            }),
        ],
        report: Box::new(|measured| {
            let mut report = ExperimentReport::default();
            for (column, (error, derived)) in
                [(0.025, 161_283), (0.005, 4_032_064)].iter().enumerate()
            {
                let name = format!("hands for a standard error of {error}");
                let row = Row::exact(name, *derived, measured.count("hands", column)?);
                report.rows.push(row.derived());
            }
            let names = [
                "duplicate deals",
                "a stratified sample",
                "all techniques together",
            ];
            for (column, (name, printed)) in names.iter().zip([11, 28, 70]).enumerate() {
                let factor = measured.column("speed-ups", column)?[0];
                report.rows.push(Row::exact(
                    format!("{name}: times faster, rounded down"),
                    printed,
                    factor as u64,
                ));
            }
            report.conditions.push(
                "from the printed standard deviations of 1600 hands: 0.251, 0.075, 0.047, 0.030"
                    .to_string(),
            );
            Ok(report)
        }),
    }
}

/// Engines that differ in strength but not in kind.
const MATCHES: [(&str, &str, &str); 2] = [
    (
        "connect4",
        "pvs:nodes=100,table=1M",
        "pvs:nodes=300,table=1M",
    ),
    (
        "breakthrough:6x6",
        "pvs:nodes=100,table=1M",
        "pvs:nodes=300,table=1M",
    ),
];

fn duplicate(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let pairs = setting.scale.pick([300, 5_000]);
    let seed = Seed::new(setting.seed).split("duplicate");
    let cells = MATCHES.map(|(game, a, b)| {
        ExperimentCell::sample(game, pairs, move |item, cancel| {
            let mut pair = Match::new(matches::MatchPlan {
                game: game.to_string(),
                players: vec![Entrant::parse(a), Entrant::parse(b)],
                games: 2,
                paired: true,
                opening: Opening::Random(8),
                terms: Terms::default(),
                sprt: None,
                seed: seed.split(game).number(item as u64).value(),
            })?;
            if !pair.play(1, cancel, &mut |_| {})? {
                return Err(LabError::Stopped);
            }
            // What the first player scored from either seat.
            let score = |game: &matches::PlayedGame| {
                let seat = game.seats.iter().position(|&player| player == 0);
                let payoff = seat.and_then(|seat| game.payoffs.as_ref()?.get(seat).copied());
                (f64::from(payoff.unwrap_or(0)) + 1.0) / 2.0
            };
            Ok(pair.games().map(score).collect())
        })
    });
    Ok(ExperimentPlan {
        cells: cells.into_iter().collect(),
        report: Box::new(move |measured| {
            let mut report = ExperimentReport::default();
            for (game, ..) in MATCHES {
                let [first, second] = [measured.column(game, 0)?, measured.column(game, 1)?];
                let (mean, paired, single) = squares(&first, &second);
                let (ratio, interval) = paired_ratio(&paired, &single, seed.split(game));
                let printed = (DUPLICATE / MONTE_CARLO).powi(2);
                let row = Row::compared(
                    format!("{game}: variance of pairs / of as many single games"),
                    Some(Figure::Number(printed)),
                    Figure::Number(ratio),
                );
                report.rows.push(row.derived().within(interval));
                report.relation(
                    format!("{game}: playing every opening twice lowers the variance"),
                    Verdict::below(interval, 1.0),
                    format!(
                        "{:.1} times fewer games for the same certainty; the first player scores \
                         {:.1}%",
                        1.0 / ratio,
                        100.0 * mean
                    ),
                );
            }
            report.conditions.push(format!(
                "ours: {pairs} pairs from eight random plies, seats exchanged; the paper: \
                 duplicate deals of poker"
            ));
            Ok(report)
        }),
    })
}

/// The mean score, and for every pair the square of its deviation and that of two single games with
/// the same scores, were they independent.
fn squares(first: &[f64], second: &[f64]) -> (f64, Vec<f64>, Vec<f64>) {
    let mean =
        (first.iter().sum::<f64>() + second.iter().sum::<f64>()) / (2 * first.len().max(1)) as f64;
    let deviations = first.iter().zip(second).map(|(a, b)| (a - mean, b - mean));
    let (paired, single) = deviations
        .map(|(a, b)| (((a + b) / 2.0).powi(2), (a * a + b * b) / 4.0))
        .unzip();
    (mean, paired, single)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Independent scores gain nothing by being paired, opposite ones everything, equal ones lose
    /// half.
    #[test]
    fn what_pairing_is_worth() {
        let ratio = |first: &[f64], second: &[f64]| {
            let (_, paired, single) = squares(first, second);
            paired.iter().sum::<f64>() / single.iter().sum::<f64>()
        };
        assert_eq!(ratio(&[0.0, 1.0, 0.0, 1.0], &[0.0, 0.0, 1.0, 1.0]), 1.0);
        assert_eq!(ratio(&[0.0, 1.0, 0.0, 1.0], &[1.0, 0.0, 1.0, 0.0]), 0.0);
        assert_eq!(ratio(&[0.0, 1.0], &[0.0, 1.0]), 2.0);
    }
}
