//! Schadd (2011), chapter 2: the exact figures behind minimax, alpha-beta, iterative deepening and
//! transposition tables.

use std::collections::HashSet;
use std::sync::Arc;

use rand::Rng;
use tabia_game::{Cancel, Game, Key, Limits, Path, Seed, Uninformed};
use tabia_kit::tree::Tree;
use tabia_registry::{Answer, AnyGame, Counter, Session, open};
use tabia_search::alphabeta::{AlphaBeta, preset};
use tabia_search::table::probability_of_no_error;
use tabia_search::{Engine, Situation};

use tabia_lab::experiment::{ExperimentCell, ExperimentPlan};
use tabia_lab::positions::{SelfPlay, self_play};
use tabia_lab::statistics::{CONFIDENCE, wilson};
use tabia_lab::{Experiment, ExperimentReport, Figure, LabError, Row, Scale, Setting, Verdict};

const PAPER: &str = "search-methods";

/// The tables and figures.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        paper: PAPER,
        name: "2.2",
        title: "Tic-tac-toe by minimax and by alpha-beta as printed",
        source: "Schadd (2011), sections 2.2 and 2.3, algorithms 2.1 and 2.2",
        takes: ["a second", "a second"],
        plan: tic_tac_toe,
    },
    Experiment {
        paper: PAPER,
        name: "2.3",
        title: "Leaves of the minimal tree",
        source: "Schadd (2011), section 2.3; Knuth and Moore (1975)",
        takes: ["a second", "a second"],
        plan: minimal_tree,
    },
    Experiment {
        paper: PAPER,
        name: "2.5",
        title: "The price of iterative deepening",
        source: "Schadd (2011), section 2.5",
        takes: ["a second", "a second"],
        plan: iterative_deepening,
    },
    Experiment {
        paper: PAPER,
        name: "2.6",
        title: "Type-1 errors of a transposition table",
        source: "Schadd (2011), equation 2.1",
        takes: ["a few seconds", "a minute"],
        plan: type_1_errors,
    },
    Experiment {
        paper: PAPER,
        name: "enhancements",
        title: "Nodes saved by deepening, table, killers and history",
        source: "Schadd (2011), sections 2.4 to 2.6",
        takes: ["a few seconds", "a few minutes"],
        plan: enhancements,
    },
];

fn counter(answer: &Answer, name: &str) -> u64 {
    match answer.counters.iter().find(|(key, _)| *key == name) {
        Some((_, Counter::One(count))) => *count,
        _ => 0,
    }
}

/// Nodes, a counter, the value of a search of tic-tac-toe, and whether that is proved.
fn tic_tac_toe_by(engine: &str, name: &str, cancel: &Cancel) -> Result<Vec<f64>, LabError> {
    let game = open("tictactoe")?;
    let limits = Limits {
        cancel: cancel.clone(),
        ..Limits::default()
    };
    let answer = game
        .session(None)?
        .ask(&mut game.engine(engine)?, &limits)?;
    Ok(vec![
        answer.nodes as f64,
        counter(&answer, name) as f64,
        answer.value.ok_or(LabError::Stopped)?,
        f64::from(u8::from(answer.solved)),
    ])
}

fn tic_tac_toe(_: &Setting) -> Result<ExperimentPlan, LabError> {
    Ok(ExperimentPlan {
        cells: vec![
            ExperimentCell::once("minimax", |cancel| {
                tic_tac_toe_by("minimax", "leaves", cancel)
            }),
            ExperimentCell::once("alphabeta", |cancel| {
                tic_tac_toe_by("alphabeta", "calls", cancel)
            }),
            ExperimentCell::once("positions", |_| {
                let mut seen = HashSet::new();
                visit(&mut *open("tictactoe")?.session(None)?, &mut seen)?;
                Ok(vec![seen.len() as f64])
            }),
        ],
        report: Box::new(|measured| {
            let mut report = ExperimentReport {
                rows: vec![
                    Row::exact(
                        "nodes of the game tree (algorithm 2.1)",
                        549_946,
                        measured.count("minimax", 0)?,
                    ),
                    Row::exact("games", 255_168, measured.count("minimax", 1)?),
                    Row::exact("positions", 5_478, measured.count("positions", 0)?),
                    Row::exact(
                        "calls of algorithm 2.2",
                        18_297,
                        measured.count("alphabeta", 1)?,
                    )
                    .derived(),
                ],
                ..ExperimentReport::default()
            };
            let is_draw = |engine| -> Result<bool, LabError> {
                let proved = measured.column(engine, 3)? == [1.0];
                Ok(proved && measured.column(engine, 2)? == [0.0])
            };
            let is_draw = is_draw("minimax")? && is_draw("alphabeta")?;
            report.relation(
                "the game is a draw",
                Verdict::of(is_draw),
                "by both algorithms",
            );
            report.conditions.push(
                "calls of algorithm 2.2: they follow from the printed code, squares row by row"
                    .into(),
            );
            Ok(report)
        }),
    })
}

/// Enters every position that can be reached.
fn visit(session: &mut dyn Session, seen: &mut HashSet<String>) -> Result<(), LabError> {
    if !seen.insert(session.position()) {
        return Ok(());
    }
    for mv in session.moves() {
        session.play(&mv)?;
        visit(session, seen)?;
        session.undo();
    }
    Ok(())
}

/// Nodes and leaves of a search of a synthetic tree.
fn search(tree: &Tree, engine: &str, options: &str, depth: u32) -> Vec<f64> {
    let config = preset(engine).and_then(|preset| preset.configure(options).ok());
    let mut engine = AlphaBeta::new(config.unwrap_or_default(), Uninformed);
    let mut path = Path::new();
    path.push(tree.key(&tree.start()));
    let situation = Situation {
        game: tree,
        state: &tree.start(),
        path: &path,
    };
    let choice = engine.choose(situation, &Limits::depth(depth));
    let leaves = choice.counters.iter().find(|(name, _)| *name == "leaves");
    let leaves = match leaves {
        Some((_, Counter::One(leaves))) => *leaves,
        _ => 0,
    };
    vec![choice.nodes as f64, leaves as f64]
}

fn minimal_tree(_: &Setting) -> Result<ExperimentPlan, LabError> {
    const TREES: [(u64, u32); 5] = [(3, 5), (10, 4), (2, 12), (35, 4), (7, 6)];
    let name = |(branching, depth)| format!("leaves, b = {branching}, d = {depth}");
    Ok(ExperimentPlan {
        cells: TREES
            .iter()
            .map(|&(branching, depth)| {
                ExperimentCell::once(name((branching, depth)), move |_| {
                    Ok(search(
                        &Tree::uniform(branching, depth),
                        "alphabeta",
                        "",
                        depth,
                    ))
                })
            })
            .collect(),
        report: Box::new(move |measured| {
            let mut report = ExperimentReport::default();
            for (branching, depth) in TREES {
                let formula = branching.pow(depth.div_ceil(2)) + branching.pow(depth / 2) - 1;
                let name = name((branching, depth));
                let leaves = measured.count(&name, 1)?;
                report
                    .rows
                    .push(Row::exact(name, formula, leaves).derived());
            }
            report.conditions.push(
                "uniform trees whose leaves are all equal; printed: b^ceil(d/2) + b^floor(d/2) - 1"
                    .into(),
            );
            Ok(report)
        }),
    })
}

fn iterative_deepening(_: &Setting) -> Result<ExperimentPlan, LabError> {
    let tree = || Tree {
        depth: 20,
        ..Tree::uniform(10, 5)
    };
    Ok(ExperimentPlan {
        cells: vec![
            ExperimentCell::once("once", move |_| Ok(search(&tree(), "minimax", "", 5))),
            ExperimentCell::once("deepened", move |_| {
                Ok(search(&tree(), "minimax", "deepening=on", 5))
            }),
        ],
        report: Box::new(|measured| {
            let once = measured.count("once", 0)?;
            let deepened = measured.count("deepened", 0)?;
            Ok(ExperimentReport {
                rows: vec![
                    Row::exact("nodes of one search, b = 10, d = 5", 111_111, once)
                        .corrected_from(Figure::Count(100_000)),
                    Row::exact("nodes with iterative deepening", 123_455, deepened)
                        .corrected_from(Figure::Count(123_456)),
                ],
                conditions: vec![
                    "the printed sum begins with an iteration of depth 0, which visits the root \
                     alone; ours begins with depth 1"
                        .into(),
                    "the text compares with 100,000, the leaves alone; the whole tree has 111,111 \
                     nodes, so the overhead is 11.1%"
                        .into(),
                ],
                ..ExperimentReport::default()
            })
        }),
    })
}

/// Draws so many random keys that collisions are common, and counts the draws without one.
fn type_1_errors(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    const BITS: u32 = 32;
    const POSITIONS: usize = 60_000;
    let trials = if setting.scale == Scale::Quick {
        400
    } else {
        10_000
    };
    let seed = Seed::new(setting.seed).split("keys");
    let draw = move |trial: usize, _: &Cancel| {
        let mut rng = seed.number(trial as u64).rng();
        let mut keys: Vec<u32> = (0..POSITIONS).map(|_| rng.next_u32()).collect();
        keys.sort_unstable();
        let clean = keys.windows(2).all(|pair| pair[0] != pair[1]);
        Ok(vec![f64::from(u8::from(clean))])
    };
    Ok(ExperimentPlan {
        cells: vec![ExperimentCell::sample(
            "draws without two equal keys",
            trials,
            draw,
        )],
        report: Box::new(move |measured| {
            let clean: f64 = measured
                .values("draws without two equal keys")?
                .iter()
                .sum();
            let formula = probability_of_no_error(POSITIONS as f64, BITS);
            let interval = wilson(clean, trials as f64, CONFIDENCE);
            let share = Figure::Number(clean / trials as f64);
            let mut report = ExperimentReport {
                rows: vec![
                    Row::compared(
                        "no error, 64-bit keys, 10^9 positions (formula)",
                        Some(Figure::Number(0.97326)),
                        Figure::Number(probability_of_no_error(1e9, 64)),
                    )
                    .derived(),
                    Row::compared(
                        format!("no error, {BITS}-bit keys, {POSITIONS} positions"),
                        Some(Figure::Number(formula)),
                        share,
                    )
                    .derived()
                    .within(interval),
                ],
                ..ExperimentReport::default()
            };
            report.relation(
                "equation 2.1 gives the share of draws without two equal keys",
                Verdict::of(interval.low <= formula && formula <= interval.high),
                format!("{trials} draws of random keys; the formula must lie in the 95% interval"),
            );
            Ok(report)
        }),
    })
}

/// The two searches that are compared, and the names of their cells.
const SEARCHES: [(&str, &str); 2] = [
    ("without", "alphabeta"),
    ("with", "pvs:graft=off,distances=off,static=off,table=16M"),
];

fn enhancements(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let (count, extra) = if setting.scale == Scale::Quick {
        (10, 0)
    } else {
        (40, 1)
    };
    let seed = Seed::new(setting.seed);
    let games = [("connect4", 9), ("breakthrough", 5), ("loa", 4)];
    let mut cells = Vec::new();
    for (spec, depth) in games {
        let game: Arc<dyn AnyGame> = open(spec)?.into();
        let how = SelfPlay {
            engine: "pvs:depth=2,table=1M",
            random_plies: 4,
            random_every: 5,
            from: 8,
            to: 16,
        };
        let positions = Arc::new(self_play(&*game, how, count, seed.split(spec))?);
        let items = positions.len();
        for (name, engine) in SEARCHES {
            let (game, positions) = (Arc::clone(&game), Arc::clone(&positions));
            let measure = move |item: usize, cancel: &Cancel| {
                let limits = Limits {
                    depth: Some(depth + extra),
                    cancel: cancel.clone(),
                    ..Limits::default()
                };
                let session = game.session(Some(&positions[item]))?;
                let answer = session.ask(&mut game.engine(engine)?, &limits)?;
                Ok(vec![
                    answer.nodes as f64,
                    answer.value.ok_or(LabError::Stopped)?,
                ])
            };
            cells.push(ExperimentCell::sample(
                format!("{spec}, {name}"),
                items,
                measure,
            ));
        }
    }
    let seed = setting.seed;
    Ok(ExperimentPlan {
        cells,
        report: Box::new(move |measured| {
            let mut report = ExperimentReport::default();
            for (spec, depth) in games {
                let [without, with] = SEARCHES.map(|(name, _)| format!("{spec}, {name}"));
                let (ratio, interval) = measured.ratio(&with, &without)?;
                report.rows.push(
                    Row::compared(
                        format!("{spec}, depth {}: nodes with / without", depth + extra),
                        None,
                        Figure::Number(ratio),
                    )
                    .within(interval),
                );
                report.relation(
                    format!("{spec}: deepening, table, killers and history need fewer nodes"),
                    Verdict::below(interval, 1.0),
                    format!("{} positions of self-play", measured.values(&with)?.len()),
                );
                report.relation(
                    format!("{spec}: the value is unchanged"),
                    Verdict::of(measured.column(&with, 1)? == measured.column(&without, 1)?),
                    "at every position",
                );
            }
            report.conditions.push(format!(
                "{count} positions a game from self-play, seed {seed}; fail-hard alpha-beta in the \
                 order of generation against PVS with everything on but static ordering"
            ));
            Ok(report)
        }),
    })
}
