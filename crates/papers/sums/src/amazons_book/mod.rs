//! Karapetyan and Lorentz (2004), "Generating an Opening Book for Amazons".
//!
//! Invader, its evaluation and the heights of the bars in the figures are lost. Books are grown by
//! our own engine, 20 points being one square of territory, so that of figures 3 to 6 only
//! relations can be repeated, and the claim that a book wins about 60% of the games. The quick
//! scale plays on six by six squares, the full one on ten by ten.

use std::io::Write;

use tabia_combinatorial::amazons::POINT;
use tabia_game::{Cancel, Limits, Seed, Turn};
use tabia_registry::book::{
    Book, Builder, Correction, Growth, GrowthMethod, Header, NodeId, ROOT, drop_outs,
};
use tabia_registry::open;

use tabia_lab::experiment::{Curve, ExperimentCell, ExperimentPlan, Measured, Series};
use tabia_lab::statistics::wilson;
use tabia_lab::{Experiment, ExperimentReport, Figure, LabError, Row, Scale, Setting, Verdict};

const PAPER: &str = "amazons-book";

/// The tables and figures.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        paper: PAPER,
        name: "figures",
        title: "Shapes of books by method",
        source: "Karapetyan and Lorentz (2004), figures 3 to 6",
        takes: ["five seconds", "two hours"],
        plan: figures,
    },
    Experiment {
        paper: PAPER,
        name: "match",
        title: "A player with a book against the same without",
        source: "Karapetyan and Lorentz (2004), section 4",
        takes: ["half a minute", "six hours"],
        plan: games,
    },
];

/// Points as millionths.
fn points(points: i32) -> i32 {
    points * POINT
}

fn header(scale: Scale) -> Header {
    Header {
        game: scale.pick(["amazons:6x6", "amazons"]).to_string(),
        position: None,
        engine: "antiope:table=1M,endgame=off".to_string(),
        depth: scale.pick([1, 2]),
        breadth: scale.pick([16, 50]),
        correction: Correction::Search,
    }
}

fn failed(error: impl std::fmt::Display) -> LabError {
    LabError::BadRequest(error.to_string())
}

fn grown(
    scale: Scale,
    method: GrowthMethod,
    nodes: usize,
    cancel: &Cancel,
) -> Result<Book, LabError> {
    let header = header(scale);
    let game = tabia_registry::open(&header.game).map_err(failed)?;
    let mut builder = Builder::new(game, &header, 1, cancel).map_err(failed)?;
    let mut book = builder.begin().map_err(failed)?;
    let growth = Growth {
        method,
        nodes,
        from: ROOT,
    };
    builder.grow(&mut book, &growth, |_| true).map_err(failed)?;
    match cancel.is_cancelled() {
        true => Err(LabError::Stopped),
        false => Ok(book),
    }
}

/// The methods by name, with the penalties of the paper.
fn methods() -> [(&'static str, GrowthMethod); 4] {
    [
        ("best-first", GrowthMethod::BestFirst),
        ("penalty 50", GrowthMethod::DepthPenalty(points(50))),
        ("penalty 100", GrowthMethod::DepthPenalty(points(100))),
        ("breadth-first", GrowthMethod::Breadth(points(60), 0.7)),
    ]
}

/// What is measured of a book; then follow the numbers of nodes by level.
const FIRST_MOVES: usize = 0;
const DEEPEST: usize = 1;
const UNDER_THREE: usize = 2;
const BUSHES: usize = 3;
const DEEP_BUSHES: usize = 4;
const EXIT: usize = 5;
const EXIT_VALUE: usize = 6;
const SOONEST: usize = 7;
const LEVELS: usize = 8;
const MAX_LEVELS: usize = 40;

fn shape(book: &Book) -> Vec<f64> {
    let tree = book.tree();
    // Which first move a node is under.
    let mut under: Vec<Option<NodeId>> = vec![None; tree.len()];
    let mut sizes = std::collections::BTreeMap::<NodeId, (usize, usize)>::new();
    let mut levels = vec![0.0; MAX_LEVELS];
    for (id, place) in tree.iter().enumerate() {
        levels[place.level.min(MAX_LEVELS - 1)] += 1.0;
        let parent = book.nodes()[id].parent;
        under[id] = match place.level {
            0 => None,
            1 => Some(id),
            _ => parent.and_then(|parent| under[parent]),
        };
        if let Some(first) = under[id] {
            let (size, depth) = sizes.entry(first).or_default();
            *size += 1;
            *depth = (*depth).max(place.level);
        }
    }
    let mut largest: Vec<usize> = sizes.values().map(|(size, _)| *size).collect();
    largest.sort_unstable_by(|a, b| b.cmp(a));
    let all: usize = largest.iter().sum();
    let three: usize = largest.iter().take(3).sum();
    let exits = drop_outs(book, 0);
    let optimal = exits.iter().find(|exit| exit.optimal);
    let soonest = exits.iter().map(|exit| exit.level).min().unwrap_or(0);
    let mut figures = vec![0.0; LEVELS];
    figures[FIRST_MOVES] = tree[ROOT].children.len() as f64;
    figures[DEEPEST] = tree.iter().map(|place| place.level).max().unwrap_or(0) as f64;
    figures[UNDER_THREE] = three as f64 / all.max(1) as f64;
    figures[BUSHES] = sizes.values().filter(|(size, _)| *size > 5).count() as f64;
    figures[DEEP_BUSHES] = sizes.values().filter(|(_, depth)| *depth >= 3).count() as f64;
    figures[EXIT] = optimal.map_or(0.0, |exit| exit.level as f64);
    figures[EXIT_VALUE] = optimal.map_or(0.0, |exit| f64::from(exit.value) / f64::from(POINT));
    figures[SOONEST] = soonest as f64;
    figures.extend(levels);
    figures
}

fn figures(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let scale = setting.scale;
    let nodes = scale.pick([300, 1000]);
    let cells = methods().map(|(name, method)| {
        ExperimentCell::once(name, move |cancel| {
            Ok(shape(&grown(scale, method, nodes, cancel)?))
        })
    });
    let report = move |measured: &Measured| {
        let figure = |name: &str, column: usize| -> Result<f64, LabError> {
            Ok(measured.column(name, column)?.iter().sum())
        };
        let kept = header(scale);
        let mut report = ExperimentReport {
            conditions: vec![
                format!(
                    "{} nodes on {}, valued by {} at depth {}, {} moves a position; odd levels by \
                     one more ply",
                    nodes, kept.game, kept.engine, kept.depth, kept.breadth
                ),
                "printed: 1000 nodes on ten by ten squares, valued by Invader".to_string(),
            ],
            ..ExperimentReport::default()
        };
        let printed = |name: &str, column: usize| match (name, column) {
            ("best-first", FIRST_MOVES) => Some(27),
            ("best-first", BUSHES) => Some(2),
            ("best-first", EXIT) => Some(13),
            ("best-first", SOONEST) => Some(3),
            ("penalty 50", FIRST_MOVES) => Some(66),
            _ => None,
        };
        for (name, _) in methods() {
            for (what, column) in [
                ("first moves", FIRST_MOVES),
                ("first moves with more than 5 nodes", BUSHES),
                ("first moves that reach level 3", DEEP_BUSHES),
                ("deepest level", DEEPEST),
                ("level at which best play leaves the book", EXIT),
                ("level at which an opponent can leave it", SOONEST),
            ] {
                report.rows.push(Row::compared(
                    format!("{name}: {what}"),
                    printed(name, column).map(Figure::Count),
                    Figure::Count(figure(name, column)? as u64),
                ));
            }
        }
        let mut curve = Curve {
            name: "nodes by level".to_string(),
            x: "level".to_string(),
            y: "nodes".to_string(),
            logarithmic: false,
            series: Vec::new(),
        };
        for (name, _) in methods() {
            let deepest = figure(name, DEEPEST)? as usize;
            let mut points = Vec::new();
            for level in 0..=deepest.min(MAX_LEVELS - 1) {
                points.push((level as f64, figure(name, LEVELS + level)?));
            }
            curve.series.push(Series::new(name, points));
        }
        report.curves.push(curve);
        let share = figure("best-first", UNDER_THREE)?;
        report.relation(
            "figure 3: nine tenths of a best-first book lie under three first moves",
            Verdict::of(share >= 0.9),
            format!("{:.1}%", 100.0 * share),
        );
        let deepest = figure("best-first", DEEPEST)?;
        report.relation(
            "figure 3: a best-first book goes to level 10 and beyond",
            Verdict::of(deepest >= 10.0),
            format!("to level {deepest}"),
        );
        let (exit, soonest) = (figure("best-first", EXIT)?, figure("best-first", SOONEST)?);
        report.relation(
            "figure 4: an opponent leaves a best-first book long before best play does",
            Verdict::of(2.0 * soonest <= exit),
            format!(
                "after {soonest} and after {exit} plies, with {:.0} points then",
                figure("best-first", EXIT_VALUE)?
            ),
        );
        let order = ["best-first", "penalty 50", "penalty 100"];
        let row = |column: usize| -> Result<Vec<f64>, LabError> {
            order.iter().map(|name| figure(name, column)).collect()
        };
        let (firsts, depths, bushes) = (row(FIRST_MOVES)?, row(DEEPEST)?, row(DEEP_BUSHES)?);
        report.relation(
            "figure 5: the higher the penalty the more first moves",
            Verdict::of(firsts.is_sorted() && firsts[0] < firsts[2]),
            format!("{firsts:?}"),
        );
        report.relation(
            "figure 5: the higher the penalty the more first moves that reach level 3",
            Verdict::of(bushes.is_sorted() && bushes[0] < bushes[2]),
            format!("{bushes:?}"),
        );
        report.relation(
            "figure 5: the higher the penalty the less deep",
            Verdict::of(depths.iter().rev().is_sorted() && depths[0] > depths[2]),
            format!("{depths:?}"),
        );
        let deepest = figure("breadth-first", DEEPEST)? as usize;
        let low: f64 = (0..deepest.saturating_sub(1))
            .map(|level| figure("breadth-first", LEVELS + level))
            .sum::<Result<f64, _>>()?;
        report.relation(
            "figure 6: most nodes of a breadth-first book lie at its last two levels",
            Verdict::of(2.0 * low < nodes as f64),
            format!("{low} of {nodes} lie above"),
        );
        Ok(report)
    };
    Ok(ExperimentPlan {
        cells: cells.into(),
        report: Box::new(report),
    })
}

/// Whether the first player wins a game, and in how many of its moves the player with the book was
/// in it.
fn play(
    game: &str,
    specs: [&str; 2],
    nodes: u64,
    cancel: &Cancel,
) -> Result<(bool, u32), LabError> {
    let game = open(game)?;
    let mut engines = Vec::new();
    for spec in specs {
        let mut engine = game.engine(spec)?;
        engine.new_game(Seed::new(0));
        engines.push(engine);
    }
    let mut session = game.session(None)?;
    let mut from_book = 0;
    while let Turn::Player(player) = session.turn() {
        if cancel.is_cancelled() {
            return Err(LabError::Stopped);
        }
        let limits = Limits {
            cancel: cancel.clone(),
            ..Limits::nodes(nodes)
        };
        let answer = session.ask(&mut engines[player.index() & 1], &limits)?;
        from_book += u32::from(answer.counters.iter().any(|(name, _)| *name == "book"));
        let Some(best) = answer.best else {
            return Err(LabError::Stopped);
        };
        session.play(&best)?;
    }
    let ending = session.ending();
    let first = ending.and_then(|ending| ending.payoffs.first().copied());
    Ok((first.unwrap_or(0) > 0, from_book))
}

fn games(setting: &Setting) -> Result<ExperimentPlan, LabError> {
    let scale = setting.scale;
    let nodes = scale.pick([120, 1000]);
    let pairs = scale.pick([100, 500]);
    let least = scale.pick([2_000, 50_000]);
    let game = scale.pick(["amazons:6x6", "amazons"]);
    // The book is grown once, by whoever comes first.
    let shelf: std::sync::Mutex<Option<tempfile::NamedTempFile>> = std::sync::Mutex::new(None);
    let cell = ExperimentCell::sample("pairs", pairs, move |item, cancel| {
        let file = {
            let mut shelf = shelf.lock().map_err(|_| LabError::Stopped)?;
            if shelf.is_none() {
                let method = GrowthMethod::DepthPenalty(points(100));
                let book = grown(scale, method, nodes, cancel)?;
                let mut file = tempfile::NamedTempFile::new().map_err(failed)?;
                file.write_all(book.write().as_bytes()).map_err(failed)?;
                *shelf = Some(file);
            }
            shelf.as_ref().map(|file| file.path().display().to_string())
        };
        let plain = "antiope:table=1M";
        let booked = format!("{plain},book={}", file.unwrap_or_default());
        // Engines without luck play one game from the start, so that budgets differ from pair to
        // pair.
        let budget = least + item as u64 * least / 20;
        let (white, in_book) = play(game, [&booked, plain], budget, cancel)?;
        let (black, also) = play(game, [plain, &booked], budget, cancel)?;
        let won = f64::from(u8::from(white)) + f64::from(u8::from(!black));
        Ok(vec![won, f64::from(in_book + also) / 2.0])
    });
    let report = move |measured: &Measured| {
        let won: f64 = measured.column("pairs", 0)?.iter().sum();
        let stay: f64 = measured.column("pairs", 1)?.iter().sum::<f64>() / pairs as f64;
        let trials = 2.0 * pairs as f64;
        let interval = wilson(won, trials, 0.95);
        let mut report = ExperimentReport {
            conditions: vec![format!(
                "{game}, a book of {nodes} nodes with a penalty of 100 points; {pairs} pairs of \
                 games, each pair with a budget of its own from {least} nodes a move on"
            )],
            ..ExperimentReport::default()
        };
        report.rows.push(
            Row::compared(
                "share of the games won by the player with the book",
                Some(Figure::Number(0.6)),
                Figure::Number(won / trials),
            )
            .within(interval),
        );
        report.rows.push(Row::compared(
            "moves from the book in a game (printed: less than 4)",
            Some(Figure::Number(4.0)),
            Figure::Number(stay),
        ));
        let verdict = if interval.low > 0.5 {
            Verdict::Held
        } else if interval.high < 0.5 {
            Verdict::Failed
        } else {
            Verdict::Undecided
        };
        report.relation(
            "the player with the book wins more games",
            verdict,
            format!("{won} of {trials}"),
        );
        Ok(report)
    };
    Ok(ExperimentPlan {
        cells: vec![cell],
        report: Box::new(report),
    })
}
