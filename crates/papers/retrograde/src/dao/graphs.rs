//! What follows from the graphs: the counts of sections 2 and 4, and tables 1 to 4.

use tabia_game::Wdl;
use tabia_registry::graph::{Class, GameGraph, counted};

use tabia_lab::experiment::{ExperimentCell, ExperimentPlan};
use tabia_lab::{ExperimentReport, Row, Verdict};

use super::laid_out;

/// Figures that follow from the graph of a game, and what they must be.
struct Exact {
    game: &'static str,
    cell: &'static str,
    measure: fn(&GameGraph) -> Vec<u64>,
    printed: Vec<(String, u64)>,
}

/// Compares exact figures. A list that turns out longer than it is printed has its rest in one more
/// row, which must be zero.
fn exact(parts: Vec<Exact>, conditions: &[&str]) -> ExperimentPlan {
    let cell = |part: &Exact| {
        let (game, measure, rows) = (part.game, part.measure, part.printed.len());
        ExperimentCell::once(part.cell, move |_| {
            let mut figures = measure(&laid_out(game)?.graph);
            let rest = figures.split_off(figures.len().min(rows)).iter().sum();
            figures.resize(rows, 0);
            figures.push(rest);
            Ok(figures.iter().map(|&figure| figure as f64).collect())
        })
    };
    let cells = parts.iter().map(cell).collect();
    let conditions: Vec<String> = conditions.iter().map(|c| c.to_string()).collect();
    ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report = ExperimentReport {
                conditions: conditions.clone(),
                ..ExperimentReport::default()
            };
            for part in &parts {
                for (column, (name, printed)) in part.printed.iter().enumerate() {
                    let ours = measured.count(part.cell, column)?;
                    report.rows.push(Row::exact(name, *printed, ours));
                }
                let rest = measured.count(part.cell, part.printed.len())?;
                if rest > 0 {
                    report
                        .rows
                        .push(Row::exact("beyond what is printed", 0, rest));
                }
            }
            Ok(report)
        }),
    }
}

/// Printed figures with one name and a number.
fn numbered(name: &str, from: usize, printed: &[u64]) -> Vec<(String, u64)> {
    let named = |(i, &figure)| (format!("{name} {}", from + i), figure);
    printed.iter().enumerate().map(named).collect()
}

fn named(printed: &[(&str, u64)]) -> Vec<(String, u64)> {
    printed
        .iter()
        .map(|&(name, figure)| (name.to_string(), figure))
        .collect()
}

/// Classes with this end of the game, all or reachable.
fn ends(graph: &GameGraph, wdl: Wdl, within: &[bool]) -> u64 {
    let ends = graph.all().filter(|&c| graph.outcome(c) == Some(wdl));
    ends.filter(|&c| within[c as usize]).count() as u64
}

pub fn counts() -> ExperimentPlan {
    let do_guti = Exact {
        game: "doguti",
        cell: "doguti",
        measure: |graph| {
            let start = graph.start();
            let distances = graph.distances(start);
            let solved = graph.steps();
            let blocked = graph.all().filter(|&c| graph.outcome(c).is_some());
            let shortest = blocked.filter_map(|c| distances[c as usize]).min();
            let draws = solved.values.iter().filter(|v| v.wdl == Wdl::Draw);
            vec![
                graph.places() as u64,
                graph.classes() as u64,
                graph.classes_with_exchange() as u64,
                distances.iter().flatten().count() as u64,
                draws.count() as u64,
                u64::from(solved.values[start as usize].wdl == Wdl::Draw),
                shortest.map_or(0, u64::from),
                graph.smallest_cycles()[start as usize].map_or(0, u64::from),
            ]
        },
        printed: named(&[
            ("Do-Guti: configurations", 30),
            ("Do-Guti: classes", 16),
            ("Do-Guti: classes with colours exchanged", 9),
            ("Do-Guti: reachable classes (derived)", 15),
            ("Do-Guti: drawn classes (derived)", 13),
            ("Do-Guti: the start is drawn", 1),
            ("Do-Guti: plies of the shortest decisive game", 6),
            ("Do-Guti: smallest cycle of the start", 6),
        ]),
    };
    let dao = Exact {
        game: "dao",
        cell: "dao",
        measure: |graph| {
            let all = vec![true; graph.classes()];
            let reachable = graph.reachable();
            let open = |class: &Class| graph.outcome(*class).is_none();
            let is_reachable = |class: &Class| reachable[*class as usize];
            let sources = graph
                .all()
                .filter(|&c| graph.predecessors().row(c).is_empty());
            vec![
                graph.places() as u64,
                graph.classes() as u64,
                graph.classes_with_exchange() as u64,
                graph.all().filter(open).count() as u64,
                ends(graph, Wdl::Loss, &all),
                ends(graph, Wdl::Win, &all),
                ends(graph, Wdl::Loss, &reachable),
                ends(graph, Wdl::Win, &reachable),
                graph.all().filter(open).filter(is_reachable).count() as u64,
                graph.all().filter(is_reachable).count() as u64,
                sources.count() as u64,
                graph.total_moves(),
            ]
        },
        printed: named(&[
            ("Dao: configurations", 900_900),
            ("Dao: classes", 113_028),
            ("Dao: classes with colours exchanged", 56_757),
            ("Dao: classes that go on", 108_751),
            ("Dao: lost for the player to move", 2_154),
            ("Dao: won for the player to move", 2_123),
            ("Dao: lost and reachable", 1_130),
            ("Dao: won and reachable", 988),
            ("Dao: reachable classes that go on", 108_749),
            ("Dao: reachable classes", 110_867),
            ("Dao: classes that no edge leads into", 2_161),
            ("Dao: moves of all configurations (derived)", 9_756_344),
        ]),
    };
    let cycles = Exact {
        game: "dao",
        cell: "cycles",
        measure: |graph| {
            let reachable = graph.reachable();
            let cycles = graph.smallest_cycles();
            let of_reachable = graph.all().filter(|&c| reachable[c as usize]);
            counted(of_reachable.map(|c| cycles[c as usize]))
        },
        printed: numbered(
            "Dao: classes whose smallest cycle has length",
            0,
            &[0, 0, 1_888, 3_322, 103_539],
        ),
    };
    exact(
        vec![do_guti, dao, cycles],
        &[
            "the paper's won and lost terminal positions are exchanged here: it counts them for \
             the player who has moved",
            "a composed position with a win of both sides, of which there are 31 classes, counts \
             for the player who has moved",
            "10.83 moves on average are the moves of all configurations by their number, 900,900, \
             finished games included; without those it is 11.247",
        ],
    )
}

pub fn table_1() -> ExperimentPlan {
    const INCOMING: [u64; 27] = [
        0, 41, 112, 380, 1_002, 2_273, 3_931, 6_970, 9_746, 12_243, 13_759, 13_663, 12_704, 10_480,
        8_207, 6_005, 4_104, 2_559, 1_451, 763, 307, 110, 35, 12, 9, 0, 1,
    ];
    const OUTGOING: [u64; 20] = [
        2_118, 0, 18, 97, 302, 780, 1_798, 3_612, 6_803, 11_263, 15_482, 18_305, 17_962, 14_635,
        9_798, 5_141, 2_096, 561, 83, 13,
    ];
    let part = |cell, measure, printed| Exact {
        game: "dao",
        cell,
        measure,
        printed,
    };
    exact(
        vec![
            part(
                "incoming",
                |graph| graph.degrees(&graph.reachable()).incoming,
                numbered("in-degree", 0, &INCOMING),
            ),
            part(
                "outgoing",
                |graph| graph.degrees(&graph.reachable()).outgoing,
                numbered("out-degree", 0, &OUTGOING),
            ),
            part(
                "edges",
                |graph| vec![graph.degrees(&graph.reachable()).edges],
                named(&[("edges (derived: 10.9895 a class)", 1_218_373)]),
            ),
        ],
        &["reachable classes, and the edges between them"],
    )
}

pub fn table_2() -> ExperimentPlan {
    let part = |cell, name, measure, printed: &[u64]| Exact {
        game: "dao",
        cell,
        measure,
        printed: numbered(name, 1, printed),
    };
    exact(
        vec![
            part(
                "plain",
                "plain distance",
                |graph| counted(graph.distances(graph.start()))[1..].to_vec(),
                &[3, 35, 253, 1_800, 6_429, 23_792, 39_531, 35_636, 3_313, 74],
            ),
            part(
                "bipartite",
                "bipartite distance",
                |graph| {
                    let [even, odd] = graph.bipartite_distances(graph.start());
                    counted(even.into_iter().chain(odd))[1..].to_vec()
                },
                &[
                    3, 35, 288, 2_056, 8_230, 30_221, 63_323, 75_167, 38_949, 3_387, 74,
                ],
            ),
            part(
                "reachable",
                "reachable within",
                |graph| {
                    let mut distances = graph.distances(graph.start());
                    let start = graph.start() as usize;
                    distances[start] = graph.smallest_cycles()[start];
                    let within = |plies: u32| {
                        distances.iter().flatten().filter(|&&d| d <= plies).count() as u64
                    };
                    (1..=11).map(within).collect()
                },
                &[
                    3, 38, 291, 2_092, 8_521, 32_313, 71_844, 107_480, 110_793, 110_867, 110_867,
                ],
            ),
        ],
        &[
            "printed is 2,091 for what is reachable within 4, though the start, which can be \
             reached again by then, is counted from 5 on",
            "the average distances are 6.99 and 7.49; the text has 7.99 and 8.49, which count \
             positions instead of moves",
        ],
    )
}

pub fn table_3() -> ExperimentPlan {
    const STEPS: [(usize, u64); 11] = [
        (1, 9_950),
        (2, 1_407),
        (3, 8_087),
        (4, 357),
        (5, 1_480),
        (6, 86),
        (7, 324),
        (8, 20),
        (9, 75),
        (10, 2),
        (11, 6),
    ];
    let step = |&(number, added): &(usize, u64)| {
        let what = if number % 2 == 1 { "wins" } else { "losses" };
        (format!("step {number}: {what} added"), added)
    };
    let steps = Exact {
        game: "dao",
        cell: "steps",
        // The other kind must be missing: a step with both would make the sum too large.
        measure: |graph| {
            let solved = graph.steps();
            let added = solved.steps.iter().skip(1);
            added
                .map(|step| (step.wins.len() + step.losses.len()) as u64)
                .collect()
        },
        printed: STEPS.iter().map(step).collect(),
    };
    let values = Exact {
        game: "dao",
        cell: "values",
        measure: |graph| {
            let solved = graph.steps();
            let reachable = graph.reachable();
            let among = |classes: &[Class]| {
                classes.iter().filter(|&&c| reachable[c as usize]).count() as u64
            };
            let with = |wdl| {
                let classes = graph
                    .all()
                    .filter(|&c| solved.values[c as usize].wdl == wdl);
                among(&classes.collect::<Vec<_>>())
            };
            let step = |number: usize| solved.steps.get(number);
            vec![
                step(0).map_or(0, |step| among(&step.wins)),
                step(0).map_or(0, |step| among(&step.losses)),
                step(3).map_or(0, |step| among(&step.wins)),
                with(Wdl::Win),
                with(Wdl::Loss),
                with(Wdl::Draw),
                u64::from(solved.values[graph.start() as usize].wdl == Wdl::Draw),
            ]
        },
        printed: named(&[
            ("step 0: reachable wins", 988),
            ("step 0: reachable losses", 1_130),
            ("step 3: reachable wins (derived)", 8_086),
            ("reachable wins (derived)", 20_909),
            ("reachable losses (derived)", 3_002),
            ("reachable draws (derived)", 86_956),
            ("the start is drawn", 1),
        ]),
    };
    exact(
        vec![steps, values],
        &[
            "wins and losses of the player to move; in print those of step 0 are exchanged: 1,130 \
             and 988",
            "one of the 8,087 wins of step 3 cannot arise in play, unlike all others",
            "printed are 21,052 wins and 2,860 losses in all, which follows from the two above",
        ],
    )
}

/// Classes and visits a class of four kinds, and leaves, as printed in table 4.
type Printed4 = ([(u64, f64); 4], u64);

#[rustfmt::skip]
const TABLE_4: [Printed4; 8] = [
    ([(3, 4.0), (0, 0.0), (3, 4.0), (3, 4.0)], 12),
    ([(38, 4.0), (35, 4.0), (3, 4.0), (35, 4.0)], 140),
    ([(294, 6.3), (35, 4.0), (291, 5.8), (288, 5.9)], 1_688),
    ([(2_121, 10.2), (2_092, 9.6), (291, 5.8), (2_092, 9.5)], 19_888),
    ([(8_570, 28.9), (2_092, 9.6), (8_521, 26.7), (8_521, 26.5)], 225_664),
    ([(32_562, 85.0), (32_313, 78.6), (8_521, 26.7), (32_374, 77.8)], 2_520_140),
    ([(72_166, 424.1), (32_313, 78.6), (71_844, 390.6), (72_076, 386.3)], 27_845_896),
    ([(108_861, 3_077.0), (107_480, 2_855.5), (71_844, 390.6), (108_789, 2_799.6)], 304_568_204),
];

const KINDS: [&str; 4] = [
    "visited",
    "visited, White to move",
    "visited, Black to move",
    "evaluated",
];

pub fn table_4() -> ExperimentPlan {
    let cell_name = |depth: usize| format!("depth {depth}");
    let cell = |depth: usize| {
        ExperimentCell::once(cell_name(depth), move |_| {
            let graph = laid_out("dao")?.graph;
            let visits = graph.minimax_visits(depth as u32);
            let tallies = [
                visits.all(),
                visits.first(),
                visits.second(),
                visits.evaluated(),
            ];
            let figures = tallies
                .iter()
                .flat_map(|t| [t.classes as f64, t.visits as f64]);
            Ok(figures.collect())
        })
    };
    ExperimentPlan {
        cells: (1..=TABLE_4.len()).map(cell).collect(),
        report: Box::new(move |measured| {
            let mut report = ExperimentReport::default();
            let mut farthest = 0.0f64;
            for (depth, (columns, leaves)) in (1..).zip(TABLE_4) {
                let cell = cell_name(depth);
                for (kind, ((classes, average), name)) in columns.into_iter().zip(KINDS).enumerate()
                {
                    let ours = measured.count(&cell, 2 * kind)?;
                    let visits = measured.count(&cell, 2 * kind + 1)?;
                    report
                        .rows
                        .push(Row::exact(format!("{cell}: classes {name}"), classes, ours));
                    farthest = farthest.max((visits as f64 / ours.max(1) as f64 - average).abs());
                }
                let evaluations = measured.count(&cell, 7)?;
                report
                    .rows
                    .push(Row::exact(format!("{cell}: leaves"), leaves, evaluations));
            }
            report.relation(
                "visits and evaluations a class are those printed, to the last digit",
                Verdict::of(farthest <= 0.0501),
                format!("none of 32 averages differs by more than {farthest:.3}"),
            );
            report
                .conditions
                .push("games that end earlier are leaves, too; the root is no visit".to_string());
            Ok(report)
        }),
    }
}
