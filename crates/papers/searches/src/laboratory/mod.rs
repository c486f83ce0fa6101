//! The laboratory on trial: what its own statistics promise, measured.
//!
//! The printed figures are nominal ones: a test that errs in 5% of cases, an interval that covers
//! the truth in 95%, and pairs of identical engines that come out exactly even.

use rand::RngExt;
use tabia_game::{Cancel, Seed};

use tabia_lab::experiment::{ExperimentCell, ExperimentPlan};
use tabia_lab::matches::{self, Match, Opening};
use tabia_lab::player::Entrant;
use tabia_lab::referee::Terms;
use tabia_lab::statistics::{CONFIDENCE, Counts, Decision, Sprt, share_of_elo, wilson};
use tabia_lab::{Experiment, ExperimentReport, Figure, LabError, Row, Setting, Verdict};

const PAPER: &str = "laboratory";

/// The tables and figures.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        paper: PAPER,
        name: "sprt",
        title: "Error rates of the sequential test",
        source: "Wald (1945); nominal rates",
        takes: ["half a minute", "an hour"],
        plan: sprt,
    },
    Experiment {
        paper: PAPER,
        name: "coverage",
        title: "Intervals of an engine against its equal",
        source: "nominal level of 95%",
        takes: ["a few seconds", "a minute"],
        plan: coverage,
    },
    Experiment {
        paper: PAPER,
        name: "pairs",
        title: "Pairs of identical engines",
        source: "Sheppard (2004), section 5: every pair is even",
        takes: ["a few seconds", "a minute"],
        plan: pairs,
    },
];

/// A distribution of unit scores with the mean of a given strength.
struct Model {
    name: &'static str,
    empty: Counts,
    /// Probabilities of the scores as a function of the expected share.
    probabilities: fn(f64) -> Vec<f64>,
}

/// Losses, draws and wins of one game.
fn game(share: f64, draws: f64) -> [f64; 3] {
    [1.0 - share - draws / 2.0, draws, share - draws / 2.0]
}

/// The scores of a pair of independent games.
fn pair(first: [f64; 3], second: [f64; 3]) -> Vec<f64> {
    let mut scores = vec![0.0; 5];
    for (i, p) in first.into_iter().enumerate() {
        for (j, q) in second.into_iter().enumerate() {
            scores[i + j] += p * q;
        }
    }
    scores
}

static MODELS: [Model; 5] = [
    Model {
        name: "games",
        empty: Counts::Games([0; 3]),
        probabilities: |share| game(share, 0.0).to_vec(),
    },
    Model {
        name: "games with draws",
        empty: Counts::Games([0; 3]),
        probabilities: |share| game(share, 0.5).to_vec(),
    },
    Model {
        name: "pairs",
        empty: Counts::Pairs([0; 5]),
        probabilities: |share| pair(game(share, 0.4), game(share, 0.4)),
    },
    // The opening favours one seat by 32%: the games of a pair go opposite ways, and most pairs
    // are even.
    Model {
        name: "biased pairs",
        empty: Counts::Pairs([0; 5]),
        probabilities: |share| pair(game(share + 0.32, 0.05), game(share - 0.32, 0.05)),
    },
    // Half of the pairs repeat the result of their first game.
    Model {
        name: "like pairs",
        empty: Counts::Pairs([0; 5]),
        probabilities: |share| {
            let one = game(share, 0.3);
            let mut scores = pair(one, one);
            for (place, p) in scores.iter_mut().enumerate() {
                let same = if place % 2 == 0 { one[place / 2] } else { 0.0 };
                *p = (*p + same) / 2.0;
            }
            scores
        },
    },
];

/// Units of a test, and its decision.
fn simulate(model: &Model, test: &Sprt, elo: f64, seed: Seed) -> (u64, Decision) {
    let probabilities = (model.probabilities)(share_of_elo(elo));
    let last = (probabilities.len() - 1) as f64;
    let mut rng = seed.rng();
    let mut counts = model.empty;
    let mut units = 0;
    loop {
        let mut left = rng.random::<f64>();
        let place = probabilities.iter().position(|p| {
            left -= p;
            left < 0.0
        });
        let possible = counts.add(place.map_or(1.0, |place| place as f64 / last));
        debug_assert!(possible);
        units += 1;
        match test.state(&counts).decision {
            Decision::Continue => {}
            decision => return (units, decision),
        }
    }
}

/// The hypotheses of a test: the true strength, and the decision that would be wrong.
const HYPOTHESES: [(&str, bool, Decision); 2] = [
    ("elo0 is true", false, Decision::AcceptH1),
    ("elo1 is true", true, Decision::AcceptH0),
];

fn sprt(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let (sequences, strengths): (usize, &'static [f64]) = setting
        .scale
        .pick([(10_000, &[60.0]), (100_000, &[20.0, 60.0, 100.0])]);
    let name =
        |elo1: f64, model: &str, hypothesis: &str| format!("elo1 = {elo1}, {model}, {hypothesis}");
    let seed = Seed::new(setting.seed);
    let mut cells = Vec::new();
    for &elo1 in strengths {
        let test =
            Sprt::new(0.0, elo1, 0.05, 0.05).map_err(|e| LabError::BadRequest(e.to_string()))?;
        for model in &MODELS {
            for (hypothesis, is_elo1, wrong) in HYPOTHESES {
                let name = name(elo1, model.name, hypothesis);
                let seed = seed.split(&name);
                let elo = if is_elo1 { elo1 } else { 0.0 };
                cells.push(ExperimentCell::sample(
                    name,
                    sequences,
                    move |item, _: &Cancel| {
                        let (units, decision) =
                            simulate(model, &test, elo, seed.number(item as u64));
                        Ok(vec![f64::from(u8::from(decision == wrong)), units as f64])
                    },
                ));
            }
        }
    }
    Ok(ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report = ExperimentReport::default();
            let mut verdict = Verdict::Held;
            let mut worst = 0.0_f64;
            for &elo1 in strengths {
                for model in &MODELS {
                    for (hypothesis, ..) in HYPOTHESES {
                        let name = name(elo1, model.name, hypothesis);
                        let errors: f64 = measured.values(&name)?.iter().sum();
                        let units: f64 = measured.column(&name, 1)?.iter().sum();
                        let trials = sequences as f64;
                        let rate = errors / trials;
                        let interval = wilson(errors, trials, CONFIDENCE);
                        let row = Row::compared(
                            format!("{name}: errors"),
                            Some(Figure::Number(0.05)),
                            Figure::Number(rate),
                        );
                        report.rows.push(row.derived().within(interval));
                        report.rows.push(Row::compared(
                            format!("{name}: units"),
                            None,
                            Figure::Number(units / trials),
                        ));
                        worst = worst.max(rate);
                        if interval.low > 0.05 {
                            verdict = Verdict::Failed;
                        } else if rate > 0.05 && verdict == Verdict::Held {
                            verdict = Verdict::Undecided;
                        }
                    }
                }
            }
            report.relation(
                "both kinds of errors are made in at most 5% of the tests",
                verdict,
                format!("{sequences} simulated tests each; the largest rate is {worst:.4}"),
            );
            report.conditions.push(
                "tests with alpha = beta = 0.05; a unit is a game or a pair of games".to_string(),
            );
            Ok(report)
        }),
    })
}

fn match_plan(
    game: &str,
    players: [&str; 2],
    games: u64,
    paired: bool,
    seed: Seed,
) -> matches::MatchPlan {
    matches::MatchPlan {
        game: game.to_string(),
        players: players.map(Entrant::parse).to_vec(),
        games,
        paired,
        opening: Opening::Random(2),
        terms: Terms::default(),
        sprt: None,
        seed: seed.value(),
    }
}

/// Plays a match by this thread alone.
fn play(plan: matches::MatchPlan, cancel: &Cancel) -> Result<matches::Summary, LabError> {
    let mut played = Match::new(plan)?;
    match played.play(1, cancel, &mut |_| {})? {
        true => Ok(played.summary()),
        false => Err(LabError::Stopped),
    }
}

/// Random players with different luck are equally strong.
const EQUALS: [&str; 2] = ["random:seed=1", "random:seed=2"];
const MATCHES: [(&str, &str, bool); 4] = [
    ("Connect Four", "connect4", false),
    ("Connect Four in pairs", "connect4", true),
    ("tic-tac-toe, with draws", "tictactoe", false),
    ("tic-tac-toe, with draws, in pairs", "tictactoe", true),
];

fn coverage(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let count = setting.scale.pick([200, 5_000]);
    let seed = Seed::new(setting.seed).split("coverage");
    let cells = MATCHES.map(|(name, game, paired)| {
        ExperimentCell::sample(name, count, move |item, cancel| {
            let seed = seed.split(name).number(item as u64);
            let summary = play(match_plan(game, EQUALS, 100, paired, seed), cancel)?;
            let first = &summary.players[0];
            let covers = first.interval.contains(0.5);
            Ok(vec![f64::from(u8::from(covers)), first.share])
        })
    });
    Ok(ExperimentPlan {
        cells: cells.into_iter().collect(),
        report: Box::new(move |measured| {
            let mut report = ExperimentReport::default();
            let trials = count as f64;
            for (name, ..) in MATCHES {
                let covered: f64 = measured.values(name)?.iter().sum();
                let row = Row::compared(
                    format!("{name}: intervals that cover one half"),
                    Some(Figure::Number(CONFIDENCE)),
                    Figure::Number(covered / trials),
                );
                report
                    .rows
                    .push(row.derived().within(wilson(covered, trials, CONFIDENCE)));
                // Wide enough that none of the four fails by chance.
                let wide = wilson(covered, trials, 0.999);
                report.relation(
                    format!("{name}: the nominal level is kept"),
                    Verdict::of(wide.contains(CONFIDENCE)),
                    format!(
                        "{covered} of {count} matches; the level must lie between {:.3} and {:.3}, \
                         the 99.9% interval",
                        wide.low, wide.high
                    ),
                );
            }
            report.conditions.push(
                "matches of 100 games between random players of different luck, two random plies \
                 first"
                    .to_string(),
            );
            Ok(report)
        }),
    })
}

const IDENTICAL: [(&str, &str); 5] = [
    ("connect4", "pvs:nodes=300,table=1M"),
    ("loa", "mia:nodes=100,table=1M"),
    ("breakthrough:5x6", "mtdf:nodes=200,table=1M"),
    ("connect4", "random"),
    ("tictactoe", "random"),
];

fn pairs(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let games = setting.scale.pick([100, 2_000]);
    let name = |(game, engine): (&str, &str)| format!("{game}, {engine}");
    let seed = Seed::new(setting.seed).split("pairs");
    let cells = IDENTICAL.map(|(game, engine)| {
        ExperimentCell::once(name((game, engine)), move |cancel| {
            let plan = match_plan(game, [engine, engine], games, true, seed.split(game));
            let even = match play(plan, cancel)?.counts {
                Some(Counts::Pairs(counts)) => counts[2],
                _ => 0,
            };
            Ok(vec![(games / 2 - even) as f64])
        })
    });
    Ok(ExperimentPlan {
        cells: cells.into_iter().collect(),
        report: Box::new(move |measured| {
            let mut report = ExperimentReport::default();
            for identical in IDENTICAL {
                let uneven = measured.count(&name(identical), 0)?;
                let row = format!("{}: pairs that are not even", name(identical));
                report.rows.push(Row::exact(row, 0, uneven));
            }
            report.conditions.push(format!(
                "{} pairs each, the same opening and luck, seats exchanged",
                games / 2
            ));
            Ok(report)
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_lab::experiment::{Bench, run};

    fn report(name: &str) -> ExperimentReport {
        let experiment = EXPERIMENTS.iter().find(|e| e.name == name).unwrap();
        let setting = Setting {
            scale: tabia_lab::Scale::Quick,
            seed: 1,
        };
        let bench = Bench {
            threads: 2,
            cancel: &Cancel::default(),
            progress: &|_, _| {},
            store: None,
        };
        run(experiment, &setting, bench).unwrap()
    }

    /// 10,000 tests under each hypothesis: both errors at or below the nominal 5%.
    #[test]
    fn error_rates_of_the_sequential_test_are_nominal() {
        let report = report("sprt");
        assert_eq!(
            report.relations[0].verdict,
            Verdict::Held,
            "{:?}",
            report.relations
        );
        assert_eq!(report.rows.len(), 2 * 2 * MODELS.len());
    }

    /// 200 matches of equals each: intervals cover one half at the nominal rate.
    #[test]
    fn intervals_cover_one_half_at_the_nominal_rate() {
        for relation in report("coverage").relations {
            assert_eq!(relation.verdict, Verdict::Held, "{relation:?}");
        }
    }

    #[test]
    fn pairs_of_identical_engines_are_even() {
        assert!(report("pairs").holds());
    }

    #[test]
    fn models_are_distributions_with_the_right_mean() {
        for model in &MODELS {
            for elo in [0.0, 20.0, 60.0, 100.0] {
                let probabilities = (model.probabilities)(share_of_elo(elo));
                let last = (probabilities.len() - 1) as f64;
                assert!(
                    probabilities.iter().all(|p| (0.0..=1.0).contains(p)),
                    "{}",
                    model.name
                );
                let sum: f64 = probabilities.iter().sum();
                let mean = probabilities
                    .iter()
                    .enumerate()
                    .map(|(i, p)| i as f64 / last * p);
                assert!((sum - 1.0).abs() < 1e-12);
                assert!((mean.sum::<f64>() - share_of_elo(elo)).abs() < 1e-12);
            }
        }
    }
}
