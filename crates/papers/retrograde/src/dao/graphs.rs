//! What follows from the graphs: the counts of sections 2 and 4, and tables 1 to 4.

use tabia_game::Wdl;
use tabia_registry::graph::{Class, GameGraph, counted};

use tabia_lab::experiment::{ExperimentCell, ExperimentPlan};
use tabia_lab::{ExperimentReport, Figure, Row, Verdict};

use super::laid_out;

/// Figures that follow from the graph of a game, and what they must be.
struct Exact {
    game: &'static str,
    cell: &'static str,
    measure: fn(&GameGraph) -> Vec<u64>,
    expected: Vec<Expected>,
}

/// A figure, and what is printed of it.
#[derive(Clone)]
struct Expected {
    name: String,
    figure: u64,
    print: Print,
}

#[derive(Clone, Copy)]
enum Print {
    /// The same.
    Same,
    /// Something else.
    Other(u64),
    /// Nothing.
    Nothing,
}

impl Expected {
    fn row(&self, ours: u64) -> Row {
        let row = Row::exact(&self.name, self.figure, ours);
        match self.print {
            Print::Same => row,
            Print::Other(printed) => row.corrected_from(Figure::Count(printed)),
            Print::Nothing => row.derived(),
        }
    }
}

/// Compares exact figures. A list that turns out longer than it is printed has its rest in one more
/// row, which must be zero.
fn exact(parts: Vec<Exact>, conditions: &[&str]) -> ExperimentPlan {
    let cell = |part: &Exact| {
        let (game, measure, rows) = (part.game, part.measure, part.expected.len());
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
                for (column, expected) in part.expected.iter().enumerate() {
                    let ours = measured.count(part.cell, column)?;
                    report.rows.push(expected.row(ours));
                }
                let rest = measured.count(part.cell, part.expected.len())?;
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
fn numbered(name: &str, from: usize, printed: &[u64]) -> Vec<Expected> {
    let named = |(i, &figure)| Expected {
        name: format!("{name} {}", from + i),
        figure,
        print: Print::Same,
    };
    printed.iter().enumerate().map(named).collect()
}

fn named(figures: &[(&str, u64, Print)]) -> Vec<Expected> {
    let expected = |&(name, figure, print): &(&str, u64, Print)| Expected {
        name: name.to_string(),
        figure,
        print,
    };
    figures.iter().map(expected).collect()
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
        expected: named(&[
            ("Do-Guti: configurations", 30, Print::Same),
            ("Do-Guti: classes", 16, Print::Same),
            ("Do-Guti: classes with colours exchanged", 9, Print::Same),
            ("Do-Guti: reachable classes", 15, Print::Nothing),
            ("Do-Guti: drawn classes", 13, Print::Nothing),
            ("Do-Guti: the start is drawn", 1, Print::Same),
            (
                "Do-Guti: plies of the shortest decisive game",
                6,
                Print::Same,
            ),
            ("Do-Guti: smallest cycle of the start", 6, Print::Same),
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
        expected: named(&[
            ("Dao: configurations", 900_900, Print::Same),
            ("Dao: classes", 113_028, Print::Same),
            ("Dao: classes with colours exchanged", 56_757, Print::Same),
            ("Dao: classes that go on", 108_751, Print::Same),
            ("Dao: lost for the player to move", 2_154, Print::Same),
            ("Dao: won for the player to move", 2_123, Print::Same),
            ("Dao: lost and reachable", 1_130, Print::Same),
            ("Dao: won and reachable", 988, Print::Same),
            ("Dao: reachable classes that go on", 108_749, Print::Same),
            ("Dao: reachable classes", 110_867, Print::Same),
            ("Dao: classes that no edge leads into", 2_161, Print::Same),
            (
                "Dao: moves of all configurations",
                9_756_344,
                Print::Nothing,
            ),
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
        expected: numbered(
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
        expected: printed,
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
                named(&[("edges", 1_218_373, Print::Nothing)]),
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
        expected: numbered(name, 1, printed),
    };
    let mut parts = vec![
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
                let within =
                    |plies: u32| distances.iter().flatten().filter(|&&d| d <= plies).count() as u64;
                (1..=11).map(within).collect()
            },
            &[
                3, 38, 291, 2_092, 8_521, 32_313, 71_844, 107_480, 110_793, 110_867, 110_867,
            ],
        ),
    ];
    parts[2].expected[3].print = Print::Other(2_091);
    exact(
        parts,
        &[
            "the start can be reached again within 4, though the paper counts it from 5 on",
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
        Expected {
            name: format!("step {number}: {what} added"),
            figure: added,
            print: Print::Same,
        }
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
        expected: STEPS.iter().map(step).collect(),
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
        expected: named(&[
            ("step 0: reachable wins", 988, Print::Other(1_130)),
            ("step 0: reachable losses", 1_130, Print::Other(988)),
            ("step 3: reachable wins", 8_086, Print::Nothing),
            ("reachable wins", 20_909, Print::Other(21_052)),
            ("reachable losses", 3_002, Print::Other(2_860)),
            ("reachable draws", 86_956, Print::Nothing),
            ("the start is drawn", 1, Print::Same),
        ]),
    };
    exact(
        vec![steps, values],
        &[
            "wins and losses of the player to move; in print those of step 0 are exchanged",
            "one of the 8,087 wins of step 3 cannot arise in play, unlike all others",
            "the printed sums of wins and losses follow from the two above",
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
