//! Donkers, van den Herik and Uiterwijk (2004), "Dao: A Benchmark Game": the graphs of Do-Guti and
//! Dao, the solution of Dao, and a search of it with transposition tables of different sizes.
//!
//! Everything about the graphs is exact. Where the paper misprints or miscounts, the corrected
//! figure is compared and the condition above the table tells what is printed. The evaluation and
//! the hash codes of the search are lost, so that of tables 5 and 6 only the relations can be
//! repeated.

mod graphs;
mod search;
mod transpositions;

use tabia_game::Seed;
use tabia_registry::graph::LaidOut;
use tabia_registry::{CatalogError, Facet, open};

use tabia_lab::experiment::{ExperimentCell, ExperimentPlan};
use tabia_lab::statistics::{Interval, Moments};
use tabia_lab::{Experiment, ExperimentReport, Figure, LabError, Row, Setting, Verdict};

const PAPER: &str = "dao";

/// The graph of a game.
fn laid_out(game: &str) -> Result<LaidOut, CatalogError> {
    Facet::Graph.require(open(game)?.graph())?.lay_out()
}

const fn exact_experiment(
    name: &'static str,
    title: &'static str,
    source: &'static str,
    plan: fn(&Setting) -> Result<ExperimentPlan, LabError>,
) -> Experiment {
    Experiment {
        paper: PAPER,
        name,
        title,
        source,
        takes: ["a second", "a second"],
        plan,
    }
}

/// The tables and figures.
pub const EXPERIMENTS: &[Experiment] = &[
    exact_experiment(
        "counts",
        "Positions, classes, ends and cycles of Do-Guti and Dao",
        "Donkers et al. (2004), sections 2 and 4",
        |_| Ok(graphs::counts()),
    ),
    exact_experiment(
        "1",
        "Degrees in the graph of Dao",
        "Donkers et al. (2004), table 1",
        |_| Ok(graphs::table_1()),
    ),
    exact_experiment(
        "2",
        "Distances from the start of Dao",
        "Donkers et al. (2004), table 2",
        |_| Ok(graphs::table_2()),
    ),
    exact_experiment(
        "3",
        "Retrograde analysis of Dao, step by step",
        "Donkers et al. (2004), table 3",
        |_| Ok(graphs::table_3()),
    ),
    exact_experiment(
        "4",
        "What minimax visits in the graph of Dao",
        "Donkers et al. (2004), table 4",
        |_| Ok(graphs::table_4()),
    ),
    Experiment {
        paper: PAPER,
        name: "fig7",
        title: "How long games of Dao at random are",
        source: "Donkers et al. (2004), section 5 and figure 7",
        takes: ["a second", "a few seconds"],
        plan: figure_7,
    },
    Experiment {
        paper: PAPER,
        name: "5",
        title: "Alpha-beta with transposition tables of different sizes",
        source: "Donkers et al. (2004), table 5 and figure 11",
        takes: ["ten seconds", "a minute"],
        plan: transpositions::table_5,
    },
    Experiment {
        paper: PAPER,
        name: "6",
        title: "What the transposition table is good for",
        source: "Donkers et al. (2004), table 6",
        takes: ["ten seconds", "a minute"],
        plan: transpositions::table_6,
    },
];

/// The mean of some figures, and where it lies with 95% confidence.
fn estimate(figures: Vec<f64>) -> (f64, Interval) {
    let moments: Moments = figures.into_iter().collect();
    let margin = 1.96 * moments.standard_error().unwrap_or(f64::INFINITY);
    let interval = Interval {
        low: moments.mean() - margin,
        high: moments.mean() + margin,
    };
    (moments.mean(), interval)
}

/// The length from which on the decrease is called exponential.
const TAIL: usize = 25;
/// Games in an item.
const BATCH: u64 = 10_000;

fn figure_7(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let batches = setting.scale.pick([10, 100]);
    let seed = Seed::new(setting.seed).split("random games");
    let graph = laid_out("dao")?.graph;
    let cell = ExperimentCell::sample("games", batches, move |item, cancel| {
        let games = graph.random_games(BATCH, 100_000, seed.number(item as u64), cancel);
        let games = games.ok_or(LabError::Stopped)?;
        let length = |length: Option<usize>| length.unwrap_or(0) as f64;
        Ok(vec![
            games.mean().unwrap_or(0.0),
            games.decay(TAIL).unwrap_or(0.0),
            length(games.shortest()),
            length(games.longest()),
            length(games.mode()),
        ])
    });
    Ok(ExperimentPlan {
        cells: vec![cell],
        report: Box::new(move |measured| {
            let column = |column| measured.column("games", column);
            let (mean, mean_interval) = estimate(column(0)?);
            // The exponent of ten, as a plot of decimal logarithms shows it.
            let of_ten = |exponent| 1e3 * exponent / std::f64::consts::LN_10;
            let (decay, decay_interval) = estimate(column(1)?.into_iter().map(of_ten).collect());
            let (mode, _) = estimate(column(4)?);
            let shortest = column(2)?.into_iter().fold(f64::INFINITY, f64::min);
            let longest = column(3)?.into_iter().fold(0.0, f64::max);
            let number =
                |printed: f64, ours: f64| (Some(Figure::Number(printed)), Figure::Number(ours));
            let compared = |name: &str, (printed, ours)| Row::compared(name, printed, ours);
            let mut report = ExperimentReport {
                rows: vec![
                    compared("plies on average", number(74.8, mean)).within(mean_interval),
                    compared(
                        "exponent of ten of the tail, times 1000",
                        number(-6.66, decay),
                    )
                    .within(decay_interval),
                    compared(
                        "most frequent length, average of the batches",
                        number(17.0, mode),
                    ),
                    Row::exact("plies of the shortest game", 5, shortest as u64),
                    compared("plies of the longest game", number(800.0, longest)),
                ],
                conditions: vec![
                    format!("ours: {batches} batches of {BATCH} games; the paper: 100,000 games"),
                    format!(
                        "the paper does not say so, but its exponent is one of ten; the tail \
                         begins at ply {TAIL}"
                    ),
                ],
                ..ExperimentReport::default()
            };
            report.relation(
                "a game at random takes 74.8 plies on average",
                Verdict::of((mean - 74.8).abs() < 1.0),
                format!("{mean:.2}"),
            );
            report.relation(
                "from ply 25 on games become rarer exponentially",
                Verdict::of((decay / -6.66 - 1.0).abs() < 0.05),
                format!("by 10^({decay:.3}/1000) a ply"),
            );
            Ok(report)
        }),
    })
}
