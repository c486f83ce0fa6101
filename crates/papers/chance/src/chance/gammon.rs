//! Hauk, Buro and Schaeffer (2004), "*-Minimax Performance in Backgammon", and Hauk (2004), tables
//! C.1 to C.5: full-width search over a neural evaluation.
//!
//! The networks are ours, not those of GNU Backgammon 0.14, and so are the positions: contact
//! positions of self-play. Every win counts one point, as in the paper.

use std::sync::Arc;

use rand::RngExt;
use tabia_backgammon::backgammon::{Backgammon, Learnt, Phase, PositionClass, Rules};
use tabia_game::{Cancel, Chance, Game, Limits, Seed, Text};
use tabia_registry::{AnyGame, open};
use tabia_search::chance::{Config, StarMinimax};

use super::{Family, Printed, SECONDS, Set, VALUE, duel, failure, probe_efficiency, share};
use tabia_lab::experiment::{ExperimentCell, ExperimentPlan};
use tabia_lab::statistics::{CONFIDENCE, Mean, Moments, paired_ratio};
use tabia_lab::{Experiment, ExperimentReport, Figure, LabError, Row, Setting, Verdict};

const PAPER: &str = "hauk-backgammon";

/// The tables and figures.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        paper: PAPER,
        name: "nodes",
        title: "Nodes and time of Expectimax, Star1 and Star2 in backgammon",
        source: "Hauk et al. (2004), tables 1 and 2; Hauk (2004), table C.1",
        takes: ["a minute", "two hours"],
        plan: nodes,
    },
    Experiment {
        paper: PAPER,
        name: "depth-5",
        title: "Star2 against Expectimax, three plays and two throws deep",
        source: "Hauk et al. (2004), table 1",
        takes: ["a minute", "four hours"],
        plan: depth_5,
    },
    Experiment {
        paper: PAPER,
        name: "odd-even",
        title: "Values of the root by depth",
        source: "Hauk et al. (2004), table 3; Hauk (2004), table C.2",
        takes: ["a minute", "an hour"],
        plan: odd_even,
    },
    Experiment {
        paper: PAPER,
        name: "noise",
        title: "Deeper search against shallower, with noise in the evaluation",
        source: "Hauk et al. (2004), tables 4 and 5; Hauk (2004), tables C.3 to C.5",
        takes: ["a minute", "ten hours"],
        plan: noise,
    },
];

/// Every win counts one.
const GAME: &str = "backgammon:gammons=off";

const SPECS: [&str; 3] = [
    "expectimax:table=32M,order=quick",
    "star1:table=32M,deepening=off,order=quick",
    STAR2,
];
const STAR2: &str =
    "star2:table=32M,deepening=off,order=quick,pick=quick,etc=off,history=off,outcomes=given";

fn rules() -> Rules {
    Rules {
        gammons: false,
        ..Rules::default()
    }
}

/// Contact positions with a throw and two plays or more, from self-play by static evaluation.
fn positions(count: usize, seed: Seed) -> Result<Vec<String>, LabError> {
    let game = Backgammon::new(rules()).map_err(failure)?;
    let learnt = Learnt::shipped().map_err(failure)?;
    let mut engine = StarMinimax::<_, f64>::new(Config::default(), learnt);
    let mut found = Vec::with_capacity(count);
    for number in 0.. {
        if found.len() >= count {
            break;
        }
        let mut rng = seed.number(number).rng();
        let mut state = game.start();
        let wanted = rng.random_range(4..60);
        for ply in 0.. {
            match state.phase() {
                Phase::Over => break,
                Phase::Play(_) => {
                    let mut moves = Vec::new();
                    game.moves(&state, &mut moves);
                    if ply >= wanted
                        && moves.len() > 1
                        && PositionClass::of(state.board()) == PositionClass::Contact
                    {
                        found.push(game.position_text(&state));
                        break;
                    }
                    let best = engine
                        .search(&game, &state, 1, &Limits::default())
                        .and_then(|found| found.best);
                    game.play(&mut state, best.unwrap_or(moves[0]));
                }
                _ => {
                    let roll = game.sample_outcome(&state, &mut rng);
                    game.play(&mut state, roll);
                }
            }
        }
    }
    Ok(found)
}

/// Depth, what is printed of it, and positions.
const DEPTHS: &[(u32, Printed, [usize; 2])] = &[
    (
        1,
        Printed {
            expectimax: Some(33.0),
            star1: None,
            star2: None,
        },
        [100, 500],
    ),
    (
        3,
        Printed {
            expectimax: Some(12_287.0),
            star1: Some(93.0),
            star2: Some(29.0),
        },
        [60, 500],
    ),
    (
        5,
        Printed {
            expectimax: Some(6_478_981.0),
            star1: Some(82.0),
            star2: Some(8.0),
        },
        [0, 500],
    ),
];

fn nodes(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let setting = *setting;
    let most = DEPTHS.iter().map(|line| setting.scale.pick(line.2)).max();
    let set = Set {
        game: Arc::<dyn AnyGame>::from(open(GAME)?),
        positions: Arc::new(positions(
            most.unwrap_or(0),
            Seed::new(setting.seed).split("contact"),
        )?),
    };
    let family = |depth: u32| Family::new(format!("depth {depth}"));
    let lines = move || {
        DEPTHS
            .iter()
            .filter(move |line| setting.scale.pick(line.2) > 0)
    };
    let mut cells = Vec::new();
    for &(depth, _, counts) in lines() {
        cells.extend(family(depth).cells(&set, SPECS, depth, setting.scale.pick(counts)));
    }
    Ok(ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report =
                ExperimentReport {
                    conditions: vec![
                    "contact positions of self-play; the networks that come with Tabia; every win \
                     is one point".to_string(),
                    "the paper: 500 positions of a training base, networks of GNU Backgammon \
                     0.14".to_string(),
                ],
                    ..ExperimentReport::default()
                };
            for &(depth, printed, _) in lines() {
                let share = family(depth).report(&mut report, measured, printed)?;
                let limit = match depth {
                    3 => 0.35,
                    5 => 0.12,
                    _ => continue,
                };
                report.relation(
                    format!("depth {depth}: Star2 needs at most {limit} of Expectimax"),
                    Verdict::of(share <= limit),
                    format!("{share:.3}"),
                );
                let efficiency = probe_efficiency(measured, &family(depth).star2)?;
                let printed = if depth == 3 { 0.689 } else { 0.642 };
                report.rows.push(Row::compared(
                    format!("depth {depth}: probe efficiency"),
                    Some(Figure::Number(printed)),
                    Figure::Number(efficiency),
                ));
            }
            Ok(report)
        }),
    })
}

/// Nodes, seconds and value of Expectimax and then of Star2 at one position, one right after the
/// other, so that whatever else the machine does slows both alike.
fn depth_5(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    // Several cells, so that what is stored is not lost when the rest is interrupted.
    const PORTION: usize = 25;
    let setting = *setting;
    let count = setting.scale.pick([4, 500]);
    let positions = positions(count, Seed::new(setting.seed).split("contact"))?;
    let set = Set {
        game: open(GAME)?.into(),
        positions: Arc::new(positions),
    };
    let firsts = move || (0..count).step_by(PORTION);
    let name = |first: usize| format!("Expectimax and Star2 from position {}", first + 1);
    let cells = firsts().map(|first| {
        let set = set.clone();
        let measure = move |item: usize, cancel: &Cancel| {
            let mut figures = Vec::new();
            for spec in [SPECS[0], STAR2] {
                let search = set.search(spec, 5, first + item, cancel)?;
                figures.extend_from_slice(&search[..=VALUE]);
            }
            Ok(figures)
        };
        ExperimentCell::sample(name(first), PORTION.min(count - first), measure)
    });
    Ok(ExperimentPlan {
        cells: cells.collect(),
        report: Box::new(move |measured| {
            let column = |search: usize, figure: usize| -> Result<Vec<f64>, LabError> {
                let parts = firsts()
                    .map(|first| measured.column(&name(first), search * (VALUE + 1) + figure));
                Ok(parts.collect::<Result<Vec<_>, _>>()?.concat())
            };
            let mut report = ExperimentReport {
                conditions: vec![format!(
                    "{count} contact positions of self-play; the networks that come with Tabia; \
                     every win is one point"
                )],
                ..ExperimentReport::default()
            };
            let nodes: Moments = column(0, 0)?.into_iter().collect();
            let mean = Mean::new(&nodes, CONFIDENCE);
            let row = Row::compared(
                "nodes of Expectimax",
                Some(Figure::Number(6_478_981.0)),
                Figure::Number(mean.mean),
            );
            report.rows.push(row.within(mean.interval));
            for (name, figure, printed, limit) in [
                ("nodes", 0, Some(0.08), 0.12),
                ("time", SECONDS, None, 0.15),
            ] {
                let (ratio, interval) = paired_ratio(
                    &column(1, figure)?,
                    &column(0, figure)?,
                    Seed::new(setting.seed),
                );
                let row = Row::compared(
                    format!("{name} of Star2 / Expectimax"),
                    printed.map(Figure::Number),
                    Figure::Number(ratio),
                );
                report.rows.push(row.within(interval));
                report.relation(
                    format!("Star2 needs at most {limit} of the {name} of Expectimax"),
                    Verdict::below(interval, limit),
                    format!("{ratio:.4} ({:.4} to {:.4})", interval.low, interval.high),
                );
            }
            let values = column(0, VALUE)?.into_iter().zip(column(1, VALUE)?);
            let most = values.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            report.relation(
                "both find the same values",
                Verdict::of(most < 1e-9),
                format!("largest difference {most:.1e}"),
            );
            Ok(report)
        }),
    })
}

/// Mean of V1 - V3 and of V1 - V5, and of their absolute values, in points (table 3, first trial).
const ODD_EVEN: [(&str, f64, f64); 2] = [("V1 - V3", 0.0280, 0.0336), ("V1 - V5", 0.0018, 0.0134)];

fn odd_even(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let (count, depths): (usize, &[u32]) = setting.scale.pick([(300, &[1, 3]), (500, &[1, 3, 5])]);
    let positions = Arc::new(positions(
        count,
        Seed::new(setting.seed).split("root values"),
    )?);
    let game: Arc<dyn AnyGame> = open("backgammon")?.into();
    let cell = |&depth: &u32| {
        let set = Set {
            game: Arc::clone(&game),
            positions: Arc::clone(&positions),
        };
        set.cell(
            format!("depth {depth}"),
            STAR2.to_string(),
            depth,
            usize::MAX,
        )
    };
    let cells: Vec<ExperimentCell> = depths.iter().map(cell).collect();
    Ok(ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report = ExperimentReport {
                conditions: vec![format!(
                    "{count} contact positions of self-play, money without the cube, values in \
                     points; the paper: 3200 moves; measured with GNU Backgammon 1.07: V1 - V3 \
                     +0.0043, absolute 0.0200"
                )],
                ..ExperimentReport::default()
            };
            let points = |depth: u32| -> Result<Vec<f64>, LabError> {
                let values = measured.column(&format!("depth {depth}"), VALUE)?;
                Ok(values.into_iter().map(|value| 3.0 * value).collect())
            };
            let one = points(1)?;
            let mut means = Vec::new();
            for (&depth, (name, mean, absolute)) in depths[1..].iter().zip(ODD_EVEN) {
                let other = points(depth)?;
                let differences: Vec<f64> = one.iter().zip(&other).map(|(a, b)| a - b).collect();
                for (what, printed, figures) in [
                    ("mean", mean, differences.clone()),
                    (
                        "mean of the absolute value",
                        absolute,
                        differences.iter().map(|d| d.abs()).collect(),
                    ),
                ] {
                    let found =
                        Mean::new(&figures.iter().copied().collect::<Moments>(), CONFIDENCE);
                    let row = Row::compared(
                        format!("{name}: {what}"),
                        Some(Figure::Number(printed)),
                        Figure::Number(found.mean),
                    );
                    report.rows.push(row.within(found.interval));
                    if what == "mean" {
                        means.push(found.mean);
                    }
                }
            }
            if let [odd, even] = means[..] {
                report.relation(
                    "values of depth 1 differ more from those of depth 3 than from those of depth \
                     5",
                    Verdict::of(odd.abs() > even.abs()),
                    format!("{odd:+.4} and {even:+.4}"),
                );
            }
            Ok(report)
        }),
    })
}

/// Noise, depths of the two sides, the percent that the deeper was printed to win, and pairs of
/// games.
const DUELS: &[(&str, [u32; 2], f64, [usize; 2])] = &[
    ("0", [3, 1], 50.60, [60, 2_000]),
    ("0.015", [3, 1], 55.53, [60, 2_000]),
    ("0.03", [3, 1], 59.00, [60, 2_000]),
    ("0", [5, 1], 51.60, [0, 50]),
    ("0.03", [5, 1], 64.20, [0, 50]),
];

fn noise(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let setting = *setting;
    let duels = move || {
        DUELS
            .iter()
            .filter(move |duel| setting.scale.pick(duel.3) > 0)
    };
    let name = |noise: &str, [deep, shallow]: [u32; 2]| {
        format!("noise {noise}, depth {deep} against {shallow}")
    };
    let mut cells = Vec::new();
    for &(noise, depths, _, counts) in duels() {
        let specs = depths
            .map(|depth| format!("star2:table=16M,deepening=off,noise={noise},depth={depth}"));
        let seed = Seed::new(setting.seed).split("noise");
        cells.push(duel(
            name(noise, depths),
            GAME,
            specs,
            setting.scale.pick(counts),
            seed,
        )?);
    }
    Ok(ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report = ExperimentReport {
                conditions: vec![
                    "every sequence of throws is played from both sides; every win is one point; \
                     noise is the standard deviation on the chance to win, the same whenever a \
                     position is met; both sides have it"
                        .to_string(),
                ],
                ..ExperimentReport::default()
            };
            let mut found = Vec::new();
            for &(noise, depths, printed, _) in duels() {
                let name = name(noise, depths);
                let (share, interval) = share(measured, &name)?;
                let row = Row::compared(
                    &name,
                    Some(Figure::Number(printed / 100.0)),
                    Figure::Number(share),
                );
                report.rows.push(row.within(interval));
                if noise == "0.03" {
                    report.relation(
                        format!("{name}: depth pays"),
                        Verdict::below(interval.complement(), 0.5),
                        format!("{:.1} % of the games", 100.0 * share),
                    );
                }
                if depths == [3, 1] {
                    found.push((share, interval));
                }
            }
            if let (Some((still, quiet)), Some((loud, noisy))) = (found.first(), found.last()) {
                let verdict = if noisy.low > quiet.high {
                    Verdict::Held
                } else if noisy.high < quiet.low {
                    Verdict::Failed
                } else {
                    Verdict::Undecided
                };
                report.relation(
                    "the advantage of depth grows with the noise",
                    verdict,
                    format!(
                        "{:.1} % without, {:.1} % with 0.03",
                        100.0 * still,
                        100.0 * loud
                    ),
                );
            }
            Ok(report)
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_contact_and_seeded() {
        let seed = Seed::new(1);
        let set = positions(5, seed).unwrap();
        assert_eq!(set, positions(5, seed).unwrap());
        let game = Backgammon::new(rules()).unwrap();
        for text in &set {
            let state = game.parse_position(text).unwrap();
            assert_eq!(PositionClass::of(state.board()), PositionClass::Contact);
            assert!(matches!(state.phase(), Phase::Play(_)));
        }
    }
}
