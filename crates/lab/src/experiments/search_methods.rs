//! Schadd (2011), chapter 2: the exact figures behind minimax, alpha-beta, iterative deepening and
//! transposition tables.

use std::collections::HashSet;

use rand::Rng;
use tabia_catalog::{Answer, Counter, Session, open};
use tabia_game::{Game, Key, Limits, Path, Seed, Uninformed};
use tabia_games::tree::Tree;
use tabia_search::alphabeta::{AlphaBeta, preset};
use tabia_search::table::probability_of_no_error;
use tabia_search::{Engine, Situation};

use crate::positions::{SelfPlay, self_play};
use crate::statistics::{paired_ratio, wilson};
use crate::{Experiment, Figure, LabError, Report, Row, Scale, Setting, Verdict};

const PAPER: &str = "search-methods";

pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        paper: PAPER,
        name: "2.2",
        title: "Tic-tac-toe by minimax and by alpha-beta as printed",
        source: "Schadd (2011), sections 2.2 and 2.3, algorithms 2.1 and 2.2",
        takes: ["a second", "a second"],
        run: tic_tac_toe,
    },
    Experiment {
        paper: PAPER,
        name: "2.3",
        title: "Leaves of the minimal tree",
        source: "Schadd (2011), section 2.3; Knuth and Moore (1975)",
        takes: ["a second", "a second"],
        run: minimal_tree,
    },
    Experiment {
        paper: PAPER,
        name: "2.5",
        title: "The price of iterative deepening",
        source: "Schadd (2011), section 2.5",
        takes: ["a second", "a second"],
        run: iterative_deepening,
    },
    Experiment {
        paper: PAPER,
        name: "2.6",
        title: "Type-1 errors of a transposition table",
        source: "Schadd (2011), equation 2.1",
        takes: ["a few seconds", "a minute"],
        run: type_1_errors,
    },
    Experiment {
        paper: PAPER,
        name: "enhancements",
        title: "Nodes saved by deepening, table, killers and history",
        source: "Schadd (2011), sections 2.4 to 2.6",
        takes: ["a few seconds", "a few minutes"],
        run: enhancements,
    },
];

fn counter(answer: &Answer, name: &str) -> u64 {
    match answer.counters.iter().find(|(key, _)| *key == name) {
        Some((_, Counter::One(count))) => *count,
        _ => 0,
    }
}

fn tic_tac_toe(setting: &Setting<'_>) -> Result<Report, LabError> {
    let game = open("tictactoe")?;
    let mut session = game.session(None)?;
    let limits = Limits {
        cancel: setting.cancel.clone(),
        ..Limits::default()
    };
    let minimax = session.ask(&mut game.engine("minimax")?, &limits)?;
    let printed = session.ask(&mut game.engine("alphabeta")?, &limits)?;
    let mut seen = HashSet::new();
    visit(&mut *session, &mut seen)?;
    let mut report = Report {
        rows: vec![
            Row::exact(
                "nodes of the game tree (algorithm 2.1)",
                549_946,
                minimax.nodes,
            ),
            Row::exact("games", 255_168, counter(&minimax, "leaves")),
            Row::exact("positions", 5_478, seen.len() as u64),
            Row::exact(
                "calls of algorithm 2.2 (derived)",
                18_297,
                counter(&printed, "calls"),
            ),
        ],
        ..Report::default()
    };
    let draw = minimax.value == Some(0.0)
        && printed.value == Some(0.0)
        && minimax.solved
        && printed.solved;
    report.relation(
        "the game is a draw",
        Verdict::of(draw),
        "by both algorithms",
    );
    report.conditions.push(
        "calls of algorithm 2.2: derived from the printed code, squares row by row, not printed itself".into(),
    );
    Ok(report)
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
fn search(tree: &Tree, engine: &str, options: &str, depth: u32) -> (u64, u64) {
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
    match leaves {
        Some((_, Counter::One(leaves))) => (choice.nodes, *leaves),
        _ => (choice.nodes, 0),
    }
}

fn minimal_tree(_: &Setting<'_>) -> Result<Report, LabError> {
    let mut report = Report::default();
    for (branching, depth) in [(3u64, 5u32), (10, 4), (2, 12), (35, 4), (7, 6)] {
        let formula = branching.pow(depth.div_ceil(2)) + branching.pow(depth / 2) - 1;
        let (_, leaves) = search(&Tree::uniform(branching, depth), "alphabeta", "", depth);
        report.rows.push(Row::exact(
            format!("leaves, b = {branching}, d = {depth}"),
            formula,
            leaves,
        ));
    }
    report.conditions.push(
        "uniform trees whose leaves are all equal; printed: b^ceil(d/2) + b^floor(d/2) - 1".into(),
    );
    Ok(report)
}

fn iterative_deepening(_: &Setting<'_>) -> Result<Report, LabError> {
    let tree = Tree {
        depth: 20,
        ..Tree::uniform(10, 5)
    };
    let (once, _) = search(&tree, "minimax", "", 5);
    let (deepened, _) = search(&tree, "minimax", "deepening=on", 5);
    let mut report = Report {
        rows: vec![
            Row::exact("nodes of one search, b = 10, d = 5", 111_111, once),
            // The sum begins with an iteration of depth 0, which visits the root alone.
            Row::exact("nodes with iterative deepening", 123_456, deepened + 1),
        ],
        ..Report::default()
    };
    report.conditions.push(
        "the text compares with 100,000, the leaves alone; the whole tree has 111,111 nodes, so the overhead is 11.1%".into(),
    );
    Ok(report)
}

/// Draws so many random keys that collisions are common, and counts the draws without one.
fn type_1_errors(setting: &Setting<'_>) -> Result<Report, LabError> {
    const BITS: u32 = 32;
    const POSITIONS: usize = 60_000;
    let trials = if setting.scale == Scale::Quick {
        400
    } else {
        10_000
    };
    let mut clean = 0;
    for trial in 0..trials {
        if setting.cancel.is_cancelled() {
            return Err(LabError::Stopped);
        }
        let mut rng = Seed::new(setting.seed).split("keys").number(trial).rng();
        let mut keys: Vec<u32> = (0..POSITIONS).map(|_| rng.next_u32()).collect();
        keys.sort_unstable();
        clean += u64::from(keys.windows(2).all(|pair| pair[0] != pair[1]));
        (setting.progress)(trial + 1, trials);
    }
    let formula = probability_of_no_error(POSITIONS as f64, BITS);
    let interval = wilson(clean, trials);
    let measured = Figure::Number(clean as f64 / trials as f64);
    let mut report = Report {
        rows: vec![
            Row::compared(
                "no error, 64-bit keys, 10^9 positions (formula)",
                Some(Figure::Number(0.97326)),
                Figure::Number(probability_of_no_error(1e9, 64)),
            ),
            Row::compared(
                format!("no error, {BITS}-bit keys, {POSITIONS} positions"),
                Some(Figure::Number(formula)),
                measured,
            )
            .within(interval),
        ],
        ..Report::default()
    };
    report.relation(
        "equation 2.1 gives the share of draws without two equal keys",
        Verdict::of(interval.low <= formula && formula <= interval.high),
        format!("{trials} draws of random keys; the formula must lie in the 95% interval"),
    );
    Ok(report)
}

fn enhancements(setting: &Setting<'_>) -> Result<Report, LabError> {
    let (count, extra) = if setting.scale == Scale::Quick {
        (10, 0)
    } else {
        (40, 1)
    };
    let seed = Seed::new(setting.seed);
    let mut report = Report::default();
    let games = [("connect4", 9), ("breakthrough", 5), ("loa", 4)];
    let total = (games.len() * count) as u64;
    for (number, (spec, depth)) in games.into_iter().enumerate() {
        let game = open(spec)?;
        let how = SelfPlay {
            engine: "pvs:depth=2,table=1M",
            random_plies: 4,
            random_every: 5,
            from: 8,
            to: 16,
        };
        let positions = self_play(&*game, how, count, seed.split(spec))?;
        let limits = Limits {
            depth: Some(depth + extra),
            cancel: setting.cancel.clone(),
            ..Limits::default()
        };
        let (mut plain, mut enhanced) = (Vec::new(), Vec::new());
        let mut same_value = true;
        for (done, position) in positions.iter().enumerate() {
            let session = game.session(Some(position))?;
            let a = session.ask(&mut game.engine("alphabeta")?, &limits)?;
            let b = session.ask(
                &mut game.engine("pvs:graft=off,distances=off,static=off,table=16M")?,
                &limits,
            )?;
            if setting.cancel.is_cancelled() {
                return Err(LabError::Stopped);
            }
            same_value &= a.value == b.value;
            plain.push(a.nodes as f64);
            enhanced.push(b.nodes as f64);
            (setting.progress)((number * count + done + 1) as u64, total);
        }
        let (ratio, interval) = paired_ratio(&enhanced, &plain, seed);
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
            format!("{} positions of self-play", positions.len()),
        );
        report.relation(
            format!("{spec}: the value is unchanged"),
            Verdict::of(same_value),
            "at every position",
        );
    }
    report.conditions.push(format!(
        "{count} positions a game from self-play, seed {}; fail-hard alpha-beta in the order of generation against PVS with everything on but static ordering",
        setting.seed
    ));
    Ok(report)
}
