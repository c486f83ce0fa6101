//! Hauk, Buro and Schaeffer (2004), "Rediscovering *-Minimax Search": the worked figures, and
//! synthetic trees.
//!
//! The figures are lost; the trees here agree with every number of the text. On random trees all
//! searches must find the value of Expectimax exactly, in fractions.

use num_rational::Ratio;
use tabia_game::{CERTAIN, Game, Limits, Seed};
use tabia_kit::chance_tree::{ChanceTree, Hashed};
use tabia_kit::printed_tree::{Nothing, Printed, PrintedTree};
use tabia_search::chance::bounds::ValueRange;
use tabia_search::chance::{Clamp, Config, ProbeChoice, Scalar, Searched, StarMinimax};

use tabia_lab::experiment::{Curve, ExperimentCell, ExperimentPlan, Series};
use tabia_lab::statistics::{CONFIDENCE, wilson};
use tabia_lab::{Experiment, ExperimentReport, Figure, LabError, Row, Setting, Verdict};

const PAPER: &str = "star-minimax";

/// The tables and figures.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        paper: PAPER,
        name: "figures",
        title: "The worked examples, leaf by leaf",
        source: "Hauk, Buro and Schaeffer (2004), figures 2 to 11",
        takes: ["a second", "a second"],
        plan: figures,
    },
    Experiment {
        paper: PAPER,
        name: "trees",
        title: "All searches against Expectimax on random trees",
        source: "Hauk, Buro and Schaeffer (2004), section 2",
        takes: ["half a minute", "ten minutes"],
        plan: trees,
    },
    Experiment {
        paper: PAPER,
        name: "ballard",
        title: "How often blind probes decide a chance node",
        source: "Ballard (1983), after Hauk (2004)",
        takes: ["half a minute", "ten minutes"],
        plan: ballard,
    },
];

type Exact = Ratio<i128>;

fn star1() -> Config {
    Config {
        prune: true,
        ..Config::default()
    }
}

fn star2() -> Config {
    Config {
        probes: 1,
        ..star1()
    }
}

/// As printed: outcomes are searched within all values that exist.
fn printed(config: Config) -> Config {
    Config {
        clamp: Clamp::Values,
        ..config
    }
}

/// Six equally likely outcomes, each a choice of Min between two leaves.
const FIGURE_5: [[i32; 2]; 6] = [[-5, 5], [-10, -8], [0, 4], [1, 2], [-10, -7], [3, 5]];

fn figure_5(best_first: bool) -> PrintedTree {
    let child = |&[low, high]: &[i32; 2]| {
        let leaves = if best_first { [low, high] } else { [high, low] };
        (1, PrintedTree::Min(leaves.map(PrintedTree::Leaf).to_vec()))
    };
    PrintedTree::Chance(FIGURE_5.iter().map(child).collect())
}

/// Value, leaves looked at, and different leaves among them; values lie between -10 and 10.
fn looked_at(
    tree: &PrintedTree,
    config: Config,
    window: [i64; 2],
    depth: u32,
) -> Option<(Exact, usize, usize)> {
    let game = Printed::new(tree, 10);
    let unit = Exact::ratio(i64::from(CERTAIN), 10);
    let [lo, hi] = window.map(|end| Exact::ratio(end, 1) * unit);
    let mut engine = StarMinimax::<_, Exact>::new(config, Nothing);
    let found = engine.search_within(
        &game,
        &game.start(),
        depth,
        ValueRange { lo, hi },
        &Limits::default(),
    )?;
    let (different, all) = game.seen();
    Some((found.value / unit, all, different.len()))
}

struct Worked {
    name: &'static str,
    tree: fn() -> PrintedTree,
    config: fn() -> Config,
    window: [i64; 2],
    /// The printed value, or the one that follows.
    value: (i64, u64),
    /// Leaves, and whether only different ones count.
    leaves: (u64, bool),
}

const WORKED: &[Worked] = &[
    Worked {
        name: "figure 2, Expectimax",
        tree: || figure_5(true),
        config: Config::default,
        window: [-10, 10],
        value: (-7, 2),
        leaves: (12, false),
    },
    Worked {
        name: "figure 5, Star1 with unclamped windows",
        tree: || figure_5(true),
        config: || Config {
            clamp: Clamp::Nothing,
            ..star1()
        },
        window: [-2, 2],
        value: (-7, 3),
        leaves: (9, false),
    },
    Worked {
        name: "figure 10, Star2 with good probes",
        tree: || figure_5(true),
        config: star2,
        window: [-2, 2],
        value: (-7, 3),
        leaves: (5, false),
    },
    Worked {
        name: "figure 11, Star2 with bad probes",
        tree: || figure_5(false),
        config: star2,
        window: [-2, 2],
        value: (-5, 2),
        leaves: (9, true),
    },
    Worked {
        name: "hash tree 3, 3, 3, Expectimax",
        tree: || PrintedTree::hashed(3, 3, 3),
        config: Config::default,
        window: [-10, 10],
        value: (-11, 3),
        leaves: (27, false),
    },
    Worked {
        name: "hash tree 3, 3, 3, Star1",
        tree: || PrintedTree::hashed(3, 3, 3),
        config: || printed(star1()),
        window: [-10, 10],
        value: (-11, 3),
        leaves: (23, false),
    },
    Worked {
        name: "hash tree 3, 3, 3, Star2",
        tree: || PrintedTree::hashed(3, 3, 3),
        config: || printed(star2()),
        window: [-10, 10],
        value: (-11, 3),
        leaves: (30, false),
    },
    Worked {
        name: "hash tree 3, 3, 5, Expectimax",
        tree: || PrintedTree::hashed(3, 3, 5),
        config: Config::default,
        window: [-10, 10],
        value: (26, 9),
        leaves: (243, false),
    },
    Worked {
        name: "hash tree 3, 3, 5, Star1",
        tree: || PrintedTree::hashed(3, 3, 5),
        config: || printed(star1()),
        window: [-10, 10],
        value: (26, 9),
        leaves: (211, false),
    },
    Worked {
        name: "hash tree 3, 3, 5, Star2",
        tree: || PrintedTree::hashed(3, 3, 5),
        config: || printed(star2()),
        window: [-10, 10],
        value: (26, 9),
        leaves: (369, false),
    },
];

fn figures(_: &Setting) -> Result<ExperimentPlan, LabError> {
    let cell = |worked: &'static Worked| {
        ExperimentCell::once(worked.name, move |_| {
            let found = looked_at(&(worked.tree)(), (worked.config)(), worked.window, 9);
            let (value, all, different) = found.ok_or(LabError::Stopped)?;
            let leaves = if worked.leaves.1 { different } else { all };
            Ok(vec![
                *value.numer() as f64,
                *value.denom() as f64,
                leaves as f64,
            ])
        })
    };
    Ok(ExperimentPlan {
        cells: WORKED.iter().map(cell).collect(),
        report: Box::new(|measured| {
            let mut report = ExperimentReport::default();
            for worked in WORKED {
                let name = worked.name;
                let leaves = measured.count(name, 2)?;
                report.rows.push(Row::exact(
                    format!("{name}: leaves"),
                    worked.leaves.0,
                    leaves,
                ));
                let (above, below) = (measured.values(name)?, measured.column(name, 1)?);
                let (above, below) = (above[0], below[0]);
                report.relation(
                    format!("{name}: the value is {}/{}", worked.value.0, worked.value.1),
                    Verdict::of((above, below) == (worked.value.0 as f64, worked.value.1 as f64)),
                    format!("{above}/{below}"),
                );
            }
            Ok(report)
        }),
    })
}

type Make = fn() -> Config;

/// Searches that must find the value of Expectimax.
const SEARCHES: [(&str, Make); 5] = [
    ("Star1", star1),
    ("Star2", star2),
    ("Star2.5, two probes", || Config {
        probes: 2,
        ..star1()
    }),
    ("Star2.5, all probes", || Config {
        probes: 100,
        pick: ProbeChoice::Quick,
        ..star1()
    }),
    ("StarETC", || Config {
        etc: true,
        pick: ProbeChoice::Table,
        table: 1 << 16,
        ..star2()
    }),
];

fn trees(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let (trees, seed) = (
        setting.scale.pick([2_000, 100_000]),
        Seed::new(setting.seed).split("trees"),
    );
    let cell = ExperimentCell::sample("trees", trees, move |item, _| {
        let number = seed.number(item as u64).value();
        let tree = ChanceTree {
            weights: 1 + number % 5,
            irregular: number % 2 == 0,
            width: [0, 0, 5][(number / 7 % 3) as usize],
            ..ChanceTree::regular(number, 3, 3, 5)
        };
        let search = |config: Config| -> Option<Searched<u8, Exact>> {
            let mut engine = StarMinimax::<_, Exact>::new(config, Hashed);
            engine.search(&tree, &tree.start(), 4, &Limits::default())
        };
        let plain = search(Config::default()).ok_or(LabError::Stopped)?;
        let mut row = vec![plain.nodes as f64];
        for (_, config) in SEARCHES {
            let found = search(config()).ok_or(LabError::Stopped)?;
            row.push(f64::from(u8::from(found.value == plain.value)));
            row.push(found.nodes as f64);
        }
        Ok(row)
    });
    Ok(ExperimentPlan {
        cells: vec![cell],
        report: Box::new(move |measured| {
            let mut report = ExperimentReport {
                conditions: vec![
                    "random trees, regular and irregular, uniform and not, some with \
                     transpositions; up to three moves and three outcomes, four plies deep, \
                     estimates at the leaves; uncorrelated, so probes are blind and Star2 may cost \
                     more than it saves"
                        .to_string(),
                ],
                ..ExperimentReport::default()
            };
            let plain: f64 = measured.values("trees")?.iter().sum();
            for (i, (name, _)) in SEARCHES.into_iter().enumerate() {
                let equal = measured.count("trees", 1 + 2 * i)?;
                let name_of_row = format!("{name}: trees with the value of Expectimax");
                let row = Row::exact(name_of_row, trees as u64, equal);
                report.rows.push(row.derived());
                let nodes: f64 = measured.column("trees", 2 + 2 * i)?.iter().sum();
                report.rows.push(Row::compared(
                    format!("{name}: nodes / Expectimax"),
                    None,
                    Figure::Number(nodes / plain.max(1.0)),
                ));
            }
            Ok(report)
        }),
    })
}

/// Outcomes of a chance node, and how often probes were printed to decide it where that is quoted.
const OUTCOMES: [(u64, Option<f64>); 4] =
    [(4, Some(0.33)), (10, None), (20, None), (40, Some(0.45))];

fn ballard(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let trees = setting.scale.pick([300, 10_000]);
    let seed = Seed::new(setting.seed).split("ballard");
    let name = |outcomes: u64| format!("{outcomes} outcomes");
    let cell = |&(outcomes, _): &(u64, Option<f64>)| {
        ExperimentCell::sample(name(outcomes), trees, move |item, _| {
            let tree = ChanceTree::regular(
                seed.number(outcomes).number(item as u64).value(),
                outcomes,
                outcomes,
                3,
            );
            let mut engine = StarMinimax::<_, f64>::new(star2(), Hashed);
            let found = engine
                .search(&tree, &tree.start(), 3, &Limits::default())
                .ok_or(LabError::Stopped)?;
            Ok(vec![
                found.stats.probed as f64,
                found.stats.probe_cutoffs as f64,
                found.stats.leaves as f64,
            ])
        })
    };
    Ok(ExperimentPlan {
        cells: OUTCOMES.iter().map(cell).collect(),
        report: Box::new(move |measured| {
            let mut report = ExperimentReport {
                conditions: vec![format!(
                    "{trees} trees each: a move, a chance event and a reply, as many of each as \
                     outcomes; values are uniform, moves in no order"
                )],
                ..ExperimentReport::default()
            };
            let mut points = Vec::new();
            for (outcomes, quoted) in OUTCOMES {
                let name = name(outcomes);
                let sum = |column| -> Result<f64, LabError> {
                    Ok(measured.column(&name, column)?.iter().sum::<f64>())
                };
                let (probed, cut, leaves) = (sum(0)?, sum(1)?, sum(2)?);
                let row = Row::compared(
                    format!("{name}: probes decide"),
                    quoted.map(Figure::Number),
                    Figure::Number(cut / probed.max(1.0)),
                );
                report
                    .rows
                    .push(row.within(wilson(cut, probed, CONFIDENCE)));
                let all = (outcomes.pow(3) * trees as u64) as f64;
                report.rows.push(Row::compared(
                    format!("{name}: leaves / Expectimax"),
                    None,
                    Figure::Number(leaves / all),
                ));
                points.push((outcomes as f64, cut / probed.max(1.0)));
            }
            let rises = points.first().map(|p| p.1) < points.last().map(|p| p.1);
            report.relation(
                "probes decide more often where there are more outcomes",
                Verdict::of(rises),
                format!("{points:?}"),
            );
            report.curves.push(Curve {
                name: "Blind probes".to_string(),
                x: "outcomes".to_string(),
                y: "share decided".to_string(),
                logarithmic: false,
                series: vec![Series::new("Star2", points)],
            });
            Ok(report)
        }),
    })
}
